"""Our named tuples do what those of `typing` do."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Both in one."""
        return f"{self.path}#{self.line}"


class Theirs(typing.NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[str, ...] = ()


class Derived(Ours):
    """A place with another word for it."""

    @property
    def word(self) -> str:
        """The word."""
        return "derived"


class Bare(NamedTuple):
    """One without defaults, whose first instance is made from an iterable."""

    left: int
    right: int


class Empty(NamedTuple):
    """One without a field."""


VALUES = st.tuples(st.text(), st.integers(), st.tuples(st.text()))


@given(VALUES)
def test_it_is_the_tuple_of_its_values_by_place_and_by_name(values: tuple[str, int, tuple[str]]) -> None:
    ours, theirs = Ours(*values), Theirs(*values)
    assert (ours.path, ours.line, ours.marks) == values
    assert ours._asdict() == theirs._asdict()
    assert Ours(marks=values[2], path=values[0], line=values[1]) == Ours._make(values) == ours
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert hash(ours) == hash(theirs)
    assert tuple(ours) == tuple(theirs) == values


@given(VALUES, st.integers())
def test_a_field_is_replaced_in_a_new_one(values: tuple[str, int, tuple[str]], line: int) -> None:
    assert Ours(*values)._replace(line=line) == (values[0], line, values[2])
    with pytest.raises((TypeError, ValueError)):
        Ours(*values)._replace(page=line)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, 2, 3, 4), {}), (("a",), {"path": "b"}), (("a",), {"page": 1}), ((), {"line": 3})],
)
def test_what_those_of_typing_refuse_is_refused(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Theirs, Ours):
        with pytest.raises(TypeError, match=f"{kind.__name__}.__new__"):
            kind(*values, **named)
    with pytest.raises(TypeError):
        Ours._make(range(7))


def test_it_has_the_fields_defaults_and_hints_of_its_declaration() -> None:
    assert Ours._fields == Theirs._fields == Ours.__match_args__
    assert Ours._field_defaults == Theirs._field_defaults
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Theirs)
    assert (Ours.__name__, Ours.__module__, Ours.__doc__) == ("Ours", __name__, "A place.")
    match Ours("a", 2):
        case Ours(path, line):
            assert (path, line) == ("a", 2)


def test_it_can_be_kept_copied_and_sent_but_not_changed() -> None:
    place = Ours("a", 2)
    assert place.shown == "a#2"
    for same in (pickle.loads(pickle.dumps(place)), copy.copy(place), copy.deepcopy(place)):
        assert (type(same), same) == (Ours, place)
    with pytest.raises(AttributeError):
        place.line = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        place.page = 3  # type: ignore[attr-defined]


def test_a_class_that_is_derived_from_it_is_one_too() -> None:
    derived = Derived("a")
    assert (type(derived), derived, derived.word, derived.shown) == (Derived, ("a", 1, ()), "derived", "a#1")
    assert (type(derived._replace(line=2)), derived._replace(line=2).line) == (Derived, 2)
    assert isinstance(derived, Ours)


def test_the_first_one_may_be_made_from_an_iterable() -> None:
    assert Bare._make(iter((1, 2))) == Bare(1, 2)
    with pytest.raises(TypeError):
        Bare(1)  # type: ignore[call-arg]


def test_one_without_a_field_is_the_empty_tuple() -> None:
    assert (Empty(), repr(Empty()), Empty()._asdict()) == ((), "Empty()", {})
