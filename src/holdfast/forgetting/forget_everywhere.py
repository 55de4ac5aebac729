"""Forgetting for good: a text goes from notes, exports, transcripts, state, index and checkpoints.

Only the owner may ask for this: it can't be undone. Every step can be taken twice, so whoever is killed on the way just
asks again. At the end every file of the home is looked at, and what still holds the text is named.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.approval.inbox_note import without_husks
from holdfast.approval.prompt_gate import asks_owner
from holdfast.checkpoints.change import change_unrecorded, note_to_change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, history
from holdfast.checkpoints.erasure_mark import mark_erasure
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.retention import erase
from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.context.line_origins import LineOrigins
from holdfast.dreaming.dream_change import bytes_of
from holdfast.dreaming.memory_lines import without_empty_sections
from holdfast.errors import (
    BadArgument,
    BadPath,
    CheckpointDamaged,
    HoldfastError,
    NoteChangedOutside,
    NoteNotFound,
    NotPermitted,
    StorageFailed,
)
from holdfast.forgetting.forget_candidates import by_text
from holdfast.forgetting.forget_keys import KeyRenamer, names_text
from holdfast.forgetting.index_scrub import forget_transcripts, scrub_index
from holdfast.forgetting.memory_forget import Forgot, Removed, candidate_of, forget
from holdfast.forgetting.text_variants import Trace, is_telling
from holdfast.guard.media import is_image
from holdfast.guard.origin import Origin
from holdfast.guard.paths import EXPORTS, INBOX, readable_path, writable_path
from holdfast.index.sqlite.quarantine import drop_moved
from holdfast.named_tuple import NamedTuple
from holdfast.notes.byte_scan import remove_copy
from holdfast.qmd.index_removal import remove_index
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.notes.note import Note

__all__ = ["Cleared", "clear_everywhere", "forget_everywhere", "forget_memory"]

_MAX_CHANGES = 10_000
_TRIES = 5  # each lost race is an edit that somebody else has just made
_OWNERS = (Origin.USER, Origin.API)  # those that the command line and the library stamp
_NAMED = re.compile(rf"({EXPORTS}\d{{4}}-\d{{2}}-\d{{2}})-.*")
_GENERIC = re.compile(rf"{EXPORTS}\d{{4}}-\d{{2}}-\d{{2}}-forgotten-\d+\.md")  # we have renamed it ourselves
_DATED = re.compile(r"\A\d{4}-\d{2}-\d{2}")


class Cleared(Value):
    """In how many places each kind held the text; `left` are files that hold it, or are named after it, and stay.

    `sessions` are those whose key held it: they go on under another.
    """

    notes: int = 0
    exports: int = 0
    transcripts: int = 0
    messages: int = 0
    state: int = 0
    checkpoints: int = 0
    sessions: int = 0
    left: tuple[str, ...] = ()
    dry_run: bool = False
    because: str = ""

    @property
    def places(self) -> int:
        """All of them together."""
        return self.notes + self.exports + self.messages + self.state + self.checkpoints + self.sessions

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = {name: getattr(self, name) for name in self.fields if name != "left"}
        return shown | {"places": self.places, "left": list(self.left)}


def forget_memory(
    ctx: Context,
    request: Annotated[str | None, "What is to be forgotten, in own words."] = "",
    *,
    text: Annotated[str | None, "Or its exact text."] = None,
    dry_run: Annotated[bool, "Only show what would go."] = False,
    limit: Annotated[int, "In how many places at the most."] = 6,
    everywhere: Annotated[bool, "Exports, transcripts and checkpoints too, for good."] = False,
    confirmed: Annotated[bool, "More at once than a model may choose by itself."] = False,
    places: Annotated[Sequence[str], "Just these of what a dry run showed: memory/a.md#3, …"] = (),
) -> Forgot:
    """Remove the bullets or sentences that say what is to be forgotten, or one that is given as exact `text`.

    `everywhere` clears exports, transcripts and checkpoints too, for good. `confirmed` lets more go at once than a
    language model may choose by itself. `places` chooses among what a dry run showed: memory/a.md#3.
    """
    if everywhere:
        way = forget_everywhere
    else:
        way = forget
    return way(ctx, request or "", text=text, dry_run=dry_run, limit=limit, confirmed=confirmed, places=tuple(places))


def forget_everywhere(
    ctx: Context,
    request: str = "",
    *,
    text: str | None = None,
    dry_run: bool = False,
    limit: int = 6,
    confirmed: bool = False,
    places: Sequence[str] = (),
) -> Forgot:
    """Forget what a request means, or a text wherever it stands, and leave no trace of it: for good."""
    if ctx.origin not in _OWNERS:
        raise NotPermitted("Only the owner can forget something everywhere; ask them to do it.")
    ctx.workspace.gate.require_all()  # before the first of many steps, and it may stand in any note
    if places:
        _refuse_spared_copies(forget(ctx, request, text=text, dry_run=True, limit=limit, places=places))
    if text is None or places:
        forgot = forget(ctx, request, text=text, dry_run=dry_run, limit=limit, confirmed=confirmed, places=places)
        if dry_run:
            gone = [item.text for item in forgot.candidates if item.chosen]
        else:
            gone = [item.text for item in forgot.forgotten]
        if not gone:
            return forgot
    else:
        gone = [text]
        offers = [offer for offer in by_text(ctx, text) if not offer.path.startswith(EXPORTS)]
        if dry_run:
            origins = LineOrigins(ctx)
            forgot = Forgot(
                candidates=tuple(candidate_of(offer, origins, chosen=True) for offer in offers), dry_run=True
            )
        else:
            forgot = Forgot(tuple(Removed(offer.path, offer.claim.text, "") for offer in offers))
    if text is not None:
        wide = gone
    else:
        wide = [gone_text for gone_text in gone if is_telling(gone_text)]
    if not wide:
        because = "it is too short to be looked for elsewhere; other copies of it stay"
        return forgot.replace(because="; ".join(filter(None, (because, forgot.because))))
    cleared = clear_everywhere(ctx, wide, dry_run=dry_run)
    forgotten = tuple(removed.replace(checkpoint_id="") for removed in forgot.forgotten)
    return forgot.replace(forgotten=forgotten, because=cleared.because, cleared=cleared)


def _refuse_spared_copies(preview: Forgot) -> None:
    """Raise BadArgument where a place that was not chosen says the same as one that was: it would go with it."""
    going = {candidate.text for candidate in preview.candidates if candidate.chosen}
    spared = next(
        (candidate for candidate in preview.candidates if not candidate.chosen and candidate.text in going), None
    )
    if spared is not None:
        reason = f"{spared.path}#{spared.line} says the same, and what goes everywhere goes from there, too"
        raise BadArgument("places", f"{reason}: choose it as well, or forget without `everywhere`")


class _Traces(NamedTuple):
    """Several texts as one."""

    traces: Sequence[Trace]

    def holds(self, data: bytes) -> bool:
        return any(trace.holds(data) for trace in self.traces)

    def names(self, name: str) -> bool:
        return any(names_text(name, trace.text) for trace in self.traces)

    def each(self, change: Callable[[Trace, bytes], bytes], data: bytes) -> bytes:
        for trace in self.traces:
            data = change(trace, data)
        return data


def clear_everywhere(ctx: Context, texts: Sequence[str], *, dry_run: bool = False) -> Cleared:
    """Clear these texts from all that belongs to this agent, or with `dry_run` only count where they stand."""
    traces = _Traces([Trace(text) for text in texts])
    if not dry_run:
        _refuse_owners(ctx, traces)
    reasons: list[str] = []
    kept = _checkpoints(ctx, traces)  # before we make some ourselves
    notes, exports, renamed = _notes(ctx, traces, dry_run=dry_run)
    if _profile(ctx, traces, dry_run=dry_run):
        notes += 1
    keys = KeyRenamer(ctx, lambda key: traces.each(Trace.replaced, key.encode()).decode(), traces.names)
    old = keys.all(dry_run=dry_run)  # while the first line of each transcript still has the key
    files, messages = _transcripts(ctx, traces, dry_run=dry_run)
    state = _state(ctx, traces, dry_run=dry_run)
    if not dry_run:
        heal_once(ctx, lambda: forget_transcripts(ctx, [*files, *keys.paths]))
        reasons += [f"a session whose key held it is called {key!r} now" for key in old]
        try:
            scrub_index(ctx)
        except HoldfastError as error:
            reasons.append(f"traces in the index could not be cleared yet: {getattr(error, 'why', None) or error}")
        _erase(ctx, traces, renamed)
        drop_moved(ctx.index_path)
        remove_index(ctx.workspace)
    left = _files_with(ctx, traces, reasons, dry_run=dry_run)
    if not dry_run:
        left = _tell_of_the_rest(ctx, traces, left, reasons)
    return Cleared(
        notes=notes,
        exports=exports,
        transcripts=len(files),
        messages=messages,
        state=state,
        checkpoints=kept,
        sessions=len(old),
        left=() if dry_run else tuple(left),
        dry_run=dry_run,
        because="; ".join(reasons),
    )


def _files_with(ctx: Context, traces: _Traces, reasons: list[str], *, dry_run: bool) -> list[str]:
    """Return the files of the home that still hold a text; a damaged copy that was set aside is removed."""
    files: list[str] = []
    try:
        files = ctx.workspace.scan([trace.sought for trace in traces.traces])
    except StorageFailed as error:
        reasons.append(f"whether any file still holds it could not be looked at: {error.why}")
    if not dry_run:
        dropped = [path for path in files if remove_copy(ctx.workspace.local, path)]
        reasons += [f"{path}, which was set aside damaged, held it and was removed" for path in dropped]
        files = [path for path in files if path not in dropped]
    return files + [path for path in _other_indexes(ctx, files) if path not in files]


def _tell_of_the_rest(ctx: Context, traces: _Traces, left: list[str], reasons: list[str]) -> list[str]:
    """Return what the owner has to see to: these files, those outside the home, images, and notes by their names."""
    outside = [
        note.path for note in ctx.workspace.walk().found if note.source == "extra" and _holds_trace(ctx, note, traces)
    ]
    shown = _images(ctx, traces)
    if shown:
        reasons.append("some images show it: remove them yourself, and run `holdfast index`")
    named = [path for path in _named_notes(ctx, traces) if path not in left]
    if named:
        reasons.append("some notes are named after it: rename them yourself")
    if left or outside:
        reasons.append("some files still hold it: those of other agents, outside the home, or not written by Holdfast")
    return [*left, *outside, *shown, *named]


def _refuse_owners(ctx: Context, traces: _Traces) -> None:
    """Raise NotPermitted where a program would clear what MEMORY.md or the inbox holds, or held: for good."""
    if not asks_owner(ctx):
        return
    for path in map(writable_path, ("MEMORY.md", INBOX)):
        named = ctx.workspace.spot(path).path
        held = [bytes_of(ctx, named)]
        for earlier in history(ctx.workspace, path=named, limit=_MAX_CHANGES):
            with suppress(CheckpointDamaged):
                held += [before_bytes(ctx.workspace, earlier), after_bytes(ctx.workspace, earlier)]
        if any(data is not None and traces.holds(data) for data in held):
            raise NotPermitted(
                f"{path.text} holds it, or did: only the owner forgets that everywhere; ask them to do it."
            )


def _notes(ctx: Context, traces: _Traces, *, dry_run: bool) -> tuple[int, int, list[str]]:
    """Clear the notes; how many notes and exports held it, and which exports were named after it."""
    notes = exports = 0
    renamed: list[str] = []
    for seen in ctx.workspace.walk().found:
        if seen.source == "extra":
            continue
        exported = seen.path.startswith(EXPORTS)
        named = exported and _GENERIC.fullmatch(seen.path) is None and traces.names(_undated_name(seen.path))
        held = named
        for attempt in range(_TRIES):
            try:
                note = ctx.workspace.read(seen.path)
                if not traces.holds(note.data) and not named:
                    break
                held = True
                if not dry_run:
                    _clear_note(ctx, note, traces, exported=exported, named=named)
                break
            except NoteNotFound:
                break
            except NoteChangedOutside:
                if attempt == _TRIES - 1:
                    raise
        notes, exports = notes + (held and not exported), exports + (held and exported)
        renamed += [seen.path] if named else []
    return notes, exports, renamed


def _clear_note(ctx: Context, note: Note, traces: _Traces, *, exported: bool, named: bool) -> None:
    new: bytes | None
    if exported:
        from holdfast.transcripts.session_note import restamp, stamp_of

        stamp = stamp_of(note.data)
        new = traces.each(Trace.replaced, note.data)
        if stamp is not None and stamp.intact:
            new = restamp(new)
    else:
        new = traces.each(Trace.cut, note.data)
        if note.path == INBOX:
            new = without_husks(new)
        if readable_path(note.path).is_prompt_memory:
            new = without_empty_sections(new)
        if not new.strip():
            new = None
    if named:  # its name is made of what was said first; the note goes on under another
        number = 1
        while ctx.workspace.exists(other := _NAMED.sub(rf"\1-forgotten-{number}.md", note.path)):
            number += 1
        _write(ctx, other, new, "")
        new = None
    _write(ctx, note.path, new, note.hash)


def _write(ctx: Context, path: str, data: bytes | None, expected: str) -> None:
    workspace = ctx.workspace
    try:
        target = note_to_change(workspace, path)
    except BadPath:  # in a folder of the owner's own, for a program that acts on the owner's wish
        change_unrecorded(workspace, readable_path(path), data, expected_hash=expected)
        return
    change_note(
        workspace, target, lambda _: data, ctx.authorship("memory_forget", "forget everywhere"), expected_hash=expected
    )


def _undated_name(path: str) -> str:
    """The name of a note without its ending, and without a day that it begins with: that is no word of anybody's."""
    return _DATED.sub("", path.rpartition("/")[2]).removesuffix(".md")


def _other_indexes(ctx: Context, left: Sequence[str]) -> list[str]:
    """The indexes of other agents that hold it in a note: in a database, words stand where no pattern expects them."""
    agents = dict.fromkeys(path.split("/")[1] for path in left if path.startswith("agents/") and path.count("/") > 1)
    names = (f"{agent}.sqlite" for agent in agents if agent != ctx.workspace.agent)
    return [f"state/{name}" for name in names if os.path.exists(f"{ctx.workspace.state}/{name}")]


def _named_notes(ctx: Context, traces: _Traces) -> list[str]:
    """Notes of the owner's that are named after it: how their owner calls them is not ours to change."""
    seen = (note.path for note in ctx.workspace.walk().found if note.source != "extra")
    return [path for path in seen if traces.names(_undated_name(path)) and _GENERIC.fullmatch(path) is None]


def _images(ctx: Context, traces: _Traces) -> list[str]:
    """Images in which the words were read: they are the owner's files, and nothing can be taken out of them."""
    if not ctx.settings.multimodal.images or not os.path.exists(ctx.index_path):
        return []
    edition = ctx.database.serving()
    if edition is not None:
        known = [path for path in edition.known() if is_image(path)]
    else:
        known = []
    if edition is not None:
        chunks = [edition.chunk_at(path=path, line=1) for path in known]
    else:
        chunks = []
    return [chunk.path for chunk in chunks if chunk is not None and traces.holds(chunk.text.encode())]


def _profile(ctx: Context, traces: _Traces, *, dry_run: bool) -> bool:
    from holdfast.checkpoints.profile_change import change_profile
    from holdfast.notes.profile_file import read_profile

    data = read_profile(ctx.workspace)
    if data is None or not traces.holds(data):
        return False
    if not dry_run:
        change_profile(
            ctx.workspace,
            lambda old: traces.each(Trace.cut, old or b""),
            ctx.authorship("user_profile", "forget everywhere"),
        )
    return True


def _transcripts(ctx: Context, traces: _Traces, *, dry_run: bool) -> tuple[list[str], int]:
    """Clear the transcripts; which held it, and in how many lines."""
    from holdfast.transcripts.transcript_index import transcripts

    files: list[str] = []
    messages = 0
    for log in transcripts(ctx.workspace):
        with log.exclusive() as still:
            data = still.read() if still is not None else b""
            if still is None or not traces.holds(data):
                continue
            files.append(log.shown)
            messages += sum(traces.holds(line) for line in data.split(b"\n"))
            if not dry_run:
                still.rewrite(traces.each(Trace.replaced_in_lines, data))
    return files, messages


def _state(ctx: Context, traces: _Traces, *, dry_run: bool) -> int:
    agent = ctx.workspace.agent
    return ctx.state_store.erase(agent, lambda data: traces.each(Trace.replaced, data), dry_run=dry_run)


def _erase(ctx: Context, traces: _Traces, renamed: Sequence[str]) -> None:
    from holdfast.checkpoints.profile_change import erase_profile

    mark_erasure(ctx.workspace)
    # The names of exports stand in the journal as well.
    erase(ctx.workspace, traces.holds, paths=frozenset(renamed))
    erase_profile(ctx.workspace, traces.holds)


def _checkpoints(ctx: Context, traces: _Traces) -> int:
    """Return how many changes have it in the note before or after them."""
    from holdfast.checkpoints.change_history import changes
    from holdfast.checkpoints.checkpoint_store import open_for_reading

    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return 0
        held = {digest for digest in store.objects.sizes() if traces.holds(store.objects.load(digest) or b"")}
        if not held:
            return 0
        return sum(not held.isdisjoint((change.before, change.after)) for change in changes(store))


def _holds_trace(ctx: Context, note: Any, traces: _Traces) -> bool:
    try:
        return traces.holds(ctx.workspace.read(note.path).data)
    except HoldfastError:
        return False
