"""status: what there is, what answers a search, and why."""

from __future__ import annotations

import os
from typing import Any

from holdfast.embeddings.asking import ask
from holdfast.embeddings.embedder import Purpose
from holdfast.errors import HoldfastError
from holdfast.settings.load import settings_file
from holdfast.tools.rooms import Rooms
from holdfast.value import Value

__all__ = ["Status", "status"]


class Status(Value):
    """The state of one agent's memory; `problems` is filled by a deep look."""

    home: str
    agent: str
    settings_file: str | None
    notes: int
    notes_on_disk: int
    by_source: dict[str, int]
    skipped: tuple[tuple[str, str], ...]
    chunks: int
    index_path: str
    index_bytes: int
    up_to_date: bool
    mode: str
    because: str
    provider: str | None
    model: str | None
    engine: str | None
    spaces: tuple[dict[str, Any], ...] = ()
    problems: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "home": self.home,
            "agent": self.agent,
            "settings_file": self.settings_file,
            "notes": self.notes,
            "notes_on_disk": self.notes_on_disk,
            "by_source": self.by_source,
            "skipped": [{"path": path, "why": why} for path, why in self.skipped],
            "chunks": self.chunks,
            "index": {"path": self.index_path, "bytes": self.index_bytes, "up_to_date": self.up_to_date},
            "mode": self.mode,
            "because": self.because,
            "provider": self.provider,
            "model": self.model,
            "engine": self.engine,
            "spaces": list(self.spaces),
        }
        if self.problems is not None:
            shown["problems"] = list(self.problems)
        return shown


def status(rooms: Rooms, *, deep: bool = False) -> Status:
    """Look at notes and index without changing either; a deep look also tests them and the provider."""
    walk = rooms.workspace.walk()
    file = settings_file(rooms.workspace.home)
    database = rooms.database if os.path.exists(rooms.index_path) else None
    counts = database.counts() if database else None
    edition = database.serving() if database else None
    known = edition.known() if edition else {}
    spaces, engine = _spaces(rooms) if database else ((), None)
    mode, because = _mode(rooms, any(space["embedded"] for space in spaces))
    return Status(
        home=rooms.workspace.home,
        agent=rooms.workspace.agent,
        settings_file=file if os.path.exists(file) else None,
        notes=counts.notes if counts else 0,
        notes_on_disk=len(walk.found),
        by_source=counts.by_source if counts else {},
        skipped=tuple((one.path, one.why) for one in walk.skipped),
        chunks=counts.chunks if counts else 0,
        index_path=rooms.index_path,
        index_bytes=counts.bytes if counts else 0,
        up_to_date=len(known) == len(walk.found)
        and all(
            (state := known.get(found.path)) is not None
            and state.mtime_ns == found.mtime_ns
            and state.size == found.size
            for found in walk.found
        ),
        mode=mode,
        because=because,
        provider=rooms.embedder.space.provider if rooms.embedder else None,
        model=rooms.embedder.space.model if rooms.embedder else None,
        engine=engine,
        spaces=spaces,
        problems=tuple(_problems(rooms)) if deep else None,
    )


def _spaces(rooms: Rooms) -> tuple[tuple[dict[str, Any], ...], str | None]:
    shown: list[dict[str, Any]] = []
    engine = None
    for key in rooms.database.spaces():
        vectors = rooms.database.vectors(key)
        texts, embedded = vectors.coverage()
        current = rooms.embedder is not None and rooms.embedder.space == key
        shown.append({**key._asdict(), "texts": texts, "embedded": embedded, "current": current})
        if current and embedded:
            engine = vectors.engine
            shown[-1]["because"] = vectors.because
    return tuple(shown), engine


def _mode(rooms: Rooms, has_vectors: bool) -> tuple[str, str]:
    if rooms.settings.memory.disable_rag:
        return "keyword", "memory.disable_rag is on"
    if rooms.embedder is None:
        return "keyword", "no embedding provider is configured; this version ships with keyword search"
    if not has_vectors:
        return "keyword", "nothing has been embedded yet; `holdfast index` does it"
    return ("hybrid", "") if rooms.settings.search.hybrid else ("vector", "memory.search.hybrid is off")


def _problems(rooms: Rooms) -> list[str]:
    from holdfast.checkpoints.verify import verify

    found: list[str] = []
    if os.path.exists(rooms.index_path):
        if rooms.database.set_aside:
            found.append(f"the index was damaged and has been set aside as {rooms.database.set_aside}")
        found.extend(f"index: {problem}" for problem in rooms.database.check())
    found.extend(f"checkpoints: {one.subject}: {one.why}" for one in verify(rooms.workspace))
    if rooms.embedder is not None:
        try:
            ask(rooms.embedder, ["ping"], Purpose.QUERY)
        except HoldfastError as error:
            found.append(str(error))
    return found
