"""The public sets by name; only the one that is asked for is imported and read."""

from __future__ import annotations

from importlib import import_module

from holdfast.evaluation.data import SOURCES, spoilt
from holdfast.evaluation.sets import LabelledSet

__all__ = ["NAMES", "load_set"]

NAMES = tuple(SOURCES)


def load_set(name: str, directory: str) -> LabelledSet:
    """A public set, read from the data directory; the module and its one function have the set's name."""
    labelled: LabelledSet = getattr(import_module(f"holdfast.evaluation.{name}"), name)(directory)
    if not any(collection.questions for collection in labelled.collections):
        raise spoilt(name, SOURCES[name].file, "no question comes out of it")
    return labelled
