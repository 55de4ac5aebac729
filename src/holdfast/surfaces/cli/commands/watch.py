"""`holdfast watch`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.plural import agree, count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.commands.index import as_json, report
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.dreaming.report import Dream

EXAMPLES = """\
  holdfast watch
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Report each sync until Ctrl-C."""
    with open_memory(args) as memory:
        if not console.as_json:
            console.note(f"Watching {memory.home}; stop with Ctrl-C.")
        try:
            for done in memory.watch(dreamed=lambda dream: _tell(dream, console)):
                if console.as_json:
                    console.json(as_json(done))
                else:
                    report(done, console)
                console.finish()
        except KeyboardInterrupt:
            console.note("Stopped.")
    return 0


def _tell(dream: Dream, console: Console) -> None:
    """A run that found something; the others are nobody's business."""
    if not dream.report:
        return
    if console.as_json:
        console.json({"dream": dream.to_json()})
    else:
        count = len(dream.of("promoted")) + len(dream.of("superseded"))
        waiting = len(dream.of("waiting"))
        waits = f"{waiting:,} {agree(waiting, 'waits', 'wait')}"
        console.line(f"Dreamt: {count_of(count, 'line')} into MEMORY.md, {waits} for you. {dream.report}")
    console.finish()
