"""LoCoMo: ten long conversations between two people, and questions whose answers are single turns.

Written as an export of sessions would be: a note a session, named and headed by its date, one bullet a turn (or in
another shape). A turn's lines are an answer (the turn level), and so is its note (the session level). Questions are
asked the day after the last session. Evidence such as `D8:6; D9:17` or `D30:05` is taken apart; four questions name no
turn that exists and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from holdfast.evaluation.note_shapes import Page, Row, Shape, write_pages
from holdfast.evaluation.row_sets import long_replies
from holdfast.evaluation.set_files import bad_file_error, read_json
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Level, Question, one_line

__all__ = ["CATEGORIES", "locomo"]

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_FILE = "locomo/locomo10.json"
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):(\d+)")
_WHEN = re.compile(r"(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)")
_MONTHS = "January February March April May June July August September October November December".split()


def locomo(directory: str, shape: Shape = Shape.BULLETS) -> LabelledSet:
    """Return the whole set, its turns written as notes in a shape."""
    if shape.has_replies:
        replies = long_replies(directory)
    else:
        replies = ()
    try:
        samples = [_collection(sample, shape, replies) for sample in read_json(directory, "locomo", _FILE)]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise bad_file_error("locomo", _FILE, f"it has another shape ({error})") from None
    return LabelledSet("locomo", "LoCoMo", tuple(samples), (Level.LINE, Level.NOTE), shape.value)


def _collection(sample: Mapping[str, Any], shape: Shape, replies: Sequence[str]) -> Collection:
    talk = sample["conversation"]
    pages: list[Page] = []
    moments: list[datetime] = []
    for number in sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(key))):
        when = _moment(talk[f"session_{number}_date_time"])
        moments.append(when)
        rows = [
            Row(str(turn["dia_id"]), _text_of_turn(turn), str(turn["speaker"])) for turn in talk[f"session_{number}"]
        ]
        path = f"{shape.folder}/{when:%Y-%m-%d}-session-{number}.md"
        pages.append(Page(path, f"Session {number}: {_write_moment(when)}", tuple(rows)))
    written = write_pages(pages, shape, replies)
    places = {
        (int(session), int(turn)): Gold(*place)
        for name, place in written.places.items()
        for session, turn in _TURN.findall(name)
    }
    asked = max(moments) + timedelta(days=1)
    questions = tuple(_questions(sample["qa"], places))
    return Collection(str(sample["sample_id"]), written.notes, questions, written.turns, asked.timestamp())


def _questions(asked: list[Mapping[str, Any]], places: Mapping[tuple[int, int], Gold]) -> Iterator[Question]:
    for entry in asked:
        named = _TURN.findall(" ".join(map(str, entry.get("evidence") or ())))
        gold = dict.fromkeys((int(session), int(turn)) for session, turn in named)
        found = tuple(places[key] for key in gold if key in places)
        if found:
            yield Question(str(entry["question"]), CATEGORIES[int(entry["category"])], found)


def _text_of_turn(turn: Mapping[str, Any]) -> str:
    caption = one_line(str(turn.get("blip_caption") or ""))
    return one_line(f"{turn['text']} [image: {caption}]" if caption else str(turn["text"]))


def _moment(text: str) -> datetime:
    """Read `1:56 pm on 8 May, 2023`; not by strptime, which asks the locale for the months' names."""
    found = _WHEN.fullmatch(one_line(text))
    if found is None:
        raise ValueError(f"{text!r} is no date")
    hour, minute, half, day, month, year = found.groups()
    hours = int(hour) % 12
    if half == "pm":
        hours += 12
    return datetime(int(year), _MONTHS.index(month) + 1, int(day), hours, int(minute), tzinfo=UTC)


def _write_moment(when: datetime) -> str:
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}, {when:%H:%M}"
