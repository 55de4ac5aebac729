"""The state of a session as everybody writes to it: without the secrets that `memory.secrets` keeps out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from holdfast.errors import BadArgument, NotPermitted
from holdfast.guard.argument_types import check_arguments
from holdfast.settings.memory_settings import Secrets
from holdfast.transcripts.state import OWN_NAMESPACES, BoundState, StateStore, Stored

__all__ = ["GuardedState", "OpenState"]


class GuardedState(BoundState):
    """The state of one session; what Holdfast keeps there itself is kept as it is."""

    def __init__(
        self,
        store: StateStore,
        agent: str,
        session: str,
        *,
        secrets: Secrets,
        now: Callable[[], float],
        before_look: Callable[[], None],
        before_change: Callable[[], None],
    ) -> None:
        super().__init__(store, agent, session, now=now, before_look=before_look, before_change=before_change)
        self._secrets = secrets

    @check_arguments
    def set(self, namespace: str, key: str, value: Any) -> None:
        """Keep a value that JSON can hold, over what was there; durable when this returns."""
        super().set(namespace, key, self._guard_value(namespace, value))

    @check_arguments
    def compare_and_set(self, namespace: str, key: str, expected: Any, new: Any) -> bool:
        """Keep a value if what is there is what was expected (None: nothing); of many processes, one succeeds."""
        # What was set with a secret in it is there without: who expects it must find it.
        return super().compare_and_set(
            namespace, key, self._guard_value(namespace, expected), self._guard_value(namespace, new)
        )

    def _guard_value(self, namespace: str, value: Any) -> Any:
        # A frozen prompt is what the note says, and the key of its fences looks like a secret because it is one.
        if self._secrets is Secrets.ALLOW or namespace in OWN_NAMESPACES:
            return value
        try:
            return _without(value, self._secrets)
        except TypeError:
            return value  # no JSON, which is refused by its own name
        except RecursionError:
            # What nobody can look through may hold anything.
            raise BadArgument("value", "it is nested too deeply to be looked through for secrets") from None


class OpenState:
    """The state of a session for whoever asks over the network: without what Holdfast keeps there for itself.

    Whoever could write to those namespaces would write the system prompt, or keep a flush from running.
    """

    def __init__(self, state: BoundState) -> None:
        self._state = state

    @check_arguments
    def get(self, namespace: str, key: str, default: Any = None) -> Any:
        """A value, or the default."""
        return self._state.get(_other_namespace(namespace), key, default)

    @check_arguments
    def set(self, namespace: str, key: str, value: Any) -> None:
        """Keep a value."""
        self._state.set(_other_namespace(namespace), key, value)

    @check_arguments
    def delete(self, namespace: str, key: str) -> bool:
        """Remove a value."""
        return self._state.delete(_other_namespace(namespace), key)

    @check_arguments
    def list(self, namespace: str | None = None) -> list[Stored]:
        """The values that there are."""
        if namespace in OWN_NAMESPACES:
            return []
        return self._state.list(namespace)

    @check_arguments
    def clear(self, namespace: str | None = None) -> int:
        """Remove what `list` shows."""
        return self._state.clear(None if namespace is None else _other_namespace(namespace))

    @check_arguments
    def compare_and_set(self, namespace: str, key: str, expected: Any, new: Any) -> bool:
        """Keep a value if what is there is what was expected."""
        return self._state.compare_and_set(_other_namespace(namespace), key, expected, new)


def _other_namespace(namespace: str) -> str:
    if namespace in OWN_NAMESPACES:
        raise NotPermitted(f"The namespace {namespace!r} is Holdfast's own. Choose another name.")
    return namespace


def _without(value: Any, rule: Secrets) -> Any:
    """The value without secrets in its texts, nor in a name with what it names."""
    from holdfast.operations.memory_save import without_secrets

    if isinstance(value, str):
        return without_secrets(value, rule)
    if isinstance(value, list | tuple):
        return [_without(item, rule) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _redact_named(name, item, rule) for name, item in value.items()}


def _redact_named(name: Any, value: Any, rule: Secrets) -> Any:
    """`hunter22` alone is a word; behind `password` it is none."""
    from holdfast.operations.memory_save import without_secrets

    plain = _without(value, rule)
    if not isinstance(name, str) or not isinstance(plain, str) or plain != value:
        return plain
    pair = json.dumps({name: plain}, ensure_ascii=False)
    shown = without_secrets(pair, rule)
    if shown == pair:
        return plain
    try:
        read = json.loads(shown)
    except ValueError:
        return "[redacted]"
    if not isinstance(read, dict):
        return "[redacted]"
    return read.get(name, "[redacted]")
