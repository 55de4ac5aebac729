"""The part of a home that a sandbox shows: the notes of one agent, and a home of its own; nothing else is there at all.

It is a list of what is shown, not of what is hidden: a file that Holdfast, or its owner, puts into the home tomorrow is
not seen either. A sandbox that shows the whole home shows every deleted text in state/.
"""

from __future__ import annotations

import os
import stat
from typing import Final

from holdfast.errors import BadArgument, UnsafeFile
from holdfast.guard.paths import writable_path
from holdfast.notes.layout import root_parts
from holdfast.notes.workspace import Workspace
from holdfast.settings.sandbox_settings import HomePersistence, WorkspaceMount
from holdfast.value import Value

__all__ = ["SANDBOX_HOME", "WORKSPACE", "Mount", "Mounts", "mounts_of", "refuse_shown_home"]

WORKSPACE: Final = "/workspace"
SANDBOX_HOME: Final = "/home/sandbox"
_FOLDER: Final = "sandbox"  # in state/, which no walk enters and no search reads


class Mount(Value):
    """A file or folder of this machine, and where the sandbox has it."""

    source: str
    target: str
    writable: bool


class Mounts(Value):
    """Everything of the home that a sandbox has."""

    workspace: WorkspaceMount
    notes: tuple[Mount, ...] = ()
    home: Mount | None = None
    """None: it is empty at the beginning and gone at the end."""

    @property
    def start(self) -> str:
        """The folder that a command begins in."""
        if self.workspace is WorkspaceMount.NONE:
            return SANDBOX_HOME
        return WORKSPACE

    @property
    def environment(self) -> dict[str, str]:
        """Return what a Holdfast in the sandbox has to know of it."""
        variables = {"HOLDFAST_SANDBOX_ENABLED": "true", "HOLDFAST_SANDBOX_WORKSPACE_MOUNT": self.workspace.value}
        if self.workspace is WorkspaceMount.NONE:
            return variables
        return {**variables, "HOLDFAST_HOME": WORKSPACE}


def mounts_of(
    workspace: Workspace, mount: WorkspaceMount, persistence: HomePersistence, session: str | None = None
) -> Mounts:
    """Return what a sandbox of this agent shows; the folder of a home that stays is made where there is none."""
    if persistence is HomePersistence.SESSION and session is None:
        raise BadArgument("session", "a home that stays for a session needs the session's key: --session KEY")
    if session is not None and persistence is not HomePersistence.SESSION:
        why = (
            f"it says whose home stays, and the home is {persistence.value!r} here: add --home session, or leave it out"
        )
        raise BadArgument("session", why)
    return Mounts(mount, _notes(workspace, mount), _home(workspace, persistence, session))


def refuse_shown_home(home: str, shown: tuple[str, ...]) -> None:
    """Raise BadArgument where the home lies in a folder that every sandbox has."""
    place = os.path.realpath(home)
    for folder in map(os.path.realpath, shown):
        if os.path.commonpath((place, folder)) == folder:
            raise BadArgument("home", f"{home!r} lies below {folder}, which a sandbox shows: move it elsewhere")


def _notes(workspace: Workspace, mount: WorkspaceMount) -> tuple[Mount, ...]:
    if mount is WorkspaceMount.NONE:
        return ()
    if mount is WorkspaceMount.RW:
        workspace.make_memory_folder()  # in a new home a command finds a place to write to
    prompt = workspace.spot(writable_path("MEMORY.md"))
    places = [("/".join((*prompt.parts, prompt.name)), prompt.path)]
    places.append(("/".join((*root_parts(workspace.agent), "memory")), "memory"))
    shown = []
    for place, name in places:
        source = os.path.join(workspace.home, place)
        if _is_there(source, name, folder=name == "memory"):
            shown.append(Mount(source, f"{WORKSPACE}/{name}", mount is WorkspaceMount.RW))
    return tuple(shown)


def _is_there(source: str, name: str, *, folder: bool) -> bool:
    """Say whether a note or folder is there; a link in its place would show what it leads to."""
    try:
        mode = os.lstat(source).st_mode
    except FileNotFoundError:
        return False
    if not (stat.S_ISDIR(mode) if folder else stat.S_ISREG(mode)):
        raise UnsafeFile(name, "it is a link, or not what it should be")
    return True


def _home(workspace: Workspace, persistence: HomePersistence, session: str | None) -> Mount | None:
    if persistence is HomePersistence.OFF:
        return None
    names = [_FOLDER, workspace.agent, persistence.value]
    if persistence is HomePersistence.SESSION:
        from holdfast.transcripts.session_key import check_key, file_name

        names.append(file_name(check_key(session or "")).removesuffix(".jsonl"))
    return Mount(workspace.state_folder(*names), SANDBOX_HOME, writable=True)
