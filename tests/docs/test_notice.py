"""NOTICE names every package that an installation can bring along."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_package_that_can_be_installed_beside_holdfast_is_named_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: wanted for name, wanted in project["optional-dependencies"].items() if name != "dev"}
    wanted = {
        re.split(r"[\[<>=!~ ]", requirement)[0]
        for group in (project["dependencies"], *extras.values())
        for requirement in group
    }
    table = (ROOT / "NOTICE").read_text(encoding="utf-8").partition("WHAT IS INSTALLED BESIDE IT")[2]
    named = {line.split()[0] for line in table.splitlines() if re.search(r"  (always|extras? )", line)}
    assert wanted <= named
