"""A method of the library → the same method of the client: its signature, and the server's answer.

So a method is declared once, and neither its arguments nor their defaults can differ between the two.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, get_origin

from holdfast.errors import BadArgument
from holdfast.guard.argument_types import refuse_result
from holdfast.guard.signature import Parameter, is_in_process, parameters_of

__all__ = ["remote"]

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def remote(method: Callable[Concatenate[Any, _Params], _Result]) -> Callable[Concatenate[Any, _Params], _Result]:
    """Return the method of a class that has `ask`: it sends the arguments that were given, by name."""

    # Not with its docstring: that of an operation is read from its module, which a client need not import.
    @wraps(method, assigned=("__module__", "__name__", "__qualname__"), updated=())
    def sent(self: Any, /, *args: _Params.args, **given: _Params.kwargs) -> _Result:
        bound = inspect.signature(method).bind(self, *args, **given).arguments
        parameters = {parameter.name: parameter for parameter in parameters_of(method)}
        named = [(parameters[name], value) for name, value in list(bound.items())[1:]]
        answer: _Result = self.ask(method.__name__, **_sendable(named))
        return answer

    return sent


def _sendable(named: Sequence[tuple[Parameter, Any]]) -> dict[str, Any]:
    """Return what can go over the network. A callback can't: nobody is told of how far the work is."""
    arguments: dict[str, Any] = {}
    for parameter, value in named:
        refuse_result(parameter, value)
        if all(map(is_in_process, parameter.kinds)):
            if value is not None and get_origin(parameter.kinds[0]) is not Callable:
                raise BadArgument(
                    parameter.name, "a model of this process can't answer for the server; set [llm] there"
                )
        elif _is_many(value) and any(get_origin(kind) is Iterable for kind in parameter.kinds):
            arguments[parameter.name] = list(value)
        else:
            arguments[parameter.name] = value
    return arguments


def _is_many(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)  # of a mapping, its names
