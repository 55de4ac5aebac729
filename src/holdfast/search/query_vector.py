"""A question and a chain of providers → the question's vector, in a space that covers the notes; or why there is none.

A question is only ever compared inside one space. The one that covers most of the notes answers, so that a space which
is still being filled does not hide what only the older one has; among equals, the earlier in the chain. One that covers
less than half answers nothing: what it knows would push aside what it does not. Until the chosen provider's space is
full, those that it had with another model or other dimensions count as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from holdfast.embeddings.chain import Chain
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.provider_link import Link
from holdfast.errors import ProviderFailed
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Coverage
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.settings.memory_settings import MemorySettings

__all__ = ["QueryVector", "ask_providers"]

_USEFUL = 0.5  # of the texts: with less, keywords alone find more


class QueryVector(NamedTuple):
    """The question as a vector of one space; without one, `because` says why, and with one, what else is to be said."""

    packed: bytes | None
    vectors: Vectors | None
    because: str
    partial: bool = False
    """Whether a provider that should have answered did not, or not in time."""


class _Able(NamedTuple):
    link: Link
    space: SpaceKey
    covered: Coverage


def ask_providers(
    database: Database, chain: Chain | None, query: str, memory: MemorySettings, since: float = math.inf
) -> QueryVector:
    """Ask the providers in turn, those whose space covers most first; none that has failed `since` then already."""
    if memory.disable_rag:
        return QueryVector(None, None, "memory.disable_rag is on: keywords only")
    if chain is None:
        return QueryVector(None, None, "no embedding provider is configured: keywords only")
    # Whoever makes or compares vectors loads it; here fewer calls are open. Deeper down Python 3.11 asks the system for
    # a page of its stack and gives it back with every second call of numpy's modules: a fifteenth of a cold search.
    import numpy as np  # noqa: F401

    able, reasons = _able(database, chain)
    failed = False
    for link, space, covered in sorted(able, key=lambda source: -source.covered.share):
        if covered.share < _USEFUL:
            reasons.append(_partial(link, covered))
            continue
        if link.failed_at >= since:  # a search waits for one answer that does not come, not for two
            reasons.append(f"{link.name} failed: {link.trouble}")
            failed = True
            continue
        try:
            (vector,) = link.ask([query], Purpose.QUERY)
        except ProviderFailed as failure:
            reasons.append(f"{failure.provider} failed: {failure.why}")
            failed = True
            continue
        if not vector:
            reasons.append("the question has no vector in this model: keywords only")
            if link is chain.first:  # it knows best that it does not know this language; others would guess
                break
            continue
        if link is not chain.first:
            first = next((source.covered for source in able if source.link is chain.first), None)
            if first is not None and first.share < covered.share:  # it was not even asked
                reasons.append(_partial(chain.first, first))
            reasons.append(f"{link.name} / {space.model} answers meanwhile")
        elif covered.share < 1.0:
            reasons = [_partial(link, covered)]
        else:
            reasons = []
        return QueryVector(vector, database.vectors(space), "; ".join(dict.fromkeys(reasons)), failed)
    return QueryVector(None, None, "; ".join(dict.fromkeys(reasons)), failed)


def _able(database: Database, chain: Chain) -> tuple[list[_Able], list[str]]:
    """Return every provider whose space is known, with how much that covers; and what is to be said of the others."""
    sealed = database.connection.read_only  # then no space can be begun
    begun = database.spaces()
    able: list[_Able] = []
    reasons: list[str] = []
    for link in chain.links:
        is_first = link is chain.first
        space = link.known_space()
        covered = None
        if space is None and is_first:
            reasons.append(_unknown(link))
        elif space is not None and (space in begun or (is_first and not sealed)):
            covered = database.vectors(space).coverage()
            able.append(_Able(link, space, covered))
        is_full = covered is not None and covered.share >= 1.0
        if not is_full and (is_first or link.embedded):
            able.extend(_before(database, link, begun))
    return able, reasons


def _before(database: Database, link: Link, begun: Sequence[SpaceKey]) -> Iterator[_Able]:
    """Yield what a provider had before its model or dimensions changed, newest first, where that is still of use."""
    for space in reversed(begun):
        older = link.older(space)
        if older is not None:
            covered = database.vectors(space).coverage()
            if covered.share >= _USEFUL:
                yield _Able(older, space, covered)


def _unknown(link: Link) -> str:
    try:
        link.embedder()
    except ProviderFailed as failure:
        return f"{failure.provider} failed: {failure.why}"
    trouble = ""
    if link.trouble:
        trouble = f" ({link.trouble})"
    return f"nothing has been embedded by {link.name} yet{trouble}; `holdfast index` does it"


def _partial(link: Link, covered: Coverage) -> str:
    texts, embedded = covered
    if not texts:
        return "there is nothing to search yet"
    trouble = ""
    if link.trouble:
        trouble = f" ({link.trouble})"
    so_far = f"vectors of {link.name} cover {embedded:,} of {count_of(texts, 'text')} so far{trouble}"
    return f"{so_far}; `holdfast index` fills in the rest, or says what it waits for"
