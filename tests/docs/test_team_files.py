"""The files that docs/teams.md shows for Docker, systemd and PgBouncer, checked as far as no daemon is needed."""

from __future__ import annotations

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.surfaces.cli.parser import parse

PAGE = Path(__file__).parents[2] / "docs/teams.md"


def block(kind: str, holding: str) -> str:
    """The one block of this kind on the page that holds these words."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [found] = [text for text in blocks if holding in text]
    return str(found)


def test_the_compose_file_is_yaml_and_its_command_is_one_that_there_is() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load(block("yaml", "services:"))["services"]
    assert set(services) == {"db", "server"}
    program, *argv = shlex.split(services["server"]["command"])
    assert program == "holdfast"
    _, args = parse(argv)
    assert (args.command, args.database) == ("serve", "-")
    assert services["server"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert "healthcheck" in services["db"]
    lines = services["server"]["build"]["dockerfile_inline"].splitlines()
    assert [line.split()[0] for line in lines if line[:1].isupper()] == ["FROM", "RUN", "USER"]


def test_the_unit_of_systemd_names_a_command_that_there_is_and_is_one(tmp_path: Path) -> None:
    unit = block("ini", "[Service]")
    [line] = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, *argv = shlex.split(line)
    _, args = parse(argv)
    assert (args.command, args.database) == ("serve", "-")
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not here")
    file = tmp_path / "holdfast.service"
    file.write_text(unit.replace(program, sys.executable), encoding="utf-8")
    done = subprocess.run([verify, "verify", file], capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if "holdfast.service" in line]
    assert (done.returncode, told) == (0, []), done.stderr


def test_the_settings_of_the_pooler_lend_connections_for_one_transaction() -> None:
    settings = configparser.ConfigParser()
    settings.read_string(block("ini", "[pgbouncer]"))
    assert settings["pgbouncer"]["pool_mode"] == "transaction"
    assert "memory" in settings["databases"]
