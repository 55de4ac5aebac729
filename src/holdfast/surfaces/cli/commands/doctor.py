"""`holdfast doctor`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.settings.home_path import home_of
from holdfast.surfaces.cli.command_memory import agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.operations.check_result import Check

EXAMPLES = """\
  holdfast doctor
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Every check with its result; status 1 when something needs mending."""
    from holdfast.operations.diagnosis import doctor
    from holdfast.surfaces.agents.client_check import check_clients

    refuse_mistyped_home(args)
    checks = [*doctor(home_of(args.home), agent_of(args)), *check_clients()]
    is_well = all(check.ok for check in checks)
    status = int(not is_well)
    if console.as_json:
        console.json({"ok": is_well, "checks": [check._asdict() for check in checks]})
        return status
    for check in checks:
        line = f"{_mark(check, console)} {check.name}"
        if check.detail:
            line += f": {console.paint(check.detail, 'dim')}"
        console.styled(line)
        if check.remedy:
            console.line(f"     → {check.remedy}")
    return status


def _mark(check: Check, console: Console) -> str:
    if not check.ok:
        return console.paint("BAD ", "red")
    if check.warn:
        return console.paint("warn", "yellow")
    return console.paint("ok  ", "green")
