"""Give each bullet of a changed note of facts its true mark: no text may say by itself where it comes from.

A mark tells whose words a fact is, so it is the first thing that injected text would bring along: in one piece, in two
saves that only together make one, or as a line that goes on with somebody else's bullet. So this looks at the note as
a whole: what was there before keeps its mark, and every other bullet is stamped with the origin of who wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from holdfast.errors import BadText
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import Edit, Entry, edited, entries
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode
from holdfast.markdown.fact_mark import Mark, has_mark, read
from holdfast.markdown.fact_row import category_of
from holdfast.markdown.lines import split_lines

__all__ = ["admit_note_bytes"]

_WHY = "it would make a mark of a fact, which only Holdfast writes; leave out what looks like `<!-- fact … -->`"


def admit_note_bytes(
    old: bytes | None,
    new: bytes,
    path: str,
    origin: Origin,
    day: date,
    make_id: Callable[[Collection[str]], str] = new_id,
) -> bytes:
    """Return the new bytes of a note with true marks: those of before for what was there, our own for what was not."""
    if category_of(path) is None:
        return _without_foreign_marks(old, new, origin)
    before = entries(old, path)
    left: dict[str, list[Entry]] = {}
    for entry in before:
        left.setdefault(entry.fact.text, []).append(entry)
    known = {entry.mark.id: entry.mark for entry in before if entry.mark is not None and entry.mark.id}
    after = entries(new, path)
    taken = {entry.mark.id for entry in after if entry.mark is not None} | set(known)
    wanted: list[Mark | None] = []
    for entry in after:
        same = left.get(entry.fact.text)
        if same:
            # Among copies, it takes the one with the mark that it has now: a person's own copies stay as they are.
            wanted.append(same.pop(next((n for n, twin in enumerate(same) if twin.mark == entry.mark), 0)).mark)
        else:
            stamp = _new_mark(entry.mark, known, origin, day, lambda: make_id(taken))
            taken.add(stamp.id)
            wanted.append(stamp)
    edits = {entry.fact.line: Edit(mark) for entry, mark in zip(after, wanted, strict=True) if entry.mark != mark}
    if edits:
        new = edited(new, path, edits)
    content = [(entry.mark, entry.fact.text) for entry in entries(new, path)]
    if content != [(mark, entry.fact.text) for mark, entry in zip(wanted, after, strict=True)]:
        raise BadText("content", _WHY, 1)
    return new


def _new_mark(said: Mark | None, known: dict[str, Mark], origin: Origin, day: date, make: Callable[[], str]) -> Mark:
    """Return the mark of a bullet that was not there before.

    What it says about itself counts where it claims no standing by that.
    """
    said = said or Mark()
    was = None
    if said.id:
        was = known.get(said.id)
    return Mark(
        said.id if was is not None else make(),
        (was or said).importance,
        origin,
        day,
        said.valid_from,
        said.valid_until,
    )


def _without_foreign_marks(old: bytes | None, new: bytes, origin: Origin) -> bytes:
    """Return a note that holds no facts, without the marks that came with the text.

    It may be moved to one that does.
    """
    if origin is Origin.USER or b"<!--" not in new:
        return new
    text = new.decode("utf-8", "surrogateescape")
    if not has_mark(text):
        return new
    held = set(split_lines(decode(old))) if old else set()
    lines = text.split("\n")
    for at in range(len(lines)):
        while lines[at].rstrip("\r") not in held and (found := read(lines[at])).mark is not None:
            lines[at] = found.words
    return "\n".join(lines).encode("utf-8", "surrogateescape")
