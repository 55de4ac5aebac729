"""The items of the Agents SDK in a Holdfast session: each one whole in its state, what was said in its transcript.

The transcript is what people read, search and export, and it only grows. What the SDK sends again to a model has ids,
reasoning and calls that must come back as they were, and may be taken away again: that is the state's part.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from holdfast.errors import BadArgument, Busy, SecretFound
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.json_redaction import redact_json

__all__ = ["Item", "add", "items", "take_last"]

Item: TypeAlias = dict[str, Any]

_NAMESPACE = "openai_agents"
_NEXT = "next"  # the number of the next item; sorts behind the numbers
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
_ATTEMPTS = 100


def items(session: Session) -> list[Item]:
    """All items, oldest first; of a session that only Holdfast knew so far, what was said in it."""
    stored = session.state.list(_NAMESPACE)
    if stored:
        return [entry.value for entry in stored if entry.key != _NEXT]
    return _session_items(session)


def add(session: Session, new: Sequence[Mapping[str, Any]]) -> None:
    """Keep these items, behind those that are there."""
    plain = [_as_json(item) for item in new]
    _begin(session)
    _keep(session, plain)
    for item in plain:
        _say(session, item)


def take_last(session: Session) -> Item | None:
    """Take the newest item away, and give it; the transcript still tells that it was said."""
    _begin(session)
    for entry in reversed(session.state.list(_NAMESPACE)):
        if entry.key != _NEXT and session.state.delete(_NAMESPACE, entry.key):  # else another process has just taken it
            return dict(entry.value)
    return None


def _begin(session: Session) -> None:
    """Take over what was said in this session before the SDK came to it; only once."""
    if session.state.get(_NAMESPACE, _NEXT) is None:
        said = _session_items(session)
        if session.state.compare_and_set(_NAMESPACE, _NEXT, None, 1):
            _keep(session, said)


def _keep(session: Session, new: Sequence[Item]) -> None:
    """Store items under numbers that no other process has, because they are taken before they are used."""
    state = session.state
    for _ in range(_ATTEMPTS):
        number = int(state.get(_NAMESPACE, _NEXT, 1))
        if state.compare_and_set(_NAMESPACE, _NEXT, number, number + len(new)):
            break
    else:
        raise Busy(f"the session {session.key}", 0.0)
    for place, item in enumerate(new, number):
        try:
            state.set(_NAMESPACE, f"{place:012d}", item)
        except SecretFound:
            # What was said can't be refused for a secret in it, or the conversation would end here.
            state.set(_NAMESPACE, f"{place:012d}", redact_json(item))


def _say(session: Session, item: Item) -> None:
    """Write what a person would want to read of an item to the transcript."""
    kind = item.get("type", "message")
    if kind == "message" and item.get("role") in _ROLES:
        text = _text(item.get("content"))
        if text.strip():
            session.append(_ROLES[item["role"]], text)
    elif kind == "function_call":
        call = _call(item)
        session.append(Role.ASSISTANT, tool_calls=(call,))
    elif kind == "function_call_output":
        session.append(Role.TOOL, _text(item.get("output")), tool_call_id=str(item.get("call_id", ""))[:256])


def _call(item: Item) -> ToolCall:
    name, call_id = str(item.get("name", "")), str(item.get("call_id", ""))
    try:
        given = json.loads(item.get("arguments") or "{}")
    except (TypeError, ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return ToolCall(call_id, name, given)
    return ToolCall(call_id, name, {}, "not JSON")


def _text(content: object) -> str:
    """The words of a message's content, without pictures and files."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = [part for part in content if isinstance(part, Mapping)]
    return "\n".join(str(words) for part in parts if (words := part.get("text") or part.get("refusal")))


def _session_items(session: Session) -> list[Item]:
    """Return what was said in a session as items.

    Calls of tools were another loop's, and their ids mean nothing here.
    """
    spoken = (Role.USER, Role.ASSISTANT)
    return [
        {"role": entry.role.value, "content": entry.text}
        for entry in session.context()
        if entry.role in spoken and entry.text.strip()
    ]


def _as_json(item: Mapping[str, Any]) -> Item:
    """The item as JSON keeps it: some come as models of pydantic, or with such inside."""
    try:
        read = json.loads(json.dumps(item, default=_dumped))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("items", f"one is not JSON ({error})") from error
    if not isinstance(read, dict):
        raise BadArgument("items", "one is no object")
    return read


def _dumped(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} can't be kept")
    return dump(exclude_unset=True)
