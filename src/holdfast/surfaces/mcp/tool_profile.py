"""The tools that a client is offered, and what it is told of each beside its schema.

Few are the default: every tool costs each conversation its description, and a model with many chooses worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["HINTS", "Hints", "Profile", "profile_tools"]

_CORE: Final = ("memory_search", "memory_get", "memory_save", "memory_forget")
_FACTS: Final = ("store", "recall", "forget", "list")


class Profile(StrEnum):
    """A choice of tools."""

    CORE = "core"
    FACTS = "facts"
    ALL = "all"
    OWNER = "owner"
    CHATGPT = "chatgpt"


class Hints(NamedTuple):
    """The hints on a tool that a client may want before it lets a model call it."""

    title: str
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    """Whether a second call with the same arguments changes nothing more."""


# Nothing is lost by any of them: each change has a checkpoint. `destroys` is for those that take words out of the
# notes, or decide in the owner's name, so that clients which ask a person before such calls do so; a save adds, and
# would be a nuisance to confirm.
HINTS: Final[Mapping[str, Hints]] = {
    "memory_search": Hints("Search memory", reads=True, repeatable=True),
    "memory_get": Hints("Read a note", reads=True, repeatable=True),
    "memory_save": Hints("Save to memory"),
    "memory_forget": Hints("Forget something", destroys=True),
    "memory_delete": Hints("Delete text or a note", destroys=True),
    "checkpoints_list": Hints("List changes to memory", reads=True, repeatable=True),
    "checkpoint_restore": Hints("Undo a change", destroys=True, repeatable=True),
    "store": Hints("Remember a fact"),
    "recall": Hints("Recall facts", reads=True, repeatable=True),
    "forget": Hints("Forget a fact", destroys=True, repeatable=True),
    "list": Hints("List facts", reads=True, repeatable=True),
    "inbox_list": Hints("List what waits for approval", reads=True, repeatable=True),
    "inbox_approve": Hints("Approve for MEMORY.md", destroys=True),
    "inbox_edit": Hints("Edit what waits", destroys=True),
    "inbox_reject": Hints("Reject what waits", destroys=True),
    "session_state": Hints("Keep a value for this session"),
    "search": Hints("Search memory", reads=True, repeatable=True),
    "fetch": Hints("Read a search result", reads=True, repeatable=True),
}


def profile_tools(profile: Profile, offered: Iterable[str], *, read_only: bool = False) -> tuple[str, ...]:
    """Return those of the offered tools that are of this profile, in its order."""
    wanted = {Profile.CORE: _CORE, Profile.FACTS: (*_CORE, *_FACTS), Profile.CHATGPT: ()}.get(profile)
    there = tuple(name for name in offered if profile is Profile.OWNER or not name.startswith("inbox_"))
    if wanted is None:
        names = there
    else:
        names = tuple(name for name in wanted if name in there)
    if read_only:
        return tuple(name for name in names if HINTS[name].reads)
    return names
