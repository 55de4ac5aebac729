"""Approving an entry of the inbox: it goes into MEMORY.md and leaves the inbox, as one change that one undo reverts."""

from __future__ import annotations

from holdfast.approval.inbox_note import InboxEntry, Item, items_in, without_item
from holdfast.approval.prompt_gate import APPROVAL_TOOL
from holdfast.checkpoints.change import digest_of
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.save_target import require_writable
from holdfast.dreaming.claim import LONGEST, SHORTEST, Claim
from holdfast.dreaming.dream_change import bytes_of
from holdfast.dreaming.dream_undo import with_approved
from holdfast.errors import BadArgument, FactNotFound, TooLarge
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import plain
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, writable_path
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.statements import Kind, blocks_in, leaves_open
from holdfast.operations.inbox_decision import Decided
from holdfast.operations.memory_save import append_block

__all__ = ["approve"]


def approve(ctx: Context, entry: InboxEntry, words: str | None = None) -> Decided:
    """Put an entry into MEMORY.md; as a bullet with its origin, or as it stands where it has several lines.

    With other `words` these go in, and are the words of whoever approves.
    """
    require_writable(ctx, writable_path("MEMORY.md"))
    named = ctx.workspace.spot(writable_path("MEMORY.md")).path
    with locked_store(ctx.workspace) as store:
        inbox, memory = bytes_of(ctx, INBOX), bytes_of(ctx, named)
        item = next((item for item in items_in(inbox) if item.entry.id == entry.id), None)
        if item is None:
            raise FactNotFound(f"{entry.id} waits no more: somebody decided about it just now.")
        # Whoever approves makes the change; the words stay those of who proposed them, unless they were edited.
        said_by, reason = item.entry.origin or Origin.OUTSIDE, f"approve {entry.id}"
        author = "" if said_by is ctx.origin else str(said_by)
        if words is not None:
            reason, author = f"{reason}, edited words of {said_by}", ""
            item = item._replace(entry=item.entry.replace(text=words, origin=ctx.origin))
        new, outcome = _with_entry(ctx, memory, item)
        most = ctx.settings.prompt.max_chars_per_file
        if new is not None and len(new.decode()) > most:
            raise TooLarge("MEMORY.md", len(new.decode()), most, "characters")
        # MEMORY.md last: whoever redoes an undone approval by its checkpoint brings the line back, not nothing.
        steps = [Step(INBOX, without_item(inbox, item), digest_of(inbox) or "")]
        steps += [Step(named, new, digest_of(memory) or "")] if new != memory else []
        changes = apply_group(store, steps, ctx.authorship(APPROVAL_TOOL, reason, author=author))
    ctx.notes_changed(changes)
    return Decided(item.entry, outcome, tuple(change.id for change in changes))


def _with_entry(ctx: Context, memory: bytes | None, item: Item) -> tuple[bytes | None, str]:
    """MEMORY.md with the entry, to the letter: as a line like those of dreams where it is one, else as a block."""
    entry = item.entry
    if leaves_open(entry.text):
        raise BadArgument(
            "id",
            f"{entry.id} opens a code block, a comment or HTML and does not close it; `holdfast inbox edit` mends that",
        )
    is_line = "\n" not in entry.text and blocks_in(entry.text)[0].kind is Kind.TEXT
    if not is_line or not SHORTEST <= len(entry.text) <= LONGEST or plain(entry.text) != entry.text:
        if is_line:
            text = f"- {entry.text}"
        else:
            text = entry.text
        return append_block(memory, text.encode()), "approved"
    claim = Claim(key_of(entry.text), entry.text, INBOX, item.first + 1)
    new, outcome = with_approved(ctx, memory, claim, entry.origin, entry.id, new_id(()))
    return new, "merged" if outcome == "merged" else "approved"
