"""Snapshots of an index: stored only as the last, and gone with what is removed for good."""

from __future__ import annotations

import shutil
from pathlib import Path

from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.index.sqlite.file_image import place_image, read_image
from holdfast.postgres.index_snapshot import load_snapshot, snapshot_number, store_snapshot
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant


def test_a_snapshot_is_stored_only_where_nothing_was_changed_since(databases: Databases) -> None:
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
    with PostgresPool.open(databases.dsn) as pool:
        assert not store_snapshot(pool, "acme", "main", 0, b"image")
        with pool.transaction("acme") as connection:
            connection.execute("INSERT INTO holdfast.home VALUES ('acme', 'main', 7)")
        assert not store_snapshot(pool, "acme", "main", 6, b"old")
        assert load_snapshot(pool, "acme", "main") is None
        assert store_snapshot(pool, "acme", "main", 7, b"image" * 1000)
        assert snapshot_number(pool, "acme", "main") == 7
        assert load_snapshot(pool, "acme", "main") == b"image" * 1000
        assert load_snapshot(pool, "other", "main") is None


def test_a_snapshot_goes_with_what_is_removed_for_good(databases: Databases) -> None:
    with PostgresPool.open(databases.admin) as admin:
        for name in ("acme", "other"):
            create_tenant(admin, name)
    gone = (
        ("INSERT INTO holdfast.object VALUES (%s, 'h', 'x')", "DELETE FROM holdfast.object"),
        ("INSERT INTO holdfast.transcript VALUES (%s, 'main', 's', 1, 'x')", "DELETE FROM holdfast.transcript"),
    )
    with PostgresPool.open(databases.dsn) as pool:
        for tenant in ("acme", "other"):
            with pool.transaction(tenant) as connection:
                connection.execute("INSERT INTO holdfast.home VALUES (%s, 'main', 1)", [tenant])
            assert store_snapshot(pool, tenant, "main", 1, b"image")
        for put, remove in gone:
            assert store_snapshot(pool, "acme", "main", 1, b"image")
            with pool.transaction("acme") as connection:
                connection.execute(put.encode(), ["acme"])
                connection.execute(remove.encode())
            assert snapshot_number(pool, "acme", "main") is None
        assert snapshot_number(pool, "other", "main") == 1


def test_an_index_placed_from_an_image_answers_as_the_one_it_was_taken_of(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "one") as memory:
        memory.save("The tide turns at four", file="memory/tide.md")
        image = read_image(memory.ctx.database)
        wanted = memory.search("when does the tide turn").results
        path = Path(memory.ctx.index_path)
    placed = tmp_path / "two" / path.relative_to(tmp_path / "one")
    assert place_image(str(placed), image)
    assert not place_image(str(placed), image)
    assert placed.stat().st_mode & 0o777 == 0o600
    shutil.copytree(tmp_path / "one" / "memory", tmp_path / "two" / "memory")
    with Memory.open(tmp_path / "two") as memory:
        synced = memory.sync()
        assert (synced.added, synced.embedded) == (0, 0)
        found = memory.search("when does the tide turn").results
    assert [(hit.chunk_id, hit.score) for hit in found] == [(hit.chunk_id, hit.score) for hit in wanted]
