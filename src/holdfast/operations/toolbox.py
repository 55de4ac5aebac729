"""The tools for a model: their schemas in the two common dialects, and one door to call them by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Protocol

from holdfast.context.memory_backend import MemoryBackend, MemoryPart
from holdfast.context.session_visibility import require_readable, require_shared
from holdfast.errors import BadArgument, HoldfastError
from holdfast.forgetting.memory_forget import memory_forget
from holdfast.guard.argument_types import fit_json
from holdfast.guard.operation import Method, declare
from holdfast.guard.paths import INBOX
from holdfast.markdown.fact_row import Category, note_of
from holdfast.operations.checkpoint_restore import checkpoint_restore
from holdfast.operations.checkpoints_list import checkpoints_list
from holdfast.operations.facts_forget import forget_fact
from holdfast.operations.facts_list import list_facts
from holdfast.operations.facts_recall import recall
from holdfast.operations.facts_store import store
from holdfast.operations.inbox_tools import inbox_approve, inbox_edit, inbox_list, inbox_reject
from holdfast.operations.memory_delete import memory_delete
from holdfast.operations.memory_get import memory_get
from holdfast.operations.memory_save import memory_save
from holdfast.operations.memory_search import memory_search
from holdfast.operations.session_state import session_state
from holdfast.operations.tool_names import is_offered
from holdfast.operations.tool_schema import description_of, schema_of, tool_parameters

__all__ = ["OWNER_TOOLS", "SESSION_TOOLS", "TOOLS", "Toolbox"]


class _Result(Protocol):
    def to_json(self) -> dict[str, Any]: ...


TOOLS: Mapping[str, Callable[..., _Result]] = {
    "memory_search": memory_search,
    "memory_get": memory_get,
    "memory_save": memory_save,
    "memory_forget": memory_forget,
    "memory_delete": memory_delete,
    "checkpoints_list": checkpoints_list,
    "checkpoint_restore": checkpoint_restore,
    "store": store,
    "recall": recall,
    "forget": forget_fact,
    "list": list_facts,
}
SESSION_TOOLS: Mapping[str, Callable[..., _Result]] = {"session_state": session_state}
"""Those that only a session has; `memory.style` is about memory, which they are not."""
OWNER_TOOLS: Mapping[str, Callable[..., _Result]] = {
    "inbox_list": inbox_list,
    "inbox_approve": inbox_approve,
    "inbox_edit": inbox_edit,
    "inbox_reject": inbox_reject,
}
"""Those of an agent that decides in the owner's name; nobody has them unasked."""

FACT_TOOLS = ("store", "recall", "forget", "list")
"""Those about facts, which only direct sessions see."""


class Toolbox(MemoryPart):
    """The tools that an agent is offered; empty when `memory.style` keeps the tools from it."""

    prefix = "tools."

    def __init__(self, backend: MemoryBackend, *, owner: bool = False) -> None:
        super().__init__(backend)
        self._owner = owner

    @property
    def names(self) -> tuple[str, ...]:
        """The tools that are offered."""
        return self._names()

    @Method
    def _names(self) -> tuple[str, ...]:
        return tuple(self._offered)

    @Method
    def openai(self) -> list[dict[str, Any]]:
        """The schemas as OpenAI-style endpoints want them in `tools`."""
        return [
            {
                "type": "function",
                "function": {"name": name, "description": description_of(tool), "parameters": schema_of(tool)},
            }
            for name, tool in self._offered.items()
        ]

    @Method
    def anthropic(self) -> list[dict[str, Any]]:
        """The schemas as Anthropic's endpoint wants them in `tools`."""
        return [
            {"name": name, "description": description_of(tool), "input_schema": schema_of(tool)}
            for name, tool in self._offered.items()
        ]

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> dict[str, Any]:
        """Run a tool with the arguments a model gave, as JSON text or as an object.

        What goes wrong comes back as `{"error": {"type", "message"}}`, for the model to read and mend; also that a
        server is gone: an agent goes on without its memory.
        """
        try:
            return self._run(name, arguments)
        except HoldfastError as error:
            return {"error": {"type": type(error).__name__, "message": error.shown}}
        except Exception as error:  # noqa: BLE001 - a model must get an answer, whatever went wrong
            return {"error": {"type": "Unexpected", "message": f"{type(error).__name__}: {error}"}}

    @cached_property
    def _tools(self) -> Mapping[str, Callable[..., _Result]]:
        """Those that can be called: one that is not offered is still told which setting is in its way."""
        tools: dict[str, Callable[..., _Result]] = {}
        if self.ctx.settings.memory.style.offers_tools:
            tools |= TOOLS
        if self.ctx.session is not None:
            tools |= SESSION_TOOLS
        if self._owner:
            tools |= OWNER_TOOLS
        return tools

    @cached_property
    def _offered(self) -> Mapping[str, Callable[..., _Result]]:
        style, gate = self.ctx.settings.memory.style, self.ctx.workspace.gate
        return {name: tool for name, tool in self._tools.items() if name not in TOOLS or is_offered(name, style, gate)}

    @declare(slow=True)
    def _run(self, name: Any, arguments: Any) -> dict[str, Any]:
        tool = None
        if isinstance(name, str):
            tool = self._tools.get(name)
        if tool is None:
            raise BadArgument("name", f"there is no tool {name!r}; there are {', '.join(self._offered) or 'none'}")
        given = _read_arguments(arguments, tool)
        if name == "memory_save":
            require_readable(self.ctx)
            require_shared(self.ctx, given.get("file"))
        elif name in OWNER_TOOLS:
            require_readable(self.ctx, INBOX)
        elif name in FACT_TOOLS:
            require_readable(self.ctx, note_of(Category.FACT))
        elif (
            name not in SESSION_TOOLS and name != "memory_search"
        ):  # which leaves out what may not be seen, and says so
            require_readable(self.ctx, given.get("file", given.get("path")))
        try:
            return tool(self.ctx, **given).to_json()
        except BadArgument as error:
            names = {parameter.name: known_as for known_as, parameter in tool_parameters(tool).items()}
            known_as = names.get(error.name, error.name)
            if known_as == error.name:
                raise
            raise BadArgument(known_as, error.why) from error  # as the model knows the argument


def _read_arguments(arguments: Mapping[str, Any] | str | None, tool: Callable[..., _Result]) -> dict[str, Any]:
    """Return what a model gave as the tool takes it; null means that an argument was not given."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise BadArgument("arguments", f"they are not JSON ({error})") from error
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise BadArgument("arguments", "they are not an object")
    parameters = tool_parameters(tool)
    given: dict[str, Any] = {}
    for key, value in arguments.items():
        if key not in parameters:
            raise BadArgument(str(key), f"it is not known; there are {', '.join(parameters)}")
        if value is not None:
            given[parameters[key].name] = fit_json(parameters[key], value, key)
    for key, parameter in parameters.items():
        if parameter.required and parameter.name not in given:
            raise BadArgument(key, "it is required")
    return given
