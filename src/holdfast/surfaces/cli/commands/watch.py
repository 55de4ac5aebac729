"""`holdfast watch`"""

from __future__ import annotations

import argparse

from holdfast.surfaces.cli.commands.index import as_json, report
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.opening import opened

EXAMPLES = """\
  holdfast watch
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Report each sync until Ctrl-C."""
    with opened(args) as memory:
        if not console.as_json:
            console.note(f"Watching {memory.home}; stop with Ctrl-C.")
        try:
            for done in memory.watch():
                if console.as_json:
                    console.json(as_json(done))
                else:
                    report(done, console)
                console.finish()
        except KeyboardInterrupt:
            console.note("Stopped.")
    return 0
