"""T23, mixed load for long: `python bench/soak.py [--minutes 120] [--pause .25] [--tally docs/faults.json]`.

A server with its watcher, two MCP servers, the command line and an editor work on one home at once. Afterwards every
line that was acknowledged is there once, what the editor wrote is as it wrote it, and `holdfast doctor` finds nothing;
meanwhile memory, descriptors and the logs of the databases are looked at every few seconds and must not grow. Old notes
are looked through and deleted, so that the home stays as large as it is: what grows then grows with time. Memory
is judged by the second half, since a process warms up: threads come to their share of the heap, and each job to its
largest moment. Caches of words, of texts and of vectors, each of them bounded, fill with what is new, so the growth is
told for a thousand saves as well: a soak with longer pauses grows less a minute.
Needs the extra `server`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from tally import TallyFile

from holdfast import Memory

_SCRIPT = str(Path(sys.executable).with_name("holdfast"))
_NAME, _ROW = "bench/soak.py", "T23"
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
_LOOK = 5.0  # seconds between two looks
_LINES, _NOTES = 25, 2  # lines of a note, before the next one is begun; notes that a worker keeps
_SHARED = 10  # every so many lines one goes to the note of all
_MOST_SLOPE, _MOST_LOG = 1.0, 64.0  # MB a minute, MB
_SPARE_FILES = 4  # descriptors that may come and go

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


class Look(NamedTuple):
    """What a process holds at a moment, after so many saves of all."""

    seconds: float
    megabytes: float
    own: float  # of these megabytes, what is not a file's
    files: int
    saves: int


class Worker(threading.Thread):
    """Works until it is told to end; keeps what was acknowledged, and what went wrong."""

    def __init__(self, name: str, ask: Ask, home: Path, end: threading.Event, pause: float) -> None:
        super().__init__(name=name, daemon=True)
        self._ask, self._home, self._end, self._pause = ask, home, end, pause
        self.kept: dict[str, list[str]] = {}
        self.saves = self.lost = self.doubled = 0
        self.searches = 0
        self.failed: list[str] = []

    def run(self) -> None:
        """Save, search, and delete what is old, in turn."""
        number = 0
        while not self._end.wait(self._pause):
            number += 1
            line = f"- {self.name} wrote line {number} of the soak."
            file = f"memory/{self.name}-{number // _LINES}.md" if number % _SHARED else "memory/shared.md"
            try:
                saved = self._ask("memory_save", {"content": line, "file": file})
                if "saved" not in saved:
                    raise ValueError(str(saved)[:300])
                self.saves += 1
                self.kept.setdefault(file, []).append(line)
                found = self._ask("memory_search", {"query": f"{self.name} line {number}", "limit": 3})
                if "results" not in found:
                    raise ValueError(str(found)[:300])
                self.searches += 1
                own = [name for name in self.kept if name != "memory/shared.md"]
                if len(own) > _NOTES:
                    self._remove(own[0])
            except Exception as error:  # noqa: BLE001 - whatever it is, the table tells of it
                self.failed.append(repr(error)[:300])

    def _remove(self, file: str) -> None:
        self.look_through(file)
        gone = self._ask("memory_delete", {"file": file, "delete_file": True})
        if "error" in gone or "failed" in gone:
            raise ValueError(str(gone)[:300])

    def look_through(self, file: str) -> None:
        """Count what is missing in a note, or there twice."""
        there = Counter((self._home / file).read_text(encoding="utf-8").splitlines())
        lines = self.kept.pop(file)
        self.lost += sum(not there[line] for line in lines)
        self.doubled += sum(there[line] > 1 for line in lines)


class McpClient:
    """`holdfast mcp`, spoken to in plain JSON-RPC."""

    def __init__(self, env: dict[str, str]) -> None:
        argv = [_SCRIPT, "mcp", "--structured", "--tools", "all"]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self._number = 0
        self._request("initialize", _HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool."""
        result = self._request("tools/call", {"name": name, "arguments": arguments})
        found = result.get("structuredContent")
        return found if isinstance(found, dict) else result

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            heard = json.loads(self.process.stdout.readline())
            if heard.get("id") == self._number:
                return dict(heard.get("result") or heard)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End it by its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


class Server:
    """`holdfast serve`, with its watcher."""

    def __init__(self, home: Path, env: dict[str, str]) -> None:
        argv = [_SCRIPT, "serve", "--port", "0", "--json"]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        assert self.process.stdout is not None
        address = urlsplit(json.loads(self.process.stdout.readline())["url"])
        token = (home / "state/token").read_text(encoding="utf-8").strip()
        self._line = http.client.HTTPConnection(str(address.hostname), address.port, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool over HTTP."""
        body = json.dumps({"arguments": arguments})
        self._line.request("POST", f"/api/v1/tools/{name}", body, self._headers)
        return dict(json.loads(self._line.getresponse().read()))

    def close(self) -> None:
        """End it as a system does."""
        self._line.close()
        self.process.terminate()
        self.process.wait(60)


def by_command_line(env: dict[str, str]) -> Ask:
    """Give a way to ask by commands, each a process of its own."""

    def ask(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "memory_save":
            argv = ["save", arguments["content"], "--file", arguments["file"], "--json"]
        elif name == "memory_delete":
            argv = ["delete", "--file-itself", "--json", "--", arguments["file"]]
        else:
            argv = ["search", arguments["query"], "--json"]
        ran = subprocess.run([_SCRIPT, *argv], env=env, capture_output=True, check=False, timeout=300)
        if ran.returncode:
            return {"failed": ran.stderr.decode()}
        return {**json.loads(ran.stdout), "saved": True}

    return ask


class Editor(threading.Thread):
    """Writes notes of its own as editors do: in place, and by a file that takes the other's place."""

    def __init__(self, home: Path, end: threading.Event, pause: float) -> None:
        super().__init__(name="editor", daemon=True)
        self._folder, self._end, self._pause = home / "memory", end, pause
        self.edits = 0

    def run(self) -> None:
        """Edit until it is told to end."""
        while not self._end.wait(self._pause * 2):
            text = self.text(self.edits + 1)
            (self._folder / "typed.md").write_text(text, encoding="utf-8")
            beside = self._folder / ".renamed.swp"
            beside.write_text(text, encoding="utf-8")
            beside.rename(self._folder / "renamed.md")
            self.edits += 1

    @staticmethod
    def text(number: int) -> str:
        """Return what the notes hold after so many edits."""
        return f"# Typed\n\nThe wryneck of edit{number} calls.\n"


def look_at(pid: int, began: float, saves: int) -> Look:
    """Return what a process holds now."""
    held = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines())
    whole, own = (int(held[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))
    return Look(time.monotonic() - began, whole, own, len(os.listdir(f"/proc/{pid}/fd")), saves)


def slope(looks: list[Look], steps: list[float]) -> float:
    """Return by how many MB a process grows in a step: the slope of the line nearest to all looks."""
    if len(set(steps)) < 3:
        return 0.0
    return statistics.linear_regression(steps, [look.megabytes for look in looks]).slope


def soak(minutes: float, pause: float, home: Path, tell: IO[str] | None) -> dict[str, Any]:
    """Work for so long, with a pause between two works of each; return what was done and found; tell of each look."""
    env = {**os.environ, "HOLDFAST_HOME": str(home)}
    end = threading.Event()
    with ExitStack() as held:
        server = Server(home, env)
        held.callback(server.close)
        clients = [McpClient(env) for _ in range(2)]
        for client in clients:
            held.callback(client.close)
        workers = [Worker("web", server.ask, home, end, pause)]
        workers += [Worker("shell", by_command_line(env), home, end, pause)]
        workers += [Worker(f"mcp{number}", client.ask, home, end, pause) for number, client in enumerate(clients)]
        editor = Editor(home, end, pause)
        watched = {"serve": server.process.pid, **{f"mcp {n}": one.process.pid for n, one in enumerate(clients)}}
        looks: dict[str, list[Look]] = {name: [] for name in watched}
        largest, began = 0.0, time.monotonic()
        workers[0].start()
        time.sleep(_LOOK)  # the first save makes the folder that the editor writes to
        for thread in (*workers[1:], editor):
            thread.start()
        while time.monotonic() - began < minutes * 60:
            time.sleep(_LOOK)
            for name, pid in watched.items():
                looks[name].append(look_at(pid, began, sum(worker.saves for worker in workers)))
                if tell:
                    print(json.dumps({"name": name, **looks[name][-1]._asdict()}), file=tell, flush=True)
            logs = [path.stat().st_size for path in (home / "state").glob("*-wal")]
            largest = max(largest, sum(logs) / 2**20)
        end.set()
        for thread in (*workers, editor):
            thread.join(300)
    return {"workers": workers, "editor": editor, "looks": looks, "log": largest}


def judge(done: dict[str, Any], home: Path, minutes: float) -> dict[str, Any]:
    """Return the entry of the table: what was done, lost, doubled, and what grew."""
    workers, editor = done["workers"], done["editor"]
    for worker in workers:
        for file in list(worker.kept):
            worker.look_through(file)
    lost, doubled = (sum(getattr(worker, name) for worker in workers) for name in ("lost", "doubled"))
    for name in ("typed.md", "renamed.md"):
        lost += (home / "memory" / name).read_text(encoding="utf-8") != editor.text(editor.edits)
    with Memory.open(home) as memory:
        found = memory.search(f"wryneck edit{editor.edits}", max_results=3).results
        wrong = len(memory.status(deep=True).problems or ()) + (not found or found[0].text_score is None)
    grown, notes = int(done["log"] > _MOST_LOG), [f"logs of the databases at most {done['log']:.1f} MB"]
    for name, looks in done["looks"].items():
        half = len(looks) // 2
        warming, warm = looks[:half], looks[half:]
        more = max(look.files for look in warm) - max(look.files for look in warming)
        climbs = slope(warm, [look.seconds / 60 for look in warm])
        by_saves = slope(warm, [look.saves / 1000 for look in warm])
        grown += climbs > _MOST_SLOPE or more > _SPARE_FILES
        notes.append(
            f"{name}: {warming[0].megabytes:.0f} to {warm[0].megabytes:.0f} MB in the first half, to "
            f"{warm[-1].megabytes:.0f} in the second ({climbs:+.2f} MB a minute, {by_saves:+.1f} a thousand saves), "
            f"at most {max(look.files for look in warm)} descriptors"
        )
    counts = {
        "minutes": int(minutes),
        "saves": sum(worker.saves for worker in workers),
        "searches": sum(worker.searches for worker in workers),
        "edits": editor.edits,
        "lost": lost,
        "doubled": doubled,
        "wrong": wrong,
        "grown": grown,
    }
    failed = [fault for worker in workers for fault in worker.failed]
    print("\n".join([*notes, *failed[:5], str(counts)]))
    harms = bool(failed or lost or doubled or wrong or grown)
    return {"rows": [_ROW], "runs": 1, "failed": int(harms), "skipped": 0, "counts": counts, "note": "; ".join(notes)}


def main() -> int:
    """Soak, tell, and write the row where one is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--pause", type=float, default=0.25, help="seconds between two works of one who works")
    parser.add_argument("--looks", type=Path, help="where to write what every look saw, as lines of JSON")
    parser.add_argument("--tally", type=Path, help="the record of the table, docs/faults.json")
    asked = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="holdfast-soak-"))
    began = time.monotonic()
    try:
        with asked.looks.open("w", encoding="utf-8") if asked.looks else nullcontext() as tell:
            done = soak(asked.minutes, asked.pause, place / "home", tell)
        entry = judge(done, place / "home", asked.minutes)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    entry["seconds"] = time.monotonic() - began
    if asked.tally:
        TallyFile(asked.tally).write([(_NAME, {**entry, "full": True})])
    return int(entry["failed"])


if __name__ == "__main__":
    sys.exit(main())
