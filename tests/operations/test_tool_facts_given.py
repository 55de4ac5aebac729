"""A program that gives an argument of the wrong kind is told which; it does not meet an error from inside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.errors import BadArgument


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("text", lambda facts: facts.store(5)),
        ("text", lambda facts: facts.store("!!!")),
        ("importance", lambda facts: facts.store("I like tea", importance="a")),
        ("importance", lambda facts: facts.store("I like tea", importance=True)),
        ("importance", lambda facts: facts.store("I like tea", importance=float("nan"))),
        ("valid_from", lambda facts: facts.store("I like tea", valid_from=20260101)),
        ("valid_until", lambda facts: facts.store("I like tea", valid_until=b"2026-01-01")),
        ("category", lambda facts: facts.store("I like tea", category=7)),
        ("limit", lambda facts: facts.list(limit="x")),
        ("limit", lambda facts: facts.list(limit=True)),
        ("offset", lambda facts: facts.list(offset=1.5)),
        ("since", lambda facts: facts.list(since=20260101)),
        ("until", lambda facts: facts.list(until=[])),
        ("min_importance", lambda facts: facts.list(min_importance="1")),
        ("state", lambda facts: facts.list(state=None)),
        ("query", lambda facts: facts.recall(5)),
        ("limit", lambda facts: facts.recall("tea", limit="x")),
        ("since", lambda facts: facts.recall("tea", since=5)),
        ("as_of", lambda facts: facts.recall("tea", as_of=5)),
        ("min_importance", lambda facts: facts.recall("tea", min_importance="x")),
        ("query", lambda facts: facts.history(5)),
        ("as_of", lambda facts: facts.history("tea", as_of=5)),
        ("id", lambda facts: facts.forget(5)),
        ("text", lambda facts: facts.forget(text=5)),
        ("id", lambda facts: facts.archive(5)),
        ("id", lambda facts: facts.restore(None)),
    ],
)
def test_what_can_not_be_meant_is_refused_by_its_name(home: Path, name: str, call: Callable[[Any], object]) -> None:
    with Memory.open(home) as memory:
        memory.facts.store("I drink green tea")
        with pytest.raises(BadArgument) as refused:
            call(memory.facts)
        assert refused.value.name == name
        assert memory.facts.list(state="all").total == 1
