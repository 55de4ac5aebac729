"""The bytes of notes before and after each change under their SHA-256, read-only and durable.

Those of one change are files of their own, each stored once; those of many notes changed as one are in a pack.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator

from holdfast.checkpoints.packs import PACKS, Packs
from holdfast.errors import UnsafeFile
from holdfast.guard.text import MAX_NOTE_BYTES
from holdfast.notes.disk import Disk
from holdfast.notes.opening import again, directory, failing, read_whole, shut
from holdfast.notes.replacing import ensure, put, sync_directory

__all__ = ["Objects"]

_TOP = "objects"
_SHOWN = f"checkpoints/{_TOP}"


class Objects:
    """The stored bytes in an open directory."""

    def __init__(self, disk: Disk, fd: int) -> None:
        self.disk, self.fd = disk, fd
        self._packs = Packs(disk, fd, (_TOP, PACKS))

    def store(self, data: bytes | None, durable: Collection[str | None] = ()) -> str | None:
        """Store bytes and give their hash. Hashes in `durable` are known to have reached the disk before."""
        if data is None:
            return None
        digest = hashlib.sha256(data).hexdigest()
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        shelf = ensure(self.disk, self.fd, (_TOP, digest[:2]), shown)
        try:
            # An object that someone changed is written anew: it would be the only copy of what comes next.
            if self._stored(shelf, digest, shown) == data:
                if digest not in durable:
                    # A writer may have died between its rename and its sync.
                    sync_directory(self.disk, shelf, shown)
            else:
                put(self.disk, self.fd, digest, data, shown, target=shelf, mode=0o400)
        finally:
            shut(self.disk, shelf)
        return digest

    def store_all(self, blobs: Iterable[bytes], pack: str) -> None:
        """Store many bytes with one sync, in the pack of this name."""
        self._packs.write(pack, {hashlib.sha256(data).hexdigest(): data for data in blobs})

    def load(self, digest: str, pack: str = "") -> bytes | None:
        """The bytes under a hash, or None if they are missing; the caller compares the hash.

        `pack` is the group of the change that they belong to, where it has one: that pack is looked into first.
        """
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        try:
            with directory(self.disk, self.fd, (_TOP, digest[:2]), shown) as shelf:
                return read_whole(self.disk, shelf, digest, shown, MAX_NOTE_BYTES).data
        except FileNotFoundError:
            packed = self._packs.load(pack, digest)
            return self._packs.find(digest) if packed is None else packed

    def sizes(self) -> dict[str, int]:
        """Every stored hash with the size of its file."""
        sizes = self._packs.sizes()
        for shelf, name in self._shelves():
            with failing(f"checkpoints/{_TOP}/{name}", "list"):
                for digest in again(self.disk.names, shelf):
                    sizes[digest] = again(self.disk.lstat, digest, dir_fd=shelf).st_size
        return sizes

    def remove(self, digests: Collection[str]) -> None:
        """Remove objects that nothing refers to any more."""
        self._packs.remove(digests)
        for shelf, name in self._shelves():
            gone = [digest for digest in digests if digest[:2] == name]
            with failing(f"checkpoints/{_TOP}/{name}", "remove from"):
                for digest in gone:
                    again(self.disk.unlink, digest, dir_fd=shelf)
            if gone:
                sync_directory(self.disk, shelf, f"checkpoints/{_TOP}/{name}")

    def _stored(self, shelf: int, digest: str, shown: str) -> bytes | None:
        try:
            return read_whole(self.disk, shelf, digest, shown, MAX_NOTE_BYTES).data
        except FileNotFoundError:
            return None

    def _shelves(self) -> Iterator[tuple[int, str]]:
        try:
            with directory(self.disk, self.fd, (_TOP,), f"checkpoints/{_TOP}") as top:
                with failing(f"checkpoints/{_TOP}", "list"):
                    names = sorted(again(self.disk.names, top))
                for name in names:
                    if name == PACKS:
                        continue
                    try:
                        with directory(self.disk, top, (name,), f"checkpoints/{_TOP}/{name}") as shelf:
                            yield shelf, name
                    except (FileNotFoundError, UnsafeFile):
                        continue
        except FileNotFoundError:
            return
