"""Completion scripts for three shells, made from the parser and the settings so that they can't fall behind them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from holdfast.settings.declaration import Kind
from holdfast.settings.keys import KEYS
from holdfast.surfaces.cli.parser import COMMANDS, commands_of, full_parser

__all__ = ["script"]

_EVERYWHERE = "--home --agent --json --help --version"
_WITH_KEY = ("get", "set", "unset")


def script(shell: str) -> str:
    """The whole script for one shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands_of(full_parser()))


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    actions = parser._actions  # noqa: SLF001 - argparse has no public way to ask
    return [flag for action in actions for flag in action.option_strings if flag.startswith("--")]


def _choices(parser: argparse.ArgumentParser) -> list[str]:
    """Return what a command's first word can be, where the parser knows: its actions, or the shells."""
    actions = parser._actions  # noqa: SLF001 - as above
    return [str(choice) for action in actions if not action.option_strings for choice in action.choices or ()]


def _values() -> dict[str, list[str]]:
    """Return what a setting can be, for those that have few values."""
    switches = {key.path: ["true", "false"] for key in KEYS if key.kind is Kind.SWITCH}
    return switches | {key.path: [str(choice) for choice in key.choices] for key in KEYS if key.choices is not None}


_SAID = """\
    if [[ -n "$skip" ]]; then
      skip=""
    else
      case "$word" in
        --home|--agent) skip=1 ;;
        -*) ;;
        *) said="$said${said:+ }$word" ;;
      esac
    fi"""


def _cases(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """For bash and zsh alike: the words so far, the words that can come next, and the options."""
    keys = [key.path for key in KEYS]
    cases: list[tuple[str, list[str], list[str]]] = []
    for name, parser in parsers.items():
        for action, inner in commands_of(parser).items():
            said = f"{name} {action}"
            if action in _WITH_KEY:
                cases.append((f"'{said}'", keys, _flags(inner)))
            if action == "set":
                cases.extend((f"'{said} {key}'", values, _flags(inner)) for key, values in _values().items())
            cases.append((f"'{said}'|'{said} '*", [], _flags(inner)))
        cases.append((f"'{name}'", _choices(parser), _flags(parser)))
        cases.append((f"'{name} '*", [], _flags(parser)))
    lines = [f"    {said}) next=({' '.join(next_)}) flags=({' '.join(flags)}) ;;" for said, next_, flags in cases]
    return "\n".join([f"    '') next=({' '.join(parsers)}) flags=({_EVERYWHERE}) ;;", *lines])


def _bash(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    return f"""\
_holdfast() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" said="" skip="" word
  local -a next=() flags=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
{_SAID}
  done
  case "$said" in
{_cases(parsers)}
  esac
  if [[ -n "${{next[*]}}" && "$current" != -* ]]; then flags=(); fi
  COMPREPLY=($(compgen -W "${{next[*]}} ${{flags[*]}}" -- "$current"))
}}
complete -o default -F _holdfast holdfast
"""


def _zsh(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    named = "\n".join(f"    '{name}:{_quotable(COMMANDS[name])}'" for name in parsers)
    return f"""\
#compdef holdfast
_holdfast() {{
  local said="" skip="" word
  local -a commands next flags
  commands=(
{named}
  )
  for word in "${{(@)words[2,CURRENT-1]}}"; do
{_SAID}
  done
  case "$said" in
{_cases(parsers)}
  esac
  if [[ -z "$said" && "$PREFIX" != -* ]]; then
    _describe 'command' commands
  elif (( $#next )) && [[ "$PREFIX" != -* ]]; then
    compadd -- "${{next[@]}}"
  else
    compadd -- "${{flags[@]}}"
    _files
  fi
}}
compdef _holdfast holdfast
"""


def _fish(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    lines = [
        f"complete -c holdfast -n __fish_use_subcommand -a {name} -d '{_quotable(COMMANDS[name])}'" for name in parsers
    ]
    for name, parser in parsers.items():
        seen = _seen(name)
        lines += [f"complete -c holdfast -n '{seen}' -l {flag[2:]}" for flag in _flags(parser)]
        if choices := _choices(parser):
            words = " ".join(choices)
            lines.append(f"complete -c holdfast -f -n '{seen}; and not {_seen(words)}' -a '{words}'")
        inner = commands_of(parser)
        if "set" in inner:
            keys = " ".join(key.path for key in KEYS)
            with_key = f"{seen}; and {_seen(' '.join(_WITH_KEY))}; and not {_seen(keys)}"
            lines.append(f"complete -c holdfast -f -n '{with_key}' -a '{keys}'")
            for key, values in _values().items():
                with_value = f"{seen}; and {_seen('set')}; and {_seen(key)}; and not {_seen(' '.join(values))}"
                lines.append(f"complete -c holdfast -f -n '{with_value}' -a '{' '.join(values)}'")
    return "\n".join(lines) + "\n"


def _seen(words: str) -> str:
    return f"__fish_seen_subcommand_from {words}"


def _quotable(text: str) -> str:
    return text.replace("'", "")
