"""Find the public sets, read them, and say how to get one that is not there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from holdfast.errors import NotFound, StorageFailed
from holdfast.named_tuple import NamedTuple

__all__ = [
    "SOURCES",
    "Source",
    "bad_file_error",
    "data_directory",
    "is_present",
    "missing_set_error",
    "read_json",
    "text_of",
]

_VARIABLE = "HOLDFAST_EVAL_DATA"


class Source(NamedTuple):
    """A public set: its files below the data directory, its licence, and where its project keeps it."""

    title: str
    file: str
    """The file that tells whether the set is there."""
    files: str
    licence: str
    project: str


SOURCES: Mapping[str, Source] = {
    "locomo": Source(
        "LoCoMo",
        "locomo/locomo10.json",
        "locomo/locomo10.json",
        "CC BY-NC 4.0",
        "data/locomo10.json of the GitHub project snap-research/locomo",
    ),
    "scifact": Source(
        "SciFact",
        "scifact/corpus_train.csv",
        "scifact/corpus_train.csv, scifact/claims_{train,validation,test}.csv, scifact/beir_qrels_test.tsv",
        "CC BY 4.0 (claims) and ODC-By 1.0 (abstracts)",
        "the data set allenai/scifact on Hugging Face as CSV, and qrels/test.tsv of BeIR/scifact",
    ),
    "xquad": Source(
        "XQuAD",
        "xquad/xquad.en.json",
        "xquad/xquad.{ar,de,el,en,es,hi,ro,ru,th,tr,vi,zh}.json",
        "CC BY-SA 4.0",
        "the GitHub project google-deepmind/xquad",
    ),
    "xquad-across": Source(
        "XQuAD across",
        "xquad/xquad.en.json",
        "xquad/xquad.{ar,de,el,en,es,hi,ro,ru,th,tr,vi,zh}.json",
        "CC BY-SA 4.0",
        "the GitHub project google-deepmind/xquad",
    ),
    "xquad-mixed": Source(
        "XQuAD mixed",
        "xquad/xquad.en.json",
        "xquad/xquad.{ar,de,el,en,es,hi,ro,ru,th,tr,vi,zh}.json",
        "CC BY-SA 4.0",
        "the GitHub project google-deepmind/xquad",
    ),
    "qmd": Source(
        "QMD's example",
        "qmd-eval/bench-fixture.json",
        "qmd-eval/bench-fixture.json, qmd-eval/eval-docs/*.md",
        "MIT",
        "the tests of the GitHub project tobi/qmd",
    ),
    "docs": Source(
        "GitHub's documentation",
        "github-docs.tar.xz",
        "github-docs.tar.xz, an archive of Markdown files",
        "CC BY 4.0",
        "the folder content of the GitHub project github/docs",
    ),
}
"""The public sets, by the name that the command line knows them by."""


def data_directory(given: str | None, environ: Mapping[str, str] | None = None, source: str = __file__) -> str:
    """Return the directory that was named, else `HOLDFAST_EVAL_DATA`, else the one beside a checkout of the source.

    Where `source` is in no checkout, because the package was installed, it is the directory that one is in.
    """
    named = given or (os.environ if environ is None else environ).get(_VARIABLE)
    if named:
        return os.path.abspath(os.path.expanduser(named))
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(source)))))
    if not os.path.isfile(os.path.join(checkout, "pyproject.toml")):
        return os.getcwd()
    return os.path.join(os.path.dirname(checkout), "shared", "data")


def is_present(directory: str, name: str) -> bool:
    """Say whether a set is in the data directory."""
    return os.path.exists(os.path.join(directory, *SOURCES[name].file.split("/")))


def text_of(directory: str, name: str, file: str) -> str:
    """Return a file of a set, whole; one that is not there is an error that says how to get the set."""
    path = os.path.join(directory, *file.split("/"))
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError):
        raise missing_set_error(directory, name, file) from None
    except UnicodeDecodeError:
        raise bad_file_error(name, file, "it is not UTF-8") from None
    except OSError as error:
        raise StorageFailed(path, "read", error.strerror or str(error)) from None


def read_json(directory: str, name: str, file: str) -> Any:
    """Return a JSON file of a set."""
    try:
        return json.loads(text_of(directory, name, file))
    except ValueError as error:
        raise bad_file_error(name, file, f"it is not JSON ({error})") from None


def missing_set_error(directory: str, name: str, file: str) -> NotFound:
    """Return what to say of a set that is not there."""
    source = SOURCES[name]
    return NotFound(
        f"{source.title} is not here: there is no {file} in {directory!r}. It is {source.licence} and not part of "
        f"Holdfast. Get it from {source.project}, put it there as {source.files}, or name another directory with "
        f"--data or {_VARIABLE}."
    )


def bad_file_error(name: str, file: str, why: str) -> NotFound:
    """Return what to say of a file that is there and not what it should be."""
    source = SOURCES[name]
    return NotFound(f"{source.title} can't be used: {file} is not the file it should be: {why}. Get it anew.")
