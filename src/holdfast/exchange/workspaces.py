"""Folders of Markdown of other agents: OpenClaw's and Moltis's workspaces, and the memory of Claude Code.

Only what was remembered is taken over. Files that tell the other agent how to behave are instructions: in a memory they
would be found by a search and read as if the user had just said them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holdfast.errors import BadText, HoldfastError
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.findings import Findings, FoundNote, LeftOut, Source
from holdfast.exchange.format_text import foreign
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode

__all__ = ["read_folder"]

_MEMORY: Final = ("MEMORY.md", "memory.md")
_INSTRUCTIONS: Final = frozenset(
    "AGENTS.md SOUL.md IDENTITY.md TOOLS.md HEARTBEAT.md BOOT.md BOOTSTRAP.md CLAUDE.md CLAUDE.local.md".split()
)
_OWN_FILES: Final = frozenset(("openclaw.json", "moltis.toml", "moltis.db"))
"""By these a home is known that has nothing in its memory yet."""
_DIARIES: Final = frozenset(("DREAMS.md", "dreams.md"))
_ROOTS: Final = 4  # folders above a workspace that a user may name: a home, agents, an agent's name


def read_folder(bundle: Bundle, source: Source) -> Findings:
    """The notes of a workspace, or of all workspaces in a folder of them."""
    notes: list[FoundNote] = []
    left: list[LeftOut] = []
    for name in bundle.names:
        if source is Source.CLAUDE_CODE:
            place = _claude_code(name)
        else:
            place = _workspace(name)
        base = name.rpartition("/")[2]
        if place is None or not name.endswith(".md"):
            continue
        if base in _INSTRUCTIONS:
            left.append(LeftOut(name, "it holds instructions for the other agent, and no memories"))
        elif base in _DIARIES:
            left.append(LeftOut(name, "it is the other program's report on its own work"))
        else:
            try:
                text = decode(bundle.read(name, MAX_NOTE_BYTES))
            except BadText as error:
                left.append(LeftOut(name, error.why))
            except HoldfastError as error:
                left.append(LeftOut(name, str(error)))
            else:
                notes.append(FoundNote(place, text, name))
    if not notes and not left and _OWN_FILES.isdisjoint(name.rpartition("/")[2] for name in bundle.names):
        wanted = "its memory is a folder of Markdown, with MEMORY.md or memory/ in it"
        raise foreign(bundle.shown, source.value, wanted)
    return Findings((), tuple(notes), tuple(left))


def _workspace(name: str) -> str | None:
    """Return what a file of a workspace is about; None where it belongs to no memory."""
    parts = name.split("/")
    if "memory" in parts[:-1]:
        at = parts.index("memory")
        if at <= _ROOTS:
            return " ".join((*_labels(parts[:at]), *parts[at + 1 :])).removesuffix(".md")
        return None
    if len(parts) - 1 > _ROOTS or "skills" in parts:
        return None
    base = parts[-1]
    if base in _MEMORY or base == "USER.md" or base in _INSTRUCTIONS or base in _DIARIES:
        return " ".join((*_labels(parts[:-1]), base.removesuffix(".md").lower()))
    return None


def _labels(above: list[str]) -> Iterator[str]:
    """The agent's name, where a folder holds the workspaces of several."""
    for part in above:
        if part not in ("workspace", "agents", "agent"):
            yield part.removeprefix("workspace-")


def _claude_code(name: str) -> str | None:
    """Return what a file of Claude Code's memory is about.

    The project is named where several were.
    """
    parts = name.split("/")
    if parts[0] == "projects":
        parts = parts[1:]
    if "memory" not in parts[:-1]:
        if len(parts) != 1:
            return None
        return " ".join(parts).removesuffix(".md")
    at = parts.index("memory")
    if at <= 1:
        return " ".join((*parts[:at], *parts[at + 1 :])).removesuffix(".md")
    return None
