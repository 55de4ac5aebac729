"""The record of what QMD's index was last made from, in state/qmd/<agent>/updated.json.

Other processes read it, too.
"""

from __future__ import annotations

import json
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.database import Database
from holdfast.notes.workspace import Workspace
from holdfast.value import Value

__all__ = ["Fingerprint", "UpdateRecord", "read_record", "write_record"]

_MOST = 1_000_000  # bytes


class UpdateRecord(Value):
    """The fingerprint of the notes at the last update, when that was and when it last embedded (seconds since 1970)."""

    notes: str = ""
    at: float = 0.0
    embedded_at: float = 0.0
    sessions: tuple[str, ...] = ()
    """The files with what was said in open sessions."""
    unclean: bool = False
    """Whether its index still holds text that is in no note any more."""
    failed_at: float = 0.0
    failure: str = ""
    """When and why it last failed to answer: the next process is not to wait for the same."""
    failed_by: str = ""
    """The command or the address that failed: another one is asked at once."""


def read_record(workspace: Workspace) -> UpdateRecord:
    """The record; an empty one where there is none, or none that can be read."""
    try:
        held: Any = json.loads(workspace.read_file(_name(workspace), _MOST) or b"{}")
        return UpdateRecord(
            notes=str(held["notes"]),
            at=float(held["at"]),
            embedded_at=float(held["embedded_at"]),
            sessions=tuple(map(str, held["sessions"])),
            unclean=bool(held["unclean"]),
            failed_at=float(held["failed_at"]),
            failure=str(held["failure"]),
            failed_by=str(held.get("failed_by", "")),
        )
    except (HoldfastError, ValueError, KeyError, TypeError, RecursionError):
        return UpdateRecord()


def write_record(workspace: Workspace, record: UpdateRecord) -> None:
    """Keep the record."""
    held = {name: getattr(record, name) for name in record.fields}
    workspace.replace_file(_name(workspace), json.dumps(held).encode("utf-8"))


def _name(workspace: Workspace) -> str:
    return f"state/qmd/{workspace.agent}/updated.json"


class Fingerprint:
    """The builtin index' knowledge of all notes, as one hash; a search brings it up to date before it asks."""

    def __init__(self) -> None:
        # With the connection itself: what another one calls its version says nothing about this one.
        self._held: tuple[Connection, tuple[int, int], str] | None = None

    def of(self, database: Database, config: str) -> str:
        """The hash of every note's path and bytes, and of QMD's configuration."""
        from hashlib import sha256

        version, held = database.connection.version(), self._held
        if held is None or held[0] is not database.connection or held[1] != version:
            edition = database.serving()
            if edition is not None:
                notes = edition.known()
            else:
                notes = {}
            digest = sha256()
            for path in sorted(notes):
                if not path.startswith("sessions/"):  # transcripts, which are no notes
                    digest.update(f"{path}\0{notes[path].hash}\n".encode("utf-8", "surrogatepass"))
            held = self._held = database.connection, version, digest.hexdigest()
        return sha256(f"{held[2]}\0{config}".encode("utf-8", "surrogatepass")).hexdigest()
