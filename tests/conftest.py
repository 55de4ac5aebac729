"""Every test gets a home of its own, and no keys: none can touch the person's."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import fork_server
import pytest
from counts import counted
from garbage import garbage_kept
from hypothesis import settings
from hypothesis.strategies import characters, text
from tally import Count, TallyFile, count_into

pytest_plugins = ("fork_workers",)
COUNT = pytest.StashKey[Count]()
IN_MEMORY, ROOM = "/dev/shm", 2 * 2**30  # bytes; what tests that run at once have used is far below that

# For properties that say nothing else. No time is a fault: the machine may have others to serve.
settings.register_profile("holdfast", max_examples=counted(10, 500), deadline=None)
settings.load_profile("holdfast")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the name of the file to which tests that belong to a row of a table tell what they did."""
    parser.addoption("--tally", metavar="FILE", default="", help="where to write what fault tests counted")


def pytest_configure(config: pytest.Config) -> None:
    """Have the files of tests in memory where there is room, and processes that Ctrl-C stops.

    Waiting for a disk is a third of the time of tests. A shell that runs us in the background has us ignore Ctrl-C,
    and every process that we start would as well.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(OSError):
        if shutil.disk_usage(IN_MEMORY).free > ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", IN_MEMORY)
    if config.getoption("tally") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(TallyFile(config.rootpath / config.getoption("tally")))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the thousands of tests, and the modules they import, out of Python's search for garbage."""
    with garbage_kept():
        try:
            return (yield)
        finally:
            gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Keep the embedded model loaded: it goes with the last memory that uses it, and each test would load it anew.

    Workers that are forked have it from here, and one warm process for all.
    """
    from holdfast.embeddings.embedder import Purpose
    from holdfast.embeddings.static.static_embedder import StaticEmbedder

    embedder = StaticEmbedder()
    if not session.config.option.collectonly:
        embedder.embed(["a"], Purpose.QUERY)
    if session.config.option.forks:
        text(characters(codec="utf-8")).validate()  # the table of all characters is made once, in a second
        fork_server.begin()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin to count for a test that belongs to a row of a table."""
    if item.get_closest_marker("row"):
        item.stash[COUNT] = count_into(item)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Count:
    """Count what a test does: `tally(kills=1, lost=0)`."""
    count: Count = request.node.stash[COUNT]
    return count


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home, also for code that looks it up in the environment."""
    place = tmp_path / "home"
    monkeypatch.setenv("HOLDFAST_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "ANTHROPIC_API_KEY", "HF_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")  # nobody listens there, whatever this machine runs
    # A client of HTTP reads the certificates of the machine, 30 ms each time; no test asks anybody who has one.
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    return place
