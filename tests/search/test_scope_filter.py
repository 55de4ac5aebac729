"""What is left out of a search is a list as long as what is left out, and the rest is found as if it were alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlite_vec

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.index.store_contract import Within
from holdfast.search.scope import Scope
from holdfast.search.scope_filter import within

QUESTION = "who mends the kettle of room 27?"


@pytest.fixture(params=[None, sqlite_vec.loadable_path()])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    settings = {} if request.param is None else {"memory.store.vector.extension_path": request.param}
    (tmp_path / "memory").mkdir()
    for number in range(60):
        text = f"# Room {number}\n\nThe kettle of room {number} is mended by Ida.\n"
        (tmp_path / "memory" / f"room{number}.md").write_text(text, encoding="utf-8")
    with Memory.open(tmp_path, embedder=FakeEmbedder(), settings=settings) as memory:
        yield memory


def write_report(memory: Memory) -> None:
    folder = Path(memory.ctx.home) / "memory" / "dreams"
    folder.mkdir()
    (folder / "2026-11-14.md").write_text("# Dream\n\nWho mends the kettle of room 27? Ida.\n", encoding="utf-8")


def inside(memory: Memory, scope: Scope) -> Within:
    edition = memory.ctx.database.serving()
    assert edition is not None
    with memory.ctx.database.connection.reading():
        return within(scope, edition)


def test_a_report_of_a_dream_changes_no_other_hit_and_is_none(memory: Memory) -> None:
    before = [hit.citation for hit in memory.search(QUESTION).results]
    write_report(memory)
    assert [hit.citation for hit in memory.search(QUESTION).results] == before
    found = memory.search(QUESTION, path="memory/dreams/").results
    assert [hit.path for hit in found] == ["memory/dreams/2026-11-14.md"]


def test_what_a_search_leaves_out_is_listed_and_not_what_it_keeps(memory: Memory) -> None:
    write_report(memory)
    memory.sync()
    scope = Scope(without=("memory/dreams/",))
    assert inside(memory, scope).all_but
    assert len(inside(memory, scope).notes) == 1
    assert not inside(memory, scope.replace(min_trust="user")).all_but
    assert len(inside(memory, scope.replace(paths=("memory/",))).notes) == 60


@pytest.mark.parametrize("question", [QUESTION, '"kettle of room 31"', "kettle"])
def test_what_is_left_out_is_not_found_and_all_else_is(memory: Memory, question: str) -> None:
    from holdfast.context.note_search import search_without

    every = [hit.path for hit in search_without(memory.ctx, question, 60, ()).results]
    left = [hit.path for hit in search_without(memory.ctx, question, 60, ("memory/room2*",)).results]
    assert sorted(left) == sorted(path for path in every if not path.startswith("memory/room2"))
