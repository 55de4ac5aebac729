"""A method that is an operation: it is declared once, and runs where the memory is kept.

The methods of `Memory` and of its parts are operations. Each gives its arguments to the backend of its part: the
context of an open memory runs the function here, and a client's connection sends its name to a server. Tools and routes
read the same signature. A function that stands elsewhere is imported when it is first called or looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MethodType
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from holdfast.guard.argument_types import fit_arguments
from holdfast.guard.signature import Parameter, parameters_of

__all__ = ["Method", "Operation", "Part", "Runner", "declare", "operation_names"]

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


class Runner(Protocol):
    """Runs operations: here, or at a server."""

    def run(self, operation: Operation[..., Any], part: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Return what the operation of a part gives with these arguments."""


class Part(Protocol):
    """A memory, or a part of it that has operations of its own: its facts, a session."""

    prefix: ClassVar[str]
    """Stands before the names of its operations, where they are sent."""

    @property
    def backend(self) -> Runner:
        """The one who runs them."""


class Operation(Generic[_Params, _Result]):
    """An operation as a method of a part: a function of the context, named by where it is loaded from.

    What servers and clients ask of it stands here too: that it `reads` and changes nothing; that it is `slow`, since it
    may wait for a model or an index; that it is `for_owner`, deciding in the owner's name or taking away for good.
    """

    def __init__(
        self,
        load: Callable[[], Callable[Concatenate[Any, _Params], _Result]],
        *,
        reads: bool = False,
        slow: bool = False,
        for_owner: bool = False,
    ) -> None:
        self._load = load
        self.reads, self.slow, self.for_owner = reads, slow, for_owner
        self.__name__ = ""
        self.owner: type | None = None
        """The part that it is an operation of."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.__name__ = name
        self.owner = owner

    @cached_property
    def __wrapped__(self) -> Callable[Concatenate[Any, _Params], _Result]:
        """The function, where `inspect` and everybody else looks for it."""
        return self._load()

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The docstring of the function."""
        return self.__wrapped__.__doc__

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The arguments that a caller gives."""
        return parameters_of(self.__wrapped__)[1:]

    @overload
    def __get__(self, instance: None, owner: type) -> Operation[_Params, _Result]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Callable[_Params, _Result]: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        return MethodType(self, instance)

    def __call__(self, part: Part, /, *args: _Params.args, **given: _Params.kwargs) -> _Result:
        """Run the operation where the part is kept."""
        result: _Result = part.backend.run(self, part, args, given)
        return result

    def run_here(self, part: Any, args: Sequence[Any], given: Mapping[str, Any]) -> _Result:
        """Run the function in this process, with arguments of their kinds."""
        function: Callable[..., _Result] = self.__wrapped__
        first, named = fit_arguments(self.parameters, args, given)
        return function(self._subject(part), *first, **named)

    def _subject(self, part: Any) -> Any:
        return part.ctx


class Method(Operation[_Params, _Result]):
    """An operation that is written where it is a method; a decorator."""

    __doc__ = vars(Operation)["__doc__"]  # that of the function, as for any operation

    def __init__(self, function: Callable[Concatenate[Any, _Params], _Result], **properties: bool) -> None:
        super().__init__(lambda: function, **properties)
        self.__module__ = function.__module__

    def _subject(self, part: Any) -> Any:
        return part


def declare(
    *, reads: bool = False, slow: bool = False, for_owner: bool = False
) -> Callable[[Callable[Concatenate[Any, _Params], _Result]], Method[_Params, _Result]]:
    """Make a method an operation with these properties; a decorator."""

    def made(function: Callable[Concatenate[Any, _Params], _Result]) -> Method[_Params, _Result]:
        return Method(function, reads=reads, slow=slow, for_owner=for_owner)

    return made


def operation_names(kind: type) -> list[str]:
    """Return the names of a part's operations, those of its bases included; what begins with `_` is for itself."""
    return [name for name in dir(kind) if not name.startswith("_") and isinstance(getattr(kind, name), Operation)]
