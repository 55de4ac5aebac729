"""The parser in; docs/cli.md out: `python -m holdfast.surfaces.cli.cli_reference > docs/cli.md`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from holdfast.surfaces.cli.exit_codes import EXITS, INTERRUPTED
from holdfast.surfaces.cli.parser import commands_of, full_parser

__all__ = ["reference_markdown"]

_INTRODUCTION = """\
# The command line

<!-- Made from the parser: python -m holdfast.surfaces.cli.cli_reference > docs/cli.md -->

`holdfast COMMAND --help` says the same in your terminal. These options go with every command, before or after it:

{everywhere}

What a command found or did goes to standard output, remarks and errors to standard error. With `--json` the
result is one JSON object, and so is an error: `{{"error": {{"type": "…", "message": "…"}}}}`.
`watch` prints one for each look; `hook`, `mcp` and `sandbox run` print what their caller wants, and nothing else.

Colours and the progress bar appear only on a terminal; `NO_COLOR=1` switches the colours off. What nobody would see in
stored text (control and zero-width characters, bidirectional controls, Unicode tags) is shown as `␛` or `⟦U+202E⟧`, so
that no note can drive your terminal or hide anything in it; what a script or an emoji needs stays. `--json` holds the
exact text, with such characters as JSON's own escapes.
"""
_NOTES = {
    1: " `doctor` ends so when something needs mending.",
    2: " A mistake in the arguments ends so, too; its type is `Usage`.",
    3: " `facts recall` and `facts history` end so where no fact tells of it.",
    8: " So ends a command whose output can't be written; its type is `OutputFailed`, and its message names the "
    "changes that were made all the same, with their checkpoints. A reader that goes away (`\\| head`) is no error "
    "unless something was changed.",
}
_EVERYWHERE = ("--home", "--agent", "--json")
_LEAVE_OUT = ("--help", "--version", *_EVERYWHERE)
_DESTINATIONS = ("help", "version", "home", "agent", "json")  # an option of that name may be the command's own


def reference_markdown() -> str:
    """The whole of docs/cli.md."""
    parser = full_parser()
    everywhere = _table([action for action in parser._actions if _flag(action) in _EVERYWHERE])  # noqa: SLF001
    parts = [_INTRODUCTION.format(everywhere=everywhere)]
    parts.extend(_command(f"holdfast {name}", command) for name, command in commands_of(parser).items())
    parts.append(_exits())
    return "\n".join(parts)


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    lines = [f"## {name}", "", parser.description or "", "", "```", *_usages(name, parser), "```", ""]
    for action, subparser in commands_of(parser).items():
        options = _own(subparser)
        if options:
            lines += [f"`{action}`:", "", _table(options), ""]
    if options := _own(parser):
        lines += [_table(options), ""]
    examples = (parser.epilog or "").partition("\n")[2]
    lines += ["Examples:", "", "```sh", *(line.strip() for line in examples.strip().splitlines()), "```", ""]
    return "\n".join(lines)


def _usages(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Written here and not by argparse, whose layout depends on the terminal and on the version of Python."""
    actions = commands_of(parser)
    if not actions:
        words = [_word(action) for action in _own(parser)]
        positional = [word for word in words if not word.startswith("[-")]
        yield " ".join([name, *positional, *(word for word in words if word.startswith("[-"))])
    helps = {
        choice.dest: choice.help
        for action in parser._actions  # noqa: SLF001 - argparse has no public way to ask
        for choice in getattr(action, "_choices_actions", ())
    }
    for action, subparser in actions.items():
        yield f"{' '.join([name, action, *map(_word, _own(subparser))]):<40} {helps[action]}"


def _word(action: argparse.Action) -> str:
    """One argument as it stands in a usage line."""
    value = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    if not action.option_strings:
        if action.nargs == "?":
            return f"[{value}]"
        return value
    if action.nargs == 0:
        return f"[{_flag(action)}]"
    if action.required:
        return f"{_flag(action)} {value}"
    return f"[{_flag(action)} {value}]"


def _own(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in parser._actions  # noqa: SLF001 - argparse has no public way to ask
        if (_flag(action) not in _LEAVE_OUT or action.dest not in _DESTINATIONS)
        and not isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    ]


def _flag(action: argparse.Action) -> str:
    if not action.option_strings:
        return ""
    return action.option_strings[-1]


def _table(actions: list[argparse.Action]) -> str:
    rows = ["| argument | meaning |", "|---|---|"]
    for action in actions:
        names = [*action.option_strings] or [_word(action).strip("[]")]
        if action.option_strings and action.metavar:
            value = f" {action.metavar}"
        else:
            value = ""
        shown = ", ".join(f"`{name}{value}`" for name in names).replace("|", "\\|")
        rows.append(f"| {shown} | {(action.help or '').replace('<', '&lt;')} |")
    return "\n".join(rows)


def _exits() -> str:
    rows = [
        "## Exit status",
        "",
        "| status | error | meaning |",
        "|---|---|---|",
        "| 0 | | It worked. A search without hits works too. |",
    ]
    for kind, status in sorted(EXITS, key=lambda pair: pair[1]):
        if status != 1:
            meaning = (kind.__doc__ or "").strip().splitlines()[0]
        else:
            meaning = "Any other error."
        rows.append(f"| {status} | `{kind.__name__}` | {meaning}{_NOTES.get(status, '')} |")
    rows.append(f"| {INTERRUPTED} | | Stopped with Ctrl-C; `watch` and `serve` end with 0. |")
    rows.append(
        "| 128 and more | | Ended by another signal, as a shell shows it: SIGTERM is 143; `serve` ends with 0. |"
    )
    rows.append("")
    rows.append("`sandbox run` ends with the status of the command that it ran.")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.stdout.write(reference_markdown())
