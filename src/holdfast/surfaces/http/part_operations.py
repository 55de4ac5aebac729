"""Operations as routes: the part of a memory that each is of, and the arguments that a request brings for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from holdfast.context.memory_backend import MemoryPart
from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.guard.operation import Operation
from holdfast.guard.signature import Parameter, is_in_process, parameters_of
from holdfast.memory import Memory
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.sessions.conversation import Session
from holdfast.value import json_value

__all__ = ["SessionKey", "arguments_of", "call_with", "done", "run_function", "under"]

SessionKey = Annotated[str, "The session's key; a `/` in it is written %2F."]

_PARTS: Final[Mapping[type | None, Callable[[Memory], MemoryPart]]] = {
    Memory: lambda memory: memory,
    Notes: lambda memory: memory.notes,
    Inbox: lambda memory: memory.inbox,
    UserProfile: lambda memory: memory.profile,
    Dreams: lambda memory: memory.dreams,
}


def arguments_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the arguments of a route's function; those of an operation, and those that lead to its part."""
    if not isinstance(function, Operation):
        return parameters_of(function)
    leading = parameters_of(_in_session if function.owner is Session else _in_memory)
    own = (parameter for parameter in function.parameters if not any(map(is_in_process, parameter.kinds)))
    return (*leading, *own)


def run_function(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Call a route's function; an operation is one of a part of the memory, or of a session of it."""
    if not isinstance(function, Operation):
        return function(**arguments)
    memory: Memory = arguments["memory"]
    leading = ("memory", "key") if function.owner is Session else ("memory",)
    own = {name: value for name, value in arguments.items() if name not in leading}
    if function.owner is not Session:
        return function(_PARTS[function.owner](memory), **own)
    with memory.session(arguments["key"]) as session:
        return function(session, **own)


def call_with(function: Callable[..., Any], result: Any, arguments: Mapping[str, Any]) -> Any:
    """Call what goes on with a result, with those arguments of the request that it names as well."""
    names = [parameter.name for parameter in parameters_of(function)[1:]]
    return function(result, **{name: arguments[name] for name in names if name in arguments})


def under(name: str) -> Callable[[Any], dict[str, Any]]:
    """Return what shows a result below a name."""

    def shown(result: Any) -> dict[str, Any]:
        return {name: json_value(result)}

    return shown


def done(word: str, value: bool = True) -> Callable[[None, str], dict[str, Any]]:
    """Return what says of a session that something was done."""

    def shown(_: None, key: SessionKey) -> dict[str, Any]:
        return {"session": key, word: value}

    return shown


def _in_memory(memory: Memory) -> None:
    """Stand for the arguments that lead to a memory."""


def _in_session(memory: Memory, key: SessionKey) -> None:
    """Stand for the arguments that lead to a session."""
