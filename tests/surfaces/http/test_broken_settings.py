"""A holdfast.toml that can't be used: a server that runs goes on, and says so; one that would start says why not."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import fork_server
import pytest
from at_once import at_once
from commandline import SCRIPT
from counts import counted
from surfaces.http.serving import Served, begun, environment

import holdfast
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.setting_change import change_setting
from holdfast.surfaces.memory_pool import MemoryPool

GOOD = "[memory]\ncitations = 'off'\nagent_write_mode = 'off'\n"
BROKEN = {
    "half saved": "[memory]\ncitations = 'of",
    "no UTF-8": "[memory]\ncitations = '\udcff'\n",
    "an unknown key": GOOD + "surprise = 1\n",
    "a value that does not fit": "[memory]\ncitations = 'perhaps'\n",
}
TROUBLE = "holdfast.toml"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    home = tmp_path / "home"
    home.mkdir()
    write(home, GOOD)
    server = begun(home)
    yield server
    server.stop()
    assert server.process.stdout is not None
    server.process.stdout.close()


def write(home: Path, text: str, at: float | None = None) -> None:
    """In one step, as a careful editor does, so that nobody meets half of it."""
    beside = home / "holdfast.toml.new"
    beside.write_bytes(text.encode("utf-8", "surrogateescape"))
    if at is not None:
        os.utime(beside, (at, at))
    beside.replace(home / "holdfast.toml")


def test_a_running_server_goes_on_with_the_settings_it_had_and_says_so(running: Served) -> None:
    assert running.call("GET", "/api/v1/status").json.get("settings_because") is None
    for text in BROKEN.values():
        write(running.home, text)
        assert running.call("POST", "/api/v1/search", {"query": "tea"}).status == 200
        assert running.call("POST", "/api/v1/notes", {"content": "x"}).error == "WriteModeRefused"
        assert TROUBLE in running.call("GET", "/api/v1/status").json["settings_because"]
        checks = running.call("GET", "/api/v1/doctor").json["checks"]
        told = next(one for one in checks if one["name"] == "settings")
        assert not told["ok"] and TROUBLE in told["detail"] and told["remedy"]
        held = running.call("GET", "/api/v1/settings/memory.citations").json
        assert held["value"] == "off"
        assert TROUBLE in running.call("GET", "/api/v1/settings?changed=true").json["because"]
    with holdfast.connect(running.url, token=running.token) as client:
        assert TROUBLE in client.status().settings_because
    write(running.home, "[memory]\ncitations = 'on'\n")
    assert running.call("POST", "/api/v1/notes", {"content": "x"}).status == 201
    status = running.call("GET", "/api/v1/status").json
    assert "settings_because" not in status
    assert running.call("GET", "/api/v1/settings/memory.citations").json["value"] == "on"


def test_a_file_that_was_emptied_to_be_written_is_not_followed_yet(running: Served) -> None:
    assert running.call("POST", "/api/v1/notes", {"content": "x"}).error == "WriteModeRefused"
    ahead = time.time() + 3600
    write(running.home, "", ahead)
    assert running.call("POST", "/api/v1/notes", {"content": "x"}).error == "WriteModeRefused"
    os.utime(running.home / "holdfast.toml", (1, 1))  # nobody has written to it for a long time
    assert running.call("POST", "/api/v1/notes", {"content": "x"}).status == 201


def test_the_log_says_it_once_however_often_it_is_met(running: Served) -> None:
    write(running.home, BROKEN["half saved"])
    for _ in range(5):
        assert running.call("GET", "/api/v1/notes").status == 200
    write(running.home, GOOD)
    assert running.call("GET", "/api/v1/notes").status == 200
    _, err = running.stop()
    assert err.count("settings from before still hold") == 1
    assert err.count("can be used again") == 1
    assert "Traceback" not in err


def test_a_change_over_http_that_the_broken_file_forbids_is_no_fault_of_the_server(running: Served) -> None:
    write(running.home, BROKEN["half saved"])
    answer = running.call("PATCH", "/api/v1/settings", {"changes": {"memory.citations": "on"}})
    assert (answer.status, answer.error) == (409, "UnreadableSettings")
    assert "Mend it in an editor" in answer.json["error"]["message"]


def test_one_wrong_value_can_be_mended_over_http(running: Served) -> None:
    write(running.home, BROKEN["a value that does not fit"])
    assert TROUBLE in running.call("GET", "/api/v1/status").json["settings_because"]
    assert running.call("PATCH", "/api/v1/settings", {"changes": {"memory.citations": "on"}}).status == 200
    assert "settings_because" not in running.call("GET", "/api/v1/status").json


def test_a_change_that_another_thread_has_just_seen_holds_for_who_asks_after_it(home: Path) -> None:
    home.mkdir()
    write(home, GOOD)
    memories, done = MemoryPool(str(home)), threading.Event()

    def look() -> None:
        while not done.is_set():
            memories.heed_settings()

    memories.heed_settings()
    memories.in_force()
    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(counted(40, 400)):
            write(home, BROKEN["an unknown key"])
            memories.heed_settings()
            assert memories.trouble_of()
            write(home, GOOD)
            memories.heed_settings()
            assert not memories.trouble_of()
    finally:
        done.set()
        looking.join()
        memories.close()


def test_of_two_changes_at_once_both_hold_afterwards(home: Path) -> None:
    home.mkdir()
    memories = MemoryPool(str(home))
    memories.heed_settings()
    with FileWorkspace.open(home) as first, FileWorkspace.open(home) as second:

        def change(workspace: FileWorkspace, key: str, value: int) -> None:
            change_setting(workspace, key, str(value))
            memories.renew()

        for number in range(1000, 1000 + counted(60, 400)):
            at_once(
                partial(change, first, "llm.timeout_seconds", number),
                partial(change, second, "compaction.reserve_tokens_floor", number),
            )
            memories.heed_settings()
            held = memories.in_force().settings
            assert (held.llm.timeout_seconds, held.compaction.reserve_tokens_floor) == (number, number)
    memories.close()


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_server_does_not_start_with_settings_that_can_not_be_used(tmp_path: Path, text: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, text)
    line = [*fork_server.command(SCRIPT), "serve", "--port", "0"]
    done = subprocess.run(line, env=environment(home), capture_output=True, timeout=60, check=False)
    assert done.returncode == 4 and TROUBLE in done.stderr.decode()
    assert b"Traceback" not in done.stderr and not (home / "state").exists()
