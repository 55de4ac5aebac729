"""A filter that drops what the HTTP library logs of our calls: addresses and headers may hold keys.

`httpx2` logs every address, which may carry a key in its query, and `httpcore2` logs the headers of the answer, where
a provider may echo one. Only records made inside our own calls are dropped; others who use the library keep theirs.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]

_ours = threading.local()
_LOGGERS = ("httpx2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))


def _not_ours(record: logging.LogRecord) -> bool:  # noqa: ARG001 - a filter is called with the record
    return not getattr(_ours, "calling", False)


@contextmanager
def quiet() -> Iterator[None]:
    """While inside, this thread's calls are not logged."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_not_ours)  # adding it again changes nothing
    _ours.calling = True
    try:
        yield
    finally:
        _ours.calling = False
