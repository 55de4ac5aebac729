"""Notes → a draft of questions about them, for their owner to edit. Pure, and always the same for the same notes.

Three kinds, in turn: a heading as one would ask for it, an identifier that stands in one line only, and the telling
words of a sentence, the rest removed. They are easier than what people ask from memory; the draft is a start, and says
at least when a change makes search worse.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from holdfast.exchange.html_comments import cut_comments
from holdfast.guard.secrets import find_secrets
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import split_lines, trim_blank
from holdfast.markdown.outline import Fence, scan
from holdfast.named_tuple import NamedTuple

__all__ = ["Draft", "as_lines", "draft"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RUN = re.compile(r"(?<![\w./-])[A-Za-z0-9][\w.-]{4,38}[A-Za-z0-9](?![\w/-])")
_MARKUP = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+|\[[ xX]\]|[*_`>#|]+|\]\([^)]{0,400}\)|<!--[^>]{0,400}-->|https?://\S+")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*")
_LEAST_WORDS, _MOST_WORDS, _KEPT_WORDS = 8, 60, 6
_DULL = frozenset("notes note todo overview introduction summary log links references ideas facts".split())


class Draft(NamedTuple):
    """One drafted question."""

    query: str
    path: str
    first: int
    last: int
    category: str

    def to_json(self) -> dict[str, object]:
        """Return the draft as `holdfast eval run` reads it."""
        line: object = self.first
        if self.first != self.last:
            line = [self.first, self.last]
        return {"query": self.query, "path": self.path, "line": line, "category": self.category}


class _Line(NamedTuple):
    path: str
    number: int
    text: str
    words: tuple[str, ...]


def draft(notes: Mapping[str, str], count: int) -> list[Draft]:
    """Draft at most so many questions, spread over the kinds and over the notes."""
    headings: list[Draft] = []
    lines: list[_Line] = []
    for path in sorted(notes):
        found, plain = _read(path, cut_comments(notes[path]))  # marks of facts are nobody's words
        headings += found
        lines += plain
    titles = Counter(heading.query.casefold() for heading in headings)
    kinds = [
        [heading for heading in headings if titles[heading.query.casefold()] == 1],
        list(_ids(lines)),
        list(_sentences(lines)),
    ]
    queues = [_spread(kind) for kind in kinds]
    chosen: dict[str, Draft] = {}
    while any(queues) and len(chosen) < count:
        for queue in queues:
            if queue and len(chosen) < count:
                entry = queue.pop(0)
                chosen.setdefault(entry.query.casefold(), entry)
    return sorted(chosen.values(), key=lambda entry: (entry.path, entry.first, entry.category, entry.query))


def as_lines(drafts: list[Draft]) -> str:
    """Return the draft as `holdfast eval run` reads it."""
    return "".join(json.dumps(entry.to_json(), ensure_ascii=False) + "\n" for entry in drafts)


def _read(path: str, text: str) -> tuple[list[Draft], list[_Line]]:
    """Return the headings of a note, and its other lines outside of code; a line with a secret is nobody's question."""
    lines = split_lines(text)
    begin = front_end(lines)
    secret = _secret_lines("\n".join(lines))
    fences: list[Fence] = []
    headings = list(scan(lines, begin, fences))
    left_out = set(range(begin)) | secret
    blocks = [(block.start, block.end) for block in headings] + [(block.start, block.end) for block in fences]
    left_out.update(line for start, end in blocks for line in range(start, end))
    ends = [*(heading.start for heading in headings), len(lines)][1:]
    # Any line of the section answers: in MEMORY.md a heading is not found by itself, only with what stands below.
    drafts = [
        Draft(" ".join(heading.title.split()), path, heading.start + 1, trim_blank(lines, heading.end, end), "heading")
        for heading, end in zip(headings, ends, strict=True)
        if heading.start not in secret and _tells(heading.title)
    ]
    plain = [
        _Line(path, at + 1, line, tuple(_WORD.findall(_MARKUP.sub(" ", line))))
        for at, line in enumerate(lines)
        if at not in left_out and line.strip()
    ]
    return drafts, plain


def _tells(title: str) -> bool:
    """Say whether a heading says what its section is about; a date or `Notes` does not."""
    words = _WORD.findall(title)
    return bool(words) and not _DATE.fullmatch(title.strip()) and not {word.lower() for word in words} <= _DULL


def _secret_lines(text: str) -> set[int]:
    return {
        line
        for found in find_secrets(text)
        for line in range(text.count("\n", 0, found.start), text.count("\n", 0, found.end) + 1)
    }


def _ids(lines: list[_Line]) -> Iterator[Draft]:
    names = [{run for run in _RUN.findall(line.text) if _is_id(run)} for line in lines]
    seen = Counter(name for held in names for name in held)
    for line, held in zip(lines, names, strict=True):
        yield from (Draft(name, line.path, line.number, line.number, "id") for name in sorted(held) if seen[name] == 1)


def _is_id(run: str) -> bool:
    """Say whether a word is an id: `INC-43948-QJV`, `v3.76.30-rc7`, `retry_budget`; no date, no number, no `90-day`."""
    counted = re.fullmatch(r"\d+-[a-z-]+", run) is not None
    return any(map(str.isalpha, run)) and not counted and ("_" in run or sum(map(str.isdigit, run)) >= 2)


def _sentences(lines: list[_Line]) -> Iterator[Draft]:
    """Yield the rarest words of a line, in their order; a line is worth asking for when some of them are rare."""
    seen = Counter(word for line in lines for word in {word.casefold() for word in line.words})
    rare = max(1, len(lines) // 50)
    for line in lines:
        if not _LEAST_WORDS <= len(line.words) <= _MOST_WORDS:
            continue
        words = {word.casefold(): place for place, word in reversed(list(enumerate(line.words))) if len(word) > 2}
        telling = sorted(words, key=lambda word: (seen[word], words[word]))[:_KEPT_WORDS]
        if sum(seen[word] <= rare for word in telling) >= 2 and len(telling) >= 4:
            kept = sorted(words[word] for word in telling)
            yield Draft(" ".join(line.words[place] for place in kept), line.path, line.number, line.number, "sentence")


def _spread(drafts: list[Draft]) -> list[Draft]:
    """Take one of each note in turn, in an order that depends on the text alone and not on where it stands."""
    by_note: dict[str, list[Draft]] = {}
    for entry in sorted(drafts, key=_shuffle_key):
        by_note.setdefault(entry.path, []).append(entry)
    rounds = max(map(len, by_note.values()), default=0)
    return [group[turn] for turn in range(rounds) for group in by_note.values() if turn < len(group)]


def _shuffle_key(entry: Draft) -> bytes:
    return hashlib.sha256(f"{entry.path}\0{entry.first}\0{entry.query}".encode("utf-8", "surrogatepass")).digest()
