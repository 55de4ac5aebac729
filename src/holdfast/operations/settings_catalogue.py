"""The definitions of all settings, for a form of them; and combinations of settings that go by a name."""

from __future__ import annotations

from typing import Any, Final

from holdfast.operations.settings_list import BY_HAND
from holdfast.settings.declaration import Key
from holdfast.settings.keys import KEYS
from holdfast.settings.settings_reference import toml_value

__all__ = ["RECIPES", "settings_catalogue", "settings_recipes"]

# The goals that the seeds name, with the settings that reach them.
RECIPES: Final[tuple[dict[str, Any], ...]] = (
    {
        "name": "everyday",
        "title": "Everyday memory",
        "description": "Notes in the prompt and found by search; an edit shows in the next turn.",
        "changes": {"memory.style": "hybrid", "chat.prompt_memory_mode": "live-reload"},
    },
    {
        "name": "deterministic",
        "title": "The same prompt for a whole session",
        "description": "What the prompt holds of memory is taken when a session begins, until it is refreshed.",
        "changes": {"memory.style": "hybrid", "chat.prompt_memory_mode": "frozen-at-session-start"},
    },
    {
        "name": "search-only",
        "title": "Found by search alone",
        "description": "Nothing of memory stands in the prompt; the model looks for it.",
        "changes": {"memory.style": "search-only"},
    },
    {
        "name": "prompt-only",
        "title": "In the prompt alone",
        "description": "MEMORY.md and the daily notes stand in the prompt; the model has no tools to look for more.",
        "changes": {"memory.style": "prompt-only"},
    },
    {
        "name": "read-only",
        "title": "Agents read and never write",
        "description": "No agent or program changes a note; you still do.",
        "changes": {"memory.agent_write_mode": "off"},
    },
    {
        "name": "explicit-profile",
        "title": "USER.md holds what you said yourself",
        "description": "Nothing is noted about you in silence, such as the time zone of a browser.",
        "changes": {"memory.user_profile_write_mode": "explicit-only"},
    },
    {
        "name": "profile-in-settings",
        "title": "Your profile stays in the settings",
        "description": "USER.md is not written at all; what you say about yourself stands in [user] of holdfast.toml.",
        "changes": {"memory.user_profile_write_mode": "off"},
    },
    {
        "name": "qmd",
        "title": "QMD as the back end",
        "description": "The program QMD answers searches, and Holdfast wherever it does not; an experiment.",
        "changes": {"memory.backend": "qmd"},
    },
)

_SHORT_NAMES: Final = {name.lower(): name for name in ("FTS", "HTTP", "LLM", "MCP", "MMR", "QMD")}


def settings_recipes() -> dict[str, Any]:
    """Return combinations of settings that go by a name."""
    return {"recipes": list(RECIPES)}


def settings_catalogue() -> dict[str, Any]:
    """Return every table and every setting: its kind, its bounds, what it is for, and who may change it."""
    tables = [{"name": name, "title": _title(name)} for name in dict.fromkeys(key.table for key in KEYS)]
    return {"tables": tables, "keys": [_describe(key) for key in KEYS]}


def _describe(key: Key) -> dict[str, Any]:
    choices = key.choices
    return {
        "key": key.path,
        "table": key.table,
        "kind": key.kind.value,
        "choices": None if choices is None else [choice.value for choice in choices],
        "least": key.least,
        "most": key.most,
        "default": None if key.secret else toml_value(key.default),
        "optional": key.optional,
        "description": key.description,
        "example": key.example,
        "secret": key.secret,
        "variable": key.environment,
        "by_hand": key.path in BY_HAND,
        "of_home": key.of_home,
    }


def _title(table: str) -> str:
    words = [_SHORT_NAMES.get(word, word) for word in table.replace("_", " ").replace(".", " ").split()]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])
