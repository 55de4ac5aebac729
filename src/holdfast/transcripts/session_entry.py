"""Turn what a caller says was said into an entry that may be written down: checked, and without known secrets."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from holdfast.errors import BadArgument, TooLarge
from holdfast.guard.argument_types import check_choice, display_value
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import Secrets
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["MAX_TEXT_BYTES", "Utterance", "make_entry", "message_time"]

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""The longest message; a model's whole window is about as long."""

_AHEAD = 86_400.0  # seconds; another machine's clock may be wrong, and a time without its zone off by a day's half
_TAG = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.ASCII)
_MOST_TAGS = 16
_LONGEST_NAME = 256
_SURROGATE = re.compile("[\ud800-\udfff]")
# Who speaks, where the surface does not say.
_SPOKEN_BY = {
    Role.SYSTEM: Origin.API,
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.AGENT,
    Role.TOOL: Origin.OUTSIDE,  # what a tool brings may come from anywhere
}


class Utterance(NamedTuple):
    """A message as a caller gives it: nothing of it is checked yet."""

    role: str | Role
    text: str
    origin: Origin | str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    failed: bool = False
    tags: tuple[str, ...] = ()


def make_entry(entry_id: str, at: float, utterance: Utterance, secrets: Secrets) -> Entry:
    """Make the entry; a message can't be refused for a secret in it, so `refuse` redacts it as `redact` does."""
    role, text, origin, tool_calls, tool_call_id, tool_name, failed, tags = utterance
    check_choice("role", role, Role)
    spoken = Role(role)
    if not isinstance(text, str):
        raise BadArgument("text", "it is not text")
    for name, value in (("tool_call_id", tool_call_id), ("tool_name", tool_name)):
        if not isinstance(value, str) or len(value) > _LONGEST_NAME:
            raise BadArgument(name, f"it is not text of at most {_LONGEST_NAME} characters")
    if len(tags) > _MOST_TAGS or not all(isinstance(tag, str) and _TAG.fullmatch(tag) for tag in tags):
        raise BadArgument("tags", f"they must be at most {_MOST_TAGS} short words in lower case")
    if not all(isinstance(call, ToolCall) for call in tool_calls):
        raise BadArgument("tool_calls", "they must be of type ToolCall")
    text = _SURROGATE.sub("\ufffd", text)
    size = len(text.encode())
    if size > MAX_TEXT_BYTES:
        raise TooLarge("message", size, MAX_TEXT_BYTES)
    if secrets is not Secrets.ALLOW:
        text = _without_secrets(text)
        tool_calls = tuple(call.replace(arguments=_redact_values(call.arguments)) for call in tool_calls)
    if origin is None:
        source = _SPOKEN_BY[spoken]
    else:
        check_choice("origin", origin, Origin)
        source = Origin(origin)
    if source is Origin.USER and spoken is not Role.USER:
        # What the user typed is believed: MEMORY.md takes it without approval, and capture makes facts of it.
        raise BadArgument("origin", "only what the user says is the user's")
    return Entry(
        entry_id, at, spoken, text, source.value, tool_calls, tool_call_id, tool_name, bool(failed), tuple(tags)
    )


def message_time(at: float | None, now: float) -> float:
    """Return when a message was said, now where nobody tells; BadArgument for a time that it can't have been.

    A clock that is ahead of ours is no reason to lose what was said: that was said now.
    """
    if at is None:
        return now
    if not isinstance(at, int | float) or isinstance(at, bool) or not 0 <= at < math.inf:
        raise BadArgument("at", f"{display_value(at)} is not in seconds since 1970")
    if at > now + _AHEAD:
        if at / 1000 <= now + _AHEAD:
            unit = "; it looks like milliseconds"
        else:
            unit = ""
        raise BadArgument("at", f"{display_value(at)} seconds since 1970 is in the future{unit}")
    return min(float(at), now)


def _without_secrets(text: str) -> str:
    from holdfast.guard.secrets import find_secrets, redact

    if find_secrets(text):
        return redact(text)
    return text


def _redact_values(value: Any, name: str = "") -> Any:
    """The arguments of a call without secrets; one may be known only by the name that it stands under."""
    if isinstance(value, Mapping):
        return {key: _redact_values(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_redact_values(inner, name) for inner in value]
    if not isinstance(value, str):
        return value
    from holdfast.guard.secrets import find_secrets

    value = _SURROGATE.sub("\ufffd", value)
    clear = _without_secrets(value)
    if clear != value or not name:
        return clear
    secrets = find_secrets(f'{name}="{value}"')
    if secrets:
        return f"[redacted: {secrets[0].kind}]"
    return value
