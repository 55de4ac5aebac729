"""The memory a command works on, as its arguments and the environment name it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.errors import NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.memory import Memory

__all__ = ["agent_of", "must_exist", "named_agent", "opened", "tell_of_damage"]


def agent_of(args: argparse.Namespace) -> str:
    """The agent that was named, else `HOLDFAST_AGENT`, else main."""
    return named_agent(args) or "main"


def named_agent(args: argparse.Namespace) -> str | None:
    """The agent that the arguments or else the environment name, where one does."""
    return args.agent or os.environ.get("HOLDFAST_AGENT") or None


def opened(args: argparse.Namespace, settings: Mapping[str, object] | None = None) -> Memory:
    """Open it, with settings that options name; what is written from the command line is written by the user."""
    from holdfast.memory import Memory

    return Memory.open(args.home, agent_of(args), settings, origin=Origin.USER)


def must_exist(memory: Memory, path: str) -> None:
    """Say that there is no such note, instead of that nothing happened to it."""
    from holdfast.guard.paths import readable

    if not memory.rooms.workspace.exists(readable(path)):
        raise NoteNotFound(path)


def tell_of_damage(memory: Memory, console: Console) -> None:
    """Say so, in one line each, when this command found the index or the sessions' state damaged and began another."""
    rooms = memory.rooms
    kept = rooms.state_store.file.set_aside if "state_store" in rooms.__dict__ else ""
    if kept:
        console.note(
            f"What sessions keep for themselves was damaged; it is set aside as {kept}, and begun anew. "
            "Transcripts and notes are not affected."
        )
    # Asking for the database would make one where there is none.
    aside = memory.rooms.database.set_aside if os.path.exists(memory.rooms.index_path) else None
    if aside:
        console.note(
            f"The index was damaged; it is set aside as {aside}. Nothing is lost: a new one is made from the notes."
        )
