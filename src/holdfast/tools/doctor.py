"""doctor: every check that can say something is wrong, with the way to mend it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from holdfast.clock import SystemClock
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.guard.text import admit, decode
from holdfast.notes.workspace import Workspace
from holdfast.settings.load import load
from holdfast.settings.values import Settings
from holdfast.tools.rooms import Rooms

__all__ = ["Check", "doctor"]

_SHOWN = 3


class Check(NamedTuple):
    """One check: what was looked at, whether it is well, what was seen, and what to do."""

    name: str
    ok: bool
    detail: str = ""
    remedy: str = ""


def doctor(home: str, agent: str) -> list[Check]:
    """Run every check; one that fails does not keep the others from running."""
    settings, first = _settings(home)
    try:
        workspace = Workspace.open(home, agent, extra_paths=settings.memory.extra_paths)
    except HoldfastError as error:
        return [first, Check("home", ok=False, detail=str(error), remedy="choose another home with --home")]
    rooms = Rooms(settings, workspace, SystemClock(), Origin.USER)
    try:
        return [first, _home(workspace), *_notes(rooms), *_index(rooms), _checkpoints(rooms)]
    finally:
        rooms.close()


def _settings(home: str) -> tuple[Settings, Check]:
    try:
        loaded = load(home)
    except HoldfastError as error:
        return Settings(), Check(
            "settings", ok=False, detail=str(error), remedy="mend it, or `holdfast config unset` it"
        )
    changed = sum(source != "default" for source in loaded.sources.values())
    return loaded.settings, Check("settings", ok=True, detail=f"{changed} changed from the default")


def _home(workspace: Workspace) -> Check:
    mode = os.stat(workspace.home).st_mode & 0o077
    if mode & 0o022:
        return Check("home", ok=False, detail=f"others may write to {workspace.home}", remedy="chmod go-w the home")
    return Check("home", ok=True, detail=workspace.home)


def _notes(rooms: Rooms) -> Iterator[Check]:
    walk = rooms.workspace.walk()
    yield Check("notes", ok=True, detail=f"{len(walk.found):,} found")
    bad: list[str] = [f"{one.path}: {one.why}" for one in walk.skipped]
    odd: list[str] = []
    with rooms.workspace.reader() as read:
        for found in walk.found:
            try:
                text = decode(read(found).data)
            except HoldfastError as error:
                bad.append(f"{found.path}: {error}")
                continue
            try:
                admit(text, found.path)
            except HoldfastError as error:
                odd.append(str(error))
    if bad:
        yield Check(
            "skipped", ok=False, detail="; ".join(bad[:_SHOWN]), remedy="`holdfast status --json` lists them all"
        )
    if odd:
        yield Check(
            "hidden characters", ok=False, detail="; ".join(odd[:_SHOWN]), remedy="open the note and remove them"
        )


def _index(rooms: Rooms) -> Iterator[Check]:
    if not os.path.exists(rooms.index_path):
        yield Check("index", ok=True, detail="none yet", remedy="`holdfast index` builds it")
        return
    try:
        problems = rooms.database.check()
        aside = rooms.database.set_aside
    except HoldfastError as error:
        yield Check("index", ok=False, detail=str(error), remedy="delete the file; nothing is lost")
        return
    if aside:
        yield Check("index", ok=False, detail=f"it was damaged; set aside as {aside}", remedy="`holdfast index`")
    else:
        remedy = "`holdfast index --force` builds it anew" if problems else ""
        yield Check("index", ok=not problems, detail="; ".join(problems[:_SHOWN]) or "whole", remedy=remedy)


def _checkpoints(rooms: Rooms) -> Check:
    from holdfast.checkpoints.verify import verify

    problems = [f"{one.subject}: {one.why}" for one in verify(rooms.workspace)]
    remedy = "the notes are not affected; `holdfast history` shows what can still be restored" if problems else ""
    return Check("checkpoints", ok=not problems, detail="; ".join(problems[:_SHOWN]) or "whole", remedy=remedy)
