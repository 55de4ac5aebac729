"""The retry policy of a call: time outs, the size of an answer, how often and how long after a failure to try again.

The numbers are those of the reference on reliability; the answers to 408, 425, 429 and 5xx are asked again, because
each says "not now". 501 and 505 say "never", and so does every other 4xx: a second try would cost the owner time
and money to be told the same. 409 is a conflict with something that is already there, which waiting does not mend.
"""

from __future__ import annotations

from collections.abc import Callable

from holdfast.pattern import compile_late
from holdfast.value import Value

__all__ = ["Policy", "backoff", "retry_after", "worth_another_try"]

_SECONDS = compile_late(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_FOR_EVER = 1e12


class Policy(Value):
    """The limits of a call; all times in seconds, sizes in bytes."""

    connect: float = 5.0
    read: float = 30.0
    total: float = 60.0
    idle: float = 300.0
    """For an answer that is heard while it comes: how long nothing of it may come."""
    body: int = 32 * 1024 * 1024
    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 8.0
    longest_asked: float = 30.0


def worth_another_try(status: int) -> bool:
    """Say whether this status means "not now" rather than "no"."""
    return status in (408, 425, 429) or (500 <= status <= 599 and status not in (501, 505))


def backoff(attempt: int, policy: Policy, random: Callable[[], float]) -> float:
    """Full jitter: anywhere between nothing and twice as long as before; attempts count from 1.

    Clients that failed together must not come back together.
    """
    return random() * min(policy.longest_wait, policy.first_wait * 2.0 ** (attempt - 1))


def retry_after(value: str | None, date: str | None, wall: Callable[[], float]) -> float | None:
    """The seconds that a `Retry-After` header asks for: a number or an HTTP date; None for what is neither.

    A date is measured against the answer's own `Date` where there is one, since our clock may be wrong.
    """
    text = (value or "").strip()
    if not text:
        return None
    if _SECONDS.fullmatch(text):
        return float(text)
    if text.isascii() and text.isdigit():
        return _FOR_EVER  # more digits than anybody waits for
    then = _moment(text)
    if then is None:
        return None
    start = _moment(date or "")
    return max(0.0, then - (wall() if start is None else start))


def _moment(text: str) -> float | None:
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
