"""`holdfast forget`"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, NotConfirmed
from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

if TYPE_CHECKING:
    from holdfast.forgetting.forget_everywhere import Cleared
    from holdfast.forgetting.memory_forget import Candidate, Forgot
    from holdfast.memory import Memory

EXAMPLES = """\
  holdfast forget "that I prefer dark mode" --dry-run
  holdfast forget --text "Prefers dark mode"
  holdfast forget --text "Lives at 5 Elm Street" --everywhere --yes
"""
_NOTHING = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to forget, and how thoroughly."""
    add_positional(parser, "forget_memory", "request", "REQUEST")
    add_option(parser, "forget_memory", "text", metavar="T", note="; no language model is asked")
    add_option(parser, "forget_memory", "dry_run")
    add_option(parser, "forget_memory", "limit", note=", 1 to 12")
    add_option(parser, "forget_memory", "everywhere", note=", so it asks")
    # To a person it means more than to a program: that nobody is asked.
    text = "do not ask; forget what the language model chose"
    add_option(parser, "forget_memory", "confirmed", "--yes", text=text)


def run(args: argparse.Namespace, console: Console) -> int:
    """Forget and say how to bring it back, or show what may be meant and ask."""
    if args.text is None and not args.request.strip():
        raise BadArgument("REQUEST", "it is empty; say what to forget, or give the exact text with --text")
    asks = bool(sys.stdin and sys.stdin.isatty()) and not console.as_json and not args.confirmed
    final = args.everywhere and not args.dry_run and not args.confirmed
    if final and not asks:
        raise NotConfirmed("forgotten", "forgetting everywhere can't be undone", look="--dry-run")
    with open_memory(args) as memory:
        return forget_in(memory, args, console, asks=asks)


def forget_in(memory: Memory, args: argparse.Namespace, console: Console, *, asks: bool) -> int:
    """The same in a memory that is open; `asks` says whether there is a person to ask."""
    final = args.everywhere and not args.dry_run and not args.confirmed
    made = _forget(memory, args, dry_run=args.dry_run or final)
    if asks and not args.dry_run and (made.needs_confirmation or final):
        made = _ask_which(memory, args, made, console)
    if console.as_json:
        console.json(made.to_json())
    else:
        _show(made, console)
    cleared = made.cleared is not None and not made.dry_run and made.cleared.places > 0
    if made.forgotten or cleared or args.dry_run:
        return 0
    return _NOTHING


def _forget(memory: Memory, args: argparse.Namespace, *, dry_run: bool, text: str | None = None) -> Forgot:
    if text is None:
        text = args.text
    return call_operation(memory.forget, args, text=text, dry_run=dry_run)


def _ask_which(memory: Memory, args: argparse.Namespace, made: Forgot, console: Console) -> Forgot:
    """Let the person decide: which of the candidates, or whether it shall really be for good."""
    if made.needs_confirmation and made.candidates:
        console.note(f"Nothing was forgotten: {_with_flags(made.because)}.")
        for number, candidate in enumerate(made.candidates, 1):
            console.note(f"{number:>3}  {_place(candidate)}")
        picked = _numbers(console.ask("Which shall go? Numbers, or Enter for none:"), made.candidates)
        if not picked:  # they were just shown, with the reason
            return made.replace(candidates=(), because="nothing was chosen")
    else:
        if args.text:
            picked = [args.text]
        else:
            picked = [candidate.text for candidate in made.candidates if candidate.chosen]
    if not picked:
        return made.replace(because=made.because or "nothing was chosen")
    if args.everywhere:
        for text in picked:
            console.note(f"  {text}")
        if console.ask("Forget this everywhere, for good? [y/N]").lower() not in ("y", "yes"):
            return made.replace(because="nothing was confirmed")
    parts = [_forget(memory, args, dry_run=False, text=text) for text in picked]
    return parts[0].replace(
        forgotten=tuple(text for part in parts for text in part.forgotten),
        candidates=tuple(candidate for part in parts for candidate in part.candidates),
        needs_confirmation=any(part.needs_confirmation for part in parts),
        because="; ".join(dict.fromkeys(part.because for part in parts if part.because)),
    )


def _numbers(answer: str, candidates: Sequence[Candidate]) -> list[str]:
    places = dict.fromkeys(int(number) - 1 for number in re.findall(r"[0-9]{1,4}", answer))
    return [candidates[place].text for place in places if 0 <= place < len(candidates)]


def _place(candidate: Candidate) -> str:
    return f"{candidate.path}#{candidate.line}  {_short(candidate.text)}{clause('  ({})', candidate.because)}"


def _short(text: str) -> str:
    first, _, more = text.partition("\n")
    if more:
        return f"{first} …"
    return first


def _show(made: Forgot, console: Console) -> None:
    for gone in made.forgotten:
        console.line(f"Forgot from {gone.path}: {_short(gone.text)}")
    for candidate in made.candidates:
        if candidate.chosen and made.dry_run:
            mark = "would go"
        else:
            mark = "perhaps"
        console.line(f"{mark:<9} {_place(candidate)}")
    if made.cleared is not None:
        _everywhere(made.cleared, console)
    if made.checkpoint_ids:
        ids = " and ".join(console.command("restore", checkpoint) for checkpoint in made.checkpoint_ids)
        console.line(f"Bring it back with: {ids}")
    if made.because:
        reason = _with_flags(made.because)
        console.note(f"{reason[0].upper()}{reason[1:]}.")
    if made.checkpoint_ids:
        # Said here and not in the answer itself: an agent that reads how to clear checkpoints may do it.
        console.note("`holdfast forget --everywhere` and `holdfast purge` clear checkpoints too.")


def _everywhere(cleared: Cleared, console: Console) -> None:
    if cleared.dry_run:
        verb, end = "Stands", "."
    else:
        verb, end = "Stood", "; it is gone from all of them, and from the index."
    if not cleared.places:
        console.line(f"{verb} nowhere in the notes, exports, sessions and checkpoints.")
    else:
        console.line(
            f"{verb} in {count_of(cleared.notes, 'note')}, {count_of(cleared.exports, 'export')}, "
            f"{count_of(cleared.messages, 'message')}, {count_of(cleared.state, 'value')} of sessions and "
            f"{count_of(cleared.checkpoints, 'checkpoint')}{end}"
        )
    for path in cleared.left:
        console.line(f"  still in {path}")


def _with_flags(reason: str) -> str:
    """Name the option that a person types where a reason names the argument of a tool."""
    return reason.replace("as `text`", "with --text")
