"""Asking every question through a real memory: scores, categories, levels, ways, and homes that are used again."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import BadArgument, NotFound
from holdfast.evaluation.configurations import SHIPPED, WAYS, Way, every_way, named_ways
from holdfast.evaluation.eval_memory import in_own_home, in_temporary_homes, notes_of
from holdfast.evaluation.eval_run import FLOOR, Outcome, evaluate, floor_of
from holdfast.evaluation.homes import Homes, put_file
from holdfast.evaluation.page import figure, quality_page
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Level
from holdfast.guard.origin import Origin
from holdfast.memory import Memory
from holdfast.settings.keys import BY_PATH


def outcomes(data: Path, name: str, *ways: str) -> list[Outcome]:
    labelled = load_set(name, str(data))
    with Homes() as homes:
        found = list(evaluate(labelled, named_ways(list(ways)), in_temporary_homes(homes, name, {})))
    return [*floor_of(labelled), *found]


def test_a_conversation_is_scored_by_turn_and_by_session(data: Path) -> None:
    found = {(one.way, one.level): one for one in outcomes(data, "locomo", "shipped", "keywords")}
    assert set(found) == {(way, level) for way in (FLOOR, "shipped", "keywords") for level in Level}
    for one in found.values():
        assert one.overall.questions == 4
        assert set(one.categories) == {"single-hop", "multi-hop", "temporal", "adversarial"}
        assert sum(scores.questions for scores in one.categories.values()) == 4
        assert one.overall["any@5"] == 1
        assert 0 <= one.p50_ms <= one.p95_ms
    assert found["keywords", Level.LINE].modes == {"keyword": 4}
    assert found["shipped", Level.LINE].modes == {"hybrid": 4}
    assert found["shipped", Level.LINE].categories["multi-hop"]["all@5"] == 1


@pytest.mark.parametrize("name", ["scifact", "qmd", "docs"])
def test_the_other_sets_are_scored_by_note(name: str, data: Path) -> None:
    found = outcomes(data, name, "shipped")
    assert [(one.way, one.level) for one in found] == [(FLOOR, Level.NOTE), ("shipped", Level.NOTE)]
    assert found[-1].overall["any@10"] > 0


def test_progress_is_told_and_figures_do_not_depend_on_the_order_of_the_ways(data: Path) -> None:
    labelled = load_set("xquad", str(data))
    told: list[str] = []

    def run(*ways: str) -> dict[str, object]:
        with Homes() as homes:
            opening = in_temporary_homes(homes, "xquad", {})
            found = evaluate(
                labelled, named_ways(list(ways)), opening, progress=lambda what, done, total: told.append(what)
            )
            return {one.way: (one.overall, one.categories) for one in found}

    assert run("shipped", "keywords") == run("keywords", "shipped")
    assert any("XQuAD, keywords" in what for what in told)


def test_misses_are_told_worst_first_and_without_those_at_the_first_place(data: Path) -> None:
    (floor,) = outcomes(data, "docs")
    assert [(miss.question, miss.rank, miss.found) for miss in floor.misses] == [("About teams", 0, ())]
    assert floor.to_json(misses=1)["misses"] != []
    assert "misses" not in floor.to_json()


def test_kept_homes_are_used_again_and_other_notes_get_another_home(data: Path, tmp_path: Path) -> None:
    (talk,) = load_set("locomo", str(data)).collections
    with Homes(str(tmp_path / "kept")) as homes:
        home = Path(homes.of("locomo", talk))
    notes = sorted((home / "memory/sessions").iterdir())
    times = [note.stat().st_mtime_ns for note in notes]
    with Homes(str(tmp_path / "kept")) as homes:
        assert homes.of("locomo", talk) == str(home)
        assert [note.stat().st_mtime_ns for note in notes] == times
        assert homes.of("locomo", talk._replace(notes={"memory/a.md": "x"})) != str(home)
    assert [note.name for note in notes] == ["2023-05-08-session-1.md", "2023-09-13-session-2.md"]


def test_temporary_homes_are_gone_afterwards_and_the_environment_has_no_say(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_DISABLE_RAG", "true")
    (talk,) = load_set("locomo", str(data)).collections
    with Homes() as homes:
        with in_temporary_homes(homes, "locomo", {})(talk, Way(SHIPPED, {})) as memory:
            assert not memory.settings.memory.disable_rag
            assert memory.ctx.clock.now() == talk.asked
            place = Path(memory.home)
        assert place.exists()
    assert not place.exists()


def test_every_way_that_is_offered_can_be_opened_and_differs_from_what_is_shipped(tmp_path: Path) -> None:
    ways, notes = every_way()
    assert ways[0] == Way(SHIPPED, {})
    with Memory.open(tmp_path / "plain") as memory:
        shipped = memory.settings
    for way in ways:
        assert all(path in BY_PATH for path in way.settings)
        with Memory.open(tmp_path / way.name.replace("'", ""), settings=way.settings) as memory:
            assert way.name == SHIPPED or memory.settings != shipped
    left_out = set(WAYS) - {way.name for way in ways}
    assert len(notes) == len(left_out)


def test_a_way_that_does_not_exist_is_an_error_that_names_those_that_do() -> None:
    with pytest.raises(BadArgument, match=r"no way 'sideways'.*shipped, keywords"):
        named_ways(["sideways"])


def test_the_own_home_must_exist_and_its_notes_are_all_read(home: Path) -> None:
    with pytest.raises(NotFound, match="holdfast init"):
        in_own_home(None, "main", {})
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("Prefers tea.")
        memory.save("# Plans\n", file="memory/plans.md")
        (home / "memory/bad.md").write_bytes(b"\xff\xfe\x00")
        assert notes_of(memory).keys() == {"MEMORY.md", "memory/plans.md"}


def test_the_page_has_figures_commands_and_no_times(data: Path) -> None:
    found = [*outcomes(data, "locomo", "shipped", "keywords", "rrf"), *outcomes(data, "qmd", "shipped")]
    page = quality_page(found, command="holdfast eval run all", note="## What was tuned on what\n\nNothing.")
    assert page.startswith("# ")
    assert "```sh\nholdfast eval run all\n```" in page
    assert "| LoCoMo, turns | floor | 4 |" in page
    assert "| LoCoMo, sessions | shipped | 4 |" in page
    assert '- **rrf**: `memory.search_merge_strategy = "rrf"`' in page
    assert "### LoCoMo, turns" in page
    assert "### QMD's example" not in page
    assert page.endswith("## What was tuned on what\n\nNothing.\n")
    assert " ms" not in page
    short = quality_page(found[:2], command="x", sample=7, model="minilm")
    assert "no more than 7 a set" in short
    assert "`minilm` for vectors" in short
    assert "What each stage" not in short


def test_figures_are_shown_as_people_write_them() -> None:
    assert [figure(value) for value in (0.0, 0.7364, 0.9996, 1.0)] == [".000", ".736", "1", "1"]


def test_a_file_that_says_the_same_already_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "new/page.md"
    put_file(str(file), "one\n")
    before = file.stat().st_mtime_ns, file.stat().st_ino
    put_file(str(file), "one\n")
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before
    put_file(str(file), "two\n")
    assert file.read_text(encoding="utf-8") == "two\n"
    assert [path.name for path in file.parent.iterdir()] == ["page.md"]
