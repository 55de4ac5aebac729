"""A folder of the owner's that is searched where it is: named in `memory.extra_paths`, and not copied."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, Final

from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.exchange.bundle import open_bundle
from holdfast.operations.setting_change import change_setting
from holdfast.settings.settings_reference import literal
from holdfast.value import Value

__all__ = ["ExtraPath", "name_extra_path", "plan_extra_path"]

_ENDING: Final = ".md"  # as notes/walk.py reads them; an import also copies .markdown


class ExtraPath(Value):
    """A folder or note outside of the home, the notes in it, and whether it is named in the settings."""

    path: str
    notes: tuple[str, ...]
    unread: tuple[tuple[str, int], ...] = ()
    """The endings of the other files, which no search reads, and how many have each."""
    known: bool = False
    """Whether it was named before."""
    named: bool = False
    """Whether it was named now."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = {"path": self.path, "notes": list(self.notes), "unread": dict(self.unread)}
        return shown | {"known": self.known, "named": self.named}


def plan_extra_path(ctx: Context, file: str) -> ExtraPath:
    """Return what would be searched; nothing is changed."""
    path = os.path.realpath(os.path.expanduser(file))
    home = os.path.realpath(ctx.workspace.home)
    with open_bundle(file) as bundle:
        names = bundle.names
        is_archive = bundle.root is None and not bundle.single
    if is_archive:
        raise BadArgument("file", f"{file!r} is an archive; unpack it, or leave out --in-place to copy what is in it")
    notes = tuple(name for name in names if name.endswith(_ENDING))
    unread = Counter(os.path.splitext(name)[1] or "no ending" for name in names if not name.endswith(_ENDING))
    if os.path.commonpath((path, home)) in (path, home):
        raise BadArgument("file", f"{file!r} holds this home, or is a part of it, which is searched already")
    if not notes:
        raise BadArgument("file", f"there is no note in {file!r}; one that is read in place ends in {_ENDING}")
    held = (os.path.realpath(os.path.expanduser(extra)) for extra in ctx.settings.memory.extra_paths)
    return ExtraPath(path, notes, tuple(sorted(unread.items())), known=path in held)


def name_extra_path(ctx: Context, plan: ExtraPath) -> ExtraPath:
    """Add it to `memory.extra_paths` in holdfast.toml."""
    change_setting(ctx.workspace, "memory.extra_paths", literal([*ctx.settings.memory.extra_paths, plan.path]))
    return plan.replace(named=True)
