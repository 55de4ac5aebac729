"""What an agent writes to MEMORY.md: at once where the user said so, else only after the owner approved it.

MEMORY.md is in every prompt, as the owner's own words. A model that was talked into saving something, by a page or a
mail that it read, would have every later model believe it. So what no message of the user says waits in an inbox note,
where it can be found like any other note, with its origin, and `holdfast dream approve` lets it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from holdfast.checkpoints.bringing import lines_of
from holdfast.checkpoints.change import change
from holdfast.checkpoints.history import before_bytes, history
from holdfast.errors import NoteNotFound, NotPermitted, TooLarge
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, writable
from holdfast.guard.text import MAX_NOTE_BYTES, decode
from holdfast.settings.values import PromptApproval
from holdfast.tools.rooms import Rooms

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change

__all__ = ["INBOX", "put_aside", "refuse_stepping_back", "unapproved", "waiting", "waiting_lines"]

INBOX: Final = "memory/inbox.md"
"""Where lines wait that an agent wanted in MEMORY.md."""

_OWNERS: Final = frozenset((Origin.USER, Origin.API))
_DAYS: Final = 30  # of conversations in which the user may have said it


def unapproved(rooms: Rooms, path: NotePath, text: str, *, old: bytes | None) -> str:
    """Why a text must be approved before it goes into a note; empty where it may go there at once."""
    if not path.is_prompt_memory or not _asks(rooms):
        return ""
    if rooms.settings.memory.prompt_approval is PromptApproval.ALWAYS:
        return "what an agent writes there waits for the owner (memory.prompt_approval)"
    from holdfast.dreaming.addressed import ordered
    from holdfast.dreaming.claim import claims_in
    from holdfast.dreaming.gates import grounded
    from holdfast.facts.capture.refusing import orders_a_model
    from holdfast.tools.dream_reading import said_messages
    from holdfast.tools.facts_book import today

    if orders_a_model(text):
        return "it reads like an order to a model"
    known = {claim.key for claim in claims_in(decode(old), path.text)} if old else set()
    claims = [claim for claim in claims_in(text, path.text) if claim.key not in known]
    plain = {word for claim in claims for word in claim.text.split()}
    # Headings, tables and quotations are no claims; a model reads them all the same.
    beside = [line for line in text.splitlines() if line.strip(" #*_->|") and not plain & set(line.split())]
    messages = said_messages(rooms, today(rooms), _DAYS)
    if not all(grounded(one, messages) for one in (*(claim.text for claim in claims), *beside)):
        return "no message of the user says so"
    # The message may have been pasted.
    return next((why for claim in claims if (why := ordered(claim.text))), "")


def waiting(why: str) -> str:
    """What whoever wrote a text is told of it where it was put aside."""
    return f"not in MEMORY.md yet: {why}; it waits in {INBOX} until the owner approves it (holdfast dream approve)"


def put_aside(rooms: Rooms, text: str, tool: str) -> Change:
    """Add a text to the inbox, unless it stands there already, and have its lines wait for the owner."""
    from holdfast.dreaming.claim import claims_in
    from holdfast.index.sqlite.signals import Signals, Verdict, signals_beside
    from holdfast.tools.memory_save import joined, whole, with_true_marks

    data = text.encode("utf-8")

    def edit(old: bytes | None) -> bytes:
        if old is not None and not set(lines_of(data)) - set(lines_of(old)):
            return old  # a model that was told that it waits may try again
        new = with_true_marks(rooms, INBOX, old, joined(old, data) if old else whole(old, data))
        if len(new) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {INBOX}", len(new), MAX_NOTE_BYTES)
        return new

    made = change(
        rooms.workspace,
        writable(INBOX),
        edit,
        origin=rooms.origin,
        tool=tool,
        reason="meant for MEMORY.md; waits to be approved",
        clock=rooms.clock,
    )
    signals = Signals(signals_beside(rooms.index_path))
    decided = signals.verdicts()  # what the owner has rejected is not asked about again
    signals.decide(
        [
            Verdict(claim.key, "proposed", f"d{claim.key[:7]}", INBOX, "", rooms.clock.now())
            for claim in claims_in(text, INBOX)
            if claim.key not in decided
        ]
    )
    return made


def waiting_lines(rooms: Rooms) -> int:
    """How many lines wait for the owner, as their notes are now; nothing is changed by the look."""
    from holdfast.index.sqlite.signals import Signals, signals_beside

    held = [one for one in Signals(signals_beside(rooms.index_path)).verdicts().values() if one.verdict == "proposed"]
    if not held:
        return 0
    from holdfast.dreaming.consolidated import lines_in
    from holdfast.tools.dream_reading import Reading
    from holdfast.tools.dream_writing import memory_bytes
    from holdfast.tools.facts_book import today

    reading, day = Reading(rooms), today(rooms)
    there = {line.claim.key for line in lines_in(memory_bytes(rooms))}
    left = [one for one in held if one.claim not in there]
    return sum(reading.standing(one.claim, (one.path,), day) is not None for one in left)


def refuse_stepping_back(rooms: Rooms, meant: Change) -> None:
    """Raise NotPermitted where an agent would bring back what the owner has taken out of MEMORY.md."""
    if not _asks(rooms) or not writable(meant.path).is_prompt_memory:
        return
    later = (one for one in history(rooms.workspace, path=meant.path, limit=1000) if one.seq >= meant.seq)
    if _brings(rooms, meant) and any(one.origin in _OWNERS for one in later):
        raise NotPermitted(
            f"The owner has changed {meant.path} since; only they go back before that: `holdfast restore {meant.id}`."
        )


def _brings(rooms: Rooms, meant: Change) -> bool:
    """Whether the note as it was before a change has lines that it has no more."""
    try:
        now = rooms.workspace.read(meant.path).data
    except NoteNotFound:
        now = b""
    return bool(set(lines_of(before_bytes(rooms.workspace, meant) or b"")) - set(lines_of(now)) - {""})


def _asks(rooms: Rooms) -> bool:
    """Whether the owner is to be asked at all.

    A program that hands out the tools without a session answers for what its agent does: nobody knows here what was
    said. Those of other programs are never believed.
    """
    rule = rooms.settings.memory.prompt_approval
    if rule is PromptApproval.NEVER or rooms.origin in _OWNERS:
        return False
    return rule is PromptApproval.ALWAYS or rooms.origin is not Origin.AGENT or rooms.session is not None
