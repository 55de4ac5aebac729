"""What the owner says about a dream: approve or reject what waits, and take a whole run back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

from holdfast.checkpoints.change import Change, apply, settle
from holdfast.checkpoints.history import changes, stored_bytes
from holdfast.checkpoints.place import Place, for_writing
from holdfast.dreaming.consolidated import Addition, own_lines, with_changes
from holdfast.dreaming.deciding import Action, by_rules, said_on
from holdfast.dreaming.gates import refusal
from holdfast.dreaming.report import Candidate
from holdfast.errors import BadArgument, CheckpointNotFound, FactNotFound, NoteNotFound, NotPermitted, TooLarge
from holdfast.facts.ids import new_id
from holdfast.guard.origin import Origin
from holdfast.guard.paths import changeable, writable
from holdfast.index.sqlite.signals import Verdict
from holdfast.tools.dream import TOOL, memory_bytes, reason_of, signals_of, write_memory
from holdfast.tools.dream_reading import Reading
from holdfast.tools.facts_book import today
from holdfast.tools.rooms import Rooms
from holdfast.tools.targets import permitted
from holdfast.value import Value

__all__ = ["Approved", "RolledBack", "approve", "proposals", "reject", "roll_back"]

_OWNERS: Final = (Origin.USER, Origin.API)  # those that the command line and the library stamp


class Approved(Value):
    """A line that waited, and what became of it."""

    candidate: Candidate
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {**self.candidate.to_json(), "checkpointIds": list(self.checkpoint_ids)}


class RolledBack(Value):
    """A run that was taken back: the notes that are what they were, and those of which only its lines went."""

    run: str
    restored: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    """Notes that somebody changed since, and which were left alone."""
    checkpoint_ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "run": self.run,
            "restored": list(self.restored),
            "cleared": list(self.cleared),
            "kept": list(self.kept),
            "checkpointIds": list(self.checkpoint_ids),
        }


def proposals(rooms: Rooms) -> list[Candidate]:
    """The lines that wait for the owner, as their notes have them now; one that is gone waits no more."""
    reading, day = Reading(rooms), today(rooms)
    found: list[Candidate] = []
    for verdict in sorted(signals_of(rooms).verdicts().values(), key=lambda one: (one.at, one.id)):
        if verdict.verdict != "proposed":
            continue
        standing = reading.standing(verdict.claim, (verdict.path,), day)
        if standing is not None:
            claim = standing.claim
            found.append(
                Candidate(verdict.id, claim.text, claim.place, "waiting", "", standing.origin, claim=verdict.claim)
            )
    return found


def approve(rooms: Rooms, id: str) -> Approved:  # noqa: A002 - what the owner calls it
    """Put a line that waits into MEMORY.md, with its true origin."""
    _owner(rooms)
    permitted(writable("MEMORY.md"), rooms.settings.memory.agent_write_mode)
    waiting = _waiting(rooms, id)
    deep, day, run = rooms.settings.dreaming_deep, today(rooms), new_id(())
    why = refusal(waiting.text, deep.max_snippet_tokens)
    if why:
        raise BadArgument("id", f"{id} can't go into MEMORY.md: {why}")
    standing = Reading(rooms).standing(waiting.claim, (waiting.place.rpartition("#")[0],), day)
    assert standing is not None  # it was there just now
    with rooms.workspace.only_one("dream"):
        data = memory_bytes(rooms)
        lines = own_lines(data)
        decision = by_rules(standing.claim, lines)
        outcome, made = "merged", None
        if decision.action is not Action.MERGE:
            prior = decision.prior if decision.action is Action.SUPERSEDE else None
            mark = standing.claim.mark
            addition = Addition(
                waiting.text,
                waiting.id,
                standing.origin,
                standing.claim.place,
                run,
                said_on(mark, standing.claim.day) or day,
                mark.importance if mark is not None else None,
                (prior.id,) if prior is not None else (),
                "approved",
            )
            new = with_changes(data, day, added=(addition,), removed={prior.id} if prior is not None else ())
            most = rooms.settings.prompt.max_chars_per_file
            if new is not None and len(new.decode()) > most:
                raise TooLarge("MEMORY.md", len(new.decode()), most, "characters")
            made = write_memory(rooms, data, new, run)
            outcome = "superseded" if prior is not None else "promoted"
        path = waiting.place.rpartition("#")[0]
        signals_of(rooms).decide([Verdict(waiting.claim, "promoted", waiting.id, path, run, rooms.clock.now())])
    return Approved(waiting.replace(outcome=outcome), () if made is None else (made.id,))


def reject(rooms: Rooms, id: str) -> Approved:  # noqa: A002 - what the owner calls it
    """Let a line wait no more; it is not proposed again."""
    _owner(rooms)
    waiting = _waiting(rooms, id)
    path = waiting.place.rpartition("#")[0]
    signals_of(rooms).decide([Verdict(waiting.claim, "declined", waiting.id, path, "", rooms.clock.now())])
    return Approved(waiting.replace(outcome="declined"))


def roll_back(rooms: Rooms, run: str | None = None) -> RolledBack:
    """Take back what a run changed, the last one or a named one; what it promoted is not promoted again.

    A note that somebody has changed since is not overwritten: from MEMORY.md only the run's own lines go then, and
    those that it took out come back.
    """
    _owner(rooms)
    restored: list[str] = []
    cleared: list[str] = []
    kept: list[str] = []
    made: list[Change] = []
    with rooms.workspace.only_one("dream"):
        with rooms.workspace.lock(), for_writing(rooms.workspace) as place:
            settle(place)
            run, of_run = _changes_of(place, run)
            for change in of_run:
                now = _bytes(rooms, change.path)
                before = stored_bytes(place, change, change.before)
                if _hash(now) == change.after:
                    new, told = before, restored
                elif changeable(change.path).is_prompt_memory:
                    new, told = _without_run(rooms, now, before, run), cleared
                else:
                    kept.append(change.path)
                    continue
                told.append(change.path)
                made.append(
                    apply(
                        place,
                        changeable(change.path),
                        lambda _, new=new: new,  # type: ignore[misc]
                        origin=rooms.origin,
                        tool="undo",
                        reason=f"undid {reason_of(run)}",
                        expected_hash=_hash(now) or "",
                        clock=rooms.clock,
                        undoes=change.id,
                    )
                )
        for each in made:
            rooms.note_changed(each)
        signals, now_at = signals_of(rooms), rooms.clock.now()
        signals.decide(
            [
                one._replace(verdict="declined" if one.verdict == "promoted" else "promoted", at=now_at)
                for one in signals.verdicts().values()
                if one.run == run and one.verdict in ("promoted", "retired", "replaced")
            ]
        )
    return RolledBack(run, tuple(restored), tuple(cleared), tuple(kept), tuple(each.id for each in made))


def _changes_of(place: Place, run: str | None) -> tuple[str, list[Change]]:
    """The changes of a run that nobody took back yet, the newest first."""
    undone: set[str] = set()
    found: list[Change] = []
    with closing(changes(place)) as newest_first:
        for change in newest_first:
            if change.undoes is not None:
                undone.add(change.undoes)
            elif change.tool == TOOL and change.id not in undone:
                named = change.reason.partition(" ")[2]
                run = run or named
                if named == run:
                    found.append(change)
    if not found:
        raise CheckpointNotFound(f"dream {run}" if run else "dream")
    assert run is not None
    return run, found


def _without_run(rooms: Rooms, now: bytes | None, before: bytes | None, run: str) -> bytes | None:
    """MEMORY.md without the lines of a run that nobody edited, and with those again that it had taken out."""
    here: Mapping[str, object] = {line.id: line for line in own_lines(now)}
    gone = {line.id for line in own_lines(now) if line.run == run}
    back = [
        Addition(
            line.claim.text,
            line.id,
            line.claim.mark.origin,
            line.source,
            line.run,
            line.claim.mark.observed,
            line.claim.mark.importance,
            line.claim.mark.supersedes,
            line.claim.mark.rule,
        )
        for line in own_lines(before)
        if line.id not in here and line.claim.mark is not None
    ]
    return with_changes(now, today(rooms), added=back, removed=gone)


def _waiting(rooms: Rooms, id: str) -> Candidate:  # noqa: A002 - as above
    found = next((one for one in proposals(rooms) if one.id == id), None)
    if found is None:
        raise FactNotFound(f"No line {id!r} waits to be approved. `holdfast dream proposals` shows which do.")
    return found


def _owner(rooms: Rooms) -> None:
    if rooms.origin not in _OWNERS:
        raise NotPermitted("Only the owner decides about dreams: use `holdfast dream`.")


def _bytes(rooms: Rooms, path: str) -> bytes | None:
    try:
        return rooms.workspace.read(path).data
    except NoteNotFound:
        return None


def _hash(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
