"""The example that QMD ships: six documents and a score of questions; a smoke test, no benchmark."""

from __future__ import annotations

from holdfast.evaluation.set_files import parsed, spoilt, text_of
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["qmd"]

_FIXTURE = "qmd-eval/bench-fixture.json"


def qmd(directory: str) -> LabelledSet:
    """The whole set."""
    read = parsed(directory, "qmd", _FIXTURE)
    try:
        questions = tuple(
            Question(one["query"], one["type"], tuple(Gold(f"memory/{file}") for file in one["expected_files"]))
            for one in read["queries"]
        )
    except (KeyError, TypeError) as error:
        raise spoilt("qmd", _FIXTURE, f"it has another shape ({error})") from None
    return LabelledSet("qmd", "QMD's example", (Collection("qmd", _notes(directory), questions),))


def _notes(directory: str) -> dict[str, str]:
    import os

    folder = os.path.join(directory, "qmd-eval", "eval-docs")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".md")) if os.path.isdir(folder) else []
    return {f"memory/{name}": text_of(directory, "qmd", f"qmd-eval/eval-docs/{name}") for name in names or ["*.md"]}
