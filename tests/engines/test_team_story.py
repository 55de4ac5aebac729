"""The one story of all surfaces, told by a tenant in PostgreSQL: every step gives what it gives with files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from engines.engine import tenant_of
from engines.postgres_server import Databases
from engines.team_serving import team_served
from surfaces.mcp.connections import LEGACY, MODERN
from surfaces.test_one_story import ByHttp, ByLibrary, ByTools, Surface, by_mcp, expected, story

import holdfast

__all__ = ["expected"]


@contextmanager
def library(databases: Databases, place: Path) -> Iterator[Surface]:
    with tenant_of(databases, place) as engine, engine.memory() as memory:
        yield ByLibrary(memory)


@contextmanager
def tools(databases: Databases, place: Path) -> Iterator[Surface]:
    with tenant_of(databases, place) as engine, engine.memory() as memory, memory.session("main") as session:
        yield ByTools(session.tools().call)


@contextmanager
def http(databases: Databases, place: Path) -> Iterator[Surface]:
    with team_served(databases, place) as team:
        yield ByHttp(team.by("acme"))


@contextmanager
def client(databases: Databases, place: Path) -> Iterator[Surface]:
    with team_served(databases, place) as team:
        web = team.by("acme")
        with holdfast.connect(web.url, token=web.token) as connected:
            yield ByLibrary(connected)


def mcp(mode: str) -> Callable[[Databases, Path], Any]:
    @contextmanager
    def opened(databases: Databases, place: Path) -> Iterator[Surface]:
        with (
            team_served(databases, place, "--tools", "all", "--structured") as team,
            by_mcp(mode, team.by("acme", "agent")) as surface,
        ):
            yield surface

    return opened


SURFACES: dict[str, Callable[[Databases, Path], Any]] = {
    "library": library,
    "tools": tools,
    "http": http,
    "client": client,
    "mcp, handshake": mcp(LEGACY),
    "mcp, 2026-07-28": mcp(MODERN),
}


@pytest.mark.parametrize("name", SURFACES)
def test_a_tenant_tells_the_story_of_a_home(
    name: str,
    databases: Databases,
    tmp_path: Path,
    expected: list[Any],
) -> None:
    with SURFACES[name](databases, tmp_path) as surface:
        assert story(surface, with_state=not name.startswith("mcp")) == expected
