"""docs/http.md: its examples run against a real server, and its table has every route."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from surfaces.http.serving import Served, environment

from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.statuses import STATUSES

PAGE = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_in_python_run(web: Served) -> None:
    (block,) = blocks("python")
    env = environment(web.home, URL=web.url, TOKEN=web.token)
    ran = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, timeout=60, env=env)
    assert ran.returncode == 0, ran.stderr.decode()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_examples_with_curl_run(web: Served) -> None:
    (block,) = blocks("sh")
    env = environment(web.home, URL=web.url, TOKEN=web.token)
    ran = subprocess.run(["sh", "-e", "-c", block], capture_output=True, timeout=60, env=env)
    told = ran.stdout.decode()
    assert ran.returncode == 0 and '"error"' not in told, told
    assert '"saved":true' in told and '"restored":true' in told
    assert '"saved":false' in told and '"waits":true' in told and '"client":' in told, "and the inbox is shown"


def test_the_table_has_every_route_and_no_other() -> None:
    shown = re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", PAGE, re.MULTILINE)
    assert shown == [f"{route.method} {route.path.replace('+}', '}')}" for route in ROUTES]


def test_the_page_names_every_status_of_an_error() -> None:
    named = set(map(int, re.findall(r"\b[2-5]\d\d\b", PAGE.partition("## Notes and preconditions")[0])))
    assert {status for _, status in STATUSES} - {500} <= named
