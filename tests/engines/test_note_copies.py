"""The copies of notes beside a server's index: level with the database, without what is gone, for readers alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.errors import DatabaseAway
from holdfast.guard.origin import Origin
from holdfast.notes.staleness import allow_stale, refuse_stale
from holdfast.postgres.postgres_pool import PostgresPool

SECRET = "xylophone-heron-quartz"


def opened(pool: PostgresPool, cache: Path) -> Memory:
    return Memory.open_team(pool, "acme", cache=cache, origin=Origin.USER, copies=True)


def contents(memory: Memory) -> dict[str, bytes]:
    """Every note as a reader gets it."""
    with memory.ctx.workspace.reader() as read:
        return {note.path: read(note).data for note in memory.ctx.workspace.walk().found}


def test_only_a_reader_who_allows_it_is_answered_by_copies(pool: PostgresPool, tmp_path: Path) -> None:
    with opened(pool, tmp_path) as memory:
        memory.save("The tide turns at noon", file="memory/tide.md")
        before = contents(memory)
        pool.close()
        with allow_stale() as staleness:
            assert contents(memory) == before
            assert "database is away" in staleness.why
            with refuse_stale(), pytest.raises(DatabaseAway):
                contents(memory)
            with pytest.raises(DatabaseAway):
                memory.save("lost?", file="memory/tide.md")
        with pytest.raises(DatabaseAway):
            contents(memory)


def test_what_many_threads_and_servers_save_is_copied_as_it_is(pool: PostgresPool, tmp_path: Path) -> None:
    def save(number: int) -> None:
        with opened(pool, tmp_path / f"server{number % 2}") as memory:
            for turn in range(6):
                memory.save(f"{number} says {turn}", file=f"memory/{turn}.md")
            memory.notes.write(f"memory/own{number}.md", f"{number}\n")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(save, range(8)))
    with opened(pool, tmp_path / "server0") as one, opened(pool, tmp_path / "server1") as two:
        before = contents(one)
        assert len(before) == 14
        assert contents(two) == before
        pool.close()
        with allow_stale():
            assert contents(one) == before
            assert contents(two) == before


def test_no_byte_of_what_was_removed_is_left_in_the_copies(pool: PostgresPool, tmp_path: Path) -> None:
    with opened(pool, tmp_path) as memory:
        memory.save(f"The codeword is {SECRET}. " * 50, file="memory/codeword.md")
        memory.save("The tide turns at noon", file="memory/tide.md")
        (copies,) = tmp_path.glob("acme/state/copies/*")
        assert SECRET.encode() in copies.read_bytes()
        memory.notes.write_all({"memory/codeword.md": None})
        assert SECRET.encode() not in copies.read_bytes()
        assert (copies.stat().st_mode & 0o777) == 0o600


def test_a_database_that_was_put_back_to_an_earlier_moment_is_copied_anew(
    databases: Databases, pool: PostgresPool, tmp_path: Path
) -> None:
    with opened(pool, tmp_path) as memory:
        for number in range(3):
            memory.save(f"Note {number}", file=f"memory/{number}.md")
    with PostgresPool.open(databases.admin) as admin, admin.administration() as connection:
        connection.execute("DELETE FROM holdfast.note WHERE path = 'memory/2.md'")
        connection.execute("UPDATE holdfast.home SET seq = seq - 1")
    with opened(pool, tmp_path) as memory:
        before = contents(memory)
        assert set(before) == {"memory/0.md", "memory/1.md"}
        pool.close()
        with allow_stale():
            assert contents(memory) == before
