"""The rows of a coding agent's record of a conversation → messages, each under the id that the client gave it.

Output of tools, files that were read, remarks of the program to its model: none of it is anybody's word, and a page
from the web that came in through a tool must not be taken for the user's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from holdfast.llm.chat import Role
from holdfast.surfaces.agents.envelopes import typed_text
from holdfast.tools.session_follow import Said

__all__ = ["ClientRecord", "read_record"]

_MOST_KINDS = 4  # named in a warning
_LONGEST_KIND = 40  # characters
_ASKED = "## My request for Codex:"
_QUERY, _QUERY_END = "<user_query>", "</user_query>"
# What Claude Code writes in the user's name has one of these marks.
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")
_ASIDE = ("info", "error", "warning")  # what Gemini CLI shows and nobody says
# What Gemini CLI has its model say after it has summed up a conversation.
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"


class ClientRecord(NamedTuple):
    """A client's record as far as it is understood: what was said, oldest first, and what else shows that people talk.

    `unread` counts the rows by kind that only a conversation has and that gave no message.
    """

    said: list[Said]
    unread: Counter[str]
    version: str = ""

    @property
    def fault(self) -> str:
        """Why messages are missing from this; empty where none are, or where nothing was said."""
        users = sum(message.role is Role.USER for message in self.said)
        answers = len(self.said) - users
        # Who is answered has asked, and who asks twice was answered, or has broken off the first time.
        if not self.unread or (users and answers) or (users == 1):
            return ""
        missing = "no messages" if not self.said else "no answers"
        if answers:
            missing = "no messages of the user"
        kinds = ", ".join(kind[:_LONGEST_KIND] for kind, _ in self.unread.most_common(_MOST_KINDS))
        return f"{missing} in it, but {self.unread.total():,} rows of other kinds ({kinds})"


def read_record(client: str, data: bytes) -> ClientRecord:
    """Read what a client has recorded of a conversation; what is broken in it is passed over."""
    record = _READERS[client](data)
    if data.strip() and not record.said and _loaded(data) is None and next(_rows(data), None) is None:
        record.unread.update(["no JSON"])
    return record


def _claude(data: bytes) -> ClientRecord:
    said: list[Said] = []
    unread: Counter[str] = Counter()
    version = ""
    for row in _rows(data):
        version = _word(row, "version") or version
        message = row.get("message")
        kind = _word(row, "type")
        content = message.get("content") if isinstance(message, dict) else None
        if kind not in ("user", "assistant") or not isinstance(content, str | list):
            if kind in ("user", "assistant") or isinstance(content, str | list):
                unread[kind or "?"] += 1
            continue
        origin = row.get("origin")
        speaker = origin.get("kind", "human") if isinstance(origin, dict) else "human"
        if speaker != "human" or any(row.get(mark) for mark in _NOT_SAID):
            continue
        role = Role.USER if kind == "user" else Role.ASSISTANT
        text = _text(content)
        if text is not None:
            said.append(_message(role, text, row.get("timestamp"), _word(row, "uuid")))
    return ClientRecord(_last_versions(said), unread, version)


def _codex(data: bytes) -> ClientRecord:
    """What was shown to the person: what the model was sent holds instructions and files as well.

    Since 0.148 these are completed items; before, and in some versions beside them, they were events of their own.
    """
    events = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
    items = {"UserMessage": Role.USER, "AgentMessage": Role.ASSISTANT}
    said: list[Said] = []
    unread: Counter[str] = Counter()
    version, is_users = "", True
    for row in _rows(data):
        payload = row.get("payload")
        if not isinstance(payload, dict):
            continue
        if row.get("type") == "session_meta":
            version = _word(payload, "cli_version") or version
            is_users = payload.get("thread_source", "user") == "user"  # and not another agent that talks to this one
        if row.get("type") == "response_item" and payload.get("role") == "assistant":
            unread["response_item"] += 1  # an answer, which must also have been shown
        if row.get("type") != "event_msg" or not is_users:
            continue
        item = payload.get("item")
        if payload.get("type") == "item_completed" and isinstance(item, dict):
            role, text, name = items.get(str(item.get("type"))), _text(item.get("content")), _word(item, "id")
        else:
            role, text, name = events.get(str(payload.get("type"))), payload.get("message"), ""
        if role is None or not isinstance(text, str):
            continue
        if role is Role.USER:
            text = text.rpartition(_ASKED)[2]
        message = _message(role, text, row.get("timestamp"), name)
        if said and said[-1][:2] == message[:2] and bool(said[-1].id) != bool(message.id):
            said[-1] = message if message.id else said[-1]  # the same, as an item and as an event
            continue
        said.append(message)
    return ClientRecord(_last_versions(said), unread, version)


def _cursor(data: bytes) -> ClientRecord:
    said: list[Said] = []
    unread: Counter[str] = Counter()
    for row in _rows(data):
        message = row.get("message")
        role = {"user": Role.USER, "assistant": Role.ASSISTANT}.get(_word(row, "role"))
        text = _text(message.get("content")) if isinstance(message, dict) else None
        if role is None or text is None:
            unread[_word(row, "role") or _word(row, "type") or "?"] += 1
            continue
        if role is Role.USER and (asked := _asked(text)):
            text = "\n".join(asked)
        said.append(_message(role, text, None, _word(row, "id")))
    return ClientRecord(_last_versions(said), unread)


def _asked(text: str) -> list[str]:
    """Return what stands between the tags of a question; each tag is looked for once, closed or not."""
    asked: list[str] = []
    start = text.find(_QUERY)
    while start >= 0 and (end := text.find(_QUERY_END, start)) >= 0:
        asked.append(text[start + len(_QUERY) : end])
        start = text.find(_QUERY, end)
    return asked


def _gemini(data: bytes) -> ClientRecord:
    """One JSON object with all messages, or since 2026 a message on each line, written again whenever it changes."""
    said: list[Said] = []
    unread: Counter[str] = Counter()
    whole = _loaded(data)
    rows: list[Any] = list(_rows(data))
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        rows = whole["messages"]
    for row in rows:
        kind = _word(row, "type") if isinstance(row, dict) else ""
        role = {"user": Role.USER, "gemini": Role.ASSISTANT}.get(kind)
        if role is None:
            if isinstance(row, dict) and kind not in _ASIDE and row.get("content"):
                unread[kind or "?"] += 1
            continue
        # What was sent to the model holds files and what hooks added; what was typed is shown where it is not the same.
        typed = row.get("displayContent") if role is Role.USER else None
        text = _text(typed) if typed else _text(row.get("content"))
        if text is not None and text.strip() != _ACKNOWLEDGED:
            said.append(_message(role, text, row.get("timestamp"), _word(row, "id")))
    return ClientRecord(_last_versions(said), unread)


_READERS: Mapping[str, Callable[[bytes], ClientRecord]] = {
    "claude-code": _claude,
    "codex": _codex,
    "cursor": _cursor,
    "gemini-cli": _gemini,
}


def _message(role: Role, text: str, stamp: object, name: str) -> Said:
    return Said(role, typed_text(text) if role is Role.USER else text.strip(), _when(stamp), name)


def _last_versions(said: Sequence[Said]) -> list[Said]:
    """Return each message once, as it was written last, where it was written first; without those that say nothing."""
    messages: dict[object, Said] = {}
    for number, message in enumerate(said):
        name: object = message.id or number
        messages[name] = message._replace(at=messages[name].at if name in messages else message.at)
    return [message for message in messages.values() if message.text]


def _rows(data: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of a file that has one on each line; what is none is passed over, half a last line too."""
    for line in data.split(b"\n"):
        value = _loaded(line) if line.startswith(b"{") else None
        if isinstance(value, dict):
            yield value


def _loaded(data: bytes) -> Any:
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
