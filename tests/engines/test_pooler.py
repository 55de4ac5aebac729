"""A real PgBouncer that lends connections for one transaction, between servers and the database.

It runs where `pgbouncer` is installed, or where HOLDFAST_TEST_PGBOUNCER names it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from engines.postgres_server import LOGIN, Databases, as_nobody, root
from engines.team_serving import populated, team_served
from engines.test_engine_faults import add, lines_of

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.guard.origin import Origin
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.postgres_workspace import PostgresWorkspace

PROGRAM = os.environ.get("HOLDFAST_TEST_PGBOUNCER") or shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="There is no pgbouncer here")
SETTINGS = """
[databases]
* = host=127.0.0.1 port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = trust
auth_file = {place}/users
pool_mode = transaction
default_pool_size = 3
"""


@pytest.fixture
def pooled(databases: Databases, postgres_port: str) -> Iterator[Databases]:
    """The same database behind a pooler with three connections."""
    place = root() / f"holdfast-pooler-{databases.name}"
    place.mkdir(mode=0o755)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        own = door.getsockname()[1]
    (place / "users").write_text(f'"{LOGIN}" ""\n', encoding="ascii")
    (place / "pooler.ini").write_text(SETTINGS.format(port=postgres_port, own=own, place=place), encoding="ascii")
    assert PROGRAM is not None
    pooler = subprocess.Popen(
        [PROGRAM, "-q", place / "pooler.ini"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_nobody()
    )
    try:
        dsn = f"postgresql://{LOGIN}@127.0.0.1:{own}/{databases.name}"
        _await_answer(dsn, pooler)
        yield databases._replace(dsn=dsn)
    finally:
        pooler.send_signal(signal.SIGTERM)
        pooler.wait(30)
        shutil.rmtree(place)


def _await_answer(dsn: str, pooler: subprocess.Popen[bytes]) -> None:
    while pooler.poll() is None:
        try:
            psycopg.connect(dsn, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            continue
    raise AssertionError("pgbouncer did not start")


def test_sixteen_writers_of_two_tenants_behind_a_pooler_lose_nothing_and_meet_only_their_own(
    pooled: Databases, tmp_path: Path
) -> None:
    populated(pooled, "acme", "other")
    with ExitStack() as held:
        pools = [held.enter_context(closing(PostgresPool.open(pooled.dsn))) for _ in range(2)]
        places = {
            (tenant, number): held.enter_context(
                closing(PostgresWorkspace.open(pool, tenant, cache=str(tmp_path / f"{number}")))
            )
            for number, pool in enumerate(pools)
            for tenant in ("acme", "other")
        }

        def write(writer: int) -> None:
            tenant = ("acme", "other")[writer % 2]
            for line in range(5):
                add(places[tenant, writer // 8], f"{tenant} {writer}.{line}")

        with ThreadPoolExecutor(16) as executor:
            list(executor.map(write, range(16)))
        for start, tenant in enumerate(("acme", "other")):
            expected = Counter(f"{tenant} {writer}.{line}" for writer in range(start, 16, 2) for line in range(5))
            assert lines_of(places[tenant, 0]) == expected
            assert verify(places[tenant, 1]) == []


def test_a_server_behind_a_pooler_saves_searches_forgets_and_undoes(pooled: Databases, tmp_path: Path) -> None:
    with team_served(pooled, tmp_path) as team:
        web = team.by("acme")
        for number in range(10):
            told = {"content": f"Pier {number} opens at {number}.", "file": f"memory/{number}.md"}
            assert web.call("POST", "/api/v1/notes", told).status == 201
            assert team.by("other").call("POST", "/api/v1/search", {"query": "pier"}).json["results"] == []
        assert web.call("POST", "/api/v1/search", {"query": "pier 7"}).json["results"][0]["path"] == "memory/7.md"
        assert web.call("POST", "/api/v1/undo").status == 200
        assert web.call("GET", "/api/v1/notes/memory/9.md").status == 404
        said = {"role": "user", "text": "When does the pier open?"}
        assert web.call("POST", "/api/v1/sessions/pier/messages", said).status == 201
    with (
        PostgresPool.open(pooled.dsn) as pool,
        Memory.open_team(pool, "acme", cache=tmp_path / "more", origin=Origin.USER) as memory,
    ):
        assert memory.forget(text="Pier 3", everywhere=True, confirmed=True).cleared is not None
        assert memory.history(limit=1)
