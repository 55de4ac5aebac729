"""Tell the lines of a note of facts that are a fact's from those that somebody wrote below it.

CommonMark lets a line at the margin go on with the bullet above it. People who write below a list rarely mean that, and
a line that is taken for the fact's goes where the fact goes: to the archive, or away. So the mark, which Holdfast
writes at the end of a bullet, ends it: what follows belongs to it only where it is indented.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Final

from holdfast.markdown.body import Body
from holdfast.markdown.entries import ENTRY, Start, says_nothing, starts
from holdfast.markdown.fact_mark import lines_to_mark, read
from holdfast.markdown.lines import blank
from holdfast.markdown.list_item import ITEM_SIGN
from holdfast.markdown.outline import Fence
from holdfast.pattern import compile_late

__all__ = ["at_margin", "fact_starts"]

_CLOSE: Final = "-->"
_TAG: Final = compile_late(r"</?(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)|<[!?]")
# A line of a sentence may begin with one of these; any other tag begins a block.
_INLINE: Final = frozenset(
    "a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var "
    "wbr".split()
)
_NO_WORDS: Final = compile_late(rf"{ITEM_SIGN}[ \t]*")  # a bullet that says nothing yet
# Possessive: what one repeat has taken, no other may try, so a line of blanks costs its length and not its square.
_DELIMITERS: Final = compile_late(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+")


def fact_starts(body: Body, begin: int, end: int, fences: Sequence[Fence]) -> list[Start]:
    """Return the lines at which a fact, a heading or other words begin."""
    margins = {fence.start for fence in fences}
    all_starts: list[Start] = []
    for start, after in pairwise([*starts(body, begin, end, fences), Start(end, 0)]):
        all_starts.append(start)
        if start.bullet and after.line - start.line > 1:
            at = _bullet_end(body.lines, start.line, after.line, margins)
            all_starts += [Start(at, ENTRY)] if at < after.line else []
    return all_starts


def at_margin(line: str) -> bool:
    """Say whether a line has text that is not indented."""
    return line[:1] not in ("", " ", "\t") and not blank(line)


def _bullet_end(lines: Sequence[str], start: int, end: int, fences: Container[int]) -> int:
    """Return the line at which the bullet that begins at `start` ends, at most `end`."""
    marked = lines_to_mark(lines[start])
    if not marked:
        end = next((at for at in range(start + 1, end) if _begins_block(lines, at, end, fences)), end)
        marked = lines_to_mark("\n".join(lines[start:end]))
    if not marked:
        return end
    return next((at for at in range(start + marked, end) if at_margin(lines[at])), end)


def _begins_block(lines: Sequence[str], at: int, end: int, fences: Container[int]) -> bool:
    """Say whether a line at the margin begins a block of its own.

    That is code, a table, a rule, a comment or other HTML.
    """
    line = lines[at]
    if not at_margin(line):
        return False
    if at in fences or line[0] == "|" or says_nothing(line) or _NO_WORDS.fullmatch(line):
        return True
    if line.startswith("<!--"):
        return not _is_mark_comment(lines, at, end)
    tag = _TAG.match(line)
    if tag is not None:
        return (tag["name"] or "").casefold() not in _INLINE
    if at + 1 < end and "|" in line:
        below = lines[at + 1]
    else:
        below = ""
    heads = "|" in below and _DELIMITERS.fullmatch(below) is not None
    return heads and read(line).mark is None


def _is_mark_comment(lines: Sequence[str], at: int, end: int) -> bool:
    """Say whether the comment that begins here is a mark.

    An editor may have put it on lines of its own.
    """
    last = next((number for number in range(at, end) if _CLOSE in lines[number]), None)
    return last is not None and read("\n".join(lines[at : last + 1])).mark is not None
