"""`holdfast connect`"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from holdfast.errors import BadArgument
from holdfast.guard.paths import agent_id
from holdfast.settings.home_path import home_of
from holdfast.surfaces.agents.client_setup import ConnectResult, Done, State, add, look, shown_alone, take_out
from holdfast.surfaces.agents.clients import CLIENTS, Client, HoldfastCommand, Scope, files_of
from holdfast.surfaces.agents.own_program import can_serve, this_program
from holdfast.surfaces.cli.command_memory import refuse_mistyped_home
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.mcp.tool_profile import Profile

EXAMPLES = """\
  holdfast connect
  holdfast connect claude-code
  holdfast connect claude-code --write
  holdfast connect cursor --scope project --write
  holdfast connect codex --write --command 'uvx holdfast'
  holdfast connect codex --remove
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which program, and whether to show, add or take out."""
    parser.add_argument(
        "client", metavar="CLIENT", nargs="?", choices=tuple(map(str, Client)), help=f"one of {', '.join(Client)}"
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--write", action="store_true", help="add it to the program's settings, after a backup")
    way.add_argument("--remove", action="store_true", help="take out what was added, and nothing else")
    parser.add_argument(
        "--scope",
        choices=tuple(map(str, Scope)),
        default=Scope.USER.value,
        help="the user's settings (the default), or those of the project in this directory",
    )
    parser.add_argument(
        "--no-hooks", action="store_true", help="only the MCP server; with --remove, leave a file of hooks alone"
    )
    parser.add_argument(
        "--tools", choices=tuple(map(str, Profile)), help="which tools the server offers, as for `holdfast mcp`"
    )
    parser.add_argument(
        "--command",
        dest="program",
        metavar="COMMAND",
        help="how the program starts Holdfast: a path, or several words (default: this one)",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Show, add or take out."""
    refuse_mistyped_home(args)
    scope = Scope(args.scope)
    if args.client is None:
        if args.write or args.remove:
            raise BadArgument("CLIENT", f"name the program: {', '.join(Client)}")
        return _all(args, console)
    client = Client(args.client)
    files = files_of(client, scope, _holdfast_command(args, scope))
    if args.remove and args.no_hooks:
        files = files[:1]  # the one with the server, which may hold the hooks as well
    if not args.remove:
        _tell_of_missing_server(args, console)
    if not (args.write or args.remove):
        found = look(client, scope, files)
        if console.as_json:
            console.json(found.to_json())
        else:
            _show(found, args, console)
        return 0
    from holdfast.notes.file_workspace import FileWorkspace

    with FileWorkspace.open(home_of(args.home)) as workspace:
        if args.write:
            made = add(client, scope, files, workspace)
        else:
            made = take_out(client, scope, files, workspace)
    if console.as_json:
        console.json(made.to_json())
    else:
        _tell(made, console)
    if made.failures:
        raise made.failures[0]
    return 0


def _holdfast_command(args: argparse.Namespace, scope: Scope) -> HoldfastCommand:
    options: list[str] = []
    # A program that is not started from a shell knows no environment; a project's settings are for others too.
    if args.home is not None or (os.environ.get("HOLDFAST_HOME") and scope is Scope.USER):
        options += ["--home", home_of(args.home)]
    agent = args.agent
    if not agent and scope is Scope.USER:
        agent = os.environ.get("HOLDFAST_AGENT")
    if agent:
        options += ["--agent", agent_id(agent)]
    if args.program is not None:
        program = _words(args.program, scope)
    elif scope is Scope.PROJECT:
        program = ("holdfast",)
    else:
        program = this_program()
    try:
        "".join(program).encode("utf-8")
    except UnicodeEncodeError:
        raise BadArgument("--command", "it is not valid UTF-8, and settings files are") from None
    tools: tuple[str, ...] = ()
    if args.tools:
        tools = ("--tools", args.tools)
    return HoldfastCommand(program, tuple(options), args.remove or not args.no_hooks, tools)


def _words(command: str, scope: Scope) -> tuple[str, ...]:
    """The words of a command: a path may have spaces in it, and `uvx holdfast` is two words."""
    import shlex
    import shutil

    if not command.strip() or "\0" in command:
        raise BadArgument("--command", "it is empty or has a NUL byte")
    words = [command]
    if (len(command.split()) > 1 or command[0] in "'\"") and not os.path.isfile(command):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise BadArgument("--command", f"its words can't be told apart: {str(error).lower()}") from None
        if not words or not words[0]:
            raise BadArgument("--command", "it names no program")
        # A path with a space in it that is not there, or a program with words that is not there: nobody can tell.
        if words == command.split() and "/" in words[0] and shutil.which(words[0]) is None:
            why = "a path with spaces that is not there yet needs quotes of its own within the word"
            raise BadArgument("--command", f"there is no program {words[0]!r} and no {command!r}; {why}")
    # A program that is started from anywhere; a project is where its settings are.
    if scope is Scope.USER and "/" in words[0] and not os.path.isabs(words[0]):
        if not os.path.exists(words[0]):
            raise BadArgument("--command", f"there is no {words[0]!r} below this directory; name it by its full path")
        words[0] = os.path.abspath(words[0])
    return tuple(words)


def _all(args: argparse.Namespace, console: Console) -> int:
    """Every program, and whether Holdfast is in its settings."""
    wanted = _holdfast_command(args, Scope.USER)
    found = [look(client, Scope.USER, files_of(client, Scope.USER, wanted)) for client in Client]
    if console.as_json:
        console.json({"clients": [setup.to_json() for setup in found]})
        return 0
    rows = [(setup.client.value, CLIENTS[setup.client].title, _state(setup.files)) for setup in found]
    console.table(("CLIENT", "", "HOLDFAST"), rows)
    console.note(f"`{console.command('connect', 'CLIENT')}` shows what to add; --write adds it.")
    return 0


def _state(files: Sequence[Done]) -> str:
    states = {file.state for file in files}
    if len(states) == 1:
        return states.pop().value
    if State.UNREADABLE not in states:
        return "added in part"
    return State.UNREADABLE.value


def _show(found: ConnectResult, args: argparse.Namespace, console: Console) -> None:
    for file in found.files:
        console.styled(console.paint(f"{file.file.place.path}: {file.state.value}", "bold"))
        if file.because:
            console.note(file.because)
        console.line(shown_alone(file.file))
        console.line()
    if any(file.state is not State.THERE for file in found.files):
        write = console.command("connect", found.client.value, *_ways(args), "--write")
        console.note(f"`{write}` adds this, and --remove takes it out again.")
    console.note(CLIENTS[found.client].remark)


def _ways(args: argparse.Namespace) -> list[str]:
    """The options of this call that say what is added, and where."""
    words = []
    if args.scope != Scope.USER:
        words += ["--scope", args.scope]
    if args.no_hooks:
        words.append("--no-hooks")
    if args.tools is not None:
        words += ["--tools", args.tools]
    if args.program is not None:
        words += ["--command", args.program]
    return words


def _tell(made: ConnectResult, console: Console) -> None:
    for file in made.files:
        console.line(f"{file.file.place.path}: {_state_text(file)}")
        if file.because and file.state is not State.UNREADABLE:
            console.note(file.because)
        if file.backup:
            console.note(f"What it was before: {file.backup}")
    for failure in made.failures[1:]:  # the first ends the command
        console.note(str(failure))
    if any(file.state is State.ADDED for file in made.files):
        console.note(CLIENTS[made.client].remark)


def _tell_of_missing_server(args: argparse.Namespace, console: Console) -> None:
    """Say that this very program can't serve: the entry would fail where nobody sees why."""
    if args.program is None and not can_serve():
        from holdfast.settings.installation import install_advice

        console.note(f"`holdfast mcp` can't start here before {install_advice('server')}.")


def _state_text(file: Done) -> str:
    return {
        State.ADDED: "Holdfast was added",
        State.REMOVED: "Holdfast was taken out",
        State.THERE: "nothing to do, Holdfast is there",
        State.OWNED: "it is as it was, Holdfast is there with options of your own",
        State.UNREADABLE: "it can't be changed, and is as it was",
    }.get(file.state, "nothing to do, Holdfast is not there")
