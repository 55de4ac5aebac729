"""Whoever tells a model about MEMORY.md tells it the same: what is kept at once, and what waits in the inbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.operations.memory_save import memory_save
from holdfast.operations.tool_schema import schema_of
from holdfast.sessions.guide import guide
from holdfast.settings.memory_settings import Citations, Style, WriteMode
from holdfast.surfaces.mcp.server_info import instructions
from holdfast.surfaces.mcp.tool_profile import HINTS, Profile, profile_tools

PLUGIN = Path(__file__).parents[3] / "plugins" / "claude-code"
KEPT = (
    "a sentence that the user typed is kept at once when you save it word for word, "
    "and anything else waits in the inbox until the owner approves it"
)
TEXTS = {
    "guide": guide(Style.HYBRID, Citations.AUTO, WriteMode.HYBRID),
    "guide to MEMORY.md alone": guide(Style.PROMPT_ONLY, Citations.AUTO, WriteMode.PROMPT_ONLY),
    "server": instructions(profile_tools(Profile.CORE, HINTS)),
    "tool": str(schema_of(memory_save)),
    "skill": (PLUGIN / "skills" / "memory" / "SKILL.md").read_text(encoding="utf-8"),
    "command": (PLUGIN / "commands" / "remember.md").read_text(encoding="utf-8"),
}


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if text])
def test_guide_skill_command_tool_and_server_say_the_same_of_memory_md(name: str) -> None:
    assert KEPT in " ".join(TEXTS[name].split())
