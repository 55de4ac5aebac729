"""`holdfast chat` at a real terminal: what a person sees, types and stops."""

from __future__ import annotations

import re
from pathlib import Path

import provider_faults as faults
import pytest
from commandline import done
from keyboard import Keyboard
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from surfaces.test_cli_chat import SAVE
from surfaces.test_cli_terminal import HOSTILE, WILD

from holdfast import Memory

# Colours of ours, and what the library that reads lines sends: it switches bracketed paste and moves the cursor.
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[K|\x1b\[\?2004[hl]|\r")


def test_a_person_is_greeted_answered_and_told_what_happens_in_dim(script: ChatScript) -> None:
    script.say(SAVE, "Noted.")
    person = Keyboard("chat")
    person.until("session chat: nothing said yet · custom/m")
    person.until("> ")
    person.type("My cat is Miso\r")
    person.until("One moment. ")
    person.until("\x1b[2m· saved to memory/pets.md: - The cat is Miso.\x1b[0m")
    person.until("Noted.")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0
    again = Keyboard("chat")
    again.until("session chat: 4 messages so far")
    again.until("> ")
    again.type("/quit\r")
    assert again.end() == 0


def test_ctrl_c_stops_an_answer_and_keeps_what_was_said(script: ChatScript, server: ProviderServer) -> None:
    script.say("An answer that is never quite over because the line is so slow.", "Back.")
    server.script(faults.STREAM_DRIP, on="/v1/chat/completions")
    person = Keyboard("chat")
    person.until("> ")
    person.type("\x03")
    person.until("Ctrl-D leaves", again="\x03")
    person.until("> ")
    person.type("Tell me\r")
    person.until("An answer")
    person.type("\x03")
    person.until("stopped; what was said is kept", again="\x03")
    person.until("> ")
    person.type("Go on\r")
    person.until("Back.")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0
    with Memory.open() as memory:
        first, cut, *rest = memory.session("chat").messages()
    assert first.text == "Tell me"
    assert cut.tags == ("cut",) and cut.text.startswith("An answer")
    assert [entry.text for entry in rest] == ["Go on", "Back."]


def test_who_presses_ctrl_c_again_and_again_loses_nothing_of_what_was_said(
    script: ChatScript, server: ProviderServer
) -> None:
    script.say("An answer that is never quite over because the line is so slow.")
    server.script(faults.STREAM_DRIP, on="/v1/chat/completions")
    person = Keyboard("chat")
    person.until("> ")
    person.type("Tell me\r")
    person.until("An answer")
    person.type("\x03\x03\x03\x03\x03\x03")
    person.until("stopped; what was said is kept", again="\x03")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0
    with Memory.open() as memory:
        first, cut = memory.session("chat").messages()
    assert first.text == "Tell me"
    assert cut.tags == ("cut",) and cut.text.startswith("An answer")


@pytest.mark.promise("P11")
def test_neither_the_model_nor_a_note_drives_the_terminal(home: Path, script: ChatScript) -> None:
    (home / "memory").mkdir(parents=True)
    for number, text in enumerate(HOSTILE):
        (home / f"memory/h{number}.md").write_bytes(f"needle {text}\n".encode())
    hostile = "".join(HOSTILE)
    script.say(
        Said(hostile, calls=(("memory_search", {"query": f"needle {hostile}"}), (f"t{hostile}", {}))), f"End {hostile}"
    )
    person = Keyboard("chat")
    person.until("> ")
    person.type("needle\r")
    person.until("End ")
    person.until("> ")
    person.type("/memory needle\r")
    person.until("memory/h")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0
    wild = WILD.search(OURS.sub("", person.shown))
    assert wild is None, person.shown


def test_without_a_model_a_person_is_told_so_at_once_and_can_stay(home: Path) -> None:
    person = Keyboard("chat")
    person.until("holdfast config set llm.provider")
    person.until("> ")
    person.type("hello\r")
    person.until("No language model is set.")
    person.until("> ")
    person.type("/help\r")
    person.until("/forget TEXT")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0


def test_a_person_is_asked_which_of_the_candidates_shall_go(home: Path) -> None:
    done("save", "- The cat is Miso.\n- The dog is Rex.", "--file", "memory/pets.md")
    person = Keyboard("chat")
    person.until("> ")
    person.type("/forget the cat Miso\r")
    person.until("Which shall go?")
    person.type("1\r")
    person.until("Forgot from memory/pets.md: - The cat is Miso.")
    person.until("> ")
    person.type("/undo\r")
    person.until("Undone: memory/pets.md is back to what it was")
    person.until("> ")
    person.type("\x04")
    assert person.end() == 0
    assert "Miso" in (home / "memory/pets.md").read_text()
