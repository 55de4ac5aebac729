"""What means the same as a plain value is taken as that; what can't is refused in a short sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast import Memory
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import check_arguments, display_value
from holdfast.guard.origin import Origin


class Colour(str, Enum):  # noqa: UP042 - as older programs write them
    """Its `str` is "Colour.RED", which nobody means."""

    RED = "red"


class Size(IntEnum):
    """A number by its name."""

    SMALL = 3


class Way(StrEnum):
    """A text by its name."""

    UP = "up"


@check_arguments
def given(
    text: str = "",
    whole: int = 0,
    share: float = 0.0,
    on: bool = False,
    tags: Iterable[str] = (),
    origin: Origin = Origin.API,
) -> tuple[Any, ...]:
    """Gives all it was given."""
    return text, whole, share, on, tags, origin


@pytest.mark.parametrize(
    ("at", "value", "plain"),
    [
        (0, Colour.RED, "red"),
        (0, Way.UP, "up"),
        (0, np.str_("x"), "x"),
        (1, np.int64(5), 5),
        (1, np.uint8(5), 5),
        (1, Size.SMALL, 3),
        (1, sys.maxsize, sys.maxsize),
        (1, 2**60, 2**60),
        (2, np.float32(0.5), 0.5),
        (2, np.int64(1), 1),
        (2, Fraction(1, 2), 0.5),
        (3, np.bool_(True), True),
    ],
)
def test_what_means_the_same_is_given_as_the_plain_value(at: int, value: Any, plain: Any) -> None:
    name = ("text", "whole", "share", "on")[at]
    before: list[Any] = ["", 0, 0.0, False][:at]
    call: Callable[..., tuple[Any, ...]] = given
    for found in (call(**{name: value})[at], call(*before, value)[at]):
        assert found == plain and type(found) is type(plain)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", b"x"),
        ("whole", np.bool_(True)),
        ("whole", np.float64(1.0)),
        ("whole", 10**5000),
        ("share", 10**5000),
        ("share", Decimal("0.5")),
        ("share", np.bool_(True)),
        ("on", np.int64(1)),
        ("tags", "word"),
        ("tags", 5),
        ("origin", "nonsense"),
        ("origin", None),
    ],
    ids=lambda _: "",  # pytest would write the numbers out
)
def test_what_means_something_else_is_refused(name: str, value: Any) -> None:
    with pytest.raises(BadArgument, match=f"'{name}'"):
        given(**{name: value})


def test_an_origin_is_known_by_its_name() -> None:
    assert given(origin="agent")[-1] is Origin.AGENT  # type: ignore[arg-type]


def deep() -> list[Any]:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    "value", [10**5000, -(10**5000), "x" * 10**6, deep(), object(), None, True, 1.5], ids=lambda _: ""
)
def test_whatever_a_value_is_a_message_shows_it_shortly(value: object) -> None:
    assert 0 < len(display_value(value)) < 100


WRONG: list[tuple[str, Callable[[Memory], Any]]] = [
    ("force", lambda one: one.sync(force="no")),  # type: ignore[arg-type]
    ("batch", lambda one: one.sync(batch="no")),  # type: ignore[arg-type]
    ("approved", lambda one: one.sync(approved=5)),  # type: ignore[arg-type]
    ("failed", lambda one: one.session().append("user", "x", failed="no")),  # type: ignore[arg-type]
    ("tags", lambda one: one.session().append("user", "x", tags="word")),
    ("tags", lambda one: one.session().append("user", "x", tags=5)),  # type: ignore[arg-type]
    ("tool_calls", lambda one: one.session().append("user", "x", tool_calls=5)),  # type: ignore[arg-type]
    ("role", lambda one: one.session().append(deep(), "x")),  # type: ignore[arg-type]
    ("force", lambda one: one.session().capture(force="no")),  # type: ignore[arg-type]
    ("tokens", lambda one: one.session().before_compaction(tokens="9")),  # type: ignore[arg-type]
    ("keep_tokens", lambda one: one.session().compact(keep_tokens="9")),  # type: ignore[arg-type]
    ("message", lambda one: one.session().turn(5)),  # type: ignore[arg-type]
    ("rounds", lambda one: one.session().turn("x", rounds=deep())),  # type: ignore[arg-type]
    ("model", lambda one: one.session().turn("x", model="gpt")),  # type: ignore[arg-type]
    ("dry_run", lambda one: one.dreams.run(dry_run="no")),  # type: ignore[arg-type]
    ("phases", lambda one: one.dreams.run(5)),  # type: ignore[arg-type]
    ("id", lambda one: one.inbox.approve(5)),  # type: ignore[arg-type]
    ("id", lambda one: one.inbox.reject(None)),  # type: ignore[arg-type]
    ("run", lambda one: one.dreams.roll_back(5)),  # type: ignore[arg-type]
    ("query", lambda one: one.facts.recall(None)),  # type: ignore[arg-type]
    ("limit", lambda one: one.facts.recall("x", limit=10**5000)),
    ("limit", lambda one: one.facts.recall("x", limit=2**40)),
    ("include_archived", lambda one: one.facts.recall("x", include_archived="no")),  # type: ignore[arg-type]
    ("min_importance", lambda one: one.facts.list(min_importance=deep())),  # type: ignore[arg-type]
    ("text", lambda one: one.facts.store(deep())),  # type: ignore[arg-type]
    ("approved", lambda one: one.facts.reindex(approved="no")),  # type: ignore[arg-type]
    ("namespace", lambda one: one.session().state.list("\ud800")),
    ("namespace", lambda one: one.session().state.clear("\ud800")),
    ("namespace", lambda one: one.session().state.list(["a"])),  # type: ignore[arg-type]
    ("namespace", lambda one: one.session().state.set(["a"], "b", 1)),  # type: ignore[arg-type]
    ("key", lambda one: one.session().state.set("a", 5, 1)),  # type: ignore[arg-type]
    ("origin", lambda one: one.tools("nonsense")),  # type: ignore[arg-type]
    ("origin", lambda one: one.tools(None)),  # type: ignore[arg-type]
    ("origin", lambda one: one.session().tools(5)),  # type: ignore[arg-type]
    ("origin", lambda one: one.notes.by("nonsense")),  # type: ignore[arg-type]
    ("file", lambda one: one.import_from("a\0b")),
    ("file", lambda one: one.import_from("\ud800")),
    ("file", lambda one: one.restore_export(Path("a\0b"))),
    ("file", lambda one: one.restore_export("\ud800.zip")),
    ("file", lambda one: one.export("\ud800.zip")),
]


@pytest.mark.parametrize(("name", "work"), WRONG)
def test_no_method_ends_in_a_traceback_for_an_odd_argument(
    tmp_path: Path, name: str, work: Callable[[Memory], Any]
) -> None:
    with Memory.open(tmp_path / "home") as memory, pytest.raises(BadArgument, match=f"'{name}'") as refused:
        work(memory)
    assert len(str(refused.value)) < 300
    with Memory.open(tmp_path / "home") as memory:
        assert memory.sessions() == []


@pytest.mark.parametrize(
    ("name", "given"),
    [("agent", {"agent": 5}), ("home", {"home": 5}), ("origin", {"origin": "me"}), ("embedder", {"embedder": "x"})],
)
def test_a_memory_is_not_opened_with_what_does_not_fit(tmp_path: Path, name: str, given: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match=f"'{name}'"):
        Memory.open(**{"home": tmp_path / "home", **given})


def test_the_library_takes_numbers_of_numpys_and_paths(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home") as memory:
        memory.save("- Lives in Lima.", append=np.bool_(True))  # type: ignore[arg-type]
        found = memory.search("lima", max_results=np.int64(3), min_score=np.float32(0.0))  # type: ignore[arg-type]
        assert len(found.results) == 1
        assert memory.session().messages(sys.maxsize) == []
        assert len(memory.notes.list(limit=sys.maxsize)) == 1
        file = tmp_path / "out.zip"
        memory.export(file)
        memory.restore_export(file, preview=True)
        assert memory.forget(None, text="Lives in Lima.", dry_run=True).candidates
