"""The declaration of a setting: one field of a section, with its kind, default, bounds and text.

    class SearchSettings(Section, table="memory.search"):
        max_results: int = whole(6, "How many hits a search returns.", 1, 100)

The field holds the default, like that of any frozen value; what was said about it is a `Key` in `SECTION_KEYS`. What is
declared as `fixed` is a constant: a program may give another value, the settings file may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

from holdfast.value import Value

__all__ = [
    "PLENTY",
    "SECTION_KEYS",
    "Given",
    "Key",
    "Kind",
    "Section",
    "choice",
    "fixed",
    "header_list",
    "listed",
    "minutes",
    "number",
    "prose",
    "rule_list",
    "switch",
    "text",
    "texts",
    "whole",
]

# A number without a natural end still has one: it must fit SQLite's integers and the system's timers.
PLENTY: Final = 1_000_000_000

_Switch = TypeVar("_Switch", bound=bool | None)
_Whole = TypeVar("_Whole", bound=int | None)
_Number = TypeVar("_Number", bound=float | None)
_Choice = TypeVar("_Choice", bound=StrEnum)
_Text = TypeVar("_Text", bound=str | None)
_Rules = TypeVar("_Rules")
_Declared = TypeVar("_Declared")
_Flaw = Callable[[str], str | None]
_Entry = Callable[[Mapping[str, object]], str]
_Together = Callable[[Sequence[str]], str | None]
_Carry = Callable[[Any, Any], Any]


class Kind(StrEnum):
    """The kind of value that a key holds."""

    SWITCH = "switch"
    WHOLE = "whole number"
    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"
    TEXTS = "list of texts"
    HEADERS = "table of texts"
    PROSE = "text of several lines"
    RULES = "list of rules"


class Key:
    """One key of `holdfast.toml`: where it stands, what it may hold, and what it is for.

    A plain class with slots: every command makes all of them.
    """

    __slots__ = (
        "advice",
        "carry",
        "default",
        "description",
        "entry",
        "example",
        "field",
        "fixed",
        "flaw",
        "heir",
        "kind",
        "least",
        "most",
        "of_home",
        "room",
        "secret",
        "table",
        "together",
        "units",
    )

    def __init__(
        self,
        kind: Kind,
        default: Any,
        description: str,
        least: float | None = None,
        most: float | None = None,
        *,
        flaw: _Flaw | None = None,
        example: str | int | None = None,
        secret: bool = False,
        of_home: bool = False,
        entry: _Entry | None = None,
        together: _Together | None = None,
        units: Mapping[str, int] | None = None,
    ) -> None:
        self.kind = kind
        self.default = default
        self.description = description
        self.least = least
        self.most = most
        self.flaw = flaw
        """For text: what is wrong with it, or None."""
        self.example = example
        """For the sample file, where the default is to be absent."""
        self.secret = secret
        """Shown only as "set" or "not set", and never in an error."""
        self.of_home = of_home
        """Whether it is the same for all agents: what they share, or what must not be theirs to choose."""
        self.entry = entry
        """For a list of texts: the text that a table in it stands for; raises ValueError with what is wrong with it."""
        self.together = together
        """For a list of texts: why they do not go together, or None."""
        self.units = units or {}
        """For a whole number: what one of each unit counts that may stand behind it in a text, `"5m"`."""
        self.fixed = False
        """Whether it is a constant, which only a program may change."""
        self.advice = ""
        """For a constant: what its owner sets instead, where it is not simply fixed."""
        self.heir = ""
        """For a constant: the path of the key that took its place."""
        self.carry: _Carry | None = None
        """For a constant with an heir: what its value makes of the heir's; None changes nothing."""
        self.table = ""
        """The TOML table: `memory.search` for `memory.search.max_results`."""
        self.field = ""
        """The field of the section: the last part of the path."""
        self.room = ""
        """The field of `Settings` that holds the section."""

    @property
    def path(self) -> str:
        """The key as a person writes it: `memory.search.max_results`."""
        return f"{self.table}.{self.field}"

    @property
    def optional(self) -> bool:
        """True if the key may be absent altogether."""
        return self.default is None

    @property
    def choices(self) -> type[StrEnum] | None:
        """The enum that the value must be of, for a choice."""
        if not isinstance(self.default, StrEnum):
            return None
        return type(self.default)

    @property
    def environment(self) -> str:
        """The variable that sets it: `HOLDFAST_MEMORY_SEARCH_MAX_RESULTS`."""
        return "HOLDFAST_" + self.path.replace(".", "_").upper()


class Section(Value):
    """The frozen values of one table of `holdfast.toml`; its declared fields are the keys of that table."""

    def __init_subclass__(cls, *, table: str) -> None:
        super().__init_subclass__()
        keys = []
        for field in cls.fields:
            key = cls.__dict__.get(field)
            if isinstance(key, Key):
                key.table, key.field = table, field
                keys.append(key)
                setattr(cls, field, key.default)
        SECTION_KEYS[cls] = tuple(keys)
        cls.hidden = tuple(key.field for key in keys if key.secret)


SECTION_KEYS: Final[dict[type[Section], tuple[Key, ...]]] = {}
"""The keys that each section declares, in their order."""


# Each of these gives a key, and says to a type checker what the field holds.


def fixed(declared: _Declared, advice: str = "", *, heir: str = "", carry: _Carry | None = None) -> _Declared:
    """Declare a constant: what no owner would set, what was chosen by measuring, or what another key took over.

    An old file that names it still opens: `carry` makes a value of its `heir` from the old one.
    """
    if isinstance(declared, Key):
        declared.fixed = True
        declared.advice, declared.heir, declared.carry = advice, heir, carry
    return declared


def listed(declared: _Declared, name: str, heir: str, *, when: object, instead: str) -> _Declared:
    """Declare what a list of another key says now: it names `name` where the old value equals `when`.

    `instead` is the sentence that tells its owner so.
    """

    def carry(old: object, before: tuple[str, ...]) -> tuple[str, ...]:
        without = tuple(entry for entry in before if entry != name)
        if old != when:
            return without
        return (*without, name)

    return fixed(declared, instead, heir=heir, carry=carry)


def switch(default: _Switch, description: str, *, example: bool | None = None) -> _Switch:
    """Declare a setting that is true or false; with None as its default it may be absent."""
    return Key(Kind.SWITCH, default, description, example=example)  # type: ignore[return-value]


def whole(
    default: _Whole, description: str, least: int, most: int | None = None, *, example: int | None = None
) -> _Whole:
    """Declare a whole number from `least` to `most`."""
    return Key(Kind.WHOLE, default, description, least, most, example=example)  # type: ignore[return-value]


def minutes(default: int, description: str, least: int, most: int) -> int:
    """Declare a time in minutes from `least` to `most`; `"5m"` and `"2h"` say it too."""
    return Key(Kind.WHOLE, default, description, least, most, units={"m": 1, "h": 60})  # type: ignore[return-value]


def number(
    default: _Number, description: str, least: float, most: float | None = None, *, example: int | None = None
) -> _Number:
    """Declare a number from `least` to `most`."""
    return Key(Kind.NUMBER, default, description, least, most, example=example)  # type: ignore[return-value]


def choice(default: _Choice, description: str, *, of_home: bool = False) -> _Choice:
    """Declare one of the members of an enum, that of its default."""
    return Key(Kind.CHOICE, default, description, of_home=of_home)  # type: ignore[return-value]


def text(
    default: _Text,
    description: str,
    *,
    flaw: _Flaw | None = None,
    example: str | None = None,
    secret: bool = False,
    of_home: bool = False,
) -> _Text:
    """Declare a text of one line; `flaw` says what is wrong with one, or None."""
    return Key(  # type: ignore[return-value]
        Kind.TEXT, default, description, flaw=flaw, example=example, secret=secret, of_home=of_home
    )


def prose(default: str, description: str) -> str:
    """Declare a text of several lines."""
    return Key(Kind.PROSE, default, description)  # type: ignore[return-value]


def texts(
    default: tuple[str, ...],
    description: str,
    *,
    flaw: _Flaw | None = None,
    entry: _Entry | None = None,
    together: _Together | None = None,
) -> tuple[str, ...]:
    """Declare a list of texts; `entry` reads those that are written as tables."""
    return Key(  # type: ignore[return-value]
        Kind.TEXTS, default, description, flaw=flaw, entry=entry, together=together
    )


def header_list(default: tuple[str, ...], description: str, *, flaw: _Flaw) -> tuple[str, ...]:
    """Declare a table of HTTP headers; what they hold is secret."""
    return Key(Kind.HEADERS, default, description, flaw=flaw, secret=True)  # type: ignore[return-value]


def rule_list(default: _Rules, description: str) -> _Rules:
    """Declare a list of rules about sessions."""
    return Key(Kind.RULES, default, description)  # type: ignore[return-value]


class Given(Value):
    """One value that somebody gave, already checked on its own, and where it came from."""

    key: Key
    value: object
    source: str
    file: str | None
    line: int | None
    of_agent: bool = False
    carry: Callable[[Any, Any], Any] | None = None
    """For the value of a key that an earlier version had: what it makes of the value of this one."""
