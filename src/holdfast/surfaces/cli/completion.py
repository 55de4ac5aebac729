"""Completion scripts for three shells, made from the parser itself so that they can't fall behind it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from holdfast.surfaces.cli.parser import COMMANDS, commands_of, full_parser

__all__ = ["script"]


def script(shell: str) -> str:
    """The whole script for one shell."""
    options = {name: [flag for flag, _ in _flags(parser)] for name, parser in commands_of(full_parser()).items()}
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](options)


def _flags(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to ask
        for flag in action.option_strings:
            if flag.startswith("--"):
                yield flag, action.help or ""
    for name, inner in commands_of(parser).items():
        yield name, inner.description or ""


def _bash(options: dict[str, list[str]]) -> str:
    cases = "\n".join(f'    {name}) words="{" ".join(flags)}" ;;' for name, flags in options.items())
    return f"""\
_holdfast() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="" word words
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case " {" ".join(options)} " in *" $word "*) command="$word"; break ;; esac
  done
  case "$command" in
    "") words="{" ".join(options)} --home --agent --json --help --version" ;;
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _holdfast holdfast
"""


def _zsh(options: dict[str, list[str]]) -> str:
    named = "\n".join(f"    '{name}:{COMMANDS[name].replace(chr(39), '')}'" for name in options)
    cases = "\n".join(f"    {name}) compadd -- {' '.join(flags)} ;;" for name, flags in options.items())
    return f"""\
#compdef holdfast
_holdfast() {{
  local -a commands
  commands=(
{named}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
{cases}
  esac
  _files
}}
compdef _holdfast holdfast
"""


def _fish(options: dict[str, list[str]]) -> str:
    lines = [
        f"complete -c holdfast -n __fish_use_subcommand -a {name} -d '{COMMANDS[name].replace(chr(39), '')}'"
        for name in options
    ]
    for name, flags in options.items():
        seen = f"'__fish_seen_subcommand_from {name}'"
        for flag in flags:
            asked = f"-l {flag[2:]}" if flag.startswith("--") else f"-a {flag}"
            lines.append(f"complete -c holdfast -n {seen} {asked}")
    return "\n".join(lines) + "\n"
