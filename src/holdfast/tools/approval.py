"""What an agent or a program may change in MEMORY.md by itself.

MEMORY.md is in every prompt, as the owner's own words. A model that was talked into saving something, by a page or a
mail that it read, would have every later model believe it. So there is one rule:

What an agent or a program writes into MEMORY.md goes in at once only where it is, up to case and punctuation, a whole
sentence or bullet that the user typed in this or an earlier session; it removes whole claims only, and never steps back
over a change that the owner made, in whatever way; everything else waits in the inbox.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.history import history
from holdfast.chunks.statements import Statement, sentence_key, statements_in
from holdfast.errors import HoldfastError, NoteNotFound, NotPermitted
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, NotePath, changeable, twin_key
from holdfast.guard.text import decode
from holdfast.settings.values import PromptApproval
from holdfast.tools.rooms import Rooms

__all__ = ["NeedsApproval", "PromptGate", "asks_owner", "refuse_stepping_back"]

_MAX_CHANGES: Final = 10_000  # of one note, that are looked through for one of the owner's


class NeedsApproval(HoldfastError):
    """The owner must approve this before it may go into MEMORY.md; it is caught where the text is put aside."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Not in MEMORY.md yet: {why}.")
        self.why = why


def asks_owner(rooms: Rooms) -> bool:
    """Whether what is done here needs the owner's approval: not the owner's own doing, nor that of whom they named."""
    memory = rooms.settings.memory
    if rooms.workspace.gate.is_owner or memory.prompt_approval is PromptApproval.NEVER:
        return False
    names = {str(rooms.origin), f"{rooms.origin}/{rooms.client}"}
    return names.isdisjoint(memory.approved_origins)


class PromptGate:
    """Holds the changes of one note to the rule; a note that is neither MEMORY.md nor the inbox passes."""

    def __init__(self, rooms: Rooms, path: NotePath) -> None:
        self._rooms = rooms
        self._is_inbox = twin_key(path.text) == INBOX
        self.closed = (path.is_prompt_memory or self._is_inbox) and asks_owner(rooms)
        self._name = INBOX if self._is_inbox else "MEMORY.md"
        self._path = path
        self._typed: dict[str, bool] = {}

    def prepare(self, text: str) -> None:
        """Look up what the user typed of a text, before the lock is taken: it takes time."""
        if self.closed and not self._is_inbox:
            held = set(_statements(self._bytes()))
            self._look_up(statement for statement in statements_in(text) if statement not in held)

    def check(self, old: bytes | None, new: bytes | None) -> None:
        """Raise NeedsApproval where something new must be approved first, NotPermitted where that can't wait."""
        if not self.closed or old == new:
            return
        before, after = _statements(old), _statements(new)
        added, removed = Counter(after) - Counter(before), Counter(before) - Counter(after)
        if added:
            self._refuse_untyped(added)
        if self._rooms.settings.memory.prompt_approval is PromptApproval.ALWAYS:
            raise NotPermitted(
                f"{self._name} is not changed: memory.prompt_approval is always; ask the owner to do it."
            )
        if not all(statement.claim for statement in removed):
            raise NotPermitted(
                f"{self._name} is not changed: whole sentences and bullets can be taken out, but no heading, "
                "quotation, table or front matter. Ask the owner to do it."
            )
        if _without(before, removed) != _without(after, added):
            raise NotPermitted(f"{self._name} is not changed: what stays in it must stay in its order.")

    def _refuse_untyped(self, added: Collection[Statement]) -> None:
        if self._is_inbox:
            raise NotPermitted(f"{INBOX} is kept by Holdfast: save to MEMORY.md, and what must be approved waits here.")
        if self._rooms.settings.memory.prompt_approval is PromptApproval.ALWAYS:
            raise NeedsApproval("memory.prompt_approval is always")
        if any(not statement.claim or statement.nested for statement in added):
            raise NeedsApproval("it is more than single sentences and bullets")
        self._look_up(added)
        if not all(self._typed[sentence_key(statement.text)] for statement in added):
            raise NeedsApproval("the user did not type these sentences")
        _refuse_orders([statement.text for statement in added])

    def _look_up(self, statements: Iterable[Statement]) -> None:
        from holdfast.tools.user_sentences import typed_keys

        keys = {sentence_key(statement.text) for statement in statements} - self._typed.keys()
        typed = typed_keys(self._rooms, keys)
        self._typed |= {key: key in typed for key in keys}

    def _bytes(self) -> bytes | None:
        try:
            return self._rooms.workspace.read(self._rooms.workspace.spot(self._path).path).data
        except NoteNotFound:
            return None


def _refuse_orders(sentences: Sequence[str]) -> None:
    """Raise NeedsApproval where a sentence orders a model about: a tripwire, because the user may have pasted it."""
    from holdfast.dreaming.addressed import ordered
    from holdfast.facts.capture.refusing import orders_a_model

    for sentence in sentences:
        if orders_a_model(sentence):
            raise NeedsApproval("it reads like an order to a model")
        if why := ordered(sentence):
            raise NeedsApproval(why)


def _statements(data: bytes | None) -> list[Statement]:
    return statements_in(decode(data)) if data else []


def _without(statements: Sequence[Statement], gone: Counter[Statement]) -> list[Statement]:
    """The statements that are left; of copies the last ones go."""
    left = Counter(gone)
    kept: list[Statement] = []
    for statement in reversed(statements):
        if left[statement]:
            left[statement] -= 1
        else:
            kept.append(statement)
    return kept


def refuse_stepping_back(rooms: Rooms, meant: Sequence[Change]) -> None:
    """Raise NotPermitted where taking these changes back would also take back one that the owner made.

    An edit in an editor is in no journal: it shows as bytes that no change of ours made.
    """
    if not asks_owner(rooms):
        return
    for change in meant:
        path = changeable(change.path)
        if not path.is_prompt_memory and twin_key(path.text) != INBOX:
            continue
        if rooms.settings.memory.prompt_approval is PromptApproval.ALWAYS or _owner_changed(rooms, change):
            raise NotPermitted(
                f"{change.path} is not put back: the owner has changed it, then or since, and only they go back before "
                f"that: `holdfast restore {change.id}`."
            )


def _owner_changed(rooms: Rooms, first: Change) -> bool:
    """Whether the owner made a change of a note, or one since, through Holdfast or outside of it."""
    try:
        now = sha256(rooms.workspace.read(first.path).data).hexdigest()
    except NoteNotFound:
        now = None
    for change in history(rooms.workspace, path=first.path, limit=_MAX_CHANGES):
        if change.after != now or change.origin == Origin.USER:
            return True
        if change.id == first.id:
            return False
        now = change.before
    return True  # it was not found
