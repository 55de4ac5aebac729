"""Claude's data export: what it remembers across conversations and in projects, and what the user said of themselves.

`memories.json` (or `memories/*.json`) holds text that Claude wrote, so it becomes notes and no facts of the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from holdfast.exchange.bundle import Bundle
from holdfast.exchange.conversations import conversations_in
from holdfast.exchange.findings import Findings, FoundFact, FoundNote
from holdfast.exchange.format_text import day_of, foreign, parse_json
from holdfast.facts.capture.day_stamp import stamp_day
from holdfast.facts.capture.fact_extraction import notice

__all__ = ["read_claude"]

_MEMORIES: Final = re.compile(r"(?:.*/)?memories(?:\.json|/[^/]+\.json)")
_PROJECTS: Final = re.compile(r"(?:.*/)?projects(?:\.json|/[^/]+\.json)")


def read_claude(bundle: Bundle) -> Findings:
    """The facts and memories of an export."""
    conversations = conversations_in(
        bundle, "Claude", lambda conversation: isinstance(conversation.get("chat_messages"), list)
    )
    memories = tuple(_memories(bundle))
    named = any(_MEMORIES.fullmatch(name) for name in bundle.names)
    if not memories and not conversations.understood and (not named or conversations.found):
        raise foreign(bundle.shown, "Claude", "there is no conversation and no memory as it exports them")
    facts = (
        fact for where, conversation in conversations.held for fact in _facts_said(conversation["chat_messages"], where)
    )
    return Findings(tuple(facts), memories, conversations.left_out)


def _facts_said(messages: list[Any], where: str) -> Iterator[FoundFact]:
    for message in messages:
        if not isinstance(message, Mapping) or message.get("sender") not in ("human", "user"):
            continue
        day = day_of(message.get("created_at"))
        for noticed in notice(_text(message)):
            yield FoundFact(stamp_day(noticed.text, day), where, noticed.category, noticed.importance, day)


def _text(message: Mapping[str, Any]) -> str:
    """Return what was typed.

    Attached files stand elsewhere in the message, and are not the user's words.
    """
    blocks = message.get("content")
    if isinstance(blocks, list):
        texts = [block.get("text") for block in blocks if isinstance(block, Mapping) and block.get("type") == "text"]
        if words := "\n".join(text for text in texts if isinstance(text, str)):
            return words
    text = message.get("text")
    return text if isinstance(text, str) else ""


def _memories(bundle: Bundle) -> Iterator[FoundNote]:
    projects = _project_names(bundle)
    for name in bundle.names:
        if not bundle.single and not _MEMORIES.fullmatch(name):
            continue
        value = parse_json(bundle.read(name), name)
        for held in value if isinstance(value, list) else [value]:
            if isinstance(held, Mapping):
                yield from _of_account(held, projects, name)


def _of_account(held: Mapping[str, Any], projects: Mapping[str, str], where: str) -> Iterator[FoundNote]:
    whole = held.get("conversations_memory")
    if isinstance(whole, str) and whole.strip():
        yield FoundNote("memory", whole, where)
    of_projects = held.get("project_memories")
    for key, text in of_projects.items() if isinstance(of_projects, Mapping) else ():
        if isinstance(text, str) and text.strip():
            yield FoundNote(f"project {projects.get(key, key)}", text, f"{where}, project {key}")
    files = held.get("memory_files")
    for number, file in enumerate(files if isinstance(files, list) else (), 1):
        if not isinstance(file, Mapping):
            continue
        text = file.get("content") or file.get("text")
        title = file.get("path") or file.get("name") or file.get("file_name") or f"file {number}"
        if isinstance(text, str) and text.strip() and isinstance(title, str):
            yield FoundNote(title.removesuffix(".md"), text, f"{where}, file {number}")


def _project_names(bundle: Bundle) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in bundle.names:
        if not _PROJECTS.fullmatch(name):
            continue
        value = parse_json(bundle.read(name), name)
        for held in value if isinstance(value, list) else [value]:
            if isinstance(held, Mapping) and isinstance(held.get("uuid"), str) and isinstance(held.get("name"), str):
                found[held["uuid"]] = held["name"]
    return found
