"""`holdfast sandbox`"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument
from holdfast.settings.sandbox_settings import HomePersistence, SandboxSettings, WorkspaceMount
from holdfast.surfaces.cli.command_memory import agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from holdfast.sandbox.mounts import Mounts

EXAMPLES = """\
  holdfast sandbox run -- grep -ri launch memory
  holdfast sandbox run --workspace none --home session --session work -- sh
  holdfast sandbox args docker --workspace ro
  eval "docker run $(holdfast sandbox args docker) debian:stable ls memory"
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """run or args."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run_one = actions.add_parser(
        "run",
        help="run a command by bubblewrap, with the notes at /workspace and nothing else of the home",
        description="Run a command by bubblewrap, with the notes at /workspace and nothing else of the home.",
        epilog="example:\n  holdfast sandbox run --workspace rw -- sh -c 'echo hello > memory/hello.md'\n",
    )
    _choices(run_one)
    run_one.add_argument("words", metavar="COMMAND", nargs="+", help="the command and its arguments, after --")
    args = actions.add_parser(
        "args",
        help="print what bubblewrap, docker or podman has to be told for the same sandbox",
        description="Print what bubblewrap, docker or podman has to be told for the same sandbox, in words quoted for "
        "a shell that reads them with eval, or with --json as a list.",
        epilog="examples:\n"
        '  eval "podman run $(holdfast sandbox args podman --home shared) debian:stable ls memory"\n'
        "  holdfast sandbox args podman --home shared --json\n",
    )
    args.add_argument("program", metavar="PROGRAM", choices=("bwrap", "docker", "podman"), help="bwrap, docker, podman")
    _choices(args)


def _choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workspace",
        choices=[each.value for each in WorkspaceMount],
        default=None,
        help="what it has of the notes (default: sandbox.workspace_mount)",
    )
    # The home of the memory is named before `sandbox`: here it is the home in the sandbox, as hosts call it.
    parser.add_argument(
        "--home",
        dest="persistence",
        choices=[each.value for each in HomePersistence],
        default=None,
        help="what stays of its own home (default: sandbox.home_persistence); "
        "for another memory: holdfast --home DIR sandbox",
    )
    parser.add_argument("--session", metavar="KEY", default=None, help="whose home it is, with --home session")
    parser.add_argument("--net", action="store_true", help="let it use the network")


def run(args: argparse.Namespace, console: Console) -> int:
    """Run the command, or print how another program runs it."""
    refuse_mistyped_home(args)
    if args.action == "run":
        return _run_words(args, console)
    return _print_arguments(args, console)


def _run_words(args: argparse.Namespace, console: Console) -> int:
    from holdfast.sandbox.bubblewrap import find_bwrap, run_command

    find_bwrap()  # before anything is made
    if console.as_json:
        raise BadArgument("--json", "what the command prints is its own; leave it out")
    home, mounts = _mounts(args)
    if sys.stdout:
        sys.stdout.flush()
    try:
        return run_command(home, mounts, args.words, net=args.net)
    except KeyboardInterrupt:  # it was for the command; whether anything of it is kept, nobody here knows
        return INTERRUPTED


def _print_arguments(args: argparse.Namespace, console: Console) -> int:
    from holdfast.sandbox.bubblewrap import SYSTEM, bwrap_arguments
    from holdfast.sandbox.container_arguments import container_arguments
    from holdfast.sandbox.mounts import refuse_shown_home

    home, mounts = _mounts(args)
    refuse_shown_home(home, SYSTEM)
    if args.program == "bwrap":
        arguments = bwrap_arguments(mounts, net=args.net)
    else:
        arguments = container_arguments(args.program, mounts, net=args.net)
    if console.as_json:
        console.json({"program": args.program, "arguments": arguments})
    else:
        from shlex import join

        console.line(join(arguments))
    return 0


def _mounts(args: argparse.Namespace) -> tuple[str, Mounts]:
    """Return the home, and what a command may see of it and of its own."""
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.sandbox.mounts import mounts_of
    from holdfast.settings.home_path import has_settings, home_of

    home, agent = home_of(args.home), agent_of(args)
    with FileWorkspace.open(home, agent) as workspace:
        settings = SandboxSettings()
        if has_settings(home, agent):  # without any, the whole catalogue is not loaded: a start is to take no time
            from holdfast.settings.loader import load

            settings = load(home, agent).settings.sandbox
        mounts = mounts_of(
            workspace,
            WorkspaceMount(args.workspace or settings.workspace_mount),
            HomePersistence(args.persistence or settings.home_persistence),
            args.session,
        )
    return home, mounts
