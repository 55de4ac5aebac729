"""`holdfast ui`: it finds the server that runs, or starts one, and opens the browser."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from commandline import SCRIPT, done, process
from fork_server import start
from surfaces.http.serving import Served, environment, served


def browser(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """A program that stands in for a browser, and where it writes the address that it is given."""
    seen, script = tmp_path / "seen", tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    script.chmod(0o755)
    return {"BROWSER": f"{script} %s"}, seen


def test_it_finds_the_server_and_prints_a_link_that_lets_in(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home, "--no-watch") as web:
        told = done("ui", "--no-open", "--home", str(home), "--json").json
        assert (told["url"], told["opened"], told["started"]) == (web.url, False, False)
        assert web.enter(told["link"]).status == 200
        said = done("ui", "--no-open", "--home", str(home)).out
        assert f"{web.url}/enter#" in said and web.token not in said


def test_it_opens_the_browser_with_the_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    more, seen = browser(tmp_path)
    with served(home, "--no-watch") as web:
        ran = process("ui", env={"HOLDFAST_HOME": str(home), **more})
        assert ran.returncode == 0 and ran.stdout.decode().startswith(f"Opened {web.url}."), ran.stderr
        assert web.enter(seen.read_text().strip()).status == 200


def test_without_a_server_it_starts_one_and_ends_with_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    more, seen = browser(tmp_path)
    server = start(SCRIPT, "ui", "--port", "0", "--json", env=environment(home, **more))
    assert server.stdout is not None
    try:
        told = json.loads(server.stdout.readline())
        assert (told["opened"], told["started"]) == (True, True)
        web = Served(server, home, told)
        assert web.enter(seen.read_text().strip()).status == 200
        assert web.page().call("GET", "/whoami").json["origin"] == "user"
    finally:
        os.kill(server.pid, signal.SIGTERM)
        _, err = server.communicate(timeout=30)
    assert (server.wait(), err) == (0, b"")


def test_all_browsers_can_be_sent_away_while_the_server_runs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home, "--no-watch") as web:
        page = web.page()
        assert page.call("GET", "/whoami").status == 200
        assert done("ui", "--revoke-all", "--home", str(home), "--json").json == {"revoked": 1}
        assert page.call("GET", "/whoami").status == 401
        assert "0 browsers" in done("ui", "--revoke-all", "--home", str(home)).out
