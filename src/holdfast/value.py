"""Frozen values: what `dataclasses` would give, without its import.

`dataclasses` brings in `inspect`, and builds its methods by compiling text; for the many small values here
that was a quarter of the time of a cold command. This is the part of it that we use.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Final, NoReturn, Self, dataclass_transform

__all__ = ["Shown", "Value", "json_value", "value_below"]

_CHECKPOINTS: Final = {"checkpoint_id": "checkpointId", "checkpoint_ids": "checkpointIds"}


@dataclass_transform(frozen_default=True, eq_default=True)
class Value:
    """A base for classes that only declare fields; instances compare by value and can't be changed."""

    fields: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()
    """Fields whose values no repr shows."""
    _all: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[Mapping[str, Any] | None] = None

    def __init_subclass__(cls) -> None:
        own = [name for name, hint in cls.__annotations__.items() if not str(hint).startswith("ClassVar")]
        cls.fields = (*cls.fields, *own)
        cls._all = frozenset(cls.fields)
        cls._defaults = None

    def __init__(self, *values: Any, **named: Any) -> None:
        if not values and named.keys() == self._all:  # a search makes many such
            self.__dict__.update(named)
            self.settle(self.__dict__)
            return
        given = dict(zip(self.fields, values, strict=False))
        if len(values) > len(self.fields) or given.keys() & named.keys() or named.keys() - self._all:
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)}, each once")
        held = {**self._defaults_now(), **given, **named}
        if len(held) < len(self.fields):
            missing = next(name for name in self.fields if name not in held)
            raise TypeError(f"{type(self).__name__} needs {missing!r}")
        self.__dict__.update(held)
        self.settle(self.__dict__)

    @classmethod
    def _defaults_now(cls) -> Mapping[str, Any]:
        """The defaults as they are with the first instance: whoever declares a class may settle them after that."""
        if cls._defaults is None:
            cls._defaults = {name: getattr(cls, name) for name in cls.fields if hasattr(cls, name)}
        return cls._defaults

    def settle(self, held: dict[str, Any]) -> None:
        """A hook for values whose fields depend on each other; `held` may be changed here and nowhere else."""

    def replace(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        return type(self)(**{**self.__dict__, **changes})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} can't be changed; use replace() to make another")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} can't be changed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__[name] for name in self.fields))

    def __repr__(self) -> str:
        held = {
            name: "…" if self.__dict__[name] and name in self.hidden else self.__dict__[name] for name in self.fields
        }
        inside = ", ".join(f"{name}={value!r}" for name, value in held.items())
        return f"{type(self).__name__}({inside})"


class Shown(Value):
    """A value that surfaces show: its fields are the JSON, by their names on the wire."""

    renamed: ClassVar[Mapping[str, str]] = {}
    """Names on the wire that differ from those of the fields; the ids of checkpoints always do."""
    sparse: ClassVar[tuple[str, ...]] = ()
    """Fields that are left out where they are empty."""
    or_null: ClassVar[tuple[str, ...]] = ()
    """Fields that are null where they are empty."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        names = {**_CHECKPOINTS, **self.renamed}
        shown: dict[str, Any] = {}
        for name in self.fields:
            value = self.__dict__[name]
            if name in self.hidden or (name in self.sparse and not value):
                continue
            shown[names.get(name, name)] = None if name in self.or_null and not value else json_value(value)
        return shown


def json_value(value: Any) -> Any:
    """Return a value in JSON: what has a shape of its own in that, days in ISO form, an enum as what it stands for."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "_asdict"):
        return json_value(value._asdict())
    if isinstance(value, Mapping):
        return {name: json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    return value


def value_below(value: Any, path: str) -> Any:
    """Return what stands at a dotted path in nested mappings; None where nothing does."""
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value
