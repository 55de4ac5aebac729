"""Let a program ask for dreaming: run it, or take a run back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from holdfast.context.memory_backend import MemoryPart
from holdfast.guard.operation import declare
from holdfast.guard.signature import OneOf

if TYPE_CHECKING:
    from holdfast.dreaming.dream_undo import RolledBack
    from holdfast.dreaming.report import Dream

__all__ = ["Dreams"]


class Dreams(MemoryPart):
    """The dreams of one agent."""

    prefix = "dreams."

    @declare(slow=True, for_owner=True)
    def run(
        self,
        phases: Annotated[
            Iterable[str] | None, "Only these: light, rem, deep.", OneOf(("light", "rem", "deep"))
        ] = None,
        *,
        dry_run: Annotated[bool, "Write nothing, and say what would happen and why."] = False,
    ) -> Dream:
        """Dream: `light`, `rem` and `deep`, or some of them; with `dry_run` nothing is written or remembered."""
        from holdfast.dreaming.dream_run import dream, phases_of

        return dream(self.ctx, phases=phases_of(phases), dry_run=dry_run)

    @declare(for_owner=True)
    def roll_back(self, run: Annotated[str | None, "Which run; else the last."] = None) -> RolledBack:
        """Take back what a run changed: the last one, or a named one."""
        from holdfast.dreaming.dream_undo import roll_back

        return roll_back(self.ctx, run)
