"""The sentence forms that say one thing about one subject; the forms are data (`subject_forms.json`).

A form names an attribute that has one value at a time: who lives in one town does not live in another. In a form, `s`
is the subject (without it, the user), `a` what the attribute is about, `v` its value, `m` what else is said. All are
anchored, and the sentences that they are tried on are short.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.subject_data import read_lists, word_list
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["CALLED", "LIVES", "WORKS", "Form", "forms", "in_english", "two_way_forms", "wording"]

LIVES, WORKS, CALLED = "lives-in", "works-at", "called"
_DATA: Final = "subject_forms"
_PART: Final = compile_late(r"@([A-Z]+)@")


class Form(NamedTuple):
    """A sentence form; the marks say how a sentence of that form is read."""

    attribute: str
    pattern: re.Pattern[str]
    no: bool
    """It takes something back."""
    cuts: bool
    """Its value ends where the next clause begins."""
    once: bool
    """It happens on a day: a time in it says when, and not that it holds only then."""
    named: bool
    """It wants a subject with a name, or one of which there is one: many lead yoga classes, one leads the team."""
    sure: bool
    """It can only be followed by a value: "I work as" by an occupation, "is called" by a name."""


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms in the order in which they are tried."""
    return tuple(
        Form(attribute, re.compile(_fill(pattern)), *(mark in marks for mark in Form._fields[2:]))
        for attribute, pattern, *marks in read_lists(_DATA)["forms"]
    )


@cache
def two_way_forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of what one does or does not: the attribute is the thing itself, its value yes or no."""
    return tuple((attribute, re.compile(_fill(pattern))) for attribute, pattern in read_lists(_DATA)["both_ways"])


@cache
def wording(name: str) -> re.Pattern[str]:
    """Return a pattern by its name.

    openers: what a sentence may begin with and say the same; project: what stands beside the name of one; clause: where
    the next one begins; changed: what says that it was otherwise before; together: how what several do begins; idle: a
    clause that says no more than that it is so; one_of_a_kind: what there is one of, whatever its letters.
    """
    return re.compile(read_lists(_DATA)[name])


@cache
def in_english() -> dict[str, str]:
    """Return what the forms of other languages name, as the English ones do."""
    listed = read_lists(_DATA)["in_english"]
    return {name: english for english, names in listed.items() for name in names}


def _fill(pattern: str) -> str:
    """Put the parts of a pattern in their places."""
    parts = read_lists(_DATA)["parts"]

    def part(found: re.Match[str]) -> str:
        if found[1] == "NAMES":
            return "|".join(sorted(word_list("given_names")))
        return _fill(parts[found[1]])

    return _PART.sub(part, pattern)
