"""Every decision in the inbox is taken back alone, in whatever order, also once the inbox was emptied or deleted."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.approval.inbox_note import items_in
from holdfast.clock import FakeClock
from holdfast.errors import NoteChangedOutside
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.operations.inbox_decision import Decided

TEXTS = ("The launch moved to March.", "Ada leads the API project.", "The office has a garden.", "Tea is at four.")
EDITED = "{} So it is written."


def opened(home: Path) -> Memory:
    chosen = {"memory.disable_rag": True}
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(1_795_014_400.0), settings=chosen)


def wait(memory: Memory, count: int) -> dict[str, str]:
    """Let so many entries wait; their ids by what they say."""
    for text in TEXTS[:count]:
        memory.tools(Origin.API).call("memory_save", {"content": text})
    return {entry.text: entry.id for entry in memory.inbox.list()}


def decide(memory: Memory, how: str, id_: str, text: str) -> Decided:
    if how == "reject":
        return memory.inbox.reject(id_)
    return memory.inbox.approve(id_, text=EDITED.format(text) if how == "edit" else None)


def said(home: Path) -> set[str]:
    """What MEMORY.md says of these texts, edited or not."""
    path = home / "MEMORY.md"
    held = path.read_text() if path.exists() else ""
    whole = {text for text in TEXTS if EDITED.format(text) in held}
    return {EDITED.format(text) for text in whole} | {text for text in TEXTS if text in held and text not in whole}


def waiting(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.inbox.list()]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_approvals_that_emptied_the_inbox_come_back_one_by_one_and_bring_back_its_very_lines(
    home: Path, order: tuple[int, ...]
) -> None:
    with opened(home) as memory:
        ids = wait(memory, 3)
        held = (home / INBOX).read_text().splitlines()
        made = [memory.inbox.approve(id_).checkpoint_ids for id_ in ids.values()]
        assert not (home / INBOX).exists()
        for at in order:
            memory.undo(checkpoint_ids=made[at], keep_later=True)
        assert sorted((home / INBOX).read_text().splitlines()) == sorted(held)
        assert said(home) == set() and memory.inbox.approve(ids[TEXTS[0]]).outcome == "approved"


def test_a_decision_is_taken_back_alone_after_the_inbox_was_deleted_outside(home: Path) -> None:
    with opened(home) as memory:
        ids = wait(memory, 2)
        made = memory.inbox.approve(ids[TEXTS[0]])
        (home / INBOX).unlink()
        memory.undo(checkpoint_ids=made.checkpoint_ids, keep_later=True)
        assert waiting(memory) == [TEXTS[0]] and said(home) == set()
        with pytest.raises(NoteChangedOutside):
            memory.undo(checkpoint_ids=made.checkpoint_ids, keep_later=True)


@settings(max_examples=counted(12, 400), deadline=None)
@given(st.data())
def test_decisions_are_taken_back_in_every_order_and_done_again(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 4))
    with TemporaryDirectory() as folder, opened(Path(folder)) as memory:
        home, ids = Path(folder), wait(memory, count)
        made: dict[str, Decided] = {}
        says: dict[str, str] = {}
        for text in data.draw(st.permutations(TEXTS[:count])):
            how = data.draw(st.sampled_from(("approve", "edit", "reject")))
            made[text] = decide(memory, how, ids[text], text)
            says |= {} if how == "reject" else {text: EDITED.format(text) if how == "edit" else text}
        back = data.draw(st.permutations(TEXTS[:count]))
        for at, text in enumerate(back):
            undone = memory.undo(checkpoint_ids=made[text].checkpoint_ids, keep_later=True)
            again = data.draw(st.booleans())
            if again:  # the undo is taken back, and that as well
                redone = memory.undo(checkpoint_ids=undone.checkpoint_ids, keep_later=True)
                assert text not in waiting(memory) and said(home) == {says[one] for one in back[at:] if one in says}
                memory.undo(checkpoint_ids=redone.checkpoint_ids, keep_later=True)
            assert sorted(waiting(memory)) == sorted(back[: at + 1])
            assert said(home) == {says[one] for one in back[at + 1 :] if one in says}
        # Each is there once, with its own id and who brought it.
        held = items_in((home / INBOX).read_bytes())
        assert {item.entry.id for item in held} == set(ids.values()) and len(held) == count
        assert {item.entry.origin for item in held} == {Origin.API}
