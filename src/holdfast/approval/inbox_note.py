"""memory/inbox.md as a text: one bullet for each claim that waits, with who brought it in a comment behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.guard.text_rules import decode
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.inbox_mark import read_inbox_mark
from holdfast.markdown.lines import blank, split_lines
from holdfast.markdown.list_item import BULLET
from holdfast.markdown.statements import sentence_key
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.value import Shown

__all__ = ["InboxEntry", "Item", "items_in", "rejection_key", "without_husks", "without_item"]

_HUSK: Final = compile_late(rb"[-*+]\s*<!-- waits [^<>]*-->")


class InboxEntry(Shown):
    """A text that waits for the owner; `client` is the program that brought it, where it said its name."""

    id: str
    text: str
    origin: Origin | None
    client: str
    at: str
    """When it was saved, in ISO form; empty where nobody knows."""
    place: str
    because: str = ""

    or_null = ("at",)


class Item(NamedTuple):
    """An entry, and the lines of the note that it takes up."""

    entry: InboxEntry
    first: int
    end: int


def rejection_key(text: str) -> str:
    """Return what a rejected text is known by.

    Its words, whatever their case and punctuation; no word of it is kept.
    """
    return key_of(sentence_key(text))


def items_in(data: bytes | None) -> list[Item]:
    """The bullets of the inbox; every other line is the owner's, and left alone."""
    lines = split_lines(decode(data)) if data else []
    items: list[Item] = []
    at = 0
    while at < len(lines):
        marker = BULLET.match(lines[at])
        if marker is None or blank(lines[at][marker.end() :]):
            at += 1
            continue
        end = at + 1
        while end < len(lines) and (blank(lines[end]) or lines[end].startswith(("  ", "\t"))):
            end += 1
        while blank(lines[end - 1]):
            end -= 1
        first, mark = read_inbox_mark(lines[at][marker.end() :])
        below = [line.removeprefix("  ") for line in lines[at + 1 : end]]
        text = "\n".join((first, *below)).strip()
        if text:
            own_id = mark.id or f"t{key_of(text)[:12]}"  # typed by hand: the same as long as its words are
            entry = InboxEntry(own_id, text, *mark[1:], f"{INBOX}#{at + 1}")
            items.append(Item(entry, at, end))
        at = end
    return items


def without_item(data: bytes | None, item: Item, lines: Sequence[str] = ()) -> bytes | None:
    """The inbox with other lines in the place of an entry; None where nothing is left."""
    old = split_lines(decode(data)) if data else []
    new = "\n".join((*old[: item.first], *lines, *old[item.end :]))
    return new.encode() if new.strip() else None


def without_husks(data: bytes) -> bytes:
    """The inbox without bullets of which only the mark is left."""
    return b"\n".join(line for line in data.split(b"\n") if not _HUSK.fullmatch(line.strip()))
