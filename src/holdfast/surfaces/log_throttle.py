"""A log handler that writes the same fault once a minute and says how many were left out.

Whoever can repeat a fault, as by connecting again and again, could fill the disk otherwise.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable
from typing import Final, TextIO, TypeAlias

__all__ = ["ThrottledHandler"]

INTERVAL_SECONDS: Final = 60.0
MAX_FAULTS: Final = 100  # that are told apart within an interval; all others count as one
_Fault: TypeAlias = tuple[str, ...]
_OTHERS: Final[_Fault] = ("others",)


class ThrottledHandler(logging.StreamHandler[TextIO]):
    """Writes to stderr, or to the stream given. At most `MAX_FAULTS` + 1 records a minute are written."""

    def __init__(self, stream: TextIO | None = None, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._monotonic = monotonic
        self._written_at: dict[_Fault, float] = {}
        self._left_out: dict[_Fault, tuple[int, logging.LogRecord]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless the same fault was written within the last minute; runs under the handler's lock."""
        now = self._monotonic()
        fault = self._identify(record, now)
        if now - self._written_at.get(fault, -INTERVAL_SECONDS) < INTERVAL_SECONDS:
            count, _ = self._left_out.get(fault, (0, record))
            self._left_out[fault] = (count + 1, record)
            return
        self._written_at[fault] = now
        count, _ = self._left_out.pop(fault, (0, record))
        super().emit(_add_count(record, count) if count else record)

    def close(self) -> None:
        """Say what was left out and never told of."""
        self.acquire()
        try:
            for count, record in self._left_out.values():
                if count > 1:
                    last = _add_count(record, count - 1)
                else:
                    last = record
                super().emit(last)
            self._left_out.clear()
        finally:
            self.release()
        super().close()

    def _identify(self, record: logging.LogRecord, now: float) -> _Fault:
        """Tell faults apart: by the logger, the first line of the text without its values, and the line that raised."""
        text = str(record.msg).partition("\n")[0]
        fault: _Fault = (record.name, record.levelname, text)
        error = None
        if record.exc_info:
            error = record.exc_info[1]
        if error is not None:
            fault = (*fault, type(error).__name__, _origin(error))
        if fault in self._written_at:
            return fault
        if len(self._written_at) >= MAX_FAULTS:
            self._forget_old(now)
        if len(self._written_at) < MAX_FAULTS:
            return fault
        return _OTHERS

    def _forget_old(self, now: float) -> None:
        """Make room. What was left out of a fault that does not come any more is written now."""
        for fault, at in list(self._written_at.items()):
            if now - at >= INTERVAL_SECONDS:
                del self._written_at[fault]
                count, record = self._left_out.pop(fault, (0, None))
                if record is not None:
                    super().emit(_add_count(record, count - 1) if count > 1 else record)


def _origin(error: BaseException) -> str:
    """Name the line that raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def _add_count(record: logging.LogRecord, count: int) -> logging.LogRecord:
    """Copy a record with the number of those left out before it."""
    counted = copy.copy(record)
    counted.msg = f"{record.getMessage()} ({count:,} more like this were left out)"
    counted.args = ()
    return counted
