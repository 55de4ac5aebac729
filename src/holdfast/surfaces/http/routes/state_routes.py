"""The values that a session keeps for itself."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_values import require_open_namespace
from holdfast.surfaces.http.part_operations import SessionKey
from holdfast.transcripts.state import OWN_NAMESPACES, BoundState

Namespace = Annotated[str, "A name that keeps values of different uses apart."]
Name = Annotated[str, "The value's name."]


def list_values(
    memory: Memory, key: SessionKey, namespace: Annotated[str | None, "Only those of this namespace."] = None
) -> dict[str, Any]:
    """The values of one namespace or of all."""
    if namespace in OWN_NAMESPACES:
        return {"values": []}
    with memory.session(key) as session:
        return {"values": [entry.to_json() for entry in session.state.list(namespace)]}


def get(memory: Memory, key: SessionKey, namespace: Namespace, name: Name) -> dict[str, Any]:
    """One value; `found` says whether there is one."""
    missing = object()
    with memory.session(key) as session:
        value = _state(session, namespace).get(namespace, name, missing)
    found = value is not missing
    return {"namespace": namespace, "key": name, "found": found, "value": value if found else None}


def put(
    memory: Memory,
    key: SessionKey,
    namespace: Namespace,
    name: Name,
    value: Annotated[Any, "Anything that JSON can hold."],
) -> dict[str, Any]:
    """Keep a value, over what was there."""
    with memory.session(key) as session:
        state = _state(session, namespace)
        state.set(namespace, name, value)
        kept = state.get(namespace, name)
    return {"namespace": namespace, "key": name, "set": True, "value": kept}


def compare(
    memory: Memory,
    key: SessionKey,
    namespace: Namespace,
    name: Name,
    expected: Annotated[Any, "What must be there; null: nothing."],
    new: Annotated[Any, "What is to be there."],
) -> dict[str, Any]:
    """Keep a value if what is there is what was expected; of many callers, one succeeds."""
    with memory.session(key) as session:
        done = _state(session, namespace).compare_and_set(namespace, name, expected, new)
    return {"namespace": namespace, "key": name, "set": done}


def delete(memory: Memory, key: SessionKey, namespace: Namespace, name: Name) -> dict[str, Any]:
    """Remove a value; says whether there was one."""
    with memory.session(key) as session:
        return {"namespace": namespace, "key": name, "deleted": _state(session, namespace).delete(namespace, name)}


def clear(
    memory: Memory, key: SessionKey, namespace: Annotated[str | None, "Only those of this namespace."] = None
) -> dict[str, Any]:
    """Remove the values of one namespace or of all that are listed; says how many."""
    with memory.session(key) as session:
        return {"cleared": _state(session, namespace).clear(namespace)}


def _state(session: Session, namespace: str | None) -> BoundState:
    """The state of a session, for a request that names no namespace of Holdfast's own."""
    if namespace is not None:
        require_open_namespace(namespace)
    return session.state
