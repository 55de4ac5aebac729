"""Budgets of the prompt: what is too long is cut, visibly, and nothing is ever longer than it may be."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from counts import by_turns
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.fence import bar_lines
from holdfast.markdown.budget import cut_to_tokens, head, tail, tokens_of
from holdfast.sessions.prompt_blocks import Piece, file_block, piece_of

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC).timestamp()
LINES = "".join(f"- line {number} of what is to be remembered\n" for number in range(1, 2001))
TEXTS = st.text(alphabet=st.sampled_from("ab<&\n é東"), max_size=400)


def test_a_file_above_its_budget_is_cut_with_a_line_that_says_how_much_and_how_to_read_on(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").write_text(LINES, encoding="utf-8")
    with Memory.open(settings={"memory.prompt.max_chars_per_file": 1000}) as memory:
        session = memory.session()
        first = session.prompt().blocks[0]
        assert first.truncated and first.characters <= 1000
        notice = re.search(r"\[The last ([\d,]+) characters of MEMORY.md are not shown here\. (.*)\]$", first.text)
        assert notice is not None
        left = int(notice[1].replace(",", ""))
        shown = first.text[first.text.index("- line 1 ") : first.text.index("\n</long-term-memory")]
        assert LINES.startswith(shown) and len(shown) + left == len(LINES)
        how = re.fullmatch(r'Read on with memory_get path="(.*)" from=(\d+)\.', notice[2])
        assert how is not None
        rest = session.tools().call("memory_get", {"path": how[1], "from": int(how[2]), "lines": 1})
    assert rest["text"] == LINES[len(shown) + 1 :].split("\n")[0]


def test_where_the_agent_has_no_tools_the_line_does_not_tell_it_to_use_them(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").write_text(LINES, encoding="utf-8")
    with Memory.open(settings={"memory.prompt.max_chars_per_file": 1000, "memory.style": "prompt-only"}) as memory:
        text = memory.session().prompt().text
    assert "are not shown here.]" in text and "memory_get" not in text


def test_of_a_daily_note_the_newest_part_stays(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "2026-03-05.md").write_text(LINES, encoding="utf-8")
    with Memory.open(clock=FakeClock(NOON), settings={"memory.prompt.max_chars_per_file": 1000}) as memory:
        (block,) = [one for one in memory.session().prompt().blocks if one.name.startswith("daily")]
    assert block.truncated and "| - line 2000 of" in block.text and "line 1 of" not in block.text
    assert block.text.split("\n")[1].startswith("[The first ")


def test_a_file_above_the_read_cap_of_two_megabytes_is_truncated_before_injection_and_not_refused(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    size = 5 * 1024 * 1024
    for name, mark in (("MEMORY.md", 0), ("memory/2026-03-05.md", 1)):
        with (home / name).open("wb") as file:
            file.write("é".encode() * 100)
            file.truncate(size)
            file.seek(-200, 2)
            file.write(("a" * mark + "è").encode() + b"the end".rjust(190))
    with Memory.open(clock=FakeClock(NOON)) as memory:
        prompt = memory.session().prompt()
    blocks = {one.name: one.text for one in prompt.blocks}
    assert "éé" in blocks["long-term memory"] and "characters of MEMORY.md are not shown" in blocks["long-term memory"]
    assert "the end" in blocks["daily note 2026-03-05"] and "\ufffd" not in prompt.text


@pytest.mark.parametrize(
    ("total", "per_file"),
    [
        (total, per_file)
        for turn, total in enumerate((200, 300, 500, 1000, 3000, 60_000))
        for per_file in by_turns((200, 700, 20_000), turn, 1)
    ],
)
def test_the_whole_prompt_is_within_the_total_budget_whatever_stands_in_the_files(
    home: Path, total: int, per_file: int
) -> None:
    (home / "memory").mkdir(parents=True)
    for name in ("MEMORY.md", "memory/2026-03-05.md", "memory/2026-03-04.md", "memory/orion.md"):
        (home / name).write_text(LINES + "<&>" * 900 + "\nThe Orion launch is on 3 March.\n", encoding="utf-8")
    settings = {
        "memory.prompt.max_chars_total": total,
        "memory.prompt.max_chars_per_file": per_file,
        "user.name": "Ada",
    }
    with Memory.open(clock=FakeClock(NOON), settings=settings) as memory:
        prompt = memory.session().prompt("When is the Orion launch?")
    assert len(prompt.text) <= total
    assert all(one.characters <= per_file for one in prompt.blocks if one.source)
    missing = {"MEMORY.md", "memory/2026-03-05.md", "memory/2026-03-04.md"} - {one.source for one in prompt.blocks}
    assert all(path in prompt.because for path in missing), "what is left out is named"


@given(TEXTS, st.integers(0, 500))
def test_a_cut_is_the_beginning_of_a_text_and_counts_what_is_missing(text: str, characters: int) -> None:
    cut = head(text, characters)
    assert len(cut.text) <= max(characters, 0) and text.startswith(cut.text)
    assert len(cut.text) + cut.left == len(text)
    if cut.left:
        whole = text[: len(cut.text)].count("\n") + 1
        assert cut.line in (whole, whole + 1)


@given(TEXTS, st.integers(0, 500))
def test_or_its_end(text: str, characters: int) -> None:
    cut = tail(text, characters)
    assert len(cut.text) <= max(characters, 0) and text.endswith(cut.text)
    assert len(cut.text) + cut.left == len(text)


@given(TEXTS, st.integers(0, 900), st.booleans(), st.booleans(), st.booleans())
def test_a_block_is_never_longer_than_its_room_and_is_whole_or_says_so(
    text: str, room: int, newest: bool, verbatim: bool, tools: bool
) -> None:
    data = text.encode()
    piece = piece_of("memory/2026-03-05.md", data, len(data), 10_000, newest=newest)
    block = file_block("a note", "## A Note", piece, room, secret="k", verbatim=verbatim, tools=tools)
    if block is None:
        return
    assert block.characters == len(block.text) <= room
    body = piece.text.removesuffix("\n")
    if block.truncated:
        assert "are not shown here." in block.text or "1 character of memory/2026-03-05.md is not shown" in block.text
    else:
        assert f"\n{body if verbatim else bar_lines(body)}\n" in block.text


@given(st.text(max_size=200), st.integers(1, 50), st.booleans())
def test_a_piece_comes_back_from_the_state_as_it_was(text: str, characters: int, newest: bool) -> None:
    data = text.encode("utf-8", "replace")
    piece = piece_of("MEMORY.md", data, len(data), characters, newest=newest)
    assert Piece.from_json(piece.to_json()) == piece


@pytest.mark.parametrize("held", [None, 7, [], {}, {"source": "a"}, {"source": 1, "text": "x"}])
def test_what_is_no_piece_in_the_state_is_taken_for_none(held: object) -> None:
    assert Piece.from_json(held) is None


@given(st.text(alphabet="a é東", max_size=300), st.integers(-1, 120))
def test_what_is_cut_to_so_many_tokens_has_no_more_wherever_the_dense_part_is(text: str, tokens: int) -> None:
    kept = cut_to_tokens(text, tokens)
    assert text.startswith(kept) and tokens_of(kept) <= max(0, tokens)
    assert kept == text or tokens_of(text) > tokens
