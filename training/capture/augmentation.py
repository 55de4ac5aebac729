"""Labelled messages → more of them: statements framed so that they are nobody's, two joined by "and", words in a row,
statements behind a word of thanks or praise, and before or behind a page that somebody pastes; and pages cut anew.

The words around and between are `training/data/capture/frames.json`. A message that is made this way teaches only where
all of those that it is made of do.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

FRAMES = Path(__file__).resolve().parents[1] / "data" / "capture" / "frames.json"
_LONGEST = 90  # characters of a statement that is framed or joined
_FRAMED, _JOINED, _IN_A_ROW, _LED_IN = 800, 260, 50, 160  # messages of a language, at most
_TIMES = 2  # that a statement is framed, where a language has few
_WIDE = ("zh", "ja")
_STOPS = ".!?。！？ "
_SENTENCE_END = re.compile(r"(?<=[.!?]) |(?<=[。！？])")
Row = dict[str, Any]


def made_rows(rows: list[Row], rng: random.Random) -> list[Row]:
    """Return messages made of labelled ones, each with the names of the files that it is made of."""
    by_language: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if _is_statement(row):
            by_language[row["language"]].append(row)
    made: list[Row] = []
    for language, words in json.loads(FRAMES.read_text("utf-8")).items():
        if language == "note":
            continue
        statements = by_language[language]
        rng.shuffle(statements)
        framed = (statements * _TIMES)[:_FRAMED]
        made += [_framed(row, words["frames"], rng) for row in framed]
        if words["and"] and len(statements) > 1:
            pairs = [rng.sample(statements, 2) for _ in range(min(_JOINED, len(statements)))]
            made += [_joined(*pair, words, rng) for pair in pairs]
        made += [_led_in(row, words["before"], rng) for row in rng.sample(statements, min(_LED_IN, len(statements)))]
        made += [_in_a_row(language, words["row"].split(), rng) for _ in range(_IN_A_ROW)]
    return [row | {"row": number} for number, row in enumerate(made)]


def beside_pages(rows: list[Row], pages: list[Row], rng: random.Random) -> list[Row]:
    """Return a statement before or behind each page: what surrounds it takes nothing from what somebody tells."""
    by_language: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if _is_statement(row):
            by_language[row["language"]].append(row)
    made: list[Row] = []
    for page in pages:
        if not (statements := by_language[page["language"]]):
            continue
        row, gap = rng.choice(statements), rng.choice(("\n", "\n\n"))
        said = row["text"].strip()
        text = f"{said}{gap}{page['text']}" if rng.random() < 0.6 else f"{page['text']}{gap}{said}"
        made.append(_made(page["language"], "aside", text, row["facts"], row["file"], page["file"]))
    return [row | {"row": number} for number, row in enumerate(made)]


def cut_pages(rows: list[Row], rng: random.Random) -> list[Row]:
    """Return each page once as a sentence of its own and once between sentences of another page of its language."""
    by_language: dict[str, list[list[str]]] = defaultdict(list)
    for row in rows:
        if row.get("kind") == "pages":
            by_language[row["language"]].append(_SENTENCE_END.split(row["text"]))
    made: list[Row] = []
    for language, pages in by_language.items():
        gap = "" if language in _WIDE else " "
        for page in pages:
            made.append(_made(language, "cut page", rng.choice(page), [], "pages"))
            other = rng.choice(pages)
            text = gap.join([*other[: rng.randint(1, len(other))], *page[rng.randint(0, 1) :]])
            made.append(_made(language, "cut page", text, [], "pages"))
    return [row | {"row": number} for number, row in enumerate(made)]


def _is_statement(row: Row) -> bool:
    """Say whether a message is one short sentence that tells something, and nothing else."""
    text = row["text"].rstrip(_STOPS)
    due = [fact for fact in row["facts"] if not fact.get("may")]
    signs = '.?!:;\n"“「。？！：；'
    return bool(due) and len(text) < _LONGEST and not any(sign in text for sign in signs) and "?" not in row["text"]


def _framed(row: Row, frames: list[str], rng: random.Random) -> Row:
    frame = rng.choice(frames)
    text = frame.replace("{}", _bare(row["text"], small=not frame.startswith("{}") and ": {}" not in frame))
    return _made(row["language"], "framed", text, [], row["file"])


def _joined(first: Row, second: Row, words: dict[str, Any], rng: random.Random) -> Row:
    begun, more = _bare(first["text"]), _bare(second["text"], small=True)
    subject = words["drop"]
    both = begun.startswith(f"{subject} ") and more.casefold().startswith(f"{subject.casefold()} ")
    if both and rng.random() < 0.6:
        more = more[len(subject) + 1 :]
    wide = first["language"] in _WIDE
    text = f"{begun}{words['and']}{more}" if wide else f"{begun} {words['and']} {more}"
    if rng.random() < 0.5:
        text += "。" if wide else "."
    return _made(first["language"], "joined", text, first["facts"] + second["facts"], first["file"], second["file"])


def _led_in(row: Row, before: list[str], rng: random.Random) -> Row:
    gap = "" if row["language"] in _WIDE else rng.choice((" ", " ", "\n"))
    return _made(
        row["language"], "led in", f"{rng.choice(before)}{gap}{row['text'].strip()}", row["facts"], row["file"]
    )


def _in_a_row(language: str, words: list[str], rng: random.Random) -> Row:
    start = rng.randrange(len(words) - 4)
    some = words[start : start + rng.randint(3, 9)] if rng.random() < 0.5 else rng.sample(words, rng.randint(3, 9))
    return _made(language, "row", rng.choice((" ", " ", ", ")).join(some), [])


def _bare(text: str, *, small: bool = False) -> str:
    """Return a statement without its stop, and with a small letter before it unless that is a name or "I"."""
    text = text.strip().rstrip(_STOPS)
    keeps = text[:2] in ("I ", "I'") or text[1:2].isupper()
    return text if keeps or not small else text[:1].lower() + text[1:]


def _made(language: str, kind: str, text: str, facts: list[Any], *files: str) -> Row:
    return {"language": language, "kind": kind, "text": text, "facts": facts, "file": kind, "made_of": files}
