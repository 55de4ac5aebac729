"""dream: gather what was written and said, find what comes back, and put what is often asked for into MEMORY.md.

One run at a time. MEMORY.md and the report change as one, so that one command takes all of it back. A run that finds
nothing new changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final

from holdfast.context.context import Context
from holdfast.context.save_target import may_write, require_writable
from holdfast.dreaming.claim import Claim
from holdfast.dreaming.dream_change import NoteWrite, bytes_of, memory_bytes, write_run
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.dream_deep import plan
from holdfast.dreaming.dream_sources import daily_claims, spoken_claims, state_of
from holdfast.dreaming.light_phase import gather
from holdfast.dreaming.memory_lines import own_lines, with_changes
from holdfast.dreaming.rem_phase import patterns
from holdfast.dreaming.report import Dream, Found, report_path, section
from holdfast.errors import BadArgument, BadText, NoteChangedOutside, WriteModeRefused
from holdfast.facts.facts_book import today
from holdfast.facts.ids import new_id
from holdfast.guard.argument_types import display_value
from holdfast.guard.paths import changeable_path, writable_path
from holdfast.index.sqlite.signal_table import LineSighting, Ran, Signals, Verdict

__all__ = ["Phase", "dream", "phases_of"]

_ATTEMPTS: Final = 3


class Phase(StrEnum):
    """A part of a run."""

    LIGHT = "light"
    REM = "rem"
    DEEP = "deep"


def phases_of(names: Iterable[str] | None) -> tuple[Phase, ...]:
    """The phases that somebody named; all of them where nobody did."""
    wanted = tuple(Phase) if names is None else tuple(names)
    if isinstance(names, str) or not wanted or any(name not in list(Phase) for name in wanted):
        raise BadArgument("phases", f"{display_value(names)} is not a list of {', '.join(Phase)}")
    return tuple(map(Phase, wanted))


def dream(
    ctx: Context,
    *,
    phases: Collection[Phase] = tuple(Phase),
    dry_run: bool = False,
    give_way: Callable[[], bool] = lambda: False,
) -> Dream:
    """One run, or with `dry_run` what one would do; Busy where another one is at it.

    `give_way` is asked between the steps: where it says so, what is not done yet waits for another run.
    """
    if off := ctx.settings.memory.style.stops_memory:
        return Dream(new_id(()), today(ctx), dry_run=dry_run, because=off)
    if not dry_run:
        ctx.workspace.gate.require_any()
    with nullcontext() if dry_run else ctx.workspace.job_lock("dream"):
        return _dream(ctx, frozenset(phases), _Pace(ctx, give_way), dry_run=dry_run)


class _Pace:
    """Says how long a run may go on: until its time is over, or somebody comes."""

    def __init__(self, ctx: Context, give_way: Callable[[], bool]) -> None:
        self._clock, self._most = ctx.clock, ctx.settings.dreaming.max_seconds
        self._give_way, self._began = give_way, ctx.clock.monotonic()
        self.gave_way = self._late = False

    def disturbed(self) -> bool:
        """Say whether somebody has come since it began."""
        self.gave_way = self.gave_way or self._give_way()
        return self.gave_way

    def left(self) -> float:
        """Return how many seconds there are."""
        if self.disturbed():
            left = 0.0
        else:
            left = self._most - (self._clock.monotonic() - self._began)
        self._late = self._late or left <= 0
        return left

    @property
    def why(self) -> str:
        """The reason for which a run left something out, by what was asked so far; empty where it did not."""
        if self.gave_way:
            return "it gave way; the rest waits for another run"
        if not self._late:
            return ""
        return f"there was no time for all in {self._most} seconds"


def _dream(ctx: Context, phases: frozenset[Phase], pace: _Pace, *, dry_run: bool) -> Dream:
    day, signals, run = today(ctx), signals_of(ctx), new_id(())
    state = state_of(ctx, signals, day)
    done = Dream(run, day, dry_run=dry_run)
    seen: list[LineSighting] = []
    if Phase.LIGHT in phases:
        done = _light(ctx, signals, done, seen)
    if Phase.REM in phases and pace.left() > 0:
        done = _rem(ctx, signals, done, seen)
    if pace.disturbed():
        return Dream(run, day, dry_run=dry_run, because=pace.why, stopped=True)
    if not dry_run:
        signals.note(seen)
    deep = Phase.DEEP in phases and pace.left() > 0
    for attempt in range(1, _ATTEMPTS + 1):
        data = memory_bytes(ctx)
        dream, new = _deep(ctx, signals, seen, done, pace, data) if deep else (done, data)
        dream = dream.replace(because=_join_reasons(dream.because, pace.why), stopped=pace.gave_way)
        if dry_run:
            return dream
        try:
            dream = _write_run(ctx, dream, NoteWrite("MEMORY.md", data, new))
            break
        except NoteChangedOutside:  # decide once more, about what it is now
            if attempt == _ATTEMPTS:
                raise
    _decide(ctx, signals, dream, {line.id: line.claim.key for line in own_lines(data)})
    if not dream.stopped and phases == frozenset(Phase):
        signals.ran(Ran(ctx.clock.now(), frozenset() if pace.why or _is_left(dream) else state))
    return dream


def _is_left(done: Dream) -> bool:
    """Say whether there is something for another day although nothing new comes: the day's numbers were reached."""
    return any(
        candidate.outcome == "no room" or candidate.because.endswith("a day is the most")
        for candidate in done.candidates
    )


def _light(ctx: Context, signals: Signals, done: Dream, seen: list[LineSighting]) -> Dream:
    settings = ctx.settings.dreaming_light
    gathered = gather(
        _recent(ctx, done.day, settings.lookback_days),
        limit=settings.limit,
        similarity=settings.dedupe_similarity,
    )
    known = signals.seen([item.claim.key for item in gathered])
    seen += [LineSighting(item.claim.key, Phase.LIGHT.value, 1.0, ctx.clock.now()) for item in gathered]
    new = sum((item.claim.key, Phase.LIGHT.value) not in known for item in gathered)
    return done.replace(gathered=len(gathered), new=new)


def _rem(ctx: Context, signals: Signals, done: Dream, seen: list[LineSighting]) -> Dream:
    settings = ctx.settings.dreaming_rem
    patterns_found = patterns(
        _recent(ctx, done.day, settings.lookback_days), limit=settings.limit, min_strength=settings.min_strength
    )
    keys = {claim.key: pattern.strength for pattern in reversed(patterns_found) for claim in pattern.claims}
    known = signals.seen(keys)
    seen += [LineSighting(key, Phase.REM.value, strength, ctx.clock.now()) for key, strength in keys.items()]
    shown = [
        Found(pattern.centre.text, tuple(claim.place for claim in pattern.claims), len(pattern.days), pattern.strength)
        for pattern in patterns_found
    ]
    new = sum(any((claim.key, Phase.REM.value) not in known for claim in pattern.claims) for pattern in patterns_found)
    return done.replace(patterns=tuple(shown), new_patterns=new)


def _recent(ctx: Context, day: date, days: int) -> list[Claim]:
    return [*daily_claims(ctx, day, days), *spoken_claims(ctx, day, days)]


def _deep(
    ctx: Context, signals: Signals, seen: Sequence[LineSighting], done: Dream, pace: _Pace, data: bytes | None
) -> tuple[Dream, bytes | None]:
    """Return what becomes of each candidate, and of MEMORY.md as it is."""
    try:
        require_writable(ctx, writable_path("MEMORY.md"))
    except WriteModeRefused as refused:
        return done.replace(because=_join_reasons(done.because, str(refused).rstrip("."))), data
    deep_plan = plan(ctx, signals, seen, data, done.day, done.run, pace.left)
    if pace.disturbed():
        return done, data
    dream = done.replace(
        candidates=deep_plan.candidates,
        retired=deep_plan.retired,
        because=_join_reasons(done.because, deep_plan.because),
    )
    if done.dry_run or not deep_plan.changes:
        return dream, data
    try:
        gone = {*deep_plan.removed, *deep_plan.retired}
        return dream, with_changes(
            data, done.day, added=deep_plan.added, removed=gone, renewed=frozenset(deep_plan.renewed)
        )
    except BadText as error:
        kept = tuple(
            candidate
            for candidate in deep_plan.candidates
            if candidate.outcome in ("waiting", "refused", "below", "old")
        )
        because = _join_reasons(dream.because, str(error).rstrip("."))
        return dream.replace(candidates=kept, retired=(), because=because), data


def _decide(ctx: Context, signals: Signals, dream: Dream, keys: Mapping[str, str]) -> None:
    """Keep what became of each: nothing is promoted twice, and what a person then deletes stays deleted."""
    now = ctx.clock.now()
    names = {"promoted": "promoted", "superseded": "promoted", "merged": "promoted", "waiting": "proposed"}
    names["refused"] = "refused"
    signals.decide(
        [
            Verdict(
                candidate.claim,
                names[candidate.outcome],
                candidate.id,
                candidate.place.rpartition("#")[0],
                dream.run,
                now,
            )
            for candidate in dream.candidates
            if candidate.outcome in names
        ]
        + [Verdict(keys[line_id], "retired", line_id, "", dream.run, now) for line_id in dream.retired]
        + [
            Verdict(keys[gone], "replaced", gone, "", dream.run, now)
            for candidate in dream.of("superseded")
            for gone in candidate.replaced
            if gone in keys
        ]
    )
    signals.note(
        [
            LineSighting(candidate.claim, "no room", 1.0, now)
            for candidate in dream.candidates
            if candidate.outcome == "no room"
        ]
    )


def _write_run(ctx: Context, dream: Dream, memory: NoteWrite) -> Dream:
    """MEMORY.md, and the run's lines at the end of the day's report."""
    path = report_path(dream.day)
    old = new = bytes_of(ctx, path)
    if dream.changed:
        moment = datetime.fromtimestamp(ctx.clock.now(), UTC).astimezone()
        head = old or f"# Dreams of {dream.day.isoformat()}\n".encode()
        new = head + (b"\n" if head.endswith(b"\n") else b"\n\n") + section(dream, moment).encode()
    reports = may_write(ctx, changeable_path(path))
    writings = (memory, NoteWrite(path, old, new)) if reports else (memory,)
    changes, late = write_run(ctx, dream.run, writings)
    dream = dream.replace(
        checkpoint_ids=tuple(change.id for change in changes), because=_join_reasons(dream.because, late)
    )
    if dream.changed and not reports:
        mode = ctx.workspace.gate.mode
        return dream.replace(
            because=_join_reasons(dream.because, f'memory.agent_write_mode = "{mode}" keeps the report out')
        )
    if dream.changed:
        return dream.replace(report=path)
    return dream


def _join_reasons(*parts: str) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))
