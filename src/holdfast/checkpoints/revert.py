"""A note as it is now, and one change of long ago → the note without that change; what others wrote since stays.

Line by line: what the change added goes where it still stands as it was added, and what it removed comes back where it
was. A line that somebody has edited since is theirs, and is counted as kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Reversed", "reversed_in"]

_BOM = b"\xef\xbb\xbf"
# Above this an exact comparison of lines that repeat could take minutes: what differs is then taken as one piece.
_MOST_COMPARED = 20_000


class Reversed(NamedTuple):
    """The note without the change (None: without a note), and how many of its lines others have edited since."""

    data: bytes | None
    gone: int = 0
    back: int = 0
    kept: int = 0


class _Hunk(NamedTuple):
    """Lines of one text and those that stand in their place in the other; half-open ranges."""

    start: int
    end: int
    other_start: int
    other_end: int


def reversed_in(now: bytes | None, before: bytes | None, after: bytes | None) -> Reversed:
    """The note as it would be had the change from `before` to `after` never been made."""
    if before == after:
        return Reversed(now)
    if now == after:
        gone, back = _differing(_lines(before), _lines(after))
        return Reversed(before, gone, back)
    if now is None:
        # What it added is gone with the note, and whoever removed that did not mean to bring anything back.
        return Reversed(None)
    if after is None:
        return Reversed(now, kept=len(_lines(before)))  # it removed the note, and somebody has made another
    old, new, here = _lines(before), _lines(after), _lines(now)
    made, gone, back, kept = _without(old, new, here)
    data = (_BOM if now.startswith(_BOM) else b"") + b"".join(made)
    empty = before is None and not data.removeprefix(_BOM).strip()
    return Reversed(None if empty else data, gone, back, kept)


def _without(old: list[bytes], new: list[bytes], here: list[bytes]) -> tuple[list[bytes], int, int, int]:
    """The lines that are here now without the way from `old` to `new`; how many went, came back and were kept."""
    place = _places(new, here)
    surplus = Counter(map(_said, new)) - Counter(map(_said, old))
    missing = Counter(map(_said, old)) - Counter(map(_said, here))
    drop: set[int] = set()
    insert: dict[int, list[bytes]] = {}
    back = kept = 0
    for hunk in _hunks(old, new):
        standing = [place[at] for at in range(hunk.other_start, hunk.other_end) if place[at] is not None]
        # A blank line whose words are gone already keeps apart what others wrote.
        if any(_said(here[at]) for at in standing if at is not None):
            drop.update(at for at in standing if at is not None)
        lost = [at for at in range(hunk.other_start, hunk.other_end) if place[at] is None and _said(new[at])]
        returning = [line for line in old[hunk.start : hunk.end] if _comes_back(line, missing, bool(standing))]
        if lost and not standing and any(map(_said, returning)) and _edited_at(here, place, hunk):
            kept += len(
                lost
            )  # somebody has edited the very lines that took the place of these: theirs is the last word
            continue
        if any(map(_said, returning)):
            back += sum(1 for line in returning if _said(line))
            insert.setdefault(_spot(place, hunk, len(here)), []).extend(returning)
    # What it added may have been moved to another place in the note since.
    for at in drop:
        surplus[_said(here[at])] -= 1
    for at, line in enumerate(here):
        said = _said(line)
        if at not in drop and said and any(byte > 64 for byte in said) and surplus[said] > 0:
            surplus[said] -= 1
            drop.add(at)
    gone = sum(1 for at in drop if _said(here[at]))
    return _put_together(here, drop, insert), gone, back, kept


def _put_together(here: list[bytes], drop: set[int], insert: dict[int, list[bytes]]) -> list[bytes]:
    eol = b"\r\n" if here and here[0].endswith(b"\r\n") else b"\n"
    made: list[bytes] = []

    def put(line: bytes) -> None:
        if made and not made[-1].endswith(b"\n"):
            made[-1] += eol  # the last line of a note need not end; one that is no longer the last must
        made.append(line)

    for at in range(len(here) + 1):
        for line in insert.get(at, ()):
            put(line)
        if at < len(here) and at not in drop:
            put(here[at])
    return made


def _comes_back(line: bytes, missing: Counter[bytes], beside_others: bool) -> bool:
    """Whether a line that was removed is to be put back: somebody may have done so already."""
    said = _said(line)
    if not said:
        return beside_others
    missing[said] -= 1
    return missing[said] >= 0


def _edited_at(here: list[bytes], place: Sequence[int | None], hunk: _Hunk) -> bool:
    """Whether something else stands now where the lines of a hunk stood."""
    known = {at for at in place if at is not None}
    start = _spot(place, hunk, len(here))
    return start < len(here) and start not in known and bool(_said(here[start]))


def _spot(place: Sequence[int | None], hunk: _Hunk, end: int) -> int:
    """Where lines that are to come back belong now: behind the nearest line above them that still stands."""
    for at in range(hunk.other_start - 1, -1, -1):
        spot = place[at]
        if spot is not None:
            return spot + 1
    below = (place[at] for at in range(hunk.other_end, len(place)))
    return next((at for at in below if at is not None), end if hunk.other_start else 0)


def _places(new: list[bytes], here: list[bytes]) -> list[int | None]:
    """For each line of one text where it stands in the other; None where it does not."""
    place: list[int | None] = [None] * len(new)
    at = other = 0
    for hunk in (*_hunks(new, here), _Hunk(len(new), len(new), len(here), len(here))):
        while at < hunk.start:
            place[at] = other
            at, other = at + 1, other + 1
        at, other = hunk.end, hunk.other_end
    return place


def _hunks(one: list[bytes], other: list[bytes]) -> Iterator[_Hunk]:
    """Where two texts differ; what is the same at both ends costs no comparison."""
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and _said(one[start]) == _said(other[start]):
        start += 1
    end = 0
    while end < shorter - start and _said(one[-1 - end]) == _said(other[-1 - end]):
        end += 1
    middle, others = one[start : len(one) - end], other[start : len(other) - end]
    if not middle and not others:
        return
    if not middle or not others or len(middle) + len(others) > _MOST_COMPARED:
        yield _Hunk(start, start + len(middle), start, start + len(others))
        return
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, list(map(_said, middle)), list(map(_said, others)))
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield _Hunk(start + i1, start + i2, start + j1, start + j2)


def _differing(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    added = Counter(filter(None, map(_said, new))) - Counter(filter(None, map(_said, old)))
    removed = Counter(filter(None, map(_said, old))) - Counter(filter(None, map(_said, new)))
    return added.total(), removed.total()


def _lines(data: bytes | None) -> list[bytes]:
    """The lines with their ends, without a byte order mark."""
    return (data or b"").removeprefix(_BOM).splitlines(keepends=True)


def _said(line: bytes) -> bytes:
    """What a line says, whatever ends it."""
    return line.rstrip()
