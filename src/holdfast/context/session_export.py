"""The end of a conversation → a note of it in memory/sessions/, and older ones that make room."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import tzinfo
from typing import TYPE_CHECKING

from holdfast.checkpoints.note_change import change_note
from holdfast.context.open_session import OpenSession
from holdfast.errors import HoldfastError, NoteChangedOutside, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.guard.paths import EXPORTS, NotePath, changeable_path, readable_path
from holdfast.llm.chat_model import Role
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_lock import Job, hold_session
from holdfast.transcripts.session_note import (
    STAMP_BYTES,
    Exported,
    RenderedNote,
    Stamp,
    Turn,
    expired_exports,
    moment_of,
    name_of,
    render,
    session_hash,
    stamp_of,
)
from holdfast.transcripts.transcript_entry import Entry

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.context.context import Context

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
_TRIES = 5  # each lost race is a note of another conversation that begins alike
_WAIT = 10.0  # seconds for another process that exports the same session, adds to it or removes it


def export_session(session: OpenSession) -> Exported | None:
    """Write a conversation down; None where nobody said anything, or where the session is to be left out.

    An earlier export of the same conversation is replaced, unless its owner has edited it: then that stays, and
    the new one stands beside it.
    """
    # Two exports at the same moment would not see each other's note, and the slower may have read fewer turns. A
    # session that is forgotten meanwhile must not be written down after that either.
    with hold_session(session.ctx.workspace, session.key, Job.RECORD, _WAIT):
        done = None if session.excluded else _write_turns(session)
    return done and _clear_old(session.ctx, done)


def may_export(ctx: Context) -> bool:
    """Say whether the caller may write exports at all."""
    return ctx.workspace.gate.allows(NotePath(EXPORTS))


def turns_of(entries: Sequence[Entry]) -> list[Turn]:
    """Return what was said, as it may be kept.

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


def open_texts(ctx: Context) -> dict[str, bytes]:
    """Return what was said in each session that may be found, as the Markdown of an export, by the name of a file."""
    from holdfast.context.session_list import session_list
    from holdfast.transcripts.transcript import Transcript

    agent, days = ctx.workspace.agent, ctx.settings.qmd_sessions.retention_days
    if days is None:
        oldest = 0.0
    else:
        oldest = ctx.clock.now() - days * 86_400
    found: dict[str, bytes] = {}
    for session in session_list(ctx):
        if session.excluded or session.last < oldest or not session.bytes or ctx.state_store.hidden(agent, session.key):
            continue
        entries = Transcript(ctx.workspace, session.key).entries()
        began = entries[0].id if entries else ""
        note = render(turns_of(entries), agent=agent, key=session.key, began=began, zone=zone_of(ctx))
        if note is not None:
            found[f"{note.conversation}.md"] = note.data
    return found


def zone_of(ctx: Context) -> tzinfo | None:
    """The user's time zone, as the settings or USER.md have it; None is the machine's."""
    from zoneinfo import ZoneInfo

    from holdfast.context.user_profile import user_profile

    name = user_profile(ctx).timezone
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):  # no such zone on this machine
        return None


def exports_of(ctx: Context, key: str) -> list[str]:
    """The exports of every conversation of a session, edited or not, in the order of their names."""
    wanted = session_hash(ctx.workspace.agent, key)
    return sorted(path for path, (stamp, _) in _exports(ctx).items() if stamp.session == wanted)


def stamps_of(ctx: Context) -> dict[str, Stamp]:
    """Every export with what it says of itself."""
    return {path: stamp for path, (stamp, _) in _exports(ctx).items()}


def remove_exports(ctx: Context, key: str) -> tuple[str, ...]:
    """Remove the exports of a session; says which."""
    return tuple(path for path in exports_of(ctx, key) if _remove(ctx, path, None, "the session was deleted"))


def exclude_session(session: OpenSession, excluded: bool) -> None:
    """Take a session out of session search at once; let in again, it is indexed like any other."""
    index = session.ctx.session_index
    if excluded:
        index.drop(session.key)
    else:
        index.catch_up()


def drop_session(session: OpenSession, *, exports: bool) -> None:
    """Remove what the index knows of a session for good, and with `exports` the notes of it as well."""
    if exports:
        remove_exports(session.ctx, session.key)
    session.ctx.session_index.drop(session.key, for_good=True)


def _write_turns(session: OpenSession) -> Exported | None:
    entries = session.messages()
    note = render(
        turns_of(entries),
        agent=session.agent,
        key=session.key,
        began=entries[0].id if entries else "",
        zone=zone_of(session.ctx),
    )
    if note is None:
        return None
    for _ in range(_TRIES - 1):
        with suppress(NoteChangedOutside):  # between our look and the lock of notes; look again
            return _write_export(session.ctx, note)
    return _write_export(session.ctx, note)


def _write_export(ctx: Context, note: RenderedNote) -> Exported:
    for path, (stamp, found_hash) in _exports(ctx, note.conversation).items():
        if stamp.intact:
            if ctx.workspace.read(path).data == note.data:
                return Exported(path, "", note.turns, replaced=True)
            checkpoint = _change(ctx, path, note.data, found_hash, "export again")
            return Exported(path, checkpoint.id, note.turns, replaced=True, because=ctx.note_changed(checkpoint))
    number = 1
    while ctx.workspace.exists(path := name_of(note.first, note.slug, number)):
        number += 1
    checkpoint = _change(ctx, path, note.data, "", "export")
    return Exported(path, checkpoint.id, note.turns, because=ctx.note_changed(checkpoint))


def _clear_old(ctx: Context, done: Exported) -> Exported:
    """Clear away what is too old or too much; an export that succeeded does not fail because of that.

    The export just made is one like any other: a conversation of last year is the oldest, whenever it is written down.
    """
    days, count = ctx.settings.memory.session_export_days, ctx.settings.memory.session_export_count
    if days is None and count is None:
        return done
    removed: list[str] = []
    because = done.because
    try:
        known = _exports(ctx)
        stamps = {path: stamp for path, (stamp, _) in known.items()}
        now = moment_of(ctx.clock.now(), zone_of(ctx))
        over = expired_exports(stamps, now=now, days=days, count=count)
        removed.extend(path for path in over if _remove(ctx, path, known[path][1], _TOO_OLD))
    except HoldfastError as error:
        because = "; ".join(filter(None, (because, f"older exports could not be cleared away: {error}")))
    if done.path in removed:
        because = "; ".join(filter(None, (because, f"it was removed again: {_TOO_OLD}")))
    return done.replace(removed=tuple(removed), because=because)


def _exports(ctx: Context, conversation: str | None = None) -> dict[str, tuple[Stamp, str]]:
    """Every note that we exported, or those of one conversation, with its stamp and hash."""
    exports: dict[str, tuple[Stamp, str]] = {}
    for note in ctx.workspace.walk().found:
        if note.source != "memory" or not note.path.startswith(EXPORTS) or "/" in note.path[len(EXPORTS) :]:
            continue
        try:
            if conversation is not None and not _is_export_of(ctx, note.path, conversation):
                continue
            whole = ctx.workspace.read(note.path)
        except (NoteNotFound, HoldfastError):  # gone since, or nothing that can be read: none of ours in any case
            continue
        stamp = stamp_of(whole.data)
        if stamp is not None:
            exports[note.path] = stamp, whole.hash
    return exports


def _is_export_of(ctx: Context, path: str, conversation: str) -> bool:
    """Say whether a note begins as an export of a conversation does: there may be thousands, and one is looked for."""
    front, end, _ = ctx.workspace.read_part(readable_path(path), STAMP_BYTES).data.partition(b"\n---\n")
    stamp = stamp_of(front + end)
    return stamp is not None and stamp.conversation == conversation


def _remove(ctx: Context, path: str, expected: str | None, reason: str) -> bool:
    try:
        ctx.note_changed(_change(ctx, path, None, expected, reason))
    except (NoteChangedOutside, NoteNotFound):
        return False  # edited or removed this very moment: whoever did it knows better
    return True


def _change(ctx: Context, path: str, data: bytes | None, expected: str | None, reason: str) -> Change:
    return change_note(
        ctx.workspace,
        changeable_path(path),
        lambda _: data,
        # Nobody asked for these very words to be kept: an export runs on its own at the end of a conversation.
        ctx.authorship(_TOOL, reason)._replace(origin=Origin.AUTO_CAPTURE),
        expected_hash=expected,
    )
