"""The lists that sentence forms are read by: words, forms and places, kept as JSON beside this module."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["read_lists", "word_list"]


@cache
def read_lists(name: str) -> Any:
    """Return a file of lists, read once a process."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of words of `subject_words.json`."""
    return frozenset(read_lists("subject_words")[name].split())
