"""What `run.py` measured as docs/speed.md: its tables and its targets, as they were printed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from report import Verdict
from stamp import stamp

__all__ = ["page"]

_PAGE = """\
# How fast it is, beside others

The same notes and questions for three: the floor, some thirty lines of SQLite's full-text search; Holdfast, with the
embedded model as it comes; and QMD's keyword search, which has no vectors to make or to compare. Ratios say more than
seconds: another machine has others. What each row means stands in [bench/README.md](../bench/README.md), what growth
costs in [scale.md](scale.md), what a new process costs in [cold.md](cold.md), who finds what in [peers.md](peers.md).

{stamp} {machine}

```text
{tables}
```

`hit@5`: of thirty questions each, for how many the right note is among the first five.

## Targets

```text
{targets}
```
"""


def page(command: str, tables: Sequence[str], verdicts: Sequence[Verdict]) -> str:
    """Return the page of one run; the machine's load shows how much its wall times are worth."""
    machine = f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end."
    return _PAGE.format(
        stamp=stamp(command),
        machine=machine,
        tables="\n\n".join(tables),
        targets="\n".join(verdict.line() for verdict in verdicts),
    )
