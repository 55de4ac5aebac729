"""Whether an argument is of the kind that a method's signature asks for; what is not is refused by its name.

The type hints say it all, and who does not check them before running should read a sentence and not a traceback. What
means the same is taken as that: a number of numpy's, a text or number that is a member of an enum, a `Path` where a
file is meant. The method is given the plain value.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from numbers import Real
from operator import index
from types import NoneType
from typing import Any, Final, ParamSpec, TypeVar

from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin

__all__ = ["check_arguments", "display_value", "fits"]

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")
_FILE: Final = "os.PathLike[str]"
_NO_MATCH: Final = object()
_OUT_OF_RANGE: Final = "the number is out of range"
_MAX_SHOWN_CHARACTERS: Final = 80  # characters of a value in a message
_MAX_EXACT_INTEGER: Final = 2**53  # the largest whole number that every JSON reader keeps exact
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "bytes": (bytes,),
    "None": (NoneType,),
}
# What is not a value is known by the method that will be called; the rooms it is from need not be imported for that.
_METHOD_BY_KIND: Final[Mapping[str, str]] = {
    "ChatModel": "chat",
    "Embedder": "embed",
    "Clock": "now",
    "Session": "tools",
}


def fits(value: object, hint: str) -> bool | None:
    """Say whether a JSON value is what one plain hint asks for; None for any other hint."""
    kinds = _KINDS.get(hint)
    if kinds is None:
        return None
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) and not (isinstance(value, int) and abs(value) > _MAX_EXACT_INTEGER)


def display_value(value: object) -> str:
    """Return a value as a message shows it: short, whatever it is.

    The `repr` of some takes for ever, or fails.
    """
    if isinstance(value, str):
        return repr(value[:_MAX_SHOWN_CHARACTERS]) + ("…" if len(value) > _MAX_SHOWN_CHARACTERS else "")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) <= sys.maxsize):
        return repr(value)
    return "a number as large as that" if isinstance(value, int) else f"a {type(value).__name__}"


def check_arguments(method: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Wrap a method so that it raises BadArgument for values that don't fit its hints."""
    # Not by `inspect`, whose import would take a tenth of a cold search; the hints are texts, as they were written.
    names: tuple[str, ...] = method.__code__.co_varnames
    hints: dict[str, str] = {name: str(hint) for name, hint in method.__annotations__.items() if name != "return"}
    hint_parts = {name: tuple(hint.split(" | ")) for name, hint in hints.items()}
    kinds_by_name = {name: kinds for name, kinds in hint_parts.items() if all(map(_is_known, kinds))}
    texts = {name for name, kinds in kinds_by_name.items() if "str" in kinds and _FILE not in kinds}
    work: Callable[..., _Result] = method

    def convert(name: str, value: Any) -> Any:
        kinds = kinds_by_name.get(name)
        # Most are texts, or were not given: those need no look at the table.
        if kinds is None or (type(value) is str and name in texts) or (value is None and "None" in kinds):
            return value
        return _convert(name, value, kinds)

    @wraps(method)
    def checked(*args: _Params.args, **given: _Params.kwargs) -> _Result:
        first = [convert(name, value) for name, value in zip(names, args, strict=False)]
        rest = args[len(first) :]  # more than it takes: it says so itself
        return work(*first, *rest, **{name: convert(name, value) for name, value in given.items()})

    return checked


def _is_known(hint: str) -> bool:
    return hint in _CONVERTERS or hint in _METHOD_BY_KIND or hint.startswith(("Callable[", "Iterable["))


def _convert(name: str, value: Any, hints: tuple[str, ...]) -> Any:
    """Return the value as the method takes it, by the first of its hints that fits."""
    try:
        for hint in (_FILE,) if _FILE in hints and isinstance(value, str) else hints:
            converted = _convert_to(value, hint)
            if converted is not _NO_MATCH:
                return converted
    except ValueError as error:
        raise BadArgument(name, str(error)) from error
    if "Origin" in hints:
        raise BadArgument(name, f"{display_value(value)} is none of {', '.join(Origin)}")
    raise BadArgument(name, f"a {type(value).__name__} does not fit; it must be {' | '.join(hints)}")


def _convert_to(value: Any, hint: str) -> Any:
    convert = _CONVERTERS.get(hint)
    if convert is not None:
        return convert(value)
    if hint.startswith("Iterable["):
        # A text is one, too, and "ab" would be taken for the tags "a" and "b".
        return value if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray) else _NO_MATCH
    method = value if hint.startswith("Callable[") else getattr(value, _METHOD_BY_KIND[hint], None)
    return value if callable(method) else _NO_MATCH


def _text(value: Any) -> Any:
    return str.__str__(value) if isinstance(value, str) else _NO_MATCH  # not what an enum makes of itself


def _integer(value: Any) -> Any:
    if isinstance(value, bool) or _is_numpy_bool(value):
        return _NO_MATCH
    try:
        number = int(index(value))
    except TypeError:
        return _NO_MATCH
    if abs(number) > sys.maxsize:
        raise ValueError(_OUT_OF_RANGE)
    return number


def _number(value: Any) -> Any:
    if type(value) is float or isinstance(value, bool):
        return value if type(value) is float else _NO_MATCH
    whole = _integer(value)
    if whole is not _NO_MATCH:
        return whole
    try:
        return float(value) if isinstance(value, Real) else _NO_MATCH
    except OverflowError:
        raise ValueError(_OUT_OF_RANGE) from None


def _switch(value: Any) -> Any:
    return bool(value) if isinstance(value, bool) or _is_numpy_bool(value) else _NO_MATCH


def _file(value: Any) -> Any:
    # Not by `os`, as nothing here may reach for a file.
    path = value.__fspath__() if hasattr(type(value), "__fspath__") else value
    if not isinstance(path, str):
        return _NO_MATCH
    try:
        if b"\0" in path.encode("utf-8", "surrogateescape"):
            raise ValueError("it has a NUL byte")
    except UnicodeEncodeError:
        raise ValueError("it has half a character, and no file is called so") from None
    return str.__str__(path)


def _origin(value: Any) -> Any:
    known = isinstance(value, str) and str.__str__(value) in [origin.value for origin in Origin]
    return Origin(str.__str__(value)) if known else _NO_MATCH


def _is_numpy_bool(value: object) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")


_CONVERTERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "str": _text,
    "int": _integer,
    "float": _number,
    "bool": _switch,
    "bytes": lambda value: value if isinstance(value, bytes) else _NO_MATCH,
    "None": lambda value: None if value is None else _NO_MATCH,
    _FILE: _file,
    "Origin": _origin,
    "Progress": lambda value: value if callable(value) else _NO_MATCH,
}
