"""What it costs to add a fact among few and among many: `python bench/facts.py [--check] [FACTS ...]`.

Homes of 10, 1,000 and 10,000 facts, written as Holdfast writes them, are added to by turns, through
`Memory.facts.store`, so that a busy machine hurts all of them alike. The yardstick is the home of 10 facts of the same
run: CPU as times of what a fact costs there, and the bytes that it takes on the disk (notes and checkpoints; the index
once it is closed). Before that stands what it costs to look for facts: in the first message of a process, modules and
weights included, as an installed program has them, with their bytecode; numpy, which it needs, by itself; and in a
message later on. The best of some runs, since a busy machine only ever adds.

`--pairs FILE ...` asks instead how often the candidates that the index names for a new fact hold the one that it
replaces or repeats: lines of JSON with `old`, `new` and `then`, all the old ones in one home among 3,000 others.

`--relations FILE ...` stores both sentences of each pair (`known`, `said`, `then`, `kind`), rules and learnt judgement
together as a store has them, and tells by kind what became of the known one: replaced, asked, the same, beside.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import NamedTuple

from holdfast import Memory
from holdfast.facts.capture.fact_extraction import notice
from holdfast.facts.fact import Draft
from holdfast.facts.fact_candidates import candidates_for, meaning_of
from holdfast.facts.fact_insert import Comparison, Outcome, add_fact
from holdfast.facts.fact_notes import FULL
from holdfast.facts.relation import read_relation
from holdfast.facts.supersede import Judgement
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark, write
from holdfast.markdown.fact_row import Category, note_after, note_of
from holdfast.settings.fact_settings import FactsSettings

SIZES = (10, 1_000, 10_000)
ADDED = 48  # facts to each home; the first few warm it up
WARM = 8
AMONG = 3_000
MOST = 2.0  # times the CPU of the smallest home
MOST_FIRST, MOST_LATER = 60.0, 1.0  # milliseconds for the first message of a process, and for one later on
RUNS = 5
MESSAGES = Path(__file__).parent.parent / "tests/data/capture/en.jsonl"
FIRST = """
import time, holdfast
began = time.process_time()
import numpy
print((time.process_time() - began) * 1000)
began = time.process_time()
from holdfast.facts.capture.fact_extraction import notice
assert notice("Hi! I live in Lisbon. Can you fix the build?")
print((time.process_time() - began) * 1000)
"""
SETTINGS = {"facts.max": 1_000_000}  # none goes to the archive: that is another work, done for many at a time
_THEN = {"takes its place": "replaces", "is the same": "same", "stands beside it": "beside"}
SYLLABLES = "ba ke lo mi nu ra se ti vo za fe gi ho ju pa ru sa to wi der lan mor".split()
SENTENCES = (
    "I saw {} and {} at the market",
    "We keep the {} beside the {}",
    "{} showed me a {} from {}",
    "The {} of {} needs a new {}",
    "Last year {} and I visited {}",
    "I bought a {} for the {}",
)


class Spent(NamedTuple):
    """What one home took: milliseconds of CPU a fact, and bytes a fact in notes and checkpoints and in the index."""

    facts: int
    cpu: float
    kept: float
    indexed: float


def sentences(seed: str) -> Iterator[str]:
    """Sentences that contradict nothing and repeat nothing."""
    chance = random.Random(seed)
    while True:
        form = chance.choice(SENTENCES)
        names = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(form.count("{}"))]
        yield form.format(*(name.capitalize() for name in names))


def write_home(home: Path, facts: int) -> None:
    """The notes of so many facts, the full ones closed."""
    (home / "memory").mkdir(parents=True)
    said, day, path = sentences(f"known {facts}"), date(2026, 1, 15), note_of(Category.FACT)
    for first in range(0, facts, FULL):
        lines = (
            write(f"- {next(said)}", Mark(f"b{number:06d}", None, Origin.USER, day))
            for number in range(first, min(facts, first + FULL))
        )
        (home / path).write_text("".join(f"{line}\n" for line in lines))
        path = note_after(path, day)


def bytes_in(home: Path) -> tuple[int, int]:
    """The bytes of notes and checkpoints, and those of the rest: the index."""
    sizes = {file: file.stat().st_size for file in home.rglob("*") if file.is_file()}
    kept = sum(size for file, size in sizes.items() if "memory" in file.parts or "checkpoints" in file.parts)
    return kept, sum(sizes.values()) - kept


def measure(homes: dict[int, Path]) -> list[Spent]:
    """Add facts to all homes by turns."""
    times: dict[int, list[float]] = {size: [] for size in homes}
    said = {size: sentences(f"new {size}") for size in homes}
    with ExitStack() as stack:
        opened = {}
        for size, home in homes.items():
            write_home(home, size)
            opened[size] = stack.enter_context(Memory.open(home, origin=Origin.USER, settings=SETTINGS))
            opened[size].sync()
        for memory in opened.values():
            memory.close()
    before = {size: bytes_in(home) for size, home in homes.items()}
    with ExitStack() as stack:
        opened = {
            size: stack.enter_context(Memory.open(home, origin=Origin.USER, settings=SETTINGS))
            for size, home in homes.items()
        }
        for number in range(ADDED):
            for size, memory in opened.items():
                began = time.process_time()
                memory.facts.store(next(said[size]), category="fact")
                if number >= WARM:
                    times[size].append((time.process_time() - began) * 1000)
    grown = {
        size: [(now - then) / ADDED for now, then in zip(bytes_in(home), before[size], strict=True)]
        for size, home in homes.items()
    }
    return [Spent(size, statistics.median(times[size]), *grown[size]) for size in homes]


def _first_messages() -> list[list[float]]:
    """Return the milliseconds for numpy and for the first message, of some processes that find their bytecode."""
    with tempfile.TemporaryDirectory() as place:
        given = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        given["PYTHONPYCACHEPREFIX"] = place
        command = [sys.executable, "-c", FIRST]
        told = [subprocess.run(command, check=True, capture_output=True, env=given) for _ in range(1 + RUNS)]
    return [[float(line) for line in run.stdout.split()] for run in told[1:]]  # the first writes it


def measure_capture() -> list[tuple[str, float, float | None]]:
    """Return what looking for facts costs in milliseconds of CPU, each with its limit."""
    numpy, first = (min(runs) for runs in zip(*_first_messages(), strict=True))
    messages = [json.loads(line)["text"] for line in MESSAGES.read_text("utf-8").splitlines() if line.strip()]
    notice("Hi! I live in Lisbon.")
    new = _spend(messages)  # the words of each message are new to the process once
    return [
        ("numpy, before the first message of a process", numpy, None),
        ("the first message of a process", first, MOST_FIRST),
        ("a message of new words", new, MOST_LATER),
        ("a message of known words", min(_spend(messages) for _ in range(RUNS)), MOST_LATER),
    ]


def _spend(messages: list[str]) -> float:
    """Return the CPU of a message, of some that are looked at in a row."""
    began = time.process_time()
    for message in messages:
        notice(message)
    return (time.process_time() - began) * 1000 / len(messages)


def find_candidates(home: Path, files: list[Path]) -> str:
    """How many of the old facts are among the candidates for the new ones, by what the pairs say of them."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    pairs = [row for row in rows if row["then"] in ("replaces", "same")]
    write_home(home, AMONG)
    lines = [
        write(f"- {text}", Mark(f"p{number:06d}", None, Origin.USER, date(2026, 1, 15)))
        for number, text in enumerate(dict.fromkeys(" ".join(row["old"].split()) for row in pairs))
    ]
    path = note_of(Category.OTHER)
    for first in range(0, len(lines), FULL):
        (home / path).write_text("".join(f"{line}\n" for line in lines[first : first + FULL]))
        path = note_after(path, date(2026, 1, 15))
    found: dict[str, list[bool]] = {}
    with Memory.open(home, origin=Origin.USER, settings=SETTINGS) as memory:
        memory.sync()
        for row in pairs:
            known = candidates_for(memory.ctx, row["new"], meaning_of(memory.ctx, row["new"]), {})
            assert known is not None
            texts = {fact.text for fact in known.facts}
            found.setdefault(row["then"], []).append(" ".join(row["old"].split()) in texts)
    told = (f"{then}: {sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.3f})" for then, hits in found.items())
    return f"the old fact is among the candidates, of {AMONG + len(lines):,} facts; " + ", ".join(told)


def relation_of(known: str, said: str) -> str:
    """What storing a sentence does to a known one, with the settings that everybody begins with."""
    day, settings = date(2026, 11, 15), FactsSettings()
    first = add_fact({}, Draft(known, Category.FACT), Origin.USER, day)
    by = Judgement(
        lambda text, facts: read_relation().judge(text, [fact.text for fact in facts]),
        settings.replace_from,
        settings.ask_from,
    )
    done = add_fact(first.changes, Draft(said, Category.FACT), Origin.USER, day, Comparison(judgement=by))
    if done.outcome is Outcome.STORED:
        return "asked" if done.asks else "beside"
    return "same" if done.outcome is Outcome.REINFORCED else "replaces"


def tell_relations(files: list[Path]) -> str:
    """What becomes of the known sentence of each pair, by what should and by kind."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        then = _THEN.get(row["then"], row["then"])
        found.setdefault((then, row.get("kind", "all")), []).append(relation_of(row["known"], row["said"]))
    outcomes = ("replaces", "asked", "same", "beside")
    lines = ["| should be | kind | pairs | replaced | asked | same | beside |", "|---|---|---|---|---|---|---|"]
    for then in dict.fromkeys(then for then, _ in found):
        kinds = {kind: told for (one, kind), told in found.items() if one == then}
        for kind, told in (*kinds.items(), ("all", [one for some in kinds.values() for one in some])):
            counts = " | ".join(str(told.count(outcome)) for outcome in outcomes)
            lines.append(f"| {then} | {kind} | {len(told)} | {counts} |")
    return "\n".join(lines)


def main() -> int:
    """Print a row for each cost and home; with --check, end with 1 where one is above its limit."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    asked.add_argument("--pairs", nargs="+", type=Path)
    asked.add_argument("--relations", nargs="+", type=Path)
    asked.add_argument("facts", nargs="*", type=int, default=list(SIZES))
    given = asked.parse_args()
    if given.relations:
        print(tell_relations(given.relations))
        return 0
    with tempfile.TemporaryDirectory() as place:
        if given.pairs:
            print(find_candidates(Path(place) / "pairs", given.pairs))
            return 0
        captured = measure_capture()
        found = measure({size: Path(place) / str(size) for size in sorted(given.facts or SIZES)})
    print("| looking for facts | CPU | limit |\n|---|---|---|")
    for name, spent, limit in captured:
        print(f"| {name} | {spent:.2f} ms | {f'{limit:g} ms' if limit else '-'} |")
    least = found[0]
    print(f"\nadding a fact, as times of the home of {least.facts:,} facts ({least.cpu:.1f} ms of CPU there)\n")
    print("| facts | CPU | notes and checkpoints | index |\n|---|---|---|---|")
    for one in found:
        told = f"{one.cpu / least.cpu:.2f} x ({one.cpu:.1f} ms)"
        print(f"| {one.facts:,} | {told} | {one.kept:,.0f} bytes | {one.indexed:,.0f} bytes |")
    late = [one for one in found if one.cpu > MOST * least.cpu]
    for one in late:
        print(f"\nmissed: among {one.facts:,} facts one costs more than {MOST:g} times as much CPU", file=sys.stderr)
    slow = [(name, limit) for name, spent, limit in captured if limit and spent > limit]
    for name, limit in slow:
        print(f"\nmissed: {name} takes more than {limit:g} ms of CPU", file=sys.stderr)
    return 1 if (late or slow) and given.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
