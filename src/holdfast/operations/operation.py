"""A method that is an operation: a function of the context, declared once with the texts of its arguments.

A class of the library names the function, and its method has that function's signature. Tools, routes and the client
read the same one. The function is imported when the method is first called or looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from holdfast.context.context import Context
from holdfast.guard.argument_types import fit_arguments
from holdfast.guard.signature import parameters_of

__all__ = ["Operation"]

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


class Operation(Generic[_Params, _Result]):
    """An operation as a method of a class that has a context."""

    def __init__(self, load: Callable[[], Callable[Concatenate[Context, _Params], _Result]]) -> None:
        self._load = load
        self.__name__ = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.__name__ = name

    @cached_property
    def __wrapped__(self) -> Callable[Concatenate[Context, _Params], _Result]:
        """The function, where `inspect` and everybody else looks for it."""
        return self._load()

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The docstring of the function."""
        return self.__wrapped__.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Operation[_Params, _Result]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Callable[_Params, _Result]: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        return MethodType(self, instance)

    def __call__(self, face: Any, /, *args: _Params.args, **given: _Params.kwargs) -> _Result:
        """Run the operation with the context of whoever has the method."""
        function: Callable[..., _Result] = self.__wrapped__
        first, named = fit_arguments(parameters_of(function)[1:], args, given)
        return function(face.ctx, *first, **named)
