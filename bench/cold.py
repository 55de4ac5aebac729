"""What a cold command costs: `python bench/cold.py [--notes N] [--rounds R] [--check]`.

CPU seconds, user and system, of a new process with compiled files: the least of some rounds, in which all commands
take turns beside a bare start of Python, so that a busy machine hurts all alike. `mcp` is measured from its start to
its list of tools, and a message from its capture on, in a process that has answered a search before. What a running
server of the home answers is measured last, beside one. With --check the status is 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus import generated

from holdfast import Memory, Origin

_SCRIPT = str(Path(sys.executable).with_name("holdfast"))
_QUESTION = "who decided on retries of the storage gateway?"
_SAID = "I just picked up a used cello in Lyon, and I prefer to practise in the morning."
_FACTS = 30
# CPU seconds; None for what is shown beside them.
_LIMITS = {
    "python -c pass": None,
    "python -c 'import numpy'": None,
    "holdfast --version": None,
    "search, with vectors": 0.15,
    "hook user-prompt": 0.15,
    "hook session-start": None,
    "save": 0.12,
    "mcp to tools/list": 0.3,
    "first captured message": 0.06,
    "search, beside a server": 0.15,
    "hook user-prompt, beside a server": 0.15,
}
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_MOMENT = json.dumps({"session_id": "bench", "cwd": "/", "prompt": _QUESTION})
_HOOK = [_SCRIPT, "hook", "--client", "claude-code", "--deadline", "60"]
_FIRST_MESSAGE = """
import sys, time
from holdfast import Memory
with Memory.open(sys.argv[1]) as memory, memory.session(sys.argv[2]) as session:
    memory.search("tea")
    session.append("user", sys.argv[3])
    began = time.process_time()
    session.capture()
    print(time.process_time() - began)
"""


def _spent(argv: list[str], env: dict[str, str], given: str = "") -> float:
    """CPU seconds of a command and of what it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, input=given.encode(), env=env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _measured(argv: list[str], env: dict[str, str]) -> float:
    """CPU seconds that a program says it took for a part of its work."""
    return float(subprocess.run(argv, env=env, check=True, capture_output=True).stdout)


def _listing(env: dict[str, str]) -> float:
    """CPU seconds of `holdfast mcp` until it has told its tools."""
    process = subprocess.Popen(
        [_SCRIPT, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for number, (method, params) in enumerate([("initialize", _HELLO), ("tools/list", {})]):
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        assert "result" in json.loads(process.stdout.readline())
        if number == 0:
            process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    # Linux alone tells nanoseconds, a thread a file.
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    spent = sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
    process.stdin.close()
    process.wait(30)
    process.stdout.close()
    return spent


def _commands(home: Path, env: dict[str, str]) -> dict[str, Callable[[int], float]]:
    def first_message(number: int) -> float:
        return _measured([sys.executable, "-c", _FIRST_MESSAGE, str(home), f"bench:{number}", _SAID], env)

    def search(_: int) -> float:
        # What the round before has captured and saved is indexed by a search that is not measured.
        _spent([_SCRIPT, "search", _QUESTION], env)
        return _spent([_SCRIPT, "search", _QUESTION], env)

    def save(number: int) -> float:
        spent = _spent([_SCRIPT, "save", f"The launch moved to day {number}", "--file", "memory/launch.md"], env)
        # Its vector is made by the next search, and not by what is measured next.
        _spent([_SCRIPT, "search", _QUESTION], env)
        return spent

    return {
        "python -c pass": lambda _: _spent([sys.executable, "-c", "pass"], env),
        "python -c 'import numpy'": lambda _: _spent([sys.executable, "-c", "import numpy"], env),
        "holdfast --version": lambda _: _spent([_SCRIPT, "--version"], env),
        "search, with vectors": search,
        "hook user-prompt": lambda _: _spent([*_HOOK, "user-prompt"], env, _MOMENT),
        "hook session-start": lambda _: _spent([*_HOOK, "session-start"], env, _MOMENT),
        "save": save,
        "mcp to tools/list": lambda _: _listing(env),
        "first captured message": first_message,
    }


@contextmanager
def _server(env: dict[str, str]) -> Iterator[None]:
    """A server of the home, from when it answers on."""
    argv = [_SCRIPT, "serve", "--port", "0", "--json"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def _beside_server(env: dict[str, str]) -> dict[str, Callable[[int], float]]:
    return {
        "search, beside a server": lambda _: _spent([_SCRIPT, "search", _QUESTION], env),
        "hook user-prompt, beside a server": lambda _: _spent([*_HOOK, "user-prompt"], env, _MOMENT),
    }


def _least(commands: dict[str, Callable[[int], float]], rounds: int) -> dict[str, float]:
    """The least CPU seconds of each command, which take turns."""
    least = dict.fromkeys(commands, float("inf"))
    for number in range(rounds + 1):
        for name, command in commands.items():
            spent = command(number)
            if number:  # the first round compiles
                least[name] = min(least[name], spent)
    return least


def _home(at: Path, notes: int) -> None:
    shutil.copytree(generated(notes).root / "memory", at / "memory")
    with Memory.open(at, origin=Origin.USER) as memory:
        memory.sync()
        for number in range(_FACTS):
            memory.facts.store(f"I like tea number {number} from region {7 * number % 13}.")
        assert memory.search(_QUESTION).mode == "hybrid"


def main() -> int:
    """Measure, print a table, and say which limits are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory) / "home"
        env = {**os.environ, "HOLDFAST_HOME": str(home), "OPENBLAS_NUM_THREADS": "1"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        _home(home, options.notes)
        least = _least(_commands(home, env), options.rounds)
        with _server(env):
            least |= _least(_beside_server(env), options.rounds)
    bare = least["python -c pass"]
    print(f"{options.notes:,} notes, least of {options.rounds} rounds, load average {os.getloadavg()[0]:.1f}\n")
    print("| | CPU s | limit | times `python -c pass` |\n|---|---|---|---|")
    missed = 0
    for name, spent in least.items():
        limit = _LIMITS[name]
        if limit is None:
            verdict = ""
        elif spent <= limit:
            verdict = f"{limit:.2f}: holds"
        else:
            verdict = f"{limit:.2f}: **missed**"
            missed += 1
        print(f"| {name} | {spent:.3f} | {verdict} | {spent / bare:.1f} |")
    return int(options.check and missed > 0)


if __name__ == "__main__":
    sys.exit(main())
