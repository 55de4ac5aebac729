"""Types of what an adapter is given: a memory of this process, or one that a server keeps.

They are unions, so that mypy lets an adapter use only what both classes have, with arguments that both take. What is
only in the library, such as `Session.ctx`, is an error here before anybody meets it over `holdfast.connect`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.operations.note_access import Notes
    from holdfast.operations.toolbox import Toolbox
    from holdfast.sessions.conversation import Session
    from holdfast.surfaces.client.client import Client
    from holdfast.surfaces.client.remote_parts import RemoteNotes, RemoteToolbox
    from holdfast.surfaces.client.remote_session import RemoteSession, RemoteState
    from holdfast.transcripts.state import BoundState

__all__ = ["AnyMemory", "AnyNotes", "AnySession", "AnyState", "AnyToolbox"]

AnyMemory: TypeAlias = "Memory | Client"
AnyNotes: TypeAlias = "Notes | RemoteNotes"
AnySession: TypeAlias = "Session | RemoteSession"
AnyState: TypeAlias = "BoundState | RemoteState"
AnyToolbox: TypeAlias = "Toolbox | RemoteToolbox"
