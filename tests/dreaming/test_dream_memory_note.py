"""MEMORY.md and dreaming's own lines in it: whatever else stands there stays, byte for byte and in its order."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.memory_lines import Addition, added_on, characters, lines_in, own_lines, with_changes
from holdfast.errors import BadText
from holdfast.guard.origin import Origin
from holdfast.markdown.claim_key import key_of

DAY = date(2026, 11, 15)
LATER = date(2026, 11, 16)


def addition(text: str, name: str = "dabc123") -> Addition:
    return Addition(text, name, Origin.USER, "memory/a b.md#3", "r2ntmk", DAY)


def test_lines_are_added_below_one_heading_a_day_and_read_back() -> None:
    first = with_changes(b"# Me\n\nAda.", DAY, added=[addition("I drink green tea")])
    assert first is not None
    assert first.startswith(b"# Me\n\nAda.\n\n## Consolidated Memory (2026-11-15)\n\n- I drink green tea <!-- fact ")
    second = with_changes(first, DAY, added=[addition("Helios launches in March", "dabc124")])
    assert second is not None and second.count(b"## Consolidated") == 1
    third = with_changes(second, LATER, added=[addition("The bicycle has new tyres", "dabc125")])
    assert third is not None and third.count(b"## Consolidated") == 2
    assert [line.id for line in own_lines(third)] == ["dabc123", "dabc124", "dabc125"]
    assert {line.source for line in own_lines(third)} == {"memory/a b.md#3"}
    assert (added_on(third, DAY), added_on(third, LATER)) == (2, 1)
    whole, own = characters(third)
    assert whole == len(third.decode()) and abs(whole - own - len("# Me\n\nAda.\n\n")) < 4


def test_taking_out_what_was_added_gives_the_note_back() -> None:
    for note in (b"# Me\n\nAda.\n", b"\xef\xbb\xbf# Me\r\n\r\nAda.\r\n", b"- one thing\n- another thing\n"):
        made = with_changes(note, DAY, added=[addition("I drink green tea")])
        assert made is not None and (b"\r\n" in note) == (b"\r\n" in made)
        assert with_changes(made, LATER, removed={"dabc123"}) == note
    made = with_changes(None, DAY, added=[addition("I drink green tea")])
    assert with_changes(made, LATER, removed={"dabc123"}) is None


def test_a_line_that_somebody_edited_is_theirs() -> None:
    made = with_changes(None, DAY, added=[addition("I drink green tea")])
    assert made is not None
    edited = made.replace(b"green", b"black")
    assert own_lines(edited) == []
    assert with_changes(edited, DAY, removed={"dabc123"}, renewed={"dabc123"}) == edited
    gone_on = made.rstrip() + b"\n  but never after noon\n"
    assert own_lines(gone_on) == []


def test_a_line_may_be_dated_anew_and_says_so() -> None:
    made = with_changes(None, DAY, added=[addition("I drink green tea")])
    renewed = with_changes(made, LATER, renewed={"dabc123"})
    assert renewed is not None and b"reinforced=1 last=2026-11-16" in renewed
    assert [line.claim.text for line in own_lines(renewed)] == ["I drink green tea"]


def test_below_an_open_block_of_code_nothing_is_added() -> None:
    with pytest.raises(BadText):
        with_changes(b"```\nnot closed\n", DAY, added=[addition("I drink green tea")])


WORDS = st.sampled_from(
    ["I drink green tea", "# Mine", "## Consolidated Memory (2026-11-15)", "", "- a bullet of mine", "  nested words",
     "Some words of a paragraph.", "| a | table |", "> a quotation", "---", "* another bullet", "<!-- a comment -->",
     "~~struck words~~", "1. first thing to do"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_every_line_of_a_person_stays_in_its_order_whatever_comes_and_goes(
    lines: list[str], eol: str, ended: bool, data: st.DataObject
) -> None:
    note: bytes | None = (eol.join(lines) + (eol if ended else "")).encode()
    mine = [line for line in lines if line.strip() and not line.startswith("## Consolidated")]
    for number in range(data.draw(st.integers(1, 5))):
        day = data.draw(st.sampled_from([DAY, LATER]))
        if data.draw(st.booleans()):
            extra = addition(f"A new thing with the number {number}", f"d{number}")
            note = with_changes(note, day, added=[extra])
        else:
            note = with_changes(note, day, removed={f"d{data.draw(st.integers(0, 5))}"}, renewed={"d1"})
        text = (note or b"").decode().replace("\r\n", "\n").split("\n")
        left = [line for line in text if line.strip() and not line.startswith("## Consolidated")]
        assert [line for line in left if "run=r2ntmk" not in line] == mine


def test_claims_are_bullets_and_short_paragraphs_and_nothing_else() -> None:
    note = (
        "---\ntitle: x\n---\n# A heading of words\n\n- I drink tea\n  before work\n- ~~I drink coffee~~\n\n"
        "```\nsome code here\n```\n\n> somebody else said this\n\n| a | b |\n\nA paragraph of\ntwo lines.\n"
    )
    found = claims_in(note, "memory/a.md")
    assert [(claim.text, claim.line) for claim in found] == [
        ("I drink tea before work", 6),
        ("A paragraph of two lines.", 18),
    ]
    assert key_of("I drink  TEA — before work.") == key_of("i drink tea - before work")


@given(st.text(max_size=300))
def test_any_text_has_claims_and_lines_that_stand_in_it(text: str) -> None:
    count = text.count("\n") + text.count("\r") + 1
    for claim in claims_in(text, "memory/a.md"):
        assert 1 <= claim.line <= count and claim.text.strip()
    assert all(not line.own for line in lines_in(text.replace("\0", "").encode("utf-8", "replace")))
