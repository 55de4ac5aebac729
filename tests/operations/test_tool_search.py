"""memory_search, through Memory and through the dispatcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadArgument, TooLarge
from holdfast.guard.origin import Origin

SHAPE = {"query", "backend", "mode", "because", "partial", "results", "likely", "provider", "model", "took_ms"}
HIT = {
    *(
        "chunk_id",
        "path",
        "start_line",
        "end_line",
        "score",
        "confidence",
        "likely",
        "vector_score",
        "text_score",
        "snippet",
        "citation",
    ),
    "source",
    "origin",
}


def fill(memory: Memory, count: int = 12) -> None:
    for number in range(count):
        memory.save(f"Launch note {number}: the launch is on day {number}.", file=f"memory/n{number:02}.md")


def test_the_result_has_the_shape_of_the_issue() -> None:
    with Memory.open(settings={"memory.disable_rag": True}) as memory:
        fill(memory, 3)
        found = memory.tools().call("memory_search", {"query": "when is the launch?"})
    assert set(found) == SHAPE
    assert (found["query"], found["mode"], found["provider"]) == ("when is the launch?", "keyword", None)
    assert "disable_rag" in found["because"]
    assert len(found["results"]) == 3
    assert all(set(hit) == HIT for hit in found["results"])


def test_six_hits_by_default_and_as_many_as_limit_says() -> None:
    with Memory.open() as memory:
        fill(memory)
        tools = memory.tools()
        assert len(tools.call("memory_search", {"query": "launch"})["results"]) == 6
        assert len(tools.call("memory_search", {"query": "launch", "limit": 9})["results"]) == 9
        assert len(tools.call("memory_search", {"query": "launch", "limit": 2.0})["results"]) == 2
        assert len(memory.search("launch", max_results=1).results) == 1
    with Memory.open(settings={"memory.search.max_results": 2}) as memory:
        assert len(memory.search("launch").results) == 2


def test_min_score_leaves_out_what_scores_lower() -> None:
    with Memory.open() as memory:
        fill(memory)
        every = memory.search("launch day 3", max_results=12).results
        bar = every[2].score
        some = memory.search("launch day 3", max_results=12, min_score=bar).results
        assert [hit.chunk_id for hit in some] == [hit.chunk_id for hit in every if hit.score >= bar]
        assert memory.tools().call("memory_search", {"query": "launch", "min_score": 1})["results"] == [
            hit.to_json() for hit in memory.search("launch", min_score=1.0).results
        ]


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": 101}, {"limit": -1}, {"min_score": -0.1}, {"min_score": 1.5}, {"query": " "}]
)
def test_values_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with Memory.open() as memory:
        assert memory.tools().call("memory_search", {"query": "x", **wrong})["error"]["type"] == "BadArgument"
    with Memory.open() as memory, pytest.raises(BadArgument):
        memory.search("x", min_score=float("nan"))


def test_a_question_as_long_as_a_book_is_refused() -> None:
    with Memory.open() as memory, pytest.raises(TooLarge):
        memory.search("word " * 100_000)


@pytest.mark.parametrize("query", ['"', "a AND", "NEAR(", "*", "x:y", "(((", "-", "\ud800", "🦀", "col:*^2", "%_"])
def test_no_query_breaks_the_search(query: str) -> None:
    with Memory.open() as memory:
        fill(memory, 2)
        assert memory.search(query).results is not None


@pytest.mark.parametrize(("mode", "one", "several"), [("auto", False, True), ("on", True, True), ("off", False, False)])
def test_citations_follow_the_setting(mode: str, one: bool, several: bool) -> None:
    with Memory.open(settings={"memory.citations": mode}) as memory:
        memory.save("# Zoo\n\nThe giraffe is tall.", file="memory/a.md")
        hits = memory.search("giraffe").results
        assert [hit.citation for hit in hits] == ([f"Source: memory/a.md#{hits[0].start_line}"] if one else [None])
        memory.save("A giraffe again.", file="memory/b.md")
        assert all(bool(hit.citation) == several for hit in memory.search("giraffe").results)


def test_an_edit_made_outside_is_found(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("one")
    (home / "memory").mkdir()
    (home / "memory/outside.md").write_text("written in an editor\n", encoding="utf-8")
    with Memory.open(origin=Origin.USER) as memory:
        assert memory.search("editor").results[0].path == "memory/outside.md"


def test_search_answers_from_keywords_when_the_provider_is_down_and_says_so() -> None:
    embedder = FakeEmbedder()
    with Memory.open(embedder=embedder) as memory:
        fill(memory, 3)
        up = memory.search("launch day")
        assert (up.mode, up.because) == ("hybrid", "")
        embedder.down = True
        down = memory.search("launch day")
        assert down.mode == "keyword"
        assert "failed" in down.because
        assert down.results
        memory.save("Saved while the provider is down: walrus.", file="memory/w.md")
        assert memory.search("walrus").results[0].path == "memory/w.md"


def test_disable_rag_searches_by_keywords_alone() -> None:
    with Memory.open(settings={"memory.disable_rag": True}, embedder=FakeEmbedder()) as memory:
        fill(memory, 2)
        found = memory.search("launch")
        assert (found.mode, found.because) == ("keyword", "memory.disable_rag is on: keywords only")
