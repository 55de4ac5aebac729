"""The record that a coding agent keeps of a conversation → what the user and the model said in it, and nothing else.

Output of tools, files that were read, remarks of the program to its model: none of it is anybody's word, and a page
from the web that came in through a tool must not be taken for the user's.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from holdfast.errors import BadArgument
from holdfast.llm.chat import Role
from holdfast.tools.session_follow import Said

__all__ = ["said_in"]

_MOST_BYTES = 32 * 1024 * 1024  # the end of a longer record is read
_MOST_MESSAGES = 5000
_LONGEST = 100_000  # characters of one message
_ROOTS: Mapping[str, tuple[str, str, str]] = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "~/.claude", "projects"),
    "codex": ("CODEX_HOME", "~/.codex", "sessions"),
    "cursor": ("", "~/.cursor", "projects"),
    "gemini-cli": ("", "~/.gemini", "tmp"),
}
# What programs put around, or in place of, what was typed.
_ENVELOPES = re.compile(
    r"<(system-reminder|command-[a-z]+|local-command-[a-z]+|bash-(?:input|stdout|stderr)|task-notification"
    r"|user-prompt-submit-hook|session-start-hook|ide_[a-z_]+|environment_context|user_instructions|turn_aborted"
    r"|hook_context|timestamp|attached_files|open_and_recently_viewed_files|system_reminder)\b[^<>]{0,200}>"
)
_QUERY, _QUERY_END = "<user_query>", "</user_query>"
_ASKED = "## My request for Codex:"
_INTERRUPTED = "[Request interrupted"
# What Claude Code writes in the user's name: marks of a line, and how a text begins that has none.
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")
_NOTICES = (
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "Caveat: The messages",
)


def said_in(client: str, path: str) -> list[Said]:
    """What was said, oldest first. BadArgument for a file that is not among the client's own records."""
    data = _read(client, path)
    parts: Iterator[Said] = _READERS[client](data)
    said = [one._replace(text=one.text[:_LONGEST]) for one in _joined(parts) if one.text]
    return said[-_MOST_MESSAGES:]


def _read(client: str, path: str) -> bytes:
    if client not in _ROOTS:
        raise BadArgument("transcript_path", f"the records of {client!r} are not known")
    variable, default, below = _ROOTS[client]
    top = os.path.realpath(os.path.join(os.environ.get(variable) or os.path.expanduser(default), below))
    real = os.path.realpath(path)
    # Whoever can call a hook must not have any file of the person's kept as a conversation (P9).
    if os.path.commonpath((top, real)) != top or not real.endswith((".jsonl", ".json")):
        raise BadArgument("transcript_path", f"it is not a record below {top}")
    try:
        file = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise BadArgument("transcript_path", f"it can't be read: {error.strerror}") from None
    with open(file, "rb") as opened:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise BadArgument("transcript_path", "it is not a plain file")
        opened.seek(max(0, status.st_size - _MOST_BYTES))
        return opened.read(_MOST_BYTES)


def _claude(data: bytes) -> Iterator[Said]:
    for line in _lines(data):
        message = line.get("message")
        if line.get("type") not in ("user", "assistant") or not isinstance(message, dict):
            continue
        origin = line.get("origin")
        kind = origin.get("kind", "human") if isinstance(origin, dict) else "human"
        if kind != "human" or any(line.get(mark) for mark in _NOT_SAID):
            continue
        role = Role.USER if line["type"] == "user" else Role.ASSISTANT
        text = _text(message.get("content"), ("text",))
        if text is not None and role is Role.USER and text.lstrip().startswith(_NOTICES):
            continue
        if text is not None:
            yield Said(role, _typed(text) if role is Role.USER else text.strip(), _when(line.get("timestamp")))


def _codex(data: bytes) -> Iterator[Said]:
    """What was shown to the person: what the model was sent holds instructions and files as well."""
    speakers = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
    for line in _lines(data):
        payload = line.get("payload")
        if line.get("type") != "event_msg" or not isinstance(payload, dict):
            continue
        role, text = speakers.get(str(payload.get("type"))), payload.get("message")
        if role is not None and isinstance(text, str):
            text = text.rpartition(_ASKED)[2] if role is Role.USER else text
            yield Said(role, _typed(text) if role is Role.USER else text.strip(), _when(line.get("timestamp")))


def _cursor(data: bytes) -> Iterator[Said]:
    for line in _lines(data):
        message = line.get("message")
        role = {"user": Role.USER, "assistant": Role.ASSISTANT}.get(str(line.get("role")))
        text = _text(message.get("content"), ("text",)) if isinstance(message, dict) else None
        if role is None or text is None:
            continue
        if role is Role.USER and (asked := _asked(text)):
            text = "\n".join(asked)
        yield Said(role, _typed(text) if role is Role.USER else text.strip())


def _asked(text: str) -> list[str]:
    """Return what stands between the tags of a question; each tag is looked for once, closed or not."""
    asked: list[str] = []
    start = text.find(_QUERY)
    while start >= 0 and (end := text.find(_QUERY_END, start)) >= 0:
        asked.append(text[start + len(_QUERY) : end])
        start = text.find(_QUERY, end)
    return asked


def _gemini(data: bytes) -> Iterator[Said]:
    """One JSON object with all messages, or since 2026 a message on each line."""
    rows: Iterable[Any] = _lines(data)
    whole = _loaded(data)
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        rows = whole["messages"]
    for row in rows:
        role = {"user": Role.USER, "gemini": Role.ASSISTANT}.get(str(row.get("type")) if isinstance(row, dict) else "")
        text = _text(row.get("content"), ("text", None)) if role is not None else None
        if role is not None and text is not None:
            yield Said(role, _typed(text) if role is Role.USER else text.strip(), _when(row.get("timestamp")))


_READERS: Mapping[str, Callable[[bytes], Iterator[Said]]] = {
    "claude-code": _claude,
    "codex": _codex,
    "cursor": _cursor,
    "gemini-cli": _gemini,
}


def _lines(data: bytes) -> Iterator[Mapping[str, Any]]:
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


def _text(content: object, kinds: Sequence[str | None]) -> str | None:
    """The words of a message; None where it is what a tool gave back."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    blocks = [block for block in content if isinstance(block, dict)]
    if any("tool_result" in str(block.get("type")) or "functionResponse" in block for block in blocks):
        return None
    texts = [block.get("text") for block in blocks if block.get("type") in kinds]
    return "\n".join(text for text in texts if isinstance(text, str))


def _typed(text: str) -> str:
    """What a person typed, without what the program put around it."""
    kept: list[str] = []
    at = 0
    while found := _ENVELOPES.search(text, at):
        kept.append(text[at : found.start()])
        close = f"</{found[1]}>"
        end = text.find(close, found.end())
        at = len(text) if end < 0 else end + len(close)
    typed = "".join([*kept, text[at:]]).strip()
    return "" if typed.startswith(_INTERRUPTED) else typed


def _when(stamp: object) -> float | None:
    if not isinstance(stamp, str):
        return None
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _joined(said: Iterable[Said]) -> Iterator[Said]:
    """What the model says between two words of the user is one answer, however many tools it called on the way."""
    held: Said | None = None
    for one in said:
        if held is not None and one.text and held.role is one.role is Role.ASSISTANT:
            held = held._replace(text=f"{held.text}\n\n{one.text}")
            continue
        if held is not None and one.text:
            yield held
        held = one if one.text else held
    if held is not None:
        yield held
