"""A file of JSON lines that somebody made by hand → its text, or an error that says what is wrong with the file."""

from __future__ import annotations

import os

from holdfast.errors import BadArgument, NotFound, StorageFailed, TooLarge

__all__ = ["text_of"]

_MAX_BYTES = 20_000_000


def text_of(path: str, argument: str, kind: str, *, missing: str = "") -> str:
    """Return all of the file; `argument` and `kind` are what an error calls it, and `missing` says where to get one."""
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(" ".join(filter(None, (f"There is no file {path!r}.", missing)))) from None
    except UnicodeDecodeError:
        raise BadArgument(argument, f"{path!r} is not UTF-8") from None
    except OSError as error:
        raise StorageFailed(path, "read", error.strerror or str(error)) from None
    if len(text) > _MAX_BYTES:
        raise TooLarge(kind, os.path.getsize(path), _MAX_BYTES)
    return text
