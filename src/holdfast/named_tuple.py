"""`NamedTuple` as `typing` has it, made in a tenth of the time.

`typing` compiles each annotation and a constructor for each class, and a cold search loads a hundred such classes. Here
a constructor is compiled with the first instance, and annotations stay text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections.abc import Iterable
    from operator import itemgetter

    try:
        from _collections import _tuplegetter as field_getter  # as `collections` itself does
    except ImportError:

        def field_getter(place: int, text: str) -> property:
            """Return what reads a field; the quick way is CPython's alone."""
            return property(itemgetter(place), doc=text)

    class Fields(tuple):
        """The part that all named tuples have in common."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 - nobody changes it, and an annotation would be a field of all

        def __new__(cls, *values: Any, **named: Any) -> Self:
            """Make the first instance of a class, and what makes all others."""
            owner = next(known for known in cls.__mro__ if "_fields" in vars(known))
            owner.__new__ = staticmethod(_constructor(owner))
            return owner.__new__(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> Self:
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"Got unexpected field names: {list(changes)!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            inside = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({inside})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    def _constructor(owner: type) -> Any:
        """Compile the constructor of a class, whose fields are names by Python's own grammar."""
        names = "".join(f"{field}, " for field in owner._fields)
        scope = {"__builtins__": {}, "__name__": owner.__module__, "_new": tuple.__new__}
        made = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", scope)  # noqa: S307 - as above
        made.__name__ = "__new__"
        made.__qualname__ = f"{owner.__qualname__}.__new__"
        made.__defaults__ = tuple(owner._field_defaults.values())
        return made

    class _Maker(type):
        """Makes plain classes of those declared below `NamedTuple`; what derives from these is an ordinary class."""

        def __new__(cls, name: str, _: tuple[type, ...], namespace: dict[str, Any]) -> Any:
            made = type(name, (Fields,), {**namespace, "__slots__": ()})
            fields = tuple(made.__annotations__)
            made._fields = made.__match_args__ = fields
            made._field_defaults = {field: namespace[field] for field in fields if field in namespace}
            for place, field in enumerate(fields):
                setattr(made, field, field_getter(place, field))
            return made

    class _Declaration:
        """Stands where a base class stands."""

        def __mro_entries__(self, _: tuple[object, ...]) -> tuple[type, ...]:
            return (_ROOT,)

    _ROOT = type.__new__(_Maker, "NamedTuple", (), {})
    NamedTuple = _Declaration()
