"""The end of a conversation → a note of it in memory/sessions/, and older ones that make room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from holdfast.checkpoints.change import change
from holdfast.errors import HoldfastError, NoteChangedOutside, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.guard.paths import EXPORTS, NotePath, changeable, readable
from holdfast.llm.chat_model import Role
from holdfast.notes.partial_read import read_part
from holdfast.sessions.sanitizer import words_of
from holdfast.sessions.session_note import (
    STAMP_BYTES,
    Exported,
    Rendered,
    Stamp,
    Turn,
    expired,
    moment_of,
    name_of,
    render,
    session_hash,
    stamp_of,
)
from holdfast.sessions.transcript_entry import Entry
from holdfast.tools.rooms import Rooms

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.tools.conversation import Session

__all__ = [
    "drop_session",
    "exclude_session",
    "export_session",
    "exports_of",
    "may_export",
    "open_texts",
    "remove_exports",
    "stamps_of",
    "turns_of",
]

_TOOL = "session_export"
_TOO_OLD = "older than the settings keep"
_TRIES = 5  # each lost race is an export that another process has just written


def export_session(session: Session) -> Exported | None:
    """Write a conversation down; None where nobody said anything, or where the session is to be left out.

    An earlier export of the same conversation is replaced, unless its owner has edited it: then that stays, and
    the new one stands beside it.
    """
    if session.excluded:
        return None
    entries = session.messages()
    note = render(
        turns_of(entries),
        agent=session.agent,
        key=session.key,
        began=entries[0].id if entries else "",
        zone=zone_of(session.rooms),
    )
    if note is None:
        return None
    for attempt in range(_TRIES):
        try:
            done = _written(session.rooms, note)
            break
        except NoteChangedOutside:  # between our look and the lock; look again
            if attempt == _TRIES - 1:
                raise
    return _cleared(session.rooms, done)


def may_export(rooms: Rooms) -> bool:
    """Whether the caller may write exports at all."""
    return rooms.workspace.gate.allows(NotePath(EXPORTS))


def turns_of(entries: Sequence[Entry]) -> list[Turn]:
    """What was said, as it may be kept.

    What the model of another program says between two words of the user is one answer, however many tools it called
    on the way: that program's record has a message for each part.
    """
    turns: list[Turn] = []
    is_part = False
    for entry in entries:
        words = words_of(entry.role, entry.text, entry.tags)
        if not words:
            continue
        if is_part and entry.source_id and turns[-1].role is entry.role:
            turns[-1] = turns[-1]._replace(text=f"{turns[-1].text}\n\n{words}")
        else:
            turns.append(Turn(entry.at, entry.role, words))
        is_part = bool(entry.source_id) and entry.role is Role.ASSISTANT
    return turns


def open_texts(rooms: Rooms) -> dict[str, bytes]:
    """What was said in each session that may be found, as the Markdown of an export, by the name of a file."""
    from holdfast.tools.conversation import Session
    from holdfast.tools.session_list import session_list

    agent, days = rooms.workspace.agent, rooms.settings.qmd_sessions.retention_days
    oldest = 0.0 if days is None else rooms.clock.now() - days * 86_400
    found: dict[str, bytes] = {}
    for one in session_list(rooms):
        if one.excluded or one.last < oldest or not one.bytes or rooms.state_store.hidden(agent, one.key):
            continue
        with Session(rooms, one.key) as session:
            entries = session.messages()
        began = entries[0].id if entries else ""
        note = render(turns_of(entries), agent=agent, key=one.key, began=began, zone=zone_of(rooms))
        if note is not None:
            found[f"{note.conversation}.md"] = note.data
    return found


def zone_of(rooms: Rooms) -> tzinfo | None:
    """The user's time zone, as the settings or USER.md have it; None is the machine's."""
    from zoneinfo import ZoneInfo

    from holdfast.tools.user_profile import user_profile

    name = user_profile(rooms).timezone
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):  # no such zone on this machine
        return None


def exports_of(rooms: Rooms, key: str) -> list[str]:
    """The exports of every conversation of a session, edited or not, in the order of their names."""
    wanted = session_hash(rooms.workspace.agent, key)
    return sorted(path for path, (stamp, _) in _exports(rooms).items() if stamp.session == wanted)


def stamps_of(rooms: Rooms) -> dict[str, Stamp]:
    """Every export with what it says of itself."""
    return {path: stamp for path, (stamp, _) in _exports(rooms).items()}


def remove_exports(rooms: Rooms, key: str) -> tuple[str, ...]:
    """Remove the exports of a session; says which."""
    return tuple(path for path in exports_of(rooms, key) if _remove(rooms, path, None, "the session was deleted"))


def exclude_session(session: Session, excluded: bool) -> None:
    """Take a session out of session search at once; let in again, it is indexed like any other."""
    index = session.rooms.session_index
    if excluded:
        index.drop(session.key)
    else:
        index.catch_up()


def drop_session(session: Session, *, exports: bool) -> None:
    """Remove what the index knows of a session for good, and with `exports` the notes of it as well."""
    if exports:
        remove_exports(session.rooms, session.key)
    session.rooms.session_index.drop(session.key, for_good=True)


def _written(rooms: Rooms, note: Rendered) -> Exported:
    for path, (stamp, found) in _exports(rooms, note.conversation).items():
        if stamp.intact:
            if rooms.workspace.read(path).data == note.data:
                return Exported(path, "", note.turns, replaced=True)
            made = _change(rooms, path, note.data, found, "export again")
            return Exported(path, made.id, note.turns, replaced=True, because=rooms.note_changed(made))
    number = 1
    while rooms.workspace.exists(path := name_of(note.first, note.slug, number)):
        number += 1
    made = _change(rooms, path, note.data, "", "export")
    return Exported(path, made.id, note.turns, because=rooms.note_changed(made))


def _cleared(rooms: Rooms, done: Exported) -> Exported:
    """Clear away what is too old or too much; an export that succeeded does not fail because of that.

    The export just made is one like any other: a conversation of last year is the oldest, whenever it is written down.
    """
    days, count = rooms.settings.memory.session_export_days, rooms.settings.memory.session_export_count
    if days is None and count is None:
        return done
    removed: list[str] = []
    because = done.because
    try:
        known = _exports(rooms)
        stamps = {path: stamp for path, (stamp, _) in known.items()}
        now = moment_of(rooms.clock.now(), zone_of(rooms))
        over = expired(stamps, now=now, days=days, count=count)
        removed.extend(path for path in over if _remove(rooms, path, known[path][1], _TOO_OLD))
    except HoldfastError as error:
        because = "; ".join(filter(None, (because, f"older exports could not be cleared away: {error}")))
    if done.path in removed:
        because = "; ".join(filter(None, (because, f"it was removed again: {_TOO_OLD}")))
    return done.replace(removed=tuple(removed), because=because)


def _exports(rooms: Rooms, conversation: str | None = None) -> dict[str, tuple[Stamp, str]]:
    """Every note that we exported, or those of one conversation, with its stamp and hash."""
    found: dict[str, tuple[Stamp, str]] = {}
    for note in rooms.workspace.walk().found:
        if note.source != "memory" or not note.path.startswith(EXPORTS) or "/" in note.path[len(EXPORTS) :]:
            continue
        try:
            if conversation is not None and not _is_of(rooms, note.path, conversation):
                continue
            whole = rooms.workspace.read(note.path)
        except (NoteNotFound, HoldfastError):  # gone since, or nothing that can be read: none of ours in any case
            continue
        stamp = stamp_of(whole.data)
        if stamp is not None:
            found[note.path] = stamp, whole.hash
    return found


def _is_of(rooms: Rooms, path: str, conversation: str) -> bool:
    """Whether a note begins as an export of a conversation does: there may be thousands, and one is looked for."""
    front, end, _ = read_part(rooms.workspace, readable(path), STAMP_BYTES).data.partition(b"\n---\n")
    stamp = stamp_of(front + end)
    return stamp is not None and stamp.conversation == conversation


def _remove(rooms: Rooms, path: str, expected: str | None, why: str) -> bool:
    try:
        rooms.note_changed(_change(rooms, path, None, expected, why))
    except (NoteChangedOutside, NoteNotFound):
        return False  # edited or removed this very moment: whoever did it knows better
    return True


def _change(rooms: Rooms, path: str, data: bytes | None, expected: str | None, why: str) -> Change:
    return change(
        rooms.workspace,
        changeable(path),
        lambda _: data,
        # Nobody asked for these very words to be kept: it happens by itself at the end of a conversation.
        origin=Origin.AUTO_CAPTURE,
        tool=_TOOL,
        reason=why,
        expected_hash=expected,
        clock=rooms.clock,
    )
