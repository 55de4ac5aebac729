"""The ways to search that are compared: settings as shipped, and each stage switched off or on by its setting."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.errors import BadArgument
from holdfast.named_tuple import NamedTuple
from holdfast.settings.keys import BY_PATH

__all__ = ["KEYWORDS", "SHIPPED", "WAYS", "Way", "every_way", "named_ways"]

SHIPPED = "shipped"
KEYWORDS = "keywords"

_SKIP = "memory.search.skip"
_RRF = {"memory.search_merge_strategy": "rrf"}

WAYS: Mapping[str, Mapping[str, object]] = {
    SHIPPED: {},
    KEYWORDS: {"memory.disable_rag": True},
    "vectors": {"memory.search.hybrid": False},
    "rrf": _RRF,
    "rrf, seeds' weights": {**_RRF, "memory.search.vector_weight": 0.7, "memory.search.text_weight": 0.3},
    "no context": {_SKIP: ("context",)},
    "no closer": {_SKIP: ("closer",)},
    "keywords, no context": {"memory.disable_rag": True, _SKIP: ("context",)},
    "no typos": {_SKIP: ("typos",)},
    "no time": {_SKIP: ("time",)},
    "oldest as well": {_SKIP: ("newest_first",)},
    "questions as well": {_SKIP: ("answer_first",)},
    "no boosts": {_SKIP: ("importance", "access", "project", "recency")},
    "no decay": {_SKIP: ("recency",)},
    "mmr": {"memory.search.mmr.enabled": True},
    "no mmr": {"memory.search.mmr.enabled": False},
    "unicode61": {"memory.store.fts.tokenizer": "unicode61"},
    "trigram": {"memory.store.fts.tokenizer": "trigram"},
}
"""Every way by its name; one that needs a setting which does not exist, or that changes nothing, is left out."""


class Way(NamedTuple):
    """One way to search: the settings that differ from the defaults."""

    name: str
    settings: Mapping[str, object]

    @property
    def rebuilds(self) -> bool:
        """True if it needs another index: not a thing to do to the user's own for a comparison."""
        return any(path.startswith(("memory.store.", "memory.chunking.")) for path in self.settings)


def every_way() -> tuple[list[Way], list[str]]:
    """Return the ways that can be run and differ from what is shipped, and what is to be said of the others."""
    ways: list[Way] = []
    notes: list[str] = []
    for name, settings in WAYS.items():
        unknown = [path for path in settings if path not in BY_PATH]
        if unknown:
            notes.append(f"'{name}' is left out: there is no setting {', '.join(unknown)}")
        elif name != SHIPPED and all(BY_PATH[path].default == value for path, value in settings.items()):
            notes.append(f"'{name}' is left out: that is how it is shipped")
        else:
            ways.append(Way(name, settings))
    return ways, notes


def named_ways(names: list[str]) -> list[Way]:
    """Return the ways of these names; a name that stands for none is an error."""
    ways, notes = every_way()
    known = {way.name: way for way in ways}
    for name in names:
        if name not in known:
            why = next((note for note in notes if note.startswith(f"'{name}'")), f"there is no way {name!r}")
            raise BadArgument("way", f"{why}; choose from: {', '.join(known)}")
    return [known[name] for name in names]
