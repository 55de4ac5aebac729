"""The gate before MEMORY.md: what an agent or a program may change there without the owner.

MEMORY.md is in every prompt, as the owner's own words. A model that was talked into saving something, by a page or a
mail that it read, would have every later model believe it. So there is one rule:

What an agent or a program writes into MEMORY.md goes in at once only where it is, up to case and punctuation, a whole
sentence or bullet that the user typed in this or an earlier session; it removes whole claims only, and never steps back
over a change that the owner made, in whatever way; everything else waits in the inbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, history
from holdfast.context.context import Context
from holdfast.context.visibility_rules import is_private
from holdfast.errors import BadText, CheckpointDamaged, HoldfastError, NoteNotFound, NotPermitted
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, NotePath, changeable_path, twin_key
from holdfast.guard.text_rules import decode
from holdfast.markdown.block_diff import BlockDifference, compare_blocks, is_plain_claim
from holdfast.markdown.statements import Block, blocks_in, leaves_open, sentence_key, strict_sentences
from holdfast.settings.memory_settings import PromptApproval

__all__ = ["APPROVAL_TOOL", "NeedsApproval", "PromptGate", "asks_owner", "refuse_moving", "refuse_stepping_back"]

APPROVAL_TOOL: Final = "inbox"
"""The tool of changes by which the owner decides about the inbox, whosever words they bring."""

_MAX_CHANGES: Final = 10_000  # of one note, that are looked through for one of the owner's
_MAX_LOOKED_AT: Final = 200  # changes of MEMORY.md whose bytes are compared: some 100 ms


class NeedsApproval(HoldfastError):
    """The owner must approve this before it may go into MEMORY.md; it is caught where the text is put aside."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Not in MEMORY.md yet: {why}.")
        self.why = why


def asks_owner(ctx: Context) -> bool:
    """Say whether what is done here needs the owner's approval.

    Not the owner's own doing, nor that of whom they named.
    """
    memory = ctx.settings.memory
    if ctx.workspace.gate.is_owner or memory.prompt_approval is PromptApproval.NEVER:
        return False
    names = {str(ctx.origin), f"{ctx.origin}/{ctx.client}"}
    return names.isdisjoint(memory.approved_origins)


class PromptGate:
    """Holds the changes of one note to the rule; a note that is neither MEMORY.md nor the inbox passes."""

    def __init__(self, ctx: Context, path: NotePath) -> None:
        self._ctx = ctx
        self._is_inbox = twin_key(path.text) == INBOX
        self.closed = (path.is_prompt_memory or self._is_inbox) and asks_owner(ctx)
        if self._is_inbox:
            self._name = INBOX
        else:
            self._name = "MEMORY.md"
        self._path = path
        self._typed: dict[str, bool] = {}

    def prepare(self, text: str) -> None:
        """Look up what the user typed of a text, before the lock is taken: it takes time."""
        if self.closed and not self._is_inbox:
            with suppress(NeedsApproval):  # what can't be read is told when it is to be changed
                held = {block.raw for block in _blocks(self._bytes())}
                self._look_up(block for block in blocks_in(text) if block.raw not in held)

    def check(self, old: bytes | None, new: bytes | None) -> None:
        """Raise NeedsApproval where something new must be approved first, NotPermitted where that can't wait."""
        if not self.closed or old == new:
            return
        if self._is_inbox:
            raise NotPermitted(
                f"{INBOX} is the owner's: save to MEMORY.md, and what must be approved waits here until the owner "
                "decides about it."
            )
        difference = compare_blocks(_blocks(old), _blocks(new))
        if difference.added:
            if old and leaves_open(decode(old)):
                raise NeedsApproval("something in MEMORY.md is opened and not closed, and would swallow it")
            self._refuse_untyped(difference)
        if self._ctx.settings.memory.prompt_approval is PromptApproval.ALWAYS:
            raise NotPermitted(
                f"{self._name} is not changed: memory.prompt_approval is always; ask the owner to do it."
            )
        if difference.fault:
            raise NotPermitted(f"{self._name} is not changed: {difference.fault}. Ask the owner to do it.")

    def _refuse_untyped(self, difference: BlockDifference) -> None:
        added = difference.added
        if self._ctx.settings.memory.prompt_approval is PromptApproval.ALWAYS:
            raise NeedsApproval("memory.prompt_approval is always")
        if not all(map(is_plain_claim, added)) or not difference.stands_apart:
            raise NeedsApproval("it is more than sentences and bullets that stand by themselves")
        self._look_up(added)
        keys = {key for block in added for key in _keys(block)}
        if not all(self._typed[key] for key in keys):
            raise NeedsApproval("the user did not type these sentences")
        if keys & removed_by_owner(self._ctx, self._ctx.workspace.spot(self._path).path):
            raise NeedsApproval("the owner took it out of MEMORY.md before")
        _refuse_orders([block.text for block in added])

    def _look_up(self, blocks: Iterable[Block]) -> None:
        from holdfast.approval.user_sentences import typed_keys

        keys = {key for block in blocks for key in _keys(block)} - self._typed.keys()
        typed = typed_keys(self._ctx, keys)
        self._typed |= {key: key in typed for key in keys}

    def _bytes(self) -> bytes | None:
        try:
            return self._ctx.workspace.read(self._ctx.workspace.spot(self._path).path).data
        except NoteNotFound:
            return None


def _refuse_orders(sentences: Sequence[str]) -> None:
    """Raise NeedsApproval where a sentence orders a model about: a tripwire, because the user may have pasted it."""
    from holdfast.approval.review_reasons import order_reason
    from holdfast.facts.capture.capture_refusal import orders_a_model

    for sentence in sentences:
        if orders_a_model(sentence):
            raise NeedsApproval("it reads like an order to a model")
        if reason := order_reason(sentence):
            raise NeedsApproval(reason)


def _blocks(data: bytes | None) -> list[Block]:
    try:
        return blocks_in(decode(data)) if data else []
    except BadText as error:
        raise NeedsApproval(f"what stands there can't be read ({error.why})") from error


def _keys(block: Block) -> list[str]:
    return [sentence_key(sentence) for sentence in strict_sentences(block.text)]


def removed_by_owner(ctx: Context, path: str) -> frozenset[str]:
    """The sentences that the owner took out of a note and that are not in it now, through Holdfast or outside of it."""
    gone: set[str] = set()
    try:
        after: bytes | None = ctx.workspace.read(path).data
    except NoteNotFound:
        after = None
    now = {key for block in _blocks(after) for key in _keys(block)}
    for change in history(ctx.workspace, path=path, limit=_MAX_LOOKED_AT):
        with suppress(CheckpointDamaged):
            left_by_change = after_bytes(ctx.workspace, change)
            if left_by_change != after:  # somebody edited it since, outside of Holdfast
                gone |= _lost_sentences(left_by_change, after)
            after = before_bytes(ctx.workspace, change)
            if change.origin == Origin.USER:
                gone |= _lost_sentences(after, left_by_change)
    return frozenset(gone - now)


def _lost_sentences(before: bytes | None, after: bytes | None) -> set[str]:
    kept = {key for block in _blocks(after) for key in _keys(block)}
    return {key for block in _blocks(before) for key in _keys(block)} - kept


def refuse_moving(ctx: Context, path: NotePath) -> None:
    """Raise NotPermitted where somebody else than the owner would move or purge what only direct sessions see."""
    if asks_owner(ctx) and is_private(path.text):
        raise NotPermitted(f"{path.text} is private: only the owner renames it, or drops its checkpoints.")


def refuse_stepping_back(ctx: Context, meant: Sequence[Change]) -> None:
    """Raise NotPermitted where taking these changes back would also take back one that the owner made.

    An edit in an editor is in no journal: it shows as bytes that no change of ours made.
    """
    if not asks_owner(ctx):
        return
    for change in meant:
        path = changeable_path(change.path)
        is_inbox = twin_key(path.text) == INBOX
        if not path.is_prompt_memory and not is_inbox:
            continue
        if is_inbox or ctx.settings.memory.prompt_approval is PromptApproval.ALWAYS:
            raise NotPermitted(f"{change.path} is the owner's: only they put it back; ask them to do it.")
        if _owner_changed(ctx, change):
            raise NotPermitted(
                f"{change.path} is not put back: the owner has changed it, then or since, and only they go back before "
                "that; ask them to do it."
            )


def _owner_changed(ctx: Context, first: Change) -> bool:
    """Say whether the owner made a change of a note, or one since, through Holdfast or outside of it."""
    try:
        now = sha256(ctx.workspace.read(first.path).data).hexdigest()
    except NoteNotFound:
        now = None
    for change in history(ctx.workspace, path=first.path, limit=_MAX_CHANGES):
        if change.after != now or change.origin == Origin.USER or change.tool == APPROVAL_TOOL:
            return True
        if change.id == first.id:
            return False
        now = change.before
    return True  # it was not found
