"""How often facts alone bring the evidence into a prompt: `python bench/fact_evidence.py REALMEM`.

REALMEM is the folder of the set `realmem`; behind it, how many persons and how many questions of each (`--skip` leaves
out the first persons). What a person typed is captured turn by turn, with the settings everybody begins with, into a
home that holds nothing but facts: no transcript and no export. Then `session.prompt(question)`, as of the day of the
question. Only questions with a gold turn of the person's own count, evenly chosen over time; the persons are those who
typed least. Capture has learnt nothing of this set.

A question is served where a fact of a gold turn stands in the prompt; one that took its place, or that said the same
before, counts as it. The labels of turns are noisy (the set says so: many a gold turn is "Hi, what is next?"), so the
same is told for gold sessions: any fact of what the person typed in one. And it is told where the rest is lost: in no
sentence that may be looked at, none above half, none above the threshold, noted and not stored, not found, not shown.
As a yardstick, as many facts as are shown are drawn from those that were found: what the order of hits adds to chance.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Memory
from holdfast.context.note_search import search_for_prompt
from holdfast.evaluation.eval_memory import quiet_settings
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.facts.capture.fact_extraction import notice
from holdfast.facts.fact import Draft
from holdfast.facts.facts_book import facts_now
from holdfast.guard.origin import Origin
from holdfast.operations.facts_store import capture_fact

NOON = 12 * 3600.0
PATIENT = {"memory.recall.deadline_ms": 60_000}
MOST_FOUND = 100
SHOWN, FOUND, STORED, NOTED = "in the prompt", "found and not shown", "stored and not found", "noted and not stored"
HALF, LIKELY, NOTHING = "with a sentence above half", "with none above half", "with no sentence to look at"
STAGES = (SHOWN, FOUND, STORED, NOTED, HALF, LIKELY, NOTHING)


class Served(NamedTuple):
    """Of one question: how far its gold turns came, and the same of its gold sessions."""

    turns: str
    sessions: str
    shown: int
    by_chance: float


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of the set."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def choose_questions(questions: list[dict[str, Any]], own: set[str], many: int) -> list[dict[str, Any]]:
    """Return so many questions with evidence in the person's own words, evenly over time."""
    fit = [question for question in questions if question["turn_gold"] and own.intersection(question["gold"])]
    fit.sort(key=lambda question: question["before"])
    return [fit[at * len(fit) // many] for at in range(min(many, len(fit)))]


class Notebook:
    """A home of facts, and which of them each turn gave."""

    def __init__(self, memory: Memory, threshold: float | None) -> None:
        self.memory = memory
        self.sure = threshold or memory.settings.capture.threshold
        self.ctx = memory.ctx.for_origin(Origin.AUTO_CAPTURE)
        self.ids: dict[str, list[str]] = defaultdict(list)
        self.best: dict[str, float] = {}
        self.counts = Counter[str]()

    def take(self, turn: dict[str, Any]) -> None:
        """Capture what was typed, as a session does."""
        day = date.fromisoformat(turn["date"])
        for fact in notice(turn["text"], self.sure):
            draft = Draft(fact.text, fact.category, fact.importance)
            stored = capture_fact(self.ctx, draft, tool="capture", day=day)
            self.counts[stored.outcome.value if stored is not None else "known"] += 1
            self.ids[turn["id"]].append(stored.id if stored is not None else "")
        if turn["id"] not in self.ids:
            self.best[turn["id"]] = self._likeliest(turn["text"])

    def furthest(self, turns: list[str], found: set[str], shown: set[str]) -> str:
        """Say how far the facts of some turns came."""
        ids = self._in_force({name for turn in turns for name in self.ids.get(turn, ())})
        for stage, held in ((SHOWN, ids & shown), (FOUND, ids & found), (STORED, ids - {""}), (NOTED, ids)):
            if held:
                return stage
        best = max((self.best.get(turn, 0.0) for turn in turns), default=0.0)
        return HALF if best >= 0.5 else LIKELY if best > 0.0 else NOTHING

    def _in_force(self, ids: set[str]) -> set[str]:
        """Return the facts, and those that took their place."""
        facts = {fact.id: fact for fact in facts_now(self.ctx)}
        left, held = list(ids), set(ids)
        while left:
            fact = facts.get(left.pop())
            if fact is not None and fact.superseded_by and fact.superseded_by not in held:
                held.add(fact.superseded_by)
                left.append(fact.superseded_by)
        return held

    def _likeliest(self, text: str) -> float:
        """Return the share of the likeliest sentence that may be looked at; 0 without one."""
        step = 0.5
        if not notice(text, 1e-9):
            return 0.0
        return step if notice(text, step) else 1e-9


def serve_person(
    turns: list[dict[str, Any]], questions: list[dict[str, Any]], threshold: float | None
) -> Iterator[Served]:
    """Capture what was typed before each question, and look at the prompt."""
    clock, at = FixedClock(0.0), 0
    of_session: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="holdfast-evidence-") as home:
        memory = Memory.open(home, settings=quiet_settings(home, PATIENT), clock=clock)
        with memory, memory.session() as session:
            book = Notebook(memory, threshold)
            for question in questions:
                for turn in turns[at:]:
                    if turn["ord"] >= question["before"]:
                        break
                    at += 1
                    clock.move_to(moment(turn["date"]))
                    of_session[turn["session"]].append(turn["id"])
                    book.take(turn)
                clock.move_to(moment(question["date"]))
                memory.sync()
                recalled = session.prompt(question["query"]).recalled
                assert recalled is not None
                shown = {hit.fact.id for hit in recalled.hits if hit.fact is not None}
                hits = search_for_prompt(memory.ctx, recalled.query, MOST_FOUND).results if recalled.query else ()
                found = {hit.fact.id for hit in hits if hit.fact is not None} | shown
                gold = [name for key in question["gold_sessions"] for name in of_session.get(key, ())]
                yield Served(
                    book.furthest(question["gold"], found, shown),
                    book.furthest(gold, found, shown),
                    len(shown),
                    chance(len({name for turn in gold for name in book.ids.get(turn, ())} & found), found, len(shown)),
                )
            print(f"  {at} turns: {dict(book.counts)}", flush=True)


def chance(good: int, found: set[str], drawn: int) -> float:
    """Return how likely some of the good are among so many that are drawn from those found."""
    if not good:
        return 0.0
    return 1.0 - math.comb(len(found) - good, drawn) / math.comb(len(found), drawn)


def moment(day: str) -> float:
    """Return the noon of a day."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + NOON


def main() -> None:
    """Print how many questions are served, by person and together."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("realmem", type=Path)
    asked.add_argument("persons", nargs="?", type=int, default=3)
    asked.add_argument("questions", nargs="?", type=int, default=20)
    asked.add_argument("--skip", type=int, default=0, help="persons to leave out first")
    asked.add_argument("--threshold", type=float, help="instead of the default of capture.threshold")
    given = asked.parse_args()
    typed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_rows(given.realmem / "corpus.jsonl.xz"):
        if row["role"] == "user":
            typed[row["space"]].append(row)
    every = read_rows(given.realmem / "queries.jsonl.xz")
    total: list[Served] = []
    for person in sorted(typed, key=lambda name: len(typed[name]))[given.skip :][: given.persons]:
        turns = sorted(typed[person], key=lambda row: (row["ord"], int(row["id"].rpartition(":")[2])))
        own = {turn["id"] for turn in turns}
        chosen = choose_questions([row for row in every if row["space"] == person], own, given.questions)
        served = list(serve_person(turns, chosen, given.threshold))
        total += served
        print(f"{person}\n  {tell(served)}", flush=True)
    print(f"together\n  {tell(total)}")


def tell(served: list[Served]) -> str:
    """Return the counts in words, and how far the others came."""
    lines: list[str] = []
    for level in ("turns", "sessions"):
        stages = Counter(getattr(row, level) for row in served)
        lost = ", ".join(f"{stages[stage]} {stage}" for stage in STAGES[1:])
        lines.append(f"gold {level}: {stages[SHOWN]} of {len(served)} in the prompt; else {lost}")
    drawn, many = sum(row.by_chance for row in served), sum(row.shown for row in served) / max(1, len(served))
    return "\n  ".join(
        (*lines, f"{many:.1f} facts a prompt; as many drawn from what was found: {drawn:.1f} by session")
    )


if __name__ == "__main__":
    main()
