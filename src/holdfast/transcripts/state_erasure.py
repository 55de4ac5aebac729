"""Clearing a text from what sessions keep for themselves: a frozen prompt, say, still holds the note as it was."""

from __future__ import annotations

import json
from collections.abc import Callable

from holdfast.transcripts.state import StateStore

__all__ = ["erase_state"]


def erase_state(store: StateStore, agent: str, cleared: Callable[[bytes], bytes], *, dry_run: bool = False) -> int:
    """Change every value of an agent's sessions, and its name, to what `cleared` makes of it; says how many changed.

    A value that is no JSON any more is dropped: whoever kept it can do without it, or make it again.
    """
    changed = 0
    with store.file.writing() as raw:
        rows = raw.execute(
            "SELECT session_key, namespace, key, value FROM session_state WHERE agent=?", (agent,)
        ).fetchall()
        for session, namespace, key, value in rows:
            data = value.encode("utf-8", "surrogatepass")
            new = cleared(data)
            place = (agent, session, namespace, key)
            names = tuple(cleared(name.encode("utf-8", "surrogatepass")).decode() for name in (namespace, key))
            if new == data and names == (namespace, key):
                continue
            changed += 1
            where = "WHERE agent=? AND session_key=? AND namespace=? AND key=?"
            if dry_run:
                continue
            if _is_json(new):
                raw.execute(
                    f"UPDATE OR REPLACE session_state SET value=?, namespace=?, key=? {where}",
                    (new.decode("utf-8", "replace"), *names, *place),
                )
            else:
                raw.execute(f"DELETE FROM session_state {where}", place)
    if not dry_run:
        store.file.scrub()  # also where nothing changed: the log may hold what was deleted before
    return changed


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True
