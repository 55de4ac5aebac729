"""Lines ↔ messages: one JSON object a line, and an answer to every line that is none.

The SDK reads lines of any length and drops those it can't read, so that a client would wait for ever. Here a line that
is too long or no message is answered with an error, with the id of its request wherever that can be made out.
"""

from __future__ import annotations

import json
from typing import Any, Final

from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.surfaces.mcp.client_lines import LONGEST

__all__ = ["ParsedLine", "encode_line", "parse_line"]

# Where a message begins with plain members, its id is the first "id" that is not inside another value.
_ID: Final = compile_late(
    rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"\s*,)*\s*"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,200}")\s*[,}]'
)


class ParsedLine(NamedTuple):
    """The message in a line, or what is answered to a line that holds none; neither for an empty one."""

    message: JSONRPCMessage | None = None
    answer: JSONRPCError | None = None


def parse_line(line: bytes, *, cut: bool = False, what: str = "line") -> ParsedLine:
    """Return what to make of a line, or of the body of a request, which may have been cut short."""
    if cut:
        reason = f"The message is longer than {LONGEST:,} bytes."
        return ParsedLine(answer=_error_reply(_front_id(line), INVALID_REQUEST, reason))
    if not line.strip():
        return ParsedLine()
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return ParsedLine(answer=_answer_to(line, what))
    if isinstance(message, JSONRPCNotification) and _has_id(line):  # one that is neither text nor whole number
        return ParsedLine(
            answer=_error_reply(None, INVALID_REQUEST, "The id of a request must be a text or a whole number.")
        )
    return ParsedLine(message)


def encode_line(message: JSONRPCMessage) -> bytes:
    """A message as a line; one that can't be written (half a character in a result) becomes an error."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:
        known = getattr(message, "id", None)
        return encode_line(_error_reply(known, INTERNAL_ERROR, "The answer holds what can't be sent as JSON."))


def _answer_to(line: bytes, what: str) -> JSONRPCError:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        why = f"The {what} is not JSON; a message is one JSON object{' in one line' * (what == 'line')}."
        return _error_reply(_front_id(line), PARSE_ERROR, why)
    named = None
    if isinstance(found, dict):
        named = found.get("id")
    known = None
    if isinstance(named, str | int) and not isinstance(named, bool):
        known = named
    if isinstance(known, str):
        known = known.encode("utf-8", "replace").decode()
    return _error_reply(known, INVALID_REQUEST, f"The {what} is no JSON-RPC 2.0 message in UTF-8.")


def _has_id(line: bytes) -> bool:
    """Say whether a notification is a request whose id is no id: its sender waits for an answer."""
    try:
        return "id" in json.loads(line)
    except (ValueError, RecursionError):
        return False


def _front_id(line: bytes) -> str | int | None:
    match = _ID.match(line)
    if match is None:
        return None
    try:
        found: str | int = json.loads(match[1])
    except ValueError:
        return None
    return found


def _error_reply(known: str | int | None, code: int, message: str) -> JSONRPCError:
    if code == INTERNAL_ERROR:
        kind = "HoldfastError"
    else:
        kind = "BadArgument"
    data = {"error": {"type": kind, "message": message}}
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=message, data=data))
