"""A folder of the owner's that is searched where it is: named in `memory.extra_paths`, and not copied."""

from __future__ import annotations

import os
from typing import Any

from holdfast.errors import BadArgument
from holdfast.facts.exchange.bundle import open_bundle
from holdfast.facts.exchange.markdown_folder import ENDINGS
from holdfast.settings.reference import literal
from holdfast.tools.rooms import Rooms
from holdfast.tools.setting import change_setting
from holdfast.value import Value

__all__ = ["ExtraPath", "name_extra_path", "plan_extra_path"]


class ExtraPath(Value):
    """A folder or note outside of the home, the Markdown in it, and whether it is named in the settings."""

    path: str
    notes: tuple[str, ...]
    known: bool = False
    """Whether it was named before."""
    named: bool = False
    """Whether it was named now."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"path": self.path, "notes": list(self.notes), "known": self.known, "named": self.named}


def plan_extra_path(rooms: Rooms, file: str) -> ExtraPath:
    """What would be searched; nothing is changed."""
    path = os.path.realpath(os.path.expanduser(file))
    home = os.path.realpath(rooms.workspace.home)
    with open_bundle(file) as bundle:
        notes = tuple(name for name in bundle.names if name.lower().endswith(ENDINGS))
    if os.path.commonpath((path, home)) in (path, home):
        raise BadArgument("file", f"{file!r} holds this home, or is a part of it, which is searched already")
    if not notes:
        raise BadArgument("file", f"there is no Markdown in {file!r}; files end in .md")
    held = (os.path.realpath(os.path.expanduser(extra)) for extra in rooms.settings.memory.extra_paths)
    return ExtraPath(path, notes, known=path in held)


def name_extra_path(rooms: Rooms, plan: ExtraPath) -> ExtraPath:
    """Add it to `memory.extra_paths` in holdfast.toml."""
    change_setting(rooms.workspace, "memory.extra_paths", literal([*rooms.settings.memory.extra_paths, plan.path]))
    return plan.replace(named=True)
