"""`holdfast chat`"""

from __future__ import annotations

import argparse
import io
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.settings.llm_settings import LlmProvider
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import TERMINATED
from holdfast.surfaces.cli.operation_arguments import add_option

EXAMPLES = """\
  holdfast chat
  holdfast chat --session work --model gpt-5
  holdfast chat --once "what did we decide about the launch?" --json
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which conversation, and with whom."""
    parser.add_argument(
        "--session", metavar="KEY", default="chat", help="the conversation; goes on where it ended (default: chat)"
    )
    add_option(parser, "Memory.session", "kind", note=" (default: as it was, else direct)")
    add_option(parser, "Memory.session", "channel", metavar="NAME", note=" (default: as it was)")
    parser.add_argument("--provider", choices=tuple(LlmProvider), help="whose model (default: llm.provider)")
    parser.add_argument("--model", metavar="NAME", help="which model (default: llm.model)")
    # Called as the library calls it, so that a refusal of the message names the option that was typed.
    parser.add_argument("--once", dest="message", metavar="MESSAGE", help="say this, print the answer, and leave")


def run(args: argparse.Namespace, console: Console) -> int:
    """Talk until the end of the input; lines that begin with a slash are commands."""
    from holdfast.surfaces.cli.chat_loop import ChatLoop
    from holdfast.surfaces.cli.slash import Talk

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a byte that is no UTF-8 is no reason to stop talking
    person = args.message is None and not console.as_json and bool(sys.stdin and sys.stdin.isatty())
    wanted = {"llm.provider": args.provider, "llm.model": args.model}
    given = {key: value for key, value in wanted.items() if value is not None}
    with _ended_in_order(), open_memory(args, given) as memory:
        talk = Talk(memory, memory.session(args.session, kind=args.kind, channel=args.channel), person=person)
        talking = ChatLoop(talk, console)
        try:
            if args.message is None:
                return talking.run()
            talking.once(args.message)
            return 0
        finally:
            talk.session.close()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let SIGTERM end the chat as Ctrl-C does, with what was said so far kept; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():  # no other may listen to signals
        yield
        return

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
