"""Measure how often what answers a question stands in the prompt that a session makes of it.

The notes of a collection lie in one home, as exported sessions do; those that were not there yet when a question was
asked are written after it. `found`: some answer stands in the prompt; `all`: every one does. By row, a row stands
there when its text does, or of a long one a run of it; by note, when the prompt quotes from the note.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence

from holdfast.evaluation.eval_memory import quiet_settings
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.homes import put_file
from holdfast.evaluation.sets import Collection, LabelledSet, Level, Question, one_line
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.progress import Progress
from holdfast.value import Value

__all__ = ["PromptScores", "prompt_evidence", "stands_in"]

_RUN = 120  # characters of a long row: more than a phrase that two rows share by chance
_STEP = 40
_PATIENT: Mapping[str, object] = {"memory.recall.deadline_ms": 60_000}  # what is measured is not how busy we are


class PromptScores(Value):
    """Of some questions, the share whose evidence is in the prompt."""

    questions: int
    found: float
    all: float
    silent: float
    """The share for which nothing was recalled."""
    characters: float
    """Of what was recalled, on average."""

    def to_json(self) -> dict[str, object]:
        """Return the shape that every surface shows."""
        return {name: round(getattr(self, name), 4) for name in self.fields}


class _Seen(NamedTuple):
    question: Question
    stands: tuple[bool, ...]
    recalled: int


def prompt_evidence(
    labelled: LabelledSet,
    settings: Mapping[str, object],
    *,
    levels: Sequence[Level],
    progress: Progress | None = None,
) -> dict[Level, dict[str, PromptScores]]:
    """Return the scores by level and then by slice; "all questions" is every one."""
    seen: dict[Level, list[_Seen]] = {level: [] for level in levels}
    total = sum(len(collection.questions) for collection in labelled.collections)
    for collection in labelled.collections:
        for question, text, recalled in _prompts(collection, settings):
            for level, held in seen.items():
                held.append(_Seen(question, tuple(_find_evidence(collection, question, text, level)), recalled))
            done = len(next(iter(seen.values()), []))
            if progress is not None and done % 20 == 0:
                progress(f"{labelled.title}, prompts", done, total)
    return {level: dict(_by_slice(held)) for level, held in seen.items()}


def stands_in(row: str, prompt: str) -> bool:
    """Say whether the text of a row stands in a prompt, or of a long row some run of it; line ends do not matter."""
    wanted = _plain(row)
    shown = _plain(prompt)
    if len(wanted) <= _RUN:
        return wanted in shown
    starts = [*range(0, len(wanted) - _RUN, _STEP), len(wanted) - _RUN]
    return any(wanted[start : start + _RUN] in shown for start in starts)


def _prompts(collection: Collection, settings: Mapping[str, object]) -> Iterator[tuple[Question, str, int]]:
    """Yield each question with the prompt for it and how much was recalled, in the order in which they were asked."""
    asked = sorted(
        (question for question in collection.questions if question.gold),
        key=lambda question: math.inf if question.before is None else question.before,
    )
    notes = sorted(collection.notes, key=lambda path: collection.order.get(path, 0))
    clock = FixedClock(0.0 if collection.asked is None else collection.asked)
    with tempfile.TemporaryDirectory(prefix="holdfast-eval-") as home:
        held = quiet_settings(home, {**settings, **_PATIENT})
        if collection.asked:
            memory = Memory.open(home, settings=held, clock=clock)
        else:
            memory = Memory.open(home, settings=held)
        with memory, memory.session() as session:
            written = 0
            for question in asked:
                later = collection.later(question)
                fresh = [path for path in notes[written:] if path not in later]
                for path in fresh:
                    put_file(os.path.join(home, path), collection.notes[path])
                written += len(fresh)
                if fresh:
                    memory.sync()
                if question.asked is not None:
                    clock.move_to(question.asked)
                prompt = session.prompt(question.text)
                recalled = ""
                if prompt.recalled is not None:
                    recalled = prompt.recalled.text
                yield question, prompt.text, len(recalled)


def _find_evidence(collection: Collection, question: Question, prompt: str, level: Level) -> Iterator[bool]:
    if level is Level.NOTE:
        yield from (path in prompt for path in dict.fromkeys(gold.path for gold in question.gold))
        return
    for gold in question.gold:
        lines = collection.notes[gold.path].split("\n")
        yield stands_in(gold.text or "\n".join(lines[gold.first - 1 : gold.last] if gold.first else lines), prompt)


def _plain(text: str) -> str:
    """Return a line without what a bullet, a quotation or a bar puts before a line."""
    return one_line(" ".join(line.lstrip("|>-* \t") for line in text.splitlines())).casefold()


def _by_slice(seen: Sequence[_Seen]) -> Iterator[tuple[str, PromptScores]]:
    groups: dict[str, list[_Seen]] = {"all questions": list(seen)}
    for prompt in seen:
        for name in (prompt.question.category, *prompt.question.slices):
            groups.setdefault(name, []).append(prompt)
    for name, held in groups.items():
        count = len(held)
        if count:
            yield (
                name,
                PromptScores(
                    count,
                    sum(any(prompt.stands) for prompt in held) / count,
                    sum(all(prompt.stands) for prompt in held) / count,
                    sum(not prompt.recalled for prompt in held) / count,
                    sum(prompt.recalled for prompt in held) / count,
                ),
            )
