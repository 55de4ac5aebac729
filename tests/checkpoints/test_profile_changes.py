"""USER.md changes as notes do: whole or not at all, with a checkpoint that was durable first, and by one at a time."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from counts import counted

from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.profile_change import UserSetting, change_profile, profile_changes, undo_profile
from holdfast.clock import SystemClock
from holdfast.errors import HoldfastError, NoteChangedOutside
from holdfast.guard.origin import Origin
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.profile_file import PROFILE, read_profile


def changed(workspace: FileWorkspace, new: bytes) -> None:
    change_profile(workspace, lambda _: new, Authorship(Origin.USER, "user_profile", SystemClock(), "test"))


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
                    Authorship(Origin.USER, "user_profile", SystemClock()),
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


def saved(workspace: FileWorkspace, name: str) -> None:
    """Save a name as a whole: in USER.md, and in [user]."""
    change_profile(
        workspace,
        lambda _: f"- Name: {name}\n".encode(),
        Authorship(Origin.USER, "user_profile", SystemClock(), "test"),
        setting=UserSetting("name", name),
    )


def both(home: Path) -> tuple[str, str]:
    """The names in USER.md and in holdfast.toml."""
    texts = [(home / name).read_text(encoding="utf-8") for name in (PROFILE, "holdfast.toml")]
    old, new = "Ada", "Grace"
    first, second = (new if new in text else old for text in texts)
    return first, second


@pytest.mark.fault
@pytest.mark.promise("P1")
@pytest.mark.parametrize("lasting", [False, True])
def test_a_disk_that_fails_at_any_call_leaves_both_places_of_a_profile_old_or_both_new(
    home: Path, lasting: bool
) -> None:
    home.mkdir()
    disk = FaultyDisk()
    with FileWorkspace.open(home / "counted", disk=disk) as workspace:
        saved(workspace, "Ada")
        before = len(disk.log)
        saved(workspace, "Grace")
        calls = len(disk.log) - before
    for call in range(1, calls + 1, counted(3, 1)):
        place = home / f"{lasting}-{call}"
        disk = FaultyDisk(lasting=lasting)
        with FileWorkspace.open(place, disk=disk) as workspace:
            saved(workspace, "Ada")
            disk.fail_at = len(disk.log) + call
            acknowledged = True
            try:
                saved(workspace, "Grace")
            except HoldfastError:
                acknowledged = False
            disk.fail_at = 0
        with FileWorkspace.open(place) as workspace:
            profile_changes(workspace)  # the next one to take the lock settles what was under way
        assert both(place) in ((("Grace", "Grace"),) if acknowledged else (("Ada", "Ada"), ("Grace", "Grace"))), (
            call,
            disk.log[-3:],
        )


def test_who_died_between_the_two_places_of_a_profile_has_changed_neither(home: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(_: int, call: Call) -> None:
        if call.name != "close" and both(home) == ("Grace", "Ada"):
            raise Killed

    with FileWorkspace.open(home) as workspace:
        saved(workspace, "Ada")
    with FileWorkspace.open(home, disk=FaultyDisk(before=kill)) as workspace, pytest.raises(Killed):
        saved(workspace, "Grace")
    assert both(home) == ("Grace", "Ada")
    with FileWorkspace.open(home) as workspace:
        undo_profile(workspace, origin=Origin.USER, clock=SystemClock())
    assert not (home / PROFILE).exists() and "Ada" not in (home / "holdfast.toml").read_text(encoding="utf-8")


def test_a_field_that_an_earlier_version_set_alone_stays(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        change_profile(
            workspace, None, Authorship(Origin.USER, "user_profile", SystemClock()), setting=UserSetting("name", "Ada")
        )
    # As it was written then: the first of two, of which the second need not come.
    (journal,) = (home / "state/checkpoints/_user").glob("journal*")
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    lines[0] |= {"group": lines[0]["id"], "step": 1, "steps": 2}
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with FileWorkspace.open(home) as workspace:
        assert [change.path for change in profile_changes(workspace)] == ["holdfast.toml"]
    assert "Ada" in (home / "holdfast.toml").read_text(encoding="utf-8")
