"""`holdfast forget`, and forgetting with a model that is asked over HTTP."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import provider_chat_openai
import pytest
from commandline import done, holdfast
from keyboard import Keyboard
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory

NOTE = "- Prefers dark mode\n- Lives in Lima\n"


@pytest.fixture
def saved(home: Path) -> Path:
    done("save", NOTE)
    return home / "MEMORY.md"


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    """A server of its own: one that outlives the test holds connections, and other tests here count descriptors."""
    with ProviderServer() as server:
        yield server
    gc.collect()


@pytest.fixture
def script(provider: ProviderServer) -> ChatScript:
    """A model behind a real server, which the environment names as ours."""
    found = ChatScript()
    provider.add(provider_chat_openai.routes(found))
    return found


def configured(provider: ProviderServer) -> None:
    done("config", "set", "llm.provider", "openai")
    done("config", "set", "llm.model", "test-chat")
    done("config", "set", "llm.base_url", provider.url)
    done("config", "set", "llm.api_key", provider.key)


def typed_at(keys: str, *argv: str) -> tuple[int, str]:
    """Run a command on a terminal of its own."""
    person = Keyboard(*argv, term="dumb")
    person.type(keys)
    return person.end(), person.shown.replace("\r\n", "\n")


def test_exact_text_is_forgotten_and_can_be_brought_back(saved: Path) -> None:
    ran = done("forget", "--text", "Prefers dark mode")
    assert "Forgot from MEMORY.md: - Prefers dark mode" in ran.out
    assert "Bring it back with: holdfast restore c" in ran.out
    assert "--everywhere" in ran.err
    assert saved.read_text(encoding="utf-8") == "- Lives in Lima\n"
    done("undo")
    assert saved.read_text(encoding="utf-8") == NOTE


def test_without_a_model_the_candidates_are_shown_and_the_status_says_that_nothing_went(saved: Path) -> None:
    ran = holdfast("forget", "that I prefer dark mode")
    assert ran.status == 3
    assert "perhaps   MEMORY.md#1  - Prefers dark mode" in ran.out
    assert "No language model" in ran.err
    shown = holdfast("forget", "that I prefer dark mode", "--json")
    assert shown.json["needs_confirmation"] is True
    assert saved.read_text(encoding="utf-8") == NOTE


def test_a_dry_run_of_the_command_changes_nothing(saved: Path) -> None:
    ran = done("forget", "--text", "Lives in Lima", "--dry-run")
    assert "would go  MEMORY.md#2  - Lives in Lima" in ran.out
    assert done("forget", "--text", "Lives in Lima", "--dry-run", "--json").json["dry_run"] is True
    assert saved.read_text(encoding="utf-8") == NOTE


def test_forgetting_everywhere_wants_a_yes(saved: Path, home: Path) -> None:
    ran = holdfast("forget", "--text", "Lives in Lima", "--everywhere")
    assert (ran.status, "--yes" in ran.err) == (16, True)
    assert saved.read_text(encoding="utf-8") == NOTE
    shown = done("forget", "--text", "Lives in Lima", "--everywhere", "--dry-run").out
    assert "Stands in 1 note, 0 exports, 0 messages" in shown
    told = done("forget", "--text", "Lives in Lima", "--everywhere", "--yes", "--json").json
    assert told["everywhere"]["left"] == []
    assert told["checkpointIds"] == []
    assert not any(b"Lives in Lima" in file.read_bytes() for file in home.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    ("argv", "status"),
    [((), 2), (("", "--json"), 2), (("x", "--limit", "99"), 2), (("--text", "not there"), 3), (("--text", ""), 2)],
)
def test_what_can_not_be_forgotten_is_said(saved: Path, argv: tuple[str, ...], status: int) -> None:
    ran = holdfast("forget", *argv)
    assert ran.status == status
    assert "Traceback" not in ran.err
    assert saved.read_text(encoding="utf-8") == NOTE


@pytest.mark.parametrize(("keys", "gone"), [("\n", False), ("9\n", False), ("1\n", True), ("\x04", False)])
def test_on_a_terminal_the_person_chooses(saved: Path, keys: str, gone: bool) -> None:
    status, shown = typed_at(keys, "forget", "that I prefer dark mode")
    assert "Which shall go?" in shown
    assert "Traceback" not in shown
    assert status == (0 if gone else 3)
    assert ("Prefers dark mode" in saved.read_text(encoding="utf-8")) == (not gone)
    assert "Lima" in saved.read_text(encoding="utf-8")


def test_what_may_be_meant_is_shown_once_to_a_person_who_chooses_nothing(saved: Path) -> None:
    _, shown = typed_at("\n", "forget", "that I prefer dark mode")
    assert shown.count("Prefers dark mode") == 1
    assert "Nothing was chosen." in shown


@pytest.mark.parametrize(("keys", "gone"), [("n\n", False), ("\n", False), ("y\n", True)])
def test_on_a_terminal_for_good_asks_once_more(saved: Path, keys: str, gone: bool) -> None:
    status, shown = typed_at(keys, "forget", "--text", "Lives in Lima", "--everywhere")
    assert "everywhere, for good? [y/N]" in shown
    assert status == (0 if gone else 3)
    assert ("Lima" in saved.read_text(encoding="utf-8")) == (not gone)


def test_a_model_over_http_chooses_and_the_command_forgets(
    saved: Path, provider: ProviderServer, script: ChatScript
) -> None:
    configured(provider)
    script.say(json.dumps({"statements": [1], "needs_confirmation": False}))
    told = done("forget", "that I prefer dark mode", "--json").json
    assert told["forgotten"] == [{"path": "MEMORY.md", "text": "- Prefers dark mode"}]
    assert len(told["checkpointIds"]) == 1
    assert saved.read_text(encoding="utf-8") == "- Lives in Lima\n"


def test_a_model_over_http_that_fails_changes_nothing(
    saved: Path, provider: ProviderServer, script: ChatScript
) -> None:
    configured(provider)
    script.say("I would rather not say.")
    with Memory.open() as memory:
        told = memory.tools().call("memory_forget", {"request": "that I prefer dark mode"})
    assert told["needs_confirmation"] is True
    assert "could not be read" in told["because"]
    assert saved.read_text(encoding="utf-8") == NOTE
