"""OpenClaw's home → the memory of each agent that openclaw.json names, wherever that file says it is.

A workspace may be anywhere on the machine, and what else OpenClaw searches (`extraPaths`) too. Which keys there are is
as OpenClaw 2026.9 documents them, and as its versions before the move of `memorySearch` to `memory.search` wrote them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from holdfast.errors import BadArgument, BadText, HoldfastError, NotFound
from holdfast.exchange.bundle import Bundle, open_bundle
from holdfast.exchange.findings import Findings, FoundNote, LeftOut, Source
from holdfast.exchange.markdown_folder import ENDINGS
from holdfast.exchange.workspaces import read_folder
from holdfast.guard.jsonc import NotJson, parse_jsonc
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode
from holdfast.named_tuple import NamedTuple

__all__ = ["read_openclaw"]

CONFIG: Final = "openclaw.json"
_MAX_CONFIG: Final = 4 * 1024 * 1024  # bytes; OpenClaw's own is some kilobytes
_NOT_THERE: Final = f"{CONFIG} names it, and it is not there"


class _Workspace(NamedTuple):
    """The folder of one agent, and what else it searches; `label` is "" where there is only one agent."""

    label: str
    folder: str
    extras: tuple[str, ...]


def read_openclaw(bundle: Bundle) -> Findings:
    """The notes of the workspaces that openclaw.json names; of all in the folder, where it names none."""
    config = _config(bundle)
    if bundle.root is None:
        workspaces = []
    else:
        workspaces = list(_workspaces(config, bundle.root))
    if not workspaces:
        return read_folder(bundle, Source.OPENCLAW)
    notes: list[FoundNote] = []
    left: list[LeftOut] = []
    taken: set[str] = set()  # agents may share a folder
    known: set[str] = set()
    for workspace in workspaces:
        for place in (workspace.folder, *workspace.extras):
            real = os.path.realpath(place)
            if real in taken:
                continue
            taken.add(real)
            is_extra = place != workspace.folder
            try:
                found = _read_place(place, workspace.label, is_extra=is_extra)
            except NotFound:
                left.append(LeftOut(place, _NOT_THERE))
            except HoldfastError as error:
                left.append(LeftOut(place, str(error)))
            else:
                # The default agent's folder may hold those of others.
                notes += [note for note in found.notes if note.where not in known]
                known.update(note.where for note in found.notes)
                left += found.left_out
    return Findings((), tuple(notes), tuple(left))


def _read_place(place: str, label: str, *, is_extra: bool) -> Findings:
    with open_bundle(place) as bundle:
        if is_extra:
            found = _read_extra(bundle)
        else:
            found = read_folder(bundle, Source.OPENCLAW)
        if bundle.single:
            root = os.path.dirname(place)
        else:
            root = place
        notes = tuple(
            FoundNote(f"{label} {note.name}".strip(), note.text, os.path.join(root, note.where)) for note in found.notes
        )
        left = tuple(LeftOut(os.path.join(root, where), why) for where, why in (*bundle.left_out, *found.left_out))
        return Findings((), notes, left)


def _read_extra(bundle: Bundle) -> Findings:
    """Every Markdown file of a place that is searched beside the workspace."""
    notes: list[FoundNote] = []
    left: list[LeftOut] = []
    for name in bundle.names:
        if name.lower().endswith(ENDINGS):
            try:
                text = decode(bundle.read(name, MAX_NOTE_BYTES))
            except BadText as error:
                left.append(LeftOut(name, error.why))
            else:
                words = name.rpartition(".")[0].replace("/", " ")
                notes.append(FoundNote(words if bundle.single else f"{bundle.title} {words}", text, name))
    return Findings((), tuple(notes), tuple(left))


def _config(bundle: Bundle) -> Mapping[str, Any]:
    if CONFIG not in bundle.names:
        return {}
    try:
        value = parse_jsonc(decode(bundle.read(CONFIG, _MAX_CONFIG))).value
    except NotJson as error:
        raise _settings_error(bundle, str(error)) from error
    except BadText as error:
        raise _settings_error(bundle, error.why) from error
    if not isinstance(value, Mapping):
        raise _settings_error(bundle, "it is not a table of settings")
    return value


def _settings_error(bundle: Bundle, why: str) -> BadArgument:
    """The error for a file of settings that can't be read: which workspaces there are, only it knows."""
    remedy = "mend it, or name a workspace instead (--from openclaw)"
    return BadArgument("file", f"{os.path.join(bundle.shown, CONFIG)!r} can't be read: {why}; {remedy}")


def _workspaces(config: Mapping[str, Any], root: str) -> Iterator[_Workspace]:
    """The workspace of each agent; none where the file names neither an agent nor a folder nor other paths."""
    agents = _table(config.get("agents"))
    defaults = _table(agents.get("defaults"))
    entries = dict(_entries(agents))
    base = _text(defaults.get("workspace")) or _text(_table(config.get("agent")).get("workspace"))
    shared = (*_extras(config), *_extras(defaults))
    if not entries:
        if base or shared:
            folder = _folder(base or "workspace", root)
            yield _Workspace("", folder, _folders_in(shared, folder))
        return
    default = _default_agent(agents, entries)
    for name, entry in entries.items():
        own = _text(entry.get("workspace"))
        if own:
            folder = _folder(own, root)
        elif name == default:
            folder = _folder(base or "workspace", root)
        else:
            if base:
                folder = os.path.join(_folder(base, root), name)
            else:
                folder = os.path.join(root, f"workspace-{name}")
        label = "" if name == default else name
        yield _Workspace(label, folder, _folders_in((*shared, *_extras(entry)), folder))


def _default_agent(agents: Mapping[str, Any], entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The agent that has the named workspace itself: the one that says so, or else the first, of a table `main`."""
    said = next((name for name, entry in entries.items() if entry.get("default") is True), "")
    has_list = isinstance(agents.get("list"), list)
    return said or ("main" if "main" in entries and not has_list else next(iter(entries)))


def _entries(agents: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The agents by name: a table of them, or a list as it was before."""
    for name, entry in _table(agents.get("entries")).items():
        yield str(name), _table(entry)
    listed = agents.get("list")
    for entry in listed if isinstance(listed, list) else ():
        if name := _text(_table(entry).get("id")):
            yield name, _table(entry)


def _extras(table: Mapping[str, Any]) -> Iterator[str]:
    """Return the other paths that are searched.

    They are in `memory.search.extraPaths`, or in `memorySearch.extraPaths` as before.
    """
    for search in (_table(_table(table.get("memory")).get("search")), _table(table.get("memorySearch"))):
        named = search.get("extraPaths")
        for entry in named if isinstance(named, list) else ():
            if path := _text(entry) or _text(_table(entry).get("path")):
                yield path


def _folders_in(paths: tuple[str, ...], workspace: str) -> tuple[str, ...]:
    return tuple(_folder(path, workspace) for path in paths)


def _folder(path: str, start: str) -> str:
    return os.path.normpath(os.path.join(start, os.path.expanduser(path)))


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    return value


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip() and "\0" not in value:
        return value
    return ""
