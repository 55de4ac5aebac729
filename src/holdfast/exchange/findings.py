"""Findings in a file of another program: facts, notes, and what is not taken over, each with its place."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from holdfast.markdown.fact_row import Category
from holdfast.named_tuple import NamedTuple

__all__ = ["Findings", "FoundFact", "FoundNote", "LeftOut", "Source"]


class Source(StrEnum):
    """The programs whose files can be read."""

    HOLDFAST = "holdfast"
    OPENCLAW = "openclaw"
    MOLTIS = "moltis"
    CLAUDE_CODE = "claude-code"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MEM0 = "mem0"
    MARKDOWN = "markdown"
    """Notes that their owner wrote, in any editor."""


class FoundFact(NamedTuple):
    """A sentence that is to become a fact."""

    text: str
    where: str
    category: Category = Category.OTHER
    importance: float | None = None
    observed: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None


class FoundNote(NamedTuple):
    """A text that is to become a note; `name` is what it is about, in words."""

    name: str
    text: str
    where: str
    path: str = ""
    """Where the owner's own note goes, "" for a note that gets its path from its name."""


class LeftOut(NamedTuple):
    """A thing that is not taken over, and why; never its words, which may be a secret."""

    where: str
    why: str


class Findings(NamedTuple):
    """All that one file or folder holds."""

    facts: tuple[FoundFact, ...] = ()
    notes: tuple[FoundNote, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
