"""A pytest plugin: the frameworks' own tests, with Holdfast's classes in the place of theirs.

`run.py` loads it before their test modules import anything. A test that can't hold for Holdfast is named in
`differences.py` with the reason: it must fail, so that the list stays true.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from upstream.differences import DIFFERENCES

from holdfast import Memory

_OPENED: dict[str, Memory] = {}
"""The memories of the running test, by what their tests call the place of a database."""


def memory_at(place: str | os.PathLike[str] = ":memory:") -> Memory:
    """The memory that stands for a database at this place; one in memory is nobody else's."""
    key = os.fspath(place)
    if key == ":memory:":
        key = f":memory:{len(_OPENED)}"
    if key not in _OPENED:
        # By words alone: their embeddings are toys that count letters, and say nothing about ours.
        _OPENED[key] = Memory.open(Path(tempfile.mkdtemp(prefix="upstream-")) / "home", settings=_BY_WORDS)
    return _OPENED[key]


_BY_WORDS = {"memory.disable_rag": True}


def pytest_configure(config: pytest.Config) -> None:
    """Put our classes where theirs are looked up."""
    config.addinivalue_line("markers", "flaky(retries): theirs; a test is not tried again here")
    with suppress(ImportError):
        _replace_langgraph_stores()
    with suppress(ImportError):
        _replace_agents_sessions()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are known to differ."""
    for item in items:
        test = getattr(item, "originalname", item.name)
        known = DIFFERENCES.get(f"{item.path.name}::{test}")
        if known is not None:
            item.add_marker(pytest.mark.xfail(reason=known.reason, strict=not known.sometimes))


@pytest.fixture(autouse=True)
def _close_memories() -> Iterator[None]:
    yield
    while _OPENED:
        _OPENED.popitem()[1].close()


def _replace_langgraph_stores() -> None:
    import langgraph.store.memory

    from holdfast.surfaces.adapters.langgraph_store import HoldfastStore

    class InMemory(HoldfastStore):
        def __init__(self, *, index: Any = None) -> None:
            super().__init__(memory_at(), fields=_fields(index))

    langgraph.store.memory.InMemoryStore = InMemory  # type: ignore[misc, assignment]
    import langgraph.store.sqlite
    import langgraph.store.sqlite.aio

    class Sqlite(HoldfastStore):
        @classmethod
        @contextmanager
        def from_conn_string(cls, place: str, *, index: Any = None, ttl: Any = None) -> Iterator[HoldfastStore]:
            yield cls(memory_at(place), fields=_fields(index), ttl=ttl)

        def setup(self) -> None:
            """There is nothing to set up."""

    class AsyncSqlite(HoldfastStore):
        @classmethod
        @asynccontextmanager
        async def from_conn_string(cls, place: str, *, index: Any = None, ttl: Any = None) -> AsyncIterator[Any]:
            yield cls(memory_at(place), fields=_fields(index), ttl=ttl)

        async def setup(self) -> None:
            """There is nothing to set up."""

        async def sweep_ttl(self) -> int:  # type: ignore[override]
            """Theirs is a coroutine."""
            return super().sweep_ttl()

    langgraph.store.sqlite.SqliteStore = Sqlite
    for module in (langgraph.store.sqlite, langgraph.store.sqlite.aio):
        module.AsyncSqliteStore = AsyncSqlite


def _fields(index: Any) -> tuple[str, ...]:
    named = (index or {}).get("fields") or (index or {}).get("text_fields") or ()
    return tuple(name for name in named if name != "$")


def _replace_agents_sessions() -> None:
    import agents
    import agents.memory

    from holdfast.surfaces.adapters.openai_agents import HoldfastSession

    class Session(HoldfastSession):
        def __init__(
            self, session_id: str, db_path: str | Path = ":memory:", *_: Any, session_settings: Any = None
        ) -> None:
            super().__init__(memory_at(db_path), session_id, session_settings=session_settings)

        def close(self) -> None:
            """The plugin closes the memories, which several sessions share."""

    agents.SQLiteSession = agents.memory.SQLiteSession = Session  # type: ignore[misc, assignment]
