"""Holdfast and its peers on the same notes and the same questions, in one table.

python bench/peers.py --work DIR [--data DIR] [--only NAME]… [--sample N] [--results FILE] [--write PAGE]

Each peer is installed into an environment of its own below the work folder, which must not lie in the repository. What
is measured takes the place of what the results hold of the same peer and set; the others stay. `--write` alone makes
the page from the results.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from measure import CommandError
from peer_answers import Given
from peer_environment import ModelServer, Unavailable
from peer_judge import Judged, Scores, judge, totals
from peer_page import FLOOR, Row, page, read_rows, write_rows
from peer_systems import PEERS, Peer, Place

from holdfast.evaluation.baseline import Floor
from holdfast.evaluation.homes import Homes, put_file
from holdfast.evaluation.note_shapes import Shape
from holdfast.evaluation.ranked_ids import rows_of
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Collection, LabelledSet, Level, in_one_home, sampled

_REPOSITORY = Path(__file__).resolve().parents[1]
_SAMPLE = 200  # questions of a set
_DATA = _REPOSITORY.parent / "shared" / "data"


class Asked(NamedTuple):
    """A set as it is asked: in one home, some of its questions."""

    name: str
    shape: Shape
    kinds: frozenset[str] = frozenset()
    """Only questions of these categories, and the notes that such questions are about; all where there are none."""


SETS = (
    Asked("locomo", Shape.BULLETS),
    Asked("friendsqa", Shape.BULLETS),
    # Nothing of search was chosen on it. Two of its four collections of documents: who embeds a note at a time takes
    # ten minutes for all of them.
    Asked("mtrag-un", Shape.NOTES, frozenset({"clapnq", "fiqa"})),
)


def main() -> int:
    """Measure what is asked for, keep it, and write the page."""
    given = _arguments()
    results = Path(given.results)
    rows = read_rows(results)
    if given.work:
        work = Path(given.work).resolve()
        if work.is_relative_to(_REPOSITORY):
            sys.exit("--work must not lie in the repository: environments and copies of notes go there")
        os.environ["HOLDFAST_BENCH_DIR"] = str(work)  # where bench/qmd.py puts QMD
        sets = [(asked, _loaded(asked, given.data, given.sample)) for asked in SETS]
        for row in _measured(given.only or [FLOOR, *PEERS], sets, work):
            print(row.line(), flush=True)
            rows = [one for one in rows if one.key != row.key and not (row.reason and one.peer == row.peer)]
            rows = [*(one for one in rows if not (one.reason and one.peer == row.peer)), row]
            write_rows(results, rows)
    if given.write:
        put_file(given.write, page(read_rows(results)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", help="for environments, copies of the notes and indexes; some 3 GB")
    parser.add_argument("--data", default=str(_DATA), help="the labelled sets, as `holdfast eval sets` says")
    parser.add_argument("--only", action="append", choices=[FLOOR, *PEERS], help="this row; may be said again")
    parser.add_argument("--sample", type=int, default=_SAMPLE, help="questions of each set")
    parser.add_argument("--results", default=str(_REPOSITORY / "docs" / "peers.json"))
    parser.add_argument("--write", help="the page, such as docs/peers.md")
    return parser.parse_args()


def _loaded(asked: Asked, data: str, sample: int) -> LabelledSet:
    """All notes of the set in one home, and a sample of the questions."""
    labelled = load_set(asked.name, data, asked.shape)
    if len(labelled.collections) > 1:
        labelled = in_one_home(labelled)
    (collection,) = labelled.collections
    if asked.kinds:
        labelled = labelled._replace(collections=(_only_kinds(collection, asked.kinds),))
    return sampled(labelled, sample)


def _only_kinds(collection: Collection, kinds: frozenset[str]) -> Collection:
    """The questions of some categories, and every note of the sources that answer them."""
    questions = tuple(asked for asked in collection.questions if asked.category in kinds)
    sources = {_source(gold.path) for asked in questions for gold in asked.gold}
    notes = {path: text for path, text in collection.notes.items() if _source(path) in sources}
    turns = {path: held for path, held in collection.turns.items() if path in notes}
    return collection._replace(notes=notes, questions=questions, turns=turns)


def _source(path: str) -> str:
    """`memory/session-0003` of `memory/session-0003-017.md`."""
    return path.rpartition("-")[0]


def _measured(names: Sequence[str], sets: Sequence[tuple[Asked, LabelledSet]], work: Path) -> Iterator[Row]:
    today = datetime.now(tz=UTC).date().isoformat()
    if FLOOR in names:
        for asked, labelled in sets:
            yield _floor_row(asked, labelled)._replace(measured=today)
    chosen = [PEERS[name](work) for name in names if name != FLOOR]
    server = _model_server(work) if any(peer.wants_model for peer in chosen) else None
    try:
        for peer in chosen:
            yield from (row._replace(measured=today) for row in _peer_rows(peer, sets, work, server))
    finally:
        if isinstance(server, ModelServer):
            server.close()


def _model_server(work: Path) -> ModelServer | str:
    """The server, or why there is none."""
    try:
        return ModelServer(work)
    except Unavailable as reason:
        return str(reason)


def _peer_rows(
    peer: Peer, sets: Sequence[tuple[Asked, LabelledSet]], work: Path, server: ModelServer | str | None
) -> Iterator[Row]:
    told = Row(peer.name, mode=peer.mode, through=peer.through, note=peer.note)
    if peer.wants_model and not isinstance(server, ModelServer):
        yield told._replace(reason=f"the model that it would be given is not here: {server}")
        return
    try:
        told = told._replace(version=peer.prepare())
    except Unavailable as reason:
        yield told._replace(reason=str(reason))
        return
    url = server.url if isinstance(server, ModelServer) else ""
    for asked, labelled in sets:
        try:
            yield _row(peer, told, asked, labelled, work, url)
        except (CommandError, OSError) as reason:
            yield told._replace(set=asked.name, reason=str(reason).replace(str(work), "…")[:300])


def _row(peer: Peer, told: Row, asked: Asked, labelled: LabelledSet, work: Path, url: str) -> Row:
    """One peer on one set: a copy of the notes, an index, the questions."""
    (collection,) = labelled.collections
    scratch = work / "runs" / peer.name.replace(" ", "") / asked.name
    shutil.rmtree(scratch, ignore_errors=True)
    place = Place(Path(Homes(str(scratch)).of("home", collection)), scratch / "state", url)
    place.state.mkdir(parents=True)
    cost = peer.index(place)
    asker = peer.open(place)
    try:
        asker.ask(collection.questions[0].text)  # what is loaded once is not the question's cost
        answers, took = [], []
        for question in collection.questions:
            given, seconds = asker.ask(question.text)
            answers.append(judge(collection, question, given))
            took.append(seconds)
        peak = max(cost.rss, asker.peak())
    finally:
        asker.close()
    return _counted(told, asked, collection, totals(answers))._replace(
        p50_ms=round(statistics.median(took) * 1000, 2),
        index_s=round(cost.wall, 1),
        index_cpu_s=round(cost.cpu, 1),
        peak_mb=round(peak / 1e6),
    )


def _counted(told: Row, asked: Asked, collection: Collection, scores: Scores) -> Row:
    by_line = asked.shape is not Shape.NOTES  # else a note is one row, and says no more
    return told._replace(
        set=asked.name,
        notes=len(collection.notes),
        questions=scores.questions,
        note_5=scores.note_5,
        note_10=scores.note_10,
        line_5=scores.line_5 if by_line else None,
        line_10=scores.line_10 if by_line else None,
        read=scores.read if by_line else None,
        nothing=scores.nothing,
        cores=os.cpu_count() or 1,
    )


def _floor_row(asked: Asked, labelled: LabelledSet) -> Row:
    """The floor of docs/quality.md before the same judge: plain FTS5 on notes, and on rows where lines are counted."""
    (collection,) = labelled.collections
    began = time.perf_counter()
    notes, rows = Floor(rows_of(collection, Level.NOTE)), Floor(rows_of(collection, Level.LINE))
    built = time.perf_counter() - began
    answers, took = [], []
    for question in collection.questions:
        began = time.perf_counter()
        found = rows.search(question.text)
        took.append(time.perf_counter() - began)
        by_line = judge(collection, question, [_row_given(name, collection) for name in found])
        by_note = judge(collection, question, [Given(name, "") for name in notes.search(question.text)])
        answers.append(Judged(by_note.notes, by_line.lines, by_line.read, by_note.gold_notes, by_line.gold_lines))
    told = Row(FLOOR, mode="keywords", through="SQLite in this process", note="Two indexes, of notes and of rows.")
    return _counted(told, asked, collection, totals(answers))._replace(
        p50_ms=round(statistics.median(took) * 1000, 2), index_s=round(built, 1)
    )


def _row_given(name: str, collection: Collection) -> Given:
    path, _, line = name.partition("#")
    first = int(line)
    last = collection.turns[path][first]
    return Given(path, "\n".join(collection.notes[path].split("\n")[first - 1 : last]), (first, last))


if __name__ == "__main__":
    sys.exit(main())
