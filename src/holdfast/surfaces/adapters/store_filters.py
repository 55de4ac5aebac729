"""Which items a search of a store asks for, by their values and their namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

__all__ = ["fits", "in_namespace", "matches", "value_at"]


def value_at(value: Mapping[str, Any], name: str) -> Any:
    """The field of this name, else what is at the end of its dotted path; None where there is neither."""
    if name in value or "." not in name:
        return value.get(name)
    inside: Any = value
    for part in name.split("."):
        inside = inside.get(part) if isinstance(inside, Mapping) else None
    return inside


def fits(value: Any, wanted: Any) -> bool:
    """Whether a value is what a filter wants: an equal one, one with equal fields, or one that operators allow."""
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_allows(value, str(name), bound) for name, bound in wanted.items())
        return isinstance(value, Mapping) and all(fits(value.get(name), one) for name, one in wanted.items())
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(fits(one, other) for one, other in zip(value, wanted, strict=True))
    return _equal(value, wanted)


def in_namespace(namespace: Sequence[str], prefix: Sequence[str]) -> bool:
    """Whether a namespace is this one, or below it."""
    return tuple(namespace[: len(prefix)]) == tuple(prefix)


def matches(namespace: Sequence[str], kind: str, path: Iterable[str]) -> bool:
    """Whether a namespace begins ("prefix") or ends ("suffix") with a path, in which * stands for any label."""
    wanted = tuple(path)
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    if len(namespace) < len(wanted):
        return False
    part = namespace[: len(wanted)] if kind == "prefix" else namespace[len(namespace) - len(wanted) :]
    return all(one in ("*", label) for one, label in zip(wanted, part, strict=True))


def _allows(value: Any, operator: str, bound: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return _equal(value, bound) is (operator == "$eq")
    compare = _ORDER.get(operator)
    if compare is None:
        raise ValueError(f"Unsupported operator: {operator}")
    numbers = _number(value) and _number(bound)
    # What can't be compared is not larger and not smaller; one odd item must not end the search of all others.
    return (numbers or (isinstance(value, str) and isinstance(bound, str))) and compare(value, bound)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(value: Any, wanted: Any) -> bool:
    """Equal as JSON is: true is not 1."""
    return isinstance(value, bool) is isinstance(wanted, bool) and bool(value == wanted)


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda value, bound: bool(value > bound),
    "$gte": lambda value, bound: bool(value >= bound),
    "$lt": lambda value, bound: bool(value < bound),
    "$lte": lambda value, bound: bool(value <= bound),
}
