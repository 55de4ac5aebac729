"""What is forgotten on one server goes from the others' disks too: from their indexes, and from what SQLite leaves."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.guard.origin import Origin
from holdfast.postgres.access_tokens import Access, Role
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenant_cache import TenantCache
from holdfast.postgres.tenant_files import store_settings
from holdfast.postgres.tenants import Limits
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.http.team_background import TeamBackground
from holdfast.surfaces.http.tenant_states import TenantState
from holdfast.surfaces.tenant_pool import TenantPool

SECRET = "xylophone-heron-quartz"


class Server:
    """What a server has of one tenant, and what it does by itself."""

    def __init__(self, pool: PostgresPool, place: Path) -> None:
        self.cache = TenantCache(str(place), 2**30)
        self.cache.place_of("acme")
        self.memories = TenantPool(pool, "acme", self.cache.root)
        server = ServerState(self.memories, Entry("x" * 43))
        access = Access("acme", Role.OWNER, "", "standard", Limits())
        self.open = [TenantState(access, self.memories, server)]
        self.background = TeamBackground(pool, self.cache, lambda: self.open, holder="x", log=pytest.fail)

    def holding(self, words: str) -> list[str]:
        """The files on this server's disk that hold these words."""
        files = [path for path in Path(self.cache.root).rglob("*") if path.is_file()]
        return [path.name for path in files if words.encode() in path.read_bytes()]


def forget(pool: PostgresPool, place: Path) -> None:
    with Memory.open_team(pool, "acme", cache=place, origin=Origin.USER) as memory:
        memory.forget(text=SECRET, everywhere=True, confirmed=True)


def test_an_open_tenant_is_cleared_of_words_that_were_forgotten_on_another_server(
    pool: PostgresPool, tmp_path: Path
) -> None:
    server = Server(pool, tmp_path / "one")
    with closing(server.memories):
        with server.memories.memory() as memory:
            memory.save(f"The codeword is {SECRET}.", file="memory/codeword.md")
            memory.save("The tide turns at noon.", file="memory/tide.md")
            assert memory.search(SECRET).results
        assert server.holding(SECRET)
        forget(pool, tmp_path / "two")
        server.background.turn()
        assert server.holding(SECRET) == []
        with server.memories.memory() as memory:
            assert memory.search("when does the tide turn").results[0].path == "memory/tide.md"
        marks = (tmp_path / "one/acme/state/erasures").stat().st_mtime_ns
        server.background.turn()  # once is enough
        assert (tmp_path / "one/acme/state/erasures").stat().st_mtime_ns == marks


def test_a_tenant_that_is_closed_is_dropped_from_the_disk_when_something_was_forgotten_elsewhere(
    pool: PostgresPool, tmp_path: Path
) -> None:
    server = Server(pool, tmp_path / "one")
    with server.memories.memory() as memory:
        memory.save(f"The codeword is {SECRET}.", file="memory/codeword.md")
        assert memory.search(SECRET).results
    server.memories.close()
    server.open.clear()
    server.background.turn()
    assert server.holding(SECRET)
    forget(pool, tmp_path / "two")
    server.background.turn()
    assert server.holding(SECRET) == []


def test_a_line_that_was_forgotten_in_the_middle_of_a_transcript_is_found_on_no_server(
    databases: Databases, pool: PostgresPool, tmp_path: Path
) -> None:
    with PostgresPool.open(databases.admin) as admin:
        store_settings(admin, "acme", '[memory]\nsources = ["memory", "sessions"]\nsession_export = "off"\n')
    server = Server(pool, tmp_path / "one")
    with closing(server.memories):
        with server.memories.memory() as memory:
            memory.search("anything")
            with memory.session("talk") as session:
                for line in ("Good morning to you.", f"My word is {SECRET}.", "That is all I had to say."):
                    session.append("user", line)
            memory.ctx.session_index.catch_up()
            memory.ctx.session_index.wait()
            assert any(SECRET in hit.snippet for hit in memory.search(SECRET).results)
        forget(pool, tmp_path / "two")
        server.background.turn()
        with server.memories.memory() as memory:
            memory.ctx.session_index.wait()
            assert not any(SECRET in hit.snippet for hit in memory.search(SECRET).results)
            assert memory.search("good morning").results
        assert server.holding(SECRET) == []
