"""What a server of tenants is made of: whom it lets in, what it keeps on disk, what it does by itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.errors import DatabaseAway, StorageFailed
from holdfast.postgres.access_tokens import Access, Role, make_token
from holdfast.postgres.index_snapshot import snapshot_number
from holdfast.postgres.leases import take_lease
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenant_cache import TenantCache
from holdfast.postgres.tenants import Limits, create_tenant, delete_tenant
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.http.team_background import TeamBackground
from holdfast.surfaces.http.tenant_admission import Admission
from holdfast.surfaces.http.tenant_states import TenantState
from holdfast.surfaces.tenant_pool import TenantPool


@pytest.fixture
def token(databases: Databases) -> str:
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
        return make_token(admin, "acme", Role.OWNER)


@pytest.fixture
def pool(databases: Databases, token: str) -> Iterator[PostgresPool]:
    with PostgresPool.open(databases.dsn) as pool:
        yield pool


class Hand:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_asked_for_every_few_seconds_and_known_for_a_while_without_the_database(
    databases: Databases, pool: PostgresPool, token: str
) -> None:
    clock = Hand()
    admission = Admission(pool, clock=clock)
    assert admission.remembered(token) is None
    access = admission.admit(token)
    assert access is not None
    assert admission.remembered(token) == access
    with psycopg.connect(databases.admin) as connection:
        connection.execute("UPDATE holdfast.access_token SET revoked = now()")
    assert admission.admit(token) == access
    clock.now += 6
    assert admission.remembered(token) is None
    assert admission.admit(token) is None
    with psycopg.connect(databases.admin) as connection:
        connection.execute("UPDATE holdfast.access_token SET revoked = NULL")
    clock.now += 6
    assert admission.admit(token) == access
    pool.close()
    clock.now += 600
    assert admission.admit(token) == access
    clock.now += 600
    with pytest.raises(DatabaseAway):
        admission.admit(token)


def test_the_directories_that_nobody_asked_for_lately_are_dropped_until_the_rest_fits(tmp_path: Path) -> None:
    cache = TenantCache(str(tmp_path / "cache"), most=250_000)
    for number, name in enumerate(("old", "open", "mid", "new")):
        place = Path(cache.place_of(name))
        (place / "index").write_bytes(b"x" * 100_000)
        os.utime(place, (number, number))
    assert cache.sweep(lambda tenant: tenant == "open") == ["old", "mid"]
    assert sorted(path.name for path in Path(cache.root).iterdir()) == ["new", "open"]
    assert 150_000 < cache.bytes <= 250_000
    assert cache.sweep(lambda _: False) == []
    assert Path(cache.place_of("old")).stat().st_mode & 0o777 == 0o700


def test_a_directory_of_indexes_is_one_servers_alone(tmp_path: Path) -> None:
    first, second = (TenantCache(str(tmp_path / "cache"), 2**30) for _ in range(2))
    with first.hold(), pytest.raises(StorageFailed, match="another server has its indexes there"), second.hold():
        pytest.fail("two servers have it")
    with second.hold():
        assert second.some_tenants(10) == []


def test_a_server_stores_a_snapshot_of_what_it_built_and_another_begins_with_it(
    databases: Databases, pool: PostgresPool, tmp_path: Path
) -> None:
    cache = TenantCache(str(tmp_path / "one"), 2**30)
    memories = TenantPool(pool, "acme", cache.root)
    server = ServerState(memories, Entry("x" * 43))
    lent = TenantState(Access("acme", Role.OWNER, "", "standard", Limits()), memories, server)
    background = TeamBackground(pool, cache, lambda: [lent], holder="one", log=pytest.fail)
    with server.memories.memory() as memory:
        memory.notes.write_all({f"memory/{number}.md": f"Note {number} of the tide" for number in range(120)})
        memory.search("tide")
    background.turn()
    assert snapshot_number(pool, "acme", "main") == 120
    server.last_activity = 0.0  # from now on the tenant rests after each turn
    with server.memories.memory() as memory:
        memory.save("One more", file="memory/more.md")
    background.turn()
    assert snapshot_number(pool, "acme", "main") == 120  # one change is read from the notes
    server.stop()

    other = TenantPool(pool, "acme", str(tmp_path / "two"))
    with other.memory() as memory:
        edition = memory.ctx.database.serving()
        assert edition is not None
        assert len(edition.known()) == 120
        assert memory.search("more").results[0].path == "memory/more.md"
    other.close()


def test_hits_of_a_server_are_as_sure_as_those_of_a_home_once_the_background_had_its_turn(
    databases: Databases, pool: PostgresPool, tmp_path: Path
) -> None:
    texts = {f"memory/{number}.md": f"Note {number} of the tide and berth {number * 7}" for number in range(30)}
    with Memory.open(tmp_path / "home") as home:
        home.notes.write_all(texts)
        home.sync()
        expected = [hit.confidence for hit in home.search("which berth has the tide?").results]
    cache = TenantCache(str(tmp_path / "one"), 2**30)
    memories = TenantPool(pool, "acme", cache.root)
    server = ServerState(memories, Entry("x" * 43))
    lent = TenantState(Access("acme", Role.OWNER, "", "standard", Limits()), memories, server)
    with server.memories.memory() as memory:
        memory.notes.write_all(texts)
        memory.search("tide")
    TeamBackground(pool, cache, lambda: [lent], holder="one", log=pytest.fail).turn()
    with server.memories.memory() as memory:
        assert [hit.confidence for hit in memory.search("which berth has the tide?").results] == expected
    server.stop()


def test_a_tenant_dreams_on_the_server_that_holds_the_lease(
    databases: Databases, pool: PostgresPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_DREAMING_MODE", "eager")
    cache = TenantCache(str(tmp_path / "one"), 2**30)
    memories = TenantPool(pool, "acme", cache.root)
    server = ServerState(memories, Entry("x" * 43))
    lent = TenantState(Access("acme", Role.OWNER, "", "standard", Limits()), memories, server)
    background = TeamBackground(pool, cache, lambda: [lent], holder="one", log=pytest.fail)
    with server.memories.memory() as memory:
        memory.save("The tide turns at four", file="memory/tide.md")
        memory.search("tide")
    with psycopg.connect(databases.admin, autocommit=True) as connection:
        assert take_lease(pool, "acme", "main", "dream", "two", 60)
        server.last_activity = 0.0
        background.turn()
        held = "SELECT holder FROM holdfast.lease"
        assert connection.execute(held).fetchall() == [("two",)]
        connection.execute("DELETE FROM holdfast.lease")
        background.turn()
        assert connection.execute(held).fetchall() == []
    server.stop()


def test_what_a_server_has_on_disk_of_a_tenant_goes_when_the_tenant_was_deleted(
    databases: Databases, pool: PostgresPool, tmp_path: Path
) -> None:
    cache = TenantCache(str(tmp_path / "cache"), 2**30)
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "other")
        for name in ("acme", "other", "stranger"):
            (Path(cache.place_of(name)) / "state").mkdir()
            (Path(cache.root) / name / "state/main.sqlite").write_text("What the tenant wrote", encoding="utf-8")
        delete_tenant(admin, "acme", word="acme")
    held = [TenantState(Access("acme", Role.OWNER, "", "standard", Limits()), *desk_and_house(pool, cache))]
    background = TeamBackground(pool, cache, lambda: held, holder="one", log=pytest.fail, retire=lambda _: held.clear())
    background.turn()  # the tenant is open: it is closed first
    assert sorted(path.name for path in Path(cache.root).iterdir()) == ["acme", "other"]
    background.turn()
    assert [path.name for path in Path(cache.root).iterdir()] == ["other"]
    pool.close()
    background.turn()  # a database that is away says nothing about anybody
    assert [path.name for path in Path(cache.root).iterdir()] == ["other"]


def desk_and_house(pool: PostgresPool, cache: TenantCache) -> tuple[TenantPool, ServerState]:
    memories = TenantPool(pool, "acme", cache.root)
    return memories, ServerState(memories, Entry("x" * 43))


def test_all_directories_are_looked_at_in_turn(tmp_path: Path) -> None:
    cache = TenantCache(str(tmp_path / "cache"), 2**30)
    assert cache.some_tenants(2) == []
    for name in "abc":
        (Path(cache.place_of(name)) / "state").mkdir()
    (tmp_path / "cache/others").mkdir()  # not of Holdfast's making
    (tmp_path / "cache/lost+found/state").mkdir(parents=True)
    assert [cache.some_tenants(2) for _ in range(3)] == [["a", "b"], ["c", "a"], ["b", "c"]]
    assert cache.some_tenants(9) == ["a", "b", "c"]
