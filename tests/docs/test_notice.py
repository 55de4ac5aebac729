"""NOTICE names every package that an installation brings along; the page of the package has no dead links."""

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


def test_the_page_that_a_package_index_shows_has_no_link_that_leads_nowhere_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shown = (ROOT / project["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert [link for link in links if not link.startswith("https://")] == []
