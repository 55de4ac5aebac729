"""A parser that raises what is wrong with the arguments, in words that say what to type instead."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from holdfast.errors import BadArgument
from holdfast.pattern import compile_late
from holdfast.surfaces.cli.console import OutputLost

__all__ = ["Parser", "UsageError", "as_typed", "typed_as", "with_hint"]

_WORD = compile_late(r"\w+")
_NUMBERS: dict[object, str] = {int: "a whole number", float: "a number"}

# argparse looks for a translation of each of its words, through a dozen paths: 3 ms of every command, for nothing.
setattr(argparse, "_", lambda text: text)  # noqa: B010 - the name is not in the type stubs


class UsageError(Exception):
    """The arguments can't be understood; `usage` is how they should look."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.usage = usage


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse would import shutil to ask for it, once for each option of a command."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **options})


def _columns() -> int:
    if sys.stdout is None:  # closed by the shell (`>&-`)
        return 80
    with suppress(ValueError, OSError):
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(sys.stdout.fileno()).columns or 80
    return 80


class Parser(argparse.ArgumentParser):
    """argparse, except that a mistake is raised and not printed: the console knows who reads it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, **options)
        self._late: list[Callable[[Parser], None]] = []

    def later(self, configure: Callable[[Parser], None]) -> None:
        """Leave the rest of the arguments to when they are asked for.

        A command has many actions, and one is run: the operations of the others need not be loaded.
        """
        self._late.append(configure)

    def complete(self) -> None:
        """Declare what was left for later."""
        late, self._late = self._late, []
        for configure in late:
            configure(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does; it asks the parser of the action that was typed, and no other."""
        self.complete()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        self.color = False  # Python 3.14 would paint the usage; the console shows such codes as pictures
        raise UsageError(f"{message[:1].upper()}{message[1:].removesuffix('.')}.", self.format_usage().rstrip("\n"))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; argparse would not tell of a full disk."""
        stream = file or sys.stderr
        if stream is None:  # closed by the shell (`>&- 2>&-`)
            return
        try:
            stream.write(message)
        except OSError as error:
            raise OutputLost(error) from error

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """A word that is no number is said to be none, in our words; argparse would speak of types."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            number = _NUMBERS.get(action.type)
            if number is None:
                raise
        from holdfast.settings.near_names import printable

        option = next((name for name in action.option_strings if name.startswith("--")), action.metavar or action.dest)
        problem = f"{option} takes no '{printable(arg_string)}'. Give {number}."
        raise _ToldWhatToType(problem, self.format_usage().rstrip("\n"))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """A word that is none of the choices names the nearest one."""
        if action.choices is None or value in action.choices:
            return
        from holdfast.settings.near_names import nearest_name, printable

        names = [str(choice) for choice in action.choices]
        near = nearest_name(str(value), names)
        if near:
            likely = [near]
        else:
            likely = _of_nearest_family(str(value), names)
        if likely:
            hint = f" Did you mean {' or '.join(map(repr, likely))}?"
        else:
            hint = f" Choose one of: {', '.join(names)}."
        given = f"'{printable(str(value))}'"
        if action.option_strings:
            problem = f"{action.option_strings[-1]} takes no {given}."
        else:
            problem = f"There is no {str(action.metavar or action.dest).lower()} {given}."
        raise _ToldWhatToType(f"{problem}{hint}", self.format_usage().rstrip("\n"))


def _of_nearest_family(word: str, names: Sequence[str]) -> list[str]:
    """The names whose first part is most like a word: "cluade" for claude-code and claude-desktop."""
    from holdfast.settings.near_names import nearest_name

    families = dict.fromkeys(name.partition("-")[0] for name in names)
    nearest = nearest_name(word, families)
    return [name for name in names if name.partition("-")[0] == nearest]


class _ToldWhatToType(UsageError):
    """It has its hint already."""


def with_hint(misused: UsageError, argv: Sequence[str], options: Collection[str]) -> UsageError:
    """The same mistake, with what to do about a word that starts with a dash and is none of the command's options."""
    strange = next((word for word in _before_dashes(argv) if _is_strange(word, options)), None)
    if not options or strange is None:
        return misused
    near = _near_option(strange, options)
    message = str(misused)
    if isinstance(misused, _ToldWhatToType):
        if not near:
            return misused
        message = f"Unrecognized arguments: {strange}."  # its value was taken for a command
    if near:
        hint = f"Did you mean '{near}'?"
    elif message.endswith("xpected one argument."):
        hint = "Write OPTION=VALUE for a value that starts with a dash."
    else:
        hint = "Put -- before text that starts with a dash."
    return UsageError(f"{message} {hint}", misused.usage)


def _near_option(strange: str, options: Collection[str]) -> str | None:
    """Return the option that was meant: one that is spelt nearly so, or the only one that begins so."""
    if not strange.startswith("--"):
        return None
    from holdfast.settings.near_names import nearest_name

    typed = strange.partition("=")[0]
    long = [name for name in options if name.startswith("--")]
    begun = [name for name in long if name.startswith(typed)]
    if len(begun) == 1:
        return begun[0]
    return nearest_name(typed, long)


def typed_as(action: argparse.Action, argv: Sequence[str]) -> str:
    """Return what a person typed for an argument: of several spellings of an option the one in the command line."""
    if not action.option_strings:
        return str(action.metavar or action.dest)
    words = [word.partition("=")[0] for word in _before_dashes(argv)]
    return next((flag for flag in action.option_strings if flag in words), action.option_strings[-1])


def as_typed(error: BadArgument, flags: Mapping[str, str]) -> BadArgument:
    """The same refusal, in the names that a person types; only names that are no words are replaced in its reason."""
    names = {name: flag for name, flag in flags.items() if "_" in name}
    why = _WORD.sub(lambda word: names.get(word[0], word[0]), error.why)
    return BadArgument(flags.get(error.name, error.name), why)


def _before_dashes(argv: Sequence[str]) -> Sequence[str]:
    if "--" in argv:
        return argv[: list(argv).index("--")]
    return argv


def _is_strange(word: str, options: Collection[str]) -> bool:
    # Words with a space are text to argparse, and `-n5` is `-n 5`.
    return (
        word.startswith("-")
        and word != "-"
        and " " not in word
        and word.partition("=")[0] not in options
        and (word.startswith("--") or word[:2] not in options)
    )
