"""Tell what images show beside what texts say: candidates of a second space, by the same question."""

from __future__ import annotations

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, Within
from holdfast.search.fusion import Fused, best_first, nearnesses

__all__ = ["add_pictures", "picture_vectors"]


def picture_vectors(database: Database, vectors: Vectors | None) -> Vectors | None:
    """Return the space of images that goes with the one a question is asked in; None where there is none."""
    if vectors is None or not vectors.space.by_block:  # no model in this process takes images
        return None
    space = vectors.space.of_pictures
    if space not in database.spaces():
        return None
    return database.vectors(space)


def add_pictures(
    fused: list[Fused], pictures: Vectors, packed: bytes, limit: int, share: float, within: Within | None
) -> tuple[list[Fused], Near]:
    """Return the candidates with images among them, and the images alone.

    Each image is as near as it is above the background of images.
    """
    near = pictures.nearest(packed, limit, (), within)
    by_row = {candidate.row: candidate for candidate in fused}
    for row, score in nearnesses({hit.row: hit.score for hit in near.ranked}, near).items():
        part, candidate = share * score, by_row.get(row)
        if candidate is None:
            by_row[row] = Fused(row, part, score, None, vector=part)
        elif part > candidate.vector:  # its words may say less of it than what it shows
            by_row[row] = candidate._replace(score=candidate.text + part, vector_score=score, vector=part)
    return best_first(list(by_row.values())), near
