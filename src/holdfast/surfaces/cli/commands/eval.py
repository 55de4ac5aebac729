"""`holdfast eval`"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument
from holdfast.plural import clause, count_of, name_few
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import agent_of, open_memory
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.evaluation.configurations import Way
    from holdfast.evaluation.eval_run import Outcome
    from holdfast.evaluation.homes import Homes
    from holdfast.evaluation.sets import LabelledSet, Level

EXAMPLES = """\
  holdfast eval make --out my-questions.jsonl
  holdfast eval run my-questions.jsonl
  holdfast eval run locomo --shape paragraphs --sample 400
  holdfast eval run locomo --level turn --ablate
  holdfast eval prompt locomo --sample 200
  holdfast eval sets
  holdfast eval capture my-messages.jsonl
"""
_PUBLIC = ("locomo", "scifact", "xquad", "xquad-across", "xquad-mixed", "qmd", "docs")
_LEVELS = ("turn", "session", "both")
_SHAPES = ("bullets", "daily", "paragraphs", "replies", "chat", "notes")
_MOST_DRAFTS = 10_000
_ACTIONS = {
    "run": ("ask every question of a set, and score the answers", "holdfast eval run locomo --sample 200"),
    "prompt": (
        "how often what answers a question stands in the prompt that a session makes of it",
        "holdfast eval prompt locomo --sample 200",
    ),
    "page": (
        "a page of Markdown from the figures of many runs",
        "holdfast eval page docs/quality.json --write docs/quality.md",
    ),
    "make": ("draft questions from your notes, for you to edit", "holdfast eval make -n 50 --out my-questions.jsonl"),
    "sets": (
        "the public sets: where they are expected, their licences, and how to get them",
        "holdfast eval sets",
    ),
    "capture": (
        "how well facts are noticed in what a user says: precision and recall by language",
        "holdfast eval capture tests/data/capture --misses 10",
    ),
}


def configure(parser: Parser) -> None:
    """run, prompt, page, make, sets or capture."""
    arguments = {
        "run": _run_arguments,
        "prompt": _prompt_arguments,
        "page": _page_arguments,
        "make": _make_arguments,
        "sets": _add_data,
        "capture": _capture_arguments,
    }
    add_actions(parser, _ACTIONS, arguments)


def _run_arguments(parser: Parser) -> None:
    parser.add_argument(
        "set",
        metavar="SET",
        help="your questions (a .jsonl file, asked in your home), or, asked in new homes: "
        f"{', '.join(_PUBLIC)}, all, the name of a folder in sets/ of the data, or the path of a folder with a set",
    )
    _add_choice(parser)
    parser.add_argument("--context", action="store_true", help="give what was said before a question with it")
    parser.add_argument("--foreign", metavar="SET", help="also ask questions of this set, which have no answer here")
    parser.add_argument("--ablate", action="store_true", help="also with each stage switched off, one at a time")
    parser.add_argument("--way", action="append", metavar="NAME", help="only this way of searching; may be given again")
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="use this model: a directory with an ONNX model, a GGUF file, or a name as in memory.local.model_path",
    )
    parser.add_argument("--beside", metavar="MODEL", help="also as shipped with this model, beside the embedded one")
    parser.add_argument("--homes", metavar="DIR", help="keep the homes made for it here, and use them again")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N questions that were answered worst")
    parser.add_argument("--results", metavar="FILE", help="also keep the figures in this file, for `eval page`")
    parser.add_argument("--write", metavar="FILE", help="also write the figures as a page of Markdown")
    parser.add_argument("--note", metavar="FILE", help="Markdown to end that page with")


def _prompt_arguments(parser: Parser) -> None:
    parser.add_argument("set", metavar="SET", help="a set as for run, asked in new homes")
    _add_choice(parser)


def _page_arguments(parser: Parser) -> None:
    parser.add_argument("results", metavar="FILE", help="what `eval run --results FILE` kept")
    parser.add_argument("--write", required=True, metavar="FILE", help="the page")
    parser.add_argument("--note", metavar="FILE", help="Markdown to end the page with")


def _make_arguments(parser: Parser) -> None:
    parser.add_argument("-n", "--count", type=int, default=50, metavar="N", help="how many at the most (default: 50)")
    parser.add_argument("--out", metavar="FILE", help="write them to this file; it must not exist yet")


def _capture_arguments(parser: Parser) -> None:
    parser.add_argument(
        "messages",
        nargs="+",
        metavar="FILE",
        help="lines of JSON with text, language and facts; or a directory of such",
    )
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N messages that were read wrongly")


def _add_data(parser: Parser) -> None:
    parser.add_argument("--data", metavar="DIR", help="where the public sets are (or HOLDFAST_EVAL_DATA)")


def _add_choice(parser: Parser) -> None:
    """Declare what is asked of which notes."""
    parser.add_argument(
        "--level", choices=_LEVELS, metavar="LEVEL", help="what counts as an answer: turn, session or both"
    )
    parser.add_argument(
        "--shape", choices=_SHAPES, metavar="SHAPE", help=f"how rows are written as notes: {', '.join(_SHAPES)}"
    )
    parser.add_argument("--only", metavar="SLICE", help="only the questions of this category or slice")
    parser.add_argument("--sample", type=int, metavar="N", help="no more than N questions, always the same ones")
    parser.add_argument("--seed", type=int, metavar="S", help="other N questions than without it")
    parser.add_argument("--together", action="store_true", help="all notes of the set in one home, not a home a space")
    parser.add_argument("--set", action="append", dest="settings", metavar="KEY=VALUE", help="a setting for this run")
    _add_data(parser)


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    return {"run": _run, "prompt": _prompt, "page": _page, "make": _make, "sets": _sets, "capture": _capture}[
        args.action
    ](args, console)


def _run(args: argparse.Namespace, console: Console) -> int:
    from holdfast.evaluation.configurations import SHIPPED
    from holdfast.evaluation.eval_run import FLOOR
    from holdfast.evaluation.homes import Homes, put_file

    if args.note and not args.write:
        raise BadArgument("--note", "it goes onto the page that --write names")
    note = _content(args.note)
    ways = _ways(args, console)
    outcomes: list[Outcome] = []
    with Homes(args.homes) as homes:
        for outcome in _outcomes(args, ways, homes, console):
            outcomes.append(outcome)
            # Of an ablation, the table at the end says enough.
            if not console.as_json and (not args.ablate or outcome.way == FLOOR or outcome.way.startswith(SHIPPED)):
                _show(outcome, console, args.misses)
    if args.results:
        from holdfast.evaluation.figures import add_results

        add_results(args.results, outcomes)
        console.note(f"Kept in {args.results}.")
    if args.write:
        from holdfast.evaluation.page import quality_page

        command = _command(args)
        if args.model:
            model = _name_of(args.model)
        else:
            model = ""
        put_file(args.write, quality_page(outcomes, command=command, model=model, sample=args.sample, note=note))
        console.note(f"Written to {args.write}.")
    if console.as_json:
        console.json({"outcomes": [outcome.to_json(misses=args.misses) for outcome in outcomes]})
    elif len(ways) > 1:
        _compare(outcomes, console)
    return 0


def _outcomes(args: argparse.Namespace, ways: Sequence[Way], homes: Homes, console: Console) -> Iterator[Outcome]:
    from holdfast.evaluation.eval_memory import in_own_home, in_temporary_homes, local_model
    from holdfast.evaluation.eval_run import evaluate, floor_of
    from holdfast.evaluation.note_shapes import Shape
    from holdfast.evaluation.own_questions import read_own
    from holdfast.evaluation.set_files import data_directory
    from holdfast.evaluation.set_list import NAMES, known_sets, load_set
    from holdfast.evaluation.sets import with_foreign

    settings = _settings(args.settings or [])
    if args.model:
        settings = {**local_model(args.model), **settings}
    directory = data_directory(args.data)
    if args.set.endswith((".jsonl", ".json")):
        labelled = _selected_questions(read_own(args.set), args)
        ways = [way for way in ways if not way.rebuilds]
        opening = in_own_home(args.home, agent_of(args), settings)
        _name_missing_notes(labelled, args, console)
        yield from evaluate(labelled, ways, opening, levels=_levels(args, labelled), progress=console.progress)
        return
    known = known_sets(directory)
    if args.set not in (*known, "all") and "/" not in args.set:
        raise BadArgument("set", f"{args.set!r} is not one of {', '.join(known)} and all, and no .jsonl file")
    names: Sequence[str] = [args.set]
    if args.set == "all":
        names = NAMES
    for name in names:
        labelled = _selected_questions(load_set(name, directory, Shape(args.shape or Shape.BULLETS)), args)
        if args.foreign:
            labelled = with_foreign(labelled, load_set(args.foreign, directory))
        levels = _levels(args, labelled)
        yield from floor_of(labelled, levels=levels, progress=console.progress)
        opening = in_temporary_homes(homes, labelled.name, settings)
        yield from evaluate(labelled, ways, opening, levels=levels, progress=console.progress, context=args.context)


def _name_missing_notes(labelled: LabelledSet, args: argparse.Namespace, console: Console) -> None:
    """Say which notes the questions name that are not there: their questions score nothing."""
    with open_memory(args) as memory:
        walk = memory.ctx.workspace.walk()
    there = {found.path for found in (*walk.found, *walk.media)}
    named = {gold.path for asked in labelled.collections for question in asked.questions for gold in question.gold}
    missing = sorted(path for path in named - there if path and not path.startswith("sessions/"))  # those are no notes
    if missing:
        console.note(f"There is no such note, so no hit is right for it: {name_few(missing, between=', ')}")


def _prompt(args: argparse.Namespace, console: Console) -> int:
    from holdfast.evaluation.note_shapes import Shape
    from holdfast.evaluation.page import figure, level_name
    from holdfast.evaluation.prompt_evidence import prompt_evidence
    from holdfast.evaluation.set_files import data_directory
    from holdfast.evaluation.set_list import load_set

    labelled = _selected_questions(
        load_set(args.set, data_directory(args.data), Shape(args.shape or Shape.BULLETS)), args
    )
    settings = _settings(args.settings or [])
    found = prompt_evidence(labelled, settings, levels=_levels(args, labelled), progress=console.progress)
    if console.as_json:
        shown = {
            level.value: {name: score.to_json() for name, score in scores.items()} for level, scores in found.items()
        }
        console.json({"set": labelled.name, "shape": labelled.shape, "prompt": shown})
        return 0
    for level, scores in found.items():
        console.styled(
            console.paint(f"{labelled.name}, {level_name(labelled.name, level, labelled.shape)}: in the prompt", "bold")
        )
        console.table(
            ["", "n", "found", "all", "silent", "characters"],
            [
                [
                    name,
                    str(score.questions),
                    *map(figure, (score.found, score.all, score.silent)),
                    f"{score.characters:,.0f}",
                ]
                for name, score in scores.items()
            ],
        )
        console.line()
    return 0


def _page(args: argparse.Namespace, console: Console) -> int:
    from holdfast.evaluation.figures import read_results
    from holdfast.evaluation.homes import put_file
    from holdfast.evaluation.page import quality_page

    note = _content(args.note)
    # Without what names places on this machine.
    names = [os.path.basename(path) for path in (args.results, args.note or "", args.write)]
    command = f"holdfast eval page docs/{names[0]}{clause(' --note {}', names[1])} --write docs/{names[2]}"
    put_file(args.write, quality_page(read_results(args.results), command=command, note=note))
    console.note(f"Written to {args.write}.")
    return 0


def _selected_questions(labelled: LabelledSet, args: argparse.Namespace) -> LabelledSet:
    """The questions that are to be asked."""
    from holdfast.evaluation.sets import SEED, in_one_home, only_slice, sampled

    if args.sample is not None and args.sample < 1:
        raise BadArgument("--sample", "it is the number of questions, 1 or more")
    seed = args.seed
    if seed is None:
        seed = SEED
    kept = sampled(only_slice(labelled, args.only), args.sample, seed)
    if args.together:
        return in_one_home(kept)
    return kept


def _levels(args: argparse.Namespace, labelled: LabelledSet) -> list[Level]:
    """Both for a page; otherwise turns, or lines, where the set has them: notes are found too easily to tell much."""
    from holdfast.evaluation.sets import Level

    shown = args.action == "run" and (args.write or args.results)
    wish = args.level
    if not wish:
        wish = "both" if shown else "turn"
    wanted = {"turn": [Level.LINE], "session": [Level.NOTE], "both": [Level.LINE, Level.NOTE]}[wish]
    return [level for level in labelled.levels if level in wanted] or list(labelled.levels)


def _ways(args: argparse.Namespace, console: Console) -> list[Way]:
    from holdfast.evaluation.configurations import SHIPPED, Way, every_way, named_ways
    from holdfast.evaluation.eval_memory import local_model

    if args.ablate:
        ways, notes = every_way()
        for note in notes:
            console.note(note)
    else:
        ways = named_ways(args.way or [SHIPPED])
    if args.beside:
        ways.insert(1, Way(f"{SHIPPED}, {_name_of(args.beside)}", local_model(args.beside)))
    return ways


def _name_of(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _settings(given: Sequence[str]) -> dict[str, object]:
    from holdfast.settings.toml_edit import parse_value

    settings: dict[str, object] = {}
    for pair in given:
        key, sign, value = pair.partition("=")
        if not sign:
            raise BadArgument("--set", f"{pair!r} is not KEY=VALUE, such as memory.search.vector_weight=0.5")
        settings[key.strip()] = parse_value(key.strip(), value.strip())
    return settings


def _show(outcome: Outcome, console: Console, misses: int) -> None:
    from holdfast.evaluation.page import COLUMNS, figure, level_name

    console.styled(
        console.paint(f"{outcome.set}, {level_name(outcome.set, outcome.level, outcome.shape)}: {outcome.way}", "bold")
    )
    groups = {"all": outcome.overall}
    if len(outcome.categories) > 1:
        groups |= outcome.categories
    console.table(
        ["", "n", *(name.replace("nDCG@10", "nDCG") for name in COLUMNS)],
        [
            [name, str(scores.questions), *(figure(scores[column]) for column in COLUMNS)]
            for name, scores in groups.items()
        ],
    )
    modes = ", ".join(f"{count:,} {mode}" for mode, count in outcome.modes.items())
    console.note(f"p50 {outcome.p50_ms:.1f} ms, p95 {outcome.p95_ms:.1f} ms{clause(' · {}', modes)}")
    for miss in outcome.misses[:misses]:
        console.line(f"  {miss.question}")
        if miss.rank:
            place = f"at {miss.rank}"
        else:
            place = "not found"
        console.styled(console.paint(f"    {miss.category}, {place}: {', '.join(miss.gold)}", "dim"))
        console.styled(console.paint(f"    instead: {', '.join(miss.found) or 'nothing'}", "dim"))
    console.line()


def _compare(outcomes: Sequence[Outcome], console: Console) -> None:
    from holdfast.evaluation.page import figure, level_name

    console.styled(console.paint("all ways", "bold"))
    console.table(
        ["set", "way", "any@5", "any@10", "nDCG@10", "p50 ms"],
        [
            [
                f"{outcome.set}, {level_name(outcome.set, outcome.level, outcome.shape)}",
                outcome.way,
                *(figure(outcome.overall[name]) for name in ("any@5", "any@10", "nDCG@10")),
                f"{outcome.p50_ms:.1f}",
            ]
            for outcome in outcomes
        ],
    )


def _command(args: argparse.Namespace) -> str:
    """The command that makes the page, without what names places on this machine."""
    words = ["holdfast eval run"]
    if args.set in (*_PUBLIC, "all"):
        words.append(args.set)
    else:
        words.append("FILE")
    words.append(clause("--level {}", args.level))
    if args.ablate:
        words.append("--ablate")
    else:
        words += [f'--way "{way}"' for way in args.way or ()]
    words += [f"--set {setting}" for setting in args.settings or ()]
    words.append(clause("--model {}", args.model and _name_of(args.model)))
    words.append(clause("--beside {}", args.beside and _name_of(args.beside)))
    words.append(clause("--sample {}", args.sample))
    page = os.path.basename(args.write or "quality.md")
    return " ".join(filter(None, [*words, f"--write docs/{page}"]))


def _content(path: str | None) -> str:
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BadArgument("--note", f"{path!r} can't be read ({getattr(error, 'strerror', None) or error})") from None


def _make(args: argparse.Namespace, console: Console) -> int:
    import os

    from holdfast.evaluation.eval_memory import notes_of
    from holdfast.evaluation.homes import put_file
    from holdfast.evaluation.question_draft import as_lines, draft

    if not 1 <= args.count <= _MOST_DRAFTS:
        raise BadArgument("--count", f"{args.count} is not between 1 and {_MOST_DRAFTS:,}")
    if args.out and os.path.exists(args.out):
        raise BadArgument("--out", f"{args.out!r} is there already; your edits must not be lost")
    with open_memory(args) as memory:
        drafts = draft(notes_of(memory), args.count)
    if not drafts:
        console.note("There is nothing to ask: the notes have no headings, ids or sentences that tell them apart.")
    if args.out and drafts:
        put_file(args.out, as_lines(drafts))
    if console.as_json:
        console.json({"questions": [question.to_json() for question in drafts], "path": args.out if drafts else None})
    elif not args.out:
        for line in as_lines(drafts).splitlines():
            console.line(line)
    elif drafts:
        console.line(
            f"{count_of(len(drafts), 'question')} written to {args.out}. Edit them, then: "
            + console.command("eval", "run", args.out)
        )
    return 0


def _sets(args: argparse.Namespace, console: Console) -> int:
    from holdfast.evaluation.row_sets import found_row_sets
    from holdfast.evaluation.set_files import SOURCES, data_directory, is_present

    directory = data_directory(args.data)
    further = found_row_sets(directory)
    rows = [(name, source, is_present(directory, name)) for name, source in SOURCES.items()]
    if console.as_json:
        found = [{"name": name, **source._asdict(), "present": here} for name, source, here in rows]
        console.json({"directory": directory, "sets": found, "in_sets": further})
        return 0
    console.line(f"Looked for in {directory} (--data or HOLDFAST_EVAL_DATA names another place):")
    for name, source, here in rows:
        console.line()
        where = "here" if here else "not here"
        console.styled(f"{console.paint(name, 'bold')}  {source.title}, {source.licence}: {where}")
        console.line(f"  from {source.project}")
        console.line(f"  as {source.files}")
    if further:
        console.line()
        console.line(f"In its folder sets, in one format (corpus.jsonl, queries.jsonl): {', '.join(further)}")
    return 0


def _capture(args: argparse.Namespace, console: Console) -> int:
    from holdfast.evaluation.capture import by_language, read_labelled

    scores = by_language(read_labelled(args.messages))
    if console.as_json:
        console.json({name: score.to_json(misses=args.misses) for name, score in scores.items()})
        return 0
    console.table(
        ["", "messages", "without", "facts", "found", "noticed", "right", "precision", "recall"],
        [
            [
                name,
                *(
                    str(count)
                    for count in (score.messages, score.silent, score.expected, score.found, score.noticed, score.right)
                ),
                f"{score.precision:.3f}",
                f"{score.recall:.3f}",
            ]
            for name, score in scores.items()
        ],
    )
    for miss in scores["all"].misses[: args.misses]:
        console.line(f"  {miss.language}: {' '.join(miss.text.split())[:120]}")
        for word, texts in (("wrong", miss.wrong), ("missing", miss.missing)):
            if texts:
                console.styled(console.paint(f"    {word}: {'; '.join(texts)}", "dim"))
    return 0
