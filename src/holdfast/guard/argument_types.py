"""Check arguments by the signature that takes them; what does not fit is refused by its name.

One table of kinds serves whoever calls: a program in this process, whose value may be one of numpy's or a member of an
enum and is given on as the plain value; JSON of a model or a request, which has one sort of number; and the text of an
address or a header.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import wraps
from math import isfinite
from numbers import Real
from operator import index
from typing import Any, Final, ParamSpec, TypeVar, get_args, get_origin

from holdfast.errors import BadArgument
from holdfast.guard.signature import InProcess, Parameter, is_in_process, is_path, json_type, parameters_of
from holdfast.pattern import compile_late

__all__ = [
    "MAX_EXACT_INTEGER",
    "check_arguments",
    "check_choice",
    "check_number",
    "check_whole_number",
    "display_value",
    "fit_arguments",
    "fit_json",
    "fit_sent",
    "fit_text",
    "refuse_result",
]

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")
_NO_MATCH: Final = object()
_OUT_OF_RANGE: Final = "the number is out of range"
_MAX_SHOWN_CHARACTERS: Final = 80  # characters of a value in a message
MAX_EXACT_INTEGER: Final = 2**53  # the largest whole number that every JSON reader keeps exact
_WHOLE_TEXT: Final = compile_late(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER_TEXT: Final = compile_late(r"-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_SWITCH_TEXTS: Final = {"true": True, "1": True, "false": False, "0": False}


def display_value(value: object) -> str:
    """Return a value as a message shows it: short, whatever it is.

    The `repr` of some takes for ever, or fails.
    """
    if isinstance(value, str):
        return repr(value[:_MAX_SHOWN_CHARACTERS]) + ("…" if len(value) > _MAX_SHOWN_CHARACTERS else "")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) <= sys.maxsize):
        return repr(value)
    if isinstance(value, int):
        return "a number as large as that"
    return f"a {type(value).__name__}"


def check_arguments(method: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Wrap a method so that it raises BadArgument for values that don't fit its hints."""
    work: Callable[..., _Result] = method

    @wraps(method)
    def checked(*args: _Params.args, **given: _Params.kwargs) -> _Result:
        first, named = fit_arguments(parameters_of(method), args, given)
        return work(*first, **named)

    return checked


def fit_arguments(
    parameters: Sequence[Parameter], args: Sequence[Any], given: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a caller in this process, each of its kind; the function says what it does not take."""
    by_name = {parameter.name: parameter for parameter in parameters}
    first = [_fit(parameter, value) for parameter, value in zip(parameters, args, strict=False)]
    named = {name: _fit(by_name[name], value) if name in by_name else value for name, value in given.items()}
    return [*first, *args[len(first) :]], named


def fit_json(parameter: Parameter, value: Any, name: str) -> Any:
    """Return a value of JSON as the function takes it. JSON has one sort of number, so 5.0 is a whole one."""
    kind = parameter.kind
    if kind is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_EXACT_INTEGER:
        raise BadArgument(name, _OUT_OF_RANGE)
    if _is_choice(kind) and isinstance(value, str):
        return _choice(parameter, value, name)
    fitted = _convert_to(value, kind)
    if fitted is _NO_MATCH:
        raise BadArgument(name, f"it must be of type {json_type(kind)}")
    return fitted


def fit_text(parameter: Parameter, text: str, name: str) -> Any:
    """Return the value that the text of a path, a query or a header means."""
    kind = parameter.kind
    if kind is str:
        return text
    if _is_choice(kind):
        return _choice(parameter, text, name)
    if kind is int and _WHOLE_TEXT.fullmatch(text) and abs(int(text)) <= MAX_EXACT_INTEGER:
        return int(text)
    if kind is float and _NUMBER_TEXT.fullmatch(text) and isfinite(float(text)):
        return float(text)
    if kind is bool and text in _SWITCH_TEXTS:
        return _SWITCH_TEXTS[text]
    if kind == list[str]:
        return text.split(",")
    raise BadArgument(name, f"it must be of type {json_type(kind)}")


def fit_sent(method: str, parameter: Parameter, value: Any) -> Any:
    """Return a value that a client sent; what only a caller in the same process can give fits nothing that is sent."""
    kinds = [kind for kind in parameter.kinds if not is_in_process(kind)]
    too_large = isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_EXACT_INTEGER
    if value is None and (parameter.nullable or Any in kinds):
        return None
    try:
        if too_large and Any not in kinds:
            fitted = _NO_MATCH
        else:
            fitted = _first_match(value, kinds)
    except ValueError:
        fitted = _NO_MATCH
    if fitted is _NO_MATCH:
        reason = f"a {type(value).__name__} does not fit; {method} wants {parameter.hint} there"
        raise BadArgument(parameter.name, reason)
    return fitted


def check_number(name: str, value: object, low: float = 0.0, high: float = 1.0) -> None:
    """Raise BadArgument unless value is left out or a number in [low, high]."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadArgument(name, f"{display_value(value)} is not a number; it must be between {low:g} and {high:g}")
    if not low <= value <= high:
        raise BadArgument(name, f"{display_value(value)} is not between {low:g} and {high:g}")


def check_whole_number(name: str, value: object, low: int, high: int | None = None) -> None:
    """Raise BadArgument unless value is an int in [low, high]; without `high` there is no upper end."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadArgument(name, f"{display_value(value)} is not a whole number")
    if value < low or (high is not None and value > high):
        if high is None:
            reason = f"it can't be less than {low}"
        else:
            reason = f"{display_value(value)} is not between {low} and {high}"
        raise BadArgument(name, reason)


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Raise BadArgument unless value is left out or one of the choices."""
    known = list(choices)
    # Only a text is looked up: an enum would put anything else into its own message, however long that is.
    if value is not None and not (isinstance(value, str) and value in known):
        raise BadArgument(name, f"{display_value(value)} is not one of {', '.join(known)}")


def _fit(parameter: Parameter, value: Any) -> Any:
    """Return the value of a caller in this process as the method takes it, by the first of its kinds that fits."""
    kinds = parameter.kinds
    # Most are texts, or were not given: those need no look at the table.
    if (type(value) is str and kinds == (str,)) or (value is None and parameter.nullable) or InProcess in kinds:
        return value
    try:
        fitted = _first_match(value, kinds)
    except ValueError as error:
        raise BadArgument(parameter.name, str(error)) from error
    if fitted is not _NO_MATCH:
        return fitted
    if kinds and _is_choice(kinds[0]) and not parameter.nullable:
        check_choice(parameter.name, value, kinds[0])
    refuse_result(parameter, value)
    raise BadArgument(parameter.name, f"a {type(value).__name__} does not fit; it must be {parameter.hint}")


def refuse_result(parameter: Parameter, value: object) -> None:
    """Raise BadArgument where the result of a change stands in place of the id of its checkpoint."""
    if parameter.name == "checkpoint" and hasattr(value, "checkpoint_id"):
        name = type(value).__name__
        raise BadArgument(parameter.name, f"a {name} does not fit; give its `.checkpoint_id`, which is a text")


def _first_match(value: Any, kinds: Iterable[Any]) -> Any:
    # A text that may be a path is one, whichever stands first.
    for kind in sorted(kinds, key=lambda kind: not is_path(kind)):
        fitted = _convert_to(value, kind)
        if fitted is not _NO_MATCH:
            return fitted
    return _NO_MATCH


def _convert_to(value: Any, kind: Any) -> Any:
    convert = _CONVERTERS.get(kind)
    if convert is not None:
        return convert(value)
    if is_path(kind):
        return _file(value)
    if _is_choice(kind):
        known = isinstance(value, str) and str.__str__(value) in [choice.value for choice in kind]
        if known:
            return kind(str.__str__(value))
        return _NO_MATCH
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Callable:
        return value if callable(value) else _NO_MATCH
    if origin is None:
        if kind is InProcess or isinstance(value, kind):
            return value
        return _NO_MATCH
    if not isinstance(value, origin) or isinstance(value, str | bytes | bytearray):
        return _NO_MATCH  # a text is iterable, too, and "ab" would be taken for the tags "a" and "b"
    if isinstance(value, list | tuple) and not all(_convert_to(item, inside[0]) is not _NO_MATCH for item in value):
        return _NO_MATCH
    return value


def _choice(parameter: Parameter, text: str, name: str) -> Any:
    check_choice(name, text, [choice.value for choice in parameter.kind])
    return text


def _is_choice(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _text(value: Any) -> Any:
    # not what an enum makes of itself
    if isinstance(value, str):
        return str.__str__(value)
    return _NO_MATCH


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
        if type(value) is float:
            return value
        return _NO_MATCH
    whole = _integer(value)
    if whole is not _NO_MATCH:
        return whole
    try:
        if isinstance(value, Real):
            return float(value)
        return _NO_MATCH
    except OverflowError:
        raise ValueError(_OUT_OF_RANGE) from None


def _switch(value: Any) -> Any:
    if isinstance(value, bool) or _is_numpy_bool(value):
        return bool(value)
    return _NO_MATCH


def _file(value: Any) -> Any:
    if hasattr(type(value), "__fspath__"):
        path = value.__fspath__()
    else:
        path = value
    if not isinstance(path, str):
        return _NO_MATCH
    try:
        if b"\0" in path.encode("utf-8", "surrogateescape"):
            raise ValueError("it has a NUL byte")
    except UnicodeEncodeError:
        raise ValueError("it has half a character, and no file is called so") from None
    return str.__str__(path)


def _is_numpy_bool(value: object) -> bool:
    return type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")


_CONVERTERS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _switch,
    Any: lambda value: value,
}
