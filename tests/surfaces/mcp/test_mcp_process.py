"""The process: what it loads, what it prints, how it ends, and that nothing of its surroundings gives it powers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from surfaces.mcp.connections import SCRIPT, environment
from surfaces.mcp.fences import value_in
from surfaces.mcp.raw import HELLO, READY, call, forked, python, request, running

from holdfast import Memory
from holdfast.settings.installation import install_advice

HEAVY = {
    "mcp",
    "mcp_types",
    "pydantic",
    "anyio",
    "watchfiles",
    "numpy",
    "apsw",
    "tomlkit",
    "holdfast.memory",
    "holdfast.search.search_pipeline",
    "holdfast.operations.toolbox",
}


def test_the_handshake_loads_neither_the_sdk_nor_the_index_nor_a_model_nor_the_tools() -> None:
    tell = "import atexit, json; atexit.register(lambda: sys.stderr.write('\\n' + json.dumps(sorted(sys.modules))))"
    with running(command=python(tell)) as server:
        hello = server.greet()
        assert hello["result"]["serverInfo"]["name"] == "holdfast"
        assert server.ended() == 0
        assert server.process.stderr is not None
        loaded = set(json.loads(server.process.stderr.read().splitlines()[-1]))
    assert "holdfast.surfaces.mcp.handshake" in loaded
    assert loaded & HEAVY == set()


def test_what_anything_prints_goes_to_stderr_and_never_into_the_protocol() -> None:
    noise = """
import os, subprocess
from holdfast.operations.toolbox import Toolbox
quiet = Toolbox.call
def loud(self, name, arguments=None):
    print("noise from print", flush=True)
    os.write(1, b"noise from a descriptor\\n")
    subprocess.run(["echo", "noise from a child"])
    subprocess.run(["cat"])  # which would eat the client's messages
    return quiet(self, name, arguments)
Toolbox.call = loud
"""
    with running(command=forked(noise)) as server:
        server.greet()
        server.say(call(1, "memory_get", {"path": "MEMORY.md"}), request(2, "ping"))
        assert {server.hear()["id"], server.hear()["id"]} == {1, 2}
        assert server.ended() == 0
        assert server.process.stderr is not None
        told = server.process.stderr.read()
    for kind in (b"print", b"a descriptor", b"a child"):
        assert b"noise from " + kind in told


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_order(number: int, status: int) -> None:
    with running() as server:
        server.greet()
        server.process.send_signal(number)
        assert server.process.wait(30) == status
        assert server.process.stderr is not None
        assert b"Traceback" not in server.process.stderr.read()


def test_changes_that_are_sent_without_waiting_happen_in_their_order(home: Path) -> None:
    lines = [f"- Line {number} of forty" for number in range(40)]
    with running() as server:
        server.greet()
        saves = [
            call(number, "memory_save", {"content": line, "file": "memory/order.md"})
            for number, line in enumerate(lines)
        ]
        server.say(*saves)
        for _ in lines:
            assert "error" not in server.hear()
        assert server.ended() == 0
    assert (home / "memory" / "order.md").read_text(encoding="utf-8").split("\n")[:-1] == lines


def test_a_home_that_can_not_be_made_is_said_in_one_line() -> None:
    nowhere = {**environment(), "HOLDFAST_HOME": "/proc/nope"}
    asked = "".join(json.dumps(one) + "\n" for one in (HELLO, READY, request(1, "resources/list")))
    ran = subprocess.run(
        [SCRIPT, "mcp"],
        input=asked.encode(),
        capture_output=True,
        timeout=60,
        env=nowhere,
        check=False,
    )
    assert "/proc/nope" in json.loads(ran.stdout.splitlines()[-1])["error"]["message"]
    (line,) = ran.stderr.decode().splitlines()
    assert "/proc/nope" in line


def test_what_was_asked_before_the_end_of_the_input_is_answered() -> None:
    asked = [
        HELLO,
        READY,
        call(1, "memory_save", {"content": "Piped in.", "file": "memory/piped.md"}),
        call(2, "memory_search", {"query": "piped"}),
    ]
    ran = subprocess.run(
        [SCRIPT, "mcp"],
        input="".join(json.dumps(one) + "\n" for one in asked),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=True,
    )
    answers = {one["id"]: one for one in map(json.loads, ran.stdout.splitlines())}
    assert set(answers) == {"hello", 1, 2}
    assert value_in(answers[1]["result"]["content"][0]["text"])["saved"]


@pytest.mark.row("T24")
@pytest.mark.parametrize("with_open_calls", [False, True])
def test_it_ends_when_its_client_is_gone(with_open_calls: bool) -> None:
    with running() as server:
        server.greet()
        if with_open_calls:
            server.say(*(call(n, "memory_save", {"content": f"Line {n}.", "file": "memory/log.md"}) for n in range(20)))
        server.out.close()  # nobody reads any more, while the input stays open
        assert server.process.wait(30) == 0
    with Memory.open() as memory:
        assert with_open_calls or not memory.history()
        made = memory.history(limit=100)
        saved = memory.get("memory/log.md").text.count("Line ") if made else 0
        assert saved == len(made)  # each change is whole, with its checkpoint


@pytest.mark.row("T24")
def test_it_leaves_no_process_behind_when_its_client_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    client = f"""
import subprocess, sys, json
server = subprocess.Popen([{str(SCRIPT)!r}, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(json.dumps({HELLO!r}).encode() + b"\\n"); server.stdin.flush()
server.stdout.readline()
print(server.pid, flush=True)
server.stdout.readline()
"""
    ran = subprocess.Popen(["python3", "-c", client], stdout=subprocess.PIPE, env=environment())
    assert ran.stdout is not None
    server = int(ran.stdout.readline())
    handle = os.pidfd_open(server)
    try:
        ran.kill()
        ran.wait()
        import select

        assert select.select([handle], [], [], 30)[0], "the server outlived its client"
    finally:
        os.close(handle)
        ran.stdout.close()
    assert not told.exists()


def test_a_missing_package_is_said_in_a_line() -> None:
    gone = "sys.modules['mcp'] = None"
    with running(command=python(gone)) as server:
        assert server.ended() == 15
        assert server.process.stderr is not None
        said = server.process.stderr.read().decode()
    assert install_advice("server") in said
    assert "Traceback" not in said


def test_a_change_of_the_settings_holds_for_the_next_call(home: Path) -> None:
    home.mkdir()
    with running() as server:
        server.greet()
        for number, (mode, refused) in enumerate((("off", True), ("hybrid", False)), 1):
            server.say(call(10 * number, "memory_search", {"query": "anything"}))
            server.hear()
            (home / "holdfast.toml").write_text(f'[memory]\nagent_write_mode = "{mode}"\n')
            server.say(call(number, "memory_save", {"content": "x", "file": "memory/x.md"}))
            assert ("WriteModeRefused" in server.hear()["result"]["content"][0]["text"]) is refused
        assert server.ended() == 0


def test_a_save_for_memory_md_says_that_it_waits(home: Path) -> None:
    with running() as server:
        server.greet()
        server.say(call(1, "memory_save", {"content": "- Likes tea."}))
        saved = value_in(server.hear()["result"]["content"][0]["text"])
        assert (saved["saved"], saved["waits"], saved["path"]) == (False, True, "memory/inbox.md")
        assert saved["because"].startswith("waits for approval: the user did not type these sentences; it is in")
        assert server.ended() == 0
    assert not (home / "MEMORY.md").exists()


@pytest.mark.row("T24")
def test_files_in_the_directory_it_is_started_in_grant_nothing(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "project"
    (project / ".holdfast" / "memory").mkdir(parents=True)
    (project / "secrets").mkdir()
    (project / "secrets" / "keys.md").write_text("The password is kept here.")
    powers = f'[memory]\nagent_write_mode = "hybrid"\nextra_paths = ["{project}/secrets"]\n'
    (project / "holdfast.toml").write_text(powers)
    (project / ".holdfast" / "holdfast.toml").write_text(powers)
    (project / ".env").write_text("HOLDFAST_MEMORY_AGENT_WRITE_MODE=hybrid\n")
    (project / "sitecustomize.py").write_text("raise SystemExit('run from the project')")
    home.mkdir()
    (home / "holdfast.toml").write_text('[memory]\nagent_write_mode = "off"\n')
    with running("--tools", "all", cwd=str(project)) as server:
        server.greet()
        server.say(request(1, "tools/list"))
        names = [tool["name"] for tool in server.hear()["result"]["tools"]]
        assert names == ["memory_search", "memory_get", "checkpoints_list", "recall", "list"]
        server.say(call(2, "memory_save", {"content": "x"}))
        assert "WriteModeRefused" in server.hear()["result"]["content"][0]["text"]
        server.say(call(3, "memory_search", {"query": "password"}))
        assert server.hear()["result"]["content"][0]["text"].startswith("Nothing was found.")
        assert server.ended() == 0
    assert sorted(path.name for path in (project / ".holdfast").iterdir()) == ["holdfast.toml", "memory"]


def test_a_setting_that_the_owner_changes_holds_for_the_next_call(home: Path) -> None:
    with running() as server:
        server.greet()
        for number, (mode, refused) in enumerate([("hybrid", False), ("off", True), ("search-only", False)]):
            done = subprocess.run([SCRIPT, "config", "set", "memory.agent_write_mode", mode], env=environment())
            assert done.returncode == 0
            server.say(call(number, "memory_save", {"content": "x", "file": "memory/x.md"}))
            assert server.hear()["result"]["isError"] is refused
        assert server.ended() == 0


def test_several_servers_on_one_home_lose_nothing_and_are_never_locked_out() -> None:
    def work(which: int) -> list[str]:
        failed = []
        with running() as server:
            server.greet()
            for number in range(15):
                server.say(
                    call(number, "memory_save", {"content": f"- server {which} line {number}", "file": "memory/log.md"})
                )
                server.say(call(f"s{number}", "memory_search", {"query": f"server {which} line {number}"}))
                failed += [str(one) for one in (server.hear(), server.hear()) if one["result"]["isError"]]
            assert server.ended() == 0
        return failed

    with ThreadPoolExecutor(4) as pool:
        assert [one for failed in pool.map(work, range(4)) for one in failed] == []
    with Memory.open() as memory:
        lines = memory.ctx.workspace.read("memory/log.md").data.decode().splitlines()
    assert sorted(lines) == sorted(f"- server {which} line {number}" for which in range(4) for number in range(15))
