"""The lists that sentence forms are read by: words, forms and places, kept as JSON beside this module."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

__all__ = ["read_lists", "word_list"]

_FOLDER = os.path.dirname(__file__)  # not pathlib's, which every hook would wait for


@cache
def read_lists(name: str) -> Any:
    """Return a file of lists, read once a process."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of words of `subject_words.json`."""
    return frozenset(read_lists("subject_words")[name].split())
