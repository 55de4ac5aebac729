"""`holdfast search`"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial

from holdfast.guard.origin import Origin
from holdfast.index.store_contract import Word
from holdfast.markdown.fact_row import Fact
from holdfast.operations.memory_search import memory_search
from holdfast.plural import clause, count_of
from holdfast.search.hit import CONTRIBUTIONS, DOUBT, EVIDENCE, UNLIKELY, WAITS, Hit, Results
from holdfast.search.query import question_of
from holdfast.search.snippet import lines_around, marked
from holdfast.surfaces.cli.command_memory import agent_of, must_exist, near_agents, opened, tell_of_damage
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, argument_names, call_operation
from holdfast.surfaces.cli.server_answer import server_answer

EXAMPLES = """\
  holdfast search "what did we decide about the database?"
  holdfast search INC-43948-QJV -n 1
  holdfast search "launch date" --json
  holdfast search "what did we decide last week?" --in memory/projects --since 30d
  holdfast search "how do I like my tea?" --category preference --min-importance .7
  holdfast search "which account do we pay to?" --min-trust user
  holdfast search --since yesterday
"""
_LINES = 8
_NEXT_TO_NOTHING = 1e-6  # of a score; what is less than that is not shown
_OWN = (Origin.USER, Origin.OUTSIDE)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the question, and how many answers."""
    add_positional(
        parser,
        memory_search,
        "query",
        "QUERY",
        nargs="?",
        default="",
        text='a question, a topic, a name or an id; also "a phrase", -without and begin*; '
        "none with --since or --until: all notes of that time, newest first",
    )
    option = partial(add_option, parser, memory_search)
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
    if args.query.strip():
        words = question_of(args.query).words
    else:
        words = ()
    if results.results and not results.likely:
        console.line(UNLIKELY)
        console.line()
    for hit in results.results:
        _show(hit, words, console, explain=args.explain)
    if args.explain and results.window:
        console.note(results.window)
    _tail(results, console)
    if empty_home and args.tenant is not None:
        console.note(f"The agent {agent_of(args)!r} of the tenant {args.tenant!r} has no notes yet.")
    elif empty_home:
        _tell_of_emptiness(empty_home, agent_of(args), console)
    return 0


def _found_at_server(args: argparse.Namespace) -> Results | None:
    """Return what the server of the home finds; None without one, or where it is to be said why nothing is found."""
    asked = {name: value for name in argument_names(memory_search) if (value := getattr(args, name, None)) is not None}
    found = server_answer(args, "search", asked)
    if isinstance(found, Results) and found.results:
        return found
    return None


def _found_here(args: argparse.Namespace, console: Console) -> tuple[Results, str]:
    """Return what the memory finds that is opened for it, and the place of the home where that has no notes at all."""
    with opened(args) as memory:
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
        console.note(f"There are no notes in {home} yet. `holdfast save` writes one; --home names another home.")
        return
    near = near_agents(home, agent)
    if near:
        hint = f"Did you mean {' or '.join(map(repr, near))}?"
    else:
        hint = "--agent names another."
    console.note(f"The agent {agent!r} has no notes in {home} yet. {hint}")


def _show(hit: Hit, words: Sequence[Word], console: Console, *, explain: bool) -> None:
    others = sorted(first for first, last in hit.ranges if not first <= hit.start_line <= last)
    place = ", ".join((f"{hit.path}#{hit.start_line}", *map("#{}".format, others)))
    if hit.likely:
        score = f"score {hit.score:.3f}"
    else:
        score = f"score {hit.score:.3f}  {DOUBT}"
    console.styled(f"{console.paint(place, 'cyan', 'bold')}  {console.paint(score, 'dim')}")
    for line in lines_around(hit.snippet, hit.snippet_line, _LINES):
        shown = f"  {line}"
        console.marked(shown, marked(shown, words))
    if hit.fact is not None:
        console.styled(console.paint(f"  {_told(hit.fact)}", "dim"))
    elif hit.origin is not None and (explain or hit.origin not in _OWN):
        console.styled(console.paint(f"  {hit.origin}", "dim"))
    if hit.newer:
        console.styled(console.paint(f"  a newer line says otherwise: {hit.newer}", "yellow"))
    if hit.older:
        console.styled(console.paint(f"  newer than {hit.older}, which says otherwise", "dim"))
    if hit.waits:
        console.styled(console.paint(f"  {WAITS} (`holdfast inbox`)", "dim"))
    if hit.citation:
        console.styled(console.paint(f"  {hit.citation}", "dim"))
    if explain:
        for row in _explained(hit):
            console.styled(console.paint(f"    {row}", "dim"))
    console.line()


def _explained(hit: Hit) -> Iterator[str]:
    """Yield what a score is made of, in three groups, and the chunk's id."""
    parts = {name: value for name, value in hit.explain.items() if abs(value) >= _NEXT_TO_NOTHING}
    score = parts.pop("score", hit.score)
    added = {name: value for name, value in parts.items() if name in CONTRIBUTIONS}
    evidence = {name: parts[name] for name in EVIDENCE if name in parts}
    origin = {name: value for name, value in parts.items() if name not in added and name not in evidence}
    groups = {
        "adds up": {**added, "score": score},
        "comes from": origin,
        "how likely": {**evidence, "confidence": hit.confidence},
    }
    for title, rows in groups.items():
        if rows:
            yield f"{title}:"
        yield from (f"  {name:<14} {value:.6g}" for name, value in rows.items())
    yield f"found by       {hit.found_by}"
    yield f"chunk          {hit.chunk_id}"


def _told(fact: Fact) -> str:
    """A fact in a line: `preference · user · importance 0.8 · 2026-11-15 · superseded`."""
    parts = [fact.category, fact.origin, f"importance {fact.importance:g}"]
    if fact.observed is not None:
        parts.append(fact.observed.isoformat())
    if fact.superseded:
        parts.append("superseded")
    return " · ".join(parts)


def _tail(results: Results, console: Console) -> None:
    count = len(results.results)
    if count:
        found = count_of(count, "hit")
    else:
        found = "No hits"
    because = clause(" · {}", results.because)
    who = ""
    if results.backend != "builtin":
        who = f"{results.backend}, "
    console.note(f"{found} · {who}{results.mode}{because} · {results.took_ms:.1f} ms")
