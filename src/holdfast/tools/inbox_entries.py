"""The inbox: what an agent or a program wants in MEMORY.md, and nobody approved yet.

It is a note, `memory/inbox.md`, of one bullet for each claim, with who brought it and when in a comment behind it. The
owner approves, edits or rejects them here, and may do all three in an editor. What dreaming proposes from other notes
waits beside them, in the place where it stands; and so do questions about facts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from holdfast.checkpoints.change import Change, change
from holdfast.dreaming.claim import key_of
from holdfast.errors import BadArgument, FactNotFound, NoteNotFound, NotPermitted, TooLarge
from holdfast.facts.ids import new_id
from holdfast.guard.argument_types import fitting
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, writable
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, decode
from holdfast.markdown.fact_mark import read
from holdfast.markdown.inbox_mark import InboxMark, read_inbox_mark, write_inbox_mark
from holdfast.markdown.lines import blank, split_lines
from holdfast.markdown.list_item import BULLET
from holdfast.markdown.statements import sentence_key, top_blocks
from holdfast.tools.approval import APPROVAL_TOOL
from holdfast.tools.rooms import Rooms
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.dreaming.report import Candidate

__all__ = [
    "Decided",
    "Inbox",
    "InboxEntry",
    "Item",
    "items_in",
    "put_aside",
    "waiting_count",
    "waits_because",
    "without_item",
]

_OWNERS: Final = frozenset((Origin.USER, Origin.API))
_HUSK: Final = re.compile(rb"[-*+]\s*<!-- waits [^<>]*-->")


class InboxEntry(Value):
    """A text that waits for the owner; `client` is the program that brought it, where it said its name."""

    id: str
    text: str
    origin: Origin | None
    client: str
    at: str
    """When it was saved, in ISO form; empty where nobody knows."""
    place: str
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = {name: getattr(self, name) for name in self.fields}
        return {**shown, "origin": None if self.origin is None else self.origin.value, "at": self.at or None}


class Decided(Value):
    """What the owner decided about an entry, and the checkpoints that undo it."""

    entry: InboxEntry
    outcome: str
    """approved, merged (MEMORY.md says so already), replaced (a question about a fact), edited or rejected."""
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {**self.entry.to_json(), "outcome": self.outcome, "checkpointIds": list(self.checkpoint_ids)}


class Inbox:
    """What waits for the owner of one agent's memory."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def list(self) -> list[InboxEntry]:
        """Everything that waits, the oldest first."""
        from holdfast.tools.dream_undo import proposals
        from holdfast.tools.inbox_question import question_entries

        own = [item.entry for item in items_in(_bytes(self._rooms))]
        asked = question_entries(self._rooms)
        return [*own, *asked, *(_proposed(candidate) for candidate in proposals(self._rooms))]

    @fitting
    def approve(self, id: str, *, text: str | None = None) -> Decided:  # noqa: A002 - what the owner calls it
        """Put an entry into MEMORY.md, with its true origin; it leaves the inbox. To a question it says yes.

        With `text` it goes in with these words instead, which are the owner's own, in the same change.
        """
        from holdfast.tools.inbox_approve import approve
        from holdfast.tools.inbox_question import answer, is_question, refuse_words

        self._refuse_others()
        if is_question(id):
            if text is not None:
                raise refuse_words(id)
            return answer(self._rooms, id, replaces=True)
        words = None if text is None else self._words(text)
        item = self._item(id)
        if item is None:
            from holdfast.tools.dream_undo import approve as approve_proposal

            made = approve_proposal(self._rooms, id, words)
            outcome = "merged" if made.candidate.outcome == "merged" else "approved"
            return Decided(_proposed(made.candidate), outcome, made.checkpoint_ids)
        return approve(self._rooms, item.entry, words)

    @fitting
    def edit(self, id: str, text: str) -> Decided:  # noqa: A002 - as above
        """Give an entry other words, which are the owner's own from then on; it goes on waiting."""
        from holdfast.tools.inbox_question import is_question, refuse_words

        rooms = self._rooms
        self._refuse_others()
        if is_question(id):
            raise refuse_words(id)
        words = self._words(text)
        item = self._item(id)
        if item is None:
            raise BadArgument("id", f"{id} waits in a note of its own: edit {self._proposal(id).place} instead")
        items = items_in(_bytes(rooms))
        # They are the words of whoever edits, under another id: what was approved under the old one was something else.
        mark = InboxMark(_new_id(items), rooms.origin, rooms.client, _moment(rooms))
        made = _replace(rooms, item, _written(words, mark), reason=f"edit {id}")
        entry = next(item.entry for item in items_in(_bytes(rooms)) if item.entry.id == mark.id)
        return Decided(entry, "edited", (made.id,))

    @fitting
    def reject(self, id: str) -> Decided:  # noqa: A002 - as above
        """Take an entry out of the inbox; the same is not put there again."""
        from holdfast.tools.dream_undo import decline, reject
        from holdfast.tools.inbox_question import answer, is_question

        self._refuse_others()
        if is_question(id):
            return answer(self._rooms, id, replaces=False)
        item = self._item(id)
        if item is None:
            return Decided(_proposed(reject(self._rooms, id).candidate), "rejected")
        made = _replace(self._rooms, item, [], reason=f"reject {id}")
        decline(self._rooms, rejection_key(item.entry.text), id, INBOX)
        return Decided(item.entry, "rejected", (made.id,))

    def _words(self, text: str) -> str:
        """The words that the owner gives an entry, without secrets."""
        from holdfast.tools.memory_save import without_secrets

        if not text.strip():
            raise BadArgument("text", "it is empty; reject the entry instead")
        words = without_secrets(admit(text, "text"), self._rooms.settings.memory.secrets).strip()
        if (size := len(words.encode())) > MAX_WRITE_BYTES:
            raise TooLarge("text", size, MAX_WRITE_BYTES)
        return words

    def _item(self, id: str) -> Item | None:  # noqa: A002 - as above
        """The bullet with this id; None where dreaming proposes it, and an error where nothing has it."""
        item = next((item for item in items_in(_bytes(self._rooms)) if item.entry.id == id), None)
        if item is None:
            self._proposal(id)
        return item

    def _proposal(self, id: str) -> Candidate:  # noqa: A002 - as above
        from holdfast.tools.dream_undo import proposals

        candidate = next((candidate for candidate in proposals(self._rooms) if candidate.id == id), None)
        if candidate is None:
            raise FactNotFound(f"Nothing with the id {id!r} waits to be approved. `holdfast inbox` shows what does.")
        return candidate

    def _refuse_others(self) -> None:
        if self._rooms.origin not in _OWNERS:
            raise NotPermitted("Only the owner decides about what waits; ask them to do it.")


class Item(NamedTuple):
    """An entry, and the lines of the note that it takes up."""

    entry: InboxEntry
    first: int
    end: int


def rejection_key(text: str) -> str:
    """What a rejected text is known by: its words, whatever their case and punctuation; no word of it is kept."""
    return key_of(sentence_key(text))


def _new_id(items: Sequence[Item]) -> str:
    return new_id({item.entry.id for item in items})


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


def put_aside(rooms: Rooms, text: str, tool: str) -> Change:
    """Add the claims of a text to the inbox, unless they wait there already or were rejected before."""
    from holdfast.tools.dream_undo import declined

    memory = (_memory(rooms) or b"").decode("utf-8", "replace")
    held = {_unlisted(block) for block in top_blocks(memory)}
    blocks = [block for block in map(_unlisted, top_blocks(text)) if block and block not in held]
    if not blocks:
        raise NotPermitted(
            "MEMORY.md is not changed: what stays in it must stay as it is and in its order; what is new comes last."
        )
    refused = declined(rooms, [rejection_key(block) for block in blocks])
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
            lines += _written(block, InboxMark(own_id, rooms.origin, rooms.client, _moment(rooms)))
        if not lines:
            return old
        above = (decode(old).rstrip("\n").replace("\r\n", "\n") + "\n") if old and old.strip() else ""
        new = (above + "\n".join(lines) + "\n").encode()
        if len(new) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {INBOX}", len(new), MAX_NOTE_BYTES)
        return new

    return change(
        rooms.workspace,
        writable(INBOX),
        edit,
        origin=rooms.origin,
        tool=tool,
        reason="meant for MEMORY.md; waits to be approved",
        clock=rooms.clock,
    )


def waits_because(why: str) -> str:
    """What whoever wrote a text is told of it where it was put aside."""
    return f"waits for approval: {why}; it is in {INBOX} until the owner approves it"


def waiting_count(rooms: Rooms) -> int:
    """How many entries wait for the owner."""
    return len(Inbox(rooms).list())


def without_item(data: bytes | None, item: Item, lines: Sequence[str] = ()) -> bytes | None:
    """The inbox with other lines in the place of an entry; None where nothing is left."""
    old = split_lines(decode(data)) if data else []
    new = "\n".join((*old[: item.first], *lines, *old[item.end :]))
    return new.encode() if new.strip() else None


def without_husks(data: bytes) -> bytes:
    """The inbox without bullets of which only the mark is left."""
    return b"\n".join(line for line in data.split(b"\n") if not _HUSK.fullmatch(line.strip()))


def _replace(rooms: Rooms, item: Item, lines: Sequence[str], *, reason: str) -> Change:
    def edit(old: bytes | None) -> bytes | None:
        now = next((other for other in items_in(old) if other.entry.id == item.entry.id), None)
        if now is None:
            raise FactNotFound(f"{item.entry.id} waits no more: somebody decided about it just now.")
        return without_item(old, now, lines)

    made = change(
        rooms.workspace,
        writable(INBOX),
        edit,
        origin=rooms.origin,
        tool=APPROVAL_TOOL,
        reason=reason,
        clock=rooms.clock,
    )
    rooms.note_changed(made)
    return made


def _written(text: str, mark: InboxMark) -> list[str]:
    """The lines of an entry: a bullet with the mark behind its first line, and the rest indented below it."""
    first, *below = text.split("\n")
    return [write_inbox_mark(f"- {first}", mark), *(f"  {line}" if line.strip() else "" for line in below)]


def _unlisted(block: str) -> str:
    """A block without the marker of an item and the indentation that goes with it, and without forged marks."""
    lines = block.split("\n")
    marker = BULLET.match(lines[0])
    if marker is not None:
        lines = [lines[0][marker.end() :], *(line.removeprefix("  ") for line in lines[1:])]
    return "\n".join(_unmarked(line).rstrip() for line in lines).strip()


def _unmarked(line: str) -> str:
    """A line without the marks of facts in it, which only Holdfast writes."""
    while (found := read(line)).mark is not None:
        line = found.words
    return line


def _proposed(candidate: Candidate) -> InboxEntry:
    return InboxEntry(
        candidate.id, candidate.text, candidate.origin, "dreaming", "", candidate.place, candidate.because
    )


def _moment(rooms: Rooms) -> str:
    """The time in ISO form; empty where the clock has gone wild, which must not keep anything from waiting."""
    try:
        return datetime.fromtimestamp(rooms.clock.now(), UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _bytes(rooms: Rooms, path: str = INBOX) -> bytes | None:
    try:
        return rooms.workspace.read(path).data
    except NoteNotFound:
        return None


def _memory(rooms: Rooms) -> bytes | None:
    return _bytes(rooms, rooms.workspace.spot(writable("MEMORY.md")).path)
