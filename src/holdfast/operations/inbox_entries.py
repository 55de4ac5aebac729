"""The inbox: what an agent or a program wants in MEMORY.md, and nobody approved yet.

It is a note, `memory/inbox.md`, of one bullet for each claim, with who brought it and when in a comment behind it. The
owner approves, edits or rejects them here, and may do all three in an editor. What dreaming proposes from other notes
waits beside them, in the place where it stands; and so do questions about facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from holdfast.approval.inbox_note import InboxEntry, Item, items_in, rejection_key, without_item
from holdfast.approval.prompt_gate import APPROVAL_TOOL
from holdfast.checkpoints.change import Change, change_note
from holdfast.context.context import Context
from holdfast.context.memory_backend import MemoryPart
from holdfast.errors import BadArgument, FactNotFound, NoteNotFound, NotPermitted, TooLarge
from holdfast.facts.ids import new_id
from holdfast.guard.operation import Method
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, decode
from holdfast.markdown.fact_mark import read
from holdfast.markdown.inbox_mark import InboxMark, write_inbox_mark
from holdfast.markdown.list_item import BULLET
from holdfast.markdown.statements import sentence_key, top_blocks
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.dreaming.report import Candidate

__all__ = [
    "Decided",
    "Inbox",
    "put_aside",
    "waiting_count",
    "waiting_reason",
    "waits_because",
]

_MEANT: Final = "meant for MEMORY.md; waits to be approved"
_OWNERS: Final = frozenset((Origin.USER, Origin.API))


class Decided(Value):
    """A decision: what the owner decided about an entry, and the checkpoints that undo it."""

    entry: InboxEntry
    outcome: str
    """approved, merged (MEMORY.md says so already), replaced (a question about a fact), edited or rejected."""
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {**self.entry.to_json(), "outcome": self.outcome, "checkpointIds": list(self.checkpoint_ids)}


_EntryId = Annotated[str, "The id of an entry that waits."]


class Inbox(MemoryPart):
    """The entries that wait for the owner of one agent's memory."""

    prefix = "inbox."

    @Method
    def list(self) -> list[InboxEntry]:
        """Everything that waits, the oldest first."""
        from holdfast.dreaming.dream_undo import proposals
        from holdfast.operations.inbox_question import question_entries

        own = [item.entry for item in items_in(_bytes(self.ctx))]
        asked = question_entries(self.ctx)
        return [*own, *asked, *(_entry_of(candidate) for candidate in proposals(self.ctx))]

    @Method
    def approve(
        self,
        id: _EntryId,  # noqa: A002 - what the owner calls it
        *,
        text: Annotated[str | None, "Other words for it, which are yours from then on."] = None,
    ) -> Decided:
        """Put an entry into MEMORY.md, with its true origin; it leaves the inbox. To a question it says yes.

        With `text` it goes in with these words instead, which are the owner's own, in the same change.
        """
        from holdfast.operations.inbox_approve import approve
        from holdfast.operations.inbox_question import answer, is_question, refuse_words

        self._refuse_others()
        if is_question(id):
            if text is not None:
                raise refuse_words(id)
            return answer(self.ctx, id, replaces=True)
        words = None
        if text is not None:
            words = self._words(text)
        item = self._item(id)
        if item is None:
            from holdfast.dreaming.dream_undo import approve as approve_proposal

            approved = approve_proposal(self.ctx, id, words)
            if approved.candidate.outcome == "merged":
                outcome = "merged"
            else:
                outcome = "approved"
            return Decided(_entry_of(approved.candidate), outcome, approved.checkpoint_ids)
        return approve(self.ctx, item.entry, words)

    @Method
    def edit(
        self,
        id: _EntryId,  # noqa: A002 - as above
        text: Annotated[str, "The words it is to have."],
    ) -> Decided:
        """Give an entry other words, which are the owner's own from then on; it goes on waiting."""
        from holdfast.operations.inbox_question import is_question, refuse_words

        ctx = self.ctx
        self._refuse_others()
        if is_question(id):
            raise refuse_words(id)
        words = self._words(text)
        item = self._item(id)
        if item is None:
            raise BadArgument("id", f"{id} waits in a note of its own: edit {self._proposal(id).place} instead")
        items = items_in(_bytes(ctx))
        # They are the words of whoever edits, under another id: what was approved under the old one was something else.
        mark = InboxMark(_new_id(items), ctx.origin, ctx.client, _moment(ctx))
        checkpoint = _replace(ctx, item, _entry_lines(words, mark), reason=f"edit {id}")
        entry = next(item.entry for item in items_in(_bytes(ctx)) if item.entry.id == mark.id)
        return Decided(entry, "edited", (checkpoint.id,))

    @Method
    def reject(self, id: _EntryId) -> Decided:  # noqa: A002 - as above
        """Take an entry out of the inbox; the same is not put there again."""
        from holdfast.dreaming.dream_undo import decline, reject
        from holdfast.operations.inbox_question import answer, is_question

        self._refuse_others()
        if is_question(id):
            return answer(self.ctx, id, replaces=False)
        item = self._item(id)
        if item is None:
            return Decided(_entry_of(reject(self.ctx, id).candidate), "rejected")
        checkpoint = _replace(self.ctx, item, [], reason=f"reject {id}")
        decline(self.ctx, rejection_key(item.entry.text), id, INBOX)
        return Decided(item.entry, "rejected", (checkpoint.id,))

    def _words(self, text: str) -> str:
        """The words that the owner gives an entry, without secrets."""
        from holdfast.operations.memory_save import without_secrets

        if not text.strip():
            raise BadArgument("text", "it is empty; reject the entry instead")
        words = without_secrets(admit(text, "text"), self.ctx.settings.memory.secrets).strip()
        if (size := len(words.encode())) > MAX_WRITE_BYTES:
            raise TooLarge("text", size, MAX_WRITE_BYTES)
        return words

    def _item(self, id: str) -> Item | None:  # noqa: A002 - as above
        """The bullet with this id; None where dreaming proposes it, and an error where nothing has it."""
        item = next((item for item in items_in(_bytes(self.ctx)) if item.entry.id == id), None)
        if item is None:
            self._proposal(id)
        return item

    def _proposal(self, id: str) -> Candidate:  # noqa: A002 - as above
        from holdfast.dreaming.dream_undo import proposals

        candidate = next((candidate for candidate in proposals(self.ctx) if candidate.id == id), None)
        if candidate is None:
            raise FactNotFound(f"Nothing with the id {id!r} waits to be approved. `holdfast inbox` shows what does.")
        return candidate

    def _refuse_others(self) -> None:
        if self.ctx.origin not in _OWNERS:
            raise NotPermitted("Only the owner decides about what waits; ask them to do it.")


def _new_id(items: Sequence[Item]) -> str:
    return new_id({item.entry.id for item in items})


def put_aside(ctx: Context, text: str, why: str, tool: str) -> Change:
    """Add the claims of a text to the inbox, unless they wait there already or were rejected before."""
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

    def edit(old: bytes | None) -> bytes | None:
        items = items_in(old)
        held = {sentence_key(item.entry.text) for item in items}
        lines: list[str] = []
        ids = {item.entry.id for item in items}
        for block in wanted:
            if sentence_key(block) in held:
                continue  # a model that was told that it waits may try again
            own_id = new_id(ids)
            ids.add(own_id)
            lines += _entry_lines(block, InboxMark(own_id, ctx.origin, ctx.client, _moment(ctx)))
        if not lines:
            return old
        if old and old.strip():
            above = decode(old).rstrip("\n").replace("\r\n", "\n") + "\n"
        else:
            above = ""
        new = (above + "\n".join(lines) + "\n").encode()
        if len(new) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {INBOX}", len(new), MAX_NOTE_BYTES)
        return new

    return change_note(
        ctx.workspace,
        writable_path(INBOX),
        edit,
        origin=ctx.origin,
        tool=tool,
        reason=f"{_MEANT}: {why}",
        clock=ctx.clock,
    )


def waiting_reason(change: Change) -> str | None:
    """Return why the text of a change had to wait; None for a change that put nothing aside."""
    meant, _, why = change.reason.partition(": ")
    if change.path == INBOX and meant == _MEANT:
        return why
    return None


def waits_because(reason: str) -> str:
    """Say to whoever wrote a text that it was put aside."""
    return f"waits for approval: {reason}; it is in {INBOX} until the owner approves it"


def waiting_count(ctx: Context) -> int:
    """Say how many entries wait for the owner."""
    return len(Inbox(ctx).list())


def _replace(ctx: Context, item: Item, lines: Sequence[str], *, reason: str) -> Change:
    def edit(old: bytes | None) -> bytes | None:
        now = next((other for other in items_in(old) if other.entry.id == item.entry.id), None)
        if now is None:
            raise FactNotFound(f"{item.entry.id} waits no more: somebody decided about it just now.")
        return without_item(old, now, lines)

    checkpoint = change_note(
        ctx.workspace,
        writable_path(INBOX),
        edit,
        origin=ctx.origin,
        tool=APPROVAL_TOOL,
        reason=reason,
        clock=ctx.clock,
    )
    ctx.note_changed(checkpoint)
    return checkpoint


def _entry_lines(text: str, mark: InboxMark) -> list[str]:
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


def _entry_of(candidate: Candidate) -> InboxEntry:
    return InboxEntry(
        candidate.id, candidate.text, candidate.origin, "dreaming", "", candidate.place, candidate.because
    )


def _moment(ctx: Context) -> str:
    """The time in ISO form; empty where the clock has gone wild, which must not keep anything from waiting."""
    try:
        return datetime.fromtimestamp(ctx.clock.now(), UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _bytes(ctx: Context, path: str = INBOX) -> bytes | None:
    try:
        return ctx.workspace.read(path).data
    except NoteNotFound:
        return None


def _memory(ctx: Context) -> bytes | None:
    return _bytes(ctx, ctx.workspace.spot(writable_path("MEMORY.md")).path)
