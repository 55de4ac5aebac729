"""An argument of another kind than the signature asks for is refused by its name, before anything is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from holdfast import Memory
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import check_arguments, fit_sent
from holdfast.guard.signature import InProcess, parameters_of

if TYPE_CHECKING:
    from elsewhere import Elsewhere  # type: ignore[import-not-found]


@check_arguments
def example(text: str, count: int = 1, *, share: float | None = None, loud: bool = False, rest: Any = None) -> Any:
    """Gives all it was given."""
    return text, count, share, loud, rest


def elsewhere(thing: Elsewhere, text: Annotated[str | None, "A text."] = None) -> Any:
    """Takes what only a caller in the same process has."""
    return thing, text


def test_what_fits_goes_through_as_it_was_given() -> None:
    assert example("a", 2, share=1, loud=True, rest=object) == ("a", 2, 1, True, object)
    assert example("a", share=None) == ("a", 1, None, False, None)
    assert example.__name__ == "example" and example.__doc__ == "Gives all it was given."


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("text", lambda: example(5)),  # type: ignore[arg-type]
        ("text", lambda: example(None)),  # type: ignore[arg-type]
        ("count", lambda: example("a", True)),
        ("count", lambda: example("a", 2**70)),
        ("count", lambda: example("a", 1.5)),  # type: ignore[arg-type]
        ("share", lambda: example("a", share="1")),  # type: ignore[arg-type]
        ("loud", lambda: example("a", loud=1)),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(name: str, work: Callable[[], Any]) -> None:
    with pytest.raises(BadArgument, match=f"'{name}'"):
        work()


def test_a_hint_that_names_nothing_that_is_imported_is_nobodys_business_in_this_process() -> None:
    assert [parameter.kinds for parameter in parameters_of(elsewhere)] == [(InProcess,), (str,)]
    assert check_arguments(elsewhere)(5, "a") == (5, "a")
    with pytest.raises(BadArgument, match="'thing'"):
        fit_sent("elsewhere", parameters_of(elsewhere)[0], 5)


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("content", lambda one: one.save(5)),
        ("file", lambda one: one.save("x", file=Path("memory/a.md"))),
        ("query", lambda one: one.search(5)),
        ("since", lambda one: one.search("x", since=date(2026, 1, 2))),
        ("path", lambda one: one.search("x", path=5)),
        ("path", lambda one: one.get(Path("memory/a.md"))),
        ("checkpoint", lambda one: one.restore(5)),
        ("file", lambda one: one.import_from(5)),
        ("path", lambda one: one.notes.read(5)),
        ("message", lambda one: one.session("s").recall(5)),
        ("value", lambda one: one.profile.save("name", 5)),
    ],
)
def test_the_library_says_which_argument_is_wrong(tmp_path: Path, name: str, work: Callable[[Any], Any]) -> None:
    with Memory.open(tmp_path / "home") as memory, pytest.raises(BadArgument, match=f"'{name}'"):
        work(memory)
