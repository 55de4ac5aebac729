"""Labelled messages, and messages without labels → the arrays that networks learn from.

A label's words mark the clauses that they stand in as kept. Of the other clauses of such a sentence only requests and
questions count as not kept, since a label names one of several clauses that say it.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterable
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from augmentation import made_rows
from holdfast.facts.capture.sentence_classifier import CATEGORIES
from holdfast.facts.capture.sentence_features import Message, read_message, word_hashes
from holdfast.facts.capture.word_vectors import WordVectors

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "training" / "data" / "capture", ROOT / "tests" / "data" / "capture")
SEALED = "third_hand_sealed"  # nothing here reads it
HELD_BACK = "held_back"  # a file whose name begins so measures what ships and teaches nothing
CROWD = ("crowd_one", "crowd_two", "crowd_three")  # 84 persons, each in one of them
PAGES = ("pages", "statements", "turns", "demands", "elsewhere")
JUDGES = ("talk_more", "lookalikes_more", "silent_more", "voices_more", "strangers", "newcomers", "guests", "visitors")
"""Files that were held back until they had been asked too often; they teach since the evening of 18 November 2026."""
EVENING = ("silent_talk", "long_turns", "households", "twins", "trades", *JUDGES)
WAITING = ("replies", "tempters", "plans", "commonplaces", *CROWD, *PAGES, *EVENING)  # after what `refine.py` makes
CHATS = tuple(f"chat_{language}" for language in ("de", "fr", "es", "pt", "it", "nl", "zh", "ja"))
SECOND = ("second_hand", "second_hand_more", "second_hand_last")
FOLDS = (
    ("en_short", "third_hand", "third_hand_more", "plain_en"),
    ("de_fr_nl_it", "tempting", "coding_en", "held_out_second_hand", *SECOND),
    ("es_pt_zh_ja", "cap_en_de", "events_en", *CHATS),  # the chats tell like things: left out together
    ("en_long", "en_tempting", "cap_romance", "talk_en", "long_en", "silent_en"),
)  # fmt: skip
"""Files left out together. `lookalikes`, `cap_more` and those of the first hand are in none, and teach every fold."""
_LONELY = (
    "tempting", "en_tempting", "silent_en", "silent_more", "lookalikes", "lookalikes_more", "silent_talk", "twins",
    "demands", "framed", "joined", "row",
)  # fmt: skip
"""What such a message says of itself would hold for one that is joined to it."""
_OLD_WEIGHT = 0.6  # labels by other guidelines
_MADE_WEIGHT = 0.5
_OTHER_KIND = 0.3  # of the categories that a label allows, those behind the first
_MOST_PIECES = 12  # of a word, for the teachers
_state: dict[str, Any] = {}


def label_files() -> dict[str, Path]:
    """Return the files of labels by name."""
    return {path.stem: path for folder in FOLDERS for path in sorted(folder.glob("*.jsonl")) if path.stem != SEALED}


def held_back() -> list[str]:
    """Return the names of the files that teach no model."""
    return [name for name in label_files() if name.startswith(HELD_BACK)]


def unheard() -> set[str]:
    """Return the names of the files of which `train.py` and `refine.py` learn nothing."""
    return {*held_back(), *WAITING}


def read_samples(work: Path, step: int, processes: int) -> tuple[list[dict[str, Any]], np.ndarray, np.ndarray]:
    """Return every message, or every so many, and the vectors and hashes of all words in them."""
    rows: list[dict[str, Any]] = []
    for name, path in label_files().items():
        for number, line in enumerate(path.read_text("utf-8").split("\n")):
            if line.strip() and number % step == 0:
                rows.append(json.loads(line) | {"file": name, "row": number})
    rows += made_rows([row for row in rows if row["file"] not in unheard()], random.Random(9))
    with lzma.open(work / "unlabelled.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows += [json.loads(line) | {"file": "", "row": n} for n, line in enumerate(lines) if n % (step * step) == 0]
    with Pool(processes, _start, (work,)) as pool:
        made = [one for one in pool.map(_sample, rows, chunksize=64) if one is not None]
    numbers: dict[str, int] = {}
    for one in made:
        one["ids"] = np.array([numbers.setdefault(word, len(numbers)) for word in one.pop("words")], np.int32)
        one["size"] = {"words": len(one["ids"]), "use": len(one["use"][0]), "mini": len(one["mini"][0])}
    words, vectors = list(numbers), WordVectors()
    table = np.concatenate([vectors.of(words[at : at + 500]) for at in range(0, len(words), 500)])
    return made, table.astype(np.float16), np.array([word_hashes(word) for word in words], np.int64)


def read_alone(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages for a student alone: without what its teachers would read of them."""
    _state["vectors"] = WordVectors()
    return [one for one in map(_sample, rows) if one is not None]


def _start(work: Path) -> None:
    from sentencepiece import SentencePieceProcessor
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    _state.update(
        vectors=WordVectors(),
        use=SentencePieceProcessor(model_file=str(work / "sp.model")),
        mini=tokenizer,
    )


def _sample(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return a message with what is known of its clauses: 1, 0, or -1 where it does not count."""
    message = read_message(row["text"], _state["vectors"].cut)
    if not message.parts:
        return None
    count = len(message.parts)
    keep, kinds, importance = np.zeros(count), np.zeros((count, len(CATEGORIES))), np.full(count, -1.0)
    for fact in row.get("facts", ()):
        names = [fact["category"]] if isinstance(fact["category"], str) else fact["category"]
        for at in _told_clauses(message, [word.casefold() for word in fact["words"]]):
            if fact.get("may"):
                keep[at] = keep[at] or -1
            else:
                keep[at], importance[at] = 1, fact.get("importance", -1.0)
                kinds[at] = [_kind_weight(kind.value, names) for kind in CATEGORIES]
    kept = {part.sentence for part, is_kept in zip(message.parts, keep, strict=True) if is_kept == 1}
    for at, part in enumerate(message.parts):
        if keep[at] == 0 and part.sentence in kept and not (part.own and message.asked[part.sentence]):
            keep[at] = -1
    weight = _MADE_WEIGHT if "made_of" in row else _file_weight(row["file"])
    spans = [(part.first, part.last, *message.bounds[part.sentence], part.sentence) for part in message.parts]
    floats = {
        "shapes": message.shapes, "part_shapes": [part.shape for part in message.parts],
        "keep": keep, "kinds": kinds, "importance": importance,
    }  # fmt: skip
    return {name: np.asarray(array, np.float32) for name, array in floats.items()} | {
        "words": message.words, "spans": np.array(spans, np.int32),
        "use": _pieces(message.words, _use_pieces), "mini": _pieces(message.words, _mini_pieces),
        "language": row.get("language") or row.get("lang", ""), "file": row["file"], "row": row["row"],
        "made_of": row.get("made_of", ()), "weight": weight, "soft": 0,
    }  # fmt: skip


@cache
def _file_weight(name: str) -> float:
    path = label_files().get(name)
    return _OLD_WEIGHT if path is not None and FOLDERS[1] in path.parents else 1.0


def _kind_weight(kind: str, names: list[str]) -> float:
    """Return how right a category is: of several that a label allows, the first is the one to learn."""
    if kind not in names:
        return 0.0
    return 1.0 if kind == names[0] else _OTHER_KIND


def _told_clauses(message: Message, words: list[str]) -> list[int]:
    """Return the clauses of the first sentence that has all words of a label, from the first of them to the last."""
    for number, sentence in enumerate(message.sentences):
        text = sentence.casefold()
        if all(word in text for word in words):
            start = min(text.find(word) for word in words)
            end = max(text.find(word) + len(word) for word in words)
            numbered = enumerate(message.parts)
            return [at for at, part in numbered if part.sentence == number and part.start < end and start < part.end]
    return []


def _pieces(words: Iterable[str], cut: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the pieces of all words in a row, and where those of each word begin; none where no teacher is taught."""
    ids: list[int] = []
    starts = [0]
    for word in words if "use" in _state else ():
        ids += cut({"\n": ".", "\t": "-"}.get(word, word))
        starts.append(len(ids))
    return np.array(ids, np.int32), np.array(starts, np.int32)


def _use_pieces(word: str) -> list[int]:
    cutter = _state["use"]
    ids: list[int] = cutter.encode(word)
    follows = not (word[:1].isascii() and word[:1].isalnum())  # no blank stands before it in a sentence
    if follows and len(ids) > 1 and cutter.id_to_piece(ids[0]) == "▁":
        ids = ids[1:]
    return ids[:_MOST_PIECES] or [0]


def _mini_pieces(word: str) -> list[int]:
    return (_state["mini"].encode(word, add_special_tokens=False).ids or [100])[:_MOST_PIECES]


def joined_samples(labelled: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """Return each message together with one to three others of its language, as one longer message."""
    fit = [one for one in labelled if one["file"] not in _LONELY and len(one["keep"]) < 30]
    by_language: dict[str, list[dict[str, Any]]] = {}
    for one in fit:
        by_language.setdefault(one["language"], []).append(one)
    made = []
    for one in fit:
        some = [one, *rng.choices(by_language[one["language"]], k=rng.choice((1, 1, 2, 3)))]
        rng.shuffle(some)
        whole: dict[str, Any] = {"soft": 0, "weight": 0.5 * min(each["weight"] for each in some)}
        spans, words, sentences = [], 0, 0
        for each in some:
            spans.append(each["spans"] + np.array([words, words, words, words, sentences]))
            words, sentences = words + len(each["ids"]), int(spans[-1][:, 4].max()) + 1
        whole["spans"] = np.concatenate(spans)
        for name in ("ids", "shapes", "part_shapes", "keep", "kinds", "importance"):
            whole[name] = np.concatenate([each[name] for each in some])
        _place_anew(whole["part_shapes"], sum(each["part_shapes"][0, 15] for each in some))
        made.append(whole | {"size": {"words": len(whole["ids"])}})
    return made


def _place_anew(shapes: np.ndarray, lines: float) -> None:
    """Say of clauses where they stand in the longer message; the columns are those of `_clause_shape`."""
    count = len(shapes)
    at = np.arange(count)
    shapes[:, 3], shapes[:, 4], shapes[:, 5] = at == 0, at == count - 1, at / max(1, count - 1)
    shapes[:, 6], shapes[:, 13], shapes[:, 15] = min(1.0, count / 12), shapes[:, 0].max(), min(1.0, lines)
