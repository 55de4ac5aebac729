"""How cost grows from ten thousand chunks to a million: `python bench/scale.py`, which writes docs/scale.md.

Everything about one size is measured in one run: hybrid search as shipped, keywords alone, and the floor, in turn,
query by query. What a size gave is kept in `.bench/scale/`, and the page shows every size that was ever measured
there, so sizes may be run one by one. `--keep` searches an index that is there already, and keeps what building it
cost.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import holdfast_side
from corpus import Corpus, bench_dir, generated
from floor_side import Floor
from measure import Answer, Asker, Cost, median
from needles import Query

__all__ = ["Asked", "Size"]

_SIZES = "10000,30000,100000,300000,1000000"
_CHUNKS_A_NOTE = 15.0  # a little less than there are: no size has fewer chunks than it says
_SHORT, _LONG = 4, 40  # words
_SYSTEMS = ("hybrid", "keywords", "floor")


@dataclass
class Asked:
    """Warm searches of one system: milliseconds, peak bytes, hits among the first five by kind of query."""

    cpu_p50: float
    cpu_p95: float
    wall_p50: float
    wall_p95: float
    short_cpu: float
    long_cpu: float
    rss: int
    hits: dict[str, int]


@dataclass
class Size:
    """Everything that was measured at one size; costs are seconds of CPU, seconds of wall time and bytes."""

    chunks: int
    notes: int
    bytes: int
    load: float = 0.0
    index: Cost | None = None
    floor_index: Cost | None = None
    unchanged: Cost | None = None
    cold: Cost | None = None
    files: dict[str, int] = field(default_factory=dict)
    asked: dict[str, Asked] = field(default_factory=dict)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _kept(chunks: int) -> Path:
    place = bench_dir() / "scale"
    place.mkdir(exist_ok=True)
    return place / f"{chunks}.json"


def _read(path: Path) -> Size:
    raw = json.loads(path.read_text(encoding="utf-8"))
    for name in ("index", "floor_index", "unchanged", "cold"):
        raw[name] = None if raw[name] is None else Cost(**raw[name])
    raw["asked"] = {name: Asked(**one) for name, one in raw["asked"].items()}
    return Size(**raw)


def _write(size: Size) -> None:
    _kept(size.chunks).write_text(json.dumps(asdict(size), indent=1) + "\n", encoding="utf-8")


def measure(chunks: int, rounds: int, *, keep: bool) -> Size:
    """Make the notes of one size, index them, and ask."""
    _say(f"{chunks:,} chunks: making the notes, once")
    corpus = generated(math.ceil(chunks / _CHUNKS_A_NOTE))
    before = _read(_kept(chunks)) if keep and _kept(chunks).exists() else None  # an index that was built here
    size = Size(chunks, corpus.files, corpus.bytes)
    # The corpus is the home: a second copy of a million files would help nobody.
    product, floor = holdfast_side.Holdfast(corpus.root), Floor(corpus.root, bench_dir() / "scale" / str(chunks))
    os.environ["HOLDFAST_MEMORY_DISABLE_RAG"] = "false"
    if before is not None:
        size.index, size.floor_index = before.index, before.floor_index
    if size.index is None:
        _say(f"{chunks:,} chunks: indexing")
        size.index = _without_output(product.index(fresh=True))
    if size.floor_index is None:
        _say(f"{chunks:,} chunks: indexing for the floor")
        size.floor_index = _without_output(floor.index(fresh=True))
    _write(size)  # the longest part is done, and need not be done again
    size.unchanged = _without_output(product.index(fresh=False))
    size.cold = median([product.cold(query.text) for query in corpus.queries[::31]])
    size.files = dict(_files(corpus.root / "state")) | {"floor.sqlite": floor.size()}
    with contextlib.ExitStack() as stack:
        stack.enter_context(_no_looks(corpus.root))
        askers: dict[str, Asker] = {}
        for name in _SYSTEMS:
            os.environ["HOLDFAST_MEMORY_DISABLE_RAG"] = "true" if name == "keywords" else "false"
            askers[name] = floor.warm() if name == "floor" else product.warm()
            stack.callback(askers[name].close)
        _say(f"{chunks:,} chunks: asking")
        size.asked = _asked(askers, corpus, rounds)
    size.load = os.getloadavg()[0]
    _write(size)
    return size


@contextlib.contextmanager
def _no_looks(home: Path) -> Iterator[None]:
    """Searches that do not look for changed files first: with a million of them a look takes longer than a hundred
    searches, and how many of the searches here pay for one would depend on how busy the machine is."""
    settings = home / "holdfast.toml"
    settings.write_text("[memory.sync]\non_search = false\non_session_start = false\n", encoding="utf-8")
    try:
        yield
    finally:
        settings.unlink()


def _without_output(cost: Cost) -> Cost:
    return Cost(cost.cpu, cost.wall, cost.rss)


def _files(state: Path) -> Iterator[tuple[str, int]]:
    """What lies in `state/`, less locks and checkpoints, with its size."""
    for path in sorted(state.rglob("*")):
        if path.is_file() and path.relative_to(state).parts[0] not in ("checkpoints", "locks") and path.stat().st_size:
            yield str(path.relative_to(state)), path.stat().st_size


def _asked(askers: dict[str, Asker], corpus: Corpus, rounds: int) -> dict[str, Asked]:
    short, long = _questions(corpus, _SHORT), _questions(corpus, _LONG)
    every = [query.text for query in corpus.queries] * rounds
    answers: dict[str, list[Answer]] = {name: [] for name in askers}
    lengths: dict[str, tuple[list[Answer], list[Answer]]] = {name: ([], []) for name in askers}
    names = list(askers)
    for name in names:
        for text in every[::9]:  # what a process pays once is not what a search costs
            askers[name].ask(text)
    for number, text in enumerate(every):
        for name in names[number % 3 :] + names[: number % 3]:
            answers[name].append(askers[name].ask(text))
    for pair in zip(short, long, strict=True):
        for name in names:
            for place, text in enumerate(pair):
                lengths[name][place].append(askers[name].ask(text))
    return {name: _figures(askers[name], corpus, answers[name], *lengths[name]) for name in names}


def _figures(
    asker: Asker, corpus: Corpus, answers: Sequence[Answer], short: Sequence[Answer], long: Sequence[Answer]
) -> Asked:
    cpu, wall = [_cpu(one) for one in answers], [one.wall for one in answers]
    return Asked(
        cpu_p50=_percentile(cpu, 0.5),
        cpu_p95=_percentile(cpu, 0.95),
        wall_p50=_percentile(wall, 0.5),
        wall_p95=_percentile(wall, 0.95),
        short_cpu=_percentile([_cpu(one) for one in short], 0.5),
        long_cpu=_percentile([_cpu(one) for one in long], 0.5),
        rss=asker.usage()[1] or 0,
        hits=_hits(corpus.queries, answers),
    )


def _questions(corpus: Corpus, words: int) -> list[str]:
    """The beginnings of paragraphs of the notes that the queries ask for, as questions of so many words."""
    found: list[str] = []
    for path in dict.fromkeys(query.answer for query in corpus.queries):
        lines = (corpus.root / path).read_text(encoding="utf-8").splitlines()
        prose = [line.split() for line in lines if len(line.split()) >= _LONG and line[0] not in "#-"]
        found += [" ".join(line[:words]) for line in prose[:1]]
    return found


def _hits(queries: Sequence[Query], answers: Sequence[Answer]) -> dict[str, int]:
    hits = dict.fromkeys((query.kind for query in queries), 0)
    for query, answer in zip(queries, answers, strict=False):
        wanted = query.answer.rsplit("/", 1)[-1].lower()
        hits[query.kind] += any(path.rsplit("/", 1)[-1].lower() == wanted for path in answer.paths[:5])
    return hits


def _cpu(answer: Answer) -> float:
    return math.nan if answer.cpu is None else answer.cpu


def _percentile(seconds: Sequence[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))] * 1000


def main() -> int:
    """Measure the sizes asked for, and write the page."""
    from scale_page import page, verdicts

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=_SIZES, help="numbers of chunks, with commas")
    parser.add_argument("--rounds", type=int, default=2, help="how often the 90 queries are asked")
    parser.add_argument("--keep", action="store_true", help="search an index that is there instead of building it anew")
    parser.add_argument("--check", action="store_true", help="end with 1 when a target is missed or was not measured")
    arguments = parser.parse_args()
    for chunks in (int(size) for size in arguments.sizes.split(",") if size):
        measure(chunks, arguments.rounds, keep=arguments.keep)
    measured = sorted((_read(path) for path in (bench_dir() / "scale").glob("*.json")), key=lambda size: size.chunks)
    target = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
    if len(measured) < len(_SIZES.split(",")):  # what others measured is not thrown away for a part of it
        target = bench_dir() / "scale" / "scale.md"
        print(f"Not every size was measured here: the page is {target}, and docs/scale.md stays as it is.")
    target.write_text(page(measured), encoding="utf-8")
    found = verdicts(measured)
    for verdict in found:
        print(verdict.line())
    return int(arguments.check and not all(verdict.passed for verdict in found))


if __name__ == "__main__":
    sys.exit(main())
