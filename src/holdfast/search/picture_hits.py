"""What images show beside what texts say: candidates of a second space, by the same question."""

from __future__ import annotations

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, Within
from holdfast.search.fusion import Fused, best_first, nearnesses

__all__ = ["picture_vectors", "with_pictures"]


def picture_vectors(database: Database, vectors: Vectors | None) -> Vectors | None:
    """The space of images that goes with the one a question is asked in; None where there is none."""
    if vectors is None or not vectors.space.by_block:  # no model in this process takes images
        return None
    space = vectors.space.of_pictures
    return database.vectors(space) if space in database.spaces() else None


def with_pictures(
    fused: list[Fused], pictures: Vectors, packed: bytes, limit: int, share: float, within: Within | None
) -> tuple[list[Fused], Near]:
    """The candidates with images among them, each as near as it is above the background of images; and those alone."""
    near = pictures.nearest(packed, limit, (), within)
    by_row = {one.row: one for one in fused}
    for row, score in nearnesses({one.row: one.score for one in near.ranked}, near).items():
        part, told = share * score, by_row.get(row)
        if told is None:
            by_row[row] = Fused(row, part, score, None, vector=part)
        elif part > told.vector:  # its words may say less of it than what it shows
            by_row[row] = told._replace(score=told.text + part, vector_score=score, vector=part)
    return best_first(list(by_row.values())), near
