"""The route for our own client: any method of `Memory` by its name, with its result as it is."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.context.user_profile import ProfileSaved
from holdfast.errors import BadArgument, DatabaseAway, DatabaseUnfit, HoldfastError
from holdfast.memory import Memory
from holdfast.operations.memory_status import Status
from holdfast.surfaces.client.call_table import run_call
from holdfast.surfaces.client.wire_values import to_wire
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.responses import Reply
from holdfast.surfaces.http.role_access import require_call
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.http.statuses import SOON, error_body, retry_headers, status_of
from holdfast.transcripts.transcript_entry import Entry


def call(
    memory: Memory,
    server: ServerState,
    visitor: Visitor,
    method: Annotated[str, "search, save, facts.store, session.append … as `holdfast.connect` names them."],
    arguments: Annotated[dict[str, Any] | None, "What it is given, by name."] = None,
    session: Annotated[dict[str, Any] | None, "The session it is of: key, kind, channel."] = None,
) -> Reply:
    """A method of the library for the Python client; other programs use the other routes."""
    try:
        require_call(visitor.role, method)
        result = _call_method(memory, method, arguments or {}, session)
        if isinstance(result, Status):
            result = result.replace(settings_because=server.memories.trouble_of(memory.agent))
        if visitor.tenant and isinstance(result, Status | ProfileSaved):
            result = result.without_paths()
        if method == "about" and visitor.tenant:
            result = result | {"home": ""}
        if isinstance(result, Entry) and session is not None and method == "session.append":
            server.tell_message(memory.agent, str(session.get("key", "main")), result.id, result.role.value)
        return Reply({"result": _wire_result(result)})
    except HoldfastError as error:
        shown = error_body(type(error).__name__, error.shown)
        if details := {name: detail for name, detail in _details(error).items() if _plain(detail)}:
            shown["error"]["details"] = to_wire(details)
        status = status_of(error)
        return Reply(shown, status, retry_headers(error) or (SOON if status == 503 else ()))


def _call_method(memory: Memory, method: str, arguments: dict[str, Any], session: dict[str, Any] | None) -> Any:
    """Return what the method gives. Any text that Python has may come in here.

    A place that can't take it is no defect.
    """
    try:
        return run_call(memory, method, arguments, session)
    except UnicodeEncodeError:
        raise BadArgument("arguments", f"a text for {method} has half a character (a lone surrogate)") from None
    except RecursionError:
        raise BadArgument("arguments", f"{method} is about a value that is nested too deep to be sent") from None


def _wire_result(result: Any) -> Any:
    try:
        return to_wire(result)
    except TypeError as error:  # a value that was kept where the server is, and is nested without end
        raise BadArgument("method", f"what it gives can't be sent ({error}); ask for it where the server is") from error


def _details(error: HoldfastError) -> dict[str, Any]:
    """Return what an error is made of; where a database stands is not for callers."""
    if isinstance(error, DatabaseAway | DatabaseUnfit):
        return {name: detail for name, detail in vars(error).items() if name in ("unsure", "remedy")}
    return vars(error)


def _plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)
