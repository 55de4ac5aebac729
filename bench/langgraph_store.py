"""LangGraph's store on notes beside its own on SQLite: `python bench/langgraph_store.py [ITEMS]`.

Both do the same in one run and take turns, so that a busy machine hurts both alike: items put in one batch, searched
with a question, searched with a filter, read and put by themselves. Ours ranks by words alone, those of the items held
in memory; SqliteStore has no vectors either, and takes no notice of the question. Needs the package
langgraph-checkpoint-sqlite (`make bench-store` installs it). The target is 5 times SqliteStore.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from langgraph.store.base import BaseStore, Op, PutOp
from langgraph.store.sqlite import SqliteStore

from holdfast import Memory
from holdfast.surfaces.adapters.langgraph_store import HoldfastStore

_ITEMS = 200
_ROUNDS = 5
_CALLS = 20
_TARGET = 5.0
_SETTLED = 0.1
_SPACE = ("docs", "birds")


def _puts(items: int, turn: int) -> list[Op]:
    return [
        PutOp(_SPACE, f"t{turn}-{number}", {"text": f"Bird {number} nests near lake {number % 37}.", "n": number})
        for number in range(items)
    ]


def _cost(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of wall time and of CPU time."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


def _many(work: Callable[[int], object]) -> Callable[[], object]:
    return lambda: [work(number) for number in range(_CALLS)]


def _rows(store: BaseStore, items: int, turn: int) -> dict[str, tuple[float, float]]:
    costs = {f"{items} puts in a batch": _cost(lambda: store.batch(_puts(items, turn)))}
    # What a batch leaves to the first search, which cuts all items into words, is a row of its own.
    costs["the first question then"] = _cost(lambda: store.search(_SPACE, query="lake 7"))
    each = {
        "search with a question": lambda number: store.search(_SPACE, query=f"bird {number} lake"),
        "search with a filter": lambda number: store.search(_SPACE, filter={"n": {"$gt": number}}),
        "get": lambda number: store.get(_SPACE, f"t{turn}-{number}"),
        "put": lambda number: store.put(_SPACE, f"t{turn}-{number}", {"text": f"Bird {number} left.", "n": number}),
    }
    for name, work in each.items():
        time.sleep(_SETTLED)  # what was written a moment ago is read again by whoever asks
        wall, cpu = _cost(_many(work))
        costs[name] = (wall / _CALLS, cpu / _CALLS)
    return costs


def main(items: int = _ITEMS) -> None:
    """Measure both and print a table."""
    ours: list[dict[str, tuple[float, float]]] = []
    theirs: list[dict[str, tuple[float, float]]] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        for turn in range(_ROUNDS):
            with (
                SqliteStore.from_conn_string(str(Path(folder) / f"{turn}.db")) as sqlite,
                Memory.open(Path(folder) / f"home{turn}", settings={"memory.disable_rag": True}) as memory,
            ):
                sqlite.setup()
                memory.save("The heron nests in March.", file="memory/heron.md")
                memory.search("heron")
                theirs.append(_rows(sqlite, items, turn))
                ours.append(_rows(HoldfastStore(memory), items, turn))
    print(f"{'':24} {'SqliteStore ms':>15} {'Holdfast ms':>12} {'times':>6}   CPU: {'ms':>8} {'ms':>8} {'times':>6}")
    for name in ours[0]:
        figures = [statistics.median(row[name][kind] for row in rows) for kind in (0, 1) for rows in (theirs, ours)]
        wall, cpu = figures[1] / figures[0], figures[3] / figures[2]
        mark = "" if wall <= _TARGET else f"  above {_TARGET:.0f}"
        print(
            f"{name:24} {figures[0]:15.2f} {figures[1]:12.2f} {wall:6.1f}        {figures[2]:8.2f} {figures[3]:8.2f} "
            f"{cpu:6.1f}{mark}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else _ITEMS)
