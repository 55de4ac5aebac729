"""USER.md changes as notes do: whole or not at all, with a checkpoint that was durable first, and by one at a time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from counts import counted

from holdfast.checkpoints.profile_change import PROFILE, change_profile, profile_changes, read_profile, undo_profile
from holdfast.clock import SystemClock
from holdfast.errors import HoldfastError, NoteChangedOutside
from holdfast.guard.origin import Origin
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace


def changed(workspace: FileWorkspace, new: bytes) -> None:
    change_profile(workspace, lambda _: new, origin=Origin.USER, reason="test", clock=SystemClock())


def calls_of_one_change(home: Path) -> int:
    disk = FaultyDisk()
    with FileWorkspace.open(home / "counted", disk=disk) as workspace:
        changed(workspace, b"old\n")
        before = len(disk.log)
        changed(workspace, b"new\n")
        return len(disk.log) - before


@pytest.mark.fault
@pytest.mark.promise("P1")
@pytest.mark.promise("P5")
@pytest.mark.parametrize("lasting", [False, True])
def test_a_disk_that_fails_at_any_call_leaves_the_old_profile_or_the_new_one(home: Path, lasting: bool) -> None:
    home.mkdir()
    for call in range(1, calls_of_one_change(home) + 1, counted(5, 1)):
        place = home / f"{lasting}-{call}"
        disk = FaultyDisk(lasting=lasting)
        with FileWorkspace.open(place, disk=disk) as workspace:
            changed(workspace, b"old\n")
            disk.fail_at = len(disk.log) + call
            try:
                changed(workspace, b"new\n")
                acknowledged = True
            except HoldfastError:
                acknowledged = False
            disk.fail_at = 0
        with FileWorkspace.open(place) as workspace:
            found = read_profile(workspace)
            assert found in ((b"new\n",) if acknowledged else (b"old\n", b"new\n")), (call, disk.log[-3:])
            if found == b"new\n":  # also where the disk failed so long that the error could not be made true
                undo_profile(workspace, origin=Origin.USER, clock=SystemClock())
                assert read_profile(workspace) == b"old\n"
            changed(workspace, b"newer\n")
            assert read_profile(workspace) == b"newer\n"


@pytest.mark.promise("P4")
def test_an_edit_made_at_the_last_moment_is_not_overwritten(home: Path) -> None:
    def edit(_: int, call: Call) -> None:
        if call.name == "write" and call.subject.startswith(f".{PROFILE}"):
            (home / PROFILE).write_bytes(b"by hand\n")

    with FileWorkspace.open(home, disk=FaultyDisk(before=edit)) as workspace, pytest.raises(NoteChangedOutside):
        changed(workspace, b"new\n")
    assert (home / PROFILE).read_bytes() == b"by hand\n"


@pytest.mark.promise("P3")
def test_agents_that_write_at_once_lose_nothing_of_each_other(home: Path) -> None:
    rounds, agents = 12, ("main", "work", "home")

    def write(agent: str) -> None:
        with FileWorkspace.open(home, agent) as workspace:
            for number in range(rounds):
                line = f"- {agent} {number}\n".encode()
                change_profile(
                    workspace,
                    lambda old, line=line: (old or b"") + line,  # type: ignore[misc]
                    origin=Origin.USER,
                    reason="",
                    clock=SystemClock(),
                )

    threads = [threading.Thread(target=write, args=(agent,)) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with FileWorkspace.open(home) as workspace:
        assert len((read_profile(workspace) or b"").splitlines()) == rounds * len(agents)
        assert len(profile_changes(workspace, 1000)) == rounds * len(agents)
    assert not [name for name in os.listdir(home) if name.endswith(".hf-tmp")]
