"""Each command: what people read, what programs read, and the status it ends with."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast.surfaces.cli.parser import COMMANDS


def test_init_makes_a_home_and_says_what_to_do_next(home: Path) -> None:
    ran = done("init")
    assert str(home) in ran.out
    assert "holdfast save" in ran.out
    assert (home / "holdfast.toml").exists()
    (home / "memory/by-hand.md").write_text("The pelican lands at noon.\n", encoding="utf-8")  # the folder is there
    assert "memory/by-hand.md" in done("search", "pelican").out
    assert done("init", "--json").json == {
        "home": str(home),
        "agent": "main",
        "settings_file": str(home / "holdfast.toml"),
        "created": False,
        "provider": "local",
        "possible": [],
    }


def test_init_touches_nothing_that_is_there(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text("# mine\n", encoding="utf-8")
    done("init")
    assert (home / "holdfast.toml").read_text(encoding="utf-8") == "# mine\n"


def test_a_search_of_a_home_without_notes_says_which_home_that_is(home: Path) -> None:
    ran = done("search", "launch")
    assert f"There are no notes in {home} yet." in ran.err
    done("save", "Prefers dark mode")
    assert "There are no notes" not in done("search", "zyzzyva").err


def test_save_says_how_to_undo_it(home: Path) -> None:
    ran = done("save", "Prefers dark mode")
    checkpoint = ran.out.split()[-1]
    assert ran.out.startswith("Saved to MEMORY.md. Undo with: holdfast restore c")
    done("restore", checkpoint)
    assert not (home / "MEMORY.md").exists()


def test_save_takes_a_file_and_replaces_on_request(home: Path) -> None:
    done("save", "one", "--file", "memory/a.md")
    shown = done("save", "two", "--file", "memory/a.md", "--replace", "--json").json
    assert (shown["saved"], shown["path"], shown["bytes_written"]) == (True, "memory/a.md", 3)
    assert (home / "memory/a.md").read_text(encoding="utf-8") == "two\n"


def test_get_reads_a_place_as_it_is_printed(home: Path) -> None:
    done("save", "# Plans\n\n- The launch moved to 3 March.\n- Ada pays.", "--file", "memory/plans.md")
    cited = done("search", "when is the launch?").out.split()[0]
    assert cited.startswith("memory/plans.md#")
    assert "3 March" in done("get", cited).out
    known = done("save", "- The launch moved to 3 March.", "--file", "memory/plans.md").err
    place = next(word.strip(".,") for word in known.split() if word.startswith("memory/plans.md#"))
    assert done("get", place).out == "- The launch moved to 3 March.\n- Ada pays.\n"
    assert done("get", "memory/plans.md:4").out == "- Ada pays.\n"
    assert done("get", "memory/plans.md#1-3").out == "# Plans\n\n- The launch moved to 3 March.\n"
    assert done("get", "memory/plans.md#3", "--lines", "1").out == "- The launch moved to 3 March.\n"
    assert "memory/plan.md" in holdfast("get", "memory/plan.md#3").err
    assert holdfast("get", "memory/plans.txt#3").status == 2


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_save_reads_standard_input_up_to_the_limit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piped(monkeypatch, "grüße\n".encode())
    done("save", "-")
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "grüße\n"
    piped(monkeypatch, b"x" * 51_201)
    assert holdfast("save", "-").status == 2
    piped(monkeypatch, b"caf\xe9")
    assert "it is not valid UTF-8 in line 1" in holdfast("save", "-").err
    monkeypatch.setattr(sys, "stdin", None)
    assert holdfast("save", "-").status == 2


def test_search_prints_place_score_lines_and_citation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_DISABLE_RAG", "true")
    done("save", "# Plans\n\nThe launch moved to 3 March.", "--file", "memory/plans.md")
    done("save", "Launch party at noon.", "--file", "memory/party.md")
    ran = done("search", "when do we launch?")
    assert "memory/plans.md#3  score " in ran.out
    assert "  The launch moved to 3 March." in ran.out
    assert "  Source: memory/plans.md#3" in ran.out
    assert ran.err.startswith("2 hits · keyword · memory.disable_rag is on")


def test_search_json_has_the_shape_of_the_issue() -> None:
    done("save", "The launch moved to 3 March.", "--file", "memory/plans.md")
    ran = done("search", "launch", "-n", "1", "--json")
    found = ran.json
    assert ran.err == ""
    assert list(found) == [
        "query",
        "backend",
        "mode",
        "because",
        "partial",
        "likely",
        "results",
        "provider",
        "model",
        "took_ms",
    ]
    assert list(found["results"][0]) == [
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
    ]
    explained = done("search", "launch", "--json", "--explain").json["results"][0]
    assert explained["explain"]["score"] == explained["score"]


def test_search_explains_every_score_on_request() -> None:
    done("save", "The launch moved.")
    assert "chunk          " in done("search", "launch", "--explain").out


def test_a_search_without_hits_is_no_failure() -> None:
    ran = done("search", "nothing of the kind")
    assert ran.out == ""
    assert ran.err.startswith("No hits")
    assert done("search", "x", "--json").json["results"] == []


def test_a_search_that_nothing_answers_says_so_before_the_nearest() -> None:
    done("save", "The garage code is 4411.")
    line = "nothing here seems to answer this; the nearest:"
    assert done("search", "quantum chromodynamics lattice").out.startswith(line)
    assert line not in done("search", "what is the code of the garage?").out


def test_search_takes_a_number_and_a_least_score() -> None:
    for number in range(4):
        done("save", f"launch {number}", "--file", f"memory/{number}.md")
    assert len(done("search", "launch", "--max-results", "2", "--json").json["results"]) == 2
    assert done("search", "launch", "--min-score", "1.0", "--json").status == 0


def test_get_prints_the_lines_and_where_to_go_on(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/a.md").write_text("".join(f"line {n}\n" for n in range(1, 11)), encoding="utf-8")
    ran = done("get", "memory/a.md", "--from", "3", "--lines", "2")
    assert ran.out == "line 3\nline 4\n"
    assert ran.err == "Lines 3 to 4 of 10; go on with --from 5\n"
    shown = done("get", "memory/a.md", "--json").json
    assert (shown["status"], shown["total_lines"], shown["next_from"]) == ("ok", 10, None)


def test_get_says_when_a_line_was_cut(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").write_text("z" * 13_000, encoding="utf-8")
    assert "was cut" in done("get", "MEMORY.md").err


def test_get_reads_a_chunk_by_id_or_place() -> None:
    done("save", "- one\n- two")
    assert done("get", "--chunk-id", "MEMORY.md:2").out == "- two\n"
    chunk = done("search", "two", "--json").json["results"][0]["chunk_id"]
    assert done("get", "--chunk-id", chunk, "--json").json["text"] == "- two"


def test_get_of_what_is_not_there_ends_with_three() -> None:
    ran = holdfast("get", "memory/none.md")
    assert (ran.status, ran.out) == (3, "")
    assert "There is no note 'memory/none.md'" in ran.err
    assert holdfast("get", "--chunk-id", "nope").status == 3
    shown = holdfast("get", "memory/none.md", "--json")
    assert (shown.status, shown.json["status"]) == (3, "not_found")


def test_delete_removes_text_or_the_file_itself(home: Path) -> None:
    done("save", "one\ntwo\none", "--file", "memory/a.md")
    ran = done("delete", "memory/a.md", "--text", "one\n", "--all-matches")
    assert ran.out.startswith("Deleted 2 matches from memory/a.md. Bring it back with: holdfast restore c")
    assert (home / "memory/a.md").read_text(encoding="utf-8") == "two\n"
    assert done("delete", "memory/a.md", "--text", "two", "--keep-empty", "--json").json["file_deleted"] is False
    ran = done("delete", "memory/a.md", "--file-itself")
    assert ran.out.startswith("Deleted memory/a.md.")
    assert not (home / "memory/a.md").exists()
    assert holdfast("delete", "memory/a.md", "--file-itself").status == 3


def test_history_lists_changes_newest_first() -> None:
    done("init")
    assert done("history").err == "Nothing has been changed yet.\n"
    assert done("history", "--json").json == {"count": 0, "checkpoints": []}
    done("save", "one")
    done("save", "two", "--file", "memory/a.md")
    lines = done("history").out.splitlines()
    assert lines[0].split() == ["CHECKPOINT", "WHEN", "BY", "HOW", "NOTE"]
    assert lines[1].split()[3:] == ["user", "memory_save", "(append)", "memory/a.md"]
    assert len(done("history", "MEMORY.md").out.splitlines()) == 2
    assert done("history", "-n", "1", "--json").json["count"] == 1


def test_history_tells_a_note_without_changes_from_one_that_is_not_there(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/x.md").write_text("by hand\n", encoding="utf-8")
    assert done("history", "memory/x.md").err == "No changes of memory/x.md yet.\n"
    assert done("history", "memory/x.md", "--json").json["count"] == 0
    ran = holdfast("history", "memory/none.md")
    assert (ran.status, ran.out) == (3, "")
    assert "There is no note 'memory/none.md'" in ran.err
    assert json.loads(holdfast("history", "memory/none.md", "--json").err)["error"]["type"] == "NoteNotFound"
    done("save", "short-lived", "--file", "memory/gone.md")
    done("delete", "memory/gone.md", "--file-itself")
    assert len(done("history", "memory/gone.md").out.splitlines()) == 3


def test_diff_shows_the_last_change_or_the_one_named() -> None:
    refused = holdfast("diff")
    assert (refused.status, "nothing was changed yet" in refused.err) == (3, True), refused
    first = done("save", "one", "--json").json["checkpointId"]
    second = done("save", "two", "--json").json["checkpointId"]
    assert "+two" in done("diff").out
    assert "+one" in done("diff", first).out
    assert "+two" in done("diff", first, "--now").out
    shown = done("diff", first, "--json").json
    assert shown["checkpoint"] == first
    assert "+one" in shown["diff"]
    done("undo")
    done("restore", second)
    assert done("diff").err == "No difference.\n"


def test_undo_takes_back_and_says_how_to_redo(home: Path) -> None:
    done("save", "one")
    done("save", "two")
    ran = done("undo")
    assert ran.out.startswith("Undone: MEMORY.md is back to what it was. Redo with: holdfast restore c")
    assert done("undo", "MEMORY.md", "--json").json["exists"] is False
    assert not (home / "MEMORY.md").exists()
    nothing = holdfast("undo")
    assert (nothing.status, nothing.err) == (3, "holdfast: There is nothing to undo.\n")
    nothing = holdfast("undo", "memory/a.md")
    assert (nothing.status, nothing.err) == (3, "holdfast: There is nothing to undo in memory/a.md.\n")


def test_undo_does_not_overwrite_an_outside_edit_unless_forced(home: Path) -> None:
    done("save", "one")
    (home / "MEMORY.md").write_text("edited\n", encoding="utf-8")
    refused = holdfast("undo")
    assert (refused.status, refused.out) == (5, "")
    assert "changed outside" in refused.err
    assert "`holdfast undo --force`" in refused.err
    error = json.loads(holdfast("undo", "MEMORY.md", "--json").err)["error"]
    assert (error["type"], "`holdfast undo MEMORY.md --force`" in error["message"]) == ("NoteChangedOutside", True)
    done("undo", "--force")
    assert not (home / "MEMORY.md").exists()


def test_restore_takes_the_beginning_of_an_id(home: Path) -> None:
    checkpoint = done("save", "one", "--json").json["checkpointId"]
    assert "is gone again, as it was" in done("restore", checkpoint[:8]).out
    assert done("restore", done("history", "--json").json["checkpoints"][0]["id"], "--json").json["exists"] is True
    assert holdfast("restore", "nope").status == 3


def test_index_reports_what_it_did_and_what_it_skipped(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/a.md").write_text("x\n", encoding="utf-8")
    (home / "memory/link.md").symlink_to("a.md")
    ran = done("index")
    assert ran.out.startswith("1 added, 0 changed, 0 removed, 0 unchanged in ")
    assert "skipped memory/link.md: " in ran.err
    (home / "memory/latin.md").write_bytes(b"caf\xe9\n")
    for _ in range(2):
        assert done("index").out.startswith("0 added, 0 changed, 0 removed, 1 unchanged in ")
    (home / "memory/latin.md").unlink()
    shown = done("index", "--force", "--json").json
    assert (shown["added"], shown["skipped"][0]["path"]) == (1, "memory/link.md")


def test_status_says_what_there_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_DISABLE_RAG", "true")
    done("save", "x")
    (home / "memory").mkdir()
    (home / "memory/new.md").write_text("x\n", encoding="utf-8")
    ran = done("status")
    assert "2 on disk, 1 indexed (behind; `holdfast index` brings it up to date)" in ran.out
    assert "keyword: memory.disable_rag is on" in ran.out
    done("index")
    shown = done("status", "--deep", "--json").json
    assert (shown["notes"], shown["mode"], shown["problems"], shown["index"]["up_to_date"]) == (2, "keyword", [], True)
    assert "no problems found" in done("status", "--deep").out


def test_status_and_doctor_report_a_damaged_checkpoint_in_words(home: Path) -> None:
    done("save", "x")
    (thing,) = (home / "state/checkpoints/main/objects").rglob("*/*")
    thing.chmod(0o600)
    thing.write_bytes(b"y")
    for ran in (done("status", "--deep"), holdfast("doctor")):
        said = ran.out + ran.err
        assert "its bytes are not those that were stored" in said
        assert "Problem(" not in said


def test_doctor_ends_with_one_when_something_needs_mending(home: Path) -> None:
    done("save", "x")
    ran = done("doctor")
    assert "ok   settings" in ran.out
    assert done("doctor", "--json").json["ok"] is True
    (home / "memory").mkdir()
    (home / "memory/a.md").write_bytes(b"\xff")
    ran = holdfast("doctor")
    assert ran.status == 1
    assert "BAD  unreadable notes" in ran.out
    (home / "holdfast.toml").write_text("[memory]\nstlye = 1\n", encoding="utf-8")
    shown = holdfast("doctor", "--json")
    assert (shown.status, shown.json["checks"][0]["ok"]) == (1, False)


def test_config_shows_gets_sets_and_unsets(home: Path) -> None:
    assert done("config", "path").out == f"{home}/holdfast.toml\n"
    assert done("config", "path", "--json").json == {"path": f"{home}/holdfast.toml"}
    assert done("config", "get", "memory.citations").out == "auto\n"
    assert done("config", "get", "memory.sync.watch").out in ("true\n", "false\n")
    assert done("config", "get", "memory.store.vector.extension_path").out == "not set\n"
    assert done("config", "set", "memory.citations", "on").out == "memory.citations = on\n"
    assert done("config", "get", "memory.citations", "--json").json == {
        "key": "memory.citations",
        "value": "on",
        "source": "holdfast.toml:2",
    }
    assert [row["key"] for row in done("config", "show", "--changed", "--json").json["settings"]] == [
        "memory.citations"
    ]
    assert "memory.citations" in done("config", "show").out
    assert "back to its default" in done("config", "unset", "memory.citations").out
    assert done("config", "show", "--changed", "--json").json["settings"] == []


def test_config_set_mends_a_file_that_nothing_else_accepts(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text('[memory]\ncitations = "sometimes" # hm\n', encoding="utf-8")
    assert holdfast("status").status == 4
    done("config", "set", "memory.citations", "off")
    assert (home / "holdfast.toml").read_text(encoding="utf-8") == '[memory]\ncitations = "off" # hm\n'
    done("status")


def test_prune_and_purge_report_what_went(monkeypatch: pytest.MonkeyPatch) -> None:
    done("save", "x", "--file", "memory/a.md")
    assert done("prune").out == "Dropped 0 checkpoints, 0.0 MB.\n"
    assert done("prune", "--json").json["changes"] == 0
    piped(monkeypatch, b"")
    ran = holdfast("purge", "memory/a.md")
    assert (ran.status, "--yes" in ran.err) == (16, True)
    assert done("purge", "memory/a.md", "--yes", "--json").json["changes"] == 1
    assert "Dropped 0 checkpoints of memory/a.md" in done("purge", "memory/a.md", "--yes").out
    assert holdfast("purge", "memory/none.md", "--yes").status == 3


def test_options_for_all_commands_may_stand_before_or_after(home: Path, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    done("--home", other, "init")
    done("--home", other, "--agent", "scout", "--json", "save", "before")
    done("save", "after", "--home", other, "--agent", "scout", "--json")
    assert (tmp_path / "other/agents/scout/MEMORY.md").read_text(encoding="utf-8") == "before\n\nafter\n"
    for argv in (["--json", "config", "show"], ["config", "--json", "show"], ["config", "show", "--json"]):
        assert json.loads(done("--home", other, *argv).out)["settings"]
    assert not home.exists()


@pytest.mark.parametrize("name", ["search", "init", "config"])
def test_an_agent_may_have_the_name_of_a_command(home: Path, name: str) -> None:
    done("--agent", name, "save", "mine")
    assert (home / f"agents/{name}/MEMORY.md").exists()
    assert done("save", name).status == 0


def test_the_agent_may_come_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_AGENT", "scout")
    done("save", "x")
    assert (home / "agents/scout/MEMORY.md").exists()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str) -> None:
    ran = done(name, "--help")
    assert "examples:" in ran.out
    assert f"  holdfast {name}" in ran.out or f"holdfast {name} " in ran.out
    for option in ("--home", "--agent", "--json"):
        assert option in ran.out


def test_help_names_every_command_and_version_is_printed() -> None:
    for argv in ([], ["--help"]):
        assert all(f"    {name}" in done(*argv).out for name in COMMANDS)
    assert done("--version").out.startswith("holdfast 0.")


def test_agents_lists_who_has_a_memory(home: Path) -> None:
    done("save", "The launch is in May.")
    done("save", "It runs on Debian.", "--agent", "coder")
    done("config", "set", "memory.citations", "off", "--agent", "coder")
    listed = done("agents", "--json").json
    assert listed["default"] == "main" and [agent["id"] for agent in listed["agents"]] == ["main", "coder"]
    assert listed["agents"][1] == {"id": "coder", "notes": 1, "has_memory": True, "has_settings": True}
    shown = done("agents").out.splitlines()
    assert shown[0].split() == ["AGENT", "NOTES", "MEMORY.MD", "SETTINGS"] and shown[2].split()[:2] == ["coder", "1"]


def test_a_search_takes_limit_as_another_word_for_max_results(home: Path) -> None:
    for at in range(3):
        done("save", f"The launch number {at} is in May.", "--file", f"memory/{at}.md")
    for option in ("-n", "--limit", "--max-results"):
        assert len(done("search", "launch", option, "1", "--json").json["results"]) == 1
    assert "--limit" in holdfast("search", "launch", "--limit", "0").err
    assert "--max-results" in holdfast("search", "launch", "--max-results", "0").err
