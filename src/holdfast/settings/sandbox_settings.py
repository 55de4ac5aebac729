"""The settings of the sandbox: what a command in it sees of the notes, and what stays of its home."""

from __future__ import annotations

from enum import StrEnum

from holdfast.settings.declaration import Section, choice, switch

__all__ = ["HomePersistence", "SandboxSettings", "WorkspaceMount"]


class WorkspaceMount(StrEnum):
    """The rights of a command in the sandbox over the notes."""

    NONE = "none"
    RO = "ro"
    RW = "rw"


class HomePersistence(StrEnum):
    """The part of the sandbox's home that stays when a command has ended."""

    OFF = "off"
    SESSION = "session"
    SHARED = "shared"


class SandboxSettings(Section, table="sandbox"):
    """The switch of the sandbox for the agent's commands, and what they have there."""

    enabled: bool = switch(
        False,
        "Say that the agent's sessions run in a sandbox: where `workspace_mount` is not `rw`, nothing is saved "
        "by the silent turn before a compaction; what `holdfast sandbox run` starts finds this set.",
    )
    workspace_mount: WorkspaceMount = choice(
        WorkspaceMount.RO,
        "What a command in the sandbox has of the notes, MEMORY.md and memory/: nothing (`none`), to read them "
        "(`ro`), or to change them (`rw`); state/, transcripts, other agents' notes and settings are never "
        "there.",
    )
    home_persistence: HomePersistence = choice(
        HomePersistence.OFF,
        "What stays of the sandbox's home when a command has ended: nothing (`off`), for that session "
        "(`session`), or for all commands of the agent (`shared`); it is never searched.",
    )

    @property
    def stops_flush(self) -> str:
        """Return why the silent turn before a compaction does not write; empty where that is not so."""
        if not self.enabled or self.workspace_mount is WorkspaceMount.RW:
            return ""
        return f'sandbox.enabled is true and sandbox.workspace_mount is "{self.workspace_mount}"'

    @property
    def summary(self) -> str:
        """Return what a sandbox means for a session, for who looks at what its model is sent; empty without one."""
        if not self.enabled:
            return ""
        shown = (
            f'Commands run in a sandbox that has the notes as sandbox.workspace_mount = "{self.workspace_mount}" says'
        )
        if self.stops_flush:
            return f"{shown}; nothing is saved before the conversation is shortened."
        return f"{shown}."
