"""Labelled sets in one format: rows of text and questions whose answers are rows, by session and by row.

A folder a set, its files packed (`.xz`) or not: `corpus.jsonl` {id, text, [space], [session], [ord], [role], [date]}
and `queries.jsonl` {id, query, gold, kind, [space], [gold_sessions], [before], [context], [turn], [stale], [date]}. A
space is one memory. A session becomes a note, named and headed by its date and number, never by its id, which would
tell what the floor is not told. Rows without a session become files of ten, or a note each where they have several
lines. `before` leaves out what has that place in time or a later one.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from holdfast.errors import NotFound
from holdfast.evaluation.note_shapes import Page, Row, Shape, Written, gold_places, write_pages
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Level, Question

__all__ = ["found_row_sets", "has_row_set", "long_replies", "row_set"]

_FOLDER = "sets"
_CORPUS, _QUERIES = "corpus.jsonl", "queries.jsonl"
_PACKED = ".xz"
_KINDS = frozenset("code decision entity fact memory open_question preference".split())  # roles that name no speaker
_A_FILE = 10  # rows without a session
_FIRST_DAY = date(2026, 1, 1)  # of daily files whose rows have no dates
_REPLIES_FROM = "realmem"
_LONG = 800  # characters of a reply that is long beside a turn
_MOST_REPLIES = 1_000

_Rows = Sequence[Mapping[str, Any]]


def found_row_sets(directory: str) -> list[str]:
    """Return the names of the sets in this format below a data directory."""
    folder = os.path.join(directory, _FOLDER)
    if os.path.isdir(folder):
        names = sorted(os.listdir(folder))
    else:
        names = []
    return [name for name in names if has_row_set(os.path.join(folder, name))]


def has_row_set(folder: str) -> bool:
    """Say whether a folder holds a set in this format."""
    return all(_file(folder, name) is not None for name in (_CORPUS, _QUERIES))


def row_set(directory: str, name: str, shape: Shape = Shape.BULLETS) -> LabelledSet:
    """Return a set by its name below the data directory, or by the path of its folder, as notes in a shape."""
    if os.sep in name:
        folder = name
    else:
        folder = os.path.join(directory, _FOLDER, name)
    title = os.path.basename(os.path.normpath(folder))
    if not has_row_set(folder):
        raise NotFound(f"There is no set in {folder!r}: it needs {_CORPUS} and {_QUERIES}.")
    if shape.has_replies:
        replies = long_replies(directory)
    else:
        replies = ()
    try:
        rows, queries = _lines(folder, _CORPUS), _lines(folder, _QUERIES)
        spaces: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            spaces.setdefault(str(row.get("space", "")), []).append(row)
        asked: dict[str, list[Mapping[str, Any]]] = {}
        for query in queries:
            asked.setdefault(str(query.get("space", "")), []).append(query)
        collections = [
            _collection(f"{number:02}", held, asked.get(space, []), shape, replies)
            for number, (space, held) in enumerate(spaces.items(), 1)
        ]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise NotFound(f"The set in {folder!r} can't be used: it has another shape ({error!r}).") from None
    kept = tuple(collection for collection in collections if collection.questions)
    if not kept:
        raise NotFound(f"The set in {folder!r} can't be used: no question comes out of it.")
    by_session = shape is not Shape.NOTES and any("session" in row for row in rows)
    levels: tuple[Level, ...] = (Level.LINE,)
    if by_session:
        levels = (Level.LINE, Level.NOTE)
    return LabelledSet(title, title, kept, levels, shape.value)


def long_replies(directory: str) -> tuple[str, ...]:
    """Return long answers of an assistant about other things than what is asked."""
    folder = os.path.join(directory, _FOLDER, _REPLIES_FROM)
    if not has_row_set(folder):
        raise NotFound(f"Long replies are taken from the set {_REPLIES_FROM}, which is not in {folder!r}.")
    long = (
        str(row["text"])
        for row in _lines(folder, _CORPUS)
        if row.get("role") == "assistant" and len(row["text"]) >= _LONG
    )
    return tuple(text for text, _ in zip(long, range(_MOST_REPLIES), strict=False))


def _file(folder: str, name: str) -> str | None:
    """Return the path of a file, packed or not; None where there is neither."""
    paths = (os.path.join(folder, name), os.path.join(folder, name + _PACKED))
    return next(filter(os.path.isfile, paths), None)


def _lines(folder: str, name: str) -> list[Mapping[str, Any]]:
    path = _file(folder, name) or os.path.join(folder, name)
    open_text: Callable[..., Any] = open
    if path.endswith(_PACKED):
        open_text = partial(lzma.open, mode="rt")
    try:
        with open_text(path, encoding="utf-8") as stream:
            return [json.loads(line) for line in stream if line.strip()]
    except (lzma.LZMAError, EOFError, OSError) as error:
        raise NotFound(f"{path!r} can't be read ({error}). Get it anew.") from None


def _collection(name: str, rows: _Rows, queries: _Rows, shape: Shape, replies: Sequence[str]) -> Collection:
    written = write_pages(_pages(rows, shape), shape, replies)
    questions = tuple(_questions(queries, written))
    has_past = any(asked.before is not None for asked in questions)
    order = {written.places[str(row["id"])][0]: int(row["ord"]) for row in rows if has_past and "ord" in row}
    moments = [asked.asked for asked in questions if asked.asked is not None]
    dates = [_day(row["date"]) for row in rows if "date" in row]
    last = None
    if dates:
        last = datetime.combine(max(dates) + timedelta(days=1), time(12), UTC).timestamp()
    return Collection(name, written.notes, questions, written.turns, max(moments, default=last), order)


def _pages(rows: _Rows, shape: Shape) -> Iterator[Page]:
    sessions: dict[str, list[Mapping[str, Any]]] = {}
    loose: list[Mapping[str, Any]] = []
    for row in rows:
        if "session" in row:
            held = sessions.setdefault(str(row["session"]), [])
        else:
            held = loose
        held.append(row)
    for number, held in enumerate(sessions.values(), 1):
        stem, heading = f"session-{number:04}", f"Session {number}"
        if "date" in held[0]:
            day = _day(held[0]["date"]).isoformat()
            stem, heading = f"{day}-{stem}", f"{heading}: {day}"
        yield Page(f"{shape.folder}/{stem}.md", heading, tuple(map(_row, held)))
    yield from _loose_pages(loose, shape)


def _loose_pages(rows: _Rows, shape: Shape) -> Iterator[Page]:
    """Yield files of ten, named after a day each where rows have an order in time or the shape says so."""
    dated = shape is Shape.DAILY or any("ord" in row for row in rows)
    a_file = 1
    if not any("\n" in str(row["text"]) for row in rows):
        a_file = _A_FILE
    for place, start in enumerate(range(0, len(rows), a_file)):
        day = (_FIRST_DAY + timedelta(days=place)).isoformat()
        stem, heading = (day, day) if dated else (f"notes-{place + 1:04}", f"Notes {place + 1}")
        yield Page(f"{shape.folder}/{stem}.md", heading, tuple(map(_row, rows[start : start + a_file])))


def _row(row: Mapping[str, Any]) -> Row:
    speaker, text = _speaker(row), str(row["text"])
    return Row(str(row["id"]), text.removeprefix(f"{row.get('role')}: ") if speaker else text, speaker)


def _speaker(row: Mapping[str, Any]) -> str:
    role = str(row.get("role") or "")
    if "session" not in row or role in _KINDS:
        return ""
    if role in ("user", "assistant"):
        return role.capitalize()
    return role


def _questions(queries: _Rows, written: Written) -> Iterator[Question]:
    """Yield what is asked and has an answer; `gold_sessions` says no more than where the rows of `gold` lie."""
    for query in queries:
        gold = tuple(Gold(*place) for place in gold_places(map(str, query["gold"]), written.places))
        if not gold or not str(query["query"]).strip():
            continue
        stale = gold_places(map(str, query.get("stale") or ()), written.places)
        moment = None
        if "date" in query:
            moment = datetime.combine(_day(query["date"]), time(12), UTC).timestamp()
        before = query.get("before")
        yield Question(
            text=str(query["query"]),
            category=str(query["kind"]),
            gold=gold,
            slices=tuple(_slices(query)),
            stale=tuple(Gold(*place) for place in stale),
            before=None if before is None else int(before),
            context=tuple(map(str, query.get("context") or ())),
            asked=moment,
        )


def _slices(query: Mapping[str, Any]) -> Iterator[str]:
    if "turn" in query:
        yield "later turn" if query["turn"] else "first turn"
    if "turn_gold" in query:
        yield "rows known" if query["turn_gold"] else "rows unknown"


def _day(text: object) -> date:
    return date.fromisoformat(str(text)[:10])
