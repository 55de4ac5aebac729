"""The state of sessions in state/sessions.sqlite, and marks beside the transcripts that outlive it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from holdfast.errors import StorageFailed
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.transcripts.hidden_sessions import HiddenSessions, Mark, digest_of
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.state import OWN_NAMESPACES, Known, Sessions, Stored, Values, check_name, encode_value
from holdfast.transcripts.state_erasure import erasures
from holdfast.transcripts.state_file import StateFile

__all__ = ["SqliteState"]


class SqliteState:
    """The state of every session of a home; safe to use from several processes and threads at once."""

    def __init__(self, workspace: FileWorkspace) -> None:
        self.file = StateFile(workspace)
        self._marks = HiddenSessions(workspace)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.file.close()

    @property
    def set_aside(self) -> str:
        """Return where a damaged file was put, if one was found."""
        return self.file.set_aside

    def check(self) -> list[str]:
        """Return what is wrong with the file; an empty list is a clean bill of health."""
        return self.file.check()

    # Values

    def get(self, agent: str, session: str, namespace: str, key: str, default: Any = None) -> Any:
        """A value, or the default where there is none."""
        with self.file.reading() as raw:
            stored = raw.execute(
                "SELECT value FROM session_state WHERE agent=? AND session_key=? AND namespace=? AND key=?",
                (agent, session, check_name(namespace, "namespace"), check_name(key, "key")),
            ).get
        if stored is None:
            return default
        return self._value(stored)

    def set(self, agent: str, session: str, namespace: str, key: str, value: Any, now: float) -> None:
        """Keep a value under a key, over what was there."""
        row = (agent, session, check_name(namespace, "namespace"), check_name(key, "key"), encode_value(value), now)
        with self.file.writing() as raw:
            raw.execute("INSERT OR REPLACE INTO session_state VALUES(?,?,?,?,?,?)", row)

    def compare_and_set(
        self, agent: str, session: str, namespace: str, key: str, expected: Any, new: Any, now: float
    ) -> bool:
        """Keep a value if what is there is still what was expected; None expects nothing, or null."""
        place = (agent, session, check_name(namespace, "namespace"), check_name(key, "key"))
        wanted, text = encode_value(expected), encode_value(new)
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
                (agent, session, check_name(namespace, "namespace"), check_name(key, "key")),
            )
            return bool(raw.changes())

    def list(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> Values:
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

    def erase(self, agent: str, cleared: Callable[[bytes], bytes], *, dry_run: bool = False) -> int:
        """Change every value of an agent's sessions, and its name, to what `cleared` makes of it; says how many."""
        if not os.path.exists(self.file.path):
            return 0
        where = "WHERE agent=? AND session_key=? AND namespace=? AND key=?"
        with self.file.writing() as raw:
            rows = raw.execute(
                "SELECT session_key, namespace, key, value FROM session_state WHERE agent=?", (agent,)
            ).fetchall()
            found = list(erasures(rows, cleared))
            for old, new, value in [] if dry_run else found:
                if value is None:
                    raw.execute(f"DELETE FROM session_state {where}", (agent, *old))
                else:
                    raw.execute(
                        f"UPDATE OR REPLACE session_state SET value=?, namespace=?, key=? {where}",
                        (value, *new, agent, *old),
                    )
        if not dry_run:
            self.file.scrub()  # also where nothing changed: the log may hold what was deleted before
        return len(found)

    # Sessions

    def register(self, agent: str, session: str, kind: Kind, channel: str, now: float) -> Kind:
        """Put a session into the list, or note that it was used; gives the kind that it has from its first use on."""
        with self.file.writing() as raw:
            held = raw.execute(
                "INSERT INTO sessions(agent, session_key, kind, channel, created, last) VALUES(?,?,?,?,?,?)"
                " ON CONFLICT DO UPDATE SET last=max(last, excluded.last),"
                " channel=CASE kind WHEN excluded.kind THEN excluded.channel ELSE channel END RETURNING kind",
                (agent, session, kind.value, channel, now, now),
            ).get
        return Kind(held)

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


def _namespace_condition(own: bool) -> str:
    """The condition for the third argument of a statement, a namespace or NULL for all."""
    names = ", ".join(f"'{name}'" for name in sorted(OWN_NAMESPACES))
    return f"(?3 IS NULL OR namespace=?3){'' if own else f' AND namespace NOT IN ({names})'}"


def _drop(raw: Any, agent: str, session: str) -> None:
    for table in ("session_state", "sessions"):
        raw.execute(f"DELETE FROM {table} WHERE agent=? AND session_key=?", (agent, session))


def _maybe(namespace: str | None) -> str | None:
    if namespace is None:
        return None
    return check_name(namespace, "namespace")
