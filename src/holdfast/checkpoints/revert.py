"""A note as it is now, and one change of long ago → the note without that change; what others wrote since stays.

Line by line: what the change added goes where it still stands as it was added, and what it removed comes back where it
was. A line that somebody has edited since is theirs, and is counted as kept. A note that is not there is one without
lines: what was taken out of it comes back although it was deleted since, or was made anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from holdfast.guard.text_rules import BOM, keep_bom
from holdfast.named_tuple import NamedTuple

__all__ = ["Reversal", "revert_change"]

# Above this an exact comparison of lines that repeat could take minutes: what differs is then taken as one piece.
_MAX_COMPARED_LINES = 20_000


class Reversal(NamedTuple):
    """The note without the change (None: without a note), and what happened to its lines."""

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


def revert_change(now: bytes | None, before: bytes | None, after: bytes | None) -> Reversal:
    """Return the note as it would be had the change from `before` to `after` never been made."""
    if before == after:
        return Reversal(now)
    if now == after:
        gone, back = _count_differences(_lines(before), _lines(after))
        return Reversal(before, gone, back)
    old, new, here = _lines(before), _lines(after), _lines(now)
    lines, gone, back, kept = _revert_lines(old, new, here)
    data = keep_bom(now, b"".join(lines))
    empty = None in (now, before) and not data.removeprefix(BOM).strip()
    return Reversal(None if empty else data, gone, back, kept)


def _revert_lines(old: list[bytes], new: list[bytes], here: list[bytes]) -> tuple[list[bytes], int, int, int]:
    """Return the lines of `here` without the way from `old` to `new`.

    Also counts the lines that went, came back and were kept.
    """
    positions = _match_lines(new, here)
    surplus = Counter(map(_content, new)) - Counter(map(_content, old))
    missing = Counter(map(_content, old)) - Counter(map(_content, here))
    drop: set[int] = set()
    insert: dict[int, list[bytes]] = {}
    back = kept = 0
    for hunk in _hunks(old, new):
        standing = [positions[at] for at in range(hunk.other_start, hunk.other_end) if positions[at] is not None]
        # A blank line whose words are gone already keeps apart what others wrote.
        if any(_content(here[at]) for at in standing if at is not None):
            drop.update(at for at in standing if at is not None)
        lost = [at for at in range(hunk.other_start, hunk.other_end) if positions[at] is None and _content(new[at])]
        returning = [line for line in old[hunk.start : hunk.end] if _comes_back(line, missing, bool(standing))]
        if lost and not standing and any(map(_content, returning)) and _is_edited_at(here, positions, hunk):
            kept += len(
                lost
            )  # somebody has edited the very lines that took the place of these: theirs is the last word
            continue
        if any(map(_content, returning)):
            back += sum(1 for line in returning if _content(line))
            insert.setdefault(_insert_position(positions, hunk, len(here)), []).extend(returning)
    # What it added may have been moved to another place in the note since.
    for at in drop:
        surplus[_content(here[at])] -= 1
    for at, line in enumerate(here):
        content = _content(line)
        if at not in drop and content and any(byte > 64 for byte in content) and surplus[content] > 0:
            surplus[content] -= 1
            drop.add(at)
    gone = sum(1 for at in drop if _content(here[at]))
    return _assemble(here, drop, insert), gone, back, kept


def _assemble(here: list[bytes], drop: set[int], insert: dict[int, list[bytes]]) -> list[bytes]:
    if here and here[0].endswith(b"\r\n"):
        eol = b"\r\n"
    else:
        eol = b"\n"
    lines: list[bytes] = []

    def add(line: bytes) -> None:
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += eol  # the last line of a note need not end; one that is no longer the last must
        lines.append(line)

    for at in range(len(here) + 1):
        for line in insert.get(at, ()):
            add(line)
        if at < len(here) and at not in drop:
            add(here[at])
    return lines


def _comes_back(line: bytes, missing: Counter[bytes], beside_others: bool) -> bool:
    """Say whether a line that was removed is to be put back.

    Somebody may have done so already.
    """
    content = _content(line)
    if not content:
        return beside_others
    missing[content] -= 1
    return missing[content] >= 0


def _is_edited_at(here: list[bytes], positions: Sequence[int | None], hunk: _Hunk) -> bool:
    """Say whether something else stands now where the lines of a hunk stood."""
    known = {at for at in positions if at is not None}
    start = _insert_position(positions, hunk, len(here))
    return start < len(here) and start not in known and bool(_content(here[start]))


def _insert_position(positions: Sequence[int | None], hunk: _Hunk, end: int) -> int:
    """Return where lines that are to come back belong now.

    It is behind the nearest line above them that still stands, and at the end where there were no others.
    """
    for at in range(hunk.other_start - 1, -1, -1):
        position = positions[at]
        if position is not None:
            return position + 1
    below = (positions[at] for at in range(hunk.other_end, len(positions)))
    return next((at for at in below if at is not None), 0 if positions and not hunk.other_start else end)


def _match_lines(new: list[bytes], here: list[bytes]) -> list[int | None]:
    """Return, for each line of one text, its position in the other; None where it is not there."""
    positions: list[int | None] = [None] * len(new)
    at = other = 0
    for hunk in (*_hunks(new, here), _Hunk(len(new), len(new), len(here), len(here))):
        while at < hunk.start:
            positions[at] = other
            at, other = at + 1, other + 1
        at, other = hunk.end, hunk.other_end
    return positions


def _hunks(first: list[bytes], second: list[bytes]) -> Iterator[_Hunk]:
    """Yield the differences of two texts.

    Lines that are the same at both ends cost no comparison.
    """
    start, shorter = 0, min(len(first), len(second))
    while start < shorter and _content(first[start]) == _content(second[start]):
        start += 1
    end = 0
    while end < shorter - start and _content(first[-1 - end]) == _content(second[-1 - end]):
        end += 1
    middle, second_middle = first[start : len(first) - end], second[start : len(second) - end]
    if not middle and not second_middle:
        return
    if not middle or not second_middle or len(middle) + len(second_middle) > _MAX_COMPARED_LINES:
        yield _Hunk(start, start + len(middle), start, start + len(second_middle))
        return
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, list(map(_content, middle)), list(map(_content, second_middle)))
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield _Hunk(start + i1, start + i2, start + j1, start + j2)


def _count_differences(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    added = Counter(filter(None, map(_content, new))) - Counter(filter(None, map(_content, old)))
    removed = Counter(filter(None, map(_content, old))) - Counter(filter(None, map(_content, new)))
    return added.total(), removed.total()


def _lines(data: bytes | None) -> list[bytes]:
    """Return the lines with their ends, without a byte order mark."""
    return (data or b"").removeprefix(BOM).splitlines(keepends=True)


def _content(line: bytes) -> bytes:
    """Return the content of a line, without its end."""
    return line.rstrip()
