"""The errors that an MCP client is sent: a JSON-RPC code for each kind, in one table.

A tool that fails is no failure of the protocol: its error is a result, for the model to read and mend. These codes are
for the rest: resources, prompts, and a memory that can't be opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from holdfast import errors

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError

__all__ = ["FAULTS", "INTERNAL", "NOT_FOUND", "PARAMS", "code_of", "error_body", "fault"]

PARAMS: Final = -32602
INTERNAL: Final = -32603
NOT_FOUND: Final = -32002
"""A resource that is not there, until 2025-11-25; later versions have retired the number and say PARAMS."""

# The first class that fits decides, so subclasses stand before what they derive from.
FAULTS: tuple[tuple[type[errors.HoldfastError], int], ...] = (
    (errors.Refused, PARAMS),
    (errors.NotFound, NOT_FOUND),
    (errors.NotPermitted, PARAMS),
    (errors.UnsafeFile, PARAMS),
    (errors.NoteChangedOutside, PARAMS),
    (errors.SettingsError, INTERNAL),
    (errors.StorageFailed, INTERNAL),
    (errors.Busy, INTERNAL),
    (errors.CheckpointDamaged, INTERNAL),
    (errors.IndexDamaged, INTERNAL),
    (errors.ProviderFailed, INTERNAL),
    (errors.MemoryClosed, INTERNAL),
    (errors.SandboxFailed, INTERNAL),
    (errors.ServerUnreachable, INTERNAL),
    (errors.DatabaseAway, INTERNAL),
    (errors.DatabaseUnfit, INTERNAL),
    (errors.TooManyRequests, INTERNAL),
    (errors.HoldfastError, INTERNAL),
)


def code_of(error: errors.HoldfastError, *, modern: bool = False) -> int:
    """The code of an error; `modern` is 2026-07-28 and later."""
    code = next(code for kind, code in FAULTS if isinstance(error, kind))
    if modern and code == NOT_FOUND:
        return PARAMS
    return code


def error_body(error: Exception) -> dict[str, Any]:
    """An error in the shape that every surface shows; what nobody foresaw says nothing of what is inside."""
    if isinstance(error, errors.HoldfastError):
        return {"error": {"type": type(error).__name__, "message": error.shown}}
    return {"error": {"type": "Unexpected", "message": f"{type(error).__name__}; the server's log says more."}}


def fault(error: errors.HoldfastError, *, modern: bool = False) -> MCPError:
    """The same as an error of the protocol; its data has the shape that every surface shows.

    Some clients show a model the message and others the data too, so it is fenced in both.
    """
    from mcp.shared.exceptions import MCPError

    from holdfast.surfaces.mcp.tool_text import fence_error

    body = error_body(error)
    message = fence_error(body)
    body["error"]["message"] = message
    return MCPError(code=code_of(error, modern=modern), message=message, data=body)
