"""Several pieces of work begun at the same moment, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

from holdfast.errors import HoldfastError

LONGEST = 120.0  # seconds; the machine may have others to serve


def at_once(*works: Callable[[], object]) -> list[object]:
    """Return what each of them gave, or the error of ours that it ended with; any other error is raised."""
    barrier, outcomes = Barrier(len(works)), dict[int, object]()

    def run(number: int, work: Callable[[], object]) -> None:
        barrier.wait(LONGEST)
        try:
            outcomes[number] = work()
        except BaseException as error:  # noqa: BLE001 - it is told to who waits
            outcomes[number] = error

    threads = [Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert len(outcomes) == len(works), "one of them has not ended"
    found = [outcomes[number] for number in range(len(works))]
    for outcome in found:
        if isinstance(outcome, BaseException) and not isinstance(outcome, HoldfastError):
            raise outcome
    return found
