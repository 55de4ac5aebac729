"""The keys of the sandbox; `keys.py` takes them into its list."""

from __future__ import annotations

from typing import Final

from holdfast.settings.setting_key import Key, Kind

__all__ = ["SANDBOX_KEYS"]

SANDBOX_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "sandbox.enabled",
        Kind.SWITCH,
        "Say that the agent's sessions run in a sandbox: where `workspace_mount` is not `rw`, nothing is saved by the "
        "silent turn before a compaction; what `holdfast sandbox run` starts finds this set.",
    ),
    Key(
        "sandbox.workspace_mount",
        Kind.CHOICE,
        "What a command in the sandbox has of the notes, MEMORY.md and memory/: nothing (`none`), to read them (`ro`), "
        "or to change them (`rw`); state/, transcripts, other agents' notes and settings are never there.",
    ),
    Key(
        "sandbox.home_persistence",
        Kind.CHOICE,
        "What stays of the sandbox's home when a command has ended: nothing (`off`), for that session (`session`), or "
        "for all commands of the agent (`shared`); it is never searched.",
    ),
)
