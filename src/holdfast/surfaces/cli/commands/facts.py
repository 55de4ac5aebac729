"""`holdfast facts`"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sized
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.commands.save import read_stdin
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

if TYPE_CHECKING:
    from holdfast.facts.fact import Fact
    from holdfast.memory import Memory

EXAMPLES = """\
  holdfast facts add "I prefer green tea" --category preference
  holdfast facts recall "which tea do I prefer?"
  holdfast facts add "I live in Berlin" --from 2024-05-01
  holdfast facts history "where do I live" --as-of 2025-06-01
  holdfast facts stats
"""
_NOTHING = 3
_ACTIONS = {
    "add": ("keep one fact", 'holdfast facts add "I prefer green tea" --category preference'),
    "list": ("the facts there are, those said last first", "holdfast facts list --state superseded"),
    "recall": ("the facts that answer a question", 'holdfast facts recall "which tea do I prefer?"'),
    "show": ("one fact, and the message that it was captured from", "holdfast facts show k3x9wb"),
    "forget": ("remove one fact, by its id or its exact words", "holdfast facts forget k3x9wb"),
    "history": ("how the answer to a question changed", 'holdfast facts history "where do I live"'),
    "stats": ("how many there are, and what could be tidied", "holdfast facts stats --json"),
    "archive": ("move a fact to memory/archive.md", "holdfast facts archive k3x9wb"),
    "restore": (
        "bring a fact back from the archive, or put one in force again that another superseded",
        "holdfast facts restore k3x9wb",
    ),
    "reindex": (
        "make the index anew, so that facts are found and compared by the provider that is set now",
        "holdfast facts reindex --yes",
    ),
}


def configure(parser: Parser) -> None:
    """add, list, recall, show, forget, history, stats, archive, restore or reindex."""
    arguments = {
        "add": _add_arguments,
        "list": _list_arguments,
        "recall": _recall_arguments,
        "show": _id_argument,
        "forget": _forget_arguments,
        "history": _history_arguments,
        "archive": _id_argument,
        "restore": _id_argument,
        "reindex": _reindex_arguments,
    }
    add_actions(parser, _ACTIONS, arguments)


def _add_arguments(parser: Parser) -> None:
    add_positional(parser, "store", "text", "TEXT", note="; - reads it from standard input")
    add_option(parser, "store", "category")
    add_option(parser, "store", "importance", metavar="I")
    add_option(parser, "store", "valid_from", "--from", metavar="DATE")
    add_option(parser, "store", "valid_until", "--until", metavar="DATE")


def _list_arguments(parser: Parser) -> None:
    _add_filters(parser, "list_facts")
    add_option(parser, "list_facts", "state")
    add_option(parser, "list_facts", "limit")
    add_option(parser, "list_facts", "offset")


def _recall_arguments(parser: Parser) -> None:
    _add_filters(parser, "recall")
    add_positional(parser, "recall", "query", "QUERY")
    add_option(parser, "recall", "limit")
    add_option(parser, "recall", "as_of", metavar="DATE")
    add_option(parser, "recall", "include_superseded", "--superseded")
    add_option(parser, "recall", "include_archived", "--archived")


def _add_filters(parser: Parser, operation: str) -> None:
    option = partial(add_option, parser, operation)
    option("category")
    option("origin")
    option("since", metavar="DAY")
    option("until", metavar="DAY")
    option("min_importance", metavar="I")


def _forget_arguments(parser: Parser) -> None:
    add_positional(parser, "forget_fact", "id", "ID")
    add_option(parser, "forget_fact", "text", metavar="T")


def _history_arguments(parser: Parser) -> None:
    add_positional(parser, "fact_history", "query", "QUERY")
    add_option(parser, "fact_history", "as_of", metavar="DATE")


def _id_argument(parser: Parser) -> None:
    add_positional(parser, "restore_fact", "id", "ID")


def _reindex_arguments(parser: Parser) -> None:
    add_option(parser, "rebuild_index", "approved", "--yes")


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    todo = {
        "add": _add,
        "list": _list,
        "recall": _recall,
        "show": _show,
        "history": _history,
        "stats": _stats,
        "reindex": _reindex,
    }
    with open_memory(args) as memory:
        return todo.get(args.action, _change)(args, memory, console)


def _add(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    text = args.text
    if text == "-":
        text = read_stdin()
    made = call_operation(memory.facts.store, args, text=text)
    if console.as_json:
        console.json(made.to_json())
        return 0
    if made.outcome != "reinforced":
        outcome = "Stored"
    elif made.checkpoint_ids:
        outcome = "Known already, and noted again"
    else:
        outcome = "Known already"
    console.line(f"{outcome}: {made.path} {made.id}".rstrip())
    for fact in made.replaced:
        back = console.command("facts", "restore", fact)
        console.line(f"It takes the place of {fact} ({made.rule}). Undo that with: {back}")
    if made.archived:
        console.note(f"{made.archived} of less value went to the archive.")
    if made.because:
        console.note(made.because)
    return 0


def _list(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    found = call_operation(memory.facts.list, args)
    if console.as_json:
        console.json(found.to_json())
        return 0
    _table(found.facts, found.day, console)
    shown = found.offset + len(found.facts)
    more = ""
    if shown < found.total:
        more = f"; --offset {shown} shows more"
    console.note(f"{len(found.facts):,} of {count_of(found.total, 'fact')}{more}.")
    if found.because:
        console.note(found.because)
    return 0


def _recall(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    found = call_operation(memory.facts.recall, args)
    if console.as_json:
        console.json(found.to_json())
    elif found.results:
        _table((hit.fact for hit in found.results), found.day, console)
    else:
        console.note(f"No fact was found{clause(': {}', found.because)}.")
    return _status(found.results)


def _show(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    from holdfast.facts.facts_book import local_day
    from holdfast.operations.fact_view import show_fact

    shown = show_fact(memory.ctx, args.id)
    if console.as_json:
        console.json(shown.to_json())
        return 0
    _table(shown.chain, shown.day, console)
    console.line(f"It stands in {shown.fact.path}, line {shown.fact.line}.")
    if shown.source is not None and shown.source.message is not None:
        said = shown.source.message
        when = local_day(said.at).isoformat()
        console.line(f"Captured from session {shown.source.session}, {when}, message {said.id}:")
        console.line(said.text)
    elif shown.source is not None:
        console.line(f"Captured from session {shown.source.session}; its message is not there.")
    return 0


def _history(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    found = call_operation(memory.facts.history, args)
    if console.as_json:
        console.json(found.to_json())
        return _status(found.facts)
    for fact in found.facts:
        console.line(_period(fact, found.day))
    if not found.facts:
        console.note("No fact tells of this.")
    return _status(found.facts)


def _period(fact: Fact, day: date) -> str:
    """Return from when to when a fact held, and what took its place."""
    from holdfast.facts.fact import State

    since, ends, state = "unknown", "today", ""
    if fact.own_state(day) is State.UPCOMING:
        ends, state = "", "  to come"
    if fact.since is not None:
        since = fact.since.isoformat()
    if fact.valid_until is not None:
        ends = fact.valid_until.isoformat()
    if fact.struck:
        state = f"  superseded by {fact.superseded_by} ({fact.rule or 'by hand'}){state}"
    return f"{since:<10} … {ends:<10}  {fact.text}  [{fact.id or '-'}]{state}"


def _status(facts: Sized) -> int:
    """Return the exit status of a question: another one where no fact answers it."""
    if facts:
        return 0
    return _NOTHING


def _stats(_: argparse.Namespace, memory: Memory, console: Console) -> int:
    found = memory.facts.stats()
    if console.as_json:
        console.json(found.to_json())
        return 0
    console.line(f"{count_of(found.total, 'fact')} (of {found.most:,} at the most)")
    for title, counts in (("state", found.states), ("category", found.categories), ("origin", found.origins)):
        console.line(f"  by {title:<9} " + (", ".join(f"{name} {count:,}" for name, count in counts.items()) or "-"))
    console.line(f"  duplicates   {found.duplicates:,}")
    console.line(f"  stale        {found.stale:,} (not said for a year)")
    console.line(f"  not recalled {found.never_recalled:,}")
    for month, count in list(found.months.items())[-12:]:
        console.line(f"  {month}      {count:,}")
    if found.because:
        console.note(found.because)
    return 0


def _reindex(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    from holdfast.surfaces.cli.commands.index import as_json, report

    done = call_operation(memory.facts.reindex, args)
    if console.as_json:
        console.json(as_json(done))
    else:
        report(done, console)
    return 0


def _change(args: argparse.Namespace, memory: Memory, console: Console) -> int:
    if args.action == "forget":
        made = memory.facts.forget(args.id, text=args.text)
    elif args.action == "archive":
        made = memory.facts.archive(args.id)
    else:
        made = memory.facts.restore(args.id)
    if console.as_json:
        console.json(made.to_json())
        return 0
    console.line(f"{made.done.capitalize()}: {made.fact.text}")
    # What was done to several notes is one change to `undo`, and one each to `restore`.
    if len(made.checkpoint_ids) == 1:
        undo = console.command("restore", made.checkpoint_ids[0])
    else:
        undo = console.command("undo")
    console.line(f"Undo with: {undo}")
    if made.because:
        console.note(made.because)
    return 0


def _table(facts: Iterable[Fact], day: date, console: Console) -> None:
    rows = [_row(fact, day) for fact in facts]
    if rows:
        console.table(("ID", "CATEGORY", "ORIGIN", "WEIGHT", "SAID", "STATE", "FACT"), rows)


def _row(fact: Fact, day: date) -> tuple[str, ...]:
    said, state = "", ""
    if fact.said_last is not None:
        said = fact.said_last.isoformat()
    if not fact.live(day):
        state = fact.state(day).value
    text = fact.text.replace("\n", " ")
    return fact.id or "-", fact.category.value, fact.origin.value, f"{fact.importance:g}", said, state, text
