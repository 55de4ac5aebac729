"""The tools of a model: their schemas, and one route to call them by name."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated, Any

from holdfast.memory import Memory
from holdfast.operations.toolbox import Toolbox
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.parameters import Query
from holdfast.surfaces.http.responses import Reply
from holdfast.surfaces.http.role_access import require_tool
from holdfast.surfaces.http.statuses import SOON, status_of_name

InSession = Annotated[str | None, Query(), "The session it is for: what it may see depends on that."]


class Dialect(StrEnum):
    """The program whose way to write a tool's schema is meant."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"


def list_tools(
    memory: Memory,
    dialect: Annotated[Dialect, "anthropic or openai."] = Dialect.ANTHROPIC,
    session: InSession = None,
) -> dict[str, Any]:
    """The tools for a model, as its API wants them."""
    with ExitStack() as held:
        toolbox = _toolbox(memory, session, held)
        return {"tools": toolbox.openai() if dialect == Dialect.OPENAI else toolbox.anthropic()}


def call_tool(
    memory: Memory,
    visitor: Visitor,
    name: Annotated[str, "The tool's name."],
    arguments: Annotated[dict[str, Any] | None, "What the model gave."] = None,
    session: InSession = None,
) -> Reply:
    """Run a tool with the arguments that a model gave."""
    require_tool(visitor.role, name)
    with ExitStack() as held:
        result = _toolbox(memory, session, held).call(name, arguments)
    error = result.get("error")
    if not isinstance(error, dict) or set(result) != {"error"}:
        return Reply(result)
    status = status_of_name(str(error.get("type")))
    return Reply(result, status, SOON if status in (429, 503) else ())


def _toolbox(memory: Memory, session: str | None, held: ExitStack) -> Toolbox:
    if session is None:
        return memory.tools(memory.ctx.origin)
    return memory.tools(memory.ctx.origin, session=held.enter_context(memory.session(session)))
