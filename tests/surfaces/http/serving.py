"""`holdfast serve` as a real process, and plain HTTP to it with every header in the test's hands."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from commandline import SCRIPT
from fork_server import Process, start

JSON = {"Content-Type": "application/json"}


class Answer(NamedTuple):
    """One response."""

    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """Its body."""
        return json.loads(self.data)

    @property
    def error(self) -> str:
        """The type of the error in it."""
        return str(self.json["error"]["type"])


class Served:
    """A server that runs."""

    def __init__(self, process: Process, home: Path, told: Mapping[str, str]) -> None:
        self.process, self.home = process, home
        self.url, self.link = told["url"], told.get("link", "")
        self.host, self.port = "127.0.0.1", int(urlsplit(self.url).port or 0)
        token = home / "state" / "token"
        self.token = token.read_text().strip() if token.exists() else ""
        self._told_to_end = False

    def line(self) -> http.client.HTTPConnection:
        """A connection of its own."""
        return http.client.HTTPConnection(self.host, self.port, timeout=30)

    def send(
        self, method: str, path: str, data: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """A request with exactly these headers, beside Host and the length."""
        line = self.line()
        try:
            line.request(method, path, data, dict(headers or {}))
            answer = line.getresponse()
            held = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, held, answer.read())
        finally:
            line.close()

    def by(self, token: str) -> Served:
        """The same server for who has another token."""
        other = copy(self)
        other.token = token
        return other

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """A request of a client that has the token."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", **(JSON if data is not None else {}), **(headers or {})}
        return self.send(method, path, data, sent)

    def enter(self, link: str) -> Answer:
        """What the page behind a link does: it burns the code."""
        code = link.partition("#")[2]
        ours = {"Origin": self.url, "Sec-Fetch-Site": "same-origin", **JSON}
        return self.send("POST", "/enter", json.dumps({"code": code}).encode(), ours)

    def page(self) -> Page:
        """A browser of the owner's that has just come in."""
        return Page(self, self.enter(self.call("POST", "/api/v1/entry").json["url"]))

    def end(self) -> None:
        """Tell it to end as a system does, once: a second signal ends it at once, with the signal as its status."""
        if not self._told_to_end and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._told_to_end = True

    def stop(self) -> tuple[int, str]:
        """End it; its status and what it said on stderr."""
        self.end()
        _, err = self.process.communicate(timeout=30)
        return self.process.wait(), err.decode()


class Page:
    """A page of the app in a browser that was let in: it sends cookie and page key."""

    def __init__(self, web: Served, entered: Answer) -> None:
        assert entered.status == 200, entered.data
        self._web = web
        self.cookie = entered.headers["set-cookie"].partition(";")[0]
        self.key = str(entered.json["page"])

    @property
    def headers(self) -> dict[str, str]:
        """What a browser sends with a call of the page."""
        return {"Cookie": self.cookie, "X-Holdfast-Page": self.key, "Sec-Fetch-Site": "same-origin"}

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """A call of the page; the paths of the API without their beginning."""
        data = None if body is None else json.dumps(body).encode()
        where = path if path == "/leave" else f"/api/v1{path}"
        sent = {**self.headers, **(JSON if data is not None else {}), **(headers or {})}
        return self._web.send(method, where, data, sent)


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a server of a test sees of the machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    return {**kept, "HOLDFAST_HOME": str(home), "HOME": str(home.parent), "OLLAMA_HOST": "127.0.0.1:9", **more}


def begun(home: Path, *options: str, program: str = SCRIPT, python: str = "", **more: str) -> Served:
    """A server, once it says that it is ready; `python` starts it by itself, and no warm process forks it."""
    return ready(started(home, *options, program=program, python=python, **more), home)


def started(home: Path, *options: str, program: str = SCRIPT, python: str = "", **more: str) -> Process:
    """The process of a server that is not waited for."""
    argv = ["serve", "--port", "0", "--json", *options]
    env = environment(home, **more)
    if python:
        whole = [python, "-c", program, *argv]
        return subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    return start(program, *argv, env=env)


def ready(process: Process, home: Path) -> Served:
    """The server of a process, once it says that it is ready."""
    assert process.stdout is not None
    first = process.stdout.readline()
    if not first:
        _, err = process.communicate(timeout=10)
        raise AssertionError(err.decode())
    return Served(process, home, json.loads(first))


@contextmanager
def served(home: Path, *options: str, program: str = SCRIPT, python: str = "", **more: str) -> Iterator[Served]:
    """A server for a block; it must end well."""
    running = begun(home, *options, program=program, python=python, **more)
    try:
        yield running
    finally:
        ended = ending(running)
    assert ended == (0, False, ""), ended


def ending(running: Served) -> tuple[int, bool, str]:
    """End a server, and say how it ended: its status, whether it broke, and what it said then."""
    status, err = running.stop()
    assert running.process.stdout is not None
    running.process.stdout.close()
    broke = "Traceback" in err
    return status, broke, err if broke or status else ""
