"""docs/client.md is true: its code runs against a server, and its table names the arguments that there are."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

from surfaces.http.serving import environment, served

from holdfast.surfaces.client.client import connect

PAGE = (Path(__file__).parents[3] / "docs/client.md").read_text(encoding="utf-8")


def test_the_code_on_the_page_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with served(tmp_path / "home"):
        ran = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            env=environment(tmp_path / "home"),
            timeout=60,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert "3 March" in ran.stdout


def test_the_table_names_the_arguments() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(inspect.signature(connect).parameters)
