"""A note → its claims: each bullet with what is nested in it, each sentence of a paragraph, as exact text.

A claim is what a person means by "that": forgetting one must take neither the chunk around it nor half a sentence. So
each comes with the text to cut, which also holds the line end, the space or the blank line that nobody needs after it.

Not claims: front matter, headings with something below them, the head of a table. Those go by exact text only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from holdfast.markdown.fact_mark import has_mark
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import blank, indent_of, split_lines, trim_blank
from holdfast.markdown.list_item import ITEM
from holdfast.markdown.outline import Fence, Heading, scan
from holdfast.markdown.sentences import sentences
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Claim", "bare", "claims_in"]

_RULE = compile_late(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_QUOTE = compile_late(r"[ \t]{0,3}>")
_DEEPEST = 8  # lists in lists; what lies deeper goes with the item around it


class Claim(NamedTuple):
    """One claim of a note; places count characters of the note's text with every line end as a line feed."""

    start: int
    end: int
    text: str
    """The claim as it stands there, without white space around it."""
    cut: str
    """What to remove, exactly."""
    left: int
    """Where that begins."""
    line: int
    """The line the claim begins in, counted from 1."""


def bare(text: str) -> str:
    """A claim's words without the marker of a list, a quote or a heading before them, and the comment behind them."""
    text = _strip_comment(text).strip()
    marker = ITEM.match(text)
    if marker and not _RULE.match(text):
        rest = text[marker.end() :]
    else:
        rest = text.lstrip("#> \t")
    return rest.strip() or text


def _strip_comment(text: str) -> str:
    """Without the comment that another room keeps behind the words of a fact: it belongs to no sentence."""
    ended = text.rstrip()
    if ended.endswith("-->"):
        at = ended.rfind("<!--")
    else:
        at = -1
    return text if at < 0 else text[:at]


def claims_in(text: str) -> list[Claim]:
    """The claims of a note, in the order of their places; an item of a list comes before what is nested in it."""
    note = _Note(split_lines(text))
    return list(note.claims())


class _Note:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.flat = "\n".join(lines)
        self.at = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self.begin = front_end(lines)
        fences: list[Fence] = []
        self.headings = {heading.start: heading for heading in scan(lines, self.begin, fences)}
        self.fences = dict(fences)

    def claims(self) -> Iterator[Claim]:
        """Block after block."""
        first, count = self.begin, len(self.lines)
        while first < count:
            line = self.lines[first]
            if blank(line) or (_RULE.match(line) and first not in self.headings):
                first += 1
            elif heading := self.headings.get(first):
                if self._stands_alone(heading):
                    yield self._block(first, heading.end)
                first = heading.end
            elif first in self.fences:
                yield self._block(first, self.fences[first])
                first = self.fences[first]
            elif ITEM.match(line):
                end = self._item_end(first, count)
                yield from self._item(first, end, _DEEPEST)
                first = end
            elif line.lstrip().startswith("|"):
                end = self._last_line_while(first, lambda text: text.lstrip().startswith("|"))
                headed = end - first > 1 and not self.lines[first + 1].strip(" \t:|-")
                for row in range(first + 2 if headed else first, end):
                    yield self._block(row, row + 1)
                first = end
            elif _QUOTE.match(line):
                end = self._last_line_while(first, lambda text: not blank(text) and _QUOTE.match(text) is not None)
                yield self._block(first, end)
                first = end
            else:
                end = self._paragraph_end(first)
                yield from self._sentence_claims(end, self.at[first]) or [self._block(first, end)]
                first = end

    def _stands_alone(self, heading: Heading) -> bool:
        below = next((at for at in range(heading.end, len(self.lines)) if not blank(self.lines[at])), None)
        other = None
        if below is not None:
            other = self.headings.get(below)
        return below is None or (other is not None and other.level <= heading.level)

    def _last_line_while(self, first: int, goes_on: Callable[[str], bool]) -> int:
        end = first + 1
        while end < len(self.lines) and goes_on(self.lines[end]):
            end += 1
        return end

    def _opens(self, at: int) -> bool:
        """Say whether something other than plain text begins at a line."""
        line = self.lines[at]
        return (
            at in self.headings
            or at in self.fences
            or ITEM.match(line) is not None
            or _QUOTE.match(line) is not None
            or _RULE.match(line) is not None
        )

    def _paragraph_end(self, first: int) -> int:
        end = first + 1
        while end < len(self.lines) and not blank(self.lines[end]) and not self._opens(end):
            end += 1
        return end

    def _item_end(self, first: int, limit: int) -> int:
        """The line after an item: what is indented more belongs to it, and text that follows without a gap."""
        column = indent_of(self.lines[first])
        end = first + 1
        while end < limit:
            line = self.lines[end]
            lazy = not blank(self.lines[end - 1]) and not self._opens(end)
            if not blank(line) and indent_of(line) <= column and not lazy:
                break
            if end in self.fences:
                end = max(end + 1, self.fences.get(end, 0))
            else:
                end = end + 1
        return trim_blank(self.lines, first, min(end, limit))

    def _item(self, first: int, end: int, depth: int) -> Iterator[Claim]:
        yield self._block(first, end)
        own = first + 1
        while own < end and not blank(self.lines[own]) and not self._opens(own):
            own += 1
        marker = ITEM.match(self.lines[first])
        assert marker is not None
        yield from self._sentence_claims(own, self.at[first] + marker.end())
        while depth and own < end:
            if ITEM.match(self.lines[own]) and not _RULE.match(self.lines[own]):
                inner = self._item_end(own, end)
                yield from self._item(own, inner, depth - 1)
                own = inner
            else:
                own = self.fences.get(own, own + 1)

    def _sentence_claims(self, end: int, start: int) -> list[Claim]:
        """The sentences from a place up to a line, where there are several."""
        words = _strip_comment(self.flat[start : self.at[end] - 1])
        spans = [(start + left, start + right) for left, right in sentences(words)]
        if len(spans) < 2:
            return []
        claims = []
        for number, (left, right) in enumerate(spans):
            # The gap after a sentence goes with it; the last of a line takes the gap before it and leaves the line end.
            if number:
                before = spans[number - 1][1]
            else:
                before = start
            if number + 1 < len(spans):
                after = spans[number + 1][0]
            else:
                after = right
            ends = after == right or ("\n" in self.flat[right:after] and "\n" not in self.flat[before:left])
            gone = before if number and ends else left
            cut = self.flat[gone : right if number and ends else after]
            claims.append(Claim(left, right, self.flat[left:right], cut, gone, bisect_right(self.at, left)))
        return claims

    def _block(self, first: int, end: int) -> Claim:
        """Whole lines, and the blank line that would be left over."""
        lines, count = self.lines, len(self.lines)
        left, right = self.at[first], min(self.at[end], len(self.flat))
        apart = first == 0 or blank(lines[first - 1])
        ends = end >= count or (end == count - 1 and not lines[end])
        if end >= count and first:
            left -= 1  # the note does not end its last line; the line before must not be left with two
        elif apart and not ends and blank(lines[end]):
            right = self.at[end + 1]
        elif apart and ends and first > 1:
            left = self.at[first - 1]
        inside = self.flat[self.at[first] : self.at[end] - 1]
        start = self.at[first] + len(inside) - len(inside.lstrip())
        # What is meant and shown are the words; the cut takes the mark along.
        text = (_strip_comment(inside) if has_mark(inside) else inside).strip() or inside.strip()
        return Claim(start, start + len(text), text, self.flat[left:right], left, first + 1)
