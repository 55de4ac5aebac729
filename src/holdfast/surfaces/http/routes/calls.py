"""The door for our own client: any method of `Memory` by its name, with its result as it is."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.errors import HoldfastError
from holdfast.memory import Memory
from holdfast.surfaces.client.calls import called
from holdfast.surfaces.client.wire import to_wire
from holdfast.surfaces.http.replies import Reply
from holdfast.surfaces.http.statuses import status_of, told


def call(
    memory: Memory,
    method: Annotated[str, "search, save, facts.store, session.append … as `holdfast.connect` names them."],
    arguments: Annotated[dict[str, Any] | None, "What it is given, by name."] = None,
    session: Annotated[dict[str, Any] | None, "The session it is of: key, kind, channel."] = None,
) -> Reply:
    """A method of the library for the Python client; other programs use the other routes."""
    try:
        return Reply({"result": to_wire(called(memory, method, arguments or {}, session))})
    except HoldfastError as error:
        shown = told(type(error).__name__, str(error))
        if details := {name: one for name, one in vars(error).items() if _plain(one)}:
            shown["error"]["details"] = to_wire(details)
        return Reply(shown, status_of(error), (("Retry-After", "1"),) if status_of(error) == 503 else ())


def _plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)
