"""The workspace as Claude's memory tool sees it: files below /memories, and answers in the words that Claude knows.

/memories/MEMORY.md is MEMORY.md, and /memories/<name>.md is memory/<name>.md; the rules for names are those of every
note. Folders can be looked into, but only their owner makes them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from holdfast.context.note_list import NoteSeen
from holdfast.errors import BadPath, HoldfastError, NoteChangedOutside, NoteNotFound
from holdfast.guard.paths import EXPORTS, readable_path, writable_path
from holdfast.memory import Memory
from holdfast.operations.note_result import NoteText, Written
from holdfast.surfaces.adapters.memory_lock import alone, notes_of

__all__ = ["Memories", "Unable"]

_ROOT = "/memories"
_PROMPT_MEMORY = "/memories/MEMORY.md"
_MOST_LINES = 999_999
_WIDTH = 6
_MOST_LISTED = 1_000  # files in one answer: a folder of transcripts must not fill the model's window
_MOST_PLACES = 100
_ATTEMPTS = 5
# Exports, notes of other programs and reports: many, and not what the model keeps here. Named, they are shown.
_ASIDE = (EXPORTS, "memory/imports/", "memory/dreams/")
_UNITS = "BKMG"


class Unable(Exception):
    """A command was not done, for a reason in words for the model."""


class Memories:
    """The six commands; each gives the words that answer it, or raises Unable."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._notes = notes_of(memory, "anthropic")

    def view(self, path: str, view_range: object = None) -> str:
        """A file with its lines numbered, or the files of a folder."""
        shown = _check_path(path)
        with alone(self._memory), _errors_as_text():
            if shown != _ROOT and shown.endswith(".md"):
                found = self._read(shown)
                if found is not None:
                    return _numbered(path, found.text, view_range)
            listed = list(self._folder(shown))
        if not listed and shown != _ROOT:
            raise Unable(f"The path {path} does not exist. Please provide a valid path.")
        return _listing(path, shown, listed)

    def create(self, path: str, file_text: str) -> str:
        """A new file; one that is there is not written over."""
        note = _to_write(_check_path(path))
        _text(file_text, "file_text")
        with alone(self._memory), _errors_as_text():
            try:
                made = self._notes.write(note, file_text, expected_hash="", reason="create")
            except NoteChangedOutside:
                raise Unable(f"File {path} already exists") from None
        if made.waits:
            return _waiting(path, made)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str | None) -> str:
        """Replace a text that occurs once; the answer shows the lines around it."""
        _text(old_str, "old_str")
        new = _text(new_str or "", "new_str")

        def edit(content: str) -> tuple[str, int]:
            if not old_str or old_str not in content:
                raise Unable(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
            places = list(_places(content, old_str))
            if len(places) > 1:
                lines = ", ".join(map(str, places))
                raise Unable(
                    f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: {lines}. "
                    "Please ensure it is unique"
                )
            return content.replace(old_str, new), places[0] - 1

        content, line, made = self._edit(path, edit, "str_replace")
        if made.waits:
            return _waiting(path, made)
        lines = content.split("\n")
        first = max(0, line - 2)
        snippet = "\n".join(_line(number + 1, lines[number]) for number in range(first, min(len(lines), line + 3)))
        return (
            f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Put a text behind a line; 0 is the beginning."""
        _text(insert_text, "insert_text")
        if isinstance(insert_line, bool) or not isinstance(insert_line, int):
            raise Unable(f"Invalid `insert_line` parameter: {insert_line}. It should be a whole number.")

        def edit(content: str) -> tuple[str, int]:
            if content:
                lines = content.removesuffix("\n").split("\n")
            else:
                lines = []
            if not 0 <= insert_line <= len(lines):
                raise Unable(
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            return "\n".join(lines).removesuffix("\n") + "\n", insert_line

        *_, made = self._edit(path, edit, "insert")
        if made.waits:
            return _waiting(path, made)
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Remove a file; its checkpoint stays, and brings it back."""
        shown = _check_path(path)
        if shown == _ROOT:
            raise Unable(f"Cannot delete the {_ROOT} directory itself")
        with alone(self._memory), _errors_as_text():
            self._refuse_folder(shown, path)
            try:
                self._notes.delete(_to_write(shown))
            except NoteNotFound:
                raise Unable(f"The path {path} does not exist") from None
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Give a file another name that is free."""
        shown, new = _check_path(old_path), _check_path(new_path)
        if shown == _ROOT:
            raise Unable(f"Cannot rename the {_ROOT} directory itself")
        with alone(self._memory), _errors_as_text():
            self._refuse_folder(shown, old_path)
            taken = f"The destination {new_path} already exists"
            if new == _ROOT or self._read(new) is not None or next(self._folder(new), None) is not None:
                raise Unable(taken)
            try:
                self._notes.rename(_to_write(shown), _to_write(new))
            except NoteNotFound:
                raise Unable(f"The path {old_path} does not exist") from None
            except NoteChangedOutside:
                raise Unable(taken) from None
        return f"Successfully renamed {old_path} to {new_path}"

    # Inside

    def _read(self, shown: str) -> NoteText | None:
        try:
            return self._notes.read(_note(shown))
        except (NoteNotFound, BadPath):
            return None

    def _edit(self, path: str, edit: Callable[[str], tuple[str, int]], reason: str) -> tuple[str, int, Written]:
        """Read, change and write, again if somebody else was faster."""
        shown = _check_path(path)
        with alone(self._memory), _errors_as_text():
            for _ in range(_ATTEMPTS):
                found = self._read(shown)
                if found is None:
                    if shown == _ROOT or next(self._folder(shown), None) is not None:
                        raise Unable(f"The path {path} is not a file.")
                    raise Unable(f"The path {path} does not exist. Please provide a valid path.")
                text, line = edit(found.text)
                try:
                    made = self._notes.write(_to_write(shown), text, expected_hash=found.hash, reason=reason)
                except NoteChangedOutside:
                    continue
                return text, line, made
        raise Unable(f"The file {path} changes while it is edited. View it, then try again.")

    def _folder(self, shown: str) -> Iterator[NoteSeen]:
        """The notes below a folder."""
        inside = f"memory{shown[len(_ROOT) :]}/"
        for seen in self._notes.list():
            if seen.path.startswith(inside) or (shown == _ROOT and "/" not in seen.path):
                yield seen

    def _refuse_folder(self, shown: str, path: str) -> None:
        if not shown.endswith(".md") and next(self._folder(shown), None) is not None:
            raise Unable(f"{path} is a folder, and folders are their owner's: only files can be deleted or renamed.")


@contextmanager
def _errors_as_text() -> Iterator[None]:
    """Turns what Holdfast refuses into words for the model."""
    try:
        yield
    except HoldfastError as error:
        raise Unable(str(error)) from error


def _check_path(path: object) -> str:
    """The path without what means nothing in it; it lies below /memories."""
    if not isinstance(path, str):
        raise Unable("The command needs a `path` that is text.")
    if path != _ROOT and not path.startswith(f"{_ROOT}/"):
        raise Unable(f"Path must start with {_ROOT}, got: {path}")
    if ".." in path.split("/"):
        raise Unable(f"Path {path} would escape {_ROOT} directory")
    return posixpath.normpath(path)


def _note(shown: str) -> str:
    """The path in the workspace."""
    if shown == _PROMPT_MEMORY:
        return "MEMORY.md"
    return f"memory{shown[len(_ROOT) :]}"


def _to_write(shown: str) -> str:
    """The path of a note that may be written, or Unable with a name that may."""
    note = _note(shown)
    try:
        writable_path(note)
    except BadPath as error:
        inside = shown[len(_ROOT) + 1 :].removesuffix(".md").replace("/", "-").replace(".", "-").strip("-")
        usable = f"{_ROOT}/{inside or 'notes'}.md"
        try:
            writable_path(_note(usable))
        except BadPath:
            usable = f"{_ROOT}/<name>.md"
        if "/" in shown[len(_ROOT) + 1 :]:
            why = "folders can't be made here"
        else:
            why = error.why
        raise Unable(f"{shown} can't be used for a memory file: {why}. Use {usable}.") from None
    return note


def _seen(path: str) -> str:
    """The path as the model sees it."""
    if readable_path(path).is_prompt_memory:
        return _PROMPT_MEMORY
    return f"/memories{path.removeprefix('memory')}"


def _waiting(path: str, made: Written) -> str:
    """Return what the model is told where its lines wait for the owner.

    None of the usual words, which would be untrue.
    """
    return f"The file {path} is unchanged. Your text {made.because.replace(made.path, _seen(made.path))}."


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Unable(f"The command needs `{name}`, as text.")
    return value


def _listing(path: str, shown: str, listed: list[NoteSeen]) -> str:
    """Sizes and paths, two levels deep, each folder before what is in it."""
    sizes: dict[str, int] = {}
    for seen in listed:
        parts = _seen(seen.path)[len(shown) + 1 :].split("/")
        aside = shown == _ROOT and seen.path.startswith(_ASIDE)
        if len(parts) > 1:
            folders = ["/".join(parts[:depth]) + "/" for depth in range(1, min(len(parts), 3))]
            for folder in folders[:1] if aside else folders:
                sizes[folder] = sizes.get(folder, 0) + seen.bytes
        if len(parts) <= 2 and not aside:
            sizes["/".join(parts)] = seen.bytes
    lines = [f"{_size(sum(seen.bytes for seen in listed))}\t{path}"]
    lines += [f"{_size(sizes[name])}\t{path.rstrip('/')}/{name}" for name in sorted(sizes)[:_MOST_LISTED]]
    if len(sizes) > _MOST_LISTED:
        lines.append(f"… and {len(sizes) - _MOST_LISTED} more")
    head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([head, *lines])


def _numbered(path: str, text: str, view_range: object) -> str:
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        raise Unable(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = 0, len(lines)
    match view_range:
        case [int(start), int(end)]:
            first, last = max(1, start) - 1, last if end == -1 else end
    chosen = "\n".join(_line(number, line) for number, line in enumerate(lines[first:last], first + 1))
    return f"Here's the content of {path} with line numbers:\n{chosen}"


def _line(number: int, text: str) -> str:
    return f"{number:>{_WIDTH}}\t{text}"


def _places(content: str, wanted: str) -> Iterator[int]:
    """The lines in which a text occurs, the first hundred times."""
    at, line, counted = content.find(wanted), 1, 0
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        line += content.count("\n", counted, at)
        counted = at
        yield line
        at = content.find(wanted, at + 1)


def _size(size: int) -> str:
    power = min(max(0, size.bit_length() - 1) // 10, len(_UNITS) - 1)
    value = size / 1024**power
    if value == int(value):
        return f"{int(value)}{_UNITS[power]}"
    return f"{value:.1f}{_UNITS[power]}"
