"""The key of a session: which keys are allowed, the kind each stands for, and the file of its transcript."""

from __future__ import annotations

import hashlib
import re

from holdfast.errors import BadArgument
from holdfast.guard.argument_types import display_value
from holdfast.pattern import compile_late
from holdfast.settings.session_settings import SessionKind as Kind

__all__ = [
    "Kind",
    "archive_name",
    "archive_number",
    "check_key",
    "directory_of",
    "file_name",
    "kind_of",
    "session_mark",
]

_LONGEST = 512  # characters; a channel's id with a thread's behind it has some 100
_PLAIN = compile_late(r"[a-z0-9][a-z0-9._-]{0,99}", re.ASCII)
# `standup.2.jsonl` is the second archive of `standup`, so no live transcript may be called so.
_LIKE_AN_ARCHIVE = compile_late(r"\.[0-9]+\Z", re.ASCII)
_NOT_PLAIN = compile_late(r"[^a-z0-9]+", re.ASCII)
_ENDING = ".jsonl"


def check_key(key: str) -> str:
    """The key unchanged, or BadArgument: any printable text without white space at its ends."""
    if not isinstance(key, str) or not key:
        raise BadArgument("session", "its key is empty")
    if len(key) > _LONGEST:
        raise BadArgument("session", f"its key has more than {_LONGEST} characters")
    if not key.isprintable() or key != key.strip():
        raise BadArgument("session", "its key has white space at an end, or a character that can't be shown")
    return key


def kind_of(kind: str | Kind) -> Kind:
    """The kind by its name, or BadArgument."""
    if not isinstance(kind, str) or kind not in list(Kind):
        raise BadArgument("kind", f"{display_value(kind)} is not one of {', '.join(Kind)}")
    return Kind(kind)


def directory_of(agent: str) -> tuple[str, ...]:
    """Return where an agent's transcripts are below the home."""
    return ("sessions", agent)


def file_name(key: str) -> str:
    """The transcript's file: the key itself where every system tells it from others, else a slug and a hash."""
    if _PLAIN.fullmatch(key) and not _LIKE_AN_ARCHIVE.search(key) and not key.endswith("."):
        return key + _ENDING
    # Upper case is hashed too: where a system folds case, Main and main would write into one file.
    slug = _NOT_PLAIN.sub("-", key.lower()).strip("-")[:40].strip("-") or "session"
    return f"{slug}~{hashlib.sha256(key.encode()).hexdigest()[:12]}{_ENDING}"


def archive_name(name: str, number: int) -> str:
    """The file of an earlier conversation under the same key."""
    return f"{name.removesuffix(_ENDING)}.{number}{_ENDING}"


def archive_number(name: str, archive: str) -> int | None:
    """Return which archive of a transcript a file is; None for any other file."""
    stem, middle = name.removesuffix(_ENDING), archive.removesuffix(_ENDING)
    number = middle[len(stem) + 1 :]
    fits = archive.endswith(_ENDING) and middle.startswith(f"{stem}.") and number.isascii() and number.isdigit()
    if fits and len(number) < 10:
        return int(number)
    return None


def session_mark(agent: str, key: str) -> str:
    """Return what the mark of a fact says of the session it comes from.

    Enough to find them all, and not who wrote there.
    """
    return hashlib.blake2b(f"{agent}\0{key}".encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
