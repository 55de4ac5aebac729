"""Find hits that are out of date: a newer line that contradicts an older one goes before it, and both say so.

Two passages are about one thing when they begin alike, differ in a few words, and nothing that the question asks for
tells them apart: "The launch is on Friday", "The launch is on Monday". Their dates say which is newer, or their order
in one note. Where neither does, or the newer one is trusted less, nothing is said. The mark of a struck fact names the
fact that took its place, whatever its words are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from holdfast.guard.origin import weakest_origin
from holdfast.index.analyzer import Analyser
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk, Word
from holdfast.named_tuple import NamedTuple
from holdfast.search.candidate import Candidate
from holdfast.search.fusion import Fused
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.note_dates import chunk_span, note_span
from holdfast.search.note_groups import lower_to_previous
from holdfast.search.origin_balance import OWN, whose
from holdfast.search.scope_filter import fact_span, last_said

__all__ = ["add_successors", "newest_first"]

_STEPS = 4  # from a fact to the one that took its place, and on from there
_COMPARED = 30  # candidates, from the first on: what stands further behind is not read
_BEGINNING = 3  # words that both begin with; "I like" begins too many things (4 is the least on fact-update)
_ALIKE = 0.65  # of the words of the shorter one, that stand in both; the least on fact-update but for one pair in 201
_VALUE = 8  # words that a value has at the most (6 on fact-update)
_MOST_CHARACTERS = 600  # what is longer says more than one thing
_LABEL = 60  # characters that the name of a speaker may take, with what stands around it

_OPENING = 100  # characters that hold its first words
_SIGNS = " \t\n-*+>"  # that a bullet or a quotation begins with
_ANALYSER = Analyser()


class _Line(NamedTuple):
    """A candidate as it is compared: its words, and the index words of each."""

    row: int
    words: Sequence[str]
    forms: Sequence[frozenset[str]]


def add_successors(edition: Edition, found: Candidates) -> Candidates:
    """Return the candidates, and the facts that took the place of some of them; call it in a read transaction."""
    struck = {row: chunk.fact.superseded_by for row, chunk in found.chunks.items() if chunk.fact is not None}
    sought = {row: name for row, name in struck.items() if name}
    if not sought:
        return found  # as almost always
    chunks, newer = dict(found.chunks), dict(found.newer)
    for _ in range(_STEPS):
        rows = edition.facts.rows_of(frozenset(sought.values()))
        new = edition.chunks([row for row in rows.values() if row not in chunks])
        chunks |= new
        newer |= {row: rows[name] for row, name in sought.items() if name in rows and rows[name] in chunks}
        further = {row: chunk.fact.superseded_by for row, chunk in new.items() if chunk.fact is not None}
        sought = {row: name for row, name in further.items() if name}
        if not sought:
            break
    known = {candidate.fused.row for candidate in found.ranked}
    added = [Candidate(0.0, Fused(row, 0.0, None, None), {}) for row in chunks if row not in known]
    return found._replace(ranked=[*found.ranked, *added], chunks=chunks, newer=newer)


def newest_first(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Return the candidates, each that says otherwise than an older one before that one."""
    asked = _asked_words(inquiry.question.words)
    # Most candidates begin like no other, and need not be read any further.
    by_beginning: dict[tuple[str, ...], list[StoredChunk]] = defaultdict(list)
    for candidate in found.ranked[:_COMPARED]:
        chunk = found.chunks[candidate.fused.row]
        if len(chunk.text) <= _MOST_CHARACTERS:
            said_by, text = _split_speaker(chunk)
            by_beginning[(said_by, *text[:_OPENING].lstrip(_SIGNS).casefold().split()[:_BEGINNING])].append(chunk)
    ranks = {candidate.fused.row for candidate in found.ranked}
    newer = {
        row: newest
        for row in found.newer
        if (newest := _newest(row, found.newer)) in ranks and not _names_old(found.chunks[row], asked)
    }
    for group in by_beginning.values():
        if len(group) > 1:
            newer |= _newer([_compared_line(chunk) for chunk in group], found.chunks, asked)
    if not newer:
        return found
    # Who asks for a time may want what was true then.
    of_a_time = inquiry.weighing is not None and inquiry.weighing.window is not None
    if of_a_time:
        ranked = found.ranked
    else:
        ranked = _put_newer_first(found.ranked, newer)
    return found._replace(ranked=ranked, newer=newer)


def _names_old(old: StoredChunk, asked: frozenset[str]) -> bool:
    """Say whether the question names what was struck, by a name or a number that stands in it: then it is wanted."""
    words = _ANALYSER.query(old.text)[1:]  # every sentence begins with a capital
    names = (forms for raw, forms in words if raw[:1].isupper() or any(map(str.isdigit, raw)))
    return any(not asked.isdisjoint(forms) for forms in names)


def _newest(row: int, newer: Mapping[int, int]) -> int:
    """Return what took the place of a fact in the end; marks that lead in a circle end somewhere on it."""
    for _ in range(_STEPS):
        row = newer.get(row, row)
    return row


def _newer(group: Sequence[_Line], chunks: Mapping[int, StoredChunk], asked: frozenset[str]) -> dict[int, int]:
    """Map each line that a newer one says something else than to the newest such."""
    found: dict[int, int] = {}
    for old in group:
        later = [
            new for new in group if _follows(chunks[new.row], chunks[old.row]) and _differ_in_a_value(old, new, asked)
        ]
        for new in later:
            if old.row not in found or _follows(chunks[new.row], chunks[found[old.row]]):
                found[old.row] = new.row
    return found


def _differ_in_a_value(left: _Line, right: _Line, asked: frozenset[str]) -> bool:
    """Say whether two lines say different things of what the question asks about."""
    shorter = min(len(left.words), len(right.words))
    first = 0
    while first < shorter and left.words[first] == right.words[first]:
        first += 1
    last = 0
    while last < shorter - first and left.words[-1 - last] == right.words[-1 - last]:
        last += 1
    longest = max(len(left.words), len(right.words)) - first - last
    if first < _BEGINNING or first + last == shorter or longest > _VALUE or first + last < _ALIKE * shorter:
        return False
    about = frozenset().union(*left.forms[:first], *left.forms[len(left.forms) - last :])
    values = frozenset().union(
        *left.forms[first : len(left.forms) - last], *right.forms[first : len(right.forms) - last]
    )
    # Where the question names what differs, the two are of different things: "head of state of Chad", "… of Peru".
    return bool(asked & about) and not asked & (values - about)


def _follows(new: StoredChunk, old: StoredChunk) -> bool:
    """Say whether one is known to be newer than the other."""
    if not _may_replace(new, old) or (new.fact is not None and new.fact.superseded):
        return False
    day, before = _day(new), _day(old)
    if day is not None and before is not None and day != before:
        return day > before
    return new.path == old.path and new.start_line > old.start_line


def _may_replace(new: StoredChunk, old: StoredChunk) -> bool:
    """Say whether it is trusted as much: what came from elsewhere yesterday must not unsay what the owner wrote."""
    its, owns = whose([new]), whose([old])
    return its in OWN or weakest_origin({its, owns}) is owns


def _day(chunk: StoredChunk) -> date | None:
    """Return the day that a passage was said on, as far as it is known."""
    if chunk.fact is not None:
        span = fact_span(chunk.fact)
        day = last_said(chunk.fact) or (span.end if span is not None else None)
        if day is not None:
            return day
    span = chunk_span(chunk.headings, note_span(chunk.path))
    if span is None:
        return None
    return span.end


def _put_newer_first(ranked: Sequence[Candidate], newer: Mapping[int, int]) -> list[Candidate]:
    """Return the same, where each older one is preceded by what is newer, which takes over its score."""
    by_row = {candidate.fused.row: candidate for candidate in ranked}
    placed: set[int] = set()
    found: list[Candidate] = []
    for candidate in ranked:
        first = None
        if candidate.fused.row in newer:
            first = by_row[newer[candidate.fused.row]]
        if first is not None and first.fused.row not in placed:
            placed.add(first.fused.row)
            gain = candidate.score - first.score
            found.append(Candidate(candidate.score, first.fused, {**first.later, "newer": gain}))
        if candidate.fused.row not in placed:
            placed.add(candidate.fused.row)
            found.append(candidate)
    return lower_to_previous(found)


def _split_speaker(chunk: StoredChunk) -> tuple[str, str]:
    """Return who says it, where it is a turn, and what."""
    if not chunk.voice:  # as most are
        return "", chunk.text
    name, sign, speech = chunk.text.partition(":")
    if sign and len(name) <= _LABEL:
        return name.strip(" \t-*_>").casefold(), speech
    return "", chunk.text


def _compared_line(chunk: StoredChunk) -> _Line:
    """Return a passage as it is compared."""
    words = _ANALYSER.query(_split_speaker(chunk)[1])
    return _Line(chunk.row, [raw.casefold() for raw, _ in words], [frozenset(forms) for _, forms in words])


def _asked_words(words: Sequence[Word]) -> frozenset[str]:
    """Return the index words of what is asked for."""
    return frozenset(form for word in words for form in word.text.split())
