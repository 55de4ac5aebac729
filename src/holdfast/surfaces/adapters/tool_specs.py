"""The tools of a memory as a framework takes them: a name, a description, a schema, and something to call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.errors import BadArgument
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.operations.toolbox import Toolbox
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.memory_lock import alone, in_thread

__all__ = ["CORE", "ToolSpec", "tool_specs"]

CORE = ("memory_search", "memory_get", "memory_save", "memory_forget")
"""What an agent needs; each further tool costs room in every prompt."""


class ToolSpec(NamedTuple):
    """One tool; what goes wrong comes back as `{"error": …}`, for the model to read and mend."""

    name: str
    description: str
    parameters: dict[str, Any]
    memory: Memory
    tools: Toolbox

    def call(self, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """Run it with the arguments a model gave."""
        with alone(self.memory):
            return self.tools.call(self.name, arguments)

    async def acall(self, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """The same, in a worker thread."""
        return await in_thread(self.memory, lambda: self.tools.call(self.name, arguments))

    async def atext(self, arguments: Mapping[str, Any] | str | None = None) -> str:
        """The same, as the JSON text that models are shown."""
        return json.dumps(await self.acall(arguments), ensure_ascii=False)


def tool_specs(
    memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None, client: str
) -> list[ToolSpec]:
    """The tools of these names, in this order, or (None) all; in a session they see what that session may see."""
    whose = memory if session is None else session
    tools = whose.tools(client=client)
    schemas = {each["name"]: each for each in tools.anthropic()}
    wanted = tuple(schemas) if names is None else names
    unknown = [name for name in wanted if name not in schemas and name not in CORE]
    if unknown:
        raise BadArgument("names", f"there is no tool {unknown[0]!r}; there are {', '.join(schemas) or 'none'}")
    # One of the usual four may be missing because the settings keep it from every agent.
    return [
        ToolSpec(name, schemas[name]["description"], schemas[name]["input_schema"], memory, tools)
        for name in wanted
        if name in schemas
    ]
