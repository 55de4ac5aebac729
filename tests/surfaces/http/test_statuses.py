"""Every kind of failure has a status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast import errors
from holdfast.surfaces import http
from holdfast.surfaces.http.statuses import STATUSES, status_of, status_of_name

KINDS = sorted(name for name in errors.__all__)


@pytest.mark.parametrize("name", KINDS)
def test_every_class_of_the_error_tree_has_a_status(name: str) -> None:
    kind = getattr(errors, name)
    own = next(status for known, status in STATUSES if issubclass(kind, known))
    assert 400 <= own < 600
    assert status_of_name(name) == own
    # Only the root falls back to the last row: every other class was thought of.
    assert kind is errors.HoldfastError or next(known for known, _ in STATUSES if issubclass(kind, known)) is not (
        errors.HoldfastError
    )


def test_no_row_is_hidden_by_one_above_it() -> None:
    for at, (kind, _) in enumerate(STATUSES):
        assert not any(issubclass(kind, above) for above, _ in STATUSES[:at]), kind


def test_a_changed_note_is_a_failed_precondition_only_where_one_was_named() -> None:
    error = errors.NoteChangedOutside("MEMORY.md", "a", "b")
    assert (status_of(error), status_of(error, conditional=True)) == (409, 412)
    assert status_of(errors.NoteNotFound("memory/x.md"), conditional=True) == 404


def test_the_name_of_no_class_is_our_own_fault() -> None:
    assert [status_of_name(name) for name in ("Unexpected", "annotations", "")] == [500, 500, 500]


def test_every_status_is_in_the_table_of_the_docs() -> None:
    source = Path(http.__file__).parent
    refused = {
        int(found) for file in source.rglob("*.py") for found in re.findall(r"Refusal\((\d{3})", file.read_text())
    }
    page = Path(__file__).parents[3] / "docs/http.md"
    rows = re.findall(r"^\| ((?:\d{3}(?:, )?)+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    told = {int(status) for row in rows for status in row.split(", ")}
    assert refused | {status for _, status in STATUSES} <= told
