"""QMD 2.8.3 as a system under comparison: `python bench/qmd.py install` puts it into the cache directory.

Its home, configuration and index are moved there by environment variables, so nothing outside is touched.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from corpus import bench_dir
from measure import Answer, Asker, CommandError, Cost, clean, run

__all__ = ["PACKAGES", "Qmd", "Server", "install", "missing"]

PACKAGES = ("@tobilu/qmd@2.8.3", "node@24")
_LIMIT = 6


def _modules() -> Path:
    return bench_dir() / "qmd" / "node_modules"


def _node() -> str:
    return str(_modules() / "node" / "bin" / "node")


def _entry() -> str:
    """The command as npm installs it."""
    return str(_modules() / "@tobilu" / "qmd" / "bin" / "qmd")


def install() -> None:
    """Install QMD and a Node runtime with npm, about 1 GB."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not here: install Node.js with npm first")
    place = bench_dir() / "qmd"
    place.mkdir(exist_ok=True)
    (place / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    done = subprocess.run([npm, "install", "--no-audit", "--no-fund", *PACKAGES], cwd=place, check=False)
    sys.exit(done.returncode)


def missing() -> str | None:
    """Why QMD can't be measured here, or None when it can."""
    if not Path(_node()).exists() or not Path(_entry()).exists():
        return "not installed; `python bench/qmd.py install` puts it into the cache directory (about 1 GB)"
    try:
        run([_node(), _entry(), "--version"])
    except CommandError as reason:
        return str(reason)
    return None


class Qmd:
    """Keyword search, unless a model is given: its own are not reachable offline."""

    name = "qmd"

    def __init__(self, home: Path, state: Path, model: str = "") -> None:
        self._notes, self._state, self._model = home / "memory", state / "qmd", model

    def _environment(self) -> dict[str, str]:
        own = str(self._state)
        moved = {"HOME": own, "XDG_CACHE_HOME": f"{own}/cache", "XDG_CONFIG_HOME": f"{own}/config"}
        given = {"QMD_EMBED_MODEL": self._model} if self._model else {}
        return moved | given | {"QMD_CONFIG_DIR": f"{own}/config/qmd", "NO_COLOR": "1"}

    def index(self, *, fresh: bool) -> Cost:
        """`qmd collection add`, which also indexes, or `qmd update`."""
        if fresh:
            shutil.rmtree(self._state, ignore_errors=True)
            self._state.mkdir(parents=True)
            add = [_node(), _entry(), "collection", "add", str(self._notes), "--name", "notes"]
            return run(add, self._environment())
        return run([_node(), _entry(), "update"], self._environment())

    def embed(self) -> Cost:
        """`qmd embed`: vectors for what is indexed, from the model that was given."""
        return run([_node(), _entry(), "embed"], self._environment())

    def cold(self, query: str) -> Cost:
        """`qmd search` in a new process."""
        return run([_node(), _entry(), "search", query, "--json", "-n", str(_LIMIT)], self._environment())

    def size(self) -> int:
        """Bytes of the database and its sidecars."""
        return sum(path.stat().st_size for path in (self._state / "cache" / "qmd").glob("index.sqlite*"))

    def warm(self) -> Asker:
        """Its HTTP server on a free loopback port."""
        return self.serve()

    def serve(self) -> Server:
        """The same, for one who wants more than paths."""
        return Server(self._environment())


class Server:
    """`qmd mcp --http`, asked over one connection that stays open."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # Started without QMD's own launcher, which is a second process, so that the process to stop is the server.
        entry = str(_modules() / "@tobilu" / "qmd" / "dist" / "cli" / "qmd.js")
        quiet = {"LLAMA_LOG_LEVEL": "error", "GGML_LOG_LEVEL": "error", "GGML_BACKEND_SILENT": "1"}
        command = [_node(), entry, "mcp", "--http", "--port", str(port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            command, env=clean({**environment, **quiet}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(200):
            try:
                self._connection.request("GET", "/health")
                self._connection.getresponse().read()
                return
            except OSError:
                self._connection.close()
                time.sleep(0.1)
        self.close()
        raise CommandError("qmd mcp --http did not answer")

    def ask(self, query: str) -> Answer:
        """The files of one keyword search."""
        found, wall = self.results(query, _LIMIT)
        return Answer(tuple(unquote(hit["file"]) for hit in found), wall, None)

    def results(self, query: str, limit: int, kinds: tuple[str, ...] = ("lex",)) -> tuple[list[dict[str, Any]], float]:
        """One search as it answers, by keywords unless told, and its seconds; `rerank` off, because that is a model."""
        searches = [{"type": kind, "query": query} for kind in kinds]
        body = json.dumps({"searches": searches, "limit": limit, "rerank": False})
        started = time.perf_counter()
        self._connection.request("POST", "/query", body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        text = response.read()
        wall = time.perf_counter() - started
        if response.status != 200:
            raise CommandError(f"QMD answered {response.status}: {text[:300]!r}")
        found: list[dict[str, Any]] = json.loads(text)["results"]
        return found, wall

    def usage(self) -> tuple[float | None, int | None]:
        """From /proc, where there is one; the CPU clock ticks in hundredths of a second."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return None, None
        ticks = os.sysconf("SC_CLK_TCK")
        return (int(stat[11]) + int(stat[12])) / ticks, int(status.split("VmHWM:")[1].split()[0]) * 1024

    def close(self) -> None:
        """Stop the server."""
        self._connection.close()
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=10)
        self.process.kill()
        self.process.wait()


if __name__ == "__main__":
    if sys.argv[1:] != ["install"]:
        sys.exit(__doc__)
    install()
