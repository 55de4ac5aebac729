"""Whatever a person has in MEMORY.md, a run over real rooms leaves every line of it, and can be taken back whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

from counts import counted
from dreaming.asking import NOW
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.memory_lines import own_lines
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer
from holdfast.markdown.claim_key import key_of

NOTE = "memory/2026-11-13.md"
LINES = ("I drink green tea in the morning", "I live in Lisbon", "My favourite editor is Helix")
MINE = st.sampled_from(
    ["# Me", "I live in Porto", "- I live in Porto", "- My favourite editor is Vim", "  nested words of mine", "",
     "| a | table |", "> a quotation", "```", "* I DRINK green tea in the morning!", "- ~~I live in Lisbon~~",
     "## Consolidated Memory (2026-11-15)", "<!-- a comment -->", "1. first thing to do", "- Umlaute: äöü"]
)  # fmt: skip
MOST = 900


def asked_often(memory: Memory) -> None:
    memory.save("".join(f"- {text}\n" for text in LINES), file=NOTE)
    rows = [
        LineAnswer(key_of(text), f"q{q}", f"2026-11-{12 + d}", NOTE, 0.9, NOW)
        for text in LINES
        for q in range(5)
        for d in range(4)
    ]
    signals_of(memory.ctx).record(rows)


@settings(max_examples=counted(4, 100), deadline=None)
@given(st.lists(MINE, max_size=12), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_a_run_keeps_every_line_of_a_person_and_is_taken_back_to_the_byte(
    mine: list[str], eol: str, ended: bool, edited: bool
) -> None:
    note = (eol.join(mine) + (eol if ended else "")).encode()
    with tempfile.TemporaryDirectory() as place:
        home, clock = Path(place), FakeClock(NOW)
        most = {"memory.prompt.max_chars_per_file": MOST}
        with Memory.open(home, origin=Origin.USER, clock=clock, settings=most) as memory:
            asked_often(memory)
            path = home / "MEMORY.md"
            path.write_bytes(note)
            done = memory.dreams.run()
            after = path.read_bytes()
            assert kept(after) == kept(note)
            assert len(after.decode()) <= max(MOST, len(note.decode()))
            assert len(own_lines(after)) == len(done.of("promoted")) + len(done.of("superseded"))
            again = memory.dreams.run()
            assert not again.changed and path.read_bytes() == after
            if edited:
                path.write_bytes(b"My first line." + eol.encode() + after)
            memory.dreams.roll_back(done.run)
            left = path.read_bytes() if path.exists() else b""
            if edited:
                assert kept(left) == ["My first line.", *kept(note)] and own_lines(left) == []
            else:
                assert left == note


def kept(data: bytes) -> list[str]:
    """The lines with words, less those that dreaming wrote and its headings."""
    lines = data.decode().replace("\r\n", "\n").split("\n")
    return [line for line in lines if line.strip() and " run=" not in line and not line.startswith("## Consolidated")]
