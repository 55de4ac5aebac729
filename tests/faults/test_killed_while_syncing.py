"""T7: a sync is killed at named points and at any moment; the next one ends where a rebuild would (P6)."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from counts import counted
from faults.children import children
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen, vector_scores

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]

_WORDS = ("heron", "bittern", "kestrel", "osprey", "plover", "curlew", "dunlin", "avocet")

# Where the child kills itself, how often that point is passed at the least, and whether it builds the index anew.
_POINTS = (
    ("read", 40, ""),
    ("insert", 30, ""),
    ("before commit", 3, ""),
    ("after commit", 3, ""),
    ("embed", 4, ""),
    ("read", 40, "force"),
    ("before commit", 4, "force"),
    ("after commit", 4, "force"),
    ("publish", 1, "force"),
)


@pytest.mark.row("T7", kills=counted(1, 16), wrong=0)
@pytest.mark.parametrize(("point", "times", "force"), _POINTS[:: counted(2, 1)])
def test_a_sync_that_was_killed_at_a_point_is_made_good_by_the_next(
    home: Path, tmp_path: Path, point: str, times: int, force: str
) -> None:
    chance = random.Random(f"{point} {force}")
    _edited(home, chance, -1)
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        memory.sync()
    for number in range(counted(1, 16)):
        _edited(home, chance, number)
        after = chance.randint(1, times)
        with children("_child_syncs.py", [[home, point, after, force]]) as (child,):
            child.go()
            assert child.killed_itself(), f"{point} was not reached {after} times"
        _check(home, tmp_path / "rebuild")


@pytest.mark.row("T7", kills=counted(2, 60), wrong=0)
def test_a_sync_that_was_killed_at_any_moment_is_made_good_by_the_next(home: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(counted(2, 60)):
        _edited(home, chance, number)
        with children("_child_syncs.py", [[home, "never", 1, ""]]) as (child,):
            child.go()
            if number % 2:
                assert child.line() == "synced"
            assert child.kill_after(chance.uniform(0.001, 0.120))
        _check(home, tmp_path / "rebuild")


def test_a_kill_while_the_vectors_file_is_written_leaves_no_file_behind(home: Path) -> None:
    home.mkdir()
    bullets = "".join(f"- the {_WORDS[number % 8]} of day{number}\n" for number in range(2_100))
    (home / "MEMORY.md").write_text(bullets, encoding="utf-8")
    with children("_child_syncs.py", [[home, "matrix", 1, ""]]) as (child,):
        child.go()
        assert child.killed_itself()
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        assert seen(memory, "day1234") >= {"MEMORY.md"}
        memory.save("- a wryneck")
        assert [path.name for path in home.rglob("*.hf-tmp")] == []
        assert len(vector_scores(memory, FakeEmbedder(), "a heron")) == 2_101


def _edited(home: Path, chance: random.Random, number: int) -> None:
    """Notes for several transactions and several calls to the embedder; all of them changed since the last time."""
    (home / "memory").mkdir(parents=True, exist_ok=True)
    for note in range(36):
        text = f"# Note {note} of round {number}\n\n" + "".join(
            f"The {chance.choice(_WORDS)} number{chance.randrange(1_000)} was seen.\n\n" for _ in range(20)
        )
        (home / "memory" / f"n{note}.md").write_text(text, encoding="utf-8")
    for note in range(8):
        paragraph = f"Round {number}: the {chance.choice(_WORDS)} and the {chance.choice(_WORDS)} met again. " * 20
        pages = "".join(f"## Page {page}\n\n{page} {paragraph}\n\n" for page in range(counted(12, 200)))
        (home / "memory" / f"long{note}.md").write_text(pages, encoding="utf-8")
    for gone in home.glob("memory/only*.md"):
        gone.unlink()
    (home / "memory" / f"only{number}.md").write_text(f"A wryneck in round {number}.\n", encoding="utf-8")


def _check(home: Path, scratch: Path) -> None:
    notes = notes_of(home)
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        assert memory.ctx.database.set_aside is None
        assert memory.ctx.database.check() == []
        wanted = of_a_rebuild(memory, scratch, set(_WORDS))
        # Before anything mends it: a note that looks current has all its chunks.
        edition = memory.ctx.database.serving()
        known = edition.known() if edition else {}
        current = {path for path, data in notes.items() if _hash(data) == (known[path].hash if path in known else "")}
        rows, _ = index_rows(memory, set())
        assert [row for row in rows if row.path in current] == [row for row in wanted[0] if row.path in current]
        assert "memory/only" in "".join(seen(memory, "wryneck")), "the next search finds it"
        done = memory.sync()
        assert (done.pending, done.because) == (0, "")
        assert index_rows(memory, set(_WORDS)) == wanted
        texts, embedded = memory.ctx.database.vectors(embedder.space).coverage()
        assert texts == embedded
        assert len(vector_scores(memory, embedder, "a heron")) == len(wanted[0])
        assert memory.ctx.database.connection.all("SELECT state FROM editions") == [("serving",)]
    assert notes_of(home) == notes


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
