"""The rows of `peers.py` → docs/peers.json, and docs/peers.md made from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stamp import stamp

from holdfast.evaluation.homes import put_file
from holdfast.evaluation.page import figure
from holdfast.evaluation.provenance import chosen_on

__all__ = ["FLOOR", "Row", "page", "read_rows", "write_rows"]

FLOOR = "floor"
_ORDER = (
    *(FLOOR, "Holdfast", "Holdfast, MiniLM", "QMD", "QMD, content words", "QMD, with a model"),
    *("basic-memory", "mcp-memory-service", "memweave", "memsearch", "MemPalace"),
)
_SETS = ("locomo", "friendsqa", "mtrag-un")
_TITLES = {
    "locomo": "LoCoMo, ten conversations in one home, a session a note, a turn a bullet",
    "friendsqa": "FriendsQA, scenes of a series, a scene a note, a turn a bullet",
    "mtrag-un": "MTRAG-UN (`clapnq` and `fiqa`), a passage of a document a note; questions from the midst of a\n"
    "  conversation, asked without it",
}
_NUMBERS = {1: "one core", 2: "two cores", 4: "four cores", 8: "eight cores"}

_HEAD = """\
# Holdfast and its peers on the same notes

<!-- Made by the command itself: python bench/peers.py --work DIR --write docs/peers.md -->

What Holdfast claims beside others is what this table shows, and no more. Everybody gets a copy of the same notes,
written by `holdfast eval`, is asked the same questions for {limit} hits, and is judged by the same code
(`bench/peer_judge.py`). Each peer is in an environment of its own, offline, on {machine}.

{measured}

```sh
python bench/peers.py --work DIR --write docs/peers.md                  # all of it, installed into DIR
python bench/peers.py --work DIR --only holdfast --write docs/peers.md  # one row anew; the others stay
```

"note": the note that holds an answer is among the first 5, or 10, distinct notes. "line": so is the answer's own row,
where every row in a hit takes a place, as in [quality.md](quality.md). "read": an answer's row stands in the first
2,000 characters that were given, in their order. "nothing": the share of questions for which nothing was given. A
question's time is the median in a process that is open already; the index is a first one; memory is the peak of the
process that indexes or the one that answers, whichever had more.
"""

_TAIL = """\
## What is comparable here, and what is not

- **Who chose what.** Holdfast's search was tuned with LoCoMo and FriendsQA in view (the list above says what on
  which), the peers with neither, as far as is known; nothing was chosen on MTRAG-UN. The sets, the samples and the
  judge were chosen by those who wrote Holdfast.
- **Models.** A model that is a download from a hub could not be had. Who takes a model by address was given
  all-MiniLM-L6-v2 in 8 bits, from one server on this machine. Its wall time is in theirs; its CPU time and its memory
  (some 150 MB) are not. It reads 256 tokens of a text, so of a long chunk it knows the beginning. It is not what they
  come with: with their own models QMD, basic-memory, memweave and memsearch may well find more.
- **Lines.** Some give whole notes or long chunks, which fill the first ten rows with one or two hits: their "line" is
  low by construction, and "read" is the fairer figure for them. By note nobody has that handicap.
- **Time.** Some are asked in their process, some over HTTP or a pipe, as the table says; a command line of each would
  start a process first, which for the Python ones takes seconds. The machine had other work: compare orders of
  magnitude, and CPU seconds rather than wall seconds. The floor keeps everything in memory and looks for no changes.
- **What is not asked.** Peers have things that no question here is about: graphs, tags, editors, an LLM that extracts
  facts or rewrites a question.
"""


class Row(NamedTuple):
    """One peer on one set, or the reason why there are no figures."""

    peer: str
    set: str = ""
    version: str = ""
    mode: str = ""
    through: str = ""
    note: str = ""
    reason: str = ""
    notes: int | None = None
    questions: int | None = None
    note_5: float | None = None
    note_10: float | None = None
    line_5: float | None = None
    line_10: float | None = None
    read: float | None = None
    nothing: float | None = None
    p50_ms: float | None = None
    index_s: float | None = None
    index_cpu_s: float | None = None
    peak_mb: int | None = None
    cores: int | None = None
    measured: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What a newer row takes the place of."""
        return self.peer, self.set

    def line(self) -> str:
        """As printed while it runs."""
        figures = [f"{name} {value}" for name, value in self._asdict().items() if isinstance(value, (int, float))]
        return f"{self.peer}, {self.set}: {self.reason or ', '.join(figures)}"


def read_rows(path: Path) -> list[Row]:
    """The rows of earlier runs; none where there is no file."""
    if not path.exists():
        return []
    return [Row(**held) for held in json.loads(path.read_text(encoding="utf-8"))["rows"]]


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """All rows, in the page's order, a line each; what is empty is left out."""
    lines = [
        json.dumps(
            {name: value for name, value in row._asdict().items() if value not in (None, "")}, ensure_ascii=False
        )
        for row in sorted(rows, key=_place)
    ]
    put_file(str(path), '{"rows": [\n' + ",\n".join(lines) + "\n]}\n")


def page(rows: Sequence[Row]) -> str:
    """All of docs/peers.md."""
    from peer_systems import LIMIT

    ordered = sorted(rows, key=_place)
    days = sorted({row.measured for row in rows if row.measured})
    cores = sorted({row.cores for row in rows if row.cores})
    machine = ", ".join(_NUMBERS.get(count, f"{count} cores") for count in cores) or "this machine"
    # The oldest of all rows: what was asked again since is newer than that.
    versions = [row.version for row in rows if row.peer == "Holdfast" and row.version]
    measured = stamp("python bench/peers.py", days[0] if days else "", *versions[:1])
    head = _HEAD.format(limit=LIMIT, machine=machine, measured=measured)
    return "\n".join([head, _table(ordered), _sets(ordered), _peers(ordered), _TAIL])


def _place(row: Row) -> tuple[int, int, str]:
    sets, peers = (*_SETS, row.set), (*_ORDER, row.peer)
    return sets.index(row.set), peers.index(row.peer), row.peer


def _table(rows: Sequence[Row]) -> str:
    heads = "note any@5", "note any@10", "line any@5", "line any@10", "read", "nothing"
    costs = "question, ms", "index, s", "index, CPU s", "memory, MB"
    lines = ["| set | | model | " + " | ".join((*heads, *costs)) + " |", "|---|---|---|" + "---|" * len(heads + costs)]
    for row in rows:
        if row.reason:
            continue
        shares = (row.note_5, row.note_10, row.line_5, row.line_10, row.read, row.nothing)
        spent = (row.p50_ms, row.index_s, row.index_cpu_s, row.peak_mb)
        cells = [*("–" if one is None else figure(one) for one in shares), *map(_cost, spent)]
        lines.append(f"| {row.set} | {row.peer} | {row.mode.split(':')[0]} | " + " | ".join(cells) + " |")
    return "## The table\n\n" + "\n".join(lines) + "\n"


def _cost(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _sets(rows: Sequence[Row]) -> str:
    lines = []
    for name in _SETS:
        row = next((row for row in rows if row.set == name and row.questions), None)
        if row is not None:
            tuned = chosen_on(name)
            had = f"it had a part in choosing: {tuned}" if tuned else "nothing of search was chosen on it"
            lines.append(f"- **{name}**: {_TITLES[name]}; {row.notes:,} notes, {row.questions} questions; {had}.")
    return "\n".join(lines) + "\n"


def _peers(rows: Sequence[Row]) -> str:
    lines = ["## Who was asked, and how", "", "| | version | model | asked by | to know |", "|---|---|---|---|---|"]
    for name in dict.fromkeys(row.peer for row in rows):
        row = next((row for row in rows if row.peer == name and not row.reason), None)
        if row is not None:
            lines.append(f"| {name} | {row.version} | {row.mode} | {row.through} | {row.note} |")
    missing = [
        f"- **{row.peer}**{f' {row.version}' if row.version else ''}{f', {row.set}' if row.set else ''}: {row.reason}"
        for row in rows
        if row.reason
    ]
    if missing:
        lines += ["", "Without figures here:", "", *missing]
    return "\n".join(lines) + "\n"
