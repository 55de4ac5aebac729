"""No origin but the owner's fills a page alone, and the order is the same however many hits are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.guard.origin import (
    Origin,
    decode_line_origins,
    encode_line_origins,
    weakest_origin,
    weakest_origin_between,
)
from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate
from holdfast.search.fusion import Fused
from holdfast.search.note_groups import NoteGroup
from holdfast.search.origin_balance import balance_origins, whose_lines

KINDS = st.sampled_from([*Origin, None])


def candidate(row: int, score: float, origin: Origin | None) -> NoteGroup:
    chunk = StoredChunk(row, f"{row}", "", f"memory/{row}.md", "memory", 1, 1, (), "words", origin=origin)
    return NoteGroup(Candidate(score, Fused(row, score, None, score), {}), (chunk,))


def rows(found: Sequence[NoteGroup]) -> list[int]:
    return [one.candidate.fused.row for one in found]


def test_of_five_hits_the_fourth_from_elsewhere_gives_way_to_one_of_the_owners_that_is_about_as_good() -> None:
    found = [candidate(n, 0.9 - n / 100, Origin.IMPORT) for n in range(8)]
    every = range(100)
    assert balance_origins(found, every) == found, "there is nobody to give way to"
    order = balance_origins([*found, candidate(50, 0.5, Origin.OUTSIDE)], every)
    assert rows(order) == [0, 1, 2, 50, 3, 4, 5, 6, 7]
    scores = [one.candidate.score for one in order]
    assert scores == sorted(scores, reverse=True)
    far = [*found, candidate(50, 0.3, Origin.USER)]
    assert rows(balance_origins(far, every)) == rows(far), (
        "what has little to do with the question takes nobody's place"
    )
    poor = [candidate(n, 0.3 - n / 100, None) for n in range(5)]
    assert rows(balance_origins([*poor, candidate(50, 0.1, Origin.USER)], every))[3] == 50, (
        "nor does what is no answer keep one"
    )


@given(st.lists(KINDS, max_size=24), st.lists(KINDS, max_size=24))
def test_what_comes_behind_changes_nothing_in_what_comes_first(
    first: list[Origin | None], behind: list[Origin | None]
) -> None:
    ahead = [candidate(n, 0.9 - n / 100, origin) for n, origin in enumerate(first)]
    rest = [candidate(100 + n, 0.5 - n / 100, origin) for n, origin in enumerate(behind)]
    order = balance_origins([*ahead, *rest], range(len(first)))
    assert rows(order)[: len(first)] == rows(balance_origins(ahead, range(len(first))))
    assert sorted(rows(order)) == sorted(rows([*ahead, *rest]))


@given(st.lists(st.sampled_from([*Origin, "?", "-"]), min_size=1), st.integers(0, 20), st.integers(0, 20))
def test_whose_each_line_is_can_be_written_and_read_back(lines: list[Origin | str], first: int, more: int) -> None:
    told = encode_line_origins(lines)
    known = [one if isinstance(one, Origin) else None for one in lines]
    assert decode_line_origins(told) == known
    shown = {one for one, line in zip(known, lines, strict=True) if line != "-"} if not first else None
    if shown is not None and more >= len(lines):
        assert weakest_origin_between(told, 0, more) == weakest_origin(shown)


def test_a_hit_is_whose_the_lines_are_that_it_shows() -> None:
    told = encode_line_origins([Origin.USER, "-", Origin.MCP_TOOL, "?"])
    chunk = StoredChunk(1, "1", "", NOTE, "memory", 11, 14, (), "a\n\nb\nc", origin=None, by_line=told)
    asked = [(11, 12), (11, 13), (13, 13), (14, 14), (1, 99)]
    assert [whose_lines([chunk], *lines) for lines in asked] == [
        Origin.USER,
        Origin.MCP_TOOL,
        Origin.MCP_TOOL,
        None,
        None,
    ]


NOTE = "memory/launch.md"


def test_a_page_is_shared_and_the_first_hits_stay_the_first_when_more_are_wanted(home: Path) -> None:
    (home / "memory/imports").mkdir(parents=True)
    for number in range(10):
        words = " ".join(f"w{number}x{part}" for part in range(30))
        (home / f"memory/imports/{number}.md").write_text(f"The rocket launch is blue. {words}\n", encoding="utf-8")
    for number in range(20):
        words = " ".join(f"o{number}x{part}" for part in range(60))
        (home / f"memory/own{number}.md").write_text(f"A launch of the blue rocket: {words}\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        every = [hit.chunk_id for hit in memory.search("rocket launch blue", max_results=30, min_score=0).results]
        page = memory.search("rocket launch blue", max_results=5, min_score=0).results
        assert {hit.origin for hit in page} == {Origin.IMPORT, Origin.OUTSIDE}
        for limit in (1, 3, 5, 6, 10, 16, 17, 29):
            found = memory.search("rocket launch blue", max_results=limit, min_score=0).results
            assert [hit.chunk_id for hit in found] == every[:limit]


def test_who_asks_for_what_is_trusted_finds_it_behind_any_number_of_others(home: Path) -> None:
    (home / "memory/imports").mkdir(parents=True)
    for number in range(150):
        (home / f"memory/imports/{number}.md").write_text("The rocket, the rocket, rocket!\n", encoding="utf-8")
    with Memory.open(home, origin=Origin.USER, settings={"memory.disable_rag": True}) as memory:
        memory.save("Of all that we talked about in March, a rocket was the least.", file=NOTE)
        assert [hit.path for hit in memory.search("rocket", min_trust="user").results] == [NOTE]
        assert [hit.path for hit in memory.search("rocket", min_trust="agent").results] == [NOTE]
        assert len(memory.search("rocket", max_results=100, min_trust="import").results) == 100
