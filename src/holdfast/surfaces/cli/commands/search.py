"""`holdfast search`"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.command_memory import agent_of, must_exist, near_agents, open_memory, tell_of_damage
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, argument_names, call_operation
from holdfast.surfaces.cli.server_answer import server_answer

if TYPE_CHECKING:
    from holdfast.search.hit import Results

EXAMPLES = """\
  holdfast search "what did we decide about the database?"
  holdfast search INC-43948-QJV -n 1
  holdfast search "launch date" --json
  holdfast search "what did we decide last week?" --in memory/projects --since 30d
  holdfast search "how do I like my tea?" --category preference --min-importance .7
  holdfast search "which account do we pay to?" --min-trust user
  holdfast search --since yesterday
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the question, and how many answers."""
    add_positional(
        parser,
        "memory_search",
        "query",
        "QUERY",
        nargs="?",
        default="",
        text='a question, a topic, a name or an id; also "a phrase", -without and begin*; '
        "none with --since or --until: all notes of that time, newest first",
    )
    option = partial(add_option, parser, "memory_search")
    option("max_results", "-n", "--limit", "--max-results")
    option("min_score", metavar="S")
    option("min_confidence", metavar="C")
    option("path", "--in", metavar="PATH")
    option("source")
    option("since", metavar="DAY")
    option("until", metavar="DAY")
    option("project", metavar="PATH")
    option("category")
    option("origin")
    option("min_importance", metavar="I")
    option("min_trust", metavar="ORIGIN")
    option("context", metavar="TEXT", note="; may be given again")
    option("by_passage")
    parser.add_argument(
        "--explain", action="store_true", help="show what each score is made of, and how likely each hit answers"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Search and print the hits, best first."""
    results, empty_home = _found_at_server(args), ""
    if results is None:
        results, empty_home = _found_here(args, console)
    if console.as_json:
        console.json(results.to_json(explain=args.explain))
        return 0
    from holdfast.surfaces.cli.hit_text import show_results

    show_results(results, args.query, console, explain=args.explain)
    if empty_home and args.tenant is not None:
        console.note(f"The agent {agent_of(args)!r} of the tenant {args.tenant!r} has no notes yet.")
    elif empty_home:
        _tell_of_emptiness(empty_home, agent_of(args), console)
    return 0


def _found_at_server(args: argparse.Namespace) -> Results | None:
    """Return what the server of the home finds; None without one, or where it is to be said why nothing is found."""
    asked = {
        name: value for name in argument_names("memory_search") if (value := getattr(args, name, None)) is not None
    }
    found = server_answer(args, "search", asked)
    if found is None:
        return None
    from holdfast.search.hit import Results

    if isinstance(found, Results) and found.results:
        return found
    return None


def _found_here(args: argparse.Namespace, console: Console) -> tuple[Results, str]:
    """Return what the memory finds that is opened for it, and the place of the home where that has no notes at all."""
    with open_memory(args) as memory:
        results = call_operation(memory.search, args)
        tell_of_damage(memory, console)
        if args.path is not None and not results.results:
            must_exist(memory, args.path, folders=True)
        if results.results or memory.ctx.database.counts().notes:
            return results, ""
        return results, memory.home


def _tell_of_emptiness(home: str, agent: str, console: Console) -> None:
    """Say that there is nothing to search, and whose notes may be meant."""
    from holdfast.notes.layout import MAIN

    if agent == MAIN:
        save = console.command("save", "TEXT")
        console.note(f"There are no notes in {home} yet. `{save}` writes one; --home names another home.")
        return
    near = near_agents(home, agent)
    if near:
        hint = f"Did you mean {' or '.join(map(repr, near))}?"
    else:
        hint = "--agent names another."
    console.note(f"The agent {agent!r} has no notes in {home} yet. {hint}")
