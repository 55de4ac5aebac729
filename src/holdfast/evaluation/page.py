"""Outcomes → docs/quality.md: what the shipped configuration scores, what each stage is worth, and how to see it.

No date and no machine stands on the page, and no time either: the same code and data give the same page.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.evaluation.data import SOURCES
from holdfast.evaluation.run import FLOOR, Outcome
from holdfast.evaluation.sets import Level
from holdfast.evaluation.ways import KEYWORDS, SHIPPED, WAYS

__all__ = ["COLUMNS", "figure", "level_name", "quality_page"]

COLUMNS = ("any@3", "any@5", "all@5", "any@10", "all@10", "frac@10", "nDCG@10", "MRR")
"""The figures that a table shows."""

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
"""


def quality_page(
    outcomes: Sequence[Outcome], *, command: str, model: str = "", sample: int | None = None, note: str = ""
) -> str:
    """The whole page."""
    of = f", but for no more than {sample:,} a set" if sample else ""
    who = f"`{model}` for vectors" if model else "the embedded model, as it is after `pip install`"
    named = list(dict.fromkeys((one.set, one.level) for one in outcomes))
    ways = list(dict.fromkeys(one.way for one in outcomes))
    main = [one for one in outcomes if one.way in (FLOOR, KEYWORDS) or one.way.startswith(SHIPPED)]
    parts = [_HEAD.format(command=command, sample=of), "## What is shipped\n", f"With {who}.\n", _table(main)]
    if set(ways) - {one.way for one in main}:
        parts += ["## What each stage is worth\n", _ways_list(ways), _ablation(outcomes, named, ways)]
    several = [key for key in named if any(len(one.categories) > 1 for one in main if (one.set, one.level) == key)]
    if several:
        parts.append("## By category\n")
    for key in several:
        parts += [f"### {_title(*key)}\n", _categories([one for one in main if (one.set, one.level) == key])]
    if note.strip():
        parts.append(note.strip() + "\n")
    return "\n".join(parts)


def level_name(name: str, level: Level) -> str:
    """What a level is called in this set: in conversations, a line is a turn and a note a session."""
    if name == "locomo":
        return "turns" if level is Level.LINE else "sessions"
    return "lines" if level is Level.LINE else "notes"


def figure(value: float) -> str:
    """`.736`, and `1` where nothing is missing."""
    shown = f"{value:.3f}"
    return shown.removeprefix("0") if shown != "1.000" else "1"


def _title(name: str, level: Level) -> str:
    title = SOURCES[name].title if name in SOURCES else name
    return f"{title}, {level_name(name, level)}" if name == "locomo" else title


def _table(outcomes: Sequence[Outcome]) -> str:
    lines = [f"| set | | questions | {' | '.join(COLUMNS)} |", "|---|---|---|" + "---|" * len(COLUMNS)]
    for one in outcomes:
        cells = " | ".join(figure(one.overall[name]) for name in COLUMNS)
        lines.append(f"| {_title(one.set, one.level)} | {one.way} | {one.overall.questions:,} | {cells} |")
    return "\n".join(lines) + "\n"


def _ways_list(ways: Sequence[str]) -> str:
    lines = []
    for way in ways:
        if WAYS.get(way):
            settings = ", ".join(f"`{path} = {_value(value)}`" for path, value in WAYS[way].items())
            lines.append(f"- **{way}**: {settings}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


def _ablation(outcomes: Sequence[Outcome], named: Sequence[tuple[str, Level]], ways: Sequence[str]) -> str:
    """any@10 and nDCG@10 of every way on every set."""
    found = {(one.set, one.level, one.way): one.overall for one in outcomes}
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
