"""The last look at the order: hits that repeat each other give way, no note crowds out the others, overlaps are one.

Everything works on the whole list and is cut afterwards, so the first hits stay the first when more are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from holdfast.index.store import StoredChunk
from holdfast.search.diversify import Merged, Piece, alike, merge_neighbours, mmr, spread
from holdfast.search.standing import Standing
from holdfast.settings.values import MmrSettings

__all__ = ["Arranged", "arranged", "falling", "in_blocks"]

_FROM_ONE_NOTE = 3  # a fourth hit gives way to one of another note that is about as good
_AS_GOOD = 0.5
_AS_GOOD_AS_A_TURN = 0.95  # at .5 the lines of a chat lost four points of any@10


class Arranged(NamedTuple):
    """A candidate, and the chunks that are shown as one with it, itself included, in the order of the note."""

    standing: Standing
    chunks: tuple[StoredChunk, ...]


def arranged(
    ranked: Sequence[Standing],
    chunks: Mapping[int, StoredChunk],
    settings: MmrSettings,
    most_size: int,
    vectors_of: Callable[[Sequence[int]], Mapping[int, bytes]] | None = None,
) -> list[Arranged]:
    """The candidates as they will be shown, best first."""
    by_row = {one.fused.row: one for one in ranked}
    rows = list(by_row)
    if settings.enabled:
        texts = {row: chunks[row].text for row in rows}
        similar = alike(texts, vectors_of(rows) if vectors_of is not None else None)
        rows = mmr([(row, by_row[row].score) for row in rows], similar, settings.relevance)
    rows = spread(
        rows,
        lambda row: chunks[row].path,
        _FROM_ONE_NOTE,
        score_of=lambda row: by_row[row].score,
        least_of=lambda row: _AS_GOOD_AS_A_TURN if _is_turn(chunks[row]) else _AS_GOOD,
    )
    standing = {one.fused.row: one for one in falling([by_row[row] for row in rows])}
    # Only chunks that share lines: two bullets below each other are two answers, and it is the line that counts.
    merged = merge_neighbours([_piece(standing[row], chunks[row]) for row in rows], most_size, gap=0)
    return [_joined(one, standing, chunks) for one in merged]


def _is_turn(chunk: StoredChunk) -> bool:
    """Whether it is what somebody said in a conversation: those are many and short, and the next may say the rest."""
    return chunk.source == "sessions" or chunk.path.startswith("memory/sessions/")


def in_blocks(
    ranked: Sequence[Standing],
    first: Collection[int],
    chunks: Mapping[int, StoredChunk],
    settings: MmrSettings,
    most_size: int,
    vectors_of: Callable[[Sequence[int]], Mapping[int, bytes]] | None = None,
) -> list[Arranged]:
    """The same for the rows that are `first` and for those behind them, each by themselves: what comes first does not
    depend on how many come behind."""
    parts = [[one for one in ranked if (one.fused.row in first) is ahead] for ahead in (True, False)]
    found = [one for part in parts if part for one in arranged(part, chunks, settings, most_size, vectors_of)]
    return [
        Arranged(*pair)
        for pair in zip(falling([one.standing for one in found]), [one.chunks for one in found], strict=True)
    ]


def falling(ranked: Sequence[Standing]) -> list[Standing]:
    """No score above the one before it: what gave way, or was not weighed, follows what did not."""
    found: list[Standing] = []
    most = 1.0
    for one in ranked:
        if one.score > most:
            limit = one.later.get("limit", 0.0) - (one.score - most)
            found.append(Standing(most, one.fused, {**one.later, "limit": limit}))
        else:
            found.append(one)
            most = one.score
    return found


def _piece(one: Standing, chunk: StoredChunk) -> Piece:
    # A piece of one long line shares its line with others, which are not its neighbours but its continuation.
    whole = chunk.text.count("\n") == chunk.end_line - chunk.start_line
    path = chunk.path if whole else f"{chunk.path}\0{chunk.row}"
    return Piece(chunk.row, path, chunk.start_line, chunk.end_line, one.score, len(chunk.text))


def _joined(one: Merged, standing: Mapping[int, Standing], chunks: Mapping[int, StoredChunk]) -> Arranged:
    rows = [row for row in one.keys if isinstance(row, int)]
    together = sorted((chunks[row] for row in rows), key=lambda chunk: (chunk.start_line, chunk.end_line))
    return Arranged(standing[rows[0]], tuple(together))
