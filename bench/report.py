"""The figures of a run as tables, and the targets of the project as lines of PASS and FAIL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from measure import Cost, Warm

__all__ = ["CorpusFigures", "Figures", "Verdict", "as_json", "table", "vector_verdicts", "verdicts"]

_MB = 1_000_000
_ORDER = ("floor", "holdfast", "qmd")


@dataclass
class Figures:
    """What one system cost on one corpus; what could not be measured stays None, with the reason in `problem`."""

    full: Cost | None = None
    unchanged: Cost | None = None
    one_file: Cost | None = None
    cold: Cost | None = None
    rested: Cost | None = None
    size: int | None = None
    warm: Warm | None = None
    problem: str | None = None


@dataclass
class CorpusFigures:
    """Every system on one corpus."""

    name: str
    files: int
    bytes: int
    systems: dict[str, Figures] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """One target: what was measured against what is allowed. `passed` is None when it could not be measured."""

    target: str
    measured: str
    allowed: str
    passed: bool | None

    def line(self) -> str:
        """As printed."""
        word = "----" if self.passed is None else "PASS" if self.passed else "FAIL"
        return f"{word}  {self.target:<58} {self.measured:>12}   allowed {self.allowed}"


def _value(figures: Figures, row: str) -> float | None:
    """One figure of a row: seconds, milliseconds or megabytes."""
    kind, _, part = row.partition(".")
    if kind == "size":
        return None if figures.size is None else figures.size / _MB
    if kind == "warm":
        value = getattr(figures.warm, part, None)
        return value / _MB if part == "rss" and value is not None else value
    value = getattr(getattr(figures, kind), part, None)
    return value / _MB if part == "rss" and value is not None else value


_ROWS = (
    ("full index, CPU s", "full.cpu"),
    ("full index, wall s", "full.wall"),
    ("full index, peak RSS MB", "full.rss"),
    ("nothing changed, CPU s", "unchanged.cpu"),
    ("nothing changed, wall s", "unchanged.wall"),
    ("one file changed, CPU s", "one_file.cpu"),
    ("one file changed, wall s", "one_file.wall"),
    ("cold search, CPU s", "cold.cpu"),
    ("cold search, wall s", "cold.wall"),
    ("cold search, peak RSS MB", "cold.rss"),
    ("cold after a rest, CPU s", "rested.cpu"),
    ("cold after a rest, wall s", "rested.wall"),
    ("warm search p50, wall ms", "warm.p50"),
    ("warm search p95, wall ms", "warm.p95"),
    ("warm search p50, CPU ms", "warm.cpu_p50"),
    ("warm search mean, CPU ms", "warm.cpu_mean"),
    ("warm searches, peak RSS MB", "warm.rss"),
    ("index size, MB", "size"),
)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _ratio(figures: CorpusFigures, name: str, row: str) -> float | None:
    system, floor = figures.systems.get(name), figures.systems.get("floor")
    if system is None or floor is None:
        return None
    above, below = _value(system, row), _value(floor, row)
    return above / below if above is not None and below else None


def table(corpus: CorpusFigures) -> str:
    """Absolute figures of every system, then the ratios to the floor, then the hits."""
    names = [name for name in _ORDER if name in corpus.systems]
    others = [name for name in names if name != "floor"]
    title = f"{corpus.name}: {corpus.files:,} files, {corpus.bytes / _MB:.1f} MB"
    head = f"{'':<28}" + "".join(f"{name:>11}" for name in names) + "".join(f"{name + '/floor':>16}" for name in others)
    lines = [title, "-" * len(head), head]
    for label, row in _ROWS:
        values = "".join(f"{_number(_value(corpus.systems[name], row)):>11}" for name in names)
        ratios = [_ratio(corpus, name, row) for name in others]
        lines.append(
            f"{label:<28}{values}" + "".join(f"{_number(ratio) + ('x' if ratio else ''):>16}" for ratio in ratios)
        )
    for kind, total in _kinds(corpus):
        found = [corpus.systems[name].warm for name in names]
        hits = "".join(f"{f'{warm.hits[kind]}/{total}' if warm else '-':>11}" for warm in found)
        lines.append(f"{'hit@5, ' + kind:<28}{hits}")
    lines += [f"{name}: {corpus.systems[name].problem}" for name in names if corpus.systems[name].problem]
    return "\n".join(lines)


def _kinds(corpus: CorpusFigures) -> Iterator[tuple[str, int]]:
    for figures in corpus.systems.values():
        if figures.warm:
            # Generated corpora ask thirty of each kind, the real one ninety titles.
            yield from ((kind, 90 if kind == "title" else 30) for kind in figures.warm.hits)
            return


def _limit(corpus: CorpusFigures, target: str, row: str, allowed: float) -> Verdict:
    ratio = _ratio(corpus, "holdfast", row)
    measured = "-" if ratio is None else f"{ratio:.2f}x"
    return Verdict(target, measured, f"{allowed:g}x the floor", None if ratio is None else ratio <= allowed)


def _against_qmd(corpus: CorpusFigures, allowed: float) -> Verdict:
    target = f"warm search p50 against QMD over HTTP, wall, {corpus.name}"
    sides = [corpus.systems[name].warm for name in ("holdfast", "qmd") if name in corpus.systems]
    if len(sides) < 2 or sides[0] is None or sides[1] is None:
        return Verdict(target, "-", f"{allowed:g}x QMD", None)
    ratio = sides[0].p50 / sides[1].p50
    return Verdict(target, f"{ratio:.2f}x", f"{allowed:g}x QMD", ratio <= allowed)


def _share_of_qmd(corpus: CorpusFigures, target: str, row: str, allowed: float) -> Verdict:
    values = [_value(corpus.systems[name], row) if name in corpus.systems else None for name in ("holdfast", "qmd")]
    if values[0] is None or not values[1]:
        return Verdict(target, "-", f"{allowed:g}x QMD's keyword search", None)
    ratio = values[0] / values[1]
    return Verdict(target, f"{ratio:.2f}x", f"{allowed:g}x QMD's keyword search", ratio <= allowed)


def _memory(corpus: CorpusFigures, label: str, row: str) -> Verdict:
    figures = corpus.systems.get("holdfast")
    value = _value(figures, row) if figures else None
    measured = "-" if value is None else f"{value:.0f} MB"
    return Verdict(f"peak RSS, {label}", measured, "150 MB", None if value is None else value <= 150)


def _needles(corpus: CorpusFigures) -> Verdict:
    figures = corpus.systems.get("holdfast")
    target = f"needles at {corpus.name}: ids, questions, topics"
    if figures is None or figures.warm is None:
        return Verdict(target, "-", "30/30/30", None)
    hits = [figures.warm.hits.get(kind, 0) for kind in ("token", "question", "topic")]
    return Verdict(target, "/".join(map(str, hits)), "30/30/30", hits == [30, 30, 30])


def _growth(small: CorpusFigures, large: CorpusFigures, label: str, row: str, allowed: float) -> Verdict:
    sides = [corpus.systems.get("holdfast") for corpus in (large, small)]
    values = [_value(side, row) if side else None for side in sides]
    target = f"10,000 to 100,000 notes: {label}"
    if values[0] is None or not values[1]:
        return Verdict(target, "-", f"{allowed:g}x", None)
    ratio = values[0] / values[1]
    return Verdict(target, f"{ratio:.2f}x", f"{allowed:g}x", ratio <= allowed)


def verdicts(corpora: Mapping[int, CorpusFigures]) -> list[Verdict]:
    """Every target that the corpora of this run, by number of notes, can speak to."""
    found: list[Verdict] = []
    if middle := corpora.get(10_000):
        found += [
            _limit(middle, "full index, CPU", "full.cpu", 2.5),
            _limit(middle, "nothing changed, CPU", "unchanged.cpu", 3),
            _limit(middle, "one file changed, CPU", "one_file.cpu", 3),
            _limit(middle, "warm search p50, CPU", "warm.cpu_p50", 1.5),
            _against_qmd(middle, 0.5),
            _limit(middle, "cold search, CPU", "cold.cpu", 3),
            _limit(middle, "cold search after a rest, CPU", "rested.cpu", 3),
            _memory(middle, "index", "full.rss"),
            _memory(middle, "warm searches", "warm.rss"),
            _limit(middle, "index size", "size", 1.5),
        ]
    found += [_needles(corpora[count]) for count in (1_000, 10_000) if count in corpora]
    if middle and (large := corpora.get(100_000)):
        found.append(_growth(middle, large, "full index, CPU", "full.cpu", 12))
        found.append(_growth(middle, large, "warm search p50, CPU", "warm.cpu_p50", 8))
    return found


def vector_verdicts(corpora: Mapping[int, CorpusFigures]) -> list[Verdict]:
    """The targets of the search as shipped, with the embedded model, against QMD's keyword search."""
    found: list[Verdict] = []
    if small := corpora.get(1_000):
        found.append(_against_qmd(small, 1.5))
    if middle := corpora.get(10_000):
        found += [
            _share_of_qmd(middle, "full index with vectors, CPU", "full.cpu", 0.6),
            _share_of_qmd(middle, "cold search with vectors, CPU", "cold.cpu", 1.0),
            _share_of_qmd(middle, "cold search with vectors after a rest, CPU", "rested.cpu", 1.2),
            _against_qmd(middle, 0.5),
        ]
    return found + [_needles(corpora[count]) for count in (1_000, 10_000) if count in corpora]


def as_json(corpora: list[CorpusFigures], found: list[Verdict]) -> dict[str, object]:
    """All figures, for a file that another run can be compared with."""
    return {"corpora": [asdict(corpus) for corpus in corpora], "targets": [asdict(verdict) for verdict in found]}
