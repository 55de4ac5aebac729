"""Tests on several cores: they are collected once, and `--forks N` has N forked processes run them, a file at a time.

pytest-xdist starts a Python for each worker, which imports and collects everything again, and sends three reports for
each test; that was a tenth of the time of all tests. Where nothing is said of forks, nothing here does anything.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from mmap import mmap
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, cast

import pytest
from _pytest.capture import FDCapture

__all__ = ["RUN", "pytest_addoption", "pytest_runtestloop"]

RUN = "PYTEST_XDIST_TESTRUNUID"  # all workers of one run have the same value there, also those of pytest-xdist
NUMBER = struct.Struct("i")
NOTICED = 0.01  # seconds; what a shorter setting up or clearing away took is of no interest


Line: TypeAlias = "Connection[Any, Any]"


class Passed(NamedTuple):
    """A phase of a test in which all was well."""

    nodeid: str
    location: tuple[str, int | None, str]
    when: Literal["setup", "call", "teardown"]
    duration: float


class Warned(NamedTuple):
    """A warning that was no error."""

    text: str
    place: tuple[str, int]
    when: str
    nodeid: str


class Worker(NamedTuple):
    """A forked process, and the line on which it tells what happened."""

    pid: int
    line: Line
    running: memoryview  # the number of the test that it runs

    def end(self) -> None:
        """Have it gone, however it is."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.line.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the number of workers."""
    parser.addoption("--forks", type=int, default=0, help="run the tests in so many forked processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all tests in forked processes; without `--forks` it is left to pytest."""
    config = session.config
    if not config.option.forks or config.option.collectonly or session.testsfailed:
        return None
    os.environ[RUN] = f"{os.getpid()}"
    base: Path = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # whoever forks shares its files
    groups = [list(group) for _, group in groupby(range(len(session.items)), lambda at: session.items[at].path)]
    waiting = _queue(len(groups))
    running = memoryview(mmap(-1, config.option.forks * NUMBER.size)).cast("i")
    workers: list[Worker] = []
    try:
        for number in range(config.option.forks):
            theirs = running[number : number + 1]
            ours, told = Pipe(duplex=False)
            pid = os.fork()
            if not pid:
                ours.close()
                _work(session, groups, waiting, told, theirs, base / f"worker-{number}")
            told.close()
            workers.append(Worker(pid, ours, theirs))
        _follow(session, workers, waiting)
    finally:
        for worker in workers:
            worker.end()
        os.close(waiting)
    return True


def _queue(count: int) -> int:
    """Return a pipe with a number for each group; who reads one has it alone."""
    read, write = os.pipe()
    os.write(write, b"".join(NUMBER.pack(number) for number in range(count)))
    os.close(write)
    return read


def _work(
    session: pytest.Session, groups: Sequence[Sequence[int]], waiting: int, line: Line,
    running: memoryview, base: Path,
) -> NoReturn:  # fmt: skip
    """Be a worker: run groups as long as there are any, and end."""
    config = session.config
    try:
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(_Teller(config, line))
        config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
        base.mkdir()
        _separate_output(config)
        _run_tests(session, _tests(groups, waiting), running)
        config._ensure_unconfigure()  # looks for what nobody could be told of
        line.send("ended")
    except BaseException:  # noqa: BLE001  # whatever it is, those who wait must hear of it
        line.send(traceback.format_exc())
    finally:
        os._exit(0)


def _separate_output(config: pytest.Config) -> None:
    """Catch what our tests print in files of our own, under the numbers of those that all workers would share.

    The streams themselves stay: a module that was imported before may hold on to them.
    """
    caught = config.pluginmanager.getplugin("capturemanager")._global_capturing
    for stream in (caught.out, caught.err):
        if isinstance(stream, FDCapture):
            with tempfile.TemporaryFile() as own:
                os.dup2(own.fileno(), stream.tmpfile.fileno(), inheritable=False)


def _tests(groups: Sequence[Sequence[int]], waiting: int) -> Iterator[int]:
    while number := os.read(waiting, NUMBER.size):
        yield from groups[NUMBER.unpack(number)[0]]


def _run_tests(session: pytest.Session, tests: Iterator[int], running: memoryview) -> None:
    at = next(tests, None)
    while at is not None:
        running[0] = at
        item = session.items[at]
        at = next(tests, None)  # what both use is kept
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if at is None else session.items[at])
        if session.shouldfail or session.shouldstop:
            return


class _Teller:
    """Tells whoever forked us of reports and warnings, in few words where all is well."""

    def __init__(self, config: pytest.Config, line: Line) -> None:
        self._config, self._line = config, line

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed or hasattr(report, "wasxfail"):
            hook = self._config.hook
            self._line.send(hook.pytest_report_to_serializable(config=self._config, report=report))
        elif report.when == "call" or report.duration > NOTICED:
            self._line.send(Passed(report.nodeid, report.location, report.when, report.duration))

    @pytest.hookimpl
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, when: str, nodeid: str) -> None:
        place = warning_message.filename, warning_message.lineno
        self._line.send(Warned(str(warning_message.message), place, when, nodeid))


def _follow(session: pytest.Session, workers: Sequence[Worker], waiting: int) -> None:
    """Pass on what workers tell, until all have ended."""
    lines = {worker.line: worker for worker in workers}
    while lines:
        for line in cast("list[Line]", wait(lines)):
            try:
                told = line.recv()
            except EOFError:
                told = "The process of this test is gone: it ended or was killed in mid-test.\n"
            if told == "ended":
                del lines[line]
            elif isinstance(told, str):
                _report_end(session, lines.pop(line), told)
            else:
                _pass_on(session, told)
        if session.shouldfail or session.shouldstop:
            os.read(waiting, 2**20)  # what nobody took yet is for nobody
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


def _pass_on(session: pytest.Session, told: Passed | Warned | dict[str, Any]) -> None:
    hook = session.config.hook
    if isinstance(told, Warned):
        said = warnings.WarningMessage(UserWarning(told.text), UserWarning, *told.place)
        hook.pytest_warning_recorded.call_historic(
            kwargs={"warning_message": said, "nodeid": told.nodeid, "when": told.when, "location": None}
        )
        return
    if isinstance(told, Passed):
        report = pytest.TestReport(told.nodeid, told.location, {}, "passed", None, told.when, duration=told.duration)
    else:
        report = hook.pytest_report_from_serializable(config=session.config, data=told)
    hook.pytest_runtest_logreport(report=report)
    if report.when == "call":
        hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)


def _report_end(session: pytest.Session, worker: Worker, told: str) -> None:
    """Tell of a worker that did not come to its end as of a failure of what it ran."""
    item = session.items[worker.running[0]]
    report = pytest.TestReport(item.nodeid, item.location, {}, "failed", told, "call")
    session.config.hook.pytest_runtest_logreport(report=report)
    sys.stderr.write(f"\nA worker did not come to its end; the rest of {item.location[0]} was not run.\n{told}")
