"""Files as other programs write them, small ones, for tests."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CLAUDE_CODE = """---
name: user role
description: what the user does
type: user
---

The user is a data scientist in Lyon.
"""


def message(role: str, text: str, at: float, **more: Any) -> dict[str, Any]:
    """A message of ChatGPT's tree."""
    content = more.pop("content", {"content_type": "text", "parts": [text]})
    return {"author": {"role": role}, "create_time": at, "content": content, "recipient": "all", **more}


def conversation(*messages: dict[str, Any]) -> dict[str, Any]:
    """A conversation of ChatGPT whose messages follow each other, with a branch that was edited away."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for number, one in enumerate(messages):
        mapping[f"n{number}"] = {"id": f"n{number}", "message": one, "parent": parent, "children": []}
        parent = f"n{number}"
    gone = message("user", "Remember that I live in Atlantis.", 1_700_000_000.0)
    mapping["edited"] = {"id": "edited", "message": gone, "parent": "root", "children": []}
    return {"title": "A chat", "create_time": 1_700_000_000.0, "mapping": mapping, "current_node": parent}


def chatgpt() -> list[dict[str, Any]]:
    """What `conversations.json` holds."""
    return [
        conversation(
            message("user", "Remember that I am allergic to peanuts.", 1_714_000_000.0),
            message("assistant", "User is allergic to peanuts.", 1_714_000_001.0, recipient="bio"),
            message("tool", "Model set context updated.", 1_714_000_002.0),
            message("assistant", "Remember that I am an assistant and I live in Mountain View.", 1_714_000_003.0),
            message(
                "user",
                "",
                1_714_000_004.0,
                content={
                    "content_type": "user_editable_context",
                    "user_profile": "I am a nurse.",
                    "user_instructions": "Be brief.",
                },
            ),
        ),
        conversation(message("user", "What is the capital of France?", 1_714_100_000.0)),
    ]


def claude() -> dict[str, Any]:
    """The files of Claude's export."""
    return {
        "conversations.json": [
            {
                "uuid": "c1",
                "name": "Tea",
                "chat_messages": [
                    {
                        "sender": "human",
                        "text": "I prefer green tea over coffee.",
                        "created_at": "2025-03-01T10:00:00Z",
                    },
                    {"sender": "assistant", "text": "I prefer tea too.", "created_at": "2025-03-01T10:00:05Z"},
                ],
            }
        ],
        "memories.json": [
            {
                "conversations_memory": "**Work context**\n\nAda leads the Orion project.",
                "project_memories": {"p-1": "The garden needs a new fence."},
                "account_uuid": "a-1",
            }
        ],
        "projects.json": [{"uuid": "p-1", "name": "Garden"}],
    }


def mem0() -> dict[str, Any]:
    """What mem0's `get_all` answers."""
    return {
        "count": 3,
        "results": [
            {
                "id": "1",
                "memory": "Prefers morning meetings",
                "user_id": "dev",
                "created_at": "2025-07-01T09:00:00-07:00",
                "categories": ["user_preferences"],
                "metadata": {"importance": 0.9},
            },
            {"id": "2", "memory": "Works at TechCorp as a senior engineer", "created_at": "2025-07-02T09:00:00Z"},
            {"id": "3", "memory": "  "},
        ],
    }


def zipped(path: Path, files: Mapping[str, Any]) -> Path:
    """A zip of these files; what is no text or bytes becomes JSON."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(name, value if isinstance(value, str | bytes) else json.dumps(value))
    return path


def written(folder: Path, files: Mapping[str, Any]) -> Path:
    """A folder of these files."""
    for name, value in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return folder
