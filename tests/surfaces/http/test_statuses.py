"""Every kind of failure has a status."""

from __future__ import annotations

import pytest

from holdfast import errors
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
