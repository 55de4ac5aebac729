"""A conversation in pages, oldest first, for a model that is to read all of it: none is longer than it can take."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.markdown.budget import tokens_of
from holdfast.named_tuple import NamedTuple
from holdfast.transcripts.sanitizer import shorten, words_of
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["MOST_PAGES", "Page", "pages_of"]

MOST_PAGES = 8
"""What a flush may cost is bounded: with the default window these are half a million tokens."""

_PER_MESSAGE = (8000, 2000, 500, 200)  # characters; rather less of each message than nothing of the oldest


class Page(NamedTuple):
    """Some messages as text, and the id of the last one."""

    text: str
    last: str


def pages_of(entries: Sequence[Entry], tokens: int) -> tuple[list[Page], int]:
    """All that was said, in pages of about so many tokens, and how many messages found no room even cut short."""
    spoken = [(entry, words) for entry in entries if (words := words_of(entry.role, entry.text, entry.tags))]
    pages: list[list[tuple[str, str]]] = []
    for most in _PER_MESSAGE:
        pages = _fill_pages(
            [(f"{entry.role.value}: {shorten(words, min(most, tokens))}", entry.id) for entry, words in spoken],
            tokens,
        )
        if len(pages) <= MOST_PAGES:
            break
    left_out = sum(map(len, pages[MOST_PAGES:]))
    return [Page("\n".join(line for line, _ in page), page[-1][1]) for page in pages[:MOST_PAGES]], left_out


def _fill_pages(lines: Sequence[tuple[str, str]], tokens: int) -> list[list[tuple[str, str]]]:
    pages: list[list[tuple[str, str]]] = []
    left = 0
    for line, entry in lines:
        size = tokens_of(line) + 2
        if not pages or size > left:
            pages.append([])
            left = tokens
        pages[-1].append((line, entry))
        left -= size
    return pages
