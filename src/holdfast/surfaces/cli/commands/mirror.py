"""`holdfast sync`"""

from __future__ import annotations

import argparse
import os
import threading
from contextlib import closing
from typing import TYPE_CHECKING

from holdfast.errors import DatabaseAway
from holdfast.surfaces.cli.command_memory import DATABASE, agent_of, database_of
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.postgres.directory_sync import DirectorySync, SyncPass
    from holdfast.postgres.postgres_workspace import PostgresWorkspace

EXAMPLES = """\
  holdfast sync notes --tenant acme --database postgresql://holdfast_server@db.example.org/memory
  holdfast sync notes --tenant acme --once
  holdfast sync notes --tenant acme --once --keep mine
"""
MAY_BEGIN_HOME = True
_POLL_SECONDS = 2.0  # between two looks at whether the database has changed


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which directory, and whose notes."""
    parser.add_argument("directory", metavar="DIR", help="has the same tree as a home: MEMORY.md, memory/…")
    parser.add_argument("--tenant", metavar="ID", required=True, help="whose notes")
    parser.add_argument("--database", metavar="URL", help=f"postgresql://USER@HOST/NAME (default: {DATABASE})")
    parser.add_argument("--once", action="store_true", help="one pass, without watching both sides")
    parser.add_argument(
        "--keep",
        choices=("neither", "mine", "theirs"),
        default="neither",
        help="what holds where both sides changed: the directory's, the database's, or neither (default)",
    )
    parser.add_argument("--yes", action="store_true", help="also where most of the notes are gone from one side")


def run(args: argparse.Namespace, console: Console) -> int:
    """Sync once, or until Ctrl-C."""
    import tempfile

    from holdfast.clock import SystemClock
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.postgres.directory_sync import DirectorySync
    from holdfast.postgres.migration import check_schema
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.postgres.postgres_workspace import PostgresWorkspace

    dsn = database_of(args)
    place, agent = os.path.abspath(os.path.expanduser(args.directory)), agent_of(args)
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-") as cache,
        PostgresPool.open(dsn, application="holdfast sync", most=2) as pool,
    ):
        check_schema(pool)
        with (
            closing(PostgresWorkspace.open(pool, args.tenant, agent, cache=cache)) as remote,
            FileWorkspace.open(place, agent) as local,
        ):
            sync = DirectorySync(remote, local, SystemClock())
            done = _pass(sync, args)
            _tell(done, console)
            if not args.once:
                _follow(sync, remote, local, args, console)
    if args.once and (done.conflicts or done.refused):
        return 1
    return 0


def _pass(sync: DirectorySync, args: argparse.Namespace) -> SyncPass:
    from holdfast.postgres.directory_sync import Keep

    return sync.run(keep=Keep(args.keep), many=args.yes)


def _tell(done: SyncPass, console: Console) -> None:
    from holdfast.postgres.directory_sync import conflict_hints

    if console.as_json:
        console.json({name: list(getattr(done, name)) for name in done.fields})
        console.finish()
        return
    for verb, paths in (
        ("wrote", done.written),
        ("removed", done.removed),
        ("saved", done.saved),
        ("removed in the database", done.removed_there),
    ):
        for path in paths:
            console.line(f"{verb} {path}")
    for path, why in done.refused:
        console.note(f"{path} was left as it is: {why}")
    for hint in conflict_hints(done):
        console.note(hint)
    console.finish()


def _follow(
    sync: DirectorySync, remote: PostgresWorkspace, local: FileWorkspace, args: argparse.Namespace, console: Console
) -> None:
    """Sync after each change of either side, until Ctrl-C; a database that is away is waited for."""
    from holdfast.notes.watcher import watch
    from holdfast.postgres.directory_sync import SyncPass

    stop, heard = threading.Event(), threading.Event()

    def listen() -> None:
        for _ in watch(local, debounce_ms=200, stop=stop):
            heard.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    if not console.as_json:
        console.note(f"Watching {local.home} and the database; stop with Ctrl-C.")
    number, is_away, done = None, False, SyncPass()
    try:
        while True:
            changed, now = heard.wait(_POLL_SECONDS), remote.change_count()
            if not (changed or is_away or done.refused or now != number):
                continue
            heard.clear()
            try:
                last, done = done, _pass(sync, args)
            except DatabaseAway as error:
                if not is_away:
                    console.note(str(error))
                is_away = True  # whatever changes meanwhile, a whole pass is due once it answers
                stop.wait(_POLL_SECONDS)
                continue
            # What is refused is tried again, and what changed on both sides waits: each is told of once.
            waits, waited = (done.refused, done.conflicts), (last.refused, last.conflicts)
            if not done.replace(refused=()).is_idle or (any(waits) and waits != waited):
                _tell(done, console)
            if is_away:
                console.note("The database answers again; both sides were compared anew.")
            number, is_away = now, False
    except KeyboardInterrupt:
        console.note("Stopped.")
    finally:
        stop.set()
        listener.join(5.0)
