"""The hits of a search and the facts that answer its question → hits in which those facts come first.

A search goes by words and vectors, and "Pandas live in China" has more of the words of "where do I live" than "I've
moved to Munich" has. Where the question asks for one thing of one subject, what was claimed of that is the answer. A
line that is struck through is no answer: what took its place stands in for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from holdfast.context.context import Context
from holdfast.context.session_visibility import caller_sight, can_read
from holdfast.facts.facts_book import facts_now, today
from holdfast.facts.question import answers_to, asked_about, successors
from holdfast.facts.question_owner import own_first
from holdfast.markdown.fact_row import bullet_words
from holdfast.recall.recall import choose_hits
from holdfast.search.hit import Hit

if TYPE_CHECKING:
    from holdfast.facts.fact import Fact

__all__ = ["SURE", "hit_of", "put_answers_first", "visible_facts"]

SURE: Final = 1.0
"""The score and the confidence of a fact that says just what was asked for."""


def visible_facts(ctx: Context) -> list[Fact]:
    """Every fact that the session may see, as its note tells it now."""
    sight = caller_sight(ctx)
    if sight is not None and not sight.memory:
        return []
    return [fact for fact in facts_now(ctx) if can_read(ctx, fact.path)]


def hit_of(ctx: Context, fact: Fact, score: float, confidence: float) -> Hit | None:
    """A fact as a search would show it; None where the index has not read its line yet."""
    with ctx.database.connection.reading():
        edition = ctx.database.serving()
        chunk = None
        if edition is not None:
            chunk = edition.chunk_at(path=fact.path, line=fact.line)
    if chunk is None or chunk.fact is None or chunk.fact.id != fact.id or chunk.fact.superseded != fact.struck:
        return None
    return Hit(
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        score=score,
        vector_score=None,
        text_score=None,
        snippet=chunk.text,
        citation=None,
        source=chunk.source,
        headings=chunk.headings,
        confidence=confidence,
        fact=chunk.fact,
        origin=chunk.fact.origin,
    )


def put_answers_first(ctx: Context, query: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits for a prompt: first the facts in force that were asked for, and no line that another one replaced."""
    hits = own_first(query, hits, lambda hit: bullet_words(hit.snippet) if hit.fact is not None else "")
    struck = any(hit.fact is not None and hit.fact.superseded for hit in hits)
    if asked_about(query) is None and not struck:
        return tuple(hits)
    facts, day = visible_facts(ctx), today(ctx)

    def in_force(some: Iterable[Fact], score: float, confidence: float, *, likely: bool) -> Iterator[Hit]:
        for fact in some:
            for candidate in (fact,) if fact.live(day) else successors(fact, facts):
                if candidate.live(day) and (fact_hit := hit_of(ctx, candidate, score, confidence)) is not None:
                    yield fact_hit.replace(likely=likely)

    shown = {hit.chunk_id: hit for hit in in_force(answers_to(query, facts), SURE, SURE, likely=True)}
    for hit in hits:
        if hit.fact is None or not hit.fact.superseded:
            shown.setdefault(hit.chunk_id, hit)
            continue
        meant = [fact for fact in facts if fact.path == hit.path and fact.struck and fact.id == hit.fact.id != ""]
        # What took its place has none of the words that were asked for: the old line tells how likely it is.
        likely = bool(choose_hits([hit.replace(fact=None)], query))
        for fact_hit in in_force(meant, hit.score, hit.confidence, likely=likely):
            shown.setdefault(fact_hit.chunk_id, fact_hit)
    return tuple(shown.values())
