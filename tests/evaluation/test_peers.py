"""Peers beside Holdfast: what they print is understood, one judge counts it, and the page shows what was counted.

The answers are written after what the programs printed, in their shape and with other words.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from peer_answers import (
    Given,
    given_by_basic_memory,
    given_by_holdfast,
    given_by_mcp_memory,
    given_by_mempalace,
    given_by_memsearch,
    given_by_memweave,
    given_by_qmd,
    tool_reply,
)
from peer_judge import READ, judge, note_of, totals
from peer_page import FLOOR, Row, page, read_rows, write_rows

from holdfast.evaluation.sets import Collection, Gold, Question

BENCH = Path(__file__).parents[2] / "bench"
SESSION, OTHER = "memory/sessions/a/2023-05-08-session-1.md", "memory/sessions/b/2023-05-08-session-1.md"
NOTES = {
    SESSION: "# Session 1\n\n- **Ida**: The boat leaves on Friday.\n- **Olof**: Then I take the night train.\n",
    OTHER: "# Session 1\n\n- **Ann**: My aunt keeps bees.\n- **Bo**: How many hives does she have by now?\n",
}
TURNS = {path: {3: 3, 4: 4} for path in NOTES}
ASKED = Question("How does Olof travel?", "how", (Gold(SESSION, 4, 4),))
HOME = Collection("01", NOTES, (ASKED,), TURNS)


def test_qmd_names_the_lines_of_a_snippet_and_its_server_numbers_them() -> None:
    snippet = (
        "4: @@ -3,2 @@ (2 before, 0 after)\n5: - **Ida**: The boat leaves.\n6: - **Olof**: Then I take the 12: train."
    )
    (hit,) = given_by_qmd([{"file": "qmd://notes/sessions/a%20b/one.md", "line": 4, "snippet": snippet}])
    text = "- **Ida**: The boat leaves.\n- **Olof**: Then I take the 12: train."
    assert hit == Given("sessions/a b/one.md", text, (3, 4))


def test_qmd_without_a_place_in_its_snippet_names_no_lines() -> None:
    assert given_by_qmd([{"file": "qmd://notes/one.md", "snippet": "The boat"}]) == [Given("one.md", "The boat")]


def test_basic_memory_gives_whole_notes_as_json_in_the_text_of_a_tool() -> None:
    told = {"results": [{"title": "one", "type": "entity", "file_path": "sessions/one.md", "content": "# One\n\n- a"}]}
    reply = tool_reply([{"type": "text", "text": json.dumps({**told, "current_page": 1, "has_more": False})}])
    assert given_by_basic_memory(reply) == [Given("sessions/one.md", "# One\n\n- a")]


def test_basic_memory_may_give_an_entity_without_content() -> None:
    assert given_by_basic_memory({"results": [{"file_path": "one.md", "content": None}]}) == [Given("one.md", "")]


def test_chunks_keep_the_lines_that_a_peer_names() -> None:
    chunk = {"start_line": 16, "end_line": 27}
    wanted = [Given("memory/one.md", "- a", (16, 27))]
    assert given_by_memweave([{**chunk, "path": "memory/one.md", "snippet": "- a"}]) == wanted
    assert given_by_memsearch([{**chunk, "source": "memory/one.md", "content": "- a"}]) == wanted
    assert given_by_holdfast([{**chunk, "path": "memory/one.md", "snippet": "- a"}]) == wanted
    assert given_by_mempalace([{"source_path": "memory/one.md", "text": "- a"}]) == [Given("memory/one.md", "- a")]
    assert given_by_mcp_memory([{"source": "memory/one.md", "content": "- a"}]) == [Given("memory/one.md", "- a")]


def test_a_note_is_known_by_every_name_that_a_peer_has_for_it() -> None:
    below = SESSION.removeprefix("memory/")
    for named in (SESSION, below, below.upper(), f"/somewhere/home/{SESSION}"):
        assert note_of(named, NOTES) == SESSION
    for stranger in ("session-1.md", "a/2023-05-08-session-1.md", "memory/sessions/c/2023-05-08-session-1.md"):
        assert note_of(stranger, NOTES) is None


def test_a_hit_that_names_lines_holds_their_rows_and_no_others() -> None:
    right = judge(HOME, ASKED, [Given(OTHER, "", (3, 3)), Given(SESSION, "", (4, 4))])
    assert right.lines == [f"{OTHER}#3", f"{SESSION}#4"]
    assert right.notes == [OTHER, SESSION]
    assert right.gold_lines == {f"{SESSION}#4"}
    assert judge(HOME, ASKED, [Given(SESSION, NOTES[SESSION], (3, 3))]).lines == [f"{SESSION}#3"]


def test_a_hit_without_lines_holds_the_rows_whose_text_it_gave_each_at_a_place_of_its_own() -> None:
    whole = judge(HOME, ASKED, [Given(OTHER, NOTES[OTHER]), Given(SESSION, f"---\ntitle: x\n---\n{NOTES[SESSION]}")])
    assert whole.lines == [f"{OTHER}#3", f"{OTHER}#4", f"{SESSION}#3", f"{SESSION}#4"]


def test_a_text_in_another_dress_or_cut_inside_a_row_still_holds_it() -> None:
    bare = judge(HOME, ASKED, [Given(SESSION, "Olof: THEN I take\nthe night  train.")])
    assert (bare.lines, bare.read) == ([f"{SESSION}#4"], True)
    cut = judge(HOME, ASKED, [Given(SESSION, "…a\n- **Olof**: Then I take the night trai…")])
    assert (cut.lines, cut.read) == ([f"{SESSION}#4"], True)


def test_a_hit_that_gives_no_row_takes_a_place_all_the_same() -> None:
    empty = judge(HOME, ASKED, [Given(SESSION, "# Session 1"), Given(SESSION, "", (4, 4))])
    assert empty.lines == [f"{SESSION}#0", f"{SESSION}#4"]


def test_what_stands_beyond_the_characters_that_are_read_is_not_read() -> None:
    answer = Given(SESSION, "- **Olof**: Then I take the night train.", (4, 4))
    assert judge(HOME, ASKED, [Given(OTHER, "x" * 100, (3, 3)), answer]).read
    assert not judge(HOME, ASKED, [Given(OTHER, "x" * READ, (3, 3)), answer]).read


def test_a_stranger_is_no_hit_and_shares_are_means_over_questions() -> None:
    found = judge(HOME, ASKED, [Given(SESSION, "", (4, 4))])
    nothing = judge(HOME, ASKED, [Given("memory/other.md", "- **Olof**: Then I take the night train.")])
    scores = totals([found, nothing])
    assert (scores.questions, scores.note_5, scores.line_10, scores.nothing) == (2, 0.5, 0.5, 0.5)


def test_rows_are_kept_and_the_page_shows_figures_versions_and_reasons(tmp_path: Path) -> None:
    rows = [
        Row("QMD", "locomo", "2.8.3", "keywords", "HTTP", notes=3, questions=2, note_5=0.5, note_10=1.0, p50_ms=4.25),
        Row(FLOOR, "locomo", notes=3, questions=2, note_5=0.25, note_10=0.5, cores=2, measured="2026-11-16"),
        Row("elsewhere", reason="could not be installed: npm ended with 1"),
    ]
    kept = tmp_path / "peers.json"
    assert read_rows(kept) == []
    write_rows(kept, rows)
    assert sorted(read_rows(kept)) == sorted(rows)
    shown = page(read_rows(kept))
    assert "| locomo | QMD | keywords | .500 | 1 | – | – | – | – | 4.2 | – | – | – |" in shown
    assert shown.index("| locomo | floor |") < shown.index("| locomo | QMD |")
    assert "| QMD | 2.8.3 | keywords | HTTP |  |" in shown
    assert "- **elsewhere**: could not be installed: npm ended with 1" in shown
    assert "offline, on two cores." in shown and "Measured 2026-11-16 with version" in shown


def test_the_page_in_docs_is_made_from_the_figures_beside_it() -> None:
    docs = BENCH.parent / "docs"
    assert page(read_rows(docs / "peers.json")) == (docs / "peers.md").read_text(encoding="utf-8")


def test_a_work_folder_in_the_repository_is_refused() -> None:
    asked = [sys.executable, str(BENCH / "peers.py"), "--work", str(BENCH / "work"), "--only", FLOOR]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "must not lie in the repository" in done.stderr
    assert not (BENCH / "work").exists()
