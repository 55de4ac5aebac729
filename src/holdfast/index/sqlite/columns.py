"""A note → what the columns of the full-text index hold for each of its chunks."""

from __future__ import annotations

from holdfast.index.analyzer import SHARED_ANALYSER
from holdfast.index.store_contract import NoteRows
from holdfast.markdown.note_kinds import kept_by_hand
from holdfast.named_tuple import NamedTuple

__all__ = ["Columns", "columns_of"]


class Columns(NamedTuple):
    """The words of the path, of the title, of the headings above a chunk, and of the chunk itself."""

    texts: tuple[str, str, str, str]
    section: bool
    """Whether it is a section, and not a turn of a conversation or a line of a note that is kept by hand."""


_PATH_JOINTS = str.maketrans("/-_.", "    ")


def columns_of(note: NoteRows, tokenizer: str) -> list[Columns]:
    """Return the columns of each chunk of a note."""
    if tokenizer == "holdfast":
        index = SHARED_ANALYSER.index
    else:
        index = _as_it_is
    # Every note lies in memory/, so that word tells nothing of any.
    place = note.path.removeprefix("memory/").removesuffix(".md").translate(_PATH_JOINTS)
    path, title = index(place), index(note.title)
    by_line = kept_by_hand(note.path)
    columns: list[Columns] = []
    above: tuple[str, ...] = ()
    headings = ""
    for chunk in note.chunks:
        if chunk.headings != above:  # of most chunks they are those of the one before
            above = chunk.headings
            # the title column has that
            if above and above[0] == note.title:
                below = above[1:]
            else:
                below = above
            headings = ""
            if below:
                headings = index(" ".join(below))
        columns.append(Columns((path, title, headings, index(chunk.text)), section=not (by_line or chunk.voice)))
    return columns


def _as_it_is(text: str) -> str:
    """Return a text for the tokenizers of FTS5.

    With two spaces at its end, every letter of a text begins some three.
    """
    return text + "  "
