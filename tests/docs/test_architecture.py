"""ARCHITECTURE.md names files and functions; this says when one of them is not there any more."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| [^|]+ \| `([a-z_/]+\.py)` \| `(\w+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("file", "function"), ROWS, ids=lambda text: text)
def test_a_behaviour_is_where_the_architecture_says(file: str, function: str) -> None:
    tree = ast.parse((ROOT / "src/holdfast" / file).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assert function in {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def test_the_table_has_rows() -> None:
    assert len(ROWS) >= 20


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", PAGE))))
def test_every_file_that_the_architecture_names_is_there(path: str) -> None:
    assert (ROOT / "src/holdfast" / path).is_file() or (ROOT / path).is_file()
