"""dream: gather what was written and said, find what comes back, and put what is often asked for into MEMORY.md.

One run at a time. MEMORY.md and the report change through checkpoints that carry the run's name, so that one command
takes all of it back. A run that finds nothing new changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final

from holdfast.checkpoints.change import Change, change
from holdfast.dreaming.claim import Claim
from holdfast.dreaming.consolidated import own_lines, with_changes
from holdfast.dreaming.light import gather
from holdfast.dreaming.rem import patterns
from holdfast.dreaming.report import Dream, Found, report_path, section
from holdfast.errors import BadText, NoteChangedOutside, NoteNotFound, WriteModeRefused
from holdfast.facts.ids import new_id
from holdfast.guard.paths import changeable, writable
from holdfast.index.sqlite.signals import Seen, Signals, Verdict, signals_beside
from holdfast.settings.values import WriteMode
from holdfast.tools.dream_deep import Plan, plan
from holdfast.tools.dream_reading import daily_claims, said_claims
from holdfast.tools.facts_book import today
from holdfast.tools.rooms import Rooms
from holdfast.tools.targets import permitted

__all__ = ["TOOL", "Phase", "dream", "memory_bytes", "reason_of", "signals_of", "write_memory"]

TOOL: Final = "dream"
_ATTEMPTS: Final = 3


class Phase(StrEnum):
    """A part of a run."""

    LIGHT = "light"
    REM = "rem"
    DEEP = "deep"


def signals_of(rooms: Rooms) -> Signals:
    """What was asked for, and what became of it."""
    return Signals(signals_beside(rooms.index_path))


def reason_of(run: str) -> str:
    """What the checkpoints of a run say."""
    return f"dream {run}"


def memory_bytes(rooms: Rooms) -> bytes | None:
    """MEMORY.md as it is now."""
    try:
        return rooms.workspace.read(rooms.workspace.spot(writable("MEMORY.md")).path).data
    except NoteNotFound:
        return None


def dream(rooms: Rooms, *, phases: Collection[Phase] = tuple(Phase), dry_run: bool = False) -> Dream:
    """One run, or with `dry_run` what one would do; Busy where another one is at it."""
    mode = rooms.settings.memory.agent_write_mode
    if mode is WriteMode.OFF and not dry_run:
        raise WriteModeRefused(mode.value, "MEMORY.md")
    with nullcontext() if dry_run else rooms.workspace.only_one("dream"):
        return _dream(rooms, frozenset(phases), dry_run=dry_run)


def _dream(rooms: Rooms, phases: frozenset[Phase], *, dry_run: bool) -> Dream:
    began = rooms.clock.monotonic()
    day, signals, run = today(rooms), signals_of(rooms), new_id(())

    def left() -> float:
        return rooms.settings.dreaming.max_seconds - (rooms.clock.monotonic() - began)

    done = Dream(run, day, dry_run=dry_run)
    seen: list[Seen] = []
    if Phase.LIGHT in phases:
        done = _light(rooms, signals, done, seen)
    if Phase.REM in phases and left() > 0:
        done = _rem(rooms, signals, done, seen)
    if not dry_run:
        signals.note(seen)
    if Phase.DEEP in phases and left() > 0:
        done = _deep(rooms, signals, done, left)
    if left() <= 0:
        done = done.replace(because=_joined(done.because, "there was no time for all (dreaming.max_seconds)"))
    return done if dry_run or not done.changed else _told(rooms, done)


def _light(rooms: Rooms, signals: Signals, done: Dream, seen: list[Seen]) -> Dream:
    settings = rooms.settings.dreaming_light
    found = gather(
        _recent(rooms, done.day, settings.lookback_days),
        limit=settings.limit,
        similarity=settings.dedupe_similarity,
    )
    known = signals.seen([one.claim.key for one in found])
    seen += [Seen(one.claim.key, Phase.LIGHT.value, 1.0, rooms.clock.now()) for one in found]
    new = sum((one.claim.key, Phase.LIGHT.value) not in known for one in found)
    return done.replace(gathered=len(found), new=new)


def _rem(rooms: Rooms, signals: Signals, done: Dream, seen: list[Seen]) -> Dream:
    settings = rooms.settings.dreaming_rem
    found = patterns(
        _recent(rooms, done.day, settings.lookback_days), limit=settings.limit, min_strength=settings.min_strength
    )
    keys = {claim.key: one.strength for one in reversed(found) for claim in one.claims}
    known = signals.seen(keys)
    seen += [Seen(key, Phase.REM.value, strength, rooms.clock.now()) for key, strength in keys.items()]
    shown = [
        Found(one.centre.text, tuple(claim.place for claim in one.claims), len(one.days), one.strength) for one in found
    ]
    new = sum(any((claim.key, Phase.REM.value) not in known for claim in one.claims) for one in found)
    return done.replace(patterns=tuple(shown), new_patterns=new)


def _recent(rooms: Rooms, day: date, days: int) -> list[Claim]:
    return [*daily_claims(rooms, day, days), *said_claims(rooms, day, days)]


def _deep(rooms: Rooms, signals: Signals, done: Dream, left: Callable[[], float]) -> Dream:
    """Decide about MEMORY.md as it is, and write; where somebody changed it meanwhile, once more."""
    try:
        permitted(writable("MEMORY.md"), rooms.settings.memory.agent_write_mode)
    except WriteModeRefused as refused:
        return done.replace(because=_joined(done.because, str(refused).rstrip(".")))
    for attempt in range(_ATTEMPTS):
        data = memory_bytes(rooms)
        made = plan(rooms, signals, data, done.day, done.run, left)
        told = done.replace(
            candidates=made.candidates, retired=made.retired, because=_joined(done.because, made.because)
        )
        if done.dry_run:
            return told
        try:
            written = write_memory(rooms, data, _new_bytes(data, made, done), done.run) if made.changes else None
        except NoteChangedOutside:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        except BadText as error:
            kept = tuple(one for one in made.candidates if one.outcome in ("waiting", "refused", "below", "old"))
            told = told.replace(candidates=kept, retired=(), because=_joined(told.because, str(error).rstrip(".")))
            written, made = None, made._replace(added=(), removed=(), renewed=(), retired=())
        _decide(rooms, signals, told, {line.id: line.claim.key for line in own_lines(data)})
        return told if written is None else told.replace(checkpoint_ids=(written.id,))
    raise AssertionError("a loop that ends inside")


def _new_bytes(data: bytes | None, made: Plan, done: Dream) -> bytes | None:
    gone = {*made.removed, *made.retired}
    return with_changes(data, done.day, added=made.added, removed=gone, renewed=frozenset(made.renewed))


def write_memory(rooms: Rooms, data: bytes | None, new: bytes | None, run: str) -> Change | None:
    """Put new bytes in place of MEMORY.md for a run, if it still is what was read; None where nothing changes."""
    if new == data:
        return None
    written = change(
        rooms.workspace,
        writable("MEMORY.md"),
        lambda _: new,
        origin=rooms.origin,
        tool=TOOL,
        reason=reason_of(run),
        expected_hash="" if data is None else hashlib.sha256(data).hexdigest(),
        clock=rooms.clock,
    )
    rooms.note_changed(written)
    return written


def _decide(rooms: Rooms, signals: Signals, told: Dream, keys: Mapping[str, str]) -> None:
    """Keep what became of each: nothing is promoted twice, and what a person then deletes stays deleted."""
    now = rooms.clock.now()
    names = {"promoted": "promoted", "superseded": "promoted", "merged": "promoted", "waiting": "proposed"}
    names["refused"] = "refused"
    signals.decide(
        [
            Verdict(one.claim, names[one.outcome], one.id, one.place.rpartition("#")[0], told.run, now)
            for one in told.candidates
            if one.outcome in names
        ]
        + [Verdict(keys[one], "retired", one, "", told.run, now) for one in told.retired]
        + [
            Verdict(keys[gone], "replaced", gone, "", told.run, now)
            for one in told.of("superseded")
            for gone in one.replaced
            if gone in keys
        ]
    )
    signals.note([Seen(one.claim, "no room", 1.0, now) for one in told.candidates if one.outcome == "no room"])


def _told(rooms: Rooms, done: Dream) -> Dream:
    """The run's lines at the end of the day's report."""
    path = report_path(done.day)
    moment = datetime.fromtimestamp(rooms.clock.now(), UTC).astimezone()
    text = section(done, moment)

    def edit(old: bytes | None) -> bytes:
        head = old if old else f"# Dreams of {done.day.isoformat()}\n".encode()
        gap = b"\n" if head.endswith(b"\n") else b"\n\n"
        return head + gap + text.encode()

    made = change(
        rooms.workspace,
        changeable(path),
        edit,
        origin=rooms.origin,
        tool=TOOL,
        reason=reason_of(done.run),
        clock=rooms.clock,
    )
    late = rooms.note_changed(made)
    return done.replace(
        report=path, checkpoint_ids=(*done.checkpoint_ids, made.id), because=_joined(done.because, late)
    )


def _joined(*parts: str) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))
