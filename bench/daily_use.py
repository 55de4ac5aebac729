"""What a search costs in a home that was lived in: `python bench/daily_use.py [--notes N] [--rounds R] [--check]`.

The other benches search homes of plain notes. Here each thing that daily use adds is added in turn to one home, and the
same questions are asked again: CPU as times of the same search before anything was added, in one run. A search right
after a save, and what is noticed in a message, are measured beside it. With --check the status is 1 where a search
costs more than it may.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from corpus import generated

from holdfast import Memory

_QUESTIONS = (
    "who decided on retries of the storage gateway?",
    "notes on billing export",
    "when was the cache limit raised",
    "error rate of the search service",
    "rollout plan for the mobile app",
    "latency of the queue",
)
_SAID = (
    "My dentist is in Graz.",
    "We booked a cabin in Oslo for June.",
    "I started to learn Polish last winter.",
    "My brother works for a bakery in Kiel.",
    "I sold the red bicycle on Sunday.",
    "Our daughter is allergic to walnuts.",
)
_MOST = 2.0  # times of a search in the bare home, for what every search of a home pays
_REPORT = "# Dream\n\nNothing was promoted, since nothing was asked for often.\n"
_FACT = "- I prefer tea of kind {0} <!-- fact id=x{0:05d} origin=user observed=2026-03-02 -->\n"


def main() -> int:
    """Print the table; with --check the status is 1 where a search costs more than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        shutil.copytree(generated(options.notes).root / "memory", home / "memory")
        with Memory.open(home) as memory:
            rows = _measure(memory, home, options.rounds)
    bare = rows[0][1]
    print(f"{options.notes:,} notes; CPU of a warm search\n\n| home | ms | times the bare one |\n|---|---|---|")
    for name, spent in rows:
        print(f"| {name} | {spent:.1f} | {spent / bare:.2f} |")
    return int(options.check and any(spent > _MOST * bare for name, spent in rows if name.startswith("with")))


def _measure(memory: Memory, home: Path, rounds: int) -> list[tuple[str, float]]:
    """Return what a search costs after each thing that is added, and the other costs of daily use."""

    def search() -> float:
        return _median([partial(memory.search, question) for question in _QUESTIONS], rounds)

    def add(path: str, text: str) -> float:
        target = home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        memory.sync()
        return search()

    memory.sync()
    rows = [
        ("a bare one", search()),
        ("with a report of a dream", add("memory/dreams/2026-03-02.md", _REPORT)),
        ("with 200 facts as well", add("memory/preferences.md", "".join(map(_FACT.format, range(200))))),
        ("with an archive as well", add("memory/archive.md", "".join(map(_FACT.format, range(200, 400))))),
    ]
    return [*rows, ("right after a save", _after_saves(memory, rounds)), ("a message with a fact", _noticed(memory))]


def _after_saves(memory: Memory, rounds: int) -> float:
    times = []
    for number in range(rounds + 2):
        memory.save(f"The lighthouse was painted for the {number}th time.", file="memory/lighthouse.md")
        times.append(_spent(lambda: memory.search(_QUESTIONS[0])))
    return statistics.median(times[2:])


def _noticed(memory: Memory) -> float:
    """Return the cost of looking for facts in a message, and of keeping the one that is there."""
    times = []
    with memory.session("lived") as session:
        for said in _SAID:
            session.append("user", said)
            times.append(_spent(session.capture))
    return statistics.median(times[1:])


def _median(calls: list[Callable[[], object]], rounds: int) -> float:
    for call in calls:
        call()
    return statistics.median(_spent(call) for _ in range(rounds) for call in calls)


def _spent(call: Callable[[], object]) -> float:
    """Return milliseconds of CPU."""
    began = time.process_time()
    call()
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
