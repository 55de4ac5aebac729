"""The paths that may name a note. Strings come in, NotePath values go out; the disk is not asked.

Not covered here: what stands at the path. A symlink or a hard link passes these rules and is refused when it
is opened.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, is_normalized, normalize

from holdfast.errors import BadAgent, BadPath
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "EXPORTS",
    "INBOX",
    "PLAIN_NAME",
    "NotePath",
    "agent_id",
    "changeable_path",
    "conflict_fault",
    "is_own_place",
    "name_fault",
    "owner_writable_path",
    "readable_path",
    "twin_key",
    "writable_path",
]

INBOX = "memory/inbox.md"
"""The note in which lines wait that an agent or a program wanted in MEMORY.md."""

EXPORTS = "memory/sessions/"
"""The folder of exported conversations, a bullet a turn."""

_ANY_FOLDER = "Use MEMORY.md, or a name ending in .md below memory/, in any folder there."  # to read, and for the owner
MAX_SEGMENT_BYTES = 200  # of the 255 that file systems allow: the temp's prefix and suffix need the rest
MAX_PATH_BYTES = 1_000

_SPACE = "white space"
_OWNER_CHARACTERS = frozenset(' <>"|?*')
# Of exported sessions, of notes of other programs, and of what dreaming tells.
_OWN_FOLDERS = (EXPORTS, "memory/imports/", "memory/dreams/")
_PROMPT_MEMORY = ("MEMORY.md", "memory.md")
_DEVICES = r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])"
_DEVICE = compile_late(rf"{_DEVICES}(?:\..*)?", re.IGNORECASE | re.DOTALL)
# Most names are like this, and need no closer look.
PLAIN_NAME = compile_late(rf"(?!{_DEVICES}(?:\.|$))[a-z0-9_][a-z0-9_@+=-]{{0,190}}(?:\.md)?", re.IGNORECASE | re.ASCII)
_PLAIN_CHARACTERS = compile_late(r"[a-z0-9/._@+=-]+", re.IGNORECASE | re.ASCII)
_MAX_CACHED_PATHS = 8192  # answers that are kept: a walk and a batch ask about the same paths again and again
_AGENT = compile_late(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
_CONFLICT = compile_late(r"\.sync-conflict-|conflicted copy|~$|^\.#|^#.*#$", re.IGNORECASE | re.DOTALL)
_TEMP = compile_late(r"\.hf-tmp", re.IGNORECASE)
_DRIVE = compile_late(r"[A-Za-z]:")
_SCHEME = compile_late(r"[A-Za-z][A-Za-z0-9+.-]+:")
# Shown as '.', '/' or '\', or folded into them by a system on the way.
_LOOKALIKES = frozenset("\u2024\u2025\u2026\ufe52\uff0e\u2044\u2215\u29f8\uff0f\u2216\u29f5\ufe68\uff3c")
# Letters and marks that are shown as nothing: two names would look the same.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)


class NotePath(NamedTuple):
    """A note's path below the workspace, after it passed the rules."""

    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The segments between the slashes."""
        return tuple(self.text.split("/"))

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.text.rpartition("/")[2]

    @property
    def is_prompt_memory(self) -> bool:
        """True if this note goes into the prompt."""
        return self.text in _PROMPT_MEMORY

    def __str__(self) -> str:
        return self.text


def readable_path(text: str) -> NotePath:
    """Return a path that may be read, or raise BadPath.

    That is MEMORY.md, memory.md or memory/**/*.md, by whatever name its owner gave it.
    """
    return _require_path(text, to_write=False)


def writable_path(text: str) -> NotePath:
    """Return a path that may be written, or raise BadPath.

    That is MEMORY.md, memory.md or memory/<name>.md, by a name that every system can store.
    """
    return _require_path(text, to_write=True)


def owner_writable_path(text: str) -> NotePath:
    """Return a path that the owner may write, or raise BadPath.

    It may also lie in folders below memory/ and have spaces in its names.

    One level and no spaces is a rule for agents and programs: the owner's notes lie in folders, by names as editors
    give them. Whatever a URL, a shell or another system could turn into another name is refused here too.
    """
    fault = _path_fault(text, to_write=True, by_owner=True)
    if fault is None and text.endswith(" .md"):
        fault = f"its name ends with {_SPACE}"
    if fault is not None:
        raise BadPath(text, fault, remedy=_ANY_FOLDER)
    return NotePath(text)


def changeable_path(text: str) -> NotePath:
    """Return a path whose note may change, or raise BadPath.

    It may be written, or lies in a folder that only our own code writes to.
    """
    folder = next((own for own in _OWN_FOLDERS if text.startswith(own)), "")
    name = text.removeprefix(folder)
    if not folder or "/" in name:
        return writable_path(text)
    fault = _whole_fault(text) or _path_fault(f"memory/{name}", to_write=True)
    if fault is not None:
        raise BadPath(text, fault)
    return NotePath(text)


def is_own_place(text: str) -> bool:
    """Say whether a path is the inbox, or lies in a folder that only our own code writes to."""
    key = twin_key(text)
    return key == INBOX or key.startswith(_OWN_FOLDERS)


def twin_key(name: str) -> str:
    """Return a name as systems that fold case or Unicode forms see it.

    Names with equal keys are twins.
    """
    if name.isascii():
        return name.lower()
    return normalize("NFKC", normalize("NFKC", name).casefold())


def agent_id(text: str) -> str:
    """Return an agent's id unchanged, or raise BadAgent."""
    if not isinstance(text, str) or not text:
        raise BadAgent(text, "it is empty" if text == "" else "it is no text")
    if len(text) > 64:
        raise BadAgent(text, "it has more than 64 characters")
    if not _AGENT.fullmatch(text):
        raise BadAgent(text, "it has another character, or does not start with a letter or a digit")
    if _DEVICE.fullmatch(text):
        raise BadAgent(text, "Windows keeps this name for a device")
    return text


def conflict_fault(name: str) -> str | None:
    """Return the reason why this is some program's copy and not a note, or None."""
    if _TEMP.search(name):
        return "it is a temporary file of Holdfast"
    if _CONFLICT.search(name):
        return "it is a conflict or backup copy"
    return None


def name_fault(name: str) -> str | None:
    """Return the reason why a file of this name can't be read, or None.

    The fast answer for plain names serves the walk.
    """
    if PLAIN_NAME.fullmatch(name):
        return None
    return _segment_fault(name) or _character_fault(name, to_write=False)


def _require_path(text: str, *, to_write: bool) -> NotePath:
    # The answer for a text of any length is not kept.
    if len(text) <= MAX_PATH_BYTES:
        fault = _path_fault(text, to_write=to_write)
    else:
        fault = _whole_fault(text)
    if fault is not None and to_write:
        raise BadPath(text, fault)
    if fault is not None:
        raise BadPath(text, fault, remedy=_ANY_FOLDER)
    return NotePath(text)


@lru_cache(maxsize=_MAX_CACHED_PATHS)
def _path_fault(text: str, *, to_write: bool, by_owner: bool = False) -> str | None:
    fault = _whole_fault(text) or _character_fault(text, to_write=to_write, spaces=by_owner)
    if fault is not None:
        return fault
    parts = text.split("/")
    for part in parts:
        if PLAIN_NAME.fullmatch(part):
            continue
        fault = _segment_fault(part) or (_unportable_fault(part) if to_write else None)
        if fault is not None:
            return fault
    if not text.endswith(".md"):
        return "it does not end in '.md'"
    if text in _PROMPT_MEMORY:
        return None
    if parts[0] != "memory" or len(parts) == 1:
        return "notes live in 'memory/'"
    if len(parts) > 2 and to_write and not by_owner:
        return "notes can't be written below a directory inside 'memory/'"
    return None


def _whole_fault(text: str) -> str | None:
    if not text:
        return "it is empty"
    if len(text) > MAX_PATH_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return f"it has more than {MAX_PATH_BYTES:,} bytes"
    if text.startswith("/"):
        return "it is absolute"
    return None


def _character_fault(text: str, *, to_write: bool, spaces: bool = False) -> str | None:
    """Name the first character that the path can't have, in words; else return None.

    A note that is there has the name its owner gave it: only what can't be shown as itself is refused. A note that
    we make has a name that every system can store and no URL or shell can turn into another.
    """
    if _PLAIN_CHARACTERS.fullmatch(text):
        return None
    if "\\" in text:
        return "it has a backslash"
    if to_write and (fault := _ambiguous_fault(text)):
        return fault
    for character in text:
        if character.isascii() and (character.isalnum() or character in "/._-" or (spaces and character == " ")):
            continue
        kind = _forbidden_kind(character)
        if kind is not None and (to_write or character not in _OWNER_CHARACTERS):
            return f"it has {kind} (U+{ord(character):04X})"
    if to_write and not is_normalized("NFC", text):
        return "it is not in Unicode form NFC"
    return None


def _ambiguous_fault(text: str) -> str | None:
    """Name the first sign that means something to a URL, a shell or Windows."""
    if ":" in text:
        if _DRIVE.match(text):
            return "it starts with a drive letter"
        if _SCHEME.match(text):
            return "it is a URL"
        return "it has a ':'"
    if "%" in text:
        return "it has a '%', which a URL could turn into another character"
    if "~" in text:
        return "it has a '~', which stands for a home directory or a backup"
    return None


def _forbidden_kind(character: str) -> str | None:
    kind = category(character)
    if kind == "Cs":
        return "a lone surrogate"
    if character.isspace() or kind[0] == "Z":
        return _SPACE
    if kind == "Cc":
        return "a control character"
    if kind == "Cf" or character in _BLANK:
        return "an invisible character"
    if ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF:
        return "a noncharacter"
    if character in _LOOKALIKES:
        return "a look-alike of '.' or '/'"
    if character in '<>"|?*':
        return "a character that Windows can't store"
    return None


def _segment_fault(part: str) -> str | None:
    if part == "":
        return "it has an empty segment"
    if part in (".", ".."):
        return f"it has a '{part}' segment"
    if len(part.encode("utf-8", "surrogatepass")) > MAX_SEGMENT_BYTES:
        return f"a segment has more than {MAX_SEGMENT_BYTES} bytes"
    fault = conflict_fault(part)
    if fault is not None:
        return fault
    if part.startswith("."):
        return "a segment starts with a dot"
    if part.startswith(" ") or part.endswith(" "):
        return f"a segment begins or ends with {_SPACE}"
    return None


def _unportable_fault(part: str) -> str | None:
    """Return the reason why Windows can't store a file of this name, or None."""
    if part.endswith(".") or part.removesuffix(".md").endswith("."):
        return "a segment ends in a dot"
    if _DEVICE.fullmatch(part):
        return "Windows keeps this name for a device"
    return None
