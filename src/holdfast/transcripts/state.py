"""Say what a session has to remember for its own sake: JSON values by namespace and key, and which sessions there are.

Nothing of this goes into a prompt by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from holdfast.errors import BadArgument, StorageFailed, TooLarge
from holdfast.guard.argument_types import check_arguments
from holdfast.notes.workspace import Workspace
from holdfast.transcripts.hidden_sessions import Hidden, Mark, digest_of
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.state_file import StateFile

__all__ = ["MAX_VALUE_BYTES", "OWN_NAMESPACES", "BoundState", "Known", "StateStore", "Stored"]

MAX_VALUE_BYTES = 1024 * 1024
"""The longest value, as JSON."""

OWN_NAMESPACES = frozenset(("capture", "flush", "follow", "prompt"))
"""Ours: a model that could write to them would write its own system prompt, or keep a flush from running."""

_LONGEST_NAME = 200
_Done = TypeVar("_Done", bool, int)


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


Sessions: TypeAlias = list[Known]
"""What a class with a method `list` can't write."""


class StateStore:
    """The state of every session of a home; safe to use from several processes and threads at once."""

    def __init__(self, workspace: Workspace) -> None:
        self.file = StateFile(workspace)
        self._marks = Hidden(workspace)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.file.close()

    # Values

    def get(self, agent: str, session: str, namespace: str, key: str, default: Any = None) -> Any:
        """A value, or the default where there is none."""
        with self.file.reading() as raw:
            stored = raw.execute(
                "SELECT value FROM session_state WHERE agent=? AND session_key=? AND namespace=? AND key=?",
                (agent, session, _name(namespace, "namespace"), _name(key, "key")),
            ).get
        return default if stored is None else self._value(stored)

    def set(self, agent: str, session: str, namespace: str, key: str, value: Any, now: float) -> None:
        """Keep a value under a key, over what was there."""
        row = (agent, session, _name(namespace, "namespace"), _name(key, "key"), _text(value), now)
        with self.file.writing() as raw:
            raw.execute("INSERT OR REPLACE INTO session_state VALUES(?,?,?,?,?,?)", row)

    def compare_and_set(
        self, agent: str, session: str, namespace: str, key: str, expected: Any, new: Any, now: float
    ) -> bool:
        """Keep a value if what is there is still what was expected; None expects nothing, or null."""
        place = (agent, session, _name(namespace, "namespace"), _name(key, "key"))
        wanted, text = _text(expected), _text(new)
        with self.file.writing() as raw:
            stored = raw.execute(
                "SELECT value FROM session_state WHERE agent=? AND session_key=? AND namespace=? AND key=?", place
            ).get
            if (stored if stored is not None else "null") != wanted:
                return False
            raw.execute("INSERT OR REPLACE INTO session_state VALUES(?,?,?,?,?,?)", (*place, text, now))
        return True

    def delete(self, agent: str, session: str, namespace: str, key: str) -> bool:
        """Remove a value; says whether there was one."""
        with self.file.writing() as raw:
            raw.execute(
                "DELETE FROM session_state WHERE agent=? AND session_key=? AND namespace=? AND key=?",
                (agent, session, _name(namespace, "namespace"), _name(key, "key")),
            )
            return bool(raw.changes())

    def list(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> list[Stored]:
        """The values of a session, of one namespace or of all, with or without our own, in the order of their names."""
        with self.file.reading() as raw:
            rows = raw.execute(
                "SELECT namespace, key, value, updated FROM session_state WHERE agent=? AND session_key=?"
                f" AND {_namespace_condition(own)} ORDER BY namespace, key",
                (agent, session, _maybe(namespace)),
            ).fetchall()
        return [Stored(space, key, self._value(value), updated) for space, key, value, updated in rows]

    def clear(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> int:
        """Remove the values of one namespace or of all, with or without our own; says how many."""
        with self.file.writing() as raw:
            raw.execute(
                f"DELETE FROM session_state WHERE agent=? AND session_key=? AND {_namespace_condition(own)}",
                (agent, session, _maybe(namespace)),
            )
            return int(raw.changes())

    # Sessions

    def register(self, agent: str, session: str, kind: Kind, channel: str, now: float) -> None:
        """Put a session into the list, or note that it was used."""
        with self.file.writing() as raw:
            raw.execute(
                "INSERT INTO sessions(agent, session_key, kind, channel, created, last) VALUES(?,?,?,?,?,?)"
                " ON CONFLICT DO UPDATE SET last=max(last, excluded.last),"
                " kind=excluded.kind, channel=excluded.channel",
                (agent, session, kind.value, channel, now, now),
            )

    def sessions(self, agent: str) -> Sessions:
        """The sessions of an agent, the one used last first."""
        with self.file.reading() as raw:
            rows = raw.execute(
                "SELECT session_key, kind, channel, created, last, excluded FROM sessions WHERE agent=?"
                " ORDER BY last DESC, session_key",
                (agent,),
            ).fetchall()
        return [
            Known(agent, key, Kind(kind), channel, created, last, bool(excluded) or self._is_marked(agent, key))
            for key, kind, channel, created, last, excluded in rows
        ]

    def known(self, agent: str, session: str) -> Known | None:
        """One session as the list has it, or None."""
        with self.file.reading() as raw:
            row = raw.execute(
                "SELECT kind, channel, created, last, excluded FROM sessions WHERE agent=? AND session_key=?",
                (agent, session),
            ).get
        if row is None:
            return None
        kind, channel, created, last, excluded = row
        return Known(
            agent, session, Kind(kind), channel, created, last, bool(excluded) or self._is_marked(agent, session)
        )

    def exclude(self, agent: str, session: str, excluded: bool) -> None:
        """Keep a registered session out of search and exports; to let it in again also lifts `forget`."""
        if excluded and not self._is_marked(agent, session):  # first, for this is what must outlive the state
            self._marks.set(agent, session, Mark.EXCLUDED)
        with self.file.writing() as raw:
            place = (agent, session)
            raw.execute("UPDATE sessions SET excluded=? WHERE agent=? AND session_key=?", (int(excluded), *place))
            if not excluded:
                raw.execute("DELETE FROM forgotten WHERE agent=? AND digest=?", (agent, digest_of(session)))
        if not excluded:
            self._marks.set(agent, session, Mark.SHOWN)

    def forget(self, agent: str, session: str, now: float) -> None:
        """Remove a session's rows, and keep a hash of its key by which it stays forgotten."""
        self._marks.set(agent, session, Mark.FORGOTTEN)
        with self.file.writing() as raw:
            raw.execute("INSERT OR IGNORE INTO forgotten VALUES(?,?,?)", (agent, digest_of(session), now))
            _drop(raw, agent, session)
        self.file.scrub()

    def delete_session(self, agent: str, session: str) -> None:
        """Remove a session's rows; one that was forgotten stays so."""
        with self.file.writing() as raw:
            _drop(raw, agent, session)
        if self._marks.mark(agent, session) is Mark.EXCLUDED:
            self._marks.set(agent, session, Mark.SHOWN)
        self.file.scrub()

    def rename(self, agent: str, session: str, new: str) -> None:
        """Give a session another key, under which it is as hidden as it was."""
        if self.hidden(agent, session) and not self._is_marked(agent, new):
            self._marks.set(agent, new, Mark.EXCLUDED)
        with self.file.writing() as raw:
            for table in ("session_state", "sessions"):
                raw.execute(
                    f"UPDATE OR REPLACE {table} SET session_key=? WHERE agent=? AND session_key=?",
                    (new, agent, session),
                )
        self.file.scrub()

    def hidden(self, agent: str, session: str) -> bool:
        """Say whether a session was excluded or forgotten.

        The log beside the transcripts knows if the state was lost.
        """
        if self._is_marked(agent, session):
            return True
        with self.file.reading() as raw:
            return bool(
                raw.execute(
                    "SELECT EXISTS(SELECT 1 FROM sessions WHERE agent=?1 AND session_key=?2 AND excluded)"
                    " OR EXISTS(SELECT 1 FROM forgotten WHERE agent=?1 AND digest=?3)",
                    (agent, session, digest_of(session)),
                ).get
            )

    def forgotten(self, agent: str, session: str) -> bool:
        """Say whether a session was forgotten."""
        if self._marks.mark(agent, session) is Mark.FORGOTTEN:
            return True
        with self.file.reading() as raw:
            place = (agent, digest_of(session))
            return bool(raw.execute("SELECT EXISTS(SELECT 1 FROM forgotten WHERE agent=? AND digest=?)", place).get)

    def _value(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            reason = f"a value in it is damaged ({error}); set it anew, or delete it"
            raise StorageFailed(self.file.path, "read", reason) from error

    def _is_marked(self, agent: str, session: str) -> bool:
        return self._marks.mark(agent, session) is not Mark.SHOWN


class BoundState:
    """The state of one session."""

    def __init__(
        self,
        store: StateStore,
        agent: str,
        session: str,
        *,
        now: Callable[[], float],
        before_look: Callable[[], None] = lambda: None,
        before_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._place, self._now = store, (agent, session), now
        self._before_look, self._before_change = before_look, before_change

    @check_arguments
    def get(self, namespace: str, key: str, default: Any = None) -> Any:
        """A value, or the default where there is none."""
        self._before_look()
        return self._store.get(*self._place, namespace, key, default)

    @check_arguments
    def set(self, namespace: str, key: str, value: Any) -> None:
        """Keep a value that JSON can hold, over what was there; durable when this returns."""
        self._before_look()
        self._store.set(*self._place, namespace, key, value, self._now())
        self._before_change()  # not before: a value that is refused makes no session

    @check_arguments
    def compare_and_set(self, namespace: str, key: str, expected: Any, new: Any) -> bool:
        """Keep a value if what is there is what was expected (None: nothing); of many processes, one succeeds."""
        self._before_look()
        return self._after_change(self._store.compare_and_set(*self._place, namespace, key, expected, new, self._now()))

    @check_arguments
    def delete(self, namespace: str, key: str) -> bool:
        """Remove a value; says whether there was one."""
        self._before_look()
        return self._after_change(self._store.delete(*self._place, namespace, key))

    @check_arguments
    def list(self, namespace: str | None = None) -> list[Stored]:
        """The values of one namespace, or of all but Holdfast's own, in the order of their names."""
        self._before_look()
        return self._store.list(*self._place, namespace, own=namespace is not None)

    @check_arguments
    def clear(self, namespace: str | None = None) -> int:
        """Remove what `list` shows: the values of one namespace, or of all but Holdfast's own; says how many."""
        # Without them a fact would be captured again, and a flush run again, that the session has behind it.
        self._before_look()
        return self._after_change(self._store.clear(*self._place, namespace, own=namespace is not None))

    def _after_change(self, done: _Done) -> _Done:
        """Return what was done; where that was nothing, a session that never was has not come to be by it."""
        if done:
            self._before_change()
        return done


def _namespace_condition(own: bool) -> str:
    """The condition for the third argument of a statement, a namespace or NULL for all."""
    names = ", ".join(f"'{name}'" for name in sorted(OWN_NAMESPACES))
    return f"(?3 IS NULL OR namespace=?3){'' if own else f' AND namespace NOT IN ({names})'}"


def _drop(raw: Any, agent: str, session: str) -> None:
    for table in ("session_state", "sessions"):
        raw.execute(f"DELETE FROM {table} WHERE agent=? AND session_key=?", (agent, session))


def _name(text: str, what: str) -> str:
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST_NAME or not text.isprintable():
        raise BadArgument(what, f"it must be printable text of at most {_LONGEST_NAME} characters")
    return text


def _maybe(namespace: str | None) -> str | None:
    return None if namespace is None else _name(namespace, "namespace")


def _text(value: Any) -> str:
    """The value as JSON, always written the same way, so that equal values are equal texts."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgument("value", f"it is not JSON ({error})") from error
    if len(text) > MAX_VALUE_BYTES:
        raise TooLarge("value", len(text), MAX_VALUE_BYTES)
    return text
