"""How often a server of tenants asks the database: what is paid for by every request must stay small."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, MutableMapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.checkpoints.change_history import history
from holdfast.guard.origin import Origin
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant
from holdfast.surfaces.http.app import SERVER, Api
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.tenant_pool import TenantPool


class CountingPool(PostgresPool):
    """Knows how many questions it was asked, and how many rows answered them."""

    questions = rows = 0

    def ask(self, *arguments: Any, **named: Any) -> list[Any]:
        found = super().ask(*arguments, **named)
        self.questions += 1
        self.rows += len(found)
        return found


@pytest.fixture
def pool(databases: Databases) -> Iterator[CountingPool]:
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
    with CountingPool.open(databases.dsn) as pool:
        yield pool


def post(api: Api, server: ServerState, path: str, body: dict[str, Any]) -> Any:
    """What the application answers to a request that passed the guard."""
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(body).encode()}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def run() -> None:
        scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [], SERVER: server,
        }  # fmt: skip
        await api(scope, receive, send)
        await asyncio.gather(*api._looking)  # what it does after the answer counts too

    asyncio.run(run())
    return json.loads(sent[-1]["body"])


def test_a_warm_search_asks_the_database_once(pool: CountingPool, tmp_path: Path) -> None:
    memories = TenantPool(pool, "acme", str(tmp_path))
    server, api = ServerState(memories, Entry("k" * 43)), Api(None)
    with closing(memories):
        post(api, server, "/api/v1/notes", {"content": "The tide turns at noon.", "file": "memory/tide.md"})
        for _ in range(3):
            assert post(api, server, "/api/v1/search", {"query": "when does the tide turn"})["results"]
        before = pool.questions
        for _ in range(10):
            post(api, server, "/api/v1/search", {"query": "when does the tide turn"})
        looks_at_settings = 5  # one every two seconds, on a machine that may be slow
        assert pool.questions - before <= 10 + looks_at_settings
    api.close()


def test_the_last_change_of_a_long_history_is_read_without_the_rest(pool: CountingPool, tmp_path: Path) -> None:
    memories = TenantPool(pool, "acme", str(tmp_path))
    with closing(memories), memories.memory() as memory:
        memory.notes.write_all({f"memory/{number}.md": "Old\n" for number in range(600)})
        before = pool.rows
        assert [change.path for change in history(memory.ctx.workspace, limit=1)]
        assert pool.rows - before <= 8
        assert len(history(memory.ctx.workspace, limit=700)) == 600


def test_what_waits_in_the_inbox_is_not_looked_up_again_for_the_next_line(pool: CountingPool, tmp_path: Path) -> None:
    memories = TenantPool(pool, "acme", str(tmp_path))
    with closing(memories), memories.memory() as memory:
        memory.search("anything")

        def trips(number: int) -> int:
            before = pool.questions
            memory.save(f"The boat number {number} lies at pier {number * 7}", file="MEMORY.md")
            return pool.questions - before

        few = [trips(number) for number in range(5)][-1]
        assert [trips(number) for number in range(5, 40)][-1] <= few
        Memory(memory.ctx.for_origin(Origin.MCP_TOOL)).save("The buoy is green", file="MEMORY.md")
        origins = [memory.get(path="memory/inbox.md", from_line=line, lines=1).origin for line in (1, 40, 41)]
        assert origins == [Origin.API, Origin.API, Origin.MCP_TOOL]
