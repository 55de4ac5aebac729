"""The agents of a home: main, which always is, and those that have a folder of their own."""

from __future__ import annotations

import os
from typing import Final, Protocol, runtime_checkable

from holdfast.errors import BadAgent
from holdfast.guard.paths import agent_id
from holdfast.notes.layout import MAIN, root_parts
from holdfast.notes.workspace import Workspace
from holdfast.settings.loader import settings_file
from holdfast.value import Shown

__all__ = ["ListedAgent", "agents_list"]

_MOST_COUNTED: Final = 20_000  # names of files below one agent's memory/; more are not counted


class ListedAgent(Shown):
    """One agent; `notes` is None where there are too many to count in passing."""

    id: str
    notes: int | None
    has_memory: bool
    has_settings: bool


@runtime_checkable
class AgentCounter(Protocol):
    """A workspace that knows the agents of its home, as one in a database does."""

    def agent_counts(self) -> dict[str, tuple[int, bool, bool]]:
        """Return for each agent its notes, and whether it has a MEMORY.md and settings of its own."""
        ...


def agents_list(workspace: Workspace, default: str = MAIN) -> list[ListedAgent]:
    """The agents there are, the default first and the others by name. No note is opened."""
    if isinstance(workspace, AgentCounter):
        counts = dict.fromkeys((MAIN, default), (0, False, False)) | workspace.agent_counts()
        return [ListedAgent(name, *counts[name]) for name in sorted(counts, key=lambda name: (name != default, name))]
    home = workspace.home
    names = {MAIN, default}
    try:
        with os.scandir(os.path.join(home, "agents")) as entries:
            names.update(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        pass  # a home with main alone has no such folder
    return [
        _list_agent(home, name) for name in sorted(filter(_is_agent, names), key=lambda name: (name != default, name))
    ]


def _list_agent(home: str, agent: str) -> ListedAgent:
    root = os.path.join(home, *root_parts(agent))
    prompts = [os.path.join(root, name) for name in ("MEMORY.md", "memory.md")]
    if agent == MAIN:
        prompts.append(os.path.join(home, "agents", MAIN, "MEMORY.md"))
    has_memory = any(os.path.isfile(path) and not os.path.islink(path) for path in prompts)
    below = _count_notes(os.path.join(root, "memory"))
    return ListedAgent(
        id=agent,
        notes=None if below is None else below + has_memory,
        has_memory=has_memory,
        has_settings=os.path.isfile(settings_file(home, agent)),
    )


def _count_notes(folder: str) -> int | None:
    count = 0
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_symlink():  # a link is skipped wherever notes are read
                        continue
                    if entry.is_dir():
                        folders.append(entry.path)
                    elif entry.name.endswith(".md") and not entry.name.startswith("."):
                        count += 1
        except OSError:
            continue  # nothing there, or nothing that we may read
        if count > _MOST_COUNTED:
            return None
    return count


def _is_agent(name: str) -> bool:
    try:
        return agent_id(name) == name
    except BadAgent:
        return False
