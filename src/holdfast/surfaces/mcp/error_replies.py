"""Every failure of a request → an error of the protocol with the object that every surface shows in its data.

It stands around all methods, so that none can be forgotten: what the SDK refuses, what a handler raises, and what
nobody foresaw.
"""

from __future__ import annotations

import logging
from typing import Any, TypeAlias

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import METHOD_NOT_FOUND
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from holdfast.errors import BadArgument, HoldfastError
from holdfast.surfaces.mcp.error_codes import INTERNAL, error_body, fault
from holdfast.surfaces.mcp.tool_text import fence_error

__all__ = ["error_middleware"]

_Context: TypeAlias = ServerRequestContext[Any, Any]
_LOG = logging.getLogger(__name__)


async def error_middleware(ctx: _Context, call_next: CallNext) -> HandlerResult:
    """Return what the method gives; what goes wrong is raised as the protocol has it."""
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    try:
        return await call_next(ctx)
    except MCPError as error:
        if isinstance(error.error.data, dict):
            raise
        # The SDK's own: a method that is not here, or one that was asked for before the handshake.
        if error.error.code == METHOD_NOT_FOUND:
            reason = "there is no such method"
        else:
            reason = "the handshake comes first"
        said = error_body(BadArgument("method", f"{ctx.method[:100]!r} can't be answered: {reason}"))
        said["error"]["message"] = fence_error(said)
        raise MCPError(code=error.error.code, message=error.error.message, data=said) from error
    except ValidationError as error:
        raise fault(_unfit(error), modern=modern) from error
    except HoldfastError as error:
        raise fault(error, modern=modern) from error
    except Exception as error:
        _LOG.exception("%s failed", ctx.method[:100])
        said = error_body(error)
        raise MCPError(code=INTERNAL, message=said["error"]["message"], data=said) from error


def _unfit(error: ValidationError) -> BadArgument:
    """The first thing that does not fit, by its name."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = [str(part) for part in first["loc"] if part != "params"]
    return BadArgument(".".join(place) or "params", f"{first['msg'][:1].lower()}{first['msg'][1:200]}")
