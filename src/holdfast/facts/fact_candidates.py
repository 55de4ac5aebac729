"""Find which facts may have to do with a new one: the index names the few that are like it in words or in meaning.

Comparing a fact with all of them would take longer the more there are. The index is believed only about notes that are
as it recorded them; a note that was edited since is indexed first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.embeddings.embedder import Purpose
from holdfast.errors import HoldfastError, ProviderFailed
from holdfast.facts.duplicates import Similar
from holdfast.facts.fact import Fact
from holdfast.facts.fact_notes import Notes
from holdfast.facts.ledger import entries
from holdfast.guard.origin import Origin
from holdfast.index.store_contract import StoredChunk, Word
from holdfast.markdown.fact_row import Category, bullet_words, category_of, fact_notes, without_comments
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import SpaceKey
    from holdfast.index.sqlite.edition import Edition

__all__ = ["Candidates", "Meaning", "candidates_for", "meaning_of"]

_ALL: Final = 100  # facts; of so few, each is compared
_BY_WORDS: Final = 32
_BY_MEANING: Final = 48
_WEIGHED: Final = 300  # passages that hold one of the words: some 3 ms


class Meaning(NamedTuple):
    """The vector of a text in one space."""

    space: SpaceKey
    vector: bytes


class Candidates(NamedTuple):
    """The facts that may have to do with a text, how similar they are, and how many there are outside the archive."""

    facts: Sequence[Fact]
    similar: Similar | None
    many: int
    is_taken: Callable[[str], bool]
    """Whether some fact, of whatever kind, has an id."""


def meaning_of(ctx: Context, text: str) -> Meaning | None:
    """Return the vector of a fact in a space whose vectors cost nobody anything; None without any.

    A provider on another machine is not asked: a store must not wait for it, and equal words are found without it.
    """
    chain = ctx.chain
    if chain is None or not os.path.exists(ctx.index_path):
        return None
    links = chain.ready if chain.first.remote else (chain.first,)
    link = next(iter(links), None)
    if link is None or (space := link.known_space()) is None:
        return None
    try:
        (vector,) = link.ask([f"- {text}"], Purpose.DOCUMENT)
    except ProviderFailed:
        return None
    if vector:
        return Meaning(space, vector)
    return None


def candidates_for(ctx: Context, text: str, meaning: Meaning | None, notes: Notes) -> Candidates | None:
    """Return what the index knows that may have to do with a text; None where it can't tell.

    The caller holds the lock of the workspace, so that no other process changes a note of facts meanwhile.
    """
    if not os.path.exists(ctx.index_path):
        return None
    try:
        return heal_once(ctx, lambda: _ask(ctx, text, meaning, notes))
    except HoldfastError:
        return None


def _ask(ctx: Context, text: str, meaning: Meaning | None, whole_notes: Notes) -> Candidates | None:
    from holdfast.index.sync import sync_changed

    database = ctx.database
    edition = database.serving()
    if edition is None or not edition.facts.kept or ctx.index.trouble is not None:
        return None
    notes = ctx.workspace.notes_in("memory", category_of)
    sync_changed(edition, ctx.note_source, notes)
    with database.connection.reading():
        if database.serving() != edition:
            return None  # another process has published one that may not know of these notes yet
        vectors = None
        if meaning is not None:
            vectors = database.vectors(meaning.space)
        rows = edition.facts.some(_ALL + 1)
        if len(rows) > _ALL:
            rows = edition.facts_holding(_words_in(edition, text), _BY_WORDS)
            if vectors and meaning:
                rows = list(dict.fromkeys((*rows, *vectors.nearest_facts(meaning.vector, _BY_MEANING))))
        near: Mapping[int, float] = {}
        if vectors and meaning:
            near = vectors.cosines(meaning.vector, rows)
        chunks = edition.chunks(rows)
        many = edition.facts.count()
        long = edition.facts.in_pieces({chunk.fact.id for chunk in chunks.values() if chunk.fact and chunk.fact.id})
    there = fact_notes(note.path for note in notes)
    place = {path: number for number, path in enumerate(there)}
    facts: dict[int, Fact] = {}
    for row, chunk in chunks.items():
        if chunk.fact is None or chunk.path not in place:
            continue
        # A person's own line has no id to tell its pieces by; only where it is long can it have any.
        may_be_long = chunk.fact.id in long
        if not chunk.fact.id:
            may_be_long = len(chunk.text) > ctx.settings.chunking.tokens // 2
        if may_be_long:
            fact = _whole_fact(chunk, whole_notes)
        else:
            fact = _fact_of(chunk)
        if fact is not None:
            facts[row] = fact
    cosines = {fact.text: near[row] for row, fact in facts.items() if row in near}
    return Candidates(
        sorted(dict.fromkeys(facts.values()), key=lambda fact: (place[fact.path], fact.line)),
        None if meaning is None else lambda fact: cosines.get(fact.text, 0.0),
        many,
        lambda name: bool(edition.facts.rows_of([name])),
    )


def _words_in(edition: Edition, text: str) -> list[Word]:
    """Return the words to look for: those of a text that are not too common to be weighed."""
    from holdfast.index.analyzer import SHARED_ANALYSER

    if edition.lexicon.tokenizer != "holdfast":
        return [Word(word) for word in dict.fromkeys(text.split())]
    edition.lexicon.total()  # before any word is counted
    words = [Word(word) for word in dict.fromkeys(SHARED_ANALYSER.index(text).split())]
    counted = sorted(
        ((count, word) for word in words if (count := edition.lexicon.count(word))), key=lambda pair: pair[0]
    )
    # The rarest first: each passage that holds one is weighed, and of a common word there are thousands.
    running = accumulate(count for count, _ in counted)
    return [word for (_, word), weighed in zip(counted, running, strict=True) if weighed <= _WEIGHED]


def _whole_fact(chunk: StoredChunk, notes: Notes) -> Fact | None:
    """Return the fact that a piece is of, as its note tells it."""
    held = entries(notes.get(chunk.path), chunk.path)
    return next((entry.fact for entry in held if entry.start < chunk.start_line <= entry.end), None)


def _fact_of(chunk: StoredChunk) -> Fact:
    """Return a fact as far as the index knows it; a caller that is to change it reads the rest in its note."""
    known = chunk.fact
    assert known is not None
    first, *below = chunk.text.split("\n")
    whole = "\n".join((bullet_words(first).strip(), *(line.rstrip() for line in below if line.strip())))
    return Fact(
        known.id,
        without_comments(whole),
        known.category,
        known.importance,
        known.origin,
        known.observed,
        known.valid_from,
        known.valid_until,
        superseded_by=known.superseded_by,
        reinforced_on=known.reinforced_on,
        path=chunk.path,
        line=chunk.start_line,
        struck=known.superseded,
        marked=bool(known.id) or known.origin is not Origin.OUTSIDE,
        archived=known.category is Category.ARCHIVE,
    )
