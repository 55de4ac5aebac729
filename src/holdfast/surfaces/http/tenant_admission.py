"""A token → whom it lets in, asked of the database now and then, and from memory in between and while it is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from holdfast.errors import DatabaseAway
from holdfast.postgres.access_tokens import find_access, tenant_in, token_hash
from holdfast.postgres.request_quota import count_request

if TYPE_CHECKING:
    from holdfast.postgres.access_tokens import Access
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["Admission"]

_FRESH: Final = 5.0  # seconds; so long may a token that was revoked still be let in
_AWAY: Final = 15 * 60.0  # seconds that a token is known without the database
_MOST: Final = 20_000  # tokens that are remembered, wrong ones too


class Admission:
    """Knows tokens by their hashes, as the database does."""

    def __init__(self, pool: PostgresPool, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool, self._clock = pool, clock
        self._known: dict[str, tuple[Access | None, float]] = {}
        self._lock = threading.Lock()

    def admit(self, token: str) -> Access | None:
        """Return whom a token lets in, and count the request; None for a stranger. Waits for the database.

        While the database is away, who was let in before is let in, and nobody is counted.
        """
        if tenant_in(token) is None:
            return None
        access = self._find(token)
        if access is not None and access.limits.requests is not None:
            try:
                count_request(self._pool, access.tenant, access.limits.requests)
            except DatabaseAway:
                return access
        return access

    def remembered(self, token: str) -> Access | None:
        """Return whom a token lets in where that needs no look, nor a count; None where it does."""
        with self._lock:
            access, at = self._known.get(token_hash(token), (None, 0.0))
        fresh = access is not None and self._clock() - at < _FRESH
        if fresh and access is not None and access.limits.requests is None:
            return access
        return None

    def _find(self, token: str) -> Access | None:
        digest, now = token_hash(token), self._clock()
        with self._lock:
            held = self._known.get(digest)
        if held is not None and now - held[1] < _FRESH:
            return held[0]
        try:
            access = find_access(self._pool, token)
        except DatabaseAway:
            if held is None or held[0] is None or now - held[1] > _AWAY:
                raise
            return held[0]
        with self._lock:
            self._known.pop(digest, None)
            self._known[digest] = access, now
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        return access
