"""A database that takes what it is asked and does not answer: every call ends, reads go on, and nothing is doubled."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from counts import counted
from engines.cutting_proxy import CuttingProxy
from engines.postgres_server import Databases, PostgresServer, databases_of
from engines.team_serving import populated, team_served
from engines.test_reading_on import BEHIND, CHANGES, SAME, ask, fill
from engines.test_team_outage import wait_for
from surfaces.http.serving import Served

from holdfast.errors import DatabaseAway
from holdfast.postgres.migration import apply_migrations
from holdfast.postgres.postgres_connection import patience_of
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant

SOON = "connect_timeout=1"
"""In an address: how long is waited until somebody looks whether the database answers at all."""

NOT_SO_SOON = "connect_timeout=2"
"""The same where the database does answer: a busy machine has that long for the look."""

MOST_BYTES = 8000
"""That a save sends to the database, with who asks and what it looks at before; some more."""


def through(proxy: CuttingProxy, dsn: str) -> str:
    """The address of a database behind a proxy."""
    address, _, name = dsn.rpartition("/")
    return f"{address.rpartition(':')[0]}:{proxy.port}/{name}?{SOON}"


def port_of(dsn: str) -> int:
    return int(dsn.rpartition("/")[0].rpartition(":")[2])


@contextmanager
def stopped(*processes: int) -> Iterator[None]:
    """Have processes stand still for a block, as on a machine that hangs."""
    send(signal.SIGSTOP, processes)
    try:
        yield
    finally:
        send(signal.SIGCONT, processes)


def send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to those that are still there: a worker of the database's ends when its work is done."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def backend(pool: PostgresPool) -> int:
    """The process behind the only connection of a pool."""
    return int(pool.ask("acme", "SELECT pg_backend_pid()")[0][0])


def all_processes(server: PostgresServer) -> list[int]:
    """PostgreSQL, and all that it has started."""
    assert server.process is not None
    found = {server.process.pid}
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return [*found, *(process for process, parent in parents.items() if parent in found)]


def test_a_server_reads_on_and_refuses_to_write_while_the_network_swallows_everything(
    databases: Databases, tmp_path: Path
) -> None:
    tokens = populated(databases, "acme")
    with CuttingProxy(port_of(databases.dsn)) as proxy:
        behind = databases._replace(dsn=through(proxy, databases.dsn))
        with team_served(behind, tmp_path, tokens=tokens) as team:
            web = team.by("acme")
            fill(web)
            before = [ask(web, request) for request in SAME]
            proxy.hold()
            with ThreadPoolExecutor(8) as clients:  # all at once: each waits for the same look, or for none
                answers = list(clients.map(lambda request: ask(web, request), SAME))
                refused = list(clients.map(lambda request: ask(web, request), CHANGES))
            for request, was, answer in zip(SAME, before, answers, strict=True):
                assert (answer.status, answer.data) == (200, was.data), request
                assert "database is away" in answer.headers[BEHIND], request
            for request, answer in zip(CHANGES, refused, strict=True):
                assert (answer.status, answer.error) == (503, "DatabaseAway"), (request, answer.data)
                assert int(answer.headers["retry-after"]) >= 1
            assert team.web.send("GET", "/health").status == 200
            assert team.web.send("GET", "/ready").status == 503
            proxy.let_go()
            back = {"content": "Back", "file": "memory/back.md"}
            wait_for(lambda: web.call("POST", "/api/v1/notes", back).status == 201)
            assert BEHIND not in web.call("GET", "/api/v1/notes/memory/back.md").headers
            assert web.call("GET", "/api/v1/notes/memory/tide.md").json["text"].startswith("The tide turns at four")


def _is_saved(web: Served, line: dict[str, str], key: dict[str, str]) -> bool:
    return web.call("POST", "/api/v1/notes", line, key).status in (200, 201)


@pytest.mark.fault
def test_a_save_that_is_held_on_its_way_is_refused_and_the_same_one_again_is_there_once(
    databases: Databases, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    tokens = populated(databases, "acme")
    times = counted(2, 24)
    refused: Counter[str] = Counter()
    with CuttingProxy(port_of(databases.dsn)) as proxy:
        behind = databases._replace(dsn=through(proxy, databases.dsn))
        with team_served(behind, tmp_path, tokens=tokens) as team:
            web = team.by("acme")
            fill(web)
            for turn in range(times):
                line = {"content": f"- line {turn} of them", "file": "memory/lines.md"}
                key = {"Idempotency-Key": f"c{uuid4().hex[:12]}"}
                proxy.hold(turn * MOST_BYTES // times)
                answer = web.call("POST", "/api/v1/notes", line, key)
                assert answer.status in (200, 201, 503), answer.data
                if answer.status == 503:
                    refused["unsure" if b"not known" in answer.data else "sure"] += 1
                proxy.let_go()
                wait_for(partial(_is_saved, web, line, key))
                text = web.call("GET", "/api/v1/notes/memory/lines.md").json["text"]
                assert text.splitlines() == [f"- line {number} of them" for number in range(turn + 1)]
    assert refused
    record_property("faults", f"{times} saves held on their way, {dict(refused)} refused: 0 lost, 0 doubled")


def test_a_commit_that_arrives_late_is_no_second_save(databases: Databases, tmp_path: Path) -> None:
    tokens = populated(databases, "acme")
    line, key = {"content": "- one line", "file": "memory/lines.md"}, {"Idempotency-Key": f"c{uuid4().hex[:12]}"}
    sent: list[bytes] = []

    def ends_save(data: bytes) -> bool:
        is_written = any(b"INSERT INTO holdfast.journal" in earlier for earlier in sent)
        sent.append(data)
        return is_written and b"COMMIT" in data and b"BEGIN" not in data

    with CuttingProxy(port_of(databases.dsn)) as proxy:
        behind = databases._replace(dsn=through(proxy, databases.dsn))
        with team_served(behind, tmp_path, tokens=tokens) as team:
            web = team.by("acme")
            fill(web)
            proxy.hold_when(ends_save)
            answer = web.call("POST", "/api/v1/notes", line, key)
            assert (answer.status, answer.error) == (503, "DatabaseAway")
            assert b"not known" in answer.data
            proxy.let_go()
            wait_for(partial(_is_saved, web, line, key))
            assert web.call("GET", "/api/v1/notes/memory/lines.md").json["text"] == "- one line"


def test_who_waits_for_a_server_that_stands_still_is_told_and_it_is_used_again_once_it_goes_on(
    postgres: PostgresServer,
) -> None:
    told: list[str] = []
    dsn = f"{databases_of(postgres).dsn}?{SOON}"
    with PostgresPool.open(dsn, tell=told.append) as pool:
        assert pool.ask("acme", "SELECT 7") == [(7,)]
        with stopped(*all_processes(postgres)):
            with pytest.raises(DatabaseAway, match="does not answer"):
                pool.ask("acme", "SELECT 7")
            with pytest.raises(DatabaseAway), pool.transaction("acme"):
                pass
            with pytest.raises(DatabaseAway), pool.for_locks.transaction("acme"):
                pass
            with pytest.raises(DatabaseAway):
                apply_migrations(dsn)
        assert [line.partition(" (")[0] for line in told] == ["The database is away"]

        def answered() -> bool:
            try:
                return pool.ask("acme", "SELECT 7") == [(7,)]
            except DatabaseAway:
                return False

        wait_for(answered)
        assert len(told) == 2


def test_one_backend_that_stands_still_is_left_for_another_and_the_rest_goes_on(databases: Databases) -> None:
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
    with PostgresPool.open(f"{databases.dsn}?{SOON}", most=2) as pool:
        with stopped(backend(pool)), pool.transaction("acme") as connection:
            assert connection.execute("SELECT 7").fetchone() == (7,)
        with stopped(backend(pool)):
            assert pool.ask("acme", "SELECT 7", seconds=1) == [(7,)]


def test_a_statement_that_takes_long_is_waited_for_as_long_as_others_are_answered(databases: Databases) -> None:
    with PostgresPool.open(f"{databases.dsn}?{NOT_SO_SOON}") as pool:
        assert pool.ask("acme", "SELECT 7 FROM pg_sleep(3)") == [(7,)]


def test_a_database_with_no_room_for_one_more_connection_is_not_away(databases: Databases) -> None:
    login = f"l{uuid4().hex[:12]}"
    with psycopg.connect(databases.admin, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {login} LOGIN NOINHERIT CONNECTION LIMIT 1 IN ROLE holdfast_app")
    told: list[str] = []
    dsn = databases.dsn.replace("holdfast_server", login)
    with PostgresPool.open(f"{dsn}?{NOT_SO_SOON}", tell=told.append) as pool, ThreadPoolExecutor(1) as other:
        with pool.transaction("acme") as connection:
            waiting = other.submit(pool.ask, "acme", "SELECT 7")
            # Longer than it takes until somebody looks whether there is an answer, which has no room either.
            assert connection.execute("SELECT 8 FROM pg_sleep(3)").fetchone() == (8,)
            assert not waiting.done()
        assert waiting.result() == [(7,)]
    assert told == []


@pytest.mark.parametrize(("given", "patience"), [("", 5), ("?connect_timeout=0", 5), ("?connect_timeout=2", 2)])
def test_the_address_says_how_long_is_waited_until_somebody_looks(given: str, patience: float) -> None:
    assert patience_of(f"postgresql://nobody@127.0.0.1/none{given}") == patience


def test_a_commit_that_is_not_answered_leaves_it_open_whether_it_happened(databases: Databases) -> None:
    with CuttingProxy(port_of(databases.dsn)) as proxy:
        with PostgresPool.open(databases.admin) as admin:
            create_tenant(admin, "acme")
        with (
            PostgresPool.open(through(proxy, databases.dsn)) as pool,
            pytest.raises(DatabaseAway) as caught,
            pool.transaction("acme") as connection,
        ):
            connection.execute("INSERT INTO holdfast.home VALUES ('acme', 'main', 7)")
            proxy.hold()
        assert caught.value.unsure


def test_a_database_that_accepts_and_says_nothing_from_the_start_is_away(databases: Databases) -> None:
    with CuttingProxy(port_of(databases.dsn)) as proxy:
        proxy.hold()
        with PostgresPool.open(through(proxy, databases.dsn)) as pool, pytest.raises(DatabaseAway):
            pool.ask("acme", "SELECT 7")
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(through(proxy, databases.dsn))
