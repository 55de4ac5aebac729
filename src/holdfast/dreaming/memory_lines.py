"""The bytes of MEMORY.md → the lines that dreaming put there; and the same bytes with some added, taken out or renewed.

A line is dreaming's own as long as its mark says so and its words are those that it had: a line that a person edited is
that person's, and so is everything else in the note. None of that is ever changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final
from urllib.parse import quote, unquote

from holdfast.dreaming.claim import Claim, claims_in
from holdfast.errors import BadText
from holdfast.facts.ledger import plain
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode, keep_bom
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.fact_mark import Mark, read, write
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import split_lines
from holdfast.markdown.outline import scan
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.value import Value

__all__ = [
    "Addition",
    "Line",
    "added_on",
    "characters",
    "find_consolidated",
    "line_for",
    "lines_in",
    "own_lines",
    "with_changes",
    "without_empty_sections",
]

_ENDS: Final = compile_late(r"\r\n|\n|\r")
_HEADING: Final = compile_late(r"## Consolidated Memory \((\d{4}-\d{2}-\d{2})\)\s*")
_ANY_HEADING: Final = compile_late(r" {0,3}#{1,6}(?:\s|$)")
_SUM: Final = 8


class Line(NamedTuple):
    """One claim of MEMORY.md; `own` says that dreaming wrote it and nobody touched its words since."""

    claim: Claim
    own: bool

    @property
    def id(self) -> str:
        """Its id, where it has one."""
        if self.claim.mark is None:
            return ""
        return self.claim.mark.id

    @property
    def run(self) -> str:
        """The run that wrote it."""
        return _token(self.claim.mark, "run")

    @property
    def source(self) -> str:
        """Return where it was taken from."""
        return unquote(_token(self.claim.mark, "source"))


class Addition(Value):
    """A line to add: its words, by whom and when they were said, where they stand, and which lines make room for it."""

    text: str
    id: str
    origin: Origin | None
    source: str
    run: str
    said: date | None = None
    importance: float | None = None
    replaces: tuple[str, ...] = ()
    rule: str = ""


def lines_in(data: bytes | None) -> list[Line]:
    """Everything that MEMORY.md says, in its order."""
    if not data:
        return []
    return [Line(claim, _is_own(claim)) for claim in claims_in(decode(data), "MEMORY.md")]


def own_lines(data: bytes | None) -> list[Line]:
    """Only what dreaming put there."""
    return [line for line in lines_in(data) if line.own]


def added_on(data: bytes | None, day: date) -> int:
    """Return how many lines dreaming has put there on a day."""
    if not data:
        return 0
    texts = split_lines(decode(data))
    own = {line.claim.line - 1 for line in own_lines(data)}
    heading, count = "", 0
    for number, text in enumerate(texts):
        if _ANY_HEADING.match(text):
            match = _HEADING.fullmatch(text)
            heading = match[1] if match else ""
        elif number in own and heading == day.isoformat():
            count += 1
    return count


def find_consolidated(data: bytes) -> int | None:
    """Return where the last section of dreaming's begins, in bytes; None where another heading ends the note."""
    lines = data.splitlines(keepends=True)
    texts = [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines]
    if texts:
        texts[0] = texts[0].removeprefix("\ufeff")
    headings = list(scan(texts, front_end(texts), []))
    if not headings or not _HEADING.fullmatch(texts[headings[-1].start]):
        return None
    return sum(map(len, lines[: headings[-1].start]))


def characters(data: bytes | None) -> tuple[int, int]:
    """Return how long MEMORY.md is, and how much of that dreaming wrote."""
    if not data:
        return 0, 0
    text = decode(data)
    texts = split_lines(text)
    own = sum(len(texts[line.claim.line - 1]) + 1 for line in own_lines(data))
    return len(text), own + sum(len(line) + 2 for line in texts if _HEADING.fullmatch(line))


def line_for(addition: Addition) -> str:
    """The bullet that an addition becomes."""
    words = plain(addition.text)
    tokens = [f"source={quote(addition.source, safe='/#._-')}", f"run={addition.run}", f"sum={key_of(words)[:_SUM]}"]
    mark = Mark(
        addition.id,
        addition.importance,
        addition.origin,
        addition.said,
        supersedes=addition.replaces,
        rule=addition.rule,
        rest=tuple(tokens),
    )
    return write(f"- {words}", mark)


def with_changes(
    data: bytes | None,
    day: date,
    *,
    added: Sequence[Addition] = (),
    removed: Collection[str] = (),
    renewed: Collection[str] = (),
) -> bytes | None:
    """MEMORY.md with some lines more, some of dreaming's own less, and some dated anew; ids name the lines."""
    texts, ends = _lines(data)
    eol = next((end for end in ends if end), "\n")
    gone = {line.claim.line - 1 for line in own_lines(data) if line.id in removed}
    for line in own_lines(data):
        mark = line.claim.mark
        at = line.claim.line - 1
        if mark is not None and line.id in renewed and at not in gone:
            strengthened = mark.replace(reinforced=min(mark.reinforced + 1, 10**9 - 1), reinforced_on=day)
            texts[at] = write(read(texts[at]).words, strengthened)
    kept = [(text, end) for at, (text, end) in enumerate(zip(texts, ends, strict=True)) if at not in gone]
    if gone:
        kept = _without_empty(kept)
    if added:
        kept = _with(kept, [line_for(addition) for addition in added], day, eol)
    new = "".join(text + end for text, end in kept)
    if not new.strip() and gone:
        return None
    note = keep_bom(data, new.encode("utf-8"))
    _check(data, note, added, removed)
    return note


def _check(old: bytes | None, new: bytes, added: Sequence[Addition], removed: Collection[str]) -> None:
    """An unclosed block of code would swallow what is added; then the note is left as it is."""
    before = [(line.claim.key, line.own) for line in lines_in(old) if not (line.own and line.id in removed)]
    wanted = sorted([*before, *((key_of(plain(addition.text)), True) for addition in added)])
    if sorted((line.claim.key, line.own) for line in lines_in(new)) != wanted:
        raise BadText(
            "MEMORY.md", "what is added would not be a line of its own; end the code block that is open there"
        )


def _with(kept: list[tuple[str, str]], lines: Sequence[str], day: date, eol: str) -> list[tuple[str, str]]:
    """The lines below the heading of their day, at its end; a new one at the end of the note."""
    heading = f"## Consolidated Memory ({day.isoformat()})"
    if kept and kept[-1] == ("", ""):
        kept = kept[:-1]
    elif kept:
        kept[-1] = kept[-1][0], eol
    at = next((place for place, (text, _) in enumerate(kept) if text.rstrip() == heading), None)
    fresh = [(line, eol) for line in lines]
    if at is None:
        if kept and kept[-1][0].strip():
            gap = [("", eol)]
        else:
            gap = []
        return [*kept, *gap, (heading, eol), ("", eol), *fresh, ("", "")]
    end = next((place for place in range(at + 1, len(kept)) if _ANY_HEADING.match(kept[place][0])), len(kept))
    while end > at + 1 and not kept[end - 1][0].strip():
        end -= 1
    lead = [("", eol)] if end == at + 1 else []
    return [*kept[:end], *lead, *fresh, *kept[end:], ("", "")]


def without_empty_sections(data: bytes) -> bytes:
    """MEMORY.md without headings of ours that have nothing below them; as it is where there is none of those."""
    if b"## Consolidated Memory" not in data:
        return data
    try:
        texts, ends = _lines(data)
    except UnicodeDecodeError:
        return data
    lines = list(zip(texts, ends, strict=True))
    kept = _without_empty(lines)
    if len(kept) == len(lines):
        return data
    new = "".join(text + end for text, end in kept)
    return keep_bom(data, new.encode("utf-8"))


def _without_empty(kept: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without headings of ours that have nothing below them any more."""
    left: list[tuple[str, str]] = []
    at = 0
    while at < len(kept):
        below = at + 1
        while below < len(kept) and not kept[below][0].strip():
            below += 1
        ends = below >= len(kept) or _ANY_HEADING.match(kept[below][0])
        if _HEADING.fullmatch(kept[at][0]) and ends:
            at = below
            while below >= len(kept) and left and not left[-1][0].strip():
                left.pop()
            continue
        left.append(kept[at])
        at += 1
    return left


def _lines(data: bytes | None) -> tuple[list[str], list[str]]:
    if not data:
        return [], []
    text = data.decode("utf-8").removeprefix("\ufeff")
    return _ENDS.split(text), [*_ENDS.findall(text), ""]


def _is_own(claim: Claim) -> bool:
    return _token(claim.mark, "sum") == claim.key[:_SUM] and bool(_token(claim.mark, "run"))


def _token(mark: Mark | None, name: str) -> str:
    pairs = (word.partition("=") for word in (mark.rest if mark is not None else ()))
    return next((value for key, _, value in pairs if key == name), "")
