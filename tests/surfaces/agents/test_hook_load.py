"""Hooks on a busy machine: what they load, and that they say so where there was no time left."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from surfaces.agents.test_hook import ASKED, hook, log, scripted

from holdfast import Memory, Origin
from holdfast.operations.diagnosis import Check, doctor
from holdfast.operations.hook_log import note_hook
from holdfast.surfaces.agents.hook_actions import Task, answer_hook
from holdfast.surfaces.agents.hook_events import Event, Moment

SCRIPT = """
import sys
from holdfast.surfaces.cli.main import main
main(sys.argv[1:])
print(" ".join(sys.modules), file=sys.stderr)
"""


def modules_of(prompt: Mapping[str, object]) -> set[str]:
    """The modules that the recall hook loads for a prompt."""
    command = [sys.executable, "-c", SCRIPT, "hook", "user-prompt", "--client", "claude-code", "--deadline", "100"]
    ran = subprocess.run(command, input=json.dumps(prompt).encode(), capture_output=True, check=True)
    return set(ran.stderr.decode().split())


def recall_checks(home: Path) -> list[Check]:
    return [check for check in doctor(str(home), "main") if check.name == "recall in time"]


def home_with_a_note(person: Path) -> Path:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("The office wifi is called heron-net", file="memory/wifi.md")
    token = person / ".holdfast" / "state" / "token"
    token.touch(mode=0o600)  # as a server makes it
    return person / ".holdfast"


def test_a_server_that_had_no_time_to_recall_is_a_line_in_the_log_and_counted_by_doctor(person: Path) -> None:
    home = home_with_a_note(person)
    assert recall_checks(home) == []
    why = "there was no answer within 800 ms (memory.recall.deadline_ms)"
    with scripted(home, 200, {"text": "", "skipped": why}):
        assert hook("user-prompt", "claude-code", ASKED) == ""
    assert why in log(home)
    note_hook(str(home), "codex", "user-prompt", "gave up after 2 s")
    note_hook(str(home), "codex", "session-end", "gave up after 120 s")
    (check,) = recall_checks(home)
    assert "claude-code 1, codex 1" in check.detail
    assert "holdfast serve" in check.remedy


def test_a_prompt_without_time_has_one_line_whoever_finds_out_first(person: Path) -> None:
    home = home_with_a_note(person)
    why = "there was no answer within 800 ms (memory.recall.deadline_ms)"
    no_time = threading.Lock()
    with scripted(home, 200, {"text": "", "skipped": why}):
        for _ in range(2):
            moment = Moment("abc", str(ASKED["prompt"]))
            task = Task(Event.USER_PROMPT, "codex", moment, str(home), "main", time.monotonic() + 60, no_time)
            assert answer_hook(task) == ""
    assert log(home).count(why) == 1
    assert not no_time.acquire(blocking=False)


@pytest.mark.parametrize("count", ["1 message", "2 messages", "1,200 messages"])
def test_however_many_messages_were_kept_doctor_is_content(person: Path, count: str) -> None:
    home = home_with_a_note(person)
    note_hook(str(home), "codex", "session-end", f"{count}, 0 facts, wrote memory/sessions/a.md")
    (check,) = [check for check in doctor(str(home), "main") if check.name == "hooks"]
    assert check.ok


def test_that_nothing_was_found_is_no_line_in_the_log(person: Path) -> None:
    home = home_with_a_note(person)
    with scripted(home, 200, {"text": "", "skipped": "nothing was found"}):
        assert hook("user-prompt", "claude-code", ASKED) == ""
    assert not (home / "state" / "hooks.log").exists()


def test_where_a_server_answers_a_hook_opens_nothing_itself(person: Path) -> None:
    home = home_with_a_note(person)
    with scripted(home, 200, {"text": "from the server"}):
        loaded = modules_of(ASKED)
    heavy = ("holdfast.memory", "holdfast.notes.workspace", "apsw", "numpy", "http.client", "urllib.parse", "email")
    assert loaded.isdisjoint(heavy)


def test_a_prompt_that_says_nothing_loads_no_search(person: Path) -> None:
    home_with_a_note(person)
    loaded = modules_of({**ASKED, "prompt": "ok"})
    assert loaded.isdisjoint(
        ("holdfast.search.query", "holdfast.index.store_contract", "holdfast.notes.workspace", "apsw")
    )


def test_where_there_are_no_facts_recall_loads_nothing_to_understand_questions_about_them(person: Path) -> None:
    home_with_a_note(person)
    assert "holdfast.facts.question" not in modules_of(ASKED)
    with Memory.open(origin=Origin.USER) as memory:
        memory.facts.store("I live in Munich.")
    assert "holdfast.facts.question" in modules_of(ASKED)
