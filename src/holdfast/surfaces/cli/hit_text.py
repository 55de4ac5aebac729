"""The hits of a search as a terminal shows them, with what each score is made of where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.guard.origin import Origin
from holdfast.index.store_contract import Word
from holdfast.markdown.fact_row import Fact
from holdfast.plural import clause, count_of
from holdfast.search.hit import CONTRIBUTIONS, DOUBT, EVIDENCE, UNLIKELY, WAITS, Hit, Results
from holdfast.search.query import question_of
from holdfast.search.snippet import lines_around, marked
from holdfast.surfaces.cli.console import Console

__all__ = ["show_results"]

_LINES = 8
_NEXT_TO_NOTHING = 1e-6  # of a score; what is less than that is not shown
_OWN = (Origin.USER, Origin.OUTSIDE)


def show_results(results: Results, query: str, console: Console, *, explain: bool) -> None:
    """Print the hits, best first, and how they were found."""
    words: Sequence[Word] = ()
    if query.strip():
        words = question_of(query).words
    if results.results and not results.likely:
        console.line(UNLIKELY)
        console.line()
    for hit in results.results:
        _show(hit, words, console, explain=explain)
    if explain and results.window:
        console.note(results.window)
    _tail(results, console)


def _show(hit: Hit, words: Sequence[Word], console: Console, *, explain: bool) -> None:
    others = sorted(first for first, last in hit.ranges if not first <= hit.start_line <= last)
    place = ", ".join((f"{hit.path}#{hit.start_line}", *map("#{}".format, others)))
    if hit.likely:
        score = f"score {hit.score:.3f}"
    else:
        score = f"score {hit.score:.3f}  {DOUBT}"
    console.styled(f"{console.paint(place, 'cyan', 'bold')}  {console.paint(score, 'dim')}")
    for line in lines_around(hit.snippet, hit.snippet_line, _LINES):
        shown = f"  {line}"
        console.marked(shown, marked(shown, words))
    if hit.fact is not None:
        console.styled(console.paint(f"  {_fact_line(hit.fact)}", "dim"))
    elif hit.origin is not None and (explain or hit.origin not in _OWN):
        console.styled(console.paint(f"  {hit.origin}", "dim"))
    if hit.newer:
        console.styled(console.paint(f"  a newer line says otherwise: {hit.newer}", "yellow"))
    if hit.older:
        console.styled(console.paint(f"  newer than {hit.older}, which says otherwise", "dim"))
    if hit.waits:
        console.styled(console.paint(f"  {WAITS} (`holdfast inbox`)", "dim"))
    if hit.citation:
        console.styled(console.paint(f"  {hit.citation}", "dim"))
    if explain:
        for row in _explained(hit):
            console.styled(console.paint(f"    {row}", "dim"))
    console.line()


def _explained(hit: Hit) -> Iterator[str]:
    """Yield what a score is made of, in three groups, and the chunk's id."""
    parts = {name: value for name, value in hit.explain.items() if abs(value) >= _NEXT_TO_NOTHING}
    score = parts.pop("score", hit.score)
    added = {name: value for name, value in parts.items() if name in CONTRIBUTIONS}
    evidence = {name: parts[name] for name in EVIDENCE if name in parts}
    origin = {name: value for name, value in parts.items() if name not in added and name not in evidence}
    groups = {
        "adds up": {**added, "score": score},
        "comes from": origin,
        "how likely": {**evidence, "confidence": hit.confidence},
    }
    for title, rows in groups.items():
        if rows:
            yield f"{title}:"
        yield from (f"  {name:<14} {value:.6g}" for name, value in rows.items())
    yield f"found by       {hit.found_by}"
    yield f"chunk          {hit.chunk_id}"


def _fact_line(fact: Fact) -> str:
    """A fact in a line: `preference · user · importance 0.8 · 2026-11-15 · superseded`."""
    parts = [fact.category, fact.origin, f"importance {fact.importance:g}"]
    if fact.observed is not None:
        parts.append(fact.observed.isoformat())
    if fact.superseded:
        parts.append("superseded")
    return " · ".join(parts)


def _tail(results: Results, console: Console) -> None:
    count = len(results.results)
    if count:
        found = count_of(count, "hit")
    else:
        found = "No hits"
    because = clause(" · {}", results.because)
    who = ""
    if results.backend != "builtin":
        who = f"{results.backend}, "
    console.note(f"{found} · {who}{results.mode}{because} · {results.took_ms:.1f} ms")
