"""Say what a session has to remember for its own sake: JSON values by namespace and key, and which sessions there are.

Nothing of this goes into a prompt by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from holdfast.errors import BadArgument, NotPermitted, TooLarge
from holdfast.guard.operation import Method, Runner, declare
from holdfast.named_tuple import NamedTuple
from holdfast.transcripts.session_key import Kind

__all__ = [
    "MAX_VALUE_BYTES",
    "OWN_NAMESPACES",
    "BoundState",
    "Known",
    "Sessions",
    "StateKeeper",
    "StateStore",
    "Stored",
    "Values",
    "check_name",
    "encode_value",
    "without_own",
]

MAX_VALUE_BYTES = 1024 * 1024
"""The longest value, as JSON."""

OWN_NAMESPACES = frozenset(("answers", "capture", "dream-run", "dream-verdicts", "flush", "follow", "prompt", "reset"))
"""Ours: a model that could write to them would write its own system prompt, or keep a flush from running."""

_LONGEST_NAME = 200
_Done = TypeVar("_Done", bool, int)
_Namespace = Annotated[str, "A name that keeps values of different uses apart."]
_Key = Annotated[str, "The value's name."]
_Only = Annotated[str | None, "Only those of this namespace."]


class Stored(NamedTuple):
    """One value of a session's state."""

    namespace: str
    key: str
    value: Any
    updated: float

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"namespace": self.namespace, "key": self.key, "value": self.value, "updated": self.updated}


class Known(NamedTuple):
    """A session as the list has it."""

    agent: str
    key: str
    kind: Kind
    channel: str
    created: float
    last: float
    excluded: bool


Values: TypeAlias = list[Stored]
Sessions: TypeAlias = list[Known]
"""What a class with a method `list` can't write."""


class StateStore(Protocol):
    """The state of every session of a home; safe to use from several processes and threads at once."""

    @property
    def set_aside(self) -> str:
        """Return where a damaged file was put, if one was found."""
        ...

    def close(self) -> None:
        """Let go of what is open; a second call does nothing."""
        ...

    def check(self) -> list[str]:
        """Return what is wrong with what is stored; an empty list is a clean bill of health."""
        ...

    # Values

    def get(self, agent: str, session: str, namespace: str, key: str, default: Any = None) -> Any:
        """Return a value, or the default where there is none."""
        ...

    def set(self, agent: str, session: str, namespace: str, key: str, value: Any, now: float) -> None:
        """Keep a value under a key, over what was there."""
        ...

    def compare_and_set(
        self, agent: str, session: str, namespace: str, key: str, expected: Any, new: Any, now: float
    ) -> bool:
        """Keep a value if what is there is still what was expected; None expects nothing, or null."""
        ...

    def delete(self, agent: str, session: str, namespace: str, key: str) -> bool:
        """Remove a value; says whether there was one."""
        ...

    def list(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> Values:
        """Return the values of a session, of one namespace or of all, with or without our own, in order."""
        ...

    def clear(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> int:
        """Remove the values of one namespace or of all, with or without our own; says how many."""
        ...

    def erase(self, agent: str, cleared: Callable[[bytes], bytes], *, dry_run: bool = False) -> int:
        """Change every value of an agent's sessions, and its name, to what `cleared` makes of it; says how many."""
        ...

    # Sessions

    def register(self, agent: str, session: str, kind: Kind, channel: str, now: float) -> Kind:
        """Put a session into the list, or note that it was used; gives the kind that it has from its first use on."""
        ...

    def sessions(self, agent: str) -> Sessions:
        """Return the sessions of an agent, the one used last first."""
        ...

    def known(self, agent: str, session: str) -> Known | None:
        """Return one session as the list has it, or None."""
        ...

    def exclude(self, agent: str, session: str, excluded: bool) -> None:
        """Keep a registered session out of search and exports; to let it in again also lifts `forget`."""
        ...

    def forget(self, agent: str, session: str, now: float) -> None:
        """Remove a session's rows, and keep a hash of its key by which it stays forgotten."""
        ...

    def delete_session(self, agent: str, session: str) -> None:
        """Remove a session's rows; one that was forgotten stays so."""
        ...

    def rename(self, agent: str, session: str, new: str) -> None:
        """Give a session another key, under which it is as hidden as it was."""
        ...

    def hidden(self, agent: str, session: str) -> bool:
        """Say whether a session was excluded or forgotten."""
        ...

    def forgotten(self, agent: str, session: str) -> bool:
        """Say whether a session was forgotten."""
        ...


@runtime_checkable
class StateKeeper(Protocol):
    """A workspace that keeps the state of sessions itself, as one in a database does."""

    def state_store(self) -> StateStore:
        """Return the state of all sessions of this home."""
        ...


class BoundState:
    """The state of one session."""

    prefix = "session.state."

    def __init__(
        self,
        backend: Runner,
        store: Callable[[], StateStore],
        agent: str,
        session: str,
        *,
        now: Callable[[], float],
        guard: Callable[[str, Any], Any],
        before_look: Callable[[], None],
        before_change: Callable[[], None],
    ) -> None:
        self.backend = backend
        self._store, self._place, self._now = store, (agent, session), now
        self._guard = guard  # says what may be kept of a value, in which namespace
        self._before_look, self._before_change = before_look, before_change
        self.reaches_own = True

    @declare(reads=True)
    def get(self, namespace: _Namespace, key: _Key, default: Any = None) -> Any:
        """A value, or the default where there is none."""
        self._look(namespace)
        return self._store().get(*self._place, namespace, key, default)

    @Method
    def set(self, namespace: _Namespace, key: _Key, value: Annotated[Any, "Anything that JSON can hold."]) -> None:
        """Keep a value that JSON can hold, over what was there; durable when this returns."""
        self._look(namespace)
        self._store().set(*self._place, namespace, key, self._guard(namespace, value), self._now())
        self._before_change()  # not before: a value that is refused makes no session

    @Method
    def compare_and_set(
        self,
        namespace: _Namespace,
        key: _Key,
        expected: Annotated[Any, "What must be there; null: nothing."],
        new: Annotated[Any, "What is to be there."],
    ) -> bool:
        """Keep a value if what is there is what was expected (None: nothing); of many processes, one succeeds."""
        self._look(namespace)
        # What was set with a secret in it is there without: who expects it must find it.
        pair = self._guard(namespace, expected), self._guard(namespace, new)
        return self._after_change(self._store().compare_and_set(*self._place, namespace, key, *pair, self._now()))

    @Method
    def delete(self, namespace: _Namespace, key: _Key) -> bool:
        """Remove a value; says whether there was one."""
        self._look(namespace)
        return self._after_change(self._store().delete(*self._place, namespace, key))

    @declare(reads=True)
    def list(self, namespace: _Only = None) -> list[Stored]:
        """The values of one namespace, or of all but Holdfast's own, in the order of their names."""
        self._before_look()
        if not self.reaches_own and namespace in OWN_NAMESPACES:
            return []
        return self._store().list(*self._place, namespace, own=namespace is not None)

    @Method
    def clear(self, namespace: _Only = None) -> int:
        """Remove what `list` shows: the values of one namespace, or of all but Holdfast's own; says how many."""
        # Without them a fact would be captured again, and a flush run again, that the session has behind it.
        self._look(namespace)
        return self._after_change(self._store().clear(*self._place, namespace, own=namespace is not None))

    def _look(self, namespace: str | None) -> None:
        if not self.reaches_own and namespace in OWN_NAMESPACES:
            raise NotPermitted(f"The namespace {namespace!r} is Holdfast's own. Choose another name.")
        self._before_look()

    def _after_change(self, done: _Done) -> _Done:
        """Return what was done; where that was nothing, a session that never was has not come to be by it."""
        if done:
            self._before_change()
        return done


def without_own(state: BoundState) -> BoundState:
    """Return the state for who asks over the network: out of reach of what Holdfast keeps there itself.

    Whoever could write that would write the system prompt, or keep a flush from running.
    """
    from copy import copy

    other = copy(state)
    other.reaches_own = False
    return other


def check_name(text: str, what: str) -> str:
    """Return the name of a namespace or key unchanged, or raise BadArgument."""
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST_NAME or not text.isprintable():
        raise BadArgument(what, f"it must be printable text of at most {_LONGEST_NAME} characters")
    return text


def encode_value(value: Any) -> str:
    """Return the value as JSON, always written the same way, so that equal values are equal texts."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    if len(text) > MAX_VALUE_BYTES:
        raise TooLarge("value", len(text), MAX_VALUE_BYTES)
    return text
