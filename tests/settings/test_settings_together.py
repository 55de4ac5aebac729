"""Several processes change holdfast.toml at once, for different agents: none loses what another has written."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import fork_server
import pytest
from counts import counted

from holdfast import Memory
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.setting_change import change_setting

ROUNDS = counted(25, 200)
# Each writes one key that nobody else writes, and looks after each time whether it stands there.
WRITER = """
import sys, tomllib
from pathlib import Path
from holdfast import Memory, Origin
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.setting_change import change_setting

home, agent, key, rounds = Path(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4])
table, name = key.split(".")

def check(value):
    found = tomllib.loads((home / "holdfast.toml").read_text(encoding="utf-8"))[table][name]
    assert found == value, f"{key} is {found}, and {value} was written"

print("ready", flush=True)
sys.stdin.readline()
if table == "user":
    with Memory.open(home, agent, origin=Origin.USER) as memory:
        for number in range(rounds):
            memory.profile.save(name, f"{agent} {number}")
            check(f"{agent} {number}")
else:
    with FileWorkspace.open(str(home), agent) as workspace:
        for number in range(1000, 1000 + rounds):
            change_setting(workspace, key, str(number))
            check(number)
"""


@pytest.mark.promise("P3")
@pytest.mark.parametrize(
    "writers",
    [
        {"main": "user.name", "work": "user.location"},
        {"work": "user.name", "home": "user.location"},
        {"work": "user.name", "home": "llm.timeout_seconds"},
        {"main": "user.name", "work": "llm.timeout_seconds"},
        {"work": "compaction.reserve_tokens_floor", "home": "llm.timeout_seconds"},
    ],
    ids=lambda writers: " and ".join(f"{agent} {key}" for agent, key in writers.items()),
)
def test_nobody_loses_an_update_of_the_settings(home: Path, writers: dict[str, str]) -> None:
    Memory.open(home).close()
    started = [
        fork_server.start(WRITER, str(home), agent, key, str(ROUNDS), env=dict(os.environ), stdin=subprocess.PIPE)
        for agent, key in writers.items()
    ]
    for writer in started:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
    for writer in started:
        assert writer.stdin is not None
        writer.stdin.write(b"go\n")
    complaints = [writer.communicate()[1] for writer in started]
    assert complaints == [b"", b""]
    assert [writer.wait() for writer in started] == [0, 0]


def test_what_an_editor_writes_while_a_setting_is_changed_stays(home: Path) -> None:
    file = home / "holdfast.toml"
    home.mkdir(exist_ok=True)
    file.write_text("[memory]\n")
    written: list[str] = []

    def edited(_: int, call: Call) -> None:
        if (
            call.name == "fsync" and file.name in call.subject and not written
        ):  # the new file is on the disk, and not in its place yet
            written.append("# My own words.\n[memory]\n")
            file.write_text(written[0])

    with FileWorkspace.open(home, disk=FaultyDisk(before=edited)) as workspace:
        change_setting(workspace, "user.name", "Ada")
    assert file.read_text().startswith(written[0])
    assert 'name = "Ada"' in file.read_text()
