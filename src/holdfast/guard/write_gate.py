"""The one rule behind `memory.agent_write_mode`: who may change which note.

The owner may change every note. Everybody else changes no note with `off`, none below memory/ with `prompt-only`, and
not MEMORY.md with `search-only`. What counts is who acts: an import that the owner asks for is the owner's doing,
although its text has the origin `import`.
"""

from __future__ import annotations

from typing import Final

from holdfast.errors import WriteModeRefused
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import WriteMode

__all__ = ["OWNER", "WriteGate"]

_PLACES: Final = (NotePath("MEMORY.md"), NotePath("memory/"))  # where notes are


class WriteGate(NamedTuple):
    """The write mode in force, and whether it is the owner who acts."""

    mode: WriteMode
    is_owner: bool = False

    def for_actor(self, origin: Origin, is_owner: bool | None = None) -> WriteGate:
        """Return the gate for whoever stamps this origin.

        `is_owner` is for origins that don't tell who acts.
        """
        if is_owner is None:
            is_owner = origin is Origin.USER
        return self._replace(is_owner=is_owner)

    def allows(self, path: NotePath) -> bool:
        """Say whether this note, or USER.md, may be changed."""
        if self.is_owner or self.mode is WriteMode.HYBRID:
            return True
        if self.mode is WriteMode.PROMPT_ONLY:
            return not path.text.startswith("memory/")
        if self.mode is WriteMode.SEARCH_ONLY:
            return not path.is_prompt_memory
        return False

    def require(self, path: NotePath) -> None:
        """Raise WriteModeRefused unless this note may be changed."""
        if not self.allows(path):
            raise WriteModeRefused(self.mode.value, path.text)

    @property
    def is_shut(self) -> bool:
        """True if no note at all may be changed."""
        return not any(map(self.allows, _PLACES))

    def require_any(self) -> None:
        """Raise WriteModeRefused unless there is a note that may be changed."""
        if self.is_shut:
            self.require(_PLACES[0])

    def require_all(self) -> None:
        """Raise WriteModeRefused unless every note may be changed."""
        for place in _PLACES:
            self.require(place)


OWNER: Final = WriteGate(WriteMode.HYBRID, is_owner=True)
"""The gate of the owner, whatever the mode."""
