"""The table of faults and the table of attacks, made from what the tests told of a run (docs/faults.json).

python tests/docs/faults.py    # writes docs/faults.md, and the table in SECURITY.md
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["ATTACKS", "FAULTS", "Row", "done_in", "faults_page", "is_full", "marked_rows", "measured", "with_attacks"]

TESTS = Path(__file__).parents[1]
RECORD, PAGE, SECURITY = (TESTS.parent / name for name in ("docs/faults.json", "docs/faults.md", "SECURITY.md"))
_BEGIN, _END = "<!-- attacks: made by `make faults` -->\n", "<!-- end of attacks -->\n"
# What must not happen; everything else that tests count is what was done.
HARMS = (
    *("lost", "torn", "doubled", "escaped", "wrong", "overwritten", "missed", "unnoticed", "let_in", "got_through"),
    *("broken", "leaked", "scripts_run", "unmarked", "refused", "slow", "changed", "crashed", "found_again", "grown"),
)


class Row(NamedTuple):
    """A row of a table: what is done, and how often at the least."""

    what: str
    least: Mapping[str, int] = {}


FAULTS: Mapping[str, Row] = {
    "T1": Row("A process that saves, deletes and restores is killed (SIGKILL) at any moment.", {"kills": 200}),
    "T2": Row(
        "Every operation that changes something is killed, or the disk fails (EIO) or is full (ENOSPC), at every call "
        "that makes, writes, syncs, renames, removes or cuts a file, SQLite's own included.",
        {"kills": 150, "failed_calls": 300, "operations": 30},
    ),
    "T3": Row("The disk is full, really: a limit on the size of files, and a file system of 4 MB.", {"saves": 50}),
    "T4": Row("Eight processes save to one note at once.", {"saves": 800}),
    "T5": Row("Eight processes open, sync and search a fresh home, or a damaged index, at once.", {"rounds": 20}),
    "T6": Row("Any sequence of operations, edits, crashes and outages, against a model of notes.", {"sequences": 300}),
    "T7": Row("A sync is killed at named points and at any moment.", {"kills": 200}),
    "T8": Row("A provider refuses, hangs, lies, drips or answers nonsense.", {"faults": 320}),
    "T9": Row("Checkpoints are restored in any order, and damaged.", {"restores": 100, "damages": 4}),
    "T10": Row("An editor or another writer changes a note between reading and saving.", {"edits": 200}),
    "T11": Row("Hostile paths and odd files, at every surface.", {"paths": 1_200}),
    "T12": Row("A directory is swapped for a link all the time, and at every single call.", {"operations": 50_000}),
    "T13": Row("Requests that a page elsewhere, or a broken client, could send, at every route.", {"requests": 120}),
    "T14": Row("Hostile text in every place of the web app, in a real browser.", {"texts": 80}),
    "T15": Row("Stored text that forges fences, headings, marks or escape sequences.", {"forged": 150, "texts": 2_000}),
    "T16": Row("Poisoned texts through every way in, among 1,000 notes.", {"attacks": 60}),
    "T17": Row("Text that nobody sees; and text in every script, which must pass.", {"hidden": 200, "benign": 200}),
    "T18": Row(
        "Secrets of known kinds in any form; and what only looks like one.", {"secrets": 500, "look_alikes": 500}
    ),
    "T19": Row("Texts made to be slow, at every pattern and every call.", {"patterns": 800}),
    "T20": Row("Bytes, texts and calls that make no sense.", {"files": 5_000}),
    "T21": Row("The clock jumps, stands still, or lies in a file's times.", {"changes": 200, "edits": 200}),
    "T22": Row("Texts are forgotten, and every byte of the home is searched for them.", {"texts": 200}),
    "T23": Row("A server, two MCP servers, the command line and an editor, at once and for long.", {"minutes": 120}),
    "T24": Row("A hostile or broken MCP client.", {"calls": 300}),
    "power cut": Row(
        "The power is cut after every call of every operation: what was not synced is lost, or kept in part and in any "
        "order. Made from a record of the calls; nobody pulled a plug.",
        {"operations": 30, "cuts": 500},
    ),
    "many files": Row("100,000 tiny notes.", {"files": 100_000}),
    "PostgreSQL": Row("Backends are killed in mid-save; every statement of every operation is cut.", {"kills": 200}),
}
ATTACKS: Mapping[str, Row] = {
    "door": Row("requests that a page in a browser, or a program without the token, could send to the server"),
    "paths": Row("paths that lead out of the workspace"),
    "links": Row("links, hard links, FIFOs and devices in place of notes and folders, also swapped in at any moment"),
    "fences": Row("stored text that poses as structure: fences, headings, marks, escape sequences"),
    "approval": Row("agents and programs that want a text in MEMORY.md, or the owner's text out of it"),
    "imports": Row("files of others that are read as an export"),
    "patterns": Row("texts that were made to be slow"),
    "secrets": Row("secrets of known kinds on their way to disk, index or a provider; look-alikes must pass"),
    "tenants": Row("a tenant of a team's database that reaches for another's rows"),
    "pages": Row("text that becomes markup or code in the web app"),
    "sandbox": Row("commands that want out of the sandbox"),
}
_HEAD = """\
# What was done to it, and what was lost

`make faults` runs all of this and writes this page from what the tests told; `tests/docs/test_faults_page.py` holds
that no row is typed by hand. A test that finds a harm fails, so a 0 stands here only where every test of its row
passed. "Seconds" is the time of the tests of a row, one after the other; they run side by side. Which promise each
test holds is in [promises.md](promises.md).

```sh
make faults    # all but T23; T14 where `make browser` has installed one
make soak      # T23, two hours; MINUTES=20 for a short one
```

"""


@cache
def measured() -> dict[str, Any]:
    """Return what the tests told, by test."""
    told: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return told


@cache
def marked_rows() -> dict[str, set[str]]:
    """Return for each row the tests that carry its mark, as `file::test`; found in their source."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS.parent).as_posix()
        source = path.read_text(encoding="utf-8")
        if "mark.row" not in source:
            continue  # a thousand files are not parsed
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                for row in _rows_of(node):
                    found.setdefault(row, set()).add(f"{place}::{node.name}")
    return found


def _rows_of(node: ast.FunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.row":
            yield str(ast.literal_eval(mark.args[0]))


class _Sum(NamedTuple):
    """What all tests of a row told."""

    tests: list[str]
    done: Counter[str]
    harms: Counter[str]
    seconds: float
    failed: int
    skipped: int
    short: bool


def _sum(row: str) -> _Sum:
    told = {test: entry for test, entry in sorted(measured().items()) if row in entry["rows"]}
    counts: Counter[str] = Counter()
    for entry in told.values():
        counts.update(entry["counts"])
    return _Sum(
        list(told),
        Counter({name: number for name, number in counts.items() if name not in HARMS}),
        Counter({name: number for name, number in counts.items() if name in HARMS}),
        sum(entry["seconds"] for entry in told.values()),
        sum(entry["failed"] for entry in told.values()),
        sum(entry["skipped"] for entry in told.values()),
        not all(entry["full"] for entry in told.values()),
    )


def done_in(row: str) -> Mapping[str, int]:
    """Return what was done in a row, and how often."""
    return _sum(row).done


def is_full(row: str) -> bool:
    """Say whether every test of a row was run at its full count."""
    return not _sum(row).short


def faults_page() -> str:
    """Return docs/faults.md."""
    lines = ["| | what was done to it | how often | harm | seconds | tests |", "|---|---|---|---|---|---|"]
    for name, row in FAULTS.items():
        told = _sum(name)
        if not told.tests:
            lines.append(f"| {name} | {row.what} | not run | | | |")
            continue
        lines.append(
            f"| {name} | {row.what} | {_often(name, told)} | {_harm(told)} | {told.seconds:,.0f} | {_tests(told)} |"
        )
    return _HEAD + _stamp() + "\n".join(lines) + "\n"


def with_attacks(text: str) -> str:
    """Return SECURITY.md with its table of attacks made anew."""
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    lines = ["| attack | tried | got through | tests |", "|---|---|---|---|"]
    for name, row in ATTACKS.items():
        told = _sum(name)
        lines.append(f"| **{name}**: {row.what} | {_often(name, told)} | {_harm(told)} | {_tests(told)} |")
    return before + _BEGIN + "\n" + _stamp() + "\n".join(lines) + "\n\n" + _END + after


def _stamp() -> str:
    """Return when, with what and on what was measured: the oldest of all."""
    oldest = min(measured().values(), key=lambda entry: (entry["date"], entry["version"]))
    return f"Measured {oldest['date']} with version {oldest['version']} by `make faults`; {oldest['machine']}.\n\n"


def _often(row: str, told: _Sum) -> str:
    runs = sum(measured()[test]["runs"] for test in told.tests)
    shown = [f"{number:,} {name.replace('_', ' ')}" for name, number in told.done.items()] or [f"{runs:,} cases"]
    least = {**FAULTS, **ATTACKS}[row].least
    few = [name for name, number in least.items() if told.done[name] < number]
    return ", ".join(shown) + (" (a short run)" if told.short or few else "")


def _harm(told: _Sum) -> str:
    shown = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in told.harms.items())
    skipped = f"; {told.skipped} skipped" if told.skipped else ""
    notes = "".join(f"; {measured()[test]['note']}" for test in told.tests if measured()[test].get("note"))
    failed = f"**{told.failed} failed**; " if told.failed else ""
    return failed + (shown or "0") + skipped + notes


def _tests(told: _Sum) -> str:
    files = dict.fromkeys(test.partition("::")[0] for test in told.tests)
    return "<br>".join(f"`{file}`" for file in files)


if __name__ == "__main__":
    PAGE.write_text(faults_page(), encoding="utf-8")
    SECURITY.write_text(with_attacks(SECURITY.read_text(encoding="utf-8")), encoding="utf-8")
