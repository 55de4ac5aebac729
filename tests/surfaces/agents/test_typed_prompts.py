"""What a user types in a coding agent is known to be the user's before its model saves it; with real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import fork_server
import pytest
from commandline import SCRIPT, process
from surfaces.mcp.fences import value_in
from surfaces.mcp.raw import call, running

from holdfast import Memory, Origin
from holdfast.approval.typed_prompts import note_prompt, prompts_in
from holdfast.llm.chat_model import Role
from holdfast.sessions.session_follow import RecordMessage, follow
from holdfast.surfaces.agents.hook_events import HOOKED

TEA = "Ada prefers tea in the morning."
COFFEE = "Ada prefers coffee in the evening."


def type_prompt(client: str, text: str, **more: str) -> None:
    """What the client does when its user sends a prompt."""
    sent = json.dumps({"session_id": "talk", "prompt": text, **more}).encode()
    ran = process("hook", "user-prompt", "--client", client, "--deadline", "100", stdin=sent)
    assert (ran.returncode, ran.stderr) == (0, b"")


def saved(content: str, **more: str) -> dict[str, Any]:
    """What the server of the same client answers when its model saves something."""
    with running() as server:
        server.greet()
        server.say(call(1, "memory_save", {"content": content, **more}))
        value: dict[str, Any] = value_in(server.hear()["result"]["content"][0]["text"])
        return value


def memory_note(person: Path) -> str:
    path = person / ".holdfast" / "MEMORY.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize("client", HOOKED)
def test_what_the_user_asked_to_remember_is_saved_without_approval(person: Path, client: str) -> None:
    Memory.open().close()
    type_prompt(client, f"Remember that {TEA}")
    assert saved(TEA)["saved"] is True
    assert TEA in memory_note(person)
    # Nobody typed this one.
    assert saved(COFFEE)["waits"] is True
    assert COFFEE not in memory_note(person)
    with Memory.open(origin=Origin.USER) as memory:
        assert [entry.text for entry in memory.inbox.list()] == [COFFEE]


def test_what_our_own_context_says_was_not_typed(person: Path) -> None:
    Memory.open().close()
    type_prompt("gemini-cli", f"<hook_context>{COFFEE}</hook_context>\n\nRemember that {TEA}")
    assert saved(COFFEE)["waits"] is True
    assert saved(TEA)["saved"] is True


def test_what_one_agent_asks_another_was_not_typed(person: Path) -> None:
    Memory.open().close()
    type_prompt("claude-code", f"Remember that {TEA}", agent_id="a1")
    assert saved(TEA)["waits"] is True


def test_a_running_server_notes_the_prompt_as_well(person: Path) -> None:
    pytest.importorskip("uvicorn")
    Memory.open().close()
    command = [*fork_server.command(SCRIPT), "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            assert server.stdout.readline()
            type_prompt("claude-code", f"Remember that {TEA}")
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)
    with Memory.open() as memory:
        assert list(prompts_in(memory.ctx, "claude-code:talk")) == [f"Remember that {TEA}"]
    assert saved(TEA)["saved"] is True


def test_a_prompt_is_kept_once_when_the_record_has_it(person: Path) -> None:
    said = [RecordMessage(Role.USER, f"Remember that {TEA}", id="u1"), RecordMessage(Role.ASSISTANT, "I did.", id="a1")]
    with Memory.open() as memory, memory.session("claude-code:talk") as session:
        note_prompt(session, said[0].text)
        note_prompt(session, "And who steers it?")
        follow(session, said)
        assert [entry.text for entry in session.messages()] == [said[0].text, "I did."]
        assert list(prompts_in(memory.ctx, "claude-code:talk")) == ["And who steers it?"]


def test_a_secret_in_a_prompt_is_not_noted_nor_anything_of_a_forgotten_session(person: Path) -> None:
    key = "sk-ant-api03-" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4f" * 2
    with Memory.open(origin=Origin.USER) as memory, memory.session("claude-code:talk") as session:
        note_prompt(session, f"use {key}")
        assert key not in next(prompts_in(memory.ctx, "claude-code:talk"))
        session.forget()
        assert note_prompt(session, f"Remember that {TEA}") is False
        assert list(prompts_in(memory.ctx, "claude-code:talk")) == []
    held = b"".join(path.read_bytes() for path in person.rglob("*") if path.is_file())
    assert TEA.encode() not in held
    assert key.encode() not in held


def test_a_sentence_that_is_forgotten_everywhere_goes_from_the_prompts_too(person: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        with memory.session("claude-code:talk") as session:
            note_prompt(session, f"Remember that {TEA}")
        memory.save(TEA)
        memory.forget(text=TEA, everywhere=True)
        assert TEA not in " ".join(prompts_in(memory.ctx, "claude-code:talk"))


def test_a_home_that_is_not_there_is_not_made_for_a_prompt(person: Path) -> None:
    type_prompt("claude-code", f"Remember that {TEA}")
    assert os.listdir(person) == []
