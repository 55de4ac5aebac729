"""The memory of another program → facts and notes of this agent: looked through first, written only when asked.

All of it has the origin `import`. Facts go to the notes of facts, where no import takes the place of what the user
said; texts go to memory/imports/, and never to MEMORY.md. Not a tool of a model's: which files of the machine are read
is the owner's to say.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.checkpoints.batch import apply_batch
from holdfast.checkpoints.change import Edit, note_to_change
from holdfast.checkpoints.change_history import changes
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.checkpoints.group import Step
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.errors import BadArgument, NoteChangedOutside, NoteNotFound, TwinPath
from holdfast.exchange.bundle import Bundle, open_bundle
from holdfast.exchange.fact_import import FactImport, add_all
from holdfast.exchange.findings import Findings, FoundFact, LeftOut, Source
from holdfast.exchange.format_detection import read_bundle, source_of
from holdfast.exchange.format_text import note_path
from holdfast.exchange.import_gate import admit_fact, admit_note
from holdfast.facts.fact_insert import Notes
from holdfast.facts.facts_book import Steps, read_notes, steps_of, today
from holdfast.guard.argument_types import check_choice
from holdfast.guard.origin import Origin
from holdfast.guard.paths import is_own_place, twin_key
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.markdown.fact_row import category_of
from holdfast.operations.exchange_export import index_once
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.progress import Progress

__all__ = ["Fate", "Imported", "PlannedNote", "import_from", "import_memory", "plan_import"]

_TOOL = "import"
_ATTEMPTS = 3
_TELL_EVERY = 50  # notes, some hundredths of a second


class Fate(StrEnum):
    """Says what becomes of a note that another program had."""

    NEW = "new"
    CHANGED = "changed"
    """It takes the place of what an earlier import wrote."""
    SAME = "same"
    EDITED = "edited"
    """Somebody changed it here since the earlier import; it is left as it is."""
    OCCUPIED = "occupied"
    """A note that no import wrote has this name, and says something else; it is left as it is."""

    @property
    def why_left(self) -> str:
        """Return why a note of this fate is not written, "" where it is, or need not be."""
        return _WHY_LEFT.get(self, "")


_WHY_LEFT = {
    Fate.EDITED: "it was edited here since the last import, and is left as it is",
    Fate.OCCUPIED: "a note of yours has this name and says something else; rename one of them",
}


class PlannedNote(Value):
    """A text of another program as a note here."""

    path: str
    where: str
    data: bytes
    fate: Fate
    found: str = ""
    """The hash of what stands there now, "" where nothing does."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = {"path": self.path, "where": self.where, "fate": self.fate.value}
        if self.fate.why_left:
            return shown | {"why": self.fate.why_left}
        return shown


class Imported(Value):
    """Says what an import brings, or brought: facts, notes, what was known, and what is refused or left out."""

    source: Source
    dry_run: bool
    facts: tuple[FoundFact, ...] = ()
    known: int = 0
    archived: int = 0
    notes: tuple[PlannedNote, ...] = ()
    refused: tuple[LeftOut, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    checkpoint_ids: tuple[str, ...] = ()
    because: str = ""
    reason: str = ""
    """What the checkpoints say: for a folder of Markdown also which, so that another of its name replaces nothing."""

    def count(self, *fates: Fate) -> int:
        """Return how many notes have one of these fates."""
        return sum(note.fate in fates for note in self.notes)

    @property
    def brings(self) -> bool:
        """True if there is anything to add."""
        return bool(self.facts) or self.count(Fate.NEW, Fate.CHANGED) > 0

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "imported": not self.dry_run,
            "from": self.source.value,
            "facts": [
                {
                    "text": fact.text,
                    "category": fact.category.value,
                    "observed": fact.observed.isoformat() if fact.observed is not None else None,
                    "where": fact.where,
                }
                for fact in self.facts
            ],
            "known": self.known,
            "archived": self.archived,
            "notes": [note.to_json() for note in self.notes],
            "refused": [{"where": where, "why": reason} for where, reason in self.refused],
            "left_out": [{"where": where, "why": reason} for where, reason in self.left_out],
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.because:
            return shown | {"because": self.because}
        return shown


def import_from(
    ctx: Context,
    file: Annotated[str | os.PathLike[str], "A file or folder: an export, a zip, a workspace."],
    *,
    source: Annotated[str | None, "Which program it is from, where the file does not show it."] = None,
    preview: Annotated[bool, "Only show what would be added, and what refused."] = False,
) -> Imported:
    """Take over the memory of another program, with the origin `import`; never into MEMORY.md.

    `source` names the program, where the file does not show it; `preview` changes nothing.
    """
    plan = plan_import(ctx, os.fspath(file), source)
    if preview:
        return plan
    return import_memory(ctx, plan)


def plan_import(
    ctx: Context,
    file: str,
    source: str | None = None,
    *,
    known_as: str | None = None,
    progress: Progress | None = None,
) -> Imported:
    """Return what an import would add, and what it would refuse; nothing is changed.

    `known_as` is the place that its owner knows the file by, where it was sent from another machine.
    """
    _refuse_own_home(ctx, file)
    with open_bundle(file) as bundle:
        named = _source_of(bundle, source)
        findings = read_bundle(bundle, named)
    reason = f"import from {named.value}"
    if named is Source.MARKDOWN:
        reason = f"{reason}: {known_as or os.path.realpath(os.path.expanduser(file))}"
    facts, notes, refused, empty = _admit_findings(ctx, findings, named, reason, progress)
    notes, displaced = _without_twins(ctx, notes)
    refused += displaced
    adding = _add_facts(ctx, read_notes(ctx)[0], facts)
    return Imported(
        named,
        True,
        adding.added,
        adding.known,
        adding.archived,
        tuple(notes),
        (*refused, *adding.refused),
        (*findings.left_out, *empty),
        reason=reason,
    )


def import_memory(ctx: Context, plan: Imported, progress: Progress | None = None) -> Imported:
    """Carry out what was planned, as one change; what has come to be there in between is not added again."""
    ctx = ctx.for_origin(Origin.IMPORT, is_owner=ctx.workspace.gate.is_owner)
    adding = FactImport({}, (), 0, 0, ())

    def decide(notes: Notes) -> Steps:
        nonlocal adding
        adding = _add_facts(ctx, notes, plan.facts)
        return list(adding.changes.items())

    with locked_store(ctx.workspace) as store:
        for attempt in range(_ATTEMPTS):
            notes = [_as_it_is(ctx, note) for note in plan.notes]
            texts = [Step(note.path, note.data, note.found) for note in notes if note.fate in (Fate.NEW, Fate.CHANGED)]
            steps = [*(steps_of(ctx, decide) if plan.facts else ()), *texts]
            edits = {note_to_change(ctx.workspace, step.path): _edit_of(step) for step in steps}
            try:
                changes = apply_batch(store, edits, ctx.authorship(_TOOL, plan.reason), progress)
                break
            except NoteChangedOutside:  # an editor asks for no lock; look again
                if attempt == _ATTEMPTS - 1:
                    raise
    if texts:
        because = index_once(ctx, progress)
    else:
        because = ctx.notes_changed(changes)
    return plan.replace(
        dry_run=False,
        facts=adding.added,
        known=plan.known + adding.known,
        archived=adding.archived,
        notes=tuple(notes),
        checkpoint_ids=tuple(change.id for change in changes),
        because=because,
    )


def _refuse_own_home(ctx: Context, file: str) -> None:
    """Each import of a home into itself would find what the last one wrote, and never come to an end."""
    if not file.strip():
        return  # opening it says that it names nothing
    place, home = os.path.realpath(os.path.expanduser(file)), os.path.realpath(ctx.workspace.home)
    if os.path.isdir(place) and os.path.commonpath((place, home)) in (place, home):
        raise BadArgument("file", f"{file!r} holds this home, or is a part of it; name the other program's folder")


def _source_of(bundle: Bundle, source: str | None) -> Source:
    if source is None or source == "auto":
        return source_of(bundle)
    check_choice("from", source, ("auto", *Source))
    return Source(source)


def _admit_findings(
    ctx: Context, findings: Findings, source: Source, reason: str, progress: Progress | None
) -> tuple[list[FoundFact], list[PlannedNote], list[LeftOut], list[LeftOut]]:
    """Return what may be kept of what was found, what must not be, and the notes in which there is nothing."""
    rule = ctx.settings.memory.secrets
    refused: list[LeftOut] = []
    empty: list[LeftOut] = []
    facts: list[FoundFact] = []
    for fact in findings.facts:
        admission = admit_fact(fact.text, rule)
        refused += [LeftOut(fact.where, refusal) for _, refusal in admission.refused]
        if admission.text:
            facts.append(fact._replace(text=admission.text))
    notes: list[PlannedNote] = []
    if findings.notes:
        ours = _earlier_imports(ctx)
    else:
        ours = {}
    taken: set[str] = set()
    home = os.path.join(os.path.realpath(ctx.workspace.home), "")
    for done, note in enumerate(findings.notes, 1):
        if progress is not None and (done % _TELL_EVERY == 0 or done == len(findings.notes)):
            progress("Reading", done, len(findings.notes))
        if os.path.realpath(note.where).startswith(home):  # a workspace of OpenClaw's may be this very home
            refused.append(LeftOut(note.where, "it is a note of this home"))
            continue
        kept = admit_note(note.text, rule)
        refused += [LeftOut(f"{note.where}, line {line}", refusal) for line, refusal in kept.refused]
        data = kept.text.encode("utf-8")
        if len(data) > MAX_NOTE_BYTES:
            refused.append(LeftOut(note.where, f"it is larger than {MAX_NOTE_BYTES:,} bytes"))
        elif data:
            if note.path and ctx.workspace.gate.is_owner and not _is_ours(note.path):
                path = note.path
            else:
                path = note_path(source.value, note.name, note.where, taken)
            planned = _plan_note(ctx, path, note.where, data, {name: known[0] for name, known in ours.items()})
            if planned.fate is Fate.CHANGED and ours[path][1] not in (reason, f"import from {source.value}"):
                conflict = f"{path} is there from another {ours[path][1]}; rename this one, or its folder"
                refused.append(LeftOut(note.where, conflict))
            else:
                notes.append(planned)
        elif not kept.refused:
            empty.append(LeftOut(note.where, "it is empty"))
    return facts, notes, refused, empty


def _without_twins(ctx: Context, notes: Sequence[PlannedNote]) -> tuple[list[PlannedNote], list[LeftOut]]:
    """The notes that can stand beside each other and beside what is there, and why the others can't.

    A name that differs from another only in case is the same file on some systems.
    """
    kept: list[PlannedNote] = []
    refused: list[LeftOut] = []
    first: dict[str, str] = {}
    for note in notes:
        other = first.setdefault(twin_key(note.path), note.where)
        if other != note.where:
            refused.append(LeftOut(note.where, f"it would be the same note as {other}; rename one of them"))
            continue
        try:
            if note.fate is Fate.NEW:
                ctx.workspace.refuse_unsafe(note_to_change(ctx.workspace, note.path))
        except TwinPath as error:
            refused.append(LeftOut(note.where, str(error)))
        else:
            kept.append(note)
    return kept, refused


def _plan_note(ctx: Context, path: str, where: str, data: bytes, ours: Mapping[str, str]) -> PlannedNote:
    try:
        held = ctx.workspace.read(path)
    except NoteNotFound:
        return PlannedNote(path, where, data, Fate.NEW)
    if held.data == data:
        return PlannedNote(path, where, data, Fate.SAME, held.hash)
    if path not in ours:
        return PlannedNote(path, where, data, Fate.OCCUPIED, held.hash)
    if ours[path] == held.hash:
        fate = Fate.CHANGED
    else:
        fate = Fate.EDITED
    return PlannedNote(path, where, data, fate, held.hash)


def _is_ours(path: str) -> bool:
    """Say whether Holdfast itself writes to a path: what somebody else wrote would be taken for what it means there."""
    return category_of(path) is not None or is_own_place(path)


def _earlier_imports(ctx: Context) -> dict[str, tuple[str, str]]:
    """Return what earlier imports wrote: the hash, and the reason that was given, by the path."""
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return {}
        with closing(changes(store, b'"tool":"import"')) as newest_first:
            written: dict[str, tuple[str, str]] = {}
            for change in newest_first:
                if change.tool == _TOOL and change.after is not None:
                    written.setdefault(change.path, (change.after, change.reason))
            return written


def _add_facts(ctx: Context, notes: Notes, facts: Sequence[FoundFact]) -> FactImport:
    return add_all(notes, facts, today(ctx), most=ctx.settings.facts.max)


def _as_it_is(ctx: Context, note: PlannedNote) -> PlannedNote:
    """The note with the fate it has by now: whoever changed it since the plan knows better."""
    if note.fate not in (Fate.NEW, Fate.CHANGED):
        return note
    try:
        held = ctx.workspace.read(note.path)
    except NoteNotFound:
        if note.fate is Fate.NEW:
            return note
        return note.replace(fate=Fate.EDITED)
    if held.hash == note.found:
        return note
    if held.data == note.data:
        return note.replace(fate=Fate.SAME)
    return note.replace(fate=Fate.OCCUPIED if note.fate is Fate.NEW else Fate.EDITED)


def _edit_of(step: Step) -> Edit:
    """The edit that makes a step where the note is what was looked at, and else raises NoteChangedOutside."""

    def edit(old: bytes | None) -> bytes | None:
        if old is None:
            found_hash = ""
        else:
            found_hash = hashlib.sha256(old).hexdigest()
        if found_hash != (step.expected_hash or ""):
            raise NoteChangedOutside(step.path, step.expected_hash or "", found_hash)
        return step.data

    return edit
