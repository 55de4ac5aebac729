"""Many facts: full notes are closed, the index names what a new one has to do with, and adding one costs the same."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.fact_notes import FULL
from holdfast.facts.facts_book import facts_now
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, write
from holdfast.markdown.fact_row import Category, category_of, fact_notes, note_after, note_of
from holdfast.operations.facts_store import capture_fact

OLD_HOME = Path(__file__).parent.parent / "data" / "home_of_facts"
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
THINGS = "anvil bellows chisel drill easel file gouge hammer iron jigsaw kiln lathe mallet nail oven plane".split()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def memory(home: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory.open(home, origin=Origin.USER, clock=clock) as opened:
        yield opened


def line(number: int, text: str) -> str:
    return write(f"- {text}", Mark(f"k{number:05d}", None, Origin.USER, date(2026, 3, 1))) + "\n"


def sentence(number: int) -> str:
    return f"The {THINGS[number % 16]} of bench {number} was made in town {number * 7919 % 100_003}"


def fill(home: Path, many: int, path: str = "memory/facts.md", first: int = 0) -> None:
    """A note of so many facts, as Holdfast writes it."""
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / path).write_text("".join(line(number, sentence(number)) for number in range(first, first + many)))


def rows(memory: Memory) -> list[tuple[object, ...]]:
    """What the index has of each chunk, whatever its row."""
    connection = memory.ctx.database.connection
    edition = memory.ctx.database.serving()
    assert edition is not None
    of = f"e{edition.number}"
    return connection.all(
        f"SELECT n.path, n.hash, n.told, c.chunk_id, c.text_hash, c.start_line, c.end_line, c.headings, c.text, "
        f"c.origin, f.category, f.id, f.observed, f.superseded FROM {of}_chunks c JOIN {of}_notes n ON n.id = c.note "
        f"LEFT JOIN {of}_facts f ON f.chunk = c.id ORDER BY n.path, c.start_line, c.chunk_id"
    )


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """How many Python functions are called inside the block."""
    count = [0]

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        count[0] += event == "call"

    sys.setprofile(note)
    try:
        yield count
    finally:
        sys.setprofile(None)


def test_a_full_note_is_closed_and_the_next_one_has_the_month_in_its_name(memory: Memory, home: Path) -> None:
    fill(home, FULL - 1)
    before = memory.facts.store("The last one fits", category="fact")
    after = memory.facts.store("This one begins another note", category="fact")
    assert (before.path, after.path) == ("memory/facts.md", "memory/facts-2026-11.md")
    assert memory.facts.store("And a decision has its own note", category="decision").path == "memory/decisions.md"
    assert memory.facts.list(category="fact", limit=1).total == FULL + 1
    (hit,) = memory.facts.recall("what begins another note?", limit=1).results
    assert hit.fact.path == "memory/facts-2026-11.md"


def test_a_month_with_many_facts_has_several_notes_and_the_next_month_its_own(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    fill(home, FULL)
    fill(home, FULL, "memory/facts-2026-11.md", FULL)
    assert memory.facts.store("Said in November", category="fact").path == "memory/facts-2026-11-2.md"
    fill(home, FULL, "memory/facts-2026-11-2.md", 2 * FULL)
    clock.advance(20 * 86_400)
    assert memory.facts.store("Said in December", category="fact").path == "memory/facts-2026-12.md"
    clock.advance(-90 * 86_400)
    assert memory.facts.store("Said with a clock set back", category="fact").path == "memory/facts-2026-12.md"


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("memory/facts.md", Category.FACT),
        ("memory/facts-2026-11.md", Category.FACT),
        ("memory/archive-2026-01-12.md", Category.ARCHIVE),
        ("memory/facts-2026-13.md", None),
        ("memory/facts-2026-11-1.md", None),
        ("memory/facts-2026.md", None),
        ("memory/facts-of-life.md", None),
        ("memory/deep/facts.md", None),
        ("memory/2026-11.md", None),
    ],
)
def test_only_names_that_holdfast_gives_are_those_of_notes_of_facts(path: str, category: Category | None) -> None:
    assert category_of(path) is category


def test_notes_of_facts_come_in_the_order_in_which_they_were_begun() -> None:
    day, later = date(2026, 11, 15), date(2026, 12, 1)
    named = [note_of(Category.FACT)]
    for when in (*[day] * 11, later, later):
        named.append(note_after(named[-1], when))
    assert fact_notes(reversed([*named, "memory/x.md", "memory/archive.md"])) == [*named, "memory/archive.md"]


def test_a_fact_in_a_closed_note_is_strengthened_superseded_and_taken_back(memory: Memory, home: Path) -> None:
    fill(home, FULL)
    told = home / "memory/facts.md"
    told.write_text(told.read_text() + line(90_000, "I live in Berlin"))
    again = memory.facts.store(sentence(3))
    assert (again.outcome, again.id, again.path) == ("reinforced", "k00003", "memory/facts.md")
    moved = memory.facts.store("I live in Munich", category="fact")
    assert (moved.replaced, moved.path) == (("k90000",), "memory/facts-2026-11.md")
    assert [hit.fact.text for hit in memory.facts.recall("where do I live?").results][:1] == ["I live in Munich"]
    memory.undo()
    assert not (home / "memory/facts-2026-11.md").exists()
    assert "- I live in Berlin <!--" in told.read_text()
    memory.facts.forget(text="I live in Berlin")
    assert "Berlin" not in told.read_text()


def test_facts_are_archived_into_closed_notes_and_come_back(memory: Memory, home: Path) -> None:
    fill(home, FULL, "memory/archive.md")
    made = memory.facts.store("The punch is blunt", category="fact")
    gone = memory.facts.archive(made.id)
    assert (gone.fact.path, gone.fact.archived) == ("memory/archive-2026-11.md", True)
    assert memory.search("punch blunt").results == ()
    assert memory.facts.restore(made.id).fact.path == "memory/facts.md"
    assert not (home / "memory/archive-2026-11.md").exists()


def test_a_note_that_was_edited_by_hand_decides_and_not_what_the_index_knew(memory: Memory, home: Path) -> None:
    fill(home, FULL)
    memory.facts.store("Something else", category="fact")
    told = home / "memory/facts.md"
    told.write_text("# Tools\n\n" + told.read_text().replace(sentence(5), "The awl lies in the left drawer"))
    again = memory.facts.store("The awl lies in the left drawer")
    assert (again.outcome, again.id) == ("reinforced", "k00005")
    assert memory.facts.store(sentence(5)).outcome == "stored"
    told.unlink()
    assert memory.facts.store(sentence(7)).outcome == "stored"


def test_a_note_with_headings_and_code_is_added_to_as_a_person_would(memory: Memory, home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/facts.md").write_text("# Mine\n\n## Tools\n\n" + line(1, sentence(1)) + "\n```\ncode\n")
    memory.facts.store("The adze is new", category="fact")
    memory.facts.store("The rasp is old", category="fact")
    before = rows(memory)
    memory.sync(force=True)
    assert rows(memory) == before


def test_the_index_has_the_same_rows_whether_facts_were_added_or_read_anew(memory: Memory, home: Path) -> None:
    for number in range(12):
        memory.facts.store(sentence(number), category="fact")
    memory.facts.store("I live in Berlin", category="fact")
    memory.facts.store("I live in Munich", category="fact")
    memory.facts.store(sentence(3), category="fact")
    told = home / "memory/facts.md"
    told.write_text(told.read_text() + line(1, sentence(2)) + line(2, sentence(2)) + "- typed by hand\n")
    memory.sync()
    memory.facts.store("Below what was typed", category="fact")
    before = rows(memory)
    memory.sync(force=True)
    assert rows(memory) == before
    assert len(before) == 18


@given(st.lists(st.sampled_from(["add", "twice", "hand", "heading", "forget", "fence"]), max_size=8))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_edits_the_index_is_what_it_would_be_made_anew(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    home = tmp_path_factory.mktemp("home")
    told = home / "memory/facts.md"
    by_hand = {"hand": "- typed by hand\n", "heading": "# More\n", "fence": "```\ncode\n```\n"}
    with Memory.open(home, origin=Origin.USER, clock=FakeClock(NOW)) as memory:
        for number, step in enumerate(steps):
            if step in by_hand and told.exists():
                told.write_text(told.read_text() + by_hand[step])
            elif step == "forget" and (known := memory.facts.list(limit=1).facts):
                memory.facts.forget(known[0].id) if known[0].id else None
            else:
                memory.facts.store(sentence(number if step == "add" else 0), category="fact")
        memory.sync()
        before = rows(memory) if steps else []
        memory.sync(force=True)
        assert (rows(memory) if steps else []) == before


def test_a_long_fact_that_the_index_has_in_pieces_is_known_when_it_is_said_again(home: Path, clock: FakeClock) -> None:
    words = " ".join(f"The harbour of town {number} is deep." for number in range(40))
    typed = " ".join(f"The bridge of town {number} is high." for number in range(40))
    (home / "memory").mkdir(parents=True)
    (home / "memory/other.md").write_text(f"- {typed}\n")
    sizes = {"memory.chunking.tokens": 40, "memory.chunking.overlap": 8}
    with Memory.open(home, clock=clock, settings=sizes) as memory:
        made = memory.facts.store(words)
        again = memory.facts.store(words)
        assert (again.outcome, again.id) == ("reinforced", made.id)
        assert memory.facts.store(typed).outcome == "reinforced"


def test_without_an_index_the_notes_decide(home: Path, clock: FakeClock) -> None:
    fill(home, FULL)
    with Memory.open(home, clock=clock, settings={"memory.disable_rag": True}) as memory:
        assert memory.facts.store(sentence(150)).id == "k00150"


def test_adding_a_fact_takes_as_many_steps_among_thousands_as_among_few(home: Path, clock: FakeClock) -> None:
    steps: list[int] = []
    for many in (20, 1_500):
        place = home / str(many)
        place.mkdir(parents=True)
        for first in range(0, many, FULL):
            path = "memory/facts.md" if first == 0 else f"memory/facts-2026-10-{first // FULL + 1}.md"
            fill(place, min(FULL, many - first), path, first)
        with Memory.open(place, origin=Origin.USER, clock=clock) as memory:
            memory.sync()
            for number in range(3):
                memory.facts.store(sentence(many + number), category="fact")
            with counted_calls() as count:
                for number in range(3, 6):
                    memory.facts.store(sentence(many + number), category="fact")
            steps.append(count[0])
    assert steps[1] < 2 * steps[0]


def test_what_a_fact_takes_on_the_disk_does_not_grow_with_those_before_it(home: Path, clock: FakeClock) -> None:
    def checkpointed() -> int:
        return sum(file.stat().st_size for file in (home / "state/checkpoints").rglob("*") if file.is_file())

    taken: list[int] = []
    with Memory.open(home, origin=Origin.USER, clock=clock, settings={"memory.disable_rag": True}) as memory:
        for number in range(96):
            memory.facts.store(sentence(number), category="fact")
            taken.append(checkpointed())
    assert taken[95] - taken[63] < 3 * (taken[63] - taken[31])
    assert taken[95] - taken[63] < 32 * 2_000


def test_facts_in_closed_notes_are_kept_from_a_group(memory: Memory, home: Path) -> None:
    fill(home, FULL)
    memory.facts.store("The secret chisel is in the shed", category="fact")
    group = memory.session("team", kind="group")
    tools = memory.tools(session=group)
    assert tools.call("memory_get", {"path": "memory/facts-2026-11.md"})["error"]["type"] == "NotPermitted"
    assert tools.call("memory_search", {"query": "where is the secret chisel?"})["results"] == []


def test_closed_notes_go_out_with_an_export_and_come_in_with_an_import(
    memory: Memory, home: Path, tmp_path: Path, clock: FakeClock
) -> None:
    fill(home, FULL)
    memory.facts.store("The last of them", category="fact")
    memory.export(tmp_path / "all.jsonl")
    with Memory.open(tmp_path / "other", origin=Origin.USER, clock=clock) as other:
        other.import_from(tmp_path / "all.jsonl")
        assert {fact.text for fact in facts_now(other.ctx)} == {fact.text for fact in facts_now(memory.ctx)}
        assert sorted(path.name for path in (tmp_path / "other/memory").glob("facts*")) == [
            "facts-2026-11.md",
            "facts.md",
        ]


def test_what_a_note_says_is_not_captured_however_many_facts_are_like_it(memory: Memory, home: Path) -> None:
    said = "The blue chisel of bench 7 was made in town 55"
    fill(home, FULL)
    for number in range(8):
        memory.facts.store(f"The blue chisel of bench 7 was made in town 55 by smith {number}", category="fact")
    memory.save(f"{said}.", file="memory/tools.md")
    captured = memory.ctx.for_origin(Origin.AUTO_CAPTURE)
    assert capture_fact(captured, Draft(said, Category.FACT), tool="capture") is None
    assert capture_fact(captured, Draft(f"{said} twice", Category.FACT), tool="capture") is not None


def test_what_one_origin_stored_is_taken_back_from_closed_notes(memory: Memory, home: Path) -> None:
    fill(home, FULL)
    Memory(memory.ctx.for_origin(Origin.MCP_TOOL)).facts.store("A tool says so", category="fact")
    assert (home / "memory/facts-2026-11.md").exists()
    memory.undo_origin("mcp_tool")
    assert not (home / "memory/facts-2026-11.md").exists()


def test_a_home_of_an_older_version_is_read_shown_superseded_and_taken_back(home: Path, clock: FakeClock) -> None:
    shutil.copytree(OLD_HOME, home, dirs_exist_ok=True)
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        by_text: dict[str, Fact] = {fact.text: fact for fact in facts_now(memory.ctx)}
        assert len(by_text) == 8
        assert by_text["I live in Berlin"].superseded_by == by_text["I live in Munich"].id
        assert by_text["I prefer green tea"].reinforced == 1
        assert by_text["The old router stands in the attic"].archived
        assert [hit.fact.text for hit in memory.facts.recall("where do I live?").results][:1] == ["I live in Munich"]
        moved = memory.facts.store("I live in Hamburg", category="fact")
        assert (moved.replaced, moved.path) == ((by_text["I live in Munich"].id,), "memory/facts.md")
        assert memory.facts.store("My sister is called Anna").outcome == "reinforced"
        for _ in range(len(memory.history(limit=100)) - 2):
            memory.undo()
        assert memory.facts.store("The old router stands in the attic").outcome == "stored"
    assert (home / "memory/preferences.md").read_text().startswith("- I prefer green tea <!-- fact id=")
