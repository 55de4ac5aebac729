"""A path that names no note → the notes and folders with nearly that name, for an error message."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from holdfast.context.context import Context
from holdfast.context.session_visibility import can_read

__all__ = ["near_notes", "place_exists"]

_SHOWN: Final = 3
_ALIKE: Final = 0.66  # of the last names: "plan" and "plans" have .89, "p" and "pp" .67, "a" and "b" nothing
_PART: Final = 0.7  # for a name that contains the one that was asked for, as "plan one" contains "plan"
_OTHER_FOLDER: Final = 0.9  # as likely as that, what is alike but in another folder is what was meant
_SHORTEST_PART: Final = 3  # characters: "a" is in nearly every name
_LONGEST: Final = 200  # characters; comparing costs the square of the length
_MAX_NOTES: Final = 20_000  # that are looked at: some 200 ms


def near_notes(ctx: Context, path: str, *, folders: bool = False) -> tuple[str, ...]:
    """The notes, and with `folders` the folders too, whose names are most like this one; the nearest first."""
    scored = ((_likeness(path, name), name) for name in _names(ctx, folders=folders))
    ranked = sorted(((score, name) for score, name in scored if score), key=lambda pair: (-pair[0], pair[1]))
    return tuple(name for _, name in ranked[:_SHOWN])


def place_exists(ctx: Context, path: str) -> bool:
    """Say whether a note or a folder of this path is there; the folder of all notes is, also before the first one."""
    folder = path.rstrip("/") + "/"
    return folder == "memory/" or any(name == path or name.startswith(folder) for name in _notes(ctx))


def _notes(ctx: Context) -> Iterator[str]:
    for note in ctx.workspace.walk().found[:_MAX_NOTES]:
        if can_read(ctx, note.path):
            yield note.path


def _names(ctx: Context, *, folders: bool) -> Iterator[str]:
    seen: set[str] = set()
    for note in _notes(ctx):
        yield note
        folder = note.rpartition("/")[0]
        while folders and folder and folder not in seen:
            seen.add(folder)
            yield folder
            folder = folder.rpartition("/")[0]


def _likeness(wanted: str, name: str) -> float:
    """Return how alike two paths are by their last names; a difference in the folders alone costs a little."""
    asked, last = _fold(wanted), _fold(name)
    if not asked or not last:
        return 0.0
    score = SequenceMatcher(None, asked, last, autojunk=False).ratio()
    if score < _ALIKE:
        is_part = len(asked) >= _SHORTEST_PART and asked in last
        score = _PART if is_part else 0.0
    same_folder = wanted.rpartition("/")[0].casefold() == name.rpartition("/")[0].casefold()
    if same_folder:
        return score
    return score * _OTHER_FOLDER


def _fold(path: str) -> str:
    last = path.rstrip("/").rpartition("/")[2].removesuffix(".md")
    return last[:_LONGEST].casefold().replace("-", " ").replace("_", " ")
