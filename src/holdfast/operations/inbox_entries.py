"""The inbox: what an agent or a program wants in MEMORY.md, and nobody approved yet.

It is a note, `memory/inbox.md`, of one bullet for each claim, with who brought it and when in a comment behind it. The
owner approves, edits or rejects them here, and may do all three in an editor. What dreaming proposes from other notes
waits beside them, in the place where it stands; and so do questions about facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from holdfast.approval.inbox_note import InboxEntry, Item, items_in, rejection_key, without_item
from holdfast.approval.prompt_gate import APPROVAL_TOOL
from holdfast.checkpoints.change import digest_of
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.memory_backend import MemoryPart
from holdfast.errors import BadArgument, FactNotFound, NotPermitted, TooLarge
from holdfast.facts.ids import new_id
from holdfast.guard.operation import declare
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.guard.text_rules import MAX_WRITE_BYTES, admit, without_secrets
from holdfast.named_tuple import NamedTuple
from holdfast.operations.inbox_decision import Decided
from holdfast.operations.inbox_deposit import entry_lines, entry_mark, read_bytes

if TYPE_CHECKING:
    from holdfast.dreaming.report import Candidate

__all__ = ["Inbox", "waiting_count"]

_OWNERS: Final = frozenset((Origin.USER, Origin.API))


_EntryId = Annotated[str, "The id of an entry that waits."]


class Inbox(MemoryPart):
    """The entries that wait for the owner of one agent's memory."""

    prefix = "inbox."

    @declare(reads=True)
    def list(self) -> list[InboxEntry]:
        """Everything that waits, the oldest first."""
        from holdfast.dreaming.dream_undo import proposals
        from holdfast.operations.inbox_question import question_entries

        own = [item.entry for item in items_in(read_bytes(self.ctx))]
        asked = question_entries(self.ctx)
        return [*own, *asked, *(_entry_of(candidate) for candidate in proposals(self.ctx))]

    @declare(for_owner=True)
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

    @declare(for_owner=True)
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
        items = items_in(read_bytes(ctx))
        # They are the words of whoever edits, under another id: what was approved under the old one was something else.
        mark = entry_mark(ctx, new_id({item.entry.id for item in items}))
        made = _replace(ctx, item, entry_lines(words, mark), reason=f"edit {id}")
        entry = next(item.entry for item in items_in(made.data) if item.entry.id == mark.id)
        return Decided(entry, "edited", (made.checkpoint,))

    @declare(for_owner=True)
    def reject(self, id: _EntryId) -> Decided:  # noqa: A002 - as above
        """Take an entry out of the inbox; the same is not put there again."""
        from holdfast.dreaming.dream_undo import reject
        from holdfast.operations.inbox_question import answer, is_question

        self._refuse_others()
        if is_question(id):
            return answer(self.ctx, id, replaces=False)
        item = self._item(id)
        if item is None:
            return Decided(_entry_of(reject(self.ctx, id).candidate), "rejected")
        made = _replace(self.ctx, item, [], reason=f"reject {id}", is_declined=True)
        return Decided(made.entry, "rejected", (made.checkpoint,))

    def _words(self, text: str) -> str:
        """The words that the owner gives an entry, without secrets."""
        if not text.strip():
            raise BadArgument("text", "it is empty; reject the entry instead")
        words = without_secrets(admit(text, "text"), self.ctx.settings.memory.secrets).strip()
        if (size := len(words.encode())) > MAX_WRITE_BYTES:
            raise TooLarge("text", size, MAX_WRITE_BYTES)
        return words

    def _item(self, id: str) -> Item | None:  # noqa: A002 - as above
        """The bullet with this id; None where dreaming proposes it, and an error where nothing has it."""
        item = next((item for item in items_in(read_bytes(self.ctx)) if item.entry.id == id), None)
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


def waiting_count(ctx: Context) -> int:
    """Return how many entries wait for the owner."""
    return len(Inbox(ctx).list())


class _Replacement(NamedTuple):
    """An entry as it was when other lines took its place, the inbox with these, and the checkpoint."""

    entry: InboxEntry
    data: bytes | None
    checkpoint: str


def _replace(ctx: Context, item: Item, lines: Sequence[str], *, reason: str, is_declined: bool = False) -> _Replacement:
    from holdfast.dreaming.dream_undo import decline

    with locked_store(ctx.workspace) as store:
        old = read_bytes(ctx)
        now = next((other for other in items_in(old) if other.entry.id == item.entry.id), None)
        if now is None:
            raise FactNotFound(f"{item.entry.id} waits no more: somebody decided about it just now.")
        new = without_item(old, now, lines)
        step = Step(INBOX, new, digest_of(old) or "")
        (change,) = apply_group(store, [step], ctx.authorship(APPROVAL_TOOL, reason))
        if is_declined:  # under the lock: who saves the same just now must see either the entry or this
            decline(ctx, rejection_key(now.entry.text), now.entry.id, INBOX)
    ctx.note_changed(change)
    return _Replacement(now.entry, new, change.id)


def _entry_of(candidate: Candidate) -> InboxEntry:
    return InboxEntry(
        candidate.id, candidate.text, candidate.origin, "dreaming", "", candidate.place, candidate.because
    )
