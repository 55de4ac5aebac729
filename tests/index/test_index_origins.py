"""Whose words a chunk is: stored with its note, the same piece by piece as after a rebuild."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.index.store_contract import StoredChunk

NOTE = "memory/launch.md"


def part(name: str) -> str:
    """A part of a note that is long enough to be a chunk of its own."""
    return f"# {name}\n\n" + f"Filling words of {name}, so that it is a chunk. " * 40


def opened(home: Path) -> Memory:
    return Memory.open(
        home, origin=Origin.USER, clock=FakeClock(1_795_000_000.0), settings={"memory.disable_rag": True}
    )


def chunks_of(memory: Memory) -> list[StoredChunk]:
    edition = memory.ctx.database.serving()
    assert edition is not None
    rows = memory.ctx.database.connection.all(f"SELECT id FROM e{edition.number}_chunks")
    return sorted(edition.chunks(row for (row,) in rows).values(), key=lambda one: (one.path, one.start_line))


def origins(memory: Memory, path: str = NOTE) -> list[Origin | None]:
    return [chunk.origin for chunk in chunks_of(memory) if chunk.path == path]


def saved(memory: Memory, origin: Origin, text: str, path: str = NOTE) -> None:
    memory.tools(origin).call("memory_save", {"content": text, "file": path})


def typed(home: Path, text: str, path: str = NOTE) -> None:
    with (home / path).open("a", encoding="utf-8") as note:
        note.write(text)


@pytest.mark.parametrize("origin", [one for one in Origin if one is not Origin.OUTSIDE])
def test_a_chunk_has_the_origin_that_saved_it(home: Path, origin: Origin) -> None:
    with opened(home) as memory:
        saved(memory, origin, "The rocket is blue.")
        assert origins(memory) == [origin]


def test_of_the_writers_of_a_chunk_the_one_that_is_trusted_least_counts_and_a_line_is_still_whose_it_is(
    home: Path,
) -> None:
    with opened(home) as memory:
        memory.save("The rocket is blue.", file=NOTE)
        saved(memory, Origin.MCP_TOOL, "The pad is by the sea.")
        (chunk,) = chunks_of(memory)
        assert chunk.origin is Origin.MCP_TOOL
        assert (chunk.by_line or "").replace(" -*1", "") == "user*1 mcp_tool*1"


def test_what_is_typed_into_the_note_is_from_outside_and_the_rest_stays_whose_it_was(home: Path) -> None:
    with opened(home) as memory:
        saved(memory, Origin.AGENT, part("Rocket"))
        typed(home, f"\n{part('Pad')}\n")
        memory.sync()
        assert origins(memory) == [Origin.AGENT, Origin.OUTSIDE]
        saved(memory, Origin.API, part("Crew"))
        assert origins(memory) == [Origin.AGENT, Origin.OUTSIDE, Origin.API]


def test_an_undo_gives_the_words_back_to_whom_they_were(home: Path) -> None:
    with opened(home) as memory:
        saved(memory, Origin.AGENT, part("Rocket"))
        memory.save(part("Pad"), file=NOTE)
        gone = memory.delete(NOTE, delete_file=True).checkpoint_id
        assert origins(memory) == []
        memory.restore(gone)
        assert origins(memory) == [Origin.AGENT, Origin.USER]
        saved(memory, Origin.API, part("Crew"))
        memory.undo()
        assert origins(memory) == [Origin.AGENT, Origin.USER]


def test_the_place_says_whose_words_imports_and_extra_notes_are(home: Path, tmp_path: Path) -> None:
    (home / "memory/imports").mkdir(parents=True)
    typed(home, "The rocket is blue.\n", "memory/imports/a.md")
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra/b.md").write_text("The pad is by the sea.\n", encoding="utf-8")
    settings = {"memory.disable_rag": True, "memory.extra_paths": [str(tmp_path / "extra")]}
    with Memory.open(home, settings=settings) as memory:
        memory.sync()
        assert {chunk.path.rpartition("/")[2]: chunk.origin for chunk in chunks_of(memory)} == {
            "a.md": Origin.IMPORT,
            "b.md": Origin.OUTSIDE,
        }


def test_a_fact_is_whose_its_mark_says_also_when_only_the_mark_changes(home: Path) -> None:
    path = "memory/preferences.md"
    (home / "memory").mkdir(parents=True)
    with opened(home) as memory:
        typed(home, "- I like tea <!-- fact id=a origin=user -->\n", path)
        memory.sync()
        assert origins(memory, path) == [Origin.USER]
        (home / path).write_text("- I like tea <!-- fact id=a origin=import -->\n", encoding="utf-8")
        memory.sync()
        assert origins(memory, path) == [Origin.IMPORT]


@pytest.mark.parametrize("seed", range(8))
def test_origins_are_the_same_piece_by_piece_as_after_a_rebuild(home: Path, seed: int) -> None:
    chance = random.Random(seed)
    said = [f"Line {number} says something. " + ("Long. " * chance.choice((1, 60))) for number in range(14)]
    paths = (NOTE, "MEMORY.md", "memory/2026-03-05.md")
    with opened(home) as memory:
        for _ in range(40):
            path, text = chance.choice(paths), chance.choice(said)
            note = home / path
            match chance.randrange(7):
                case 0 | 1:
                    saved(memory, chance.choice([one for one in Origin if one is not Origin.OUTSIDE]), text, path)
                case 2:
                    memory.save(f"- {text}", file=path)
                case 3 if note.exists():
                    typed(home, f"\n{text}\n", path)
                case 4 if note.exists():
                    lines = note.read_text(encoding="utf-8").split("\n")
                    lines.pop(chance.randrange(len(lines)))
                    note.write_text("\n".join(lines), encoding="utf-8")
                case 5:
                    try:
                        memory.undo()
                    except HoldfastError:
                        continue
                case _:
                    memory.sync()
        memory.sync()
        piece_by_piece = [chunk._replace(row=0, mtime_ns=0) for chunk in chunks_of(memory)]
        memory.sync(force=True)
        assert [chunk._replace(row=0, mtime_ns=0) for chunk in chunks_of(memory)] == piece_by_piece


def test_an_index_of_an_older_version_answers_and_takes_changes_until_it_is_built_anew(home: Path) -> None:
    with opened(home) as memory:
        saved(memory, Origin.AGENT, "The rocket is blue.")
        database = memory.ctx.database
        edition = database.serving()
        assert edition is not None
        number = edition.number
        with database.connection.writing() as raw:
            raw.execute(f"DROP INDEX e{number}_by_origin")
            for column in ("origin", "by_line"):
                raw.execute(f"ALTER TABLE e{number}_chunks DROP COLUMN {column}")
            raw.execute(f"ALTER TABLE e{number}_notes DROP COLUMN told")
            raw.execute("UPDATE editions SET identity = '[400, 80, 0, \"holdfast\", 1]'")
    with opened(home) as memory:
        assert origins(memory) == [None]
        saved(memory, Origin.API, "The pad is by the sea.")  # into the one that serves
        assert origins(memory) == [None]
        assert memory.search("rocket").results[0].origin is Origin.API, "of the two the weaker"
        assert origins(memory) == [Origin.API]


def test_after_a_purge_nobody_knows_whose_the_words_were_and_what_comes_later_is_known(home: Path) -> None:
    with opened(home) as memory:
        saved(memory, Origin.AGENT, part("Rocket"))
        memory.purge(NOTE)
        assert origins(memory) == [None]
        memory.save(part("Pad"), file=NOTE)
        assert origins(memory) == [None, Origin.USER]


def test_a_journal_that_cannot_be_read_makes_nobody_the_author(home: Path) -> None:
    with opened(home) as memory:
        saved(memory, Origin.AGENT, "The rocket is blue.")
        journal = home / "state/checkpoints/main/journal.jsonl"
        journal.rename(journal.with_suffix(".aside"))
        journal.mkdir()
        memory.sync(force=True)
        assert origins(memory) == [None]
