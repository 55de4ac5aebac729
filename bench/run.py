"""Compare Holdfast with the floor and with QMD, in one run on the same notes: `python bench/run.py`."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import holdfast_side
import qmd
from aged import aged_hits
from corpus import Corpus, bench_dir, generated, real, real_archive
from floor_side import Floor
from measure import CommandError, Cost, System, ask_all, median
from report import CorpusFigures, Figures, Verdict, as_json, table, vector_verdicts, verdicts
from speed_page import page

_LARGE = 100_000
# A system may leave out its look at the files when another process has just taken one. Nobody searches twice a second,
# so cold searches are also measured after a rest that is longer than any such window.
_REST = 3.0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _workspace(corpus: Corpus) -> tuple[Path, Path]:
    """A home with a private copy of the notes, and a place for what the other systems keep."""
    place = bench_dir() / "work" / corpus.root.name
    shutil.rmtree(place, ignore_errors=True)
    home = place / "home"
    shutil.copytree(corpus.root / "memory", home / "memory")
    return home, place / "others"


def _victim(corpus: Corpus, home: Path) -> Path:
    """The note that changes: never one that a query asks for."""
    answers = {query.answer for query in corpus.queries}
    notes = sorted(path for path in (home / "memory").rglob("*.md") if str(path.relative_to(home)) not in answers)
    return notes[len(notes) // 2]


class _Comparison:
    """The systems on one corpus; one that fails is left out from then on, and the table says why."""

    def __init__(self, corpus: Corpus, systems: list[System]) -> None:
        self.figures = CorpusFigures(corpus.name, corpus.files, corpus.bytes)
        self.figures.systems = {system.name: Figures() for system in systems}
        self.systems = systems

    def drop(self, system: System, reason: CommandError) -> None:
        self.figures.systems[system.name].problem = str(reason)
        self.systems = [other for other in self.systems if other is not system]
        _say(f"  {system.name} is left out: {reason}")

    def each(self, label: str, rounds: int, work: Callable[[System, int], Cost], before: Callable[[int], None]) -> None:
        """Run one kind of work in rounds, the systems in turn, and keep the medians under `label`."""
        _say(f"  {label.replace('_', ' ')}")
        costs: dict[str, list[Cost]] = {}
        for turn in range(rounds):
            before(turn)
            first = turn % max(1, len(self.systems))
            for system in self.systems[first:] + self.systems[:first]:
                try:
                    costs.setdefault(system.name, []).append(work(system, turn))
                except CommandError as reason:
                    self.drop(system, reason)
        for system in self.systems:
            setattr(self.figures.systems[system.name], label, median(costs[system.name]))

    def warm(self, corpus: Corpus, rounds: int) -> None:
        """Warm searches of all the systems at once, query by query."""
        _say("  warm searches")
        with contextlib.ExitStack() as stack:
            askers = {}
            for system in list(self.systems):
                try:
                    askers[system.name] = system.warm()
                    stack.callback(askers[system.name].close)
                    askers[system.name].ask(corpus.queries[0].text)
                except CommandError as reason:
                    askers.pop(system.name, None)
                    self.drop(system, reason)
            for name, warm in ask_all(askers, corpus.queries, rounds).items():
                self.figures.systems[name].warm = warm


def compare(corpus: Corpus, rounds: int, *, with_qmd: bool, with_holdfast: bool) -> CorpusFigures:
    """Every measurement of every system on one corpus."""
    _say(f"{corpus.name}: copying {corpus.files:,} files")
    home, others = _workspace(corpus)
    systems: list[System] = [Floor(home, others)]
    if with_holdfast:
        systems.append(holdfast_side.Holdfast(home))
    if with_qmd:
        systems.append(qmd.Qmd(home, others))
    comparison = _Comparison(corpus, systems)
    victim, queries = _victim(corpus, home), corpus.queries

    def change(turn: int) -> None:
        with victim.open("a", encoding="utf-8") as file:
            file.write(f"- one more line, number {turn}\n")

    def nothing(turn: int) -> None:
        """No preparation."""

    comparison.each("full", min(rounds, 3), lambda system, _: system.index(fresh=True), nothing)
    for system in comparison.systems:
        comparison.figures.systems[system.name].size = system.size()
    comparison.each("unchanged", rounds, lambda system, _: system.index(fresh=False), nothing)
    comparison.each("one_file", rounds, lambda system, _: system.index(fresh=False), change)
    # Steps of 37 visit all kinds of query in any few turns.
    asked = [queries[37 * number % len(queries)].text for number in range(len(queries))]

    def cold(system: System, turn: int) -> Cost:
        return system.cold(asked[turn % len(asked)])

    comparison.each("cold", 3 * rounds, cold, nothing)
    comparison.each("rested", rounds, cold, lambda _: time.sleep(_REST))
    comparison.warm(corpus, rounds)
    return comparison.figures


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="numbers of generated notes, with commas")
    parser.add_argument("--large", action="store_true", help="also 100,000 notes, one round, without QMD")
    parser.add_argument("--real", action="store_true", help="also the 3,738 files of github-docs")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each measurement (a full index: at most 3)")
    parser.add_argument("--json", metavar="FILE", help="also write every figure to a file")
    parser.add_argument("--page", metavar="FILE", help="also write the tables and targets as a page")
    parser.add_argument("--no-qmd", action="store_true", help="leave QMD out")
    parser.add_argument(
        "--vectors", action="store_true", help="search with the embedded model, as shipped, not by words"
    )
    parser.add_argument(
        "--aged", action="store_true", help="also with needles three years old, and every boost on the hay's side"
    )
    parser.add_argument("--check", action="store_true", help="end with 1 when a target is missed or was not measured")
    return parser.parse_args()


def _corpora(arguments: argparse.Namespace) -> list[Corpus]:
    sizes = [int(size) for size in arguments.sizes.split(",") if size]
    found = [generated(size) for size in sizes]
    if arguments.real:
        documents = real()
        if documents:
            found.append(documents)
        else:
            _say(f"github-docs is left out: put its archive at {real_archive()}, or name it in HOLDFAST_BENCH_DATA")
    if arguments.large:
        found.append(generated(_LARGE))
    return found


def _aged(corpus: Corpus, *, vectors: bool) -> Verdict:
    """The needles once more, with age, use, project and importance against them."""
    _say(f"{corpus.name}: needles three years old")
    found = aged_hits(corpus, bench_dir() / "work" / f"{corpus.root.name}-aged", vectors=vectors).hits
    hits = [found.get(kind, 0) for kind in ("token", "question", "topic")]
    target = f"needles three years old at {corpus.name}, every boost on"
    return Verdict(target, "/".join(map(str, hits)), "30/30/30", hits == [30, 30, 30])


def main() -> int:
    """Measure, print, and with `--check` judge."""
    arguments = _arguments()
    # Words alone unless asked: the floor and QMD's keyword search have no vectors to pay for either.
    os.environ["HOLDFAST_MEMORY_DISABLE_RAG"] = "false" if arguments.vectors else "true"
    no_qmd = "not asked for" if arguments.no_qmd else qmd.missing()
    no_holdfast = holdfast_side.missing()
    for name, reason in (("QMD", no_qmd), ("Holdfast", no_holdfast)):
        if reason:
            _say(f"{name} is left out: {reason}")
    results: list[tuple[Corpus, CorpusFigures]] = []
    for corpus in _corpora(arguments):
        huge = corpus.files >= _LARGE
        figures = compare(
            corpus, 1 if huge else arguments.rounds, with_qmd=not (no_qmd or huge), with_holdfast=not no_holdfast
        )
        results.append((corpus, figures))
        print(f"\n{table(figures)}\n", flush=True)
    sized = {corpus.files: figures for corpus, figures in results if corpus.name != "github-docs"}
    found = vector_verdicts(sized) if arguments.vectors else verdicts(sized)
    if arguments.aged:
        found += [_aged(corpus, vectors=arguments.vectors) for corpus, _ in results if corpus.name != "github-docs"]
    print("Targets" + f" (load average now {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
    for verdict in found:
        print(verdict.line())
    if arguments.json:
        text = json.dumps(as_json([figures for _, figures in results], found), indent=1)
        Path(arguments.json).write_text(text + "\n", encoding="utf-8")
    if arguments.page:
        command = " ".join(["python", "bench/run.py", *sys.argv[1:]])
        text = page(command, [table(figures) for _, figures in results], found)
        Path(arguments.page).write_text(text, encoding="utf-8")
    return int(arguments.check and not all(verdict.passed for verdict in found))


if __name__ == "__main__":
    sys.exit(main())
