"""The filter of a search of a store: values and namespaces of the items it asks for."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from holdfast.value import value_below

__all__ = ["condition", "in_namespace", "matches", "value_at"]


def value_at(value: Mapping[str, Any], name: str) -> Any:
    """The field of this name, else what is at the end of its dotted path; None where there is neither."""
    if name in value or "." not in name:
        return value.get(name)
    return value_below(value, name)


def condition(wanted: Any) -> Callable[[Any], bool]:
    """Read a filter, once for many values: gives whether a value is what it wants.

    That is an equal one, one with equal fields, or one that operators allow.
    """
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            allowed = [_allowed_by(str(name), bound) for name, bound in wanted.items()]
            if len(allowed) == 1:
                return allowed[0]
            return lambda value: all(allow(value) for allow in allowed)
        inside = [(name, condition(inner)) for name, inner in wanted.items()]
        return lambda value: isinstance(value, Mapping) and all(fit(value.get(name)) for name, fit in inside)
    if isinstance(wanted, list | tuple):
        each = [condition(inner) for inner in wanted]
        return lambda value: (
            isinstance(value, list | tuple)
            and len(value) == len(each)
            and all(fit(item) for fit, item in zip(each, value, strict=True))
        )
    return lambda value: _equal(value, wanted)


def in_namespace(namespace: Sequence[str], prefix: Sequence[str]) -> bool:
    """Say whether a namespace is this one, or below it."""
    return tuple(namespace[: len(prefix)]) == tuple(prefix)


def matches(namespace: Sequence[str], kind: str, path: Iterable[str]) -> bool:
    """Say whether a namespace begins ("prefix") or ends ("suffix") with a path, in which * stands for any label."""
    wanted = tuple(path)
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    if len(namespace) < len(wanted):
        return False
    if kind == "prefix":
        part = namespace[: len(wanted)]
    else:
        part = namespace[len(namespace) - len(wanted) :]
    return all(pattern in ("*", label) for pattern, label in zip(wanted, part, strict=True))


def _allowed_by(name: str, bound: Any) -> Callable[[Any], bool]:
    if name in ("$eq", "$ne"):
        return lambda value: _equal(value, bound) is (name == "$eq")
    compare = _ORDER.get(name)
    if compare is None:
        raise ValueError(f"Unsupported operator: {name}")
    # What can't be compared is not larger and not smaller; one odd item must not end the search of all others.
    if _number(bound):
        return lambda value: _number(value) and compare(value, bound)
    return lambda value: isinstance(value, str) and isinstance(bound, str) and compare(value, bound)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: Any, wanted: Any) -> bool:
    """Equal as JSON is: true is not 1."""
    return isinstance(value, bool) is isinstance(wanted, bool) and bool(value == wanted)


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
