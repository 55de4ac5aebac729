"""`holdfast prompt`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.plural import clause
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option

if TYPE_CHECKING:
    from holdfast.sessions.prompt_blocks import Prompt

EXAMPLES = """\
  holdfast prompt
  holdfast prompt --message "when do we launch?"
  holdfast prompt --session team --kind group --costs
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which session, and what its user says."""
    parser.add_argument("--session", metavar="KEY", default="main", help="the session (default: main)")
    add_option(parser, "Memory.session", "kind", note=" (default: as it was, else direct)")
    add_option(parser, "Memory.session", "channel", metavar="NAME", note=" (default: as it was)")
    add_option(parser, "Session.prompt", "message", metavar="TEXT")
    parser.add_argument("--costs", action="store_true", help="only what each block costs")


def run(args: argparse.Namespace, console: Console) -> int:
    """Print what the model of a session is told; a mere look, which takes no snapshot."""
    from holdfast.sessions.session_prompt import session_prompt

    with (
        open_memory(args) as memory,
        memory.session(args.session, kind=args.kind, channel=args.channel) as session,
    ):
        prompt = session_prompt(session, args.message, keep=False)
    if console.as_json:
        console.json(prompt.to_json())
        return 0
    if args.costs:
        _costs(prompt, console)
    elif prompt.text:
        console.line(prompt.text)
    because = clause(" · {}", prompt.because)
    console.note(f"{len(prompt.text):,} characters, about {prompt.tokens:,} tokens · {prompt.mode}{because}")
    return 0


def _costs(prompt: Prompt, console: Console) -> None:
    rows = [
        [block.name, f"{block.characters:,}", f"{block.tokens:,}", "cut" if block.truncated else "whole", block.source]
        for block in prompt.blocks
    ]
    console.table(["BLOCK", "CHARACTERS", "TOKENS", "", "FROM"], rows)
