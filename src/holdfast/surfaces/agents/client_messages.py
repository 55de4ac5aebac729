"""The rows of a coding agent's record of a conversation → messages, each under the id that the client gave it.

Output of tools, files that were read, remarks of the program to its model: none of it is anybody's word, and a page
from the web that came in through a tool must not be taken for the user's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from holdfast.llm.chat_model import Role
from holdfast.named_tuple import NamedTuple
from holdfast.sessions.session_follow import RecordMessage
from holdfast.surfaces.agents.envelopes import typed_text
from holdfast.surfaces.agents.row_types import is_unread_message

__all__ = ["ClientRecord", "read_record"]

_MOST_KINDS = 4  # named in a warning
_LONGEST_KIND = 60  # characters
_SEVERAL = 2  # messages; one may have been broken off before there was an answer
_ASKED = "## My request for Codex:"
_QUERY, _QUERY_END = "<user_query>", "</user_query>"
_HIDDEN = "[REDACTED]"  # how Cursor ends an answer, in place of what its model thought
# What Claude Code writes in the user's name has one of these marks.
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")
# What Gemini CLI has its model say after it has summed up a conversation.
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"


class ClientRecord(NamedTuple):
    """A client's record as far as it is understood: what was said, oldest first, and what may be missing from that.

    `unread` counts by type the rows that may be messages and are not read; `heard` is whose rows there are, also where
    they hold no word of anybody's: a command, a call of a tool.
    """

    said: list[RecordMessage]
    unread: Counter[str]
    heard: Collection[Role]
    version: str = ""

    @property
    def fault(self) -> str:
        """Return why messages are missing from this, or may be; empty where nothing shows that."""
        roles = Counter(message.role for message in self.said)
        faults: list[str] = []
        if not self.said and self.unread:
            faults.append("no messages in it")
        elif roles[Role.USER] >= _SEVERAL and Role.ASSISTANT not in self.heard:
            faults.append("no answers in it")
        elif roles[Role.ASSISTANT] >= _SEVERAL and Role.USER not in self.heard:
            faults.append("no messages of the user in it")
        if self.unread:
            kinds = (f"{kind[:_LONGEST_KIND]} {count:,}" for kind, count in self.unread.most_common(_MOST_KINDS))
            faults.append(f"rows of types that are not known ({', '.join(kinds)})")
        return ", ".join(faults)


def read_record(client: str, data: bytes) -> ClientRecord:
    """Read what a client has recorded of a conversation; what is broken in it is passed over."""
    record = _READERS[client](data)
    if data.strip() and not record.said and _load_json(data) is None and next(_rows(data), None) is None:
        record.unread.update(["no JSON"])
    return record


def _claude(data: bytes) -> ClientRecord:
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT}
    said: list[RecordMessage] = []
    parts: dict[tuple[str, str], str] = {}
    heard: set[Role] = set()
    unread: Counter[str] = Counter()
    version = ""
    for row in _rows(data):
        version = _word(row, "version") or version
        message = row.get("message")
        kind = _word(row, "type")
        role = roles.get(kind)
        content = None
        if isinstance(message, dict):
            content = message.get("content")
        if role is None or not isinstance(content, str | list):
            if role is not None or is_unread_message("claude-code", kind, row):
                unread[kind or "?"] += 1
            continue
        text = _text(content)
        if text is None or row.get("toolUseResult"):
            continue
        heard.add(role)
        origin = row.get("origin")
        if isinstance(origin, dict):
            speaker = origin.get("kind", "human")
        else:
            speaker = "human"
        if speaker == "human" and not any(row.get(mark) for mark in _NOT_SAID):
            name = _word(row, "uuid")
            if isinstance(message, dict) and (answer := _word(message, "id")):
                # After a compaction a part of an answer may be written again, as another row.
                name = parts.setdefault((answer, text), name)
            said.append(_message(role, text, row.get("timestamp"), name))
    return ClientRecord(_last_versions(said), unread, heard, version)


def _codex(data: bytes) -> ClientRecord:
    """Return what was shown to the person: what the model was sent holds instructions and files as well.

    Since 0.148 these are completed items; before, and in some versions beside them, they were events of their own.
    """
    roles = {
        "event_msg/user_message": Role.USER,
        "event_msg/agent_message": Role.ASSISTANT,
        "event_msg/item_completed/UserMessage": Role.USER,
        "event_msg/item_completed/AgentMessage": Role.ASSISTANT,
    }
    said: list[RecordMessage] = []
    unread: Counter[str] = Counter()
    answers_sent = 0
    version, is_users = "", True
    for row in _rows(data):
        kind, payload = _codex_row(row)
        if kind == "session_meta":
            version = _word(payload, "cli_version") or version
            is_users = payload.get("thread_source", "user") == "user"  # and not another agent that talks to this one
        if not is_users:
            continue
        if kind == "response_item" and payload.get("role") == "assistant":
            answers_sent += 1
        role = roles.get(kind)
        if "content" in payload:
            text = _text(payload.get("content"))
        else:
            text = payload.get("message")
        if role is None or not isinstance(text, str):
            if role is not None or is_unread_message("codex", kind, payload):
                unread[kind] += 1
            continue
        if role is Role.USER:
            text = text.rpartition(_ASKED)[2]
        message = _message(role, text, row.get("timestamp"), _word(payload, "id"))
        if said and said[-1][:2] == message[:2] and bool(said[-1].id) != bool(message.id):
            said[-1] = message if message.id else said[-1]  # the same, as an item and as an event
            continue
        said.append(message)
    if not said and not unread and answers_sent:
        unread["response_item"] = answers_sent  # answers, which must also have been shown
    return ClientRecord(_last_versions(said), unread, {message.role for message in said}, version)


def _codex_row(row: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the type of a row with the types inside it, and what stands in the innermost."""
    kind = _word(row, "type") or "?"
    payload = row.get("payload")
    if not isinstance(payload, dict):
        return kind, row
    if kind != "event_msg":
        return kind, payload
    kind = f"{kind}/{_word(payload, 'type') or '?'}"
    item = payload.get("item")
    if kind != "event_msg/item_completed" or not isinstance(item, dict):
        return kind, payload
    return f"{kind}/{_word(item, 'type') or '?'}", item


def _cursor(data: bytes) -> ClientRecord:
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT}
    said: list[RecordMessage] = []
    heard: set[Role] = set()
    unread: Counter[str] = Counter()
    for row in _rows(data):
        message = row.get("message")
        kind = _word(row, "role") or _word(row, "type") or "?"
        role = roles.get(kind)
        content = None
        if isinstance(message, dict):
            content = message.get("content")
        if role is None or not isinstance(content, str | list):
            if role is not None or is_unread_message("cursor", kind, row):
                unread[kind] += 1
            continue
        text = _text(content)
        if text is None:
            continue
        heard.add(role)
        if role is Role.USER and (asked := _tagged_questions(text)):
            text = "\n".join(asked)
        if role is Role.ASSISTANT:
            text = _without_hidden(text)
        said.append(_message(role, text, None, _word(row, "id")))
    return ClientRecord(_last_versions(said), unread, heard)


def _without_hidden(text: str) -> str:
    """Return an answer without the marks that stand for thoughts, at its end or on a line of their own."""
    lines = text.rstrip().removesuffix(_HIDDEN).split("\n")
    return "\n".join(line for line in lines if line.strip() != _HIDDEN)


def _tagged_questions(text: str) -> list[str]:
    """Return what stands between the tags of a question; each tag is looked for once, closed or not."""
    asked: list[str] = []
    start = text.find(_QUERY)
    while start >= 0 and (end := text.find(_QUERY_END, start)) >= 0:
        asked.append(text[start + len(_QUERY) : end])
        start = text.find(_QUERY, end)
    return asked


def _gemini(data: bytes) -> ClientRecord:
    """One JSON object with all messages, or since 2026 a message on each line, written again whenever it changes."""
    roles = {"user": Role.USER, "gemini": Role.ASSISTANT}
    said: list[RecordMessage] = []
    heard: set[Role] = set()
    unread: Counter[str] = Counter()
    whole = _load_json(data)
    rows: list[Any] = list(_rows(data))
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        rows = whole["messages"]
    for row in rows:
        if not isinstance(row, dict):
            continue
        kind = _word(row, "type")
        role = roles.get(kind)
        # What was sent to the model holds files and what hooks added; what was typed is shown where it is not the same.
        typed = None
        if role is Role.USER:
            typed = row.get("displayContent")
        content = typed or row.get("content")
        if role is None or not isinstance(content, str | list):
            if is_unread_message("gemini-cli", kind, row):
                unread[kind or "?"] += 1
            continue
        text = _text(content)
        if text is None:
            continue
        heard.add(role)
        if text.strip() != _ACKNOWLEDGED:
            said.append(_message(role, text, row.get("timestamp"), _word(row, "id")))
    return ClientRecord(_last_versions(said), unread, heard)


_READERS: Mapping[str, Callable[[bytes], ClientRecord]] = {
    "claude-code": _claude,
    "codex": _codex,
    "cursor": _cursor,
    "gemini-cli": _gemini,
}


def _message(role: Role, text: str, stamp: object, name: str) -> RecordMessage:
    return RecordMessage(role, typed_text(text) if role is Role.USER else text.strip(), _when(stamp), name)


def _last_versions(said: Sequence[RecordMessage]) -> list[RecordMessage]:
    """Return each message once, as it was written last, where it was written first; without those that say nothing."""
    messages: dict[object, RecordMessage] = {}
    for number, message in enumerate(said):
        name: object = message.id or number
        messages[name] = message._replace(at=messages[name].at if name in messages else message.at)
    return [message for message in messages.values() if message.text]


def _rows(data: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of a file that has one on each line; what is none is passed over, half a last line too."""
    for line in data.split(b"\n"):
        value = None
        if line.startswith(b"{"):
            value = _load_json(line)
        if isinstance(value, dict):
            yield value


def _load_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _text(content: object) -> str | None:
    """The words of a message; None where it is what a tool gave back."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    blocks = [block for block in content if isinstance(block, dict)]
    if any("tool_result" in str(block.get("type")) or "functionResponse" in block for block in blocks):
        return None
    said = (block for block in blocks if block.get("type") in ("text", "Text", None) and not block.get("thought"))
    return "\n".join(text for text in (block.get("text") for block in said) if isinstance(text, str))


def _word(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    is_word = isinstance(value, str) and 0 < len(value) <= 200 and value.isprintable()
    return str(value) if is_word else ""


def _when(stamp: object) -> float | None:
    if not isinstance(stamp, str):
        return None
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
