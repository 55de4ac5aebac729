"""Recognise the entries of a settings file that are Holdfast's: these may be changed or removed, and no others."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.surfaces.agents.hook_events import HOOKED, Event

__all__ = ["NAME", "commands_in", "is_group", "is_hook", "is_server", "merge_entry", "owners_options", "without_ours"]

NAME = "holdfast"
"""What the server is called in every program's settings."""

_PROGRAM = "holdfast"
# Options of `holdfast mcp` and of `holdfast hook`, and whether a word follows.
_SERVING: Mapping[str, bool] = {
    "--tools": True,
    "--session": True,
    "--read-only": False,
    "--structured": False,
    "--home": True,
    "--agent": True,
}
_WRITTEN = ("--tools", "--home", "--agent")  # what `connect` writes itself; each has a word
_CHOICES = ("alwaysLoad",)  # members that `connect` writes where they are missing; an owner may have said otherwise
_HOOKING: Mapping[str, bool] = {"--client": True, "--deadline": True, "--wait": False, "--home": True, "--agent": True}


def is_server(entry: object) -> bool:
    """Say whether an entry of our name starts our MCP server: by the name of the program, or by the words after it."""
    words = _words(entry)
    if not all(isinstance(word, str) for word in words) or "mcp" not in words:
        return False
    # `--command` lets Holdfast be started by anything; then nothing but our own options may follow.
    return _named(words) or any(
        word == "mcp" and _only(words[place + 1 :], _SERVING) for place, word in enumerate(words) if place
    )


def commands_in(value: object) -> Iterator[list[str]]:
    """The words by which the settings start our server, wherever in them it stands."""
    if not isinstance(value, Mapping):
        return
    for key, entry in value.items():
        if key == NAME and is_server(entry):
            yield _words(entry)
        else:
            yield from commands_in(entry)


def owners_options(entry: object) -> list[str]:
    """The words in an entry of our server that `connect` never writes, such as --read-only: its owner did."""
    return _sorted_out(_after_mcp(entry), _WRITTEN)[1]


def merge_entry(wanted: Mapping[str, Any], there: object) -> dict[str, Any]:
    """Return what is wanted in an entry, with its owner's options, and the tools where none are asked for."""
    if not is_server(there) or not isinstance(there, dict):
        return dict(wanted)
    own = owners_options(there)
    if not _sorted_out(_after_mcp(wanted), ("--tools",))[0]:
        own = [*_sorted_out(_after_mcp(there), ("--tools",))[0], *own]
    key = "args" if "args" in wanted else "command"
    words = [*wanted[key], *own]
    now = there.get(key)
    if isinstance(now, list) and sorted(now) == sorted(words):
        words = now  # the same, in an order of the owner's
    chosen = {name: there[name] for name in _CHOICES if name in there}
    return {**wanted, key: words, **chosen}


def is_hook(hook: object) -> bool:
    """Say whether a hook is one of ours."""
    command = None
    if isinstance(hook, dict):
        command = hook.get("command")
    if not isinstance(command, str) or "hook" not in command:
        return False
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed
        return False
    if "hook" not in words or "--client" not in words:
        return False
    return _named(words) or any(
        word == "hook" and _calls_us(words[place + 1 :]) for place, word in enumerate(words) if place
    )


def is_group(group: object) -> bool:
    """Say whether a group of hooks holds ours alone.

    With a matcher that its owner added it would do nothing without.
    """
    inner = None
    if isinstance(group, dict):
        inner = group.get("hooks")
    return isinstance(inner, list) and bool(inner) and all(map(is_hook, inner))


def without_ours(value: Any) -> Any:
    """A value as Python has it, without anything of ours, and without objects and arrays that hold nothing then."""
    if isinstance(value, dict):
        inner = {
            str(key): without_ours(entry)
            for key, entry in value.items()
            if not (key == NAME and is_server(entry)) and not is_hook(entry)
        }
        return {key: entry for key, entry in inner.items() if entry not in ({}, [])}
    if isinstance(value, list):
        left = (without_ours(entry) for entry in value if not is_hook(entry) and not is_group(entry))
        return [entry for entry in left if entry not in ({}, [])]
    return value


def _named(words: Sequence[str]) -> bool:
    return any(os.path.basename(word) == _PROGRAM for word in words)  # also `python -m holdfast`


def _words(entry: object) -> list[Any]:
    if not isinstance(entry, Mapping):
        return []
    command, args = entry.get("command"), entry.get("args", [])
    if isinstance(command, list):
        words = list(command)
    else:
        words = [command]
    if isinstance(args, list):
        words += args
    return words


def _after_mcp(entry: object) -> list[str]:
    words = _words(entry)
    command = None
    if isinstance(entry, Mapping):
        command = entry.get("command")
    if isinstance(command, list) and "mcp" in command[1:]:
        words = command  # which says it all, whatever stands in `args` beside it
    if "mcp" not in words[1:]:
        return []
    return words[words.index("mcp", 1) + 1 :]


def _sorted_out(words: Sequence[str], options: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that belong to some options, which have a word each, and those that do not."""
    ours: list[str] = []
    others: list[str] = []
    left = list(words)
    while left:
        option, split, _ = (word := left.pop(0)).partition("=")
        (ours if option in options else others).append(word)
        if option in options and not split and left:
            ours.append(left.pop(0))
        elif _SERVING.get(option) and not split and left:
            others.append(left.pop(0))
    return ours, others


def _calls_us(words: Sequence[str]) -> bool:
    """Say whether these are the words after `hook`, as we write them."""
    if len(words) < 3 or words[0] not in tuple(Event) or not _only(words[1:], _HOOKING):
        return False
    if "--client" in words:
        place = words.index("--client") + 1
    else:
        place = len(words)
    return place < len(words) and words[place] in HOOKED


def _only(words: Sequence[str], options: Mapping[str, bool]) -> bool:
    """Say whether there is nothing but these options."""
    left = list(words)
    while left:
        option, split, _ = left.pop(0).partition("=")
        if option not in options or (options[option] and not split and not left):
            return False
        if options[option] and not split:
            left.pop(0)
    return True
