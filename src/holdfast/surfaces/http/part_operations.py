"""Operations as routes: the part of a memory that each is of, and the arguments that a request brings for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from holdfast.guard.operation import Operation
from holdfast.guard.signature import Parameter, is_in_process, parameters_of
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.client.memory_parts import is_of_session, part_of
from holdfast.surfaces.http.parameters import Query
from holdfast.value import json_value

__all__ = ["SessionKey", "arguments_of", "arguments_to", "call_with", "done", "open_session", "run_function", "under"]

SessionKey = Annotated[str, "The session's key; a `/` in it is written %2F."]
_Kind = Annotated[str | None, Query(), "With whom: direct, group, channel, subagent or cron; for a new session."]
_Channel = Annotated[str | None, Query(), "Where; for a new session."]


def arguments_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the arguments of a route's function; of an operation, those that can come over the network."""
    if not isinstance(function, Operation):
        return parameters_of(function)
    return tuple(parameter for parameter in function.parameters if not any(map(is_in_process, parameter.kinds)))


def arguments_to(function: Callable[..., Any], *, opens: bool) -> tuple[Parameter, ...]:
    """Return the arguments that lead to the part that the function is of; `opens`: it may begin a session."""
    if _asks_session(function):
        return parameters_of(_in_new_session if opens else _in_session)
    if isinstance(function, Operation):
        return parameters_of(_in_memory)
    return ()


@contextmanager
def open_session(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the arguments with the session among them, open for a block, where the function is one of a session."""
    if not _asks_session(function):
        yield dict(given)
        return
    memory: Memory = given["memory"]
    with memory.session(given["key_"], kind=given.get("kind"), channel=given.get("channel")) as session:
        yield {**given, "session": session}


def run_function(function: Callable[..., Any], given: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Call a route's function; an operation is one of a part of the memory, or of a session of it."""
    if not isinstance(function, Operation):
        return function(**arguments)
    assert function.owner is not None
    return function(part_of(function.owner, given["memory"], given.get("session")), **arguments)


def call_with(function: Callable[..., Any], first: Any, arguments: Mapping[str, Any]) -> Any:
    """Call what stands beside an operation, with those arguments of the request that it names as well."""
    names = [parameter.name for parameter in parameters_of(function)[1:]]
    return function(first, **{name: arguments[name] for name in names if name in arguments})


def under(name: str) -> Callable[[Any], dict[str, Any]]:
    """Return what shows a result below a name."""

    def shown(result: Any) -> dict[str, Any]:
        return {name: json_value(result)}

    return shown


def done(word: str, value: bool = True) -> Callable[[None, Session], dict[str, Any]]:
    """Return what says of a session that something was done."""

    def shown(_: None, session: Session) -> dict[str, Any]:
        return {"session": session.key, word: value}

    return shown


def _asks_session(function: Callable[..., Any]) -> bool:
    if isinstance(function, Operation):
        return is_of_session(function.owner)
    return any(parameter.kinds == (Session,) for parameter in parameters_of(function))


def _in_memory(memory: Memory) -> None:
    """Stand for the arguments that lead to a memory."""


# A value of its state has a `key` too, so that of the session is another argument.
def _in_session(memory: Memory, key_: SessionKey) -> None:
    """Stand for the arguments that lead to a session."""


def _in_new_session(memory: Memory, key_: SessionKey, kind: _Kind = None, channel: _Channel = None) -> None:
    """Stand for the arguments that lead to a session, or begin one."""
