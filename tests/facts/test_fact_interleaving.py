"""People and tools change the same notes in any order: every line that a person wrote is still there."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.checkpoints.note_change import change_note
from holdfast.clock import FakeClock
from holdfast.dreaming.memory_lines import Addition, with_changes
from holdfast.errors import HoldfastError
from holdfast.facts.fact import Fact
from holdfast.facts.facts_book import facts_now, today
from holdfast.facts.ledger import add_bullet, entries, plain
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.markdown.fact_mark import Mark, read
from holdfast.markdown.fact_row import Category, bullet_words, note_of
from holdfast.transcripts.session_key import session_mark

pytestmark = pytest.mark.promise("P2")

NOON = 1_780_000_000.0
PATHS = ("MEMORY.md", *(note_of(category) for category in Category))
TYPED = (
    "# A heading",
    "Some words of mine.",
    "- a bullet of mine",
    "- I live in Rome",
    "- I like fish",
    "- My favourite editor is Vim",
    "  nested under it",
    "  - and a bullet there",
    "- ~~struck by hand~~",
    "1. first",
    "> quoted",
    "| a | b |",
    "---",
    "```",
    "<!-- a comment of mine -->",
)
SAID = (
    "I live in Rome",
    "I moved to Oslo",
    "I live in Oslo",
    "The user lives in Bern",
    "I like fish",
    "I don't like fish",
    "My favourite editor is Helix",
    "I prefer Helix as my editor",
    "I collect maps",
    "We settled on Vitest for testing",
)
PLACE = st.integers(0, 40)
# Few notes, so that people and tools meet in them.
MET = st.sampled_from(["MEMORY.md", "memory/facts.md", "memory/preferences.md", "memory/archive.md"])
KINDS = st.sampled_from([Category.FACT, Category.PREFERENCE])
HAND = st.one_of(
    st.tuples(st.just("type"), MET, st.sampled_from(TYPED), PLACE),
    st.tuples(st.just("take out"), MET, st.just(""), PLACE),
    st.tuples(st.just("retype"), MET, st.sampled_from(TYPED), PLACE),
)
TOOL = st.one_of(
    st.tuples(st.just("store"), KINDS, st.sampled_from(SAID), PLACE),
    st.tuples(st.just("store"), KINDS, st.sampled_from(SAID), PLACE),
    st.tuples(st.just("save"), KINDS, st.sampled_from(SAID), PLACE),
    st.tuples(st.sampled_from(["forget", "archive", "restore", "promote", "undo"]), st.just(""), st.just(""), PLACE),
)


class MemoryPool:
    """A home, and which lines in it a person typed: words for those that tools may mark, lines for the others."""

    def __init__(self, home: Path, memory: Memory) -> None:
        self.home, self.memory = home, memory
        self.typed: Counter[str] = Counter()

    def do(self, what: str, where: str, text: str, place: int) -> None:
        """One step of either."""
        if what in ("type", "retype", "take out"):
            self._by_hand(what, self.home / where, text, place)
            return
        with suppress(HoldfastError):  # an open fence, nothing to undo, an edit since: then nothing happens
            self._by_tool(what, where, text, place)

    def _by_hand(self, what: str, file: Path, text: str, place: int) -> None:
        lines = file.read_text(encoding="utf-8").split("\n") if file.exists() else [""]
        own = [at for at, line in enumerate(lines) if self.typed[words(line)] > 0]
        if what != "type" and not own:
            return
        if what == "type":
            lines.insert(place % len(lines), text)
        else:
            at = own[place % len(own)]
            self.typed[words(lines[at])] -= 1
            lines[at : at + 1] = [] if what == "take out" else [text]
        if what != "take out":
            self.typed[words(text)] += 1
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines), encoding="utf-8")

    def _by_tool(self, what: str, where: str, text: str, place: int) -> None:
        ctx = self.memory.ctx
        if what == "store":
            self.memory.facts.store(text, category=where)
            return
        if what == "save":
            self.memory.save(f"- {text}", file=note_of(Category(where)))
            return
        if what == "undo":
            self.memory.undo()
            return
        # What is nested below a bullet goes with it, so who forgets that one means those lines too.
        facts = [one for one in facts_now(ctx) if one.id and "\n" not in one.text and self._is_a_tools(one)]
        if not facts:
            return
        fact = facts[place % len(facts)]
        if what == "promote":
            one = Addition(fact.text, fact.id, fact.origin, f"{fact.path}#{fact.line}", "run1", fact.observed)
            change_note(
                ctx.workspace,
                writable_path("MEMORY.md"),
                lambda data: with_changes(data, today(ctx), added=[one]),
                ctx.authorship("dream"),
            )
            return
        getattr(self.memory.facts, what)(fact.id)

    def _is_a_tools(self, fact: Fact) -> bool:
        return not self.typed[words(f"- {fact.text}")]

    def lost(self) -> Counter[str]:
        """What a person typed and nobody finds any more."""
        files = [file for file in (self.home / path for path in PATHS) if file.exists()]
        found = Counter(words(line) for file in files for line in file.read_text(encoding="utf-8").split("\n"))
        return self.typed - found


def words(line: str) -> str:
    """What a line says, without what tools may add: a mark and a strike."""
    bare = read(line).words
    return f"- {bullet_words(bare).strip()}" if bare.startswith("- ") else bare.rstrip()


@settings(max_examples=counted(5, 1_500), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(HAND, TOOL), min_size=8, max_size=24))
def test_whatever_people_and_tools_do_no_line_of_a_person_is_lost(steps: list[tuple[str, str, str, int]]) -> None:
    clock = FakeClock(NOON)
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch, "home")
        with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
            memories = MemoryPool(home, memory)
            for step in steps:
                memories.do(*step)
                clock.advance(3600)
                assert not memories.lost(), step


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=60).map(plain).filter(bool)
MARKS = st.builds(
    Mark,
    st.from_regex(r"[b-z][2-9b-z]{5}", fullmatch=True),
    st.none() | st.integers(0, 100).map(lambda hundredths: hundredths / 100),
    st.none() | st.sampled_from(Origin),
    st.none() | st.dates(),
    st.none() | st.dates(),
    st.none() | st.dates(),
    st.just("") | st.just(session_mark("main", "whatsapp:1")),
    st.lists(st.just("b22222") | st.just("c33333"), max_size=2, unique=True).map(tuple),
)


@given(st.lists(st.tuples(TEXTS, MARKS), max_size=8), st.sampled_from(PATHS[1:]))
def test_what_is_written_is_read_back_and_written_again_it_is_the_same_note(
    told: list[tuple[str, Mark]], path: str
) -> None:
    data = b""
    kept: list[tuple[str, Mark]] = []
    for text, mark in told:
        with suppress(HoldfastError):
            data = add_bullet(data, path, text, mark)
            kept.append((text, mark))
    found = [(one.fact.text, one.mark) for one in entries(data, path)]
    assert found == kept
    again = b""
    for text, told_mark in found:
        assert told_mark is not None
        again = add_bullet(again, path, text, told_mark)
    assert again == data
