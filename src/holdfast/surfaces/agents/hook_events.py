"""The moments at which a coding agent calls a hook: its names for them, what it sends, and what it wants to hear."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from holdfast.named_tuple import NamedTuple

__all__ = ["HOOKED", "Event", "HookFormat", "Moment", "event_of", "moment_in"]

MOST_BYTES = 4 * 1024 * 1024
"""What is read of what a client sends; a prompt can hold a pasted file."""

_LONGEST = 4096  # characters of an id or a path


class Event(StrEnum):
    """The event at which a hook is called; the word that `holdfast hook` takes."""

    SESSION_START = "session-start"
    USER_PROMPT = "user-prompt"
    PRE_COMPACT = "pre-compact"
    SESSION_END = "session-end"


class Moment(NamedTuple):
    """The message of a client that calls a hook."""

    session: str = ""
    prompt: str = ""
    transcript: str = ""
    source: str = ""
    """Why a session starts: startup, resume, clear or compact."""
    trigger: str = ""
    """Why a conversation is to be shortened: manual or auto."""
    subagent: str = ""
    """The agent whose prompt it is, where a model wrote it and not the user."""


class HookFormat(NamedTuple):
    """The way in which one client calls hooks, and in which it is answered."""

    names: Mapping[Event, str]
    grouped: bool = True
    milliseconds: bool = False
    most: int = 9_800
    """Characters that are put into its context as they are; of more, Claude Code and Cursor make a file."""
    longest: Mapping[Event, int] = {}
    """Seconds that it allows at the most for an event."""
    compacts_seldom: bool = False
    """Whether it says before each request to its model that it may shorten the conversation, and seldom does."""

    def seconds(self, event: Event) -> int:
        """Return how long the client is told to wait, in the unit it counts in: longer than we ever take."""
        seconds = min(_WAIT[event], self.longest.get(event, _WAIT[event]))
        if self.milliseconds:
            return 1000 * seconds
        return seconds

    def answer(self, event: Event, text: str) -> str:
        """Return what is printed so that the client puts the text into its model's context; nothing for no text."""
        if not text:
            return ""
        if self.grouped:
            said: dict[str, Any] = {
                "hookSpecificOutput": {"hookEventName": self.names[event], "additionalContext": text}
            }
        elif event is Event.USER_PROMPT:
            said = {"continue": True, "additional_context": text}
        else:
            said = {"additional_context": text}
        return json.dumps(said, ensure_ascii=True)


_WAIT = {Event.SESSION_START: 10, Event.USER_PROMPT: 10, Event.PRE_COMPACT: 10, Event.SESSION_END: 10}
_CLAUDE_NAMES = {
    Event.SESSION_START: "SessionStart",
    Event.USER_PROMPT: "UserPromptSubmit",
    Event.PRE_COMPACT: "PreCompact",
    Event.SESSION_END: "SessionEnd",
}
HOOKED: Mapping[str, HookFormat] = {
    "claude-code": HookFormat(_CLAUDE_NAMES),
    # Codex allows the end of a session three seconds, and shows an error where more are asked for.
    "codex": HookFormat(_CLAUDE_NAMES, longest={Event.SESSION_END: 3}),
    "gemini-cli": HookFormat(
        {**_CLAUDE_NAMES, Event.USER_PROMPT: "BeforeAgent", Event.PRE_COMPACT: "PreCompress"},
        milliseconds=True,
        compacts_seldom=True,
    ),
    "cursor": HookFormat(
        {
            Event.SESSION_START: "sessionStart",
            Event.USER_PROMPT: "beforeSubmitPrompt",
            Event.PRE_COMPACT: "preCompact",
            Event.SESSION_END: "sessionEnd",
        },
        grouped=False,
    ),
}


def event_of(name: str) -> Event | None:
    """The event that is meant, by our name for it or by that of any client; None for another."""
    for event in Event:
        if name == event.value or any(name == hooked.names[event] for hooked in HOOKED.values()):
            return event
    return None


def moment_in(data: bytes) -> Moment:
    """Return what a client sent, as far as it can be read; ValueError where it is no JSON object."""
    if len(data) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES:,} bytes came in")
    try:
        said = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(said, dict):
        raise ValueError("it is not a JSON object")
    session = _text(said, "session_id") or _text(said, "conversation_id")
    prompt = said.get("prompt")
    return Moment(
        session,
        prompt if isinstance(prompt, str) else "",
        _text(said, "transcript_path"),
        _text(said, "source"),
        _text(said, "trigger"),
        _text(said, "agent_id"),
    )


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if isinstance(value, str) and len(value) <= _LONGEST and value.isprintable():
        return value
    return ""
