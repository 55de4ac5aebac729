"""What a key of `holdfast.toml` is: where it stands, what it may hold, and what it is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from holdfast.settings.values import Settings
from holdfast.value import Value

__all__ = ["DEFAULTS", "Key", "Kind"]

DEFAULTS: Final = Settings()


class Kind(StrEnum):
    """What a key holds."""

    SWITCH = "switch"
    WHOLE = "whole number"
    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"
    TEXTS = "list of texts"
    HEADERS = "table of texts"
    PROSE = "text of several lines"
    RULES = "list of rules"


class Key(Value):
    """One key: where it stands in the file, what it may hold, and what it is for."""

    path: str
    kind: Kind
    description: str
    least: float | None = None
    most: float | None = None
    flaw: Callable[[str], str | None] | None = None
    """For text: what is wrong with it, or None."""
    example: str | int | None = None
    """For the sample file, where the default is to be absent."""
    secret: bool = False
    """Shown only as "set" or "not set", and never in an error."""
    of_home: bool = False
    """Whether it is the same for all agents: what they share, or what must not be theirs to choose."""
    room_name: str = ""
    """The field of `Settings`, where another table ends in the same word."""

    entry: Callable[[Mapping[str, object]], str] | None = None
    """For a list of texts: the text that a table in it stands for; raises ValueError with what is wrong with it."""
    together: Callable[[Sequence[str]], str | None] | None = None
    """For a list of texts: why they do not go together, or None."""

    @property
    def table(self) -> str:
        """The TOML table: `memory.search` for `memory.search.max_results`."""
        return self.path.rpartition(".")[0]

    @property
    def room(self) -> str:
        """The field of `Settings`: the last part of the table, unless the key says otherwise."""
        return self.room_name or self.table.rpartition(".")[2]

    @property
    def field(self) -> str:
        """The field of that room's value: the last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def default(self) -> object:
        """The value when nobody gives one; `values.py` is where it is written."""
        value: object = getattr(getattr(DEFAULTS, self.room), self.field)
        return value

    @property
    def optional(self) -> bool:
        """Whether the key may be absent altogether."""
        return self.default is None

    @property
    def choices(self) -> type[StrEnum] | None:
        """The enum that the value must be of, for a choice."""
        default = self.default
        return type(default) if isinstance(default, StrEnum) else None

    @property
    def environment(self) -> str:
        """The variable that sets it: `HOLDFAST_MEMORY_SEARCH_MAX_RESULTS`."""
        return "HOLDFAST_" + self.path.replace(".", "_").upper()
