"""ChatGPT's data export: saved memories, custom instructions, and what the user said of themselves in conversations.

`conversations.json`, or `conversations-000.json` and so on, holds trees of messages; the branch that counts ends at
`current_node`. Saved memories stand in `memory.json` where there is one, else in what the model was shown of them, else
in the messages by which it saved each. The words of the model are never taken for the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from holdfast.exchange.bundle import Bundle
from holdfast.exchange.conversations import conversations_in
from holdfast.exchange.findings import Findings, FoundFact, FoundNote
from holdfast.exchange.format_text import category_of_words, day_of, foreign, parse_json
from holdfast.facts.capture.day_stamp import stamp_day
from holdfast.facts.capture.fact_extraction import notice
from holdfast.named_tuple import NamedTuple

__all__ = ["read_chatgpt"]

_MEMORIES: Final = re.compile(r"(?:.*/)?(?:memory|memories)\.json")
_SHOWN: Final = re.compile(r"\s*(?:[0-9]+\.\s*)?(?:\[(?P<day>[0-9-]{10})\]\.?\s*)?(?P<text>\S.*)")
_FORGETS: Final = re.compile(r"(?:forget|remove|delete)\b", re.IGNORECASE)


class _Message(NamedTuple):
    role: str
    recipient: str
    content: Mapping[str, Any]
    at: float

    @property
    def text(self) -> str:
        """The words of it; pictures and files have none."""
        parts = self.content.get("parts")
        if isinstance(parts, list):
            return "\n".join(part for part in parts if isinstance(part, str))
        text = self.content.get("text")
        return text if isinstance(text, str) else ""


def read_chatgpt(bundle: Bundle) -> Findings:
    """The facts and custom instructions of an export."""
    said: list[FoundFact] = []
    saved: list[FoundFact] = []
    shown: tuple[float, str, str] = (-1.0, "", "")
    instructions: tuple[float, str, str] = (-1.0, "", "")
    memories = _memory_file(bundle)
    conversations = conversations_in(
        bundle, "ChatGPT", lambda conversation: isinstance(conversation.get("mapping"), Mapping)
    )
    if memories is None and not conversations.understood:
        raise foreign(bundle.shown, "ChatGPT", "there is no conversation and no memory as it exports them")
    for where, conversation in conversations.held:
        for message in _messages(conversation):
            kind = message.content.get("content_type")
            if kind == "model_editable_context":
                shown = max(shown, (message.at, _string(message.content, "model_set_context"), where))
            elif kind == "user_editable_context":
                instructions = max(instructions, (message.at, _instructions(message.content), where))
            elif message.role == "assistant" and message.recipient == "bio":
                saved += _lines(message.text, where, message.at)
            elif message.role == "user" and kind in ("text", "multimodal_text"):
                said += _facts_said(message, where)
    if memories is None:
        memories = _lines(shown[1], shown[2], shown[0]) if shown[1].strip() else saved
    notes = (FoundNote("custom instructions", instructions[1], instructions[2]),) if instructions[1].strip() else ()
    return Findings((*memories, *said), notes, conversations.left_out)


def _messages(conversation: Mapping[str, Any]) -> Iterator[_Message]:
    """The messages of the branch that counts, oldest first; all of them where that is not known."""
    mapping = conversation["mapping"]
    branch: list[Any] = []
    node: object = conversation.get("current_node")
    seen: set[str] = set()
    while isinstance(node, str) and node in mapping and node not in seen:
        seen.add(node)
        held = mapping[node]
        branch.append(held)
        node = None
        if isinstance(held, Mapping):
            node = held.get("parent")
    if branch:
        nodes = reversed(branch)
    else:
        nodes = mapping.values()
    began = _number(conversation.get("update_time")) or _number(conversation.get("create_time"))
    for held in nodes:
        message = None
        if isinstance(held, Mapping):
            message = held.get("message")
        if not isinstance(message, Mapping):
            continue
        author, content = message.get("author"), message.get("content")
        if isinstance(author, Mapping) and isinstance(content, Mapping):
            at = _number(message.get("create_time")) or began
            yield _Message(_string(author, "role"), _string(message, "recipient"), content, at)


def _facts_said(message: _Message, where: str) -> Iterator[FoundFact]:
    day = day_of(message.at)
    for noticed in notice(message.text):
        yield FoundFact(stamp_day(noticed.text, day), where, noticed.category, noticed.importance, day)


def _lines(text: str, where: str, at: float) -> list[FoundFact]:
    """A memory on each line, with or without a number and a day before it."""
    found: list[FoundFact] = []
    for line in text.split("\n"):
        match = _SHOWN.fullmatch(line)
        if match is None or _FORGETS.match(match["text"]):
            continue
        words = match["text"].strip()
        found.append(FoundFact(words, where, category_of_words(words), None, day_of(match["day"]) or day_of(at)))
    return found


def _memory_file(bundle: Bundle) -> list[FoundFact] | None:
    named = [name for name in bundle.names if _MEMORIES.fullmatch(name)]
    for name in named or (bundle.names if bundle.single else ()):
        value = parse_json(bundle.read(name), name)
        if isinstance(value, Mapping):
            value = value.get("memories")
        if not isinstance(value, list):
            continue
        found: list[FoundFact] = []
        for number, row in enumerate(value, 1):
            fields = {"content": row} if isinstance(row, str) else row
            # One that the user switched off is not to be remembered.
            if not isinstance(fields, Mapping) or fields.get("enabled") is False:
                continue
            text = _string(fields, "content")
            if named:  # under any other name, a list of these may be another program's
                text = text or _string(fields, "memory") or _string(fields, "text")
            if text.strip():
                day = day_of(fields.get("updated_at")) or day_of(fields.get("created_at"))
                found.append(FoundFact(text, f"{name}, memory {number}", category_of_words(text), None, day))
        if found or (named and not any(isinstance(row, Mapping) and "enabled" not in row for row in value)):
            return found
    return None


def _instructions(content: Mapping[str, Any]) -> str:
    parts = (
        ("About the user", _string(content, "user_profile")),
        ("How to answer", _string(content, "user_instructions")),
    )
    return "\n\n".join(f"## {title}\n\n{text.strip()}" for title, text in parts if text.strip())


def _string(held: Mapping[str, Any], key: str) -> str:
    value = held.get(key)
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return 0.0
