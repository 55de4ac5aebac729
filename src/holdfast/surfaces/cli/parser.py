"""The commands and their arguments; only the command that runs is imported."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

from holdfast.pattern import compile_late
from holdfast.surfaces.cli.argument_errors import Parser, UsageError, typed_as, with_hint
from holdfast.surfaces.cli.console import Console

__all__ = ["COMMANDS", "Command", "commands_of", "full_parser", "parse", "place_options"]

Command: TypeAlias = Callable[[argparse.Namespace, Console], int]

COMMANDS = {
    "init": "create a home for memory, and say what to do next",
    "save": "write something down",
    "search": "find the lines that answer a question",
    "get": "read a note, or the chunk behind a hit",
    "chat": "talk with a model that remembers",
    "forget": "forget something, in your own words or by its exact text",
    "delete": "remove text from a note, or the note itself",
    "facts": "what is known about you, fact by fact: add, list, recall, forget, history",
    "export": "write everything that is remembered to one file",
    "import": "take over the memory of another program, or put back an export",
    "inbox": "what agents want in MEMORY.md and you have not approved yet: list, approve, edit, reject",
    "dream": "put what is asked for again and again into MEMORY.md, and say why",
    "history": "what was changed, by whom, and the checkpoint that undoes it",
    "diff": "what a change did",
    "restore": "put a note back to what it was before a change, with all that were changed as one with it",
    "undo": "take back the last change",
    "session": "conversations: what was said, what they keep, and what becomes of them",
    "index": "bring the index up to date with the notes",
    "spaces": "which vectors there are, and how to drop them",
    "watch": "keep the index up to date while notes change",
    "mcp": "serve the memory to an MCP client over stdin and stdout",
    "serve": "serve the memory over HTTP: the API, MCP, events, and what runs in the background",
    "ui": "open the web app in a browser: see, find, correct and undo what is remembered",
    "connect": "add Holdfast to a coding agent: Claude Code, Codex, Cursor and others",
    "hook": "what a coding agent calls by itself: recall for a prompt, keep what was said",
    "sandbox": "run a command that sees the notes and nothing else, or say how another host would",
    "agents": "who has a memory in this home",
    "status": "what there is, what answers a search, and why",
    "doctor": "check notes, index and checkpoints, and say how to mend what is wrong",
    "eval": "score search on labelled questions: public sets, or your own",
    "prompt": "what the model of a session is told of the memory, and what it costs",
    "user": "show and save who the user is",
    "config": "show and change settings",
    "prune": "drop old checkpoints, as the settings say",
    "purge": "drop every checkpoint of one note, for good",
    "sync": "keep a tenant's notes and a directory the same, such as a git work tree",
    "db": "run the database of a team: tables, tenants, tokens, limits, and what was done to them",
    "completions": "print a completion script for your shell",
    "help": "show what a command does and takes",
}
_OF_TENANTS = frozenset(
    {
        *("save", "search", "get", "delete", "forget", "facts", "inbox", "history", "diff", "restore", "undo"),
        *("export", "purge"),
    }
)
"""What reads and changes a tenant's memory as it does a home's."""
_PASSWORD = compile_late(r"://[^/@]*:[^/]*@|password", re.IGNORECASE)
_EPILOG = """\
examples:
  holdfast save "The launch moved to 3 March"
  holdfast search "when do we launch?"
  holdfast undo

Everything is Markdown in the home (~/.holdfast, HOLDFAST_HOME or --home). `holdfast help COMMAND` says more.
"""


def parse(argv: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """The command to run and its arguments; a mistake in them raises UsageError."""
    wanted = _command_word(argv)
    if wanted in COMMANDS:
        parser = _parser([wanted], configured=[wanted])
    else:
        parser = _parser(list(COMMANDS), configured=[])
    try:
        args = parser.parse_args(argv)
    except UsageError as misused:
        raise with_hint(misused, argv, _options(commands_of(parser).get(wanted, parser))) from None
    if args.command is None:
        parser.print_help()
        parser.exit(0)
    module = _module_of(args.command)
    command: Command = module.run
    # It makes a home or waits in it, or other programs run it. Of any other command, one expects a home that is there.
    args.may_begin_home = getattr(module, "MAY_BEGIN_HOME", False)
    args.flags = _flags(parser, args, argv, getattr(module, "ARGUMENTS", {}))
    return command, args


def place_options(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the options that name the memory of this call, as they were given: the next command needs them too."""
    names = ["home", "agent"]
    if args.command in _OF_TENANTS:
        names.append("tenant")
    given = [(f"--{name}", getattr(args, name)) for name in names]
    database = getattr(args, "database", None)
    if database is not None and _PASSWORD.search(database):
        database = "URL"  # a password is not shown
    given.append(("--database", database))
    return tuple(word for option, value in given if value is not None for word in (option, value))


def _module_of(command: str) -> Any:
    """The module of a command; the index has a module `sync`, and no name stands for two."""
    return import_module(f"holdfast.surfaces.cli.commands.{'mirror' if command == 'sync' else command}")


def _flags(
    parser: argparse.ArgumentParser, args: argparse.Namespace, argv: Sequence[str], renamed: Mapping[str, str]
) -> dict[str, str]:
    """Return what a person types for each argument that a refusal may name; the library calls some by other names."""
    below = commands_of(parser)[args.command]
    action = commands_of(below).get(getattr(args, "action", None) or "")
    flags: dict[str, str] = {}
    for parsers in (below, *filter(None, [action])):
        for known in parsers._actions:  # noqa: SLF001 - as below
            flags[known.dest] = typed_as(known, argv)
    if not any(word.partition("=")[0] == "--home" for word in argv):
        flags["home"] = "HOLDFAST_HOME"
    return flags | {name: flags[dest] for name, dest in renamed.items() if dest in flags}


def _options(parser: Parser) -> set[str]:
    """The options of a command and of the actions below it."""
    parser.complete()
    own = {flag for action in parser._actions for flag in action.option_strings}  # noqa: SLF001 - as below
    return own.union(*map(_options, commands_of(parser).values()))


def _command_word(argv: Sequence[str]) -> str:
    """The first word that is neither an option nor an option's value; an agent may be called `search`."""
    words = iter(argv)
    for word in words:
        if word in ("--home", "--agent"):
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def commands_of(parser: argparse.ArgumentParser) -> dict[str, Parser]:
    """The commands below a parser, by name."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to ask
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            return dict(action.choices)
    return {}


def full_parser() -> argparse.ArgumentParser:
    """The parser with every command and action, for the reference and for completions."""
    parser = _parser(list(COMMANDS), configured=list(COMMANDS))
    for command in commands_of(parser).values():
        for action in commands_of(command).values():
            action.complete()
    return parser


def _parser(names: Sequence[str], *, configured: Sequence[str]) -> Parser:
    """The parser of these commands; it knows the arguments of those that are configured, which loads them."""
    from holdfast import __version__

    parser = Parser(
        prog="holdfast",
        description="Long-term memory for AI agents, in Markdown files you own.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"holdfast {__version__}")
    _everywhere(parser, outermost=True)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in names:
        summary = COMMANDS[name]
        subparser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name not in configured:  # the help of all names them only
            continue
        module = _module_of(name)
        subparser.epilog = f"examples:\n{module.EXAMPLES}"
        module.configure(subparser)
        _add_common(subparser, name, outermost=True)
        for action in commands_of(subparser).values():
            action.later(partial(_add_common, command=name, outermost=False))  # behind its own
    return parser


def _add_common(parser: Parser, command: str, *, outermost: bool) -> None:
    """Options that a command, or an action of it, has beside its own."""
    if command in _OF_TENANTS:
        _add_tenant(parser, outermost=outermost)
    _everywhere(parser, outermost=False)


def _add_tenant(parser: argparse.ArgumentParser, *, outermost: bool) -> None:
    """Options that name a tenant's memory in place of a home's; the inner ones must not reset the outer."""
    default = None if outermost else argparse.SUPPRESS
    group = parser.add_argument_group("in place of a home")
    group.add_argument("--tenant", metavar="ID", default=default, help="the memory of a tenant of a team's database")
    group.add_argument(
        "--database", metavar="URL", default=default, help="postgresql://USER@HOST/NAME (default: HOLDFAST_DATABASE)"
    )


def _everywhere(parser: argparse.ArgumentParser, *, outermost: bool) -> None:
    """Options that may stand before or after the command; the inner ones must not reset the outer."""

    def default(value: object) -> object:
        return value if outermost else argparse.SUPPRESS

    group = parser.add_argument_group("everywhere")
    if "--home" not in parser._option_string_actions:  # noqa: SLF001 - `sandbox` has one of its own, as hosts call it
        group.add_argument("--home", metavar="DIR", default=default(None), help="the home to use")
    group.add_argument("--agent", metavar="ID", default=default(None), help="whose memory (default: main)")
    group.add_argument("--json", action="store_true", default=default(False), help="print JSON")
