"""The journal in pages: changes by who made them, how and when; and how many there were each day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date, datetime
from typing import Annotated, Any, Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import changes
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.checkpoints.group import changes_by_group
from holdfast.context.context import Context
from holdfast.context.save_target import recorded_path
from holdfast.context.session_visibility import can_read
from holdfast.context.user_profile import user_now, user_profile
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import check_choice
from holdfast.guard.origin import Origin
from holdfast.markdown.user_markdown import moment_in
from holdfast.operations.checkpoints_list import Checkpoints
from holdfast.operations.undo_check import UndoCheck
from holdfast.search.scope import day_named
from holdfast.value import Value

__all__ = ["MORE", "ChangesPage", "Day", "changes_by_day", "changes_page", "day_range"]

_MOST: Final = 1000  # changes of a page
_MOST_COMPARED: Final = 16 * 1024 * 1024  # bytes, some tenths of a second
_MOST_DAYS: Final = 400  # a year, and some to spare


class ChangesPage(Value):
    """Some changes, newest first; `next_before` is where the next page begins, None where there is none."""

    changes: tuple[Change, ...]
    next_before: int | None = None
    because: tuple[str | None, ...] = ()
    """For each of them why it can't be taken out of its notes, empty where it can; None where nobody has looked."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = Checkpoints(self.changes).to_json() | {"next_before": self.next_before}
        for row, because in zip(shown["checkpoints"], self.because, strict=False):
            if because is not None:
                row.update(undoable=not because, because=because)
        return shown


class Day(Value):
    """The changes of a day: how many, and of whom."""

    day: date
    origins: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"day": self.day.isoformat(), "changes": sum(self.origins.values()), "origins": self.origins}


def changes_page(
    ctx: Context,
    path: Annotated[str | None, "Only changes of this note."] = None,
    *,
    limit: Annotated[int, "How many, 1 to 1000."] = 20,
    before: Annotated[int | None, "Only changes older than the one with this `seq`."] = None,
    after: Annotated[int | None, "Only changes newer than the one with this `seq`."] = None,
    origin: Annotated[str | None, "Only changes that this origin made, or whose words are of it."] = None,
    tool: Annotated[str | None, "Only changes made by this tool."] = None,
    since: Annotated[str | None, "Only from this day on: 2026-03-05, 'last week', 10d."] = None,
    until: Annotated[str | None, "Only up to this day."] = None,
    undoable: Annotated[bool, "Also say of each whether it comes out of its notes, and why not."] = False,
) -> ChangesPage:
    """Return what was changed, newest first; `next_before` is where the next page begins."""
    if not 1 <= limit <= _MOST:
        raise BadArgument("limit", f"{limit} is not between 1 and {_MOST}")
    check_choice("origin", origin, Origin)
    note = recorded_path(ctx.workspace, path)
    on = _date_filter(ctx, since, until)

    def fits(change: Change) -> bool:
        return (
            (note is None or change.path == note)
            and (before is None or change.seq < before)
            and (origin is None or origin in (change.origin, change.author))
            and (tool is None or change.tool == tool)
            and on(change)
            and can_read(ctx, change.path)
        )

    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return ChangesPage(())
        with closing(changes(store)) as newest_first:
            page: list[Change] = []
            for change in newest_first:
                if after is not None and change.seq <= after:
                    break
                if fits(change):
                    page.append(change)
                if len(page) > limit:
                    break
        more = len(page) > limit
        shown = tuple(page[:limit])
        because = _why_not(ctx, store, shown) if undoable else ()
    return ChangesPage(shown, shown[-1].seq if more else None, because)


def _why_not(ctx: Context, store: CheckpointStore, page: Sequence[Change]) -> tuple[str | None, ...]:
    """Say for each change why it, with all that was made as one with it, can't be taken out; empty where it can.

    Large notes that were changed often would take long: of what is left then nothing is said.
    """
    back = UndoCheck(ctx, store)
    groups = changes_by_group(store, {change.group for change in page if change.group})
    said: dict[str, str | None] = {}
    for change in page:
        together = groups.get(change.group) or [change]
        key = change.group or change.id
        if key not in said:
            said[key] = back.why_not(together[::-1]) if back.compared < _MOST_COMPARED else None
    return tuple(said[change.group or change.id] for change in page)


def changes_by_day(
    ctx: Context,
    since: Annotated[str | None, "Only from this day on."] = None,
    until: Annotated[str | None, "Only up to this day."] = None,
) -> list[Day]:
    """Count the changes of each day on the user's calendar, oldest first; days without one are left out."""
    on, day_of = _date_filter(ctx, since, until), _calendar(ctx)
    counts: dict[date, Counter[str]] = {}
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return []
        with closing(changes(store)) as newest_first:
            for change in newest_first:
                day = day_of(change)
                if day is None or not on(change) or not can_read(ctx, change.path):
                    continue
                if day not in counts and len(counts) == _MOST_DAYS:
                    break
                counts.setdefault(day, Counter())[change.origin] += 1
    return [Day(day, dict(sorted(counts[day].items()))) for day in sorted(counts)]


MORE: Final = ("at", "before", "after", "undoes", "group", "step", "steps", "author")
"""What a list of changes leaves out unless it is asked for everything."""


def _calendar(ctx: Context) -> Callable[[Change], date | None]:
    zone = user_profile(ctx).timezone

    def day_of(change: Change) -> date | None:
        try:
            return moment_in(zone, change.at).date()
        except (OverflowError, ValueError, OSError):
            return None  # a clock gone wild has left no date

    return day_of


def day_range(ctx: Context, since: str | None, until: str | None, now: datetime) -> tuple[date | None, date | None]:
    """Return the first and the last day that `since` and `until` name; None where one is not given."""
    first, last = None, None
    if since is not None:
        first = day_named(since, now, first_weekday=ctx.first_weekday)
    if until is not None:
        last = day_named(until, now, last=True, first_weekday=ctx.first_weekday)
    return first, last


def _date_filter(ctx: Context, since: str | None, until: str | None) -> Callable[[Change], bool]:
    """Say whether a change was made from one day on and up to another, on the user's calendar."""
    if since is None and until is None:
        return lambda _: True
    now, day_of = user_now(ctx), _calendar(ctx)
    first, last = day_range(ctx, since, until, now)

    def on(change: Change) -> bool:
        day = day_of(change)
        return day is not None and (first is None or day >= first) and (last is None or day <= last)

    return on
