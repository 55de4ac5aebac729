"""The chunk: what a note is cut into."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.markdown.fact_row import Fact
from holdfast.markdown.speakers import Voice
from holdfast.named_tuple import NamedTuple

__all__ = ["Chunk", "Chunked"]


class Chunk(NamedTuple):
    """A run of lines of a note that is indexed as one."""

    start_line: int
    """The first line, counted from 1."""
    end_line: int
    """The last line, included."""
    text: str
    """The lines joined with a line feed, without a fact's mark; a slice of one line where that alone was too long."""
    headings: tuple[str, ...]
    """The headings above the chunk's first own line of body, outermost first."""
    fact: Fact | None = None
    """What is known of it, where it is a fact, or a part of a long one."""
    voice: Voice = Voice.UNKNOWN
    """Whose turn of a conversation it is."""


class Chunked(NamedTuple):
    """A note, cut."""

    title: str
    """The first heading of level 1, else the front matter's title, else the first heading, else nothing."""
    front: Mapping[str, str]
    """The front matter, flat."""
    chunks: tuple[Chunk, ...]
    """In the order of their lines."""
    by_passage: bool = False
    """Whether they are passages, of which several have the size of a chunk together."""
