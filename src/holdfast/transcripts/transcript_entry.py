"""One message of a conversation, and the other lines that a transcript can have: as JSON, out and in."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from holdfast.errors import BadArgument
from holdfast.llm.chat_model import Message, Role, ToolCall
from holdfast.pattern import compile_late
from holdfast.settings.session_settings import SessionKind
from holdfast.value import Value

__all__ = ["Compaction", "Entry", "Opening", "Record", "encode", "parse"]

# Raw, these could drive the terminal or fool the eyes of whoever prints the file, or are no characters at all.
_ESCAPED = compile_late(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]"
)
_SURROGATE = compile_late("[\ud800-\udfff]")
_ID = compile_late(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_NO_CALLS: tuple[ToolCall, ...] = ()


class Entry(Value):
    """One message; `tags` say what it is beside that ("summary", "flush", "recalled").

    `source_id` is what another program calls it in its own record, where the conversation is that program's.
    """

    id: str
    at: float
    role: Role
    text: str = ""
    origin: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    failed: bool = False
    tags: tuple[str, ...] = ()
    source_id: str = ""

    @property
    def message(self) -> Message:
        """The entry as a model is sent it."""
        return Message(self.role, self.text, self.tool_calls, self.tool_call_id, self.tool_name, self.failed)

    def to_json(self) -> dict[str, Any]:
        """The line of the transcript; what is empty is left out."""
        fields: dict[str, Any] = {"kind": "message", "id": self.id, "at": self.at, "role": self.role.value}
        for name in ("text", "origin", "tool_call_id", "tool_name", "failed", "source_id"):
            if value := getattr(self, name):
                fields[name] = value
        if self.tool_calls:
            fields["tool_calls"] = [_call_to_json(call) for call in self.tool_calls]
        if self.tags:
            fields["tags"] = list(self.tags)
        return fields


class Compaction(Value):
    """A mark in the transcript: the model is sent the summary, and the entries from `kept_from` on."""

    id: str
    at: float
    summary: str = ""
    kept_from: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of the transcript."""
        return {
            "kind": "compaction",
            "id": self.id,
            "at": self.at,
            "summary": self.summary,
            "kept_from": self.kept_from,
        }

    @property
    def entry(self) -> Entry:
        """The summary as an entry that can be sent."""
        return Entry(self.id, self.at, Role.USER, self.summary, tags=("summary",))


class Opening(Value):
    """The first line: whose transcript it is, so that losing the state loses no session."""

    key: str
    session: SessionKind
    at: float
    channel: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of the transcript."""
        return {"kind": "session", "key": self.key, "session": self.session.value, "at": self.at} | (
            {"channel": self.channel} if self.channel else {}
        )


Record: TypeAlias = Entry | Compaction | Opening


def encode(record: Record) -> bytes:
    """The record as a line without its end."""
    try:
        text = json.dumps(record.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("tool_calls", f"they are not JSON ({error})") from error
    return _ESCAPED.sub(lambda match: json.dumps(match[0])[1:-1], text).encode()


def parse(line: bytes) -> Record | None:
    """The record of a line, or None: half a line, or what another program wrote, is passed over."""
    try:
        fields = json.loads(line)
        if not isinstance(fields, dict):
            return None
        match fields.get("kind"):
            case "message":
                return _entry(fields)
            case "compaction":
                return Compaction(_id(fields), _at(fields), _text(fields, "summary"), _text(fields, "kept_from"))
            case "session":
                return Opening(
                    _text(fields, "key"), SessionKind(fields["session"]), _at(fields), _text(fields, "channel")
                )
            case _:
                return None
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return None


def _entry(fields: Mapping[str, Any]) -> Entry:
    calls = fields.get("tool_calls")
    tags = fields.get("tags")
    return Entry(
        _id(fields),
        _at(fields),
        Role(fields["role"]),
        _text(fields, "text"),
        _text(fields, "origin"),
        tuple(map(_call, calls)) if isinstance(calls, list) and calls else _NO_CALLS,
        _text(fields, "tool_call_id"),
        _text(fields, "tool_name"),
        fields.get("failed") is True,
        tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        _text(fields, "source_id"),
    )


def _id(fields: Mapping[str, Any]) -> str:
    found = fields["id"]
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise ValueError("an id of another shape")
    return found


def _at(fields: Mapping[str, Any]) -> float:
    at = fields["at"]
    if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at):
        raise ValueError("a time that is no number")
    return float(at)


def _text(fields: Mapping[str, Any], name: str) -> str:
    text = fields.get(name, "")
    if not isinstance(text, str):
        raise TypeError(f"{name} is not text")
    # Half a character, which JSON can write and nothing else can: no caller should stumble over it later.
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text)


def _call(fields: Any) -> ToolCall:
    arguments = None
    if isinstance(fields, dict):
        arguments = fields.get("arguments", {})
    if not isinstance(arguments, dict):
        raise TypeError("a call that is no object")
    return ToolCall(_text(fields, "id"), _text(fields, "name"), arguments, _text(fields, "flaw"))


def _call_to_json(call: ToolCall) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}
    if call.flaw:
        return fields | {"flaw": call.flaw}
    return fields
