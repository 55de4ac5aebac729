"""What the pages Dreams, Quality and Map ask for."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from surfaces.http.serving import Page, Served


def done(page: Page, kind: str) -> dict[str, Any]:
    """What comes of a job."""
    job = page.call("POST", "/jobs", {"kind": kind}).json
    ends = time.monotonic() + 60
    while job["state"] in ("waiting", "running") and time.monotonic() < ends:
        job = page.call("GET", f"/jobs/{job['id']}").json
    assert job["state"] == "done", job
    result: dict[str, Any] = job["result"]
    return result


@pytest.fixture(scope="module")
def notes(page: Page) -> None:
    for path, text in {
        "memory/garden.md": "# Garden\n\n- Tomatoes are watered on Mondays.\n- The apple tree is cut in February.\n",
        "memory/kitchen.md": "# Kitchen\n\n- Sourdough rests for twelve hours.\n- The oven needs 230 degrees.\n",
        "memory/server.md": "# Server\n\n- Deploys go out at noon.\n- The database is backed up nightly.\n",
        "memory/travel.md": "# Travel\n\n- The ferry to Naxos takes five hours.\n",
    }.items():
        assert page.call("PUT", f"/notes/{path}", {"content": text}).status == 201


@pytest.mark.usefixtures("notes")
def test_the_map_has_a_point_for_each_note_and_names_its_groups(page: Page) -> None:
    page.call("POST", "/sync", {})
    shown = page.call("GET", "/map").json
    assert {"memory/garden.md", "memory/kitchen.md", "memory/server.md", "memory/travel.md"} <= set(shown["notes"])
    assert len(shown["points"]) == len(shown["notes"])
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y, _, _ in shown["points"])
    assert sorted(place for _, _, place, _ in shown["points"]) == list(range(len(shown["notes"])))
    assert sum(group["count"] for group in shown["groups"]) == len(shown["notes"])
    assert all(group["label"] for group in shown["groups"])
    assert page.call("GET", "/map").json == shown  # drawn again, it is the same picture


def test_a_home_without_an_index_has_no_map_and_says_why(page: Page) -> None:
    shown = page.call("GET", "/map?agent=nobody").json
    assert shown["points"] == [] and shown["because"]


@pytest.mark.usefixtures("notes")
def test_questions_are_kept_scored_and_a_miss_says_why(web: Served, page: Page) -> None:
    empty = page.call("GET", "/questions").json
    assert (empty["questions"], empty["hash"]) == ([], "")
    rows = [
        {"query": "when are the tomatoes watered", "path": "memory/garden.md", "line": 3},
        {"query": "how long does the ferry take", "path": "memory/kitchen.md", "line": 3},
        {"query": "how long does sourdough rest", "path": "memory/gone.md"},
    ]
    kept = page.call("PUT", "/questions", {"questions": rows, "expected_hash": ""}).json
    assert kept["questions"] == rows == page.call("GET", "/questions").json["questions"]
    assert kept["missing"] == ["memory/gone.md"] == page.call("GET", "/questions").json["missing"]
    lines = (web.home / kept["file"]).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows  # as `holdfast eval run` reads it
    report = done(page, "quality")
    assert report["questions"] == 3
    assert report["notes"] == pytest.approx(1 / 3, abs=1e-3) or report["notes"] == pytest.approx(2 / 3, abs=1e-3)
    assert report["floor"] is not None
    why = {miss["query"]: miss["because"] for miss in report["misses"]}
    assert "no note memory/gone.md any more" in why["how long does sourdough rest"]
    assert "no word of the question: long, ferry, take" in why["how long does the ferry take"]
    assert "when are the tomatoes watered" not in why


def test_questions_that_changed_meanwhile_are_not_overwritten(page: Page) -> None:
    first = page.call("GET", "/questions?agent=racer").json
    mine = {"questions": [{"query": "mine", "path": "memory/a.md"}], "expected_hash": first["hash"]}
    theirs = {"questions": [{"query": "theirs", "path": "memory/a.md"}], "expected_hash": first["hash"]}
    assert page.call("PUT", "/questions?agent=racer", mine).status == 200
    assert page.call("PUT", "/questions?agent=racer", theirs).status in (409, 412)
    assert page.call("GET", "/questions?agent=racer").json["questions"][0]["query"] == "mine"


@pytest.mark.parametrize("row", [{"query": ""}, {"path": "memory/a.md"}, {"query": "x", "strange": 1}, "text"])
def test_a_question_that_can_not_be_asked_is_refused(page: Page, row: Any) -> None:
    refused = page.call("PUT", "/questions?agent=other", {"questions": [row], "expected_hash": ""})
    assert refused.status == 400 and refused.error == "BadArgument"


@pytest.mark.usefixtures("notes")
def test_questions_are_drafted_from_the_notes(page: Page) -> None:
    drafts = page.call("GET", "/questions/draft?count=5").json["questions"]
    assert 1 <= len(drafts) <= 5 and {"query", "path", "line", "category"} == set(drafts[0])


def test_a_run_of_dreaming_is_listed_with_why_and_rolled_back_twice(web: Served, page: Page) -> None:
    run_folder = web.home / "memory" / "dreams"
    page.call("PATCH", "/settings", {"changes": {"dreaming.deep.min_recall_count": 1}})
    page.call("PUT", "/notes/memory/habits.md", {"content": "- The owner waters the roses every Friday.\n"})
    for question in ("when are the roses watered", "what does the owner do every Friday"):
        page.call("POST", "/search", {"query": question})
    made = page.call("POST", "/dreams", {}).json
    assert made["checkpointIds"], made
    (run,) = page.call("GET", "/dreams/runs").json["runs"]
    assert run["run"] == made["run"] and not run["rolled_back"]
    assert run["report"] and (web.home / run["report"]).parent == run_folder
    assert run["why"] and not any("Undo with" in line for line in run["why"])
    back = page.call("POST", "/dreams/rollback", {"run": run["run"]}).json
    (after,) = page.call("GET", "/dreams/runs").json["runs"]
    assert after["rolled_back"]
    # The rollback is taken back, as Undo in the page does; then the run can be rolled back once more.
    assert page.call("POST", "/undo", {"checkpoint_ids": back["checkpointIds"]}).status == 200
    (again,) = page.call("GET", "/dreams/runs").json["runs"]
    assert not again["rolled_back"]
    assert page.call("POST", "/dreams/rollback", {"run": run["run"]}).status == 200
