"""How often facts alone bring the evidence into a prompt: `python bench/fact_evidence.py REALMEM`.

REALMEM is the folder of the set `realmem`; behind it, how many persons and how many questions of each. What a person
typed is captured turn by turn, with the settings everybody begins with, into a home that holds nothing but facts: no
transcript and no export. Then `session.prompt(question)`, as of the day of the question. A question counts as served
where a fact that was noted from one of its gold turns stands in the prompt. Only questions with a gold turn of the
person's own count, evenly chosen over time; the persons are those who typed least. Capture has learnt nothing of this
set.
"""

from __future__ import annotations

import argparse
import json
import lzma
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Memory
from holdfast.evaluation.eval_memory import quiet_settings
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.prompt_evidence import stands_in
from holdfast.facts.capture.fact_extraction import notice
from holdfast.facts.fact import Draft
from holdfast.guard.origin import Origin
from holdfast.operations.facts_store import capture_fact

NOON = 12 * 3600.0
PATIENT = {"memory.recall.deadline_ms": 60_000}


class Served(NamedTuple):
    """Of one question: whether its gold turns gave a fact, and whether one of these stands in the prompt."""

    noted: bool
    shown: bool


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of the set."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def choose_questions(questions: list[dict[str, Any]], own: set[str], many: int) -> list[dict[str, Any]]:
    """Return so many questions with evidence in the person's own words, evenly over time."""
    fit = [question for question in questions if question["turn_gold"] and own.intersection(question["gold"])]
    fit.sort(key=lambda question: question["before"])
    return [fit[at * len(fit) // many] for at in range(min(many, len(fit)))]


def serve_person(
    turns: list[dict[str, Any]], questions: list[dict[str, Any]], threshold: float | None
) -> Iterator[Served]:
    """Capture what was typed before each question, and look at the prompt."""
    clock, counts = FixedClock(0.0), Counter[str]()
    noted: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="holdfast-evidence-") as home:
        memory = Memory.open(home, settings=quiet_settings(home, PATIENT), clock=clock)
        with memory, memory.session() as session:
            ctx = memory.ctx.for_origin(Origin.AUTO_CAPTURE)
            sure, at = threshold or memory.settings.capture.threshold, 0
            for question in questions:
                for turn in turns[at:]:
                    if turn["ord"] >= question["before"]:
                        break
                    at += 1
                    clock.move_to(moment(turn["date"]))
                    for fact in notice(turn["text"], sure):
                        stored = capture_fact(ctx, Draft(fact.text, fact.category, fact.importance), tool="capture")
                        noted[turn["id"]].append(fact.text)
                        counts[stored.outcome.value if stored is not None else "known"] += 1
                clock.move_to(moment(question["date"]))
                memory.sync()
                prompt = session.prompt(question["query"]).text
                facts = [text for gold in question["gold"] for text in noted.get(gold, ())]
                yield Served(bool(facts), any(stands_in(text, prompt) for text in facts))
    print(f"  {at} turns: {dict(counts)}", flush=True)


def moment(day: str) -> float:
    """Return the noon of a day."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + NOON


def main() -> None:
    """Print how many questions are served, by person and together."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("realmem", type=Path)
    asked.add_argument("persons", nargs="?", type=int, default=3)
    asked.add_argument("questions", nargs="?", type=int, default=20)
    asked.add_argument("--threshold", type=float, help="instead of the default of capture.threshold")
    given = asked.parse_args()
    typed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_rows(given.realmem / "corpus.jsonl.xz"):
        if row["role"] == "user":
            typed[row["space"]].append(row)
    every = read_rows(given.realmem / "queries.jsonl.xz")
    total: list[Served] = []
    for person in sorted(typed, key=lambda name: len(typed[name]))[: given.persons]:
        turns = sorted(typed[person], key=lambda row: (row["ord"], int(row["id"].rpartition(":")[2])))
        own = {turn["id"] for turn in turns}
        chosen = choose_questions([row for row in every if row["space"] == person], own, given.questions)
        served = list(serve_person(turns, chosen, given.threshold))
        total += served
        print(f"{person}: {tell(served)}", flush=True)
    print(f"together: {tell(total)}")


def tell(served: list[Served]) -> str:
    """Return the two counts in words."""
    shown, noted = sum(row.shown for row in served), sum(row.noted for row in served)
    return f"a fact of the evidence stands in the prompt of {shown} of {len(served)} questions (noted for {noted})"


if __name__ == "__main__":
    main()
