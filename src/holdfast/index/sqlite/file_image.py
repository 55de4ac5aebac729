"""The whole index as bytes, for another server to begin with; and such bytes as a file."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.errors import StorageFailed
from holdfast.notes.private_database import make_private_folder

if TYPE_CHECKING:
    from holdfast.index.sqlite.database import Database

__all__ = ["place_image", "read_image"]


def read_image(database: Database) -> bytes:
    """Return the index as SQLite would write it to one file, its log included; others may write meanwhile."""
    with database.connection.reading() as raw:
        image: bytes = raw.serialize("main")
    return image


def place_image(path: str, image: bytes) -> bool:
    """Put an image where there is no index yet, at once and whole; say whether it was put there."""
    if os.path.lexists(path):
        return False
    fresh = f"{path}.{os.urandom(6).hex()}.new"
    try:
        make_private_folder(os.path.dirname(path))
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
                file.write(image)
            os.link(fresh, path)  # fails where another process was quicker
        finally:
            with suppress(FileNotFoundError):
                os.unlink(fresh)
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageFailed(path, "write the index", error.strerror or str(error)) from error
    return True
