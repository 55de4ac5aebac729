"""A real Chromium in front of a real server; without one the tests are skipped, and a line says so aloud."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.visitor import Visitor, opened_window
from surfaces.http.serving import Served, served

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    sync_playwright = None

_HERE = Path(__file__).parent
_WAIT = 15_000  # milliseconds; the machine may have others to serve


def program() -> str | None:
    """The browser: what HOLDFAST_BROWSER names, else Debian's."""
    return os.environ.get("HOLDFAST_BROWSER") or shutil.which("chromium")


def missing() -> str:
    """What is not here, or nothing."""
    if sync_playwright is None:
        return "playwright is not installed"
    return "" if program() else "there is no chromium, and HOLDFAST_BROWSER names none"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say aloud that no browser was seen."""
    if missing() and any("browser" in str(report.nodeid) for report in terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(f"NO PAGE WAS SEEN IN A BROWSER: {missing()}. Run `make browser`.", red=True)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of a worker."""
    if sync_playwright is None or missing():
        pytest.skip(f"{missing()}; run `make browser`")
    expect.set_options(timeout=_WAIT)
    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root, who runs tests in containers.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def web(tmp_path: Path, chromium: Any) -> Iterator[Served]:
    """A server with a home of its own."""
    with served(tmp_path / "home") as running:
        yield running


@pytest.fixture(scope="session")
def window(chromium: Any) -> Iterator[Any]:
    """One window for all who need no other: what it has loaded of the app is not loaded and compiled again."""
    made = opened_window(chromium)
    yield made
    made.close()


@pytest.fixture
def visitor(web: Served, chromium: Any, window: Any) -> Iterator[Visitor]:
    """The owner, let in, before an empty tab; each test has a server, and so an origin with a storage, of its own."""
    with Visitor(chromium, web, window=window) as made:
        made.be_let_in()
        yield made
