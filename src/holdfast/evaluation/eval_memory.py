"""The memories that an evaluation searches: temporary homes with the settings as shipped, or the user's own."""

from __future__ import annotations

import os
from collections.abc import Mapping

from holdfast.clock import Clock, SystemClock
from holdfast.errors import HoldfastError, NotFound
from holdfast.evaluation.configurations import Way
from holdfast.evaluation.eval_run import Opening
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.homes import Homes
from holdfast.evaluation.sets import Collection
from holdfast.guard.text_rules import decode
from holdfast.memory import Memory, home_of
from holdfast.settings.embedding_settings import LocalModel
from holdfast.settings.loader import load
from holdfast.settings.settings import Settings

__all__ = ["in_own_home", "in_temporary_homes", "local_model", "notes_of", "quiet_settings"]

# The index was brought up to date just before: a look at the files would be timed, and find nothing. Nor does anybody
# want to be told in their sleep what an evaluation asked.
_QUIET: Mapping[str, object] = {
    "memory.sync.on_search": False,
    "memory.sync.on_session_start": False,
    "dreaming.mode": "off",
}


def local_model(name: str) -> dict[str, object]:
    """Return the settings that make a model on this machine answer.

    The model has a name, or is one of the owner's at a path.
    """
    if name in list(LocalModel):
        return {"memory.provider": "local", "memory.local.model_path": name}
    return {"memory.provider": "local", "memory.local.model_path": os.path.abspath(os.path.expanduser(name))}


def quiet_settings(home: str, settings: Mapping[str, object]) -> Settings:
    """Return the settings of a home of our own; neither the user's settings nor the environment have a say."""
    return load(home, environ={}, arguments={**settings, **_QUIET}).settings


def in_temporary_homes(homes: Homes, name: str, settings: Mapping[str, object]) -> Opening:
    """Open homes with a collection's notes; neither the user's settings nor the environment have a say."""

    def opening(collection: Collection, way: Way) -> Memory:
        home = homes.of(name, collection)
        held = quiet_settings(home, {**settings, **way.settings})
        if collection.asked is None:
            clock: Clock = SystemClock()
        else:
            clock = FixedClock(collection.asked)
        return Memory.open(home, settings=held, clock=clock)

    return opening


def in_own_home(home: str | None, agent: str, settings: Mapping[str, object]) -> Opening:
    """Return the user's home with the user's settings; nothing but its index is written."""
    place = home_of(home)
    if not os.path.isdir(place):
        raise NotFound(f"There is no home {place!r}. `holdfast init` makes one; --home names another.")

    def opening(collection: Collection, way: Way) -> Memory:  # noqa: ARG001 - the notes are in the home already
        return Memory.open(place, agent, {**settings, **way.settings, **_QUIET})

    return opening


def notes_of(memory: Memory) -> dict[str, str]:
    """Return every note of a memory that can be read, by its path."""
    notes: dict[str, str] = {}
    workspace = memory.ctx.workspace
    with workspace.reader() as read:
        for found in workspace.walk().found:
            try:
                notes[found.path] = decode(read(found).data)
            except HoldfastError:  # what the index skips is skipped here too; `holdfast status` says why
                continue
    return notes
