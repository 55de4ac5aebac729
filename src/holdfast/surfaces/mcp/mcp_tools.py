"""tools/list and tools/call: the toolbox of the library, with what MCP wants to know of each tool beside it.

Claude Code, Codex and VS Code give their models the structured content of a result and drop its text, and with it the
fences. So there is none, and no schema that would promise one, unless the owner asks for it (`--structured`). ChatGPT's
connectors demand it; there the text inside is fenced.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from holdfast.errors import BadArgument
from holdfast.notes.staleness import told_stale
from holdfast.surfaces.mcp.change_order import Order
from holdfast.surfaces.mcp.client_access import Access
from holdfast.surfaces.mcp.connector import CONNECTOR
from holdfast.surfaces.mcp.error_codes import error_body
from holdfast.surfaces.mcp.note_uri import path_in
from holdfast.surfaces.mcp.tool_list import ToolList
from holdfast.surfaces.mcp.tool_profile import HINTS, Profile
from holdfast.surfaces.mcp.tool_text import compact, fence_error, render_result, sendable, with_behind

if TYPE_CHECKING:
    from holdfast.operations.toolbox import Toolbox

__all__ = ["Tools"]

_Context: TypeAlias = ServerRequestContext[Any, Any]
_NAMES_OF_NOTES: Final = ("path", "chunk_id")
_BEHIND: Final = "behind"
_LOG = logging.getLogger(__name__)


class Tools:
    """The tools of one profile. With `read_only` there are none that could change anything.

    With `structured`, results come as structured content too, with the stored text as it is: for programs.
    """

    def __init__(self, access: Access, profile: Profile, *, read_only: bool = False, structured: bool = False) -> None:
        self._access, self._list = access, ToolList(profile, read_only=read_only, structured=structured)
        self._order = Order()

    def instructions(self) -> str:
        """Return what a client tells its model about them."""
        return self._list.instructions(self._access)

    async def list_tools(self, _: _Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """The tools that are offered, all on one page."""
        return ListToolsResult.model_validate(await self._access.toolbox(self._list.describe))

    async def call(self, ctx: _Context, params: CallToolRequestParams) -> CallToolResult:
        """Run a tool. What it can't do is a result too, marked as an error; an unknown tool is an error of protocol."""
        name, arguments = params.name, params.arguments or {}
        hints = HINTS.get(name)
        if hints is None or not self._list.admits(name):
            names = await self._access.toolbox(lambda toolbox: self._list.names(toolbox.names))
            raise BadArgument("name", f"there is no tool {name!r}; there are {', '.join(names) or 'none'}")
        if hints.reads:
            return self._result(name, await self._answer_call(name, arguments, leave=True))
        async with self._order.turn(ctx):
            return self._result(name, await self._answer_call(name, arguments, leave=False, client=_client_of(ctx)))

    async def _answer_call(
        self, name: str, arguments: Mapping[str, Any], *, leave: bool, client: str = ""
    ) -> dict[str, Any]:
        if self._list.profile is Profile.CHATGPT:
            return await _error_as_result(
                self._access.in_context(lambda ctx: CONNECTOR[name].run(ctx, arguments), leave=leave)
            )
        call = self._access.toolbox(lambda toolbox: _call_tool(toolbox, name, arguments), leave=leave, client=client)
        return await _error_as_result(call)

    def _result(self, name: str, result: dict[str, Any]) -> CallToolResult:
        result = sendable(result)
        behind = result.pop(_BEHIND, "")
        if set(result) == {"error"}:
            # Not as structured content: that has to fit the schema of the tool's result, and clients check it.
            return CallToolResult(content=[TextContent(text=fence_error(result))], is_error=True)
        if self._list.profile is Profile.CHATGPT:
            return CallToolResult(content=[TextContent(text=compact(result))], structured_content=result)
        answer = CallToolResult(content=[TextContent(text=with_behind(render_result(name, result), behind))])
        if self._list.structured:
            answer.structured_content = result
        return answer


def _with_staleness(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result that says why it may be old, where it may; a search says so itself."""
    why = told_stale()
    return result | {_BEHIND: why} if why and not result.get("because") else result


def _call_tool(toolbox: Toolbox, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool gives.

    Where nothing is at a path as it was given, it may be the word that a fence named it by.
    """
    return _with_staleness(_call_by_note_name(toolbox, name, arguments))


def _call_by_note_name(toolbox: Toolbox, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    result = toolbox.call(name, arguments)
    if result.get("status") != "not_found" and result.get("results") != []:
        return result
    paths = {key: arguments[key] for key in _NAMES_OF_NOTES if isinstance(arguments.get(key), str)}
    named = {key: path_in(word) for key, word in paths.items()}
    if named == paths:
        return result
    return toolbox.call(name, {**arguments, **named})


def _client_of(ctx: _Context) -> str:
    """The name that a client gave itself in the handshake; empty where it gave none."""
    params = ctx.session.client_params
    if params is None:
        return ""
    return params.client_info.name


async def _error_as_result(answer: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """The answer, or the error in the shape of one: the model is told, and the connection goes on."""
    try:
        return await answer
    except Exception as error:  # noqa: BLE001 - a model must get an answer, whatever went wrong
        said = error_body(error)
        if said["error"]["type"] == "Unexpected":
            _LOG.exception("a tool failed")
        return said
