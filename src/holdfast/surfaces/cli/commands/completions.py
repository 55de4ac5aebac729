"""`holdfast completions`"""

from __future__ import annotations

import argparse

from holdfast.surfaces.cli.completion import script
from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast completions bash > ~/.local/share/bash-completion/completions/holdfast
  holdfast completions zsh > ~/.zfunc/_holdfast
  holdfast completions fish > ~/.config/fish/completions/holdfast.fish
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the script."""
    text = script(args.shell)
    if console.as_json:
        console.json({"shell": args.shell, "script": text})
    else:
        console.styled(text.rstrip("\n"))
    return 0
