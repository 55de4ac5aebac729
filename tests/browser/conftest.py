"""A real Chromium in front of a real server; without one the tests are skipped, and a line says so aloud."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browser.visitor import Visitor, opened_window
from fork_server import Process
from surfaces.http.serving import Served, ending, ready, started

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
    # One test is a file, and long: it begins early, so that in the end no worker is left alone with it.
    items.sort(key=lambda item: item.path.name != "test_browser_undo.py")


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


class Servers:
    """A server with a home of its own for each test: the next one starts, and the last one ends, while a test runs."""

    def __init__(self, make_folder: Callable[[], Path]) -> None:
        self._make_folder = make_folder
        self._next: tuple[Process, Path] | None = None
        self._leaving: list[Served] = []

    def take(self) -> Served:
        """A server that is ready."""
        process, home = self._next or self._start()
        self._next = None
        running = ready(process, home)
        self._next = self._start()
        return running

    def leave(self, running: Served) -> None:
        """Let a server end; it is asked how it ended when the next one was let go."""
        running.end()
        earlier, self._leaving = self._leaving, [running]
        _ended_well(earlier)

    def close(self) -> None:
        """End all that still run."""
        if self._next is not None:
            self._leaving.append(ready(*self._next))
        _ended_well(self._leaving)

    def _start(self) -> tuple[Process, Path]:
        home = self._make_folder() / "home"
        return started(home), home


def _ended_well(servers: Sequence[Served]) -> None:
    for running in servers:
        ended = ending(running)
        assert ended == (0, False, ""), (running.home, ended)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The servers of a worker's tests."""
    made = Servers(lambda: tmp_path_factory.mktemp("served"))
    yield made
    made.close()


@pytest.fixture
def web(chromium: Any, servers: Servers) -> Iterator[Served]:
    """A server with a home of its own."""
    running = servers.take()
    yield running
    servers.leave(running)


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
