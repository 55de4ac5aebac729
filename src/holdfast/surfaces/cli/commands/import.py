"""`holdfast import`"""  # noqa: N999 - a command is named as its module is

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, NotConfirmed
from holdfast.exchange.findings import LeftOut, Source
from holdfast.plural import agree, count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.operations.exchange_export import PutBack
    from holdfast.operations.exchange_import import Imported
    from holdfast.operations.extra_path import ExtraPath

ARGUMENTS = {"from": "source"}
EXAMPLES = """\
  holdfast import ~/.openclaw --preview
  holdfast import chatgpt-export.zip
  holdfast import memories.json --from mem0 --yes
  holdfast import memory.zip --restore
  holdfast import ~/notes --preview
  holdfast import ~/notes --in-place --yes
"""
_SHOWN = 20
_KINDS = {
    Source.HOLDFAST: "an export of Holdfast",
    Source.OPENCLAW: "the memory of OpenClaw",
    Source.MOLTIS: "the memory of Moltis",
    Source.CLAUDE_CODE: "the memory of Claude Code",
    Source.CHATGPT: "an export of ChatGPT",
    Source.CLAUDE: "an export of Claude",
    Source.MEM0: "memories of mem0",
    Source.MARKDOWN: "plain Markdown",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to read, and how much to ask."""
    add_positional(parser, "import_from", "file", "FILE")
    add_option(parser, "import_from", "source", "--from", choices=("auto", *Source), default="auto")
    add_option(parser, "import_from", "preview")
    parser.add_argument(
        "--restore",
        action="store_true",
        help="it is an export of your own: put its notes back as they were, MEMORY.md too; none is overwritten",
    )
    parser.add_argument(
        "--in-place",
        action="store_true",
        help="leave a folder of Markdown where it is, and search it there (memory.extra_paths), instead of copying it",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask; without a terminal it must be said")


def run(args: argparse.Namespace, console: Console) -> int:
    """Show what there is, ask, and add it."""
    asks = bool(sys.stdin and sys.stdin.isatty()) and not console.as_json
    with open_memory(args) as memory:
        if args.in_place:
            return _name(args, memory, console, asks)
        if args.restore:
            return _restore(args, memory, console, asks)
        return _import(args, memory, console, asks)


def _import(args: argparse.Namespace, memory: Memory, console: Console, asks: bool) -> int:
    from holdfast.operations.exchange_import import import_memory, plan_import

    made = plan_import(memory.ctx, args.file, args.source, progress=console.progress)
    if not args.yes and not console.as_json:
        _preview(made, console)
    if made.brings and _agreed(args, console, asks, "Import this?", "imported"):
        made = import_memory(memory.ctx, made, console.progress)
    if console.as_json:
        console.json(made.to_json())
    elif not made.dry_run:
        _done(made, console)
    elif not made.brings:
        _nothing(made, console)
        if args.yes:
            _say_what_is_missing(made, console)
    if args.source == "auto" and not console.as_json:
        console.note(f"It was taken for {_KINDS[made.source]}; --from names another program.")
    return 0


def _restore(args: argparse.Namespace, memory: Memory, console: Console, asks: bool) -> int:
    from holdfast.operations.exchange_export import restore_export

    if args.source not in ("auto", Source.HOLDFAST):
        why = f"--restore puts back an export of your own, and none of {args.source}; leave out one of the two"
        raise BadArgument("--from", why)
    made = restore_export(memory.ctx, args.file, preview=True)
    if not args.yes and not console.as_json:
        _counts(made, "Would put back", console)
    if made.written and _agreed(args, console, asks, "Put these notes back?", "put back"):
        made = restore_export(memory.ctx, args.file)
    if console.as_json:
        console.json(made.to_json())
    elif args.preview and (args.yes or not made.dry_run):
        _counts(made, "Would put back", console)
    elif args.yes or not made.dry_run:
        _counts(made, "Put back", console)
    return 0


def _name(args: argparse.Namespace, memory: Memory, console: Console, asks: bool) -> int:
    """Have a folder searched where it is."""
    from holdfast.operations.extra_path import name_extra_path, plan_extra_path

    if args.restore or args.source not in ("auto", Source.MARKDOWN):
        raise BadArgument("--in-place", "it is about a folder of Markdown; leave out --restore and --from")
    plan = plan_extra_path(memory.ctx, args.file)
    if not args.yes and not console.as_json:
        console.line(f"{plan.path}: {count_of(len(plan.notes), 'note')}, left in place.")
        for note in plan.notes[:_SHOWN]:
            console.line(f"  {note}")
        _more(len(plan.notes), "notes", console)
        _unread(plan, console)
    if not plan.known and _agreed(args, console, asks, "Search this folder too?", "changed"):
        plan = name_extra_path(memory.ctx, plan)
    if console.as_json:
        console.json(plan.to_json())
    elif plan.known:
        console.line(f"{plan.path} is searched already (memory.extra_paths).")
    elif plan.named:
        console.line(f"{plan.path} is in memory.extra_paths now; the next search reads it.")
        if args.yes:
            _unread(plan, console)
    return 0


def _unread(plan: ExtraPath, console: Console) -> None:
    if plan.unread:
        counts = ", ".join(f"{count:,} {ending}" for ending, count in plan.unread)
        console.note(f"Not read, because a note in place ends in .md: {counts}.")


def _agreed(args: argparse.Namespace, console: Console, asks: bool, question: str, what: str) -> bool:
    """Say whether to go ahead; raises NotConfirmed where nobody said so, and nobody can be asked."""
    if args.preview:
        return False
    if args.yes:
        return True
    if not asks:
        raise NotConfirmed(what, look="--preview")
    if console.ask(f"{question} [y/N]").lower() in ("y", "yes"):
        return True
    console.note(f"Nothing was {what}.")
    return False


def _preview(made: Imported, console: Console) -> None:
    from holdfast.operations.exchange_import import Fate

    if made.known:
        known = f" ({made.known:,} {agree(made.known, 'is', 'are')} known already)"
    else:
        known = ""
    facts, notes = count_of(len(made.facts), "fact"), count_of(made.count(Fate.NEW), "new note")
    console.line(f"From {made.source.value}: {facts}{known}, {notes}.")
    for fact in made.facts[:_SHOWN]:
        console.line(f"  {fact.category.value:<10}  {fact.text}")
    _more(len(made.facts), "facts", console)
    for note in made.notes[:_SHOWN]:
        if note.fate.why_left:
            why = f": {note.fate.why_left}"
        else:
            why = ""
        console.line(f"  {note.fate.value:<10}  {note.path}  (from {note.where}){why}")
    _more(len(made.notes), "notes", console)
    _list_left_out(made.refused, "Refused", console)
    _list_left_out(made.left_out, "Left out", console)


def _done(made: Imported, console: Console) -> None:
    from holdfast.operations.exchange_import import Fate

    written = made.count(Fate.NEW, Fate.CHANGED)
    facts, notes = count_of(len(made.facts), "fact"), count_of(written, "note")
    console.line(f"Imported {facts} and {notes} from {made.source.value}.")
    if made.known or made.count(Fate.SAME):
        same = count_of(made.count(Fate.SAME), "note")
        console.line(f"Known already: {count_of(made.known, 'fact')}, {same}.")
    if made.archived:
        console.note(f"{count_of(made.archived, 'fact')} went to the archive: there is no room for more.")
    _say_what_is_missing(made, console)
    if made.checkpoint_ids:
        last, every = console.command("undo"), console.command("undo", "--origin", "import")
        console.line(f"`{last}` takes all of it back; later, `{every}` takes back every import.")
    if made.because:
        console.note(made.because)


def _nothing(made: Imported, console: Console) -> None:
    """Say why nothing is added: all of it is here, or what differs must not be written."""
    from holdfast.operations.exchange_import import Fate

    here = made.known + made.count(Fate.SAME)
    left = len(made.notes) - made.count(Fate.SAME) + len(made.refused)
    if left:
        is_here, was_left = f"{here:,} {agree(here, 'is', 'are')}", f"{left:,} {agree(left, 'was', 'were')}"
        console.line(f"Nothing was imported: {is_here} here already, and {was_left} not brought.")
    else:
        console.line("There is nothing new to import.")


def _say_what_is_missing(made: Imported, console: Console) -> None:
    left = [LeftOut(note.path, note.fate.why_left) for note in made.notes if note.fate.why_left]
    _list_left_out(left, "Not brought", console)
    if made.refused:
        _list_left_out(made.refused, "Refused", console)
        console.note(
            f"{_were(made.refused)} refused; --preview shows which, and why. What you want kept, put in by hand."
        )
    if made.left_out:
        _list_left_out(made.left_out, "Left out", console)
        console.note(f"{_were(made.left_out)} left out; --preview shows which, and why.")


def _were(left: Sequence[LeftOut]) -> str:
    return f"{len(left):,} {agree(len(left), 'was', 'were')}"


def _list_left_out(left: Sequence[LeftOut], title: str, console: Console) -> None:
    for where, why in left[:_SHOWN]:
        console.line(f"{title}: {where}: {why}")
    _more(len(left), "more of these", console)


def _more(count: int, what: str, console: Console) -> None:
    if count > _SHOWN:
        console.line(f"  … and {count - _SHOWN:,} {what}; --json shows all")


def _counts(made: PutBack, title: str, console: Console) -> None:
    same = f"{len(made.same):,} {agree(len(made.same), 'is', 'are')}"
    console.line(f"{title} {count_of(len(made.written), 'note')}; {same} there already.")
    for path in made.differing:
        console.line(f"Left as it is, because it says something else: {path}")
    if made.because:
        console.note(made.because)
