"""The tools that a client is offered, described as `tools/list` shows them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.surfaces.mcp.connector import CONNECTOR
from holdfast.surfaces.mcp.server_info import instructions
from holdfast.surfaces.mcp.tool_profile import HINTS, Profile, profile_tools

if TYPE_CHECKING:
    from holdfast.operations.toolbox import Toolbox
    from holdfast.surfaces.mcp.client_access import Access

__all__ = ["ToolList"]


class ToolList:
    """The tools of one profile. With `read_only` there are none that could change anything."""

    def __init__(self, profile: Profile, *, read_only: bool = False, structured: bool = False) -> None:
        self.profile, self._read_only, self.structured = profile, read_only, structured

    def admits(self, name: str) -> bool:
        """Say whether the profile has the tool, whatever the settings say: they give a better reason than "unknown"."""
        if self.profile is Profile.CHATGPT:
            return name in CONNECTOR
        return name not in CONNECTOR and name in profile_tools(self.profile, HINTS, read_only=self._read_only)

    def names(self, offered: Collection[str]) -> tuple[str, ...]:
        """Return those of the offered tools that are listed."""
        if self.profile is Profile.CHATGPT:
            if "memory_search" not in offered:
                return ()
            return tuple(CONNECTOR)
        return profile_tools(self.profile, offered, read_only=self._read_only)

    def instructions(self, access: Access) -> str:
        """Return what a client tells its model about this server, by the tools that are listed now."""
        try:
            return instructions(self.names([name for name in HINTS if access.offers(name)]))
        except HoldfastError:  # who asks for the list is told what is wrong
            return instructions(self.names(HINTS))

    def describe(self, toolbox: Toolbox) -> dict[str, Any]:
        """Return the result of `tools/list`, all on one page."""
        names = self.names(toolbox.names)
        if self.profile is Profile.CHATGPT:
            tools = [CONNECTOR[name] for name in names]
            connected = zip(names, tools, strict=True)
            return {"tools": [_tool(name, tool.description, tool.takes, tool.gives) for name, tool in connected]}
        from holdfast.operations.result_shapes import SHAPES

        known = {tool["name"]: tool for tool in toolbox.anthropic()}
        gives = SHAPES if self.structured else {}
        described = [
            _tool(name, known[name]["description"], known[name]["input_schema"], gives.get(name)) for name in names
        ]
        return {"tools": described}


def _tool(name: str, description: str, takes: dict[str, Any], gives: dict[str, Any] | None) -> dict[str, Any]:
    hints = HINTS[name]
    annotations = {
        "destructiveHint": hints.destroys,
        "idempotentHint": hints.repeatable,
        "openWorldHint": False,
        "readOnlyHint": hints.reads,
        "title": hints.title,
    }
    tool = {"annotations": annotations, "description": description, "inputSchema": takes, "name": name}
    if gives is not None:
        tool["outputSchema"] = gives
    return {**tool, "title": hints.title}
