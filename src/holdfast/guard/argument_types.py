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

__all__ = ["fits", "fitting", "shown"]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_FILE: Final = "os.PathLike[str]"
_NO: Final = object()
_RANGE: Final = "the number is out of range"
_LONGEST: Final = 80  # characters of a value in a message
_MOST: Final = 2**53  # the largest whole number that every JSON reader keeps exact
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "bytes": (bytes,),
    "None": (NoneType,),
}
# What is not a value is known by the method that will be called; the rooms it is from need not be imported for that.
_ABLE: Final[Mapping[str, str]] = {"ChatModel": "chat", "Embedder": "embed", "Clock": "now", "Session": "tools"}


def fits(value: object, hint: str) -> bool | None:
    """Whether a value that came as JSON is what one plain hint asks for; None where the hint is not a plain one."""
    kinds = _KINDS.get(hint)
    if kinds is None:
        return None
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) and not (isinstance(value, int) and abs(value) > _MOST)


def shown(value: object) -> str:
    """A value as a message shows it: short, whatever it is; the `repr` of some takes for ever, or fails."""
    if isinstance(value, str):
        return repr(value[:_LONGEST]) + ("…" if len(value) > _LONGEST else "")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) <= sys.maxsize):
        return repr(value)
    return "a number as large as that" if isinstance(value, int) else f"a {type(value).__name__}"


def fitting(method: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """The method, which refuses with BadArgument what does not fit its hints: texts, numbers, switches, files."""
    # Not by `inspect`, whose import would take a tenth of a cold search; the hints are texts, as they were written.
    names: tuple[str, ...] = method.__code__.co_varnames
    hints: dict[str, str] = {name: str(hint) for name, hint in method.__annotations__.items() if name != "return"}
    parts = {name: tuple(hint.split(" | ")) for name, hint in hints.items()}
    looked_at = {name: some for name, some in parts.items() if all(map(_is_known, some))}
    texts = {name for name, some in looked_at.items() if "str" in some and _FILE not in some}
    work: Callable[..., _Result] = method

    def plain(name: str, value: Any) -> Any:
        some = looked_at.get(name)
        # Most are texts, or were not given: those need no look at the table.
        if some is None or (type(value) is str and name in texts) or (value is None and "None" in some):
            return value
        return _plain(name, value, some)

    @wraps(method)
    def checked(*args: _Given.args, **given: _Given.kwargs) -> _Result:
        first = [plain(name, value) for name, value in zip(names, args, strict=False)]
        rest = args[len(first) :]  # more than it takes: it says so itself
        return work(*first, *rest, **{name: plain(name, value) for name, value in given.items()})

    return checked


def _is_known(hint: str) -> bool:
    return hint in _READ or hint in _ABLE or hint.startswith(("Callable[", "Iterable["))


def _plain(name: str, value: Any, hints: tuple[str, ...]) -> Any:
    """The value as the method takes it, by the first of its hints that fits."""
    try:
        for hint in (_FILE,) if _FILE in hints and isinstance(value, str) else hints:
            found = _read(value, hint)
            if found is not _NO:
                return found
    except ValueError as error:
        raise BadArgument(name, str(error)) from error
    if "Origin" in hints:
        raise BadArgument(name, f"{shown(value)} is none of {', '.join(Origin)}")
    raise BadArgument(name, f"a {type(value).__name__} does not fit; it must be {' | '.join(hints)}")


def _read(value: Any, hint: str) -> Any:
    read = _READ.get(hint)
    if read is not None:
        return read(value)
    if hint.startswith("Iterable["):
        # A text is one, too, and "ab" would be taken for the tags "a" and "b".
        return value if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray) else _NO
    able = value if hint.startswith("Callable[") else getattr(value, _ABLE[hint], None)
    return value if callable(able) else _NO


def _text(value: Any) -> Any:
    return str.__str__(value) if isinstance(value, str) else _NO  # not what an enum makes of itself


def _whole(value: Any) -> Any:
    if isinstance(value, bool) or _is_numpys_bool(value):
        return _NO
    try:
        number = int(index(value))
    except TypeError:
        return _NO
    if abs(number) > sys.maxsize:
        raise ValueError(_RANGE)
    return number


def _number(value: Any) -> Any:
    if type(value) is float or isinstance(value, bool):
        return value if type(value) is float else _NO
    whole = _whole(value)
    if whole is not _NO:
        return whole
    try:
        return float(value) if isinstance(value, Real) else _NO
    except OverflowError:
        raise ValueError(_RANGE) from None


def _switch(value: Any) -> Any:
    return bool(value) if isinstance(value, bool) or _is_numpys_bool(value) else _NO


def _file(value: Any) -> Any:
    # Not by `os`, as nothing here may reach for a file.
    place = value.__fspath__() if hasattr(type(value), "__fspath__") else value
    if not isinstance(place, str):
        return _NO
    try:
        if b"\0" in place.encode("utf-8", "surrogateescape"):
            raise ValueError("it has a NUL byte")
    except UnicodeEncodeError:
        raise ValueError("it has half a character, and no file is called so") from None
    return str.__str__(place)


def _origin(value: Any) -> Any:
    known = isinstance(value, str) and str.__str__(value) in [one.value for one in Origin]
    return Origin(str.__str__(value)) if known else _NO


def _is_numpys_bool(value: object) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "str": _text,
    "int": _whole,
    "float": _number,
    "bool": _switch,
    "bytes": lambda value: value if isinstance(value, bytes) else _NO,
    "None": lambda value: None if value is None else _NO,
    _FILE: _file,
    "Origin": _origin,
    "Progress": lambda value: value if callable(value) else _NO,
}
