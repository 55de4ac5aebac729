"""Figures say when, with which version and by which command they were measured, and are not older than a release."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast import __version__

ROOT = Path(__file__).parents[2]
PAGES = (
    *(
        "docs/quality.md",
        "docs/quality-ablation.md",
        "docs/scale.md",
        "docs/speed.md",
        "docs/peers.md",
        "docs/faults.md",
    ),
    *("docs/teams.md", "docs/facts.md", "docs/providers.md", "docs/cold.md", "SECURITY.md", "docs/coverage.md"),
    *("docs/dreaming.md", "docs/frameworks/langgraph.md"),
)
STAMP = re.compile(r"[Mm]easured (\d{4}-\d\d-\d\d) with version (\d+\.\d+\.\d+) by `([^`]+)`")
_RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\]", re.MULTILINE)
_ELSEWHERE = ("docs/site", "docs/frameworks", "docs/tutorials", "docs/clients")


def releases() -> list[str]:
    """Return this version and those before it, the newest first."""
    told = _RELEASE.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    return list(dict.fromkeys([__version__, *told]))


@pytest.mark.parametrize("page", PAGES)
def test_a_measured_page_says_when_and_how_and_is_of_this_release_or_the_one_before(page: str) -> None:
    stamps = STAMP.findall((ROOT / page).read_text(encoding="utf-8"))
    assert stamps, f"{page} has no line such as: Measured 2026-11-17 with version {__version__} by `make …`"
    old = [(day, version) for day, version, _ in stamps if version not in releases()[:2]]
    assert not old, f"{page} was measured more than a release ago: {old}; run {stamps[0][2]}"


@pytest.mark.parametrize("page", PAGES)
def test_the_command_of_a_measured_page_is_there(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for _, _, command in STAMP.findall((ROOT / page).read_text(encoding="utf-8")):
        first, *rest = command.split()
        if first == "make":
            assert re.search(rf"^{re.escape(rest[0])}:", makefile, re.MULTILINE), command
        elif first in ("python", "sh"):
            assert (ROOT / rest[0]).exists(), command
        else:
            assert first == "holdfast" or (ROOT / first).exists(), command


def test_every_page_that_says_measured_has_the_line() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")]}
    named = {
        page
        for page in pages
        if not page.startswith(_ELSEWHERE) and re.search(r"^\W*Measured\b", (ROOT / page).read_text(), re.MULTILINE)
    }
    assert named <= set(PAGES) | {"CHANGELOG.md"}
