"""A memory at a server is a `Memory` like one that is open here: each method is declared once, and can be sent."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.context.memory_backend import MemoryPart
from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.guard.operation import Operation
from holdfast.memory import Memory
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.operations.toolbox import Toolbox
from holdfast.sessions.conversation import Session
from holdfast.surfaces.client.call_table import CALLS
from holdfast.surfaces.client.remote_backend import _OWN_WAYS
from holdfast.transcripts.state import BoundState

PARTS: list[Any] = [Memory, Session, BoundState, Notes, Facts, Inbox, Dreams, UserProfile, Toolbox]
# What is made of other methods, or opens a part: the same code over either backend.
OVER_OTHERS = {
    *("Memory.open", "Memory.open_team", "Memory.close", "Memory.session", "Memory.tools", "Notes.by"),
    *("Session.close", "Session.tools", "Session.needs_flush", "Toolbox.call"),
}


def sent_as(kind: Any, name: str) -> str:
    return f"{kind.prefix}{name}"


@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: kind.__name__)
def test_every_method_is_an_operation_that_a_server_knows_or_a_client_does_its_own_way(kind: Any) -> None:
    for name, method in inspect.getmembers(kind, callable):
        if name.startswith("__") or f"{kind.__name__}.{name}" in OVER_OTHERS:
            continue
        if isinstance(method, Operation):
            assert sent_as(kind, name) in {*CALLS, *_OWN_WAYS}, name
        else:
            assert name.startswith("_"), f"{kind.__name__}.{name} is not an operation, so it can't be sent"


@pytest.mark.parametrize("name", sorted(_OWN_WAYS))
def test_what_a_client_does_its_own_way_is_given_the_methods_arguments_and_declares_none_again(name: str) -> None:
    prefix, _, method = name.rpartition(".")
    kind = next(kind for kind in PARTS if kind.prefix == (f"{prefix}." if prefix else ""))
    operation = getattr(kind, method)
    assert isinstance(operation, Operation)
    declared = {parameter.name for parameter in operation.parameters}
    assert declared.isdisjoint(inspect.signature(_OWN_WAYS[name]).parameters)


def test_every_call_of_the_table_is_a_method_that_there_is() -> None:
    kinds = {kind.prefix: kind for kind in PARTS}
    for name, call in CALLS.items():
        prefix, _, method = name.rpartition(".")
        kind = kinds.get(f"{prefix}." if prefix else "")
        assert not isinstance(call.work, str) or hasattr(kind, method), name


def test_a_part_has_a_name_of_its_own_where_it_is_sent() -> None:
    prefixes = [kind.prefix for kind in PARTS]
    assert len({*prefixes}) == len(prefixes)
    assert {kind for kind in PARTS if not issubclass(kind, MemoryPart)} == {BoundState}


def test_no_adapter_reaches_for_what_only_an_open_memory_has() -> None:
    folder = Path(holdfast.__file__).parent / "surfaces" / "adapters"
    reached = [
        f"{path.name}:{node.lineno}"
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("ctx", "transcript")
    ]
    assert reached == []
