"""Who stores vectors is killed at any point: what the index says it has is right, the rest is made again (P6)."""

from __future__ import annotations

from pathlib import Path

import pytest
from counts import counted
from faults.children import children
from vector_shelf import Shelf, made

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]

EVERYTHING = made(0) | made(10_000, 5) | made(20_000) | made(30_000)
POINTS = list(
    range(1, 26)
)  # before and after each commit, file put in place and file removed; at the last ones it is done


def test_who_is_killed_leaves_no_wrong_vector_and_the_next_one_finishes(tmp_path: Path) -> None:
    ends: list[bool] = []
    for point in POINTS[:: counted(4, 1)]:
        path = tmp_path / f"{point}.sqlite"
        with children("_child_stores_vectors.py", [[path, point]]) as (child,):
            child.go()
            ends.append(child.killed_itself())
        shelf = Shelf(path)
        held = shelf.held()
        assert held.items() <= EVERYTHING.items()
        missing = shelf.vectors.missing(list(EVERYTHING))
        assert set(missing) == EVERYTHING.keys() - held.keys()
        shelf.put({text_hash: EVERYTHING[text_hash] for text_hash in missing})
        shelf.vectors.tidy()
        assert shelf.held() == EVERYTHING
        assert shelf.database.check() == []
        assert len(shelf.files()) == len(shelf.connection.all("SELECT 1 FROM vector_files"))
        shelf.database.close()
    assert ends[0] and not ends[-1], "the points are not all that there are"
