"""A change of long ago is taken out of a note; what others wrote since stays, in its order."""

from __future__ import annotations

from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.checkpoints.revert import Reversal, revert_change

WORDS = st.text(alphabet="abcdefgh", min_size=3, max_size=8)


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_note_that_nobody_touched_since_is_back_to_the_byte() -> None:
    assert revert_change(b"a\r\nb", b"a", b"a\r\nb").data == b"a"
    assert revert_change(b"new", None, b"new").data is None
    assert revert_change(None, b"old", None).data == b"old"


def test_lines_of_others_above_between_and_below_stay() -> None:
    before, after = text("one", "two"), text("one", "bad", "two", "worse")
    now = text("zero", "one", "bad", "between", "two", "worse", "three")
    assert revert_change(now, before, after) == Reversal(text("zero", "one", "between", "two", "three"), 2, 0, 0)


def test_lines_that_were_removed_come_back_where_they_were_unless_somebody_put_them_back() -> None:
    before, after = text("one", "mine", "two"), text("one", "two")
    assert revert_change(text("zero", "one", "two"), before, after).data == text("zero", "one", "mine", "two")
    again = text("one", "two", "mine")
    assert revert_change(again, before, after).data == again


def test_a_line_that_somebody_edited_since_is_theirs() -> None:
    done = revert_change(text("one", "account B, checked"), text("one", "account A"), text("one", "account B"))
    assert (done.data, done.kept) == (text("one", "account B, checked"), 1)


def test_what_was_moved_within_the_note_goes_all_the_same() -> None:
    before, after = text("one", "two", "three"), text("one", "two", "three", "bad news")
    assert revert_change(text("bad news", "one", "two", "three"), before, after).data == before


def test_what_was_removed_comes_back_to_a_note_that_was_deleted_since_or_made_anew() -> None:
    assert revert_change(b"mine\n", b"old\n", None) == Reversal(b"mine\nold\n", back=1)
    assert revert_change(None, text("one", "two", "three"), text("one", "three")) == Reversal(b"two\n", back=1)


def test_a_note_of_which_nothing_is_left_goes() -> None:
    assert revert_change(None, text("one"), text("one", "two")).data is None
    assert revert_change(b"\n\nbad\n\n", None, b"bad\n").data is None
    assert revert_change(None, None, b"bad\n").data is None


def test_a_byte_order_mark_and_the_kind_of_line_ends_stay() -> None:
    bom = b"\xef\xbb\xbf"
    now = bom + b"one\r\nbad\r\nmine\r\n"
    assert revert_change(now, bom + b"one\r\n", bom + b"one\r\nbad\r\n").data == bom + b"one\r\nmine\r\n"


@settings(max_examples=counted(12, 1_200), deadline=None)
@given(
    st.lists(WORDS, max_size=8),
    st.lists(st.tuples(st.integers(0, 8), WORDS), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 12), WORDS), max_size=5),
)
def test_every_line_that_was_added_goes_and_every_line_of_others_stays_in_its_order(
    lines: list[str], bad: list[tuple[int, str]], mine: list[tuple[int, str]]
) -> None:
    after = list(lines)
    for at, word in bad:
        after.insert(at, f"bad {word}")
    now = list(after)
    for at, word in mine:
        now.insert(at, f"mine {word}")
    made = revert_change(text(*now), text(*lines) if lines else None, text(*after)).data
    assert (made or b"").decode().splitlines() == [line for line in now if not line.startswith("bad ")]


@settings(max_examples=counted(10, 800), deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), st.sets(st.integers(0, 7)), st.lists(WORDS, max_size=4))
def test_every_line_that_was_removed_comes_back(lines: list[str], gone: set[int], mine: list[str]) -> None:
    after = [line for at, line in enumerate(lines) if at not in gone]
    now = [*after, *(f"mine {word}" for word in mine)]
    made = (revert_change(text(*now), text(*lines), text(*after)).data or b"").decode().splitlines()
    assert [line for line in made if not line.startswith("mine ")] == lines
    assert [line for line in made if line.startswith("mine ")] == now[len(after) :]
