"""The example that QMD ships: six documents and a score of questions; a smoke test, no benchmark."""

from __future__ import annotations

from holdfast.evaluation.set_files import bad_file_error, read_json, text_of
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["qmd"]

_FIXTURE = "qmd-eval/bench-fixture.json"


def qmd(directory: str) -> LabelledSet:
    """Return the whole set."""
    read = read_json(directory, "qmd", _FIXTURE)
    try:
        questions = tuple(
            Question(query["query"], query["type"], tuple(Gold(f"memory/{file}") for file in query["expected_files"]))
            for query in read["queries"]
        )
    except (KeyError, TypeError) as error:
        raise bad_file_error("qmd", _FIXTURE, f"it has another shape ({error})") from None
    return LabelledSet("qmd", "QMD's example", (Collection("qmd", _notes(directory), questions),))


def _notes(directory: str) -> dict[str, str]:
    import os

    folder = os.path.join(directory, "qmd-eval", "eval-docs")
    if os.path.isdir(folder):
        names = sorted(name for name in os.listdir(folder) if name.endswith(".md"))
    else:
        names = []
    return {f"memory/{name}": text_of(directory, "qmd", f"qmd-eval/eval-docs/{name}") for name in names or ["*.md"]}
