"""The needles three years old, the hay of this month, and every boost on the hay's side: `python bench/aged.py 1000`.

Hay is new, often read, in the project at hand, and there are facts of the highest importance that hold a question's
words with an id that differs in its last letter. A boost may decide between equals; it must not cost a needle.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from corpus import SEED, Corpus, bench_dir, generated
from needles import Query, near_misses, needle_ids

from holdfast import Memory
from holdfast.clock import FakeClock

__all__ = ["SETTINGS", "TODAY", "Aged", "aged_hits", "aged_home"]

TODAY = date(2026, 12, 1)
SETTINGS: dict[str, object] = {
    "memory.search.temporal_decay.enabled": True,
    "memory.search.boost.access": 1.0,
    "memory.search.boost.project": 1.0,
    "memory.sync.on_search": False,
}
_OLD = timedelta(days=3 * 365)
_NEW = 28  # days over which the hay is spread
_READ = 20  # times that each piece of hay was read which a query finds
_FIRST = 5


@dataclass(frozen=True)
class Aged:
    """How many needles of each kind are among the first five hits, and which boosts had a say in any of these."""

    hits: dict[str, int]
    boosts: frozenset[str]


def aged_home(corpus: Corpus, home: Path) -> tuple[Query, ...]:
    """A copy of the notes with other days, and facts that look like the needles; gives the queries that fit them."""
    answers = {query.answer for query in corpus.queries}
    names: dict[str, str] = {}
    for number, path in enumerate(sorted((corpus.root / "memory").rglob("*.md"))):
        shown = path.relative_to(corpus.root).as_posix()
        day = TODAY - (_OLD if shown in answers else timedelta(days=number % _NEW))
        was = path.name[:10]
        names[shown] = f"{path.parent.relative_to(corpus.root).as_posix()}/{day}{path.name[10:]}"
        target = home / names[shown]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(path.read_text(encoding="utf-8").replace(was, str(day)), encoding="utf-8")
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
        os.utime(target, (moment, moment))
    queries = tuple(replace(query, answer=names[query.answer]) for query in corpus.queries)
    (home / "memory/facts.md").write_text("# Facts\n\n" + "\n".join(_facts(queries)) + "\n", encoding="utf-8")
    return queries


def _facts(queries: tuple[Query, ...]) -> Iterator[str]:
    """Every question once more, as a fact about an id that is almost the one that is asked for."""
    needles = needle_ids(SEED)
    other = {miss.slot: miss.id for miss in near_misses(needles).values()}
    twins = {needle.id: other[needle.slot + 5] for needle in needles}
    for number, query in enumerate(query for query in queries if query.kind == "question"):
        words = query.text
        for own, twin in twins.items():
            words = words.replace(own, twin)
        yield f"- {words} <!-- fact id=f{number} importance=1 origin=user observed={TODAY} -->"


def _read_often(memory: Memory, hashes: Iterable[str]) -> None:
    """As many reads of each text as count; through `get`, each would wait for the disk."""
    with closing(sqlite3.connect(f"{memory.ctx.index_path}.usage")) as uses, uses:
        uses.execute("CREATE TABLE IF NOT EXISTS uses(hash TEXT PRIMARY KEY, times INTEGER, last REAL)")
        now = memory.ctx.clock.now()
        uses.executemany("INSERT OR REPLACE INTO uses VALUES (?, ?, ?)", [(one, _READ, now) for one in hashes])


def aged_hits(corpus: Corpus, home: Path, *, vectors: bool) -> Aged:
    """Which needles are found when everything else speaks for the hay."""
    shutil.rmtree(home, ignore_errors=True)
    queries = aged_home(corpus, home)
    clock = FakeClock(datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC).timestamp())
    found = dict.fromkeys((query.kind for query in queries), 0)
    with Memory.open(home, settings={**SETTINGS, "memory.disable_rag": not vectors}, clock=clock) as memory:
        memory.sync()
        projects = sorted({query.answer.rpartition("/")[0] for query in queries})
        edition = memory.ctx.database.serving()
        assert edition is not None
        needles = {query.answer for query in queries}
        hay = {
            hit.chunk_id for query in queries for hit in memory.search(query.text).results if hit.path not in needles
        }
        _read_often(memory, [chunk.text_hash for one in sorted(hay) if (chunk := edition.chunk_at(one))])
        boosts: set[str] = set()
        for query in queries:
            elsewhere = next(project for project in projects if not query.answer.startswith(f"{project}/"))
            hits = memory.search(query.text, max_results=_FIRST, project=elsewhere).results
            found[query.kind] += any(hit.path == query.answer for hit in hits)
            boosts.update(name for hit in hits for name in hit.explain)
    return Aged(found, frozenset(boosts & {"recency", "importance", "access", "project"}))


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("counts", nargs="*", type=int, default=[1000])
    for count in parser.parse_args().counts:
        for vectors in (False, True):
            found = aged_hits(generated(count), bench_dir() / "work" / f"aged-{count}", vectors=vectors)
            how = "with vectors" if vectors else "words alone"
            print(f"{count:,} notes, {how}: {found.hits}; boosts: {', '.join(sorted(found.boosts))}", flush=True)


if __name__ == "__main__":
    _main()
