"""Run one command and write what it cost: `python -I -S launch.py REPORT COMMAND…`.

A process of its own, because Linux counts the memory of the process that starts a command into the command's
peak: started from the bench itself, every command would seem to need what the bench needs.
"""

import os
import sys
import time

report, *command = sys.argv[1:]
started = time.perf_counter()
child = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - started
# Linux counts ru_maxrss in kibibytes, macOS in bytes.
peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
with open(report, "w", encoding="utf-8") as file:
    file.write(f"{usage.ru_utime + usage.ru_stime} {wall} {peak} {os.waitstatus_to_exitcode(status)}\n")
