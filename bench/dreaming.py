"""How long dreaming takes over many daily notes, and how much memory: python bench/dreaming.py [notes]."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from holdfast import Memory
from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.dream_counts import signals_of
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer

LINES = 30
TODAY = datetime.now(UTC).astimezone().date()


def written(home: Path, notes: int) -> list[Path]:
    """Daily notes up to today, each with some lines that are like those of other days."""
    (home / "memory").mkdir(parents=True)
    paths = []
    for back in range(notes):
        day = TODAY - timedelta(days=back)
        path = home / f"memory/{day}.md"
        lines = (
            f"- Topic {(back * 7 + n) % 97}: step {n} of plan {back % 13} took {n * back} minutes" for n in range(LINES)
        )
        path.write_text(f"# {day}\n\n" + "\n".join(lines) + "\n")
        paths.append(path)
    return paths


def main(notes: int) -> None:
    """Write the notes, count questions for two thousand of their lines, and dream twice."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        paths = written(home, notes)
        with Memory.open(home, origin=Origin.USER, settings={"memory.sync.on_search": False}) as memory:
            now, rows = time.time(), []
            for path in paths[:: max(1, len(paths) // 500)]:
                shown = f"memory/{path.name}"
                for claim in claims_in(path.read_text(), shown)[:4]:
                    days = [(TODAY - timedelta(days=d)).isoformat() for d in (0, 3, 7)]
                    rows += [LineAnswer(claim.key, f"q{q}", d, shown, 0.8, now) for q in range(3) for d in days]
            signals_of(memory.ctx).record(rows)
            for run in ("first", "second"):
                began, busy = time.perf_counter(), time.process_time()
                done = memory.dreams.run()
                took, busy = time.perf_counter() - began, time.process_time() - busy
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                told = f"{done.gathered} gathered, {len(done.patterns)} patterns, {len(done.of('promoted'))} promoted"
                cost = f"{took:.2f} s ({busy:.2f} s CPU), {peak} MB at most"
                print(f"{run}: {notes:,} notes, {cost}, {told}, changed: {done.changed}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
