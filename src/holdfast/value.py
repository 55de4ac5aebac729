"""Frozen values: what `dataclasses` would give, without its import.

`dataclasses` brings in `inspect`, and builds its methods by compiling text; for the two dozen small values here
that was a quarter of the time of a cold command. This is the part of it that we use.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

__all__ = ["Value"]


@dataclass_transform(frozen_default=True, eq_default=True)
class Value:
    """A base for classes that only declare fields; instances compare by value and can't be changed."""

    fields: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()
    """Fields whose values no repr shows."""
    _all: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls.fields = (*cls.fields, *cls.__annotations__)
        cls._all = frozenset(cls.fields)

    def __init__(self, *values: Any, **named: Any) -> None:
        if not values and named.keys() == self._all:  # a search makes many such
            self.__dict__.update(named)
            self.settle(self.__dict__)
            return
        given = dict(zip(self.fields, values, strict=False))
        if len(values) > len(self.fields) or given.keys() & named.keys() or named.keys() - set(self.fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)}, each once")
        given |= named
        for name in self.fields:
            if name not in given:
                if not hasattr(type(self), name):
                    raise TypeError(f"{type(self).__name__} needs {name!r}")
                given[name] = getattr(type(self), name)
        self.__dict__.update(given)
        self.settle(self.__dict__)

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
