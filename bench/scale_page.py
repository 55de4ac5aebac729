"""The figures of `scale.py` as docs/scale.md, and its targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from report import Verdict
from stamp import stamp

if TYPE_CHECKING:
    from measure import Cost
    from scale import Asked, Size

__all__ = ["page", "verdicts"]

_MB = 1_000_000
_HEAD = """# How cost grows with the number of chunks

<!-- Made by the command itself: python bench/scale.py -->

Generated notes (`bench/corpus.py`, fifteen chunks each: a bullet or a paragraph is one), indexed and searched as
shipped, with the embedded model. All three systems are asked in turn, query by query, in the same run, in processes
that are already open: hybrid search, keywords alone (`memory.disable_rag`), and the floor, which is SQLite's FTS5 with
nothing around it (`bench/floor.py`), a row a note.

```sh
python bench/scale.py                        # all sizes
python bench/scale.py --sizes 10000,100000   # some of them
```

Compare CPU time: wall time tells as much about what else ran (the load average stands in the last row). These searches
do not look for changed files first, as a search otherwise does at most every five seconds; what a look costs is the row
"index again, nothing changed". Memory is the peak and counts the pages of mapped files, which other processes share and
the system takes back when it needs them.
"""


def page(sizes: Sequence[Size]) -> str:
    """All of docs/scale.md."""
    parts = [
        _HEAD,
        stamp("python bench/scale.py") + "\n",
        "## Searches\n",
        _table(sizes, _searches()),
        "## Index, memory and disk\n",
        _table(sizes, _rest()),
    ]
    parts += ["## Targets\n", *("- " + _told(verdict) for verdict in verdicts(sizes))]
    return "\n".join(parts) + "\n"


def verdicts(sizes: Sequence[Size]) -> list[Verdict]:
    """What must hold."""
    by = {size.chunks: size.asked for size in sizes if size.asked}
    small, large = by.get(10_000), by.get(1_000_000)
    found = [
        _verdict("hybrid, 1,000,000 chunks against 10,000", large, small, lambda b, s: (b["hybrid"], s["hybrid"]), 15),
        _verdict("hybrid against the floor, 10,000 chunks", small, small, lambda b, s: (b["hybrid"], s["floor"]), 3),
    ]
    index = next((size.index for size in sizes if size.chunks == 1_000_000), None)
    held = None if index is None else index.rss <= 600 * _MB
    found.append(Verdict("index of 1,000,000 chunks, peak RSS", f"{_rss(index)} MB", "600 MB", passed=held))
    for size in sizes:
        if size.asked:
            hybrid = size.asked["hybrid"]
            ratio = hybrid.long_cpu / hybrid.short_cpu
            name = f"40 words against 4, {size.chunks:,} chunks"
            found.append(Verdict(name, f"{ratio:.1f}x", "3x", passed=ratio <= 3))
    return found


def _verdict(
    name: str,
    big: dict[str, Asked] | None,
    small: dict[str, Asked] | None,
    pair: Callable[[dict[str, Asked], dict[str, Asked]], tuple[Asked, Asked]],
    most: int,
) -> Verdict:
    if big is None or small is None:
        return Verdict(name, "not measured", f"{most}x", passed=None)
    one, other = pair(big, small)
    ratio = one.cpu_p50 / other.cpu_p50
    return Verdict(name, f"{ratio:.1f}x", f"{most}x", passed=ratio <= most)


def _told(verdict: Verdict) -> str:
    word = "not measured" if verdict.passed is None else "holds" if verdict.passed else "missed"
    what = verdict.target if "RSS" in verdict.target else f"{verdict.target} (p50, CPU)"
    return f"{what}: {verdict.measured}, at most {verdict.allowed}: **{word}**"


def _table(sizes: Sequence[Size], rows: Sequence[tuple[str, Callable[[Size], str]]]) -> str:
    lines = ["| | " + " | ".join(f"{size.chunks:,}" for size in sizes) + " |", "|---" * (len(sizes) + 1) + "|"]
    lines += ["| " + " | ".join([name, *(cell(size) for size in sizes)]) + " |" for name, cell in rows]
    return "\n".join(lines) + "\n"


def _searches() -> list[tuple[str, Callable[[Size], str]]]:
    def of(system: str, tell: Callable[[Asked], str]) -> Callable[[Size], str]:
        return lambda size: tell(size.asked[system]) if system in size.asked else "-"

    rows: list[tuple[str, Callable[[Size], str]]] = []
    for system in ("hybrid", "keywords", "floor"):
        rows += [
            (f"{system}: CPU p50 / p95, ms", of(system, lambda one: f"{one.cpu_p50:.1f} / {one.cpu_p95:.1f}")),
            (f"{system}: wall p50 / p95, ms", of(system, lambda one: f"{one.wall_p50:.1f} / {one.wall_p95:.1f}")),
            (
                f"{system}: 4 words / 40 words, CPU ms",
                of(system, lambda one: f"{one.short_cpu:.1f} / {one.long_cpu:.1f}"),
            ),
            (
                f"{system}: needles (token, question, topic)",
                of(system, lambda one: " / ".join(map(str, one.hits.values()))),
            ),
            (f"{system}: peak RSS, MB", of(system, lambda one: f"{one.rss / _MB:,.0f}")),
        ]
    return rows


def _rest() -> list[tuple[str, Callable[[Size], str]]]:
    return [
        ("notes", lambda size: f"{size.notes:,}"),
        ("text, MB", lambda size: f"{size.bytes / _MB:,.0f}"),
        ("index: CPU s", lambda size: _cpu(size.index)),
        ("index: peak RSS, MB", lambda size: _rss(size.index)),
        ("index again, nothing changed: CPU s", lambda size: _cpu(size.unchanged)),
        ("floor's index: CPU s", lambda size: _cpu(size.floor_index)),
        ("search in a new process: CPU s", lambda size: _cpu(size.cold)),
        ("search in a new process: peak RSS, MB", lambda size: _rss(size.cold)),
        ("on disk, MB: main.sqlite", lambda size: f"{_bytes(size, 'main.sqlite', '-wal') / _MB:,.0f}"),
        ("on disk, MB: vectors", lambda size: f"{_bytes(size, 'main.sqlite.space') / _MB:,.0f}"),
        ("on disk, MB: floor", lambda size: f"{_bytes(size, 'floor.sqlite') / _MB:,.0f}"),
        ("load average then", lambda size: f"{size.load:.1f}"),
    ]


def _cpu(cost: Cost | None) -> str:
    return "-" if cost is None else f"{cost.cpu:,.1f}"


def _rss(cost: Cost | None) -> str:
    return "-" if cost is None else f"{cost.rss / _MB:,.0f}"


def _bytes(size: Size, name: str, *also: str) -> int:
    """The files of that name, or that begin with it where it ends in no suffix of ours."""
    names = {name, *(name + suffix for suffix in also)}
    whole = name.endswith("space")
    return sum(found for path, found in size.files.items() if path in names or (whole and path.startswith(name)))
