"""Tenants in PostgreSQL beside a home in files: `python bench/teams.py [--tenants 100] [--notes 1000]`.

Starts a PostgreSQL with fsync on (as the tests do), fills tenants with generated notes, and asks one server of them:
the first search of cold tenants, searches and saves of warm ones beside a server of a home with the same notes (by
turns, so that a busy machine hurts both alike, and once the server has stored the snapshots of what it built), the
memory of a server with all tenants open, and clients at once. With
`--url URL --token TOKEN …` it is a load generator alone, against servers that run. It needs the
extras `server` and `postgres`.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from corpus import Corpus, generated

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

_SCRIPT = Path(sys.executable).with_name("holdfast")
_WARM = 30  # searches before any is measured


class Line:
    """A connection to a server, with one token."""

    def __init__(self, url: str, token: str) -> None:
        self._host, self._token = urlsplit(url).netloc, token
        self._line = http.client.HTTPConnection(self._host, timeout=120)

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Send a request and wait for its answer."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            self._line.request(method, path, data, headers)
            answer = self._line.getresponse()
        except (http.client.HTTPException, OSError):  # it was idle for so long that the server closed it
            self._line.close()
            self._line.request(method, path, data, headers)
            answer = self._line.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    def search(self, query: str) -> int:
        """One search; how many hits it had."""
        status, shown = self.ask("POST", "/api/v1/search", {"query": query})
        assert status == 200, shown
        return len(shown["results"])

    def save(self, text: str, file: str) -> None:
        """One save."""
        status, shown = self.ask("POST", "/api/v1/notes", {"content": text, "file": file})
        assert status in (200, 201), shown


class Server:
    """`holdfast serve` as a process."""

    def __init__(self, env: dict[str, str], *options: str) -> None:
        self._process = subprocess.Popen(
            [_SCRIPT, "serve", "--port", "0", "--json", *options], stdout=subprocess.PIPE, env=env
        )
        assert self._process.stdout is not None
        self.url = json.loads(self._process.stdout.readline())["url"]

    def cpu_ms(self) -> float:
        """Milliseconds of CPU that it has taken so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_mb(self) -> tuple[float, float]:
        """Megabytes that it has in memory: in all, and without mapped files, which others share."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        held = {line.split(":")[0]: line.split() for line in status.splitlines()}
        return int(held["VmRSS"][1]) / 1024, int(held["RssAnon"][1]) / 1024

    def close(self) -> None:
        """End it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)


def fill_tenant(admin: str, tenant: str, notes: Sequence[tuple[str, bytes]]) -> None:
    """Put notes with their first changes into the database, as `holdfast db import` would, without going through it."""
    import psycopg

    with psycopg.connect(admin) as connection, connection.cursor() as cursor:
        cursor.execute("INSERT INTO holdfast.home VALUES (%s, 'main', %s)", [tenant, len(notes)])
        hashed = [(path, data, hashlib.sha256(data).hexdigest()) for path, data in notes]
        with cursor.copy("COPY holdfast.object (tenant, hash, body) FROM STDIN") as copy:
            for digest, data in {digest: data for _, data, digest in hashed}.items():
                copy.write_row((tenant, digest, data))
        with cursor.copy("COPY holdfast.note (tenant, agent, path, hash, size, seq, changed) FROM STDIN") as copy:
            for seq, (path, data, digest) in enumerate(hashed, 1):
                copy.write_row((tenant, "main", path, digest, len(data), seq, "now"))
        with cursor.copy(
            "COPY holdfast.journal (tenant, agent, seq, id, path, after, origin, tool, at) FROM STDIN"
        ) as copy:
            for seq, (path, _, digest) in enumerate(hashed, 1):
                copy.write_row((tenant, "main", seq, f"c{seq:012x}", path, digest, "import", "bench", "now"))


def spread(name: str, seconds: Sequence[float]) -> None:
    """Print the middle and the slow end of what was measured."""
    if not seconds:
        print(f"{name:<52} none")
        return
    ordered = sorted(1000 * each for each in seconds)
    slow = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<52} p50 {statistics.median(ordered):8.2f} ms   p95 {slow:8.2f} ms   of {len(ordered)}")


def timed(work: Callable[..., object], *given: object) -> float:
    """How many seconds something takes."""
    began = time.perf_counter()
    work(*given)
    return time.perf_counter() - began


def first_searches(server: Server, lines: Sequence[Line], query: str, how: str) -> None:
    """The first search of every tenant; that of the first one is left out, since it also loads the model."""
    lines[0].search(query)
    before = server.cpu_ms()
    taken = [timed(line.search, query) for line in lines[1:]]
    spread(f"first search of a cold tenant, {how}", taken)
    print(f"{'':<52} CPU {(server.cpu_ms() - before) / max(1, len(taken)):.0f} ms each")


def wait_for_snapshots(admin: str, tenants: int) -> None:
    """Wait until a server has stored what it built, which it does by itself."""
    import psycopg

    with psycopg.connect(admin, autocommit=True) as connection:
        until = time.monotonic() + 900
        while time.monotonic() < until:
            row = connection.execute("SELECT count(*), sum(length(data)) FROM holdfast.snapshot").fetchone()
            if row is not None and row[0] >= tenants:
                print(f"{row[0]} snapshots, {row[1] / row[0] / 1e6:.2f} MB each")
                return
            time.sleep(1)
    print("not every tenant has a snapshot after a quarter of an hour")


class Way(NamedTuple):
    """Something to ask of a server, by the number of the round."""

    server: Server
    ask: Callable[[int], object]


def by_turns(ways: dict[str, Way], warm: int, rounds: int) -> None:
    """Print the times of each way and its server's CPU, taken one after the other, again and again."""
    for number in range(warm):
        for way in ways.values():
            way.ask(number)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    cpu = dict.fromkeys(ways, 0.0)
    for number in range(rounds):
        for name, way in ways.items():
            before = way.server.cpu_ms()
            taken[name].append(timed(way.ask, number))
            cpu[name] += way.server.cpu_ms() - before
    first = statistics.median(next(iter(taken.values())))
    for name, seconds in taken.items():
        spread(name, seconds)
        ratio = statistics.median(seconds) / first
        print(f"{'':<52} {ratio:.2f} times the first, CPU of the server {cpu[name] / rounds:.1f} ms")


def crowd(url: str, tokens: Sequence[str], queries: Sequence[str], clients: int, seconds: float) -> None:
    """Clients at once, nine searches to a save, each for a tenant of its own as far as there are tenants."""
    over = time.monotonic() + seconds
    searches: list[float] = []
    saves: list[float] = []

    def one(number: int) -> None:
        line = Line(url, tokens[number % len(tokens)])
        count = 0
        while time.monotonic() < over:
            count += 1
            if count % 10:
                searches.append(timed(line.search, queries[(number + count) % len(queries)]))
            else:
                text = f"Client {number} wrote line {count}"
                saves.append(timed(line.save, text, f"memory/crowd-{number}.md"))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rates = f"{len(searches) / seconds:.1f} searches/s, {len(saves) / seconds:.1f} saves/s"
    print(f"{clients} clients, {seconds:.0f} s: {rates}")
    spread("  a search among them", searches)
    spread("  a save among them", saves)


@contextmanager
def database(place: Path) -> Iterator[tuple[str, str]]:
    """A PostgreSQL that is as careful as a real one: the address of a server's login and of who administers."""
    from engines.postgres_server import LOGIN, TEMPLATE, PostgresServer, make_template

    careful = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "autovacuum": "on"}
    server = PostgresServer(place / "postgres", **careful)
    server.initialise()
    server.start()
    try:
        make_template(server)
        yield server.address(TEMPLATE, LOGIN), server.address(TEMPLATE)
    finally:
        server.stop()


def short_note(data: bytes) -> bytes:
    """The title and the first paragraph of a generated note, which are one chunk; a whole one has fifteen."""
    title, _, first, *_ = data.split(b"\n\n")
    return b"%s\n\n%s\n" % (title, first)


def measure(
    corpus: Corpus, place: Path, tenants: int, rounds: int, clients: int, seconds: float, *, whole: bool = False
) -> None:
    """Everything, on one machine."""
    from holdfast.postgres.access_tokens import Role, make_token
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.postgres.tenants import create_tenant
    from holdfast.surfaces.http.token import token_of

    notes = [
        (path.relative_to(corpus.root).as_posix(), path.read_bytes()) for path in sorted(corpus.root.rglob("*.md"))
    ]
    if not whole:
        notes = [(path, short_note(data)) for path, data in notes]
    queries = [query.text for query in corpus.queries]
    env = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    home = place / "home"
    home.mkdir()
    with ExitStack() as stack:
        dsn, admin = stack.enter_context(database(place))
        tokens = []
        with PostgresPool.open(admin) as pool:
            began = time.perf_counter()
            for number in range(tenants):
                create_tenant(pool, f"t{number}")
                tokens.append(make_token(pool, f"t{number}", Role.OWNER))
                fill_tenant(admin, f"t{number}", notes)
        print(f"{tenants} tenants with {len(notes)} notes each, filled in {time.perf_counter() - began:.1f} s")
        team = Server(
            {**env, "HOLDFAST_HOME": str(place / "team")},
            *("--database", dsn, "--cache", str(place / "cache"), "--tenants", str(tenants)),
        )
        stack.callback(team.close)
        for path, data in notes:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_bytes(data)
        subprocess.run(
            [_SCRIPT, "index"], env={**env, "HOLDFAST_HOME": str(home)}, check=True, stdout=subprocess.DEVNULL
        )
        alone = Server({**env, "HOLDFAST_HOME": str(home)})
        stack.callback(alone.close)
        own = token_of(str(home))
        assert own is not None
        lines = [Line(team.url, token) for token in tokens]

        first_searches(team, lines, queries[0], "from its notes")
        print("chunks of one tenant: {}".format(lines[0].ask("GET", "/api/v1/status")[1].get("chunks")))
        print("RSS with {} tenants open: {:.0f} MB, {:.0f} MB of it its own".format(tenants, *team.rss_mb()))

        wait_for_snapshots(admin, tenants)
        print("RSS once all tenants rest: {:.0f} MB, {:.0f} MB of it its own".format(*team.rss_mb()))
        file = Line(alone.url, own)
        text, note = "Line {} of the bench", "memory/bench.md"
        asked = {
            "search, home in files": Way(alone, lambda n: file.search(queries[n % len(queries)])),
            "search, one tenant of PostgreSQL": Way(team, lambda n: lines[0].search(queries[n % len(queries)])),
        }
        by_turns(asked, _WARM, rounds)
        in_turn = Way(team, lambda n: lines[n % len(lines)].search(queries[n % len(queries)]))
        by_turns({"search, tenants in turn": in_turn}, _WARM, rounds)
        written = {
            "save, home in files (fsync)": Way(alone, lambda n: file.save(text.format(n), note)),
            "save, one tenant of PostgreSQL (fsync)": Way(team, lambda n: lines[0].save(text.format(n), note)),
        }
        by_turns(written, 5, rounds)
        fresh = Server(
            {**env, "HOLDFAST_HOME": str(place / "fresh")},
            *("--database", dsn, "--cache", str(place / "fresh-cache"), "--tenants", str(tenants)),
        )
        stack.callback(fresh.close)
        first_searches(fresh, [Line(fresh.url, token) for token in tokens], queries[0], "from its snapshot")
        crowd(team.url, tokens, queries, clients, seconds)
        print("RSS at the end: {:.0f} MB, {:.0f} MB of it its own".format(*team.rss_mb()))


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenants", type=int, default=100)
    parser.add_argument("--notes", type=int, default=1000, help="of each tenant")
    parser.add_argument("--whole", action="store_true", help="notes of fifteen chunks, as in bench/scale.py")
    parser.add_argument("--rounds", type=int, default=200, help="searches and saves of each way")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long clients ask at once")
    parser.add_argument("--url", help="of a server that runs: clients at once, and nothing else")
    parser.add_argument("--token", action="append", default=[], help="of a tenant there; may be given again")
    args = parser.parse_args()
    corpus = generated(args.notes)
    if args.url:
        crowd(args.url, args.token, [query.text for query in corpus.queries], args.clients, args.seconds)
        return 0
    # Not in memory: what fsync costs is part of what is measured. Others must be able to reach it, as PostgreSQL runs
    # as another user where we are root.
    with tempfile.TemporaryDirectory(prefix="holdfast-teams-", dir=os.environ.get("HOLDFAST_BENCH_DIR")) as place:
        os.chmod(place, 0o711)
        measure(corpus, Path(place), args.tenants, args.rounds, args.clients, args.seconds, whole=args.whole)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
