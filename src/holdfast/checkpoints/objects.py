"""The contract of stored bytes: those of notes before and after each change, under their SHA-256."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

__all__ = ["Objects"]


class Objects(Protocol):
    """The stored bytes of one agent's changes."""

    def store(
        self, data: bytes | None, durable: Collection[str | None] = (), *, onto: bytes | None = None
    ) -> str | None:
        """Store bytes and return their hash; hashes in `durable` are known to be stored.

        Where they are like the bytes of `onto`, which are stored by now, only what differs need be.
        """
        ...

    def store_all(self, blobs: Iterable[bytes], pack: str) -> None:
        """Store many bytes at once, in the pack of this name."""
        ...

    def load(self, digest: str, pack: str = "") -> bytes | None:
        """Return the bytes under a hash, or None if they are missing; the caller compares the hash."""
        ...

    def sizes(self) -> dict[str, int]:
        """Return every stored hash with the size that its bytes take."""
        ...

    def stored(self) -> Iterator[tuple[str, int]]:
        """Yield the same one by one; hashes that begin with the same two digits come together, or nearly."""
        ...

    def remove(self, digests: Collection[str]) -> None:
        """Remove objects that nothing refers to any more."""
        ...
