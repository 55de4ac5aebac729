"""`holdfast sync`: a tenant's notes and a directory, byte for byte, and nothing overwritten unseen."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import fork_server
import pytest
from at_once import at_once
from commandline import SCRIPT, Ran, holdfast
from counts import counted
from engines.postgres_server import LOGIN, TEMPLATE, Databases, fresh_databases, own_server, programs
from engines.team_serving import populated
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import SystemClock
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.postgres.directory_sync import DirectorySync
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.postgres_workspace import PostgresWorkspace


class Sides:
    """A directory, and the same tenant's memory."""

    def __init__(self, databases: Databases, place: Path, memory: Memory) -> None:
        self.databases, self.place, self.memory = databases, place, memory

    def sync(self, *options: str) -> Ran:
        argv = ("sync", str(self.place), "--tenant", "acme", "--database", self.databases.dsn, "--once", "--json")
        return holdfast(*argv, *options)

    def told(self) -> str:
        """What a person is told by the same."""
        argv = ("sync", str(self.place), "--tenant", "acme", "--database", self.databases.dsn, "--once")
        return holdfast(*argv).err

    def write(self, path: str, data: bytes) -> None:
        (self.place / path).parent.mkdir(parents=True, exist_ok=True)
        (self.place / path).write_bytes(data)

    def here(self) -> dict[str, bytes]:
        found = (*self.place.glob("*.md"), *(self.place / "memory").rglob("*.md"))
        return {path.relative_to(self.place).as_posix(): path.read_bytes() for path in found}

    def there(self) -> dict[str, bytes]:
        workspace = self.memory.ctx.workspace
        return {note.path: workspace.read(note.path).data for note in workspace.walk().found}


@pytest.fixture
def sides(databases: Databases, tmp_path: Path) -> Iterator[Sides]:
    populated(databases, "acme")
    with (
        PostgresPool.open(databases.dsn) as pool,
        Memory.open_team(pool, "acme", cache=tmp_path / "cache", origin=Origin.USER) as memory,
    ):
        yield Sides(databases, tmp_path / "notes", memory)


def test_what_changes_on_one_side_is_taken_over_by_the_other(sides: Sides) -> None:
    sides.memory.save("The tide turns at four", file="memory/tide.md")
    sides.write("memory/odd.md", b"Carriage\r\nreturns, no end, \xff no UTF-8")
    sides.write("MEMORY.md", b"# Prompt\n")
    done = sides.sync()
    assert (done.status, done.json["written"]) == (0, ["memory/tide.md"])
    assert done.json["saved"] == ["MEMORY.md", "memory/odd.md"]
    assert sides.here() == sides.there()
    [last, *_] = sides.memory.history(limit=1)
    assert (last.origin, last.tool) == ("outside", "sync")

    sides.memory.save("and at five in winter", file="memory/tide.md")
    sides.write("memory/odd.md", b"Mended\n")
    assert sides.sync().json["written"] == ["memory/tide.md"]
    assert sides.here() == sides.there()
    assert sides.memory.search("winter").results[0].path == "memory/tide.md"

    (sides.place / "MEMORY.md").unlink()
    sides.memory.notes.delete("memory/tide.md")
    done = sides.sync()
    assert (done.json["removed"], done.json["removed_there"]) == (["memory/tide.md"], ["MEMORY.md"])
    assert sides.here() == sides.there() == {"memory/odd.md": b"Mended\n"}
    assert all(not paths for paths in sides.sync().json.values())


def test_a_note_that_changed_on_both_sides_waits_for_its_owner(sides: Sides) -> None:
    sides.write("memory/plan.md", b"one\n")
    sides.sync()
    sides.write("memory/plan.md", b"mine\n")
    sides.memory.notes.write("memory/plan.md", "theirs\n")
    for _ in range(2):
        done = sides.sync()
        assert (done.status, done.json["conflicts"]) == (1, ["memory/plan.md"])
        assert (sides.here(), sides.there()) == ({"memory/plan.md": b"mine\n"}, {"memory/plan.md": b"theirs\n"})
    digest = hashlib.sha256(b"theirs\n").hexdigest()[:8]
    aside = f"state/theirs/{digest}-memory-plan-md.md"
    assert (sides.place / aside).read_bytes() == b"theirs\n"
    assert aside in sides.told()
    assert sides.sync("--keep", "mine").json["saved"] == ["memory/plan.md"]
    assert sides.there() == {"memory/plan.md": b"mine\n"}

    sides.write("memory/plan.md", b"mine again\n")
    sides.memory.notes.delete("memory/plan.md")
    assert sides.sync().json["conflicts"] == ["memory/plan.md"]
    assert "memory/plan.md was changed on one side and deleted on the other" in sides.told()
    assert sides.sync("--keep", "theirs").json["removed"] == ["memory/plan.md"]
    assert sides.here() == sides.there() == {}


def test_a_file_that_can_be_no_note_is_told_of_and_the_others_are_synced(sides: Sides) -> None:
    sides.write("memory/grows.md", b"short\n")
    sides.write("memory/stays.md", b"one\n")
    assert sides.sync().status == 0
    sides.write("memory/grows.md", b"x" * (MAX_NOTE_BYTES + 1))
    sides.write("memory/stays.md", b"two\n")
    (sides.place / "memory/link.md").symlink_to("/etc/passwd")
    with open(os.fsencode(sides.place / "memory") + b"/caf\xe9.md", "wb") as file:
        file.write(b"A name that is no UTF-8\n")
    for saved in (["memory/stays.md"], []):
        done = sides.sync()
        assert (done.status, done.json["saved"], done.json["removed_there"]) == (1, saved, [])
        assert {path for path, _ in done.json["refused"]} == {
            *("memory/caf\\xe9.md", "memory/grows.md", "memory/link.md"),
        }
        assert "its name is not UTF-8" in str(done.json["refused"])
    assert sides.there() == {"memory/grows.md": b"short\n", "memory/stays.md": b"two\n"}


def test_a_directory_that_was_emptied_does_not_empty_the_database(sides: Sides) -> None:
    for number in range(12):
        sides.write(f"memory/{number}.md", b"note\n")
    sides.sync()
    for file in (sides.place / "memory").iterdir():
        file.unlink()
    refused = sides.sync()
    assert refused.status == 16
    assert "12 of 12 notes are gone from the directory" in refused.err
    assert len(sides.there()) == 12
    assert len(sides.sync("--yes").json["removed_there"]) == 12


def test_more_than_half_of_a_few_notes_do_not_go_unasked_either(sides: Sides) -> None:
    for path in ("MEMORY.md", "memory/a.md", "memory/b.md"):
        sides.write(path, b"note\n")
    sides.sync()
    (sides.place / "memory").rename(sides.place.parent / "elsewhere")
    refused = sides.sync()
    assert (refused.status, len(sides.there())) == (16, 3)
    assert "2 of 3 notes are gone from the directory" in refused.err
    (sides.place.parent / "elsewhere").rename(sides.place / "memory")
    sides.memory.notes.delete("memory/a.md")  # one note goes as it always did
    assert sides.sync().json["removed"] == ["memory/a.md"]


def test_a_directory_belongs_to_one_tenant(sides: Sides, databases: Databases) -> None:
    populated(databases, "other")
    sides.write("memory/plan.md", b"one\n")
    sides.sync()
    other = holdfast("sync", str(sides.place), "--tenant", "other", "--database", databases.dsn, "--once")
    assert other.status == 2
    assert "'acme'" in other.err
    assert holdfast("sync", str(sides.place), "--tenant", "nobody", "--database", databases.dsn, "--once").status == 3


NAMES = st.sampled_from(["memory/a.md", "memory/b.md", "memory/sub/c.md", "MEMORY.md"])
STEP = st.tuples(st.sampled_from(["here", "there"]), NAMES, st.one_of(st.none(), st.sampled_from("xyz")))
STEPS = st.lists(STEP, min_size=3, max_size=8)


@settings(max_examples=counted(4, 60))
@given(steps=STEPS)
def test_after_any_changes_one_choice_makes_both_sides_the_same(
    postgres_port: str, steps: list[tuple[str, str, str | None]]
) -> None:
    with fresh_databases(postgres_port) as databases, tempfile.TemporaryDirectory() as folder:
        populated(databases, "acme")
        place = Path(folder)
        with (
            PostgresPool.open(databases.dsn) as pool,
            Memory.open_team(pool, "acme", cache=place / "c", origin=Origin.USER) as memory,
        ):
            sides = Sides(databases, place / "notes", memory)
            for side, path, text in steps:
                if side == "here" and text is not None:
                    sides.write(path, text.encode())
                elif side == "here":
                    (sides.place / path).unlink(missing_ok=True)
                elif text is not None:
                    memory.notes.write(path, text)
                elif memory.notes.hash_of(path):
                    memory.notes.delete(path)
                before = sides.here(), sides.there()
                for path in sides.sync("--yes").json["conflicts"]:  # neither side was touched
                    assert (sides.here().get(path), sides.there().get(path)) == (
                        before[0].get(path),
                        before[1].get(path),
                    )
            assert not sides.sync("--yes", "--keep", "theirs").json["conflicts"]
            assert sides.here() == sides.there()


def test_both_sides_are_watched_until_ctrl_c(sides: Sides) -> None:
    argv = ("sync", str(sides.place), "--tenant", "acme", "--database", sides.databases.dsn, "--json")
    process = fork_server.start(SCRIPT, *argv, env=dict(os.environ))
    assert process.stdout is not None
    process.stdout.readline()  # what the first pass did
    sides.memory.notes.write("memory/there.md", "From the database\n")
    assert json.loads(process.stdout.readline())["written"] == ["memory/there.md"]
    assert sides.here() == {"memory/there.md": b"From the database\n"}
    sides.write("memory/here.md", b"From the editor\n")
    assert json.loads(process.stdout.readline())["saved"] == ["memory/here.md"]
    assert sides.there()["memory/here.md"] == b"From the editor\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    process.stdout.close()
    assert process.wait() == 0


def test_who_watches_tells_of_a_note_that_changed_on_both_sides(sides: Sides) -> None:
    sides.write("memory/plan.md", b"one\n")
    argv = ("sync", str(sides.place), "--tenant", "acme", "--database", sides.databases.dsn, "--json")
    process = fork_server.start(SCRIPT, *argv, env=dict(os.environ))
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["saved"] == ["memory/plan.md"]
    process.send_signal(signal.SIGSTOP)  # so that both sides change between two looks
    sides.write("memory/plan.md", b"mine\n")
    sides.memory.notes.write("memory/plan.md", "theirs\n")
    process.send_signal(signal.SIGCONT)
    assert json.loads(process.stdout.readline())["conflicts"] == ["memory/plan.md"]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)


def test_a_file_made_while_the_database_was_away_goes_over_once_it_answers(tmp_path: Path) -> None:
    if programs() is None:
        pytest.skip("There is no PostgreSQL here")
    with own_server() as server:
        databases = Databases(server.address(TEMPLATE, LOGIN), server.address(TEMPLATE), TEMPLATE)
        populated(databases, "acme")
        argv = ("sync", str(tmp_path / "notes"), "--tenant", "acme", "--database", databases.dsn, "--json")
        process = fork_server.start(SCRIPT, *argv, env=dict(os.environ))
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()  # what the first pass did
        server.stop()  # orderly: without fsync, a power cut would take the tenant along
        (tmp_path / "notes/memory").mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes/memory/late.md").write_bytes(b"Written in the dark\n")
        assert b"does not answer" in process.stderr.readline()
        server.start()
        line = process.stdout.readline()
        assert json.loads(line)["saved"] == ["memory/late.md"], line
        assert b"answers again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.wait() == 0


def test_two_agents_that_are_synced_at_once_are_both_known_afterwards(sides: Sides, tmp_path: Path) -> None:
    names = ("main", "work")
    with ExitStack() as held:
        pool = held.enter_context(PostgresPool.open(sides.databases.dsn))
        syncs = [
            DirectorySync(
                held.enter_context(closing(PostgresWorkspace.open(pool, "acme", name, cache=str(tmp_path / name)))),
                held.enter_context(FileWorkspace.open(sides.place, name)),
                SystemClock(),
            )
            for name in names
        ]
        manifest = sides.place / "state" / "sync.json"

        def store_often(name: str, sync: DirectorySync) -> None:
            for number in range(60):
                sync._store({"memory/a.md": f"{name} {number}"})
                known = json.loads(manifest.read_bytes())["notes"][name]
                assert known == {"memory/a.md": f"{name} {number}"}, "nobody else writes this"

        at_once(*(partial(store_often, name, sync) for name, sync in zip(names, syncs, strict=True)))
        assert json.loads(manifest.read_bytes())["notes"].keys() == set(names)
