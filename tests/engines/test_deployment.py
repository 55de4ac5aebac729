"""The commands of docs/teams.md for Docker and systemd, run by hand as they stand there: with passwords, not as root.

What is changed is where: directories, the database's host, and the port. `HOLDFAST_PROGRAMS` names a directory with the
`holdfast` of an installed wheel; without it, this environment's is run.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from docs.test_team_files import PAGE, block
from engines.conftest import NONE_HERE
from engines.postgres_server import PostgresServer, as_nobody, bare_server, programs, root

ADMIN, SERVER = "a-password", "another-password"
TOKEN = "the-token-that-prometheus-sends"


class Machine:
    """Where the commands are run: a database with passwords, and a user who is nobody."""

    def __init__(self, postgres: PostgresServer, place: Path) -> None:
        self.postgres, self.place = postgres, place
        self.bin = Path(os.environ.get("HOLDFAST_PROGRAMS", Path(sys.executable).parent))
        command = [str(self.bin / "holdfast"), "--version"]
        self.user = as_nobody()
        try:
            subprocess.run(command, check=True, capture_output=True, **self.user)
        except (OSError, subprocess.CalledProcessError):
            self.user = {}  # an environment below root's own directory: whoever runs the tests runs this
        place.chmod(0o777)

    def address(self, login: str, password: str) -> str:
        return f"postgresql://{login}:{password}@127.0.0.1:{self.postgres.port}/memory"

    def env(self, database: str) -> dict[str, str]:
        path = f"{self.bin}:{self.postgres.bin}:{os.environ['PATH']}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "PG"))}
        return {**kept, "PATH": path, "HOME": str(self.place), "HOLDFAST_DATABASE": database, "HOLDFAST_TOKEN": TOKEN}

    def run(self, command: str | list[str], database: str = "") -> str:
        """Run a command of the page, and return what it says."""
        argv = shlex.split(command, comments=True) if isinstance(command, str) else command
        done = subprocess.run(
            argv, capture_output=True, text=True, check=False, env=self.env(database), cwd=self.place, **self._who()
        )
        assert done.returncode == 0, (argv, done.stderr)
        return str(done.stdout)

    def _who(self) -> dict[str, Any]:
        return {name: value for name, value in self.user.items() if name != "cwd"}

    @contextmanager
    def serving(self, command: str, port: int) -> Iterator[str]:
        """Run a command that serves, until the end of the block."""
        argv = [*shlex.split(command), "--port", str(port), "--json"]
        process = subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.place,
            env=self.env(self.address("holdfast_server", SERVER)), **self._who(),
        )  # fmt: skip
        assert process.stdout is not None
        try:
            told = process.stdout.readline()
            assert told, process.communicate(timeout=10)[1]
            yield str(json.loads(told)["url"])
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
            assert process.returncode == 0


@pytest.fixture
def machine() -> Iterator[Machine]:
    if programs() is None:
        pytest.skip(NONE_HERE)
    with bare_server() as postgres:
        with psycopg.connect(postgres.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE admin LOGIN SUPERUSER PASSWORD '{ADMIN}'")
            connection.execute("CREATE DATABASE memory OWNER admin")
            hba = "host all all 127.0.0.1/32 scram-sha-256\n"  # who has no password is let in no more
            (postgres.data / "pg_hba.conf").write_text(hba, encoding="ascii")
            connection.execute("SELECT pg_reload_conf()")
        with tempfile.TemporaryDirectory(prefix="holdfast-machine-", dir=root()) as place:  # who is nobody gets there
            yield Machine(postgres, Path(place))


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def asked(url: str, path: str, token: str = "") -> bytes:
    request = urllib.request.Request(f"{url}{path}", headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())


def test_each_command_of_the_page_does_what_it_says(machine: Machine) -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load(block("yaml", "services:"))["services"]
    admin = machine.address("admin", ADMIN)
    page = PAGE.read_text(encoding="utf-8")

    # As compose waits for the database, and as the page has its tables and the login made.
    ready = services["db"]["healthcheck"]["test"]
    assert ready[0] == "CMD"
    # Compose asks again; here one look may take longer than the three seconds that it has on a busy machine.
    machine.run([*ready[1:], "-t", "60", "-h", "127.0.0.1", "-p", str(machine.postgres.port)])
    [migrate] = re.findall(r"`docker compose run --rm -e \S+ server (holdfast\s+db migrate)`", page)
    assert "holdfast_server" not in machine.run(migrate, admin)
    [role] = set(re.findall(r"`(CREATE ROLE holdfast_server LOGIN PASSWORD '…' IN ROLE holdfast_app)`", page))
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(role.replace("…", SERVER).encode())

    # The commands of the first block, in their order.
    commands = [line for line in block("sh", "db migrate").splitlines() if line.startswith("holdfast db")]
    assert len(commands) == 3
    said = [machine.run(command, admin) for command in commands]
    token = next(word for word in said[-1].split() if word.startswith("holdfast_acme_"))

    # The server of the compose file with its check, and that of systemd's unit, beside each other.
    inside = services["server"]["command"].replace("/var/cache/holdfast", str(machine.place / "docker"))
    [unit] = re.findall(r"^ExecStart=(.*)$", block("ini", "[Service]"), re.MULTILINE)
    plain = unit.replace("/var/cache/holdfast", str(machine.place / "systemd")).replace("/opt/holdfast/bin/", "")
    ports = free_port(), free_port()
    with machine.serving(inside, ports[0]) as one, machine.serving(plain, ports[1]) as two:
        health = services["server"]["healthcheck"]["test"]
        assert health[0] == "CMD"
        machine.run([part.replace("7437", str(ports[0])) for part in health[1:]])
        here = f"http://127.0.0.1:{ports[0]}"
        assert one
        for url in (here, two):
            assert json.loads(asked(url, "/ready")) == {"ready": True}
            assert json.loads(asked(url, "/api/v1/whoami", token))["tenant"] == "acme"
            assert b"holdfast_database_up 1" in asked(url, "/metrics", TOKEN)
        assert (machine.place / "docker/acme").is_dir()
        assert (machine.place / "systemd/acme").is_dir()

    # A file of everything, as the page has it made and put back.
    [dump] = re.findall(r"`(pg_dump [^`]*) URL > holdfast.sql`", page)
    saved = machine.run([*shlex.split(dump), admin])
    assert "CREATE TABLE holdfast.note" in saved
    assert "acme" in saved
