"""The settings of the index: how notes are cut, when it follows them, and where and how it is kept."""

from __future__ import annotations

import os
from enum import StrEnum

from holdfast.settings.declaration import PLENTY, Section, choice, fixed, minutes, switch, text, whole
from holdfast.settings.text_checks import store_path_flaw

__all__ = [
    "CacheSettings",
    "ChunkingSettings",
    "FtsSettings",
    "SessionSyncSettings",
    "StoreSettings",
    "SyncSettings",
    "Tokenizer",
    "VectorSettings",
]

# What glob would take for a pattern, in a path that is meant as it stands (`glob.escape`, without its import).
_PLAINLY = str.maketrans({"*": "[*]", "?": "[?]", "[": "[[]"})


class Tokenizer(StrEnum):
    """The tokenizer that makes the words of the index."""

    HOLDFAST = "holdfast"
    UNICODE61 = "unicode61"
    TRIGRAM = "trigram"


class ChunkingSettings(Section, table="memory.chunking"):
    """The length of what is shown, cut from a section or sent to a provider, and how much the next one repeats."""

    tokens: int = whole(
        400,
        "About how many tokens a section is cut to, and so shown with; and what makes one text for a provider "
        "that is asked over HTTP, be it several turns or bullets.",
        32,
        4000,
    )
    overlap: int = whole(80, "How many tokens each repeats from the one before; less than half of `tokens`.", 0, 1999)


class SyncSettings(Section, table="memory.sync"):
    """The times at which the index follows the notes."""

    on_session_start: bool = switch(
        True, "Bring the index up to date before the first search of an opened memory, also where `on_search` is off."
    )
    on_search: bool = switch(
        True,
        "Bring the index up to date before a search; with hundreds of notes at most four times a second, with "
        "many thousands every few seconds.",
    )
    watch: bool = switch(True, "Let long-running surfaces watch the notes for changes.")
    watch_debounce_ms: int = whole(
        1500, "How long the notes must be quiet before a watcher syncs, in milliseconds.", 50, 60_000
    )
    interval: int = minutes(0, "Let long-running surfaces also sync this often, in minutes; 0 is never.", 0, PLENTY)


class SessionSyncSettings(Section, table="memory.sync.sessions"):
    """The growth of a transcript after which it is indexed again."""

    delta_bytes: int = whole(100_000, "A transcript is indexed again when it has grown by so many bytes.", 1, PLENTY)
    delta_messages: int = whole(50, "A transcript is indexed again when it has grown by so many messages.", 1, PLENTY)


class CacheSettings(Section, table="memory.cache"):
    """The number of vectors that are kept though no chunk points to them any more."""

    enabled: bool = fixed(
        switch(True, "Keep the vectors of text that is gone, in case it comes back."),
        "Set memory.cache.max_entries to 0 to keep none.",
        heir="memory.cache.max_entries",
        carry=lambda enabled, _: None if enabled else 0,
    )
    max_entries: int = whole(
        50_000,
        "How many vectors of text that is gone are kept, in case it comes back; the least recently used go first, "
        "and 0 keeps none; of the model in the package, whose vectors cost nothing, few are.",
        0,
        PLENTY,
    )


class StoreSettings(Section, table="memory.store"):
    """The place of an agent's index."""

    path: str = text(
        "state/{agentId}.sqlite",
        "The index file, absolute or relative to the home; `{agentId}` stands for the agent.",
        flaw=store_path_flaw,
        of_home=True,
    )

    def pattern_in(self, home: str) -> str:
        """The same for all agents: a path in which `*` stands for the agent."""
        before, _, after = os.path.join(home, os.path.expanduser(self.path)).partition("{agentId}")
        return f"{before.translate(_PLAINLY)}*{after.translate(_PLAINLY).replace('{agentId}', '*')}"

    def file_of(self, home: str, agent: str) -> str:
        """The index file of one agent: below the home, unless the path is absolute or starts with `~`."""
        path = os.path.expanduser(self.path.replace("{agentId}", agent))
        return os.path.join(home, path)


class FtsSettings(Section, table="memory.store.fts"):
    """The way in which the words of the index are made."""

    tokenizer: Tokenizer = choice(
        Tokenizer.HOLDFAST,
        "How text becomes the words of the index: `holdfast` is our own analyser, the others are SQLite's.",
    )


class VectorSettings(Section, table="memory.store.vector"):
    """The switch and the library of the search by vectors."""

    enabled: bool | None = switch(
        None,
        "Search the vectors with sqlite-vec: `true` is the library named below or else the installed package, "
        "`false` is neither; without it, only a library named below is used, because Holdfast's own search is "
        "faster.",
        example=True,
    )
    extension_path: str | None = text(
        None,
        "The sqlite-vec library to load, where it is another than that of the installed package.",
        example="/path/to/vec0",
        of_home=True,
    )
