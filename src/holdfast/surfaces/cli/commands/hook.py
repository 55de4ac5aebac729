"""`holdfast hook`"""

from __future__ import annotations

import argparse
import math
import os
import sys
import threading
import time

from holdfast.operations.hook_log import note_hook
from holdfast.surfaces.agents.envelopes import typed_text
from holdfast.surfaces.agents.hook_actions import (
    KEEPING,
    Task,
    answer_hook,
    keep_record,
    left_to_a_child,
    may_be_shortened,
    says_nothing,
)
from holdfast.surfaces.agents.hook_events import HOOKED, MOST_BYTES, Event, event_of, moment_in
from holdfast.surfaces.cli.command_memory import agent_of
from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast hook session-start --client claude-code
  holdfast hook user-prompt --client codex --deadline 1
  holdfast hook session-end --client claude-code --wait
"""
MAY_BEGIN_HOME = True
_QUICK, _PATIENT = 2.0, 120.0  # seconds
_LEAST, _MOST = 0.05, 600.0  # seconds
_LATE = 0.5  # seconds to write down that there was no time


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which event, and whose."""
    # No choices here: a client takes the exit status of a misused command for a word to stop what its user does.
    parser.add_argument("event", metavar="EVENT", help=f"one of {', '.join(Event)}, or as the client calls it")
    parser.add_argument("--client", metavar="CLIENT", default="claude-code", help=f"one of {', '.join(HOOKED)}")
    parser.add_argument(
        "--deadline", metavar="SECONDS", help="when to give up, and say nothing (default: 2, with --wait 120)"
    )
    parser.add_argument(
        "--wait", action="store_true", help="keep what was said before returning, not in a process of its own"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Answer the client, or say nothing: whatever goes wrong is written to state/hooks.log, and the status is 0."""
    seconds = _seconds(args)
    said: list[str] = []
    done, no_time = threading.Event(), threading.Lock()

    def work() -> None:
        try:
            said.append(_answer(args, seconds, no_time))
        except Exception as error:  # noqa: BLE001 - a failing memory must not stop somebody's work
            note_hook(args.home, args.client, args.event, f"{type(error).__name__}: {error}")
        finally:
            done.set()

    threading.Thread(target=work, name="holdfast-hook", daemon=True).start()
    if done.wait(seconds):
        if said and said[0]:
            console.line(said[0])
        return 0
    if no_time.acquire(blocking=False):
        late = threading.Thread(
            target=note_hook, args=(args.home, args.client, args.event, f"gave up after {seconds:g} s"), daemon=True
        )
        late.start()
        late.join(_LATE)
    # Not by returning: the interpreter would wait for what the other thread holds.
    os._exit(0)


def _answer(args: argparse.Namespace, seconds: float, no_time: threading.Lock) -> str:
    until = time.monotonic() + seconds
    event = event_of(args.event)
    if event is None or args.client not in HOOKED:
        note_hook(args.home, args.client, args.event, "there is no such event, or no such client")
        return ""
    moment = moment_in(sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin else b"")
    moment = moment._replace(prompt=typed_text(moment.prompt))
    if event is Event.USER_PROMPT and says_nothing(moment.prompt):
        return ""  # every second prompt is one of these: nothing more is imported for it
    from holdfast.settings.home_path import home_of

    task = Task(event, args.client, moment, home_of(args.home), agent_of(args), until, no_time)
    if event not in KEEPING:
        return HOOKED[args.client].answer(event, answer_hook(task))
    if not may_be_shortened(task):
        return ""
    if not args.wait:
        left_to_a_child(task)
        return ""
    if outcome := keep_record(task):
        note_hook(task.home, args.client, event, outcome)
    return ""


def _seconds(args: argparse.Namespace) -> float:
    default = _PATIENT if args.wait else _QUICK
    if args.deadline is None:
        return default
    try:
        seconds = float(args.deadline)
    except ValueError:
        seconds = math.nan
    if math.isnan(seconds):
        why = f"--deadline {args.deadline!r} is not a number of seconds; it has {default:g} s"
        note_hook(args.home, args.client, args.event, why)
        return default
    return max(_LEAST, min(_MOST, seconds))
