"""The network breaks off in mid-save, in what is asked or in what is answered: nothing is lost, and nothing doubled."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from counts import counted
from engines.cutting_proxy import CuttingProxy
from engines.engine import TENANT, tenant_of
from engines.postgres_server import Databases
from engines.test_engine_faults import add_for_sure, lines_of

from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.integrity import verify
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.postgres_workspace import PostgresWorkspace

pytestmark = [pytest.mark.fault, pytest.mark.promise("P2"), pytest.mark.promise("P3")]
WRITERS = 4
MOST_BYTES = 1500  # that pass before a cut: a save is some two thousand there, and a few hundred back


def cut_often(proxy: CuttingProxy, times: int, done: threading.Event) -> int:
    """Cut the lines so often, by chance before, in or after what is asked or answered; say how often."""
    chance, cuts = random.Random(11), 0
    while cuts < times and not done.is_set():
        to_server = chance.random() < 0.5
        bytes_more = chance.choice((0, 1, chance.randrange(MOST_BYTES)))
        cuts += proxy.cut_after(bytes_more, to_server=to_server, seconds=60)
    return cuts


def test_a_network_that_is_cut_in_mid_save_costs_no_line_and_doubles_none(
    databases: Databases, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    wanted, done = counted(8, 200), threading.Event()
    written: list[str] = []
    address, _, name = databases.dsn.rpartition("/")
    login, _, port = address.rpartition(":")
    with (
        tenant_of(databases, tmp_path) as engine,
        CuttingProxy(int(port)) as proxy,
        ExitStack() as held,
    ):
        pool = held.enter_context(closing(PostgresPool.open(f"{login}:{proxy.port}/{name}")))
        places = [
            held.enter_context(closing(PostgresWorkspace.open(pool, TENANT, cache=str(tmp_path / f"writer{number}"))))
            for number in range(WRITERS)
        ]

        def write(number: int) -> None:
            count = 0
            while not done.is_set():
                add_for_sure(places[number], f"{number}.{count}")
                written.append(f"{number}.{count}")
                count += 1

        with ThreadPoolExecutor(WRITERS) as executor:
            writers = [executor.submit(write, number) for number in range(WRITERS)]
            for writer in writers:
                writer.add_done_callback(lambda _: done.set())  # one that fails ends all
            cuts = cut_often(proxy, wanted, done)
            done.set()
        for writer in writers:
            writer.result()
        with closing(engine.workspace()) as workspace:
            assert cuts == wanted and written
            assert lines_of(workspace) == Counter(written)
            assert len(history(workspace, limit=10**6)) == len(written)
            assert verify(workspace) == []
    record_property("faults", f"{cuts} cuts of the network, {len(written)} saves: 0 lost, 0 doubled, 0 torn")
