"""The sets that measure and never train: LoCoMo turns, SciFact, XQuAD English; and two held by us for choosing.

Each set is a list of collections: documents by id, and queries with the ids of their answers.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from sources import SHARED

__all__ = ["Collection", "locomo", "scifact", "xquad"]


class Collection(NamedTuple):
    """Documents searched together, and what is asked of them."""

    ids: list[str]
    texts: list[str]
    queries: list[tuple[str, set[str]]]


def locomo() -> Iterator[Collection]:
    """One collection a conversation, a document a turn; questions of categories 1 to 4 with valid evidence."""
    for sample in json.loads((SHARED / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        turns: dict[str, str] = {}
        talk = sample["conversation"]
        for key in talk:
            if re.fullmatch(r"session_\d+", key):
                for turn in talk[key]:
                    seen = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                    turns[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}{seen}"
        queries = []
        for asked in sample["qa"]:
            named = re.findall(r"D(\d+):(\d+)", " ".join(asked.get("evidence", [])))
            gold = {f"D{int(session)}:{int(turn)}" for session, turn in named} & turns.keys()
            if asked["category"] in {1, 2, 3, 4} and gold:
                queries.append((str(asked["question"]), gold))
        yield Collection(list(turns), list(turns.values()), queries)


def scifact(*, as_notes: bool = False) -> Iterator[Collection]:
    """All 5,183 abstracts with their titles, as headings in notes; the 300 claims of BEIR's test."""
    form = "# {}\n\n{}\n" if as_notes else "{} {}"
    folder = SHARED / "scifact"
    csv.field_size_limit(1 << 24)
    with (folder / "corpus_train.csv").open(encoding="utf-8", newline="") as rows:
        documents = {
            row["doc_id"]: form.format(row["title"], _sentences(row["abstract"])) for row in csv.DictReader(rows)
        }
    claims: dict[str, str] = {}
    for part in ("validation", "train", "test"):
        with (folder / f"claims_{part}.csv").open(encoding="utf-8", newline="") as rows:
            claims |= {row["id"]: row["claim"] for row in csv.DictReader(rows)}
    gold: dict[str, set[str]] = {}
    with (folder / "beir_qrels_test.tsv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if int(row["score"]) > 0:
                gold.setdefault(row["query-id"], set()).add(row["corpus-id"])
    queries = [(claims[query], found & documents.keys()) for query, found in gold.items()]
    yield Collection(list(documents), list(documents.values()), queries)


def _sentences(array: str) -> str:
    """The sentences of a printed numpy array of strings."""
    return re.sub(r"^\[|\]$|(?<=['\"])\s*\n\s*(?=['\"])", " ", array).replace("' '", " ").strip(" '\"")


def xquad() -> Iterator[Collection]:
    """240 English passages, 1,190 questions."""
    articles = json.loads((SHARED / "xquad" / "xquad.en.json").read_text(encoding="utf-8"))["data"]
    passages = [passage for article in articles for passage in article["paragraphs"]]
    ids = [str(number) for number in range(len(passages))]
    queries = [
        (asked["question"], {str(number)}) for number, passage in enumerate(passages) for asked in passage["qas"]
    ]
    yield Collection(ids, [passage["context"] for passage in passages], queries)
