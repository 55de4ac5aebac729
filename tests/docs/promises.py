"""Which tests hold which promise: found by the marker `promise` in the tests' own source, written to docs/promises.md.

python tests/docs/promises.py > docs/promises.md
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["PROMISES", "kept_promises", "promises_page"]

TESTS = Path(__file__).parents[1]
PROMISES = {
    "P1": "A note on disk is the old bytes or the new bytes, whole, at every moment.",
    "P2": "A change that was acknowledged survives `kill -9`, and a power cut as far as fsync reaches.",
    "P3": "Two writers, in whatever processes, never lose each other's update.",
    "P4": "An edit made outside, by an editor, git or a sync, is never overwritten unseen.",
    "P5": "Every change has a checkpoint, durable before it. A restore is exact, and can be undone itself.",
    "P6": "The index is a cache: delete it and nothing is lost. The next sync gives what a rebuild would give.",
    "P7": "Search answers from keywords with every provider down, and its result says so.",
    "P8": "Vectors of different models or lengths, or with NaN, are never compared.",
    "P9": "No path that a caller names is read or written outside the workspace.",
    "P10": "No web page in a browser can drive the local server.",
    "P11": "Stored text comes back as fenced data with its origin, never as instructions.",
    "P12": "Known kinds of secrets are stopped before they reach disk, index, log or a remote provider.",
    "P13": "No input costs more than bounded time and memory.",
    "P14": "A clock that jumps changes no order and loses no checkpoint.",
    "P15": "Forgotten text is gone from notes, index, vectors, caches and exports; `purge` clears checkpoints too.",
}
_SHOWN = 4  # tests a promise; the page says how many more there are
_HEAD = """\
# Promises

What Holdfast promises, whatever happens to the machine, the network or the text it is given. Each promise has an id
that tests carry (`@pytest.mark.promise("P4")`); this page is made from them by `python tests/docs/promises.py`, and
`tests/docs/test_promises_are_kept.py` fails when it is not up to date. `make test` runs all of these tests, `make
faults` at their full counts.

| id | promise | held by |
|---|---|---|
"""


@cache
def kept_promises() -> dict[str, list[str]]:
    """Return for each promise the tests that carry its id, as `file::test`, or `file` where a whole file does."""
    kept: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS.parent).as_posix()
        source = path.read_text(encoding="utf-8")
        if "mark.promise" not in source:
            continue  # a thousand files are not parsed
        for node in ast.parse(source).body:
            for promise in _marked(node):
                name = getattr(node, "name", "")
                kept.setdefault(promise, []).append(f"{place}::{name}" if name else place)
    return kept


def _marked(node: ast.stmt) -> Iterator[str]:
    """Yield the promises that the decorators of a test, or a file's `pytestmark`, name."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        marks: list[ast.expr] = node.decorator_list
    elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
        marks = [node.value]
    else:
        return
    for mark in marks:
        for call in ast.walk(mark):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.promise":
                yield from (str(ast.literal_eval(argument)) for argument in call.args)


def promises_page() -> str:
    """Return docs/promises.md."""
    kept = kept_promises()
    return _HEAD + "".join(
        f"| {promise} | {text} | {_shown(kept.get(promise, []))} |\n" for promise, text in PROMISES.items()
    )


def _shown(tests: list[str]) -> str:
    """Return some of the tests, each from another file as far as there are files."""
    by_file: dict[str, str] = {}
    for test in tests:
        by_file.setdefault(test.partition("::")[0], test)
    first = list(by_file.values())[:_SHOWN]
    more = len(tests) - len(first)
    return "<br>".join([*(f"`{test}`" for test in first), *([f"and {more} more"] if more else [])])


if __name__ == "__main__":
    sys.stdout.write(promises_page())
