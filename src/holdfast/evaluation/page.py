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
    """The whole page."""
    of = f", but for no more than {sample:,} a set" if sample else ""
    who = f"`{model}` for vectors" if model else "the embedded model, as it is after `pip install`"
    named = list(dict.fromkeys((one.set, one.level, one.shape) for one in outcomes))
    ways = list(dict.fromkeys(one.way for one in outcomes))
    main = [one for one in outcomes if one.way in (FLOOR, KEYWORDS) or one.way.startswith(SHIPPED)]
    parts = [_HEAD.format(command=command, sample=of), "## What is shipped\n", f"With {who}.\n", _table(main)]
    if set(ways) - {one.way for one in main}:
        parts += ["## What each stage is worth\n", _ways_list(ways), _ablation(outcomes, named, ways)]
    parts += _newer_first(main)
    parts += _confidence(main)
    several = [key for key in named if any(len(one.categories) > 1 for one in main if _key(one) == key)]
    if several:
        parts.append("## By category\n")
    for key in several:
        parts += [f"### {_title(*key)}\n", _categories([one for one in main if _key(one) == key])]
    if note.strip():
        parts.append(note.strip() + "\n")
    return "\n".join(parts)


def level_name(name: str, level: Level, shape: str = "") -> str:
    """What a level is called in this set: in conversations, a line is a turn and a note a session."""
    if name == "locomo":
        return "turns" if level is Level.LINE else "sessions"
    if shape:
        return "rows" if level is Level.LINE else "sessions"
    return "lines" if level is Level.LINE else "notes"


def figure(value: float) -> str:
    """`.736`, and `1` where nothing is missing."""
    shown = f"{value:.3f}"
    return shown.removeprefix("0") if shown != "1.000" else "1"


def _key(one: Outcome) -> tuple[str, Level, str]:
    return one.set, one.level, one.shape


def _title(name: str, level: Level, shape: str = "") -> str:
    """A set by name and level; with its shape, where it is not written as it is in most cases."""
    title = SOURCES[name].title if name in SOURCES else name
    if name == "locomo" or shape:
        title = f"{title}, {level_name(name, level, shape)}"
    return title if shape in ("", _USUAL) else f"{title}, {shape}"


def _table(outcomes: Sequence[Outcome]) -> str:
    columns = [*COLUMNS, "none"]
    head = f"| set | | questions | {' | '.join(columns)} | written as | chosen on it |"
    lines = [head, "|---|---|---|" + "---|" * (len(columns) + 2)]
    for one in outcomes:
        cells = " | ".join(figure(one.overall[name]) for name in columns)
        title = _title(one.set, one.level, one.shape and _USUAL)
        lines.append(
            f"| {title} | {one.way} | {one.overall.questions:,} | {cells} | {one.shape} | {chosen_on(one.set)} |"
        )
    return "\n".join(lines) + "\n"


def _newer_first(outcomes: Sequence[Outcome]) -> list[str]:
    """Where answers were others once: how often the newer one stands above."""
    rows = [
        f"| {_title(*_key(one))} | {one.way} | {figure(one.newer_first)} |"
        for one in outcomes
        if one.newer_first is not None
    ]
    return (
        ["## The newer above the older\n", "| set | | newer first |\n|---|---|---|\n" + "\n".join(rows) + "\n"]
        if rows
        else []
    )


def _confidence(outcomes: Sequence[Outcome]) -> list[str]:
    """What the confidence of first hits is worth, where questions without an answer were asked too."""
    rows = []
    for one in outcomes:
        held = one.calibration
        if held is None or held.unanswerable_marked is None:
            continue
        bands = ", ".join(f"{figure(band.confidence)} → {figure(band.right)}" for band in held.bands)
        right = "" if held.right_marked is None else figure(held.right_marked)
        rows.append(
            f"| {_title(*_key(one))} | {held.unanswerable:,} | {figure(held.unanswerable_marked)} | {right} | {bands} |"
        )
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
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _ablation(outcomes: Sequence[Outcome], named: Sequence[tuple[str, Level, str]], ways: Sequence[str]) -> str:
    """any@10 and nDCG@10 of every way on every set."""
    found = {(*_key(one), one.way): one.overall for one in outcomes}
    lines = [f"| any@10 / nDCG@10 | {' | '.join(_title(*key) for key in named)} |", "|---|" + "---|" * len(named)]
    for way in ways:
        scores = [found.get((*key, way)) for key in named]
        cells = [f"{figure(one['any@10'])} / {figure(one['nDCG@10'])}" if one else "" for one in scores]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _categories(group: Sequence[Outcome]) -> str:
    lines = [f"| | | questions | {' | '.join(COLUMNS)} |", "|---|---|---|" + "---|" * len(COLUMNS)]
    for category in group[0].categories:
        for one in group:
            scores = one.categories[category]
            cells = " | ".join(figure(scores[name]) for name in COLUMNS)
            lines.append(f"| {category} | {one.way} | {scores.questions:,} | {cells} |")
    return "\n".join(lines) + "\n"
