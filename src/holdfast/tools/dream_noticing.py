"""A search that was answered → a count for each line that answered it, by hashes; never a reason for it to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.tools.rooms import Rooms

if TYPE_CHECKING:
    from holdfast.search.hit import Results

__all__ = ["notice_answers"]


def notice_answers(rooms: Rooms, found: Results) -> None:
    """Count the best hits of a search for dreaming, where that is wanted."""
    if not rooms.settings.dreaming.enabled or not found.results:
        return
    from holdfast.dreaming.signals import LEAST_SCORE, MOST_HITS, answering, counted, is_source, query_key
    from holdfast.index.sqlite.signals import Asked, Signals, signals_beside
    from holdfast.tools.facts_book import today

    # The note that a line comes from before MEMORY.md, where it may have been put since.
    hits = [hit for hit in found.results[:MOST_HITS] if hit.score >= LEAST_SCORE and counted(hit.path)]
    if not hits:
        return
    hits.sort(key=lambda hit: not is_source(hit.path))
    with rooms.database.connection.reading():
        edition = rooms.database.serving()
        chunks = [edition.chunk_at(hit.chunk_id) if edition is not None else None for hit in hits]
    query, day, now = query_key(found.query), today(rooms).isoformat(), rooms.clock.now()
    rows: dict[str, Asked] = {}
    for hit, chunk in zip(hits, chunks, strict=True):
        if chunk is not None:
            for claim in answering(found.query, chunk.text, hit.path):
                rows.setdefault(
                    claim, Asked(claim, query, day, hit.path, chunk.text_hash, min(1.0, max(0.0, hit.score)), now)
                )
    Signals(signals_beside(rooms.index_path)).record(list(rows.values()))
