"""`holdfast agents`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.settings.home_path import home_of
from holdfast.surfaces.cli.command_memory import agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.operations.agents_list import ListedAgent

EXAMPLES = """\
  holdfast agents
  holdfast agents --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Every agent of the home, the one that is meant by default first."""
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.operations.agents_list import agents_list

    refuse_mistyped_home(args)
    default = agent_of(args)
    with FileWorkspace.open(home_of(args.home), default) as workspace:
        listed = agents_list(workspace, default)
    if console.as_json:
        console.json({"default": default, "agents": [agent.to_json() for agent in listed]})
        return 0
    console.table(("AGENT", "NOTES", "MEMORY.MD", "SETTINGS"), [_row(agent) for agent in listed])
    return 0


def _row(agent: ListedAgent) -> tuple[str, str, str, str]:
    if agent.notes is None:
        notes = "many"
    else:
        notes = f"{agent.notes:,}"
    if agent.has_settings:
        settings = "its own"
    else:
        settings = "the home's"
    return agent.id, notes, "yes" if agent.has_memory else "no", settings
