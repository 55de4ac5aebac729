"""The client has the methods of the library, with the same arguments and results: code moves without a change."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.memory import Memory
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.operations.toolbox import Toolbox
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_values import GuardedState
from holdfast.surfaces.client.call_table import CALLS
from holdfast.surfaces.client.client import Client
from holdfast.surfaces.client.remote_parts import (
    RemoteDreams,
    RemoteFacts,
    RemoteInbox,
    RemoteNotes,
    RemoteProfile,
    RemoteToolbox,
)
from holdfast.surfaces.client.remote_session import RemoteSession, RemoteState

PAIRS: list[tuple[type, type]] = [
    (Memory, Client),
    (Session, RemoteSession),
    (GuardedState, RemoteState),
    (Notes, RemoteNotes),
    (Facts, RemoteFacts),
    (Inbox, RemoteInbox),
    (Dreams, RemoteDreams),
    (UserProfile, RemoteProfile),
    (Toolbox, RemoteToolbox),
]
ELSEWHERE = {"open", "open_team", "ask", "url"}  # `connect(url)` takes the place of Memory.open
ALIKE = {"RemoteSession": "Session", "RemoteToolbox": "Toolbox", "RemoteNotes": "Notes", "Client": "Memory"}


def public(kind: type) -> dict[str, Any]:
    return {name: one for name, one in inspect.getmembers(kind) if not name.startswith("_") and name not in ELSEWHERE}


def shown(one: Any) -> str:
    """The signature as it is written, with the names of the library for those of the client."""
    text = str(inspect.signature(one)) if callable(one) else "property"
    for remote, local in ALIKE.items():
        text = text.replace(remote, local)
    return text


@pytest.mark.parametrize(("local", "remote"), PAIRS, ids=lambda kind: kind.__name__)
def test_the_client_has_every_method_with_the_same_signature(local: type, remote: type) -> None:
    ours, theirs = public(local), public(remote)
    assert ours.keys() == theirs.keys()
    assert {name: shown(one) for name, one in theirs.items()} == {name: shown(one) for name, one in ours.items()}


def test_every_call_of_the_table_is_a_method_that_there_is() -> None:
    kinds = {
        "": Memory,
        "facts.": Facts,
        "inbox.": Inbox,
        "dreams.": Dreams,
        "profile.": UserProfile,
        "session.": Session,
    }
    for name, call in CALLS.items():
        prefix, _, method = name.rpartition(".")
        kind = GuardedState if prefix == "session.state" else kinds.get(f"{prefix}." if prefix else "")
        assert not isinstance(call.work, str) or hasattr(kind, method), name
