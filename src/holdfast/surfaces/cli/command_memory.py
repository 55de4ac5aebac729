"""The memory a command works on, as its arguments and the environment name it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final

from holdfast.errors import BadArgument, HomeNotFound, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.memory import Memory

__all__ = [
    "DATABASE",
    "agent_exists",
    "agent_of",
    "database_of",
    "home_begun",
    "must_exist",
    "named_agent",
    "near_agents",
    "open_memory",
    "refuse_mistyped_home",
    "tell_of_damage",
]

DATABASE: Final = "HOLDFAST_DATABASE"


def agent_of(args: argparse.Namespace) -> str:
    """The agent that was named, else `HOLDFAST_AGENT`, else main."""
    named = named_agent(args)
    if named is None:
        return "main"
    return named


def named_agent(args: argparse.Namespace) -> str | None:
    """The agent that the arguments or else the environment name, where one does; an empty `--agent` is no name."""
    if args.agent is not None:
        return agent_id(args.agent)
    return os.environ.get("HOLDFAST_AGENT") or None


def agent_exists(args: argparse.Namespace) -> bool:
    """Return whether the agent that the arguments name has a folder in the home; `main` has the home itself."""
    from holdfast.memory import home_of
    from holdfast.notes.layout import MAIN, root_parts

    return args.agent == MAIN or os.path.isdir(os.path.join(home_of(args.home), *root_parts(args.agent)))


def home_begun(args: argparse.Namespace) -> bool:
    """Return whether a home, or notes at least, are in the directory that the arguments or the environment name."""
    from holdfast.settings.home_path import FILE_NAME, home_of

    home = home_of(args.home)
    return any(os.path.lexists(os.path.join(home, name)) for name in ("state", FILE_NAME, "MEMORY.md", "memory"))


def near_agents(home: str, agent: str) -> list[str]:
    """The agents of a home that are called nearly so, the nearest first."""
    from difflib import get_close_matches

    from holdfast.notes.layout import MAIN

    try:
        others = sorted(os.listdir(os.path.join(home, "agents")))
    except OSError:
        others = []
    return get_close_matches(agent, [name for name in dict.fromkeys((MAIN, *others)) if name != agent])


def open_memory(
    args: argparse.Namespace, settings: Mapping[str, object] | None = None
) -> AbstractContextManager[Memory]:
    """Open it, with settings that options name; what is written from the command line is written by the user."""
    from holdfast.memory import Memory

    if getattr(args, "tenant", None) is not None:
        return _opened_tenant(args, settings)
    refuse_mistyped_home(args)
    return Memory.open(args.home, agent_of(args), settings, origin=Origin.USER)


@contextmanager
def _opened_tenant(args: argparse.Namespace, settings: Mapping[str, object] | None) -> Iterator[Memory]:
    """Open the memory of a tenant. Its index is made for this command alone: no server clears this machine later."""
    import tempfile

    from holdfast.memory import Memory
    from holdfast.postgres.migration import check_schema
    from holdfast.postgres.postgres_pool import PostgresPool

    if args.home is not None:
        raise BadArgument("--tenant", "a tenant's notes are in a database, and in no home; leave --home out")
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-") as cache,
        PostgresPool.open(database_of(args), application="holdfast", most=2) as pool,
    ):
        check_schema(pool)
        with Memory.open_team(pool, args.tenant, agent_of(args), settings, cache=cache, origin=Origin.USER) as memory:
            yield memory


def database_of(args: argparse.Namespace) -> str:
    """Return the address of the database that the arguments or else the environment name."""
    dsn = args.database or os.environ.get(DATABASE) or ""
    if not dsn:
        raise BadArgument("--database", f"name the database, postgresql://USER@HOST/NAME, or set {DATABASE}")
    return str(dsn)


def refuse_mistyped_home(args: argparse.Namespace) -> None:
    """Raise HomeNotFound where --home names no home; only `init` makes one there, and `import --restore`.

    The home of the environment, or the default, is not typed each time: where it is not there yet, it is new.
    """
    from holdfast.settings.home_path import home_of

    if args.home is None or args.command == "init" or getattr(args, "restore", False):
        return
    home = home_of(args.home)
    try:
        os.stat(home)
    except FileNotFoundError:
        raise HomeNotFound(home) from None
    except OSError:
        return  # opening it says what is wrong


def must_exist(memory: Memory, path: str, *, folders: bool = False) -> None:
    """Raise NoteNotFound, with notes of nearly that name, unless there is such a note; or folder, with `folders`."""
    from holdfast.context.near_notes import near_notes, place_exists
    from holdfast.guard.paths import readable_path

    ctx = memory.ctx
    kind = "note"
    if folders:
        kind = "note or folder"
        is_there = place_exists(ctx, path)
    elif path.startswith("/"):
        is_there = ctx.workspace.exists(path)
    else:
        is_there = ctx.workspace.exists(readable_path(path))
    if not is_there:
        raise NoteNotFound(path, near_notes(ctx, path, folders=folders), kind)


def tell_of_damage(memory: Memory, console: Console) -> None:
    """Say so, in one line each, when this command found the index or the sessions' state damaged and began another."""
    ctx = memory.ctx
    if "state_store" in ctx.__dict__:
        kept = ctx.state_store.set_aside
    else:
        kept = ""
    if kept:
        console.note(
            f"What sessions keep for themselves was damaged; it is set aside as {kept}, and begun anew. "
            "Transcripts and notes are not affected."
        )
    # Asking for the database would make one where there is none.
    aside = None
    if os.path.exists(memory.ctx.index_path):
        aside = memory.ctx.database.set_aside
    if aside:
        console.note(
            f"The index was damaged; it is set aside as {aside}. Nothing is lost: a new one is made from the notes."
        )
