"""Does one operation; at the Nth call that changes the disk it is killed, or that call fails; or all are recorded."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import sys
from contextlib import suppress
from pathlib import Path

import apsw
from faults.changing_operations import OPERATIONS, open_home, refusal_in
from faults.children import report
from faults.system_calls import Call, Refused, watch_calls

from holdfast.errors import HoldfastError

CODES = {"EIO": errno.EIO, "ENOSPC": errno.ENOSPC}


def main(home: str, name: str, fault: str, number: str, record: str) -> None:
    """Do it, and say how many calls it took and what went wrong, if anything."""
    at, calls, counting = int(number), list[Call](), False

    def show(call: Call) -> None:
        if not counting:
            return
        calls.append(call)
        if len(calls) == at:
            if fault == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise Refused(CODES[fault])

    watch_calls(home, show)
    error = ""
    memory = open_home(Path(home))
    counting = True
    try:
        error = refusal_in(OPERATIONS[name](memory, Path(home).parent))
        if not error:
            os.write(1, b"acknowledged\n")
    except HoldfastError as failure:
        error = type(failure).__name__
    if record:
        Path(record).write_bytes(pickle.dumps(calls))
    # SQLite keeps silent where what it does on closing fails; that our layer refused it is told all the same.
    with suppress(apsw.Error):
        memory.close()
    shown = str(calls[at - 1]) if 0 < at <= len(calls) else ""
    report({"calls": len(calls), "error": error, "at": shown[:200]})


if __name__ == "__main__":
    main(*sys.argv[1:])
