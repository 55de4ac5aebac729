"""docs/tutorials/team.md, step by step as it stands there, on a real database and a real server."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import fork_server
from commandline import SCRIPT
from engines.postgres_server import Databases
from surfaces.http.serving import served

PAGE = (Path(__file__).parents[2] / "docs/tutorials/team.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_a_tenant_is_made_served_written_to_and_taken_out_as_files(databases: Databases, tmp_path: Path) -> None:
    environment = {**os.environ, "HOLDFAST_DATABASE": databases.admin}

    def typed(line: str) -> str:
        command = [*fork_server.command(SCRIPT), *shlex.split(line)[1:], "--json"]
        ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"{line}: {ran.stderr}"
        return ran.stdout

    first, last = blocks("console")
    said = [typed(line) for line in first.splitlines()]
    token = json.loads(said[2])["token"]
    options = ("--database", databases.dsn, "--cache", str(tmp_path / "cache"))
    with served(tmp_path / "home", *options) as web:
        [program] = blocks("python")
        ran = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**environment, "SERVER": web.url, "TOKEN": token},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert "memory/staging.md" in ran.stdout and "Monday" in ran.stdout
    for line in last.splitlines():
        typed(line)
    assert "Monday" in (tmp_path / "notes/memory/staging.md").read_text(encoding="utf-8")
    assert "Monday" in typed("holdfast --home home-of-acme search staging")
