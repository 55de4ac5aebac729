"""The public sets by name; only the one that is asked for is imported and read."""

from __future__ import annotations

from importlib import import_module

from holdfast.evaluation.note_sets import has_note_set, note_set
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.row_sets import found_row_sets, row_set
from holdfast.evaluation.set_files import SOURCES, bad_file_error
from holdfast.evaluation.sets import LabelledSet

__all__ = ["NAMES", "known_sets", "load_set"]

NAMES = tuple(SOURCES)


def load_set(name: str, directory: str, shape: Shape = Shape.BULLETS) -> LabelledSet:
    """Return a set by its name, read from the data directory, or by the path of its folder.

    The function that reads a public set has its name, and the module the first word of it; only conversations have
    shapes.
    """
    if name not in SOURCES:
        if has_note_set(name):
            return note_set(name)
        return row_set(directory, name, shape)
    read = getattr(import_module(f"holdfast.evaluation.{name.partition('-')[0]}"), name.replace("-", "_"))
    if name == "locomo":
        labelled: LabelledSet = read(directory, shape)
    else:
        labelled = read(directory)
    if not any(collection.questions for collection in labelled.collections):
        raise bad_file_error(name, SOURCES[name].file, "no question comes out of it")
    return labelled


def known_sets(directory: str) -> list[str]:
    """Return the names of the public sets, and of those in the common format that the data directory holds."""
    return [*NAMES, *found_row_sets(directory)]
