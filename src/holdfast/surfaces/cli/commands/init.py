"""`holdfast init`"""

from __future__ import annotations

import argparse

from holdfast.plural import clause
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast init
  holdfast init --home ~/team-memory
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Create what is missing; touch nothing that is there."""
    from holdfast.operations.setting_change import write_sample
    from holdfast.settings.loader import settings_file

    with open_memory(args) as memory:
        file = settings_file(memory.home)
        created = write_sample(memory.ctx.workspace)
        memory.ctx.workspace.make_memory_folder()  # where notes can be written by hand from the start
        status = memory.status()
        if console.as_json:
            shown = {"home": memory.home, "agent": memory.agent, "settings_file": file, "created": created}
            console.json({**shown, "provider": status.provider, "possible": list(status.possible)})
            return 0
        console.styled(f"{console.paint('Memory lives in', 'bold')} {console.paint(memory.home, 'cyan')}")
        console.line(f"Settings: {file}{clause(' (new; every line is optional)', created)}")
        console.line(f"Search:   {status.mode}{clause(' ({})', status.because)}")
        if status.provider:
            console.line(f"Vectors:  {status.provider}, because {status.provider_because}")
        for provider in status.possible:
            console.line(f"          or {provider['provider']}, because {provider['why']}: {provider['command']}")
        console.line()
        console.line("Next:")
        console.line(f"  {console.command('save', 'The launch moved to 3 March')}")
        console.line(f"  {console.command('search', 'when do we launch?')}")
    return 0
