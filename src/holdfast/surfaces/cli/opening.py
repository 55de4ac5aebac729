"""The memory a command works on, as its arguments and the environment name it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from holdfast.guard.origin import Origin

if TYPE_CHECKING:
    from holdfast.memory import Memory

__all__ = ["agent_of", "opened"]


def agent_of(args: argparse.Namespace) -> str:
    """The agent that was named, else `HOLDFAST_AGENT`, else main."""
    return args.agent or os.environ.get("HOLDFAST_AGENT") or "main"


def opened(args: argparse.Namespace) -> Memory:
    """Open it; what is written from the command line is written by the user."""
    from holdfast.memory import Memory

    return Memory.open(args.home, agent_of(args), origin=Origin.USER)
