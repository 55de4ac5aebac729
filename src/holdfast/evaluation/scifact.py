"""SciFact: 5,183 abstracts of papers and the 300 claims of BEIR's test that some of them support or refute.

One memory, a note an abstract, its title as the heading; the abstract's note is the answer.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from holdfast.evaluation.set_files import bad_file_error, text_of
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question, one_line

__all__ = ["scifact"]

_CORPUS = "scifact/corpus_train.csv"
_LABELS = "scifact/beir_qrels_test.tsv"
# The sentences stand there as numpy prints an array of strings: quoted either way, with white space between two.
_BETWEEN = re.compile(r"(?<=['\"])\s+(?=['\"])")


def scifact(directory: str) -> LabelledSet:
    """Return the whole set."""
    try:
        notes = {
            f"memory/{row['doc_id']}.md": f"# {one_line(row['title'])}\n\n{_abstract(row['abstract'])}\n"
            for row in _rows(directory, _CORPUS)
        }
        claims = {
            row["id"]: row["claim"]
            for part in ("validation", "train", "test")
            for row in _rows(directory, f"scifact/claims_{part}.csv")
        }
        gold: dict[str, list[Gold]] = {}
        for row in _rows(directory, _LABELS, "\t"):
            path = f"memory/{row['corpus-id']}.md"
            if int(row["score"]) > 0 and path in notes:
                gold.setdefault(row["query-id"], []).append(Gold(path))
        questions = tuple(Question(claims[claim], "claims", tuple(found)) for claim, found in gold.items())
    except (KeyError, ValueError, AttributeError, csv.Error) as error:
        raise bad_file_error("scifact", _CORPUS, f"it or a file beside it has another shape ({error})") from None
    return LabelledSet("scifact", "SciFact", (Collection("scifact", notes, questions),))


def _rows(directory: str, file: str, delimiter: str = ",") -> Iterator[dict[str, str]]:
    text = text_of(directory, "scifact", file)
    before = csv.field_size_limit(1 << 24)
    try:
        yield from csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    finally:
        csv.field_size_limit(before)


def _abstract(printed: str) -> str:
    sentences = _BETWEEN.split(printed.strip().removeprefix("[").removesuffix("]"))
    return one_line(" ".join(sentence[1:-1] for sentence in map(str.strip, sentences)).replace("\\'", "'"))
