"""`holdfast doctor`"""

from __future__ import annotations

import argparse

from holdfast.memory import home_of
from holdfast.operations.check_result import Check
from holdfast.operations.diagnosis import doctor
from holdfast.surfaces.cli.command_memory import agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast doctor
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Every check with its result; status 1 when something needs mending."""
    refuse_mistyped_home(args)
    checks = doctor(home_of(args.home), agent_of(args))
    bad = [check for check in checks if not check.ok]
    if console.as_json:
        console.json({"ok": not bad, "checks": [check._asdict() for check in checks]})
        return 1 if bad else 0
    for check in checks:
        mark = _mark(check, console)
        console.styled(f"{mark} {check.name}" + (f": {console.paint(check.detail, 'dim')}" if check.detail else ""))
        if check.remedy:
            console.line(f"     → {check.remedy}")
    return 1 if bad else 0


def _mark(check: Check, console: Console) -> str:
    if not check.ok:
        return console.paint("BAD ", "red")
    if check.warn:
        return console.paint("warn", "yellow")
    return console.paint("ok  ", "green")
