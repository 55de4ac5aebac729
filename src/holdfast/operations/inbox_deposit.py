"""Put a text that must be approved before it goes into MEMORY.md into the inbox, `memory/inbox.md`, where it waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from holdfast.approval.inbox_note import items_in, rejection_key
from holdfast.checkpoints.change import Change, earlier_changes, note_before, put_note
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.errors import NoteNotFound, NotPermitted, TooLarge
from holdfast.facts.ids import new_id
from holdfast.guard.paths import INBOX, writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode
from holdfast.markdown.fact_mark import read
from holdfast.markdown.inbox_mark import InboxMark, write_inbox_mark
from holdfast.markdown.list_item import BULLET
from holdfast.markdown.request_words import claim_words
from holdfast.markdown.statements import top_blocks

__all__ = ["WAITS_ALREADY", "entry_lines", "entry_mark", "put_aside", "read_bytes", "waiting_reason", "waits_because"]

_MEANT: Final = "meant for MEMORY.md; waits to be approved"
_UNTIL: Final = f"it is in {INBOX} until the owner approves it"
WAITS_ALREADY: Final = f"waits for approval already, and is not written twice: {_UNTIL}"
"""The answer to a text that brings the inbox nothing new."""


def put_aside(ctx: Context, text: str, why: str, tool: str) -> Change | None:
    """Add the claims of a text to the inbox, unless they were rejected before; None where all of them wait already."""
    with locked_store(ctx.workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return earlier[0]
        note = note_before(store, writable_path(INBOX))
        # Under the lock: the owner may be deciding about the same just now, and what is decided does not wait again.
        lines = _new_entries(ctx, note.data, text)
        if not lines:
            return None
        return put_note(store, note, _with_lines(note.data, lines), ctx.authorship(tool, f"{_MEANT}: {why}"))


def _new_entries(ctx: Context, inbox: bytes | None, text: str) -> list[str]:
    """Return the lines of entries for what of a text does not wait already: a model that was told so may try again."""
    wanted = _undecided(ctx, text)
    items = items_in(inbox)
    held = {claim_words(item.entry.text) for item in items}
    ids = {item.entry.id for item in items}
    lines: list[str] = []
    for block in wanted:
        if claim_words(block) in held:
            continue
        own_id = new_id(ids)
        ids.add(own_id)
        lines += entry_lines(block, entry_mark(ctx, own_id))
    return lines


def _with_lines(inbox: bytes | None, lines: Sequence[str]) -> bytes:
    """Return the inbox with these lines below what is there."""
    if inbox and inbox.strip():
        above = decode(inbox).rstrip("\n").replace("\r\n", "\n") + "\n"
    else:
        above = ""
    new = (above + "\n".join(lines) + "\n").encode()
    if len(new) > MAX_NOTE_BYTES:
        raise TooLarge(f"note {INBOX}", len(new), MAX_NOTE_BYTES)
    return new


def _undecided(ctx: Context, text: str) -> list[str]:
    """The claims of a text that MEMORY.md does not hold and the owner has not rejected; NotPermitted without any."""
    from holdfast.dreaming.dream_undo import declined_claims

    memory = (_memory(ctx) or b"").decode("utf-8", "replace")
    held = {_strip_item(block) for block in top_blocks(memory)}
    blocks = [block for block in map(_strip_item, top_blocks(text)) if block and block not in held]
    if not blocks:
        raise NotPermitted(
            "MEMORY.md is not changed: what stays in it must stay as it is and in its order; what is new comes last."
        )
    refused = declined_claims(ctx, [rejection_key(block) for block in blocks])
    wanted = [block for block in dict.fromkeys(blocks) if rejection_key(block) not in refused]
    if not wanted:
        raise NotPermitted("The owner has rejected this before: it goes neither into MEMORY.md nor into the inbox.")
    return wanted


def waiting_reason(change: Change) -> str | None:
    """Return why the text of a change had to wait; None for a change that put nothing aside."""
    meant, _, why = change.reason.partition(": ")
    if change.path == INBOX and meant == _MEANT:
        return why
    return None


def waits_because(reason: str) -> str:
    """Say to whoever wrote a text that it was put aside."""
    return f"waits for approval: {reason}; {_UNTIL}"


def entry_mark(ctx: Context, entry_id: str) -> InboxMark:
    """Return the mark of an entry that is written now, by whoever asks."""
    return InboxMark(entry_id, ctx.origin, ctx.client, _moment(ctx))


def entry_lines(text: str, mark: InboxMark) -> list[str]:
    """The lines of an entry: a bullet with the mark behind its first line, and the rest indented below it."""
    first, *below = text.split("\n")
    return [write_inbox_mark(f"- {first}", mark), *(f"  {line}" if line.strip() else "" for line in below)]


def _strip_item(block: str) -> str:
    """A block without the marker of an item and the indentation that goes with it, and without forged marks."""
    lines = block.split("\n")
    marker = BULLET.match(lines[0])
    if marker is not None:
        lines = [lines[0][marker.end() :], *(line.removeprefix("  ") for line in lines[1:])]
    return "\n".join(_strip_marks(line).rstrip() for line in lines).strip()


def _strip_marks(line: str) -> str:
    """A line without the marks of facts in it, which only Holdfast writes."""
    while (row := read(line)).mark is not None:
        line = row.words
    return line


def _moment(ctx: Context) -> str:
    """The time in ISO form; empty where the clock has gone wild, which must not keep anything from waiting."""
    try:
        return datetime.fromtimestamp(ctx.clock.now(), UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def read_bytes(ctx: Context, path: str = INBOX) -> bytes | None:
    """Return the bytes of the inbox, or of another note; None where there is none."""
    try:
        return ctx.workspace.read(path).data
    except NoteNotFound:
        return None


def _memory(ctx: Context) -> bytes | None:
    return read_bytes(ctx, ctx.workspace.spot(writable_path("MEMORY.md")).path)
