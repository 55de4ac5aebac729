"""What `session.prompt(message)` costs beside one warm search: `python bench/prompt.py [NOTES]`.

The target: with 10,000 notes, at most twice a warm search plus reading the files that the prompt shows. Searches and
prompts take turns, question by question, so that a busy machine hurts both alike.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from corpus import generated

from holdfast import Memory

TARGET = 2.0
_ROUNDS = 3


def _spent(work: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def _median(spent: list[tuple[float, float]], which: int) -> float:
    return statistics.median(one[which] for one in spent) * 1000


def main() -> int:
    """Measure, print, and end with 1 when the target is missed."""
    notes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    corpus = generated(notes)
    questions = [f"What do we know about {query.text}, and who decided it?" for query in corpus.queries]
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        shutil.copytree(corpus.root / "memory", home / "memory")
        today = datetime.now().astimezone().date()
        files = [home / "MEMORY.md", *(home / "memory" / f"{today - timedelta(days=ago)}.md" for ago in (0, 1))]
        for file in files:
            file.write_text("".join(f"- fact {number} about nothing asked\n" for number in range(600)), "utf-8")
        with Memory.open(home, settings={"memory.recall.deadline_ms": 60_000}) as memory:
            memory.sync()
            session = memory.session()
            for question in questions[:5]:
                memory.search(question, max_results=8)
                session.prompt(question)
            searched, prompted, read = [], [], []
            recalled = 0
            for question in questions * _ROUNDS:
                searched.append(_spent(partial(memory.search, question, max_results=8)))
                prompted.append(_spent(partial(session.prompt, question)))
                read.append(_spent(lambda: [file.read_text("utf-8") for file in files]))
            for question in questions:
                found = session.prompt(question).recalled
                recalled += bool(found is not None and found.hits)
            alone = [_spent(session.prompt) for _ in range(50)]
    missed = False
    for which, name in ((0, "wall"), (1, "CPU")):
        search, prompt, files_ms = (_median(spent, which) for spent in (searched, prompted, read))
        allowed = TARGET * search + files_ms
        missed = missed or prompt > allowed
        print(
            f"{name}: search {search:.2f} ms, prompt {prompt:.2f} ms ({prompt / search:.2f} times), reading the files "
            f"{files_ms:.2f} ms, prompt without a message {_median(alone, which):.2f} ms; allowed {allowed:.2f} ms"
        )
    print(f"{notes:,} notes; {recalled} of {len(questions)} questions brought something to mind")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
