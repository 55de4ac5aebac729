"""Read a function's signature: what each argument is called, what it may be, and what its text says.

Tools, routes, the client's calls and the library's own checks are all read from here, so an argument is declared once.
`inspect` and `typing.get_type_hints` are not used: importing the one takes a tenth of a cold search, and the other
fails for the whole function where one name is imported for the type checker alone.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Protocol, Union, get_args, get_origin, runtime_checkable

from holdfast.named_tuple import NamedTuple

__all__ = ["InProcess", "OneOf", "Parameter", "is_in_process", "is_path", "json_schema", "json_type", "parameters_of"]


class InProcess:
    """A kind of argument that only a caller in the same process can give: its name is not known here."""


@runtime_checkable
class _ChatModel(Protocol):
    def chat(self) -> Any: ...


@runtime_checkable
class _Embedder(Protocol):
    def embed(self) -> Any: ...


@runtime_checkable
class _Clock(Protocol):
    def now(self) -> Any: ...


@runtime_checkable
class _Session(Protocol):
    def tools(self) -> Any: ...


# What is not a value is known by the method that will be called; the rooms it is from need not be imported for that.
_PROTOCOLS: Final[Mapping[str, Any]] = {
    "ChatModel": _ChatModel,
    "Embedder": _Embedder,
    "Clock": _Clock,
    "Progress": Callable[..., Any],
}


class OneOf(NamedTuple):
    """Marks a text that is one of a few words, which the function itself checks.

    A command line offers them, and the API's reference lists them. A tool does not: its text says them already, and
    each word of it is in every prompt.
    """

    words: tuple[str, ...]


class Parameter(NamedTuple):
    """One argument of a function."""

    name: str
    hint: str
    """The type as it is written, for a message."""
    kinds: tuple[Any, ...]
    """What it may be, beside None."""
    nullable: bool
    required: bool
    default: Any
    marks: tuple[Any, ...]
    """What `Annotated` says of it: its text, and what a surface wants to know."""

    @property
    def shown(self) -> str:
        """The name outside of Python: `from` is a word of the language, so the parameter is called from_."""
        return self.name.rstrip("_")

    @property
    def description(self) -> str:
        """The text about it."""
        return next((mark for mark in self.marks if isinstance(mark, str)), "")

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be, where they are few."""
        for mark in self.marks:
            if isinstance(mark, OneOf):
                return mark.words
        return ()

    @property
    def kind(self) -> Any:
        """The one kind that it may be; ValueError where there are several."""
        (kind,) = self.kinds
        return kind


class _Names(dict[str, Any]):
    """The meanings of names in a hint, where the module does not say them itself."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        super().__init__(_PROTOCOLS)
        self._module = module

    def __missing__(self, name: str) -> Any:
        if name in self._module or name in vars(builtins):
            raise KeyError(name)  # it is looked up there
        return _Session if name == "Session" else InProcess


@cache
def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the arguments of a function in order, `self` or the context included."""
    plain: Any = function
    while hasattr(plain, "__wrapped__"):
        plain = plain.__wrapped__
    code, defaults = plain.__code__, plain.__defaults__ or ()
    ordered = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = dict(zip(ordered[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
    given |= plain.__kwdefaults__ or {}
    hints, names = plain.__annotations__, plain.__globals__
    parameters = []
    for name in ordered:
        hint, marks = _resolve(hints.get(name, "Any"), names)
        if get_origin(hint) in (Union, UnionType):
            kinds = get_args(hint)
        else:
            kinds = (hint,)
        parameters.append(
            Parameter(
                name,
                _hint_text(hints.get(name, "Any"), hint, marks),
                tuple(kind for kind in kinds if kind not in (None, NoneType)),
                None in kinds or NoneType in kinds,
                name not in given,
                given.get(name),
                marks,
            )
        )
    return tuple(parameters)


def is_in_process(kind: Any) -> bool:
    """Say whether only a caller in the same process can give what is of this kind: a model, a callback, a file."""
    is_protocol = bool(getattr(kind, "_is_protocol", False))
    return kind is InProcess or is_protocol or is_path(kind) or get_origin(kind) is Callable


def is_path(kind: Any) -> bool:
    """Say whether a kind is that of a file: by its name, as nothing in this room may reach for one."""
    return getattr(get_origin(kind), "__name__", "") == "PathLike"


def _resolve(hint: Any, names: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """Return the type that a hint means, and its marks."""
    if isinstance(hint, str):
        hint = eval(hint, names, _Names(names))  # noqa: S307 - our own source
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
        return hint, tuple(marks)
    return hint, ()


def _hint_text(text: Any, hint: Any, marks: Sequence[Any]) -> str:
    if isinstance(text, str) and not marks:
        return text
    return str(getattr(hint, "__name__", hint)).replace("collections.abc.", "")


_JSON_TYPES: Final[Mapping[Any, tuple[str, Mapping[str, Any]]]] = {
    str: ("string", {"type": "string"}),
    int: ("integer", {"type": "integer"}),
    float: ("number", {"type": "number"}),
    bool: ("boolean", {"type": "boolean"}),
    list[str]: ("array of strings", {"type": "array", "items": {"type": "string"}}),
    Sequence[str]: ("array of strings", {"type": "array", "items": {"type": "string"}}),
    Iterable[str]: ("array of strings", {"type": "array", "items": {"type": "string"}}),
    dict[str, Any]: ("object", {"type": "object"}),
    list[dict[str, Any]]: ("array of objects", {"type": "array", "items": {"type": "object"}}),
    bytes: ("bytes", {"type": "string", "format": "binary"}),
    Any: ("any", {}),
}


def json_type(kind: Any) -> str:
    """Return what a message calls a kind of JSON value."""
    return _JSON_TYPES[str if _is_choice(kind) else kind][0]


def json_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a kind of argument; KeyError for one that JSON has no word for."""
    if _is_choice(kind):
        return {"type": "string", "enum": [choice.value for choice in kind]}
    return dict(_JSON_TYPES[kind][1])


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)
