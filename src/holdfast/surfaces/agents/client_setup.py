"""Adding Holdfast to the settings of a program, and taking it out again: a backup first, and no file half.

A file that was not touched since goes back to the very bytes it had; else only what is ours goes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from holdfast.errors import HoldfastError, NoteChangedOutside, SettingsError
from holdfast.guard.jsonc import NotJson, has_value, parse_jsonc
from holdfast.notes.foreign_file import ForeignFile, read_foreign_file, write_foreign_file
from holdfast.notes.workspace import Workspace
from holdfast.surfaces.agents.clients import Client, File, Scope
from holdfast.surfaces.agents.jsonc_edit import laid_out
from holdfast.surfaces.agents.own_entries import commands_in, without_ours
from holdfast.surfaces.agents.settings_entries import NotOurs
from holdfast.surfaces.agents.toml_table import toml_value
from holdfast.value import Value

__all__ = ["ConnectResult", "Done", "State", "add", "look", "server_commands", "shown_alone", "take_out"]

_TRIES = 5  # each is lost to a program that writes its settings this very moment
_FOLDER = "state/backups"
_EMPTY = "{}\n"
_MARK = b"\xef\xbb\xbf"  # some editors begin a file with it; JSON's is read with the text
_MOST_BACKUPS = 20  # of one file and way; the first ones stay, and the last is replaced after that


class State(StrEnum):
    """The state of a file, or what was done to it."""

    MISSING = "not added"
    THERE = "added"
    OUTDATED = "added, and out of date"
    ADDED = "was added"
    REMOVED = "was taken out"
    OWNED = "there, with options of your own"
    UNREADABLE = "can't be changed"


class Done(Value):
    """One file: what it needs, what is true of it, and the backup that was made."""

    file: File
    state: State
    backup: str = ""
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "path": self.file.place.path,
            "format": self.file.format,
            "state": self.state.value,
            "snippet": shown_alone(self.file),
            "backup": self.backup or None,
            "because": self.because,
        }


class ConnectResult(Value):
    """The state of a program's settings."""

    client: Client
    scope: Scope
    files: tuple[Done, ...]
    failures: tuple[HoldfastError, ...] = ()
    """Why some of them could not be changed."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "client": self.client.value,
            "scope": self.scope.value,
            "files": [file.to_json() for file in self.files],
        }


def shown_alone(file: File) -> str:
    """Return what goes into a file, as a person would write it there."""
    if file.format == "json":
        return laid_out(file.alone)
    return _add_entries(file, "").strip("\n")


def look(client: Client, scope: Scope, files: Sequence[File]) -> ConnectResult:
    """Return what is true of each file; nothing is changed."""
    return ConnectResult(client, scope, tuple(map(_looked, files)))


def server_commands(file: File) -> list[list[str]]:
    """The commands by which a file starts our server; none where it can't be read."""
    try:
        text = _text(file, read_foreign_file(file.place) or b"")
        return list(commands_in(_value(file, text)))
    except Exception:  # noqa: BLE001 - somebody else's file, which may hold anything; `connect` says what is wrong
        return []


def add(client: Client, scope: Scope, files: Sequence[File], workspace: Workspace) -> ConnectResult:
    """Add what is missing to each file; if one of them can't be changed, none is."""
    for file in files:
        _new_bytes(file, read_foreign_file(file.place), _add_entries)
    done = [_change_file(client, scope, file, workspace, _add_entries, State.ADDED) for file in files]
    return ConnectResult(client, scope, tuple(done))


def take_out(client: Client, scope: Scope, files: Sequence[File], workspace: Workspace) -> ConnectResult:
    """Take out of each file what was added, and nothing else; one that can't be changed does not keep the others."""
    done: list[Done] = []
    failures: list[HoldfastError] = []
    for file in files:
        try:
            done.append(_change_file(client, scope, file, workspace, _remove_entries, State.REMOVED))
        except HoldfastError as error:
            done.append(Done(file, State.UNREADABLE, because=str(error)))
            failures.append(error)
    return ConnectResult(client, scope, tuple(done), tuple(failures))


def _looked(file: File) -> Done:
    try:
        before = read_foreign_file(file.place)
        if _new_bytes(file, before, _add_entries) == before:
            return Done(file, State.THERE)
        missing = _new_bytes(file, before, _remove_entries) == before and not _owned(file, before)
    except HoldfastError as error:
        return Done(file, State.UNREADABLE, because=str(error))
    return Done(file, State.MISSING if missing else State.OUTDATED)


def _change_file(
    client: Client, scope: Scope, file: File, workspace: Workspace, edit: Callable[[File, str], str], done: State
) -> Done:
    for attempt in range(_TRIES):
        before = read_foreign_file(file.place)
        after = _new_bytes(file, before, edit)
        if done is State.REMOVED:
            after = _as_it_was(client, scope, file, workspace, before, after)
        if done is State.ADDED:
            because = ""
        else:
            because = _owned(file, after)
        if after == before:
            none = State.OWNED if because else State.MISSING
            return Done(file, State.THERE if done is State.ADDED else none, because=because)
        backup = _backed_up(workspace, _backup_name(client, scope, file.place, done), before)
        try:
            # A project's settings are shared with others; a person's may hold keys.
            write_foreign_file(file.place, before, after, mode=0o644 if scope is Scope.PROJECT else 0o600)
        except NoteChangedOutside:
            if attempt == _TRIES - 1:
                raise
            continue
        return Done(file, done, backup, because)
    raise AssertionError  # the last attempt returns or raises


def _new_bytes(file: File, before: bytes | None, edit: Callable[[File, str], str]) -> bytes | None:
    """Return what a file holds after a change; SettingsError where that would touch anything but ours."""
    path = file.place.path
    if before is None and edit is _remove_entries:
        return None
    try:
        text = _text(file, before or b"")
        after = edit(file, text)
        if _others(file, text) != _others(file, after):
            raise NotOurs("other settings in it would change as well; add or take out the lines by hand")
    except UnicodeDecodeError:
        raise SettingsError(f"{path!r} was left as it is: it is not UTF-8 text; add the lines by hand.") from None
    except NotOurs as error:
        raise SettingsError(f"{path!r} was left as it is: {error}.") from None
    except NotJson as error:
        raise SettingsError(f"{path!r} was left as it is: {error}; mend that, or add the lines by hand.") from None
    except Exception as error:  # a file that nobody thought of must not keep the list of all others from its reader
        why = f"it can't be read ({type(error).__name__}: {str(error)[:200]})"
        raise SettingsError(f"{path!r} was left as it is: {why}; add the lines by hand.") from error
    if after == text and before is not None:
        return before
    return (_MARK if (before or b"").startswith(_MARK) and file.format == "toml" else b"") + after.encode()


def _text(file: File, before: bytes) -> str:
    """The text of a file; one that says nothing yet has all that is needed to add to it."""
    if file.format == "toml":
        text = before.removeprefix(_MARK).decode("utf-8")
        return text if text.strip() else ""
    text = before.decode("utf-8")
    if not text.strip("\ufeff \t\r\n"):
        return _EMPTY
    if has_value(text):
        return text
    return text + ("" if text.endswith("\n") else "\n") + _EMPTY  # comments, and nothing else


def _add_entries(file: File, text: str) -> str:
    for part in file.parts:
        text = part.add_entry(text)
    return text


def _remove_entries(file: File, text: str) -> str:
    for part in file.parts:
        text = part.remove_entry(text)
    return text


def _owned(file: File, data: bytes | None) -> str:
    """Return why the server stays in a file, where it has options that we did not write; empty where it has none."""
    text = _text(file, data or b"")
    words = [word for part in file.parts for word in part.owner_options(text)]
    if not words:
        return ""
    return f"The server stays: {' '.join(words)} was added to it by hand, and so it is yours. Take it out by hand."


def _others(file: File, text: str) -> Any:
    """All that a file says that is not ours."""
    value = _value(file, text)
    if file.format == "toml":
        return without_ours(value)
    if not isinstance(value, dict):
        raise NotJson("it holds no object")
    beside = {key: entry for part in file.parts for key, entry in getattr(part, "beside", {}).items()}
    return without_ours(beside | value)


def _value(file: File, text: str) -> Any:
    if file.format == "toml":
        return toml_value(text)
    return parse_jsonc(text).value


def _as_it_was(
    client: Client, scope: Scope, file: File, workspace: Workspace, before: bytes | None, after: bytes | None
) -> bytes | None:
    """The bytes from before we were added, where nobody has touched anything but ours since; else those asked for."""
    if before is None:
        return after
    kept = [data for _, data in _backups(workspace, _backup_name(client, scope, file.place, State.ADDED))]
    alike: list[bytes | None] = []
    for earlier in (*reversed(kept), None):
        try:
            if _new_bytes(file, earlier, _remove_entries) != earlier:
                continue
            ours = _new_bytes(file, earlier, _add_entries)
            if ours == before:
                return earlier
            # With other options than these we leave the same behind.
            if (after != before or _owned(file, before)) and _new_bytes(file, ours, _remove_entries) == after:
                alike.append(earlier)
        except HoldfastError:
            continue
    return alike[0] if alike else after


def _backed_up(workspace: Workspace, name: str, before: bytes | None) -> str:
    """Keep what a file holds, in state/backups, where no repository picks it up; empty where there is no file.

    What it was before we first came stays, however often we are added after that: later ones are numbered.
    """
    if before is None:
        return ""
    with workspace.home_lock():  # two who find the same number free would keep one of their files
        kept = _backups(workspace, name)
        same = next((copy for copy, data in kept if data == before), None)
        if same is None:
            same = _numbered(name, min(len(kept) + 1, _MOST_BACKUPS))
            workspace.replace_file(same, before)
    return f"{workspace.home}/{same}"


def _backups(workspace: Workspace, name: str) -> list[tuple[str, bytes]]:
    """The backups under a name, the first one first."""
    found: list[tuple[str, bytes]] = []
    for number in range(1, _MOST_BACKUPS + 1):
        data = workspace.read_file(_numbered(name, number))
        if data is None:
            break
        found.append((_numbered(name, number), data))
    return found


def _numbered(name: str, number: int) -> str:
    if number == 1:
        return name
    return f"{name}.{number}"


def _backup_name(client: Client, scope: Scope, place: ForeignFile, done: State) -> str:
    """One for each file and way: what it was before we were added, and before we were taken out."""
    from hashlib import sha256

    which = sha256(json.dumps([scope.value, place.path]).encode()).hexdigest()[:12]
    if done is State.REMOVED:
        ending = ".removed"
    else:
        ending = ""
    return f"{_FOLDER}/{client.value}-{which}-{place.parts[-1].lstrip('.').lower()}{ending}"
