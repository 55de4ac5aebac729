"""Do what the owner says about a dream: approve or reject what waits, and take a whole run back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing, suppress
from typing import Annotated, Any, ClassVar, Final

from holdfast.approval.prompt_gate import APPROVAL_TOOL, asks_owner
from holdfast.checkpoints.change import Change, digest_of
from holdfast.checkpoints.change_history import before_bytes, changes, find_change, stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.save_target import require_writable
from holdfast.dreaming.claim import Claim, claims_in
from holdfast.dreaming.dream_change import TOOL, NoteWrite, apply_run, bytes_of, memory_bytes, reason_of
from holdfast.dreaming.dream_counts import held_signals, signals_of
from holdfast.dreaming.dream_sources import SourceReader, text_of
from holdfast.dreaming.memory_lines import Addition, Line, lines_in, own_lines, with_changes
from holdfast.dreaming.merge_decision import Action, by_rules, last_said_day
from holdfast.dreaming.report import Candidate
from holdfast.dreaming.run_revert import without_run
from holdfast.errors import CheckpointNotFound, FactNotFound, NotPermitted
from holdfast.facts.fact_insert import all_facts
from holdfast.facts.facts_book import read_notes, today
from holdfast.facts.ids import new_id
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX, readable_path, writable_path
from holdfast.index.sqlite.signal_table import Verdict
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.fact_row import category_of
from holdfast.named_tuple import NamedTuple
from holdfast.value import Shown, Value

__all__ = [
    "Approved",
    "RolledBack",
    "approve",
    "ask_again",
    "decline",
    "declined_claims",
    "proposals",
    "reject",
    "roll_back",
    "wait_again",
    "with_approved",
]

_OWNERS: Final = (Origin.USER, Origin.API)  # those that the command line and the library stamp
_APPROVED: Final = "approved"
_WENT_IN: Final = ("promoted", _APPROVED)
_WITHDRAWN: Final = "withdrawn"
"""The verdict about a line that a run proposed which was taken back: it neither waits nor is proposed again."""


class Approved(Value):
    """A line that waited, and what became of it."""

    candidate: Candidate
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {**self.candidate.to_json(), "checkpointIds": list(self.checkpoint_ids)}


class RolledBack(Shown):
    """A run that was taken back: the notes that are what they were, and those of which only its lines went."""

    run: str
    restored: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Notes that somebody changed since, and which were left alone."""
    stays_out: int = 0
    """How many lines the run had taken out that do not come back: forgotten by now, or another has their place."""
    checkpoint_ids: tuple[str, ...] = ()

    renamed: ClassVar = {"stays_out": "staysOut"}


def proposals(ctx: Context) -> list[Candidate]:
    """The lines that wait for the owner, as their notes have them now; one that is gone waits no more."""
    verdicts = held_signals(ctx).verdicts()
    if not any(verdict.verdict == "proposed" for verdict in verdicts.values()):
        return []
    reading, day = SourceReader(ctx), today(ctx)
    candidates: list[Candidate] = []
    there = {line.claim.key for line in lines_in(memory_bytes(ctx))}  # where taking an approval back was taken back
    for verdict in sorted(verdicts.values(), key=lambda row: (row.at, row.id)):
        if verdict.verdict != "proposed" or verdict.claim in there:
            continue
        standing = reading.standing(verdict.claim, (verdict.path,), day)
        if standing is not None:
            claim = standing.claim
            candidates.append(
                Candidate(verdict.id, claim.text, claim.place, "waiting", "", standing.origin, claim=verdict.claim)
            )
    return candidates


def approve(ctx: Context, id: str, words: str | None = None) -> Approved:  # noqa: A002 - what the owner calls it
    """Put a line that waits into MEMORY.md, with its true origin; or other words for it, which are the owner's."""
    _owner(ctx)
    require_writable(ctx, writable_path("MEMORY.md"))
    day, run = today(ctx), new_id(())
    # One run of dreaming at a time; and inside, one decision: what is rejected or approved just now waits no more.
    with ctx.workspace.job_lock("dream"), locked_store(ctx.workspace) as store:
        waiting = _find_proposal(ctx, id)
        path = waiting.place.rpartition("#")[0]
        standing = SourceReader(ctx).standing(waiting.claim, (path,), day)
        if standing is None:  # an editor asks for no lock
            raise _no_proposal(id)
        claim, origin = standing.claim, standing.origin
        if words is not None:
            line = " ".join(words.split())  # such a line of MEMORY.md is one line
            claim, origin = Claim(key_of(line), line, claim.path, claim.line, day=claim.day), ctx.origin
            waiting = waiting.replace(text=line, origin=origin)
        data = memory_bytes(ctx)
        new, outcome = with_approved(ctx, data, claim, origin, waiting.id, run)
        changes = apply_run(ctx, store, run, (NoteWrite("MEMORY.md", data, new),))
        held_signals(ctx).decide([Verdict(waiting.claim, _APPROVED, waiting.id, path, run, ctx.clock.now())])
    ctx.notes_changed(changes)
    return Approved(waiting.replace(outcome=outcome), tuple(change.id for change in changes))


def with_approved(
    ctx: Context,
    data: bytes | None,
    claim: Claim,
    origin: Origin | None,
    id: str,  # noqa: A002 - as above
    run: str,
) -> tuple[bytes | None, str]:
    """MEMORY.md with a line that the owner approved, and what became of it: promoted, superseded or merged."""
    decision = by_rules(claim, own_lines(data))
    if decision.action is Action.MERGE:
        return data, "merged"
    prior = None
    if decision.action is Action.SUPERSEDE:
        prior = decision.prior
    day, mark = today(ctx), claim.mark
    addition = Addition(
        claim.text,
        id,
        origin,
        claim.place,
        run,
        last_said_day(mark, claim.day) or day,
        mark.importance if mark is not None else None,
        (prior.id,) if prior is not None else (),
        "approved",
    )
    new = with_changes(data, day, added=(addition,), removed={prior.id} if prior is not None else ())
    return new, "superseded" if prior is not None else "promoted"


def wait_again(ctx: Context, undone: Change) -> None:
    """Follow an `undo` or `restore`: what was approved waits again, and what a run proposed that is gone does not.

    Neither is a rejection; and where it is a rollback that was taken back, what it withdrew waits again.
    The caller holds the lock, so that nobody decides about the same in between.
    """
    if undone.tool == APPROVAL_TOOL:
        _unreject(ctx, undone)
        return
    first, is_back = undone, False
    with suppress(CheckpointNotFound):  # so old that it was cleared away
        while first.undoes is not None:
            first, is_back = find_change(ctx.workspace, first.undoes), not is_back
    if first.tool != TOOL:
        return
    run = _run_of(first)
    if is_back:
        _reconsider(ctx, run, _WITHDRAWN, "proposed")
        return
    signals, now = held_signals(ctx), ctx.clock.now()
    approved = [
        verdict for verdict in signals.verdicts().values() if verdict.run == run and verdict.verdict == _APPROVED
    ]
    _reconsider(ctx, run, "proposed", _WITHDRAWN)
    signals.decide([verdict._replace(verdict="proposed", run="", at=now) for verdict in approved])


def _reconsider(ctx: Context, run: str, old: str, new: str) -> None:
    """Put one verdict in the place of another, for the lines of a run that have it."""
    signals, now = held_signals(ctx), ctx.clock.now()
    lines = [verdict for verdict in signals.verdicts().values() if verdict.run == run and verdict.verdict == old]
    signals.decide([verdict._replace(verdict=new, at=now) for verdict in lines])


def _run_of(change: Change) -> str:
    return change.reason.partition(" ")[2]


def _unreject(ctx: Context, undone: Change) -> None:
    """Ask about an entry of the inbox again, where its rejection was taken back."""
    from holdfast.approval.inbox_note import items_in, rejection_key

    texts = {item.entry.text for item in items_in(before_bytes(ctx.workspace, undone))}
    signals = held_signals(ctx)
    known = signals.verdicts()
    keys = [key for key in map(rejection_key, texts) if key in known and known[key].verdict == "declined"]
    signals.decide([known[key]._replace(verdict="asked again", at=ctx.clock.now()) for key in keys])


def reject(ctx: Context, id: str) -> Approved:  # noqa: A002 - what the owner calls it
    """Let a line wait no more; it is not proposed again."""
    _owner(ctx)
    with ctx.workspace.lock():  # as in `approve`
        waiting = _find_proposal(ctx, id)
        decline(ctx, waiting.claim, waiting.id, waiting.place.rpartition("#")[0])
    return Approved(waiting.replace(outcome="declined"))


def ask_again(
    ctx: Context,
    id: Annotated[str, "The id of an entry that waited."],  # noqa: A002 - what the owner calls it
) -> Approved:
    """Let a line wait again that was rejected: nothing was written then, so no checkpoint takes that back."""
    _owner(ctx)
    signals = held_signals(ctx)
    with ctx.workspace.lock():  # as in `approve`
        known = signals.verdicts().values()
        rejected = next(
            (line for line in known if line.id == id and line.verdict == "declined" and line.path != INBOX), None
        )
        if rejected is None:
            raise FactNotFound(f"No line {id!r} was rejected that dreaming had proposed.")
        signals.decide([rejected._replace(verdict="proposed", at=ctx.clock.now())])
    return Approved(_find_proposal(ctx, id))


def decline(ctx: Context, claim: str, id: str, path: str) -> None:  # noqa: A002 - as above
    """Remember that the owner does not want a claim in MEMORY.md; only its hash is kept."""
    held_signals(ctx).decide([Verdict(claim, "declined", id, path, "", ctx.clock.now())])


def declined_claims(ctx: Context, claims: Collection[str]) -> frozenset[str]:
    """Return those of these claims that the owner does not want in MEMORY.md."""
    verdicts = held_signals(ctx).verdicts()
    return frozenset(claim for claim in claims if claim in verdicts and verdicts[claim].verdict == "declined")


def roll_back(ctx: Context, run: str | None = None) -> RolledBack:
    """Take back what a run changed, the last one or a named one; what it promoted or proposed is not so again.

    A note that somebody has changed since is not overwritten: from MEMORY.md only the run's own lines go then, and
    those that it took out come back. What was forgotten since stays gone.
    """
    _owner(ctx)
    undone: list[_Undone] = []
    with ctx.workspace.job_lock("dream"):
        with locked_store(ctx.workspace) as store:
            run, of_run = _changes_of(store, run)
            if asks_owner(ctx) and any(change.origin == Origin.USER for change in of_run):
                raise NotPermitted("Only the owner takes back what the owner approved; ask them to do it.")
            undone = [_undo_change(ctx, store, change, run) for change in of_run]
            steps = [undo.step for undo in undone]
            reason = f"undid {reason_of(run)}"
            changes = apply_group(store, steps, ctx.authorship("undo", reason))
        out = {line for undo in undone for line in undo.out}
        ctx.notes_changed(changes)
        signals, now_at = signals_of(ctx), ctx.clock.now()
        signals.decide(
            [
                verdict._replace(verdict="declined" if verdict.verdict in _WENT_IN else "promoted", at=now_at)
                for verdict in signals.verdicts().values()
                if verdict.run == run
                and verdict.verdict in (*_WENT_IN, "retired", "replaced")
                and verdict.id not in out
            ]
        )
        _reconsider(ctx, run, "proposed", _WITHDRAWN)
    restored, cleared, kept = (
        tuple(undo.step.path for undo in undone if undo.outcome == outcome)
        for outcome in ("restored", "cleared", "kept")
    )
    return RolledBack(run, restored, cleared, kept, len(out), tuple(change.id for change in changes))


class _Undone(NamedTuple):
    """The step that takes a change of a run back: the note is restored, cleared of the run's lines, or kept."""

    step: Step
    outcome: str
    out: Collection[str] = ()
    """The ids of lines that the run took out and that do not come back."""


def _undo_change(ctx: Context, store: CheckpointStore, change: Change, run: str) -> _Undone:
    now = bytes_of(ctx, change.path)
    before = stored_bytes(store, change, change.before)
    found = digest_of(now)
    is_untouched = found == change.after
    if readable_path(change.path).is_prompt_memory:
        after = now
        if not is_untouched:
            after = stored_bytes(store, change, change.after)
        undone = without_run(now, before, after, run, today(ctx), _truth_check(ctx))
        outcome = "cleared"
        if undone.whole:
            outcome = "restored"
        return _Undone(Step(change.path, undone.data, found or "", change.id), outcome, undone.out)
    if is_untouched:
        return _Undone(Step(change.path, before, found or "", change.id), "restored")
    # A step all the same: the next rollback is about the run before.
    return _Undone(Step(change.path, now, found or "", change.id), "kept")


def _changes_of(store: CheckpointStore, run: str | None) -> tuple[str, list[Change]]:
    """The changes of a run that nobody took back yet, the newest first."""
    undone: set[str] = set()
    changes_found: list[Change] = []
    with closing(changes(store)) as newest_first:
        for change in newest_first:
            if change.undoes is not None:
                if change.id not in undone:  # a rollback that was itself taken back leaves the run as it was
                    undone.add(change.undoes)
            elif change.tool == TOOL and change.id not in undone:
                named = _run_of(change)
                run = run or named
                if named == run:
                    changes_found.append(change)
    if not changes_found:
        raise CheckpointNotFound(f"dream {run}" if run else "last change")
    assert run is not None
    return run, changes_found


def _truth_check(ctx: Context) -> Callable[[Line], bool]:
    """Say whether what a line of MEMORY.md was taken from still says so; a fact that lost its place does."""
    keys: dict[str, frozenset[str]] = {}
    notes, damaged = read_notes(ctx)
    of_facts = frozenset(
        key_of(text) for fact in all_facts(notes) for text in (fact.text, fact.text.partition("\n")[0])
    )

    def is_told(line: Line) -> bool:
        path = line.source.rpartition("#")[0]
        if category_of(path) is not None:
            return bool(damaged) or line.claim.key in of_facts  # a note that can't be read has forgotten nothing
        if path not in keys:
            keys[path] = frozenset(claim.key for claim in claims_in(text_of(ctx, path) or "", path))
        return line.claim.key in keys[path]

    return is_told


def _find_proposal(ctx: Context, id: str) -> Candidate:  # noqa: A002 - as above
    proposal = next((candidate for candidate in proposals(ctx) if candidate.id == id), None)
    if proposal is None:
        raise _no_proposal(id)
    return proposal


def _no_proposal(id: str) -> FactNotFound:  # noqa: A002 - as above
    return FactNotFound(f"No line {id!r} waits to be approved. `holdfast inbox` shows which do.")


def _owner(ctx: Context) -> None:
    if ctx.origin not in _OWNERS:
        raise NotPermitted("Only the owner decides about dreams; ask them to do it.")
