"""Outcomes → docs/quality.md: what the shipped configuration scores, what each stage is worth, and how to see it.

No date and no machine stands on the page, and no time either: the same code and data give the same page.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.evaluation.configurations import KEYWORDS, SHIPPED, WAYS
from holdfast.evaluation.eval_run import FLOOR, Outcome
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.provenance import chosen_on
from holdfast.evaluation.set_files import SOURCES
from holdfast.evaluation.sets import Level

__all__ = ["COLUMNS", "figure", "level_name", "quality_page"]

COLUMNS = ("any@3", "any@5", "all@5", "any@10", "all@10", "frac@10", "nDCG@10", "MRR")
"""The figures that a table shows."""

_USUAL = Shape.BULLETS.value
"""The shape that a title does not name."""

_HEAD = """\
# How well search finds what it should

<!-- Made by the command itself: {command} -->

Notes are written, indexed and searched as a user's would be, with `Memory.search` and no language model; every
question of every set is asked{sample}. `any@k`: some answer is among the first k. `all@k`: every answer is. `frac@k`:
which part of the answers is. nDCG@10 and MRR (up to the tenth place) reward answers near the top.

The floor is SQLite's FTS5 alone (`porter unicode61`, stop words removed, words joined by OR, `bm25()` with defaults),
on the same notes in the same run. Where turns count, every turn in a hit takes a place of its own, so that nothing is
gained by returning more lines at once.

```sh
{command}
```

The sets are not part of Holdfast; `holdfast eval sets` says where they are expected and how to get them.

The same rows are written as notes in several shapes: `bullets`, a bullet a row in an exported session; `daily`, the
same right below `memory/`; `paragraphs`, a paragraph `**Name**: …` a row; `replies` and `chat`, these with a long reply
about something else after each row, on one line or as Markdown; `notes`, a note a row. "none" is the share of questions
for which nothing was found at all. The last column says which constants of search this set had a part in choosing;
where it is empty, nobody tuned to the set.
"""


def quality_page(
    outcomes: Sequence[Outcome], *, command: str, model: str = "", sample: int | None = None, note: str = ""
) -> str:
    """Return the whole page."""
    of = ""
    if sample:
        of = f", but for no more than {sample:,} a set"
    who = "the embedded model, as it is after `pip install`"
    if model:
        who = f"`{model}` for vectors"
    named = list(dict.fromkeys((outcome.set, outcome.level, outcome.shape) for outcome in outcomes))
    ways = list(dict.fromkeys(outcome.way for outcome in outcomes))
    main = [outcome for outcome in outcomes if outcome.way in (FLOOR, KEYWORDS) or outcome.way.startswith(SHIPPED)]
    parts = [_HEAD.format(command=command, sample=of), "## What is shipped\n", f"With {who}.\n", _table(main)]
    if set(ways) - {outcome.way for outcome in main}:
        parts += ["## What each stage is worth\n", _ways_list(ways), _ablation(outcomes, named, ways)]
    parts += _newer_first(main)
    parts += _confidence(main)
    several = [key for key in named if any(len(outcome.categories) > 1 for outcome in main if _key(outcome) == key)]
    if several:
        parts.append("## By category\n")
    for key in several:
        parts += [f"### {_title(*key)}\n", _categories([outcome for outcome in main if _key(outcome) == key])]
    if note.strip():
        parts.append(note.strip() + "\n")
    return "\n".join(parts)


def level_name(name: str, level: Level, shape: str = "") -> str:
    """Return what a level is called in this set: in conversations, a line is a turn and a note a session."""
    if name == "locomo":
        if level is Level.LINE:
            return "turns"
        return "sessions"
    if shape:
        if level is Level.LINE:
            return "rows"
        return "sessions"
    if level is Level.LINE:
        return "lines"
    return "notes"


def figure(value: float) -> str:
    """Write `.736`, and `1` where nothing is missing."""
    shown = f"{value:.3f}"
    if shown == "1.000":
        return "1"
    return shown.removeprefix("0")


def _key(outcome: Outcome) -> tuple[str, Level, str]:
    return outcome.set, outcome.level, outcome.shape


def _title(name: str, level: Level, shape: str = "") -> str:
    """Return a set by name and level; with its shape, where it is not written as it is in most cases."""
    if name in SOURCES:
        title = SOURCES[name].title
    else:
        title = name
    if name == "locomo" or shape:
        title = f"{title}, {level_name(name, level, shape)}"
    if shape in ("", _USUAL):
        return title
    return f"{title}, {shape}"


def _table(outcomes: Sequence[Outcome]) -> str:
    columns = [*COLUMNS, "none"]
    head = f"| set | | questions | {' | '.join(columns)} | written as | chosen on it |"
    lines = [head, "|---|---|---|" + "---|" * (len(columns) + 2)]
    for outcome in outcomes:
        cells = " | ".join(figure(outcome.overall[name]) for name in columns)
        title = _title(outcome.set, outcome.level, outcome.shape and _USUAL)
        count = f"{outcome.overall.questions:,}"
        lines.append(f"| {title} | {outcome.way} | {count} | {cells} | {outcome.shape} | {chosen_on(outcome.set)} |")
    return "\n".join(lines) + "\n"


def _newer_first(outcomes: Sequence[Outcome]) -> list[str]:
    """Return where answers were others once: how often the newer one stands above."""
    rows = [
        f"| {_title(*_key(outcome))} | {outcome.way} | {figure(outcome.newer_first)} |"
        for outcome in outcomes
        if outcome.newer_first is not None
    ]
    if not rows:
        return []
    return ["## The newer above the older\n", "| set | | newer first |\n|---|---|---|\n" + "\n".join(rows) + "\n"]


def _confidence(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what the confidence of first hits is worth, where questions without an answer were asked too."""
    rows = []
    for outcome in outcomes:
        held = outcome.calibration
        if held is None or held.unanswerable_marked is None:
            continue
        bands = ", ".join(f"{figure(band.confidence)} → {figure(band.right)}" for band in held.bands)
        right = ""
        if held.right_marked is not None:
            right = figure(held.right_marked)
        title, marked = _title(*_key(outcome)), figure(held.unanswerable_marked)
        rows.append(f"| {title} | {held.unanswerable:,} | {marked} | {right} | {bands} |")
    if not rows:
        return []
    head = "| set | without an answer | of them marked unlikely | of right first hits | confidence → share right |"
    return ["## Confidence\n", "\n".join([head, "|---|---|---|---|---|", *rows]) + "\n"]


def _ways_list(ways: Sequence[str]) -> str:
    lines = []
    for way in ways:
        if WAYS.get(way):
            settings = ", ".join(f"`{path} = {_value(value)}`" for path, value in WAYS[way].items())
            lines.append(f"- **{way}**: {settings}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).replace("'", '"')


def _ablation(outcomes: Sequence[Outcome], named: Sequence[tuple[str, Level, str]], ways: Sequence[str]) -> str:
    """Compare any@10 and nDCG@10 of every way on every set."""
    found = {(*_key(outcome), outcome.way): outcome.overall for outcome in outcomes}
    lines = [f"| any@10 / nDCG@10 | {' | '.join(_title(*key) for key in named)} |", "|---|" + "---|" * len(named)]
    for way in ways:
        scores = [found.get((*key, way)) for key in named]
        cells = [f"{figure(score['any@10'])} / {figure(score['nDCG@10'])}" if score else "" for score in scores]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _categories(group: Sequence[Outcome]) -> str:
    lines = [f"| | | questions | {' | '.join(COLUMNS)} |", "|---|---|---|" + "---|" * len(COLUMNS)]
    for category in group[0].categories:
        for outcome in group:
            scores = outcome.categories[category]
            cells = " | ".join(figure(scores[name]) for name in COLUMNS)
            lines.append(f"| {category} | {outcome.way} | {scores.questions:,} | {cells} |")
    return "\n".join(lines) + "\n"
