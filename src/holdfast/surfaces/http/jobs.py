"""Work that takes longer than a request: begun, looked at, cancelled; the last ones are remembered while we run."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import Busy, HoldfastError, NotFound
from holdfast.progress import Progress
from holdfast.surfaces.http.event_stream import Bus
from holdfast.surfaces.http.request_guard import Refusal
from holdfast.surfaces.memory_pool import MemoryPool
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.index.sync import Synced
    from holdfast.memory import Memory

__all__ = ["Job", "Jobs", "sync_json"]

_REMEMBERED: Final = 100
_AT_ONCE: Final = 2
_MOST_WAITING: Final = 16
_TELL_EVERY: Final = 0.5  # seconds between two events about how far a job is,
_TELL_EACH: Final = 10  # of so many parts of it, which are told at once: one that waits then says how far it came
_OVER: Final = ("done", "failed", "cancelled")


class Job(Shown):
    """One piece of work; `state` is waiting, running, done, failed or cancelled."""

    id: str
    kind: str
    agent: str
    state: str
    created: float
    progress: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    ended: float | None = None


class _Cancelled(Exception):
    """Ends a job from within."""


class Jobs:
    """Two at a time, in threads of their own."""

    def __init__(self, memories: MemoryPool, bus: Bus) -> None:
        self._memories, self._bus = memories, bus
        self._jobs: dict[str, Job] = {}
        self._options: dict[str, Mapping[str, Any]] = {}
        self._cancelled: set[str] = set()
        self._lock = threading.Lock()
        self._line: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()

    def start(self, kind: str, agent: str, options: Mapping[str, Any]) -> Job:
        """Put a job in line; the same one that still waits stands for both."""
        with self._lock:
            if self._stopping.is_set():
                raise Busy("The server, which is about to end,", 0.0)
            waiting = [job for job in self._jobs.values() if job.state == "waiting"]
            for job in waiting:
                if (job.kind, job.agent, self._options[job.id]) == (str(kind), agent, options):
                    return job  # it has not begun, so it will do what is asked for now
            if len(waiting) >= _MOST_WAITING:
                why = f"{_MOST_WAITING} jobs wait already; nothing was begun. Try again when one of them is over."
                raise Refusal(429, "Busy", why, (("Retry-After", "5"),))
            job = Job(os.urandom(6).hex(), str(kind), agent, "waiting", time.time())
            self._jobs[job.id], self._options[job.id] = job, options
            self._drop_old()
            if len(self._threads) < _AT_ONCE:
                thread = threading.Thread(target=self._work, name="holdfast-job", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._line.put(job.id)
        self._tell(job)
        return job

    def all(self) -> list[Job]:
        """Those that are remembered, newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def find(self, id: str) -> Job:  # noqa: A002 - its name
        """One of them, or NotFound."""
        with self._lock:
            job = self._jobs.get(id)
        if job is None:
            raise NotFound(f"There is no job {id[:40]!r}. GET /api/v1/jobs lists the last ones.")
        return job

    def cancel(self, id: str) -> Job:  # noqa: A002 - its name
        """End a job that waits; ask one that runs to end at its next step. What is over stays as it is."""
        job = self.find(id)
        with self._lock:
            job = self._jobs.get(job.id, job)
            if job.state in _OVER:
                return job
            self._cancelled.add(job.id)
            if job.state == "running":
                return job
            job = self._jobs[job.id] = job.replace(state="cancelled", ended=time.time())
        self._tell(job)
        return job

    def counts(self) -> dict[str, int]:
        """Return how many there are in each state."""
        states = [job.state for job in self.all()]
        return {state: states.count(state) for state in ("waiting", "running", *_OVER)}

    def stop(self, seconds: float) -> None:
        """Cancel everything, and wait so long for what runs."""
        self._stopping.set()
        for job in self.all():
            self.cancel(job.id)
        for _ in self._threads:
            self._line.put(None)
        ends = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, ends - time.monotonic()))

    def _work(self) -> None:
        while (wanted := self._line.get()) is not None:
            job = self._begin(wanted)
            if job is not None:
                self._run(job)

    def _begin(self, id: str) -> Job | None:  # noqa: A002 - its name
        """Have a job run that waits; None for one that was cancelled, and may be forgotten by now."""
        with self._lock:
            job = self._jobs.get(id)
            if job is None or job.state != "waiting":
                return None
            job = self._jobs[id] = job.replace(state="running")
        self._tell(job)
        return job

    def _run(self, job: Job) -> None:
        try:
            with self._memories.memory(job.agent) as memory:
                result = _WORK[job.kind](memory, self._options[job.id], self._progress(job.id), self._is_over(job.id))
        except _Cancelled:
            self._change(job.id, state="cancelled", ended=time.time())
        except HoldfastError as error:
            shown = {"type": type(error).__name__, "message": error.shown}
            self._change(job.id, state="failed", error=shown, ended=time.time())
        except Exception as error:  # noqa: BLE001 - whoever asks for the job must be told that it ended
            shown = {"type": "HoldfastError", "message": f"The job failed unexpectedly: {type(error).__name__}."}
            self._change(job.id, state="failed", error=shown, ended=time.time())
        else:
            stopped = bool(result.get("stopped"))
            self._change(job.id, state="cancelled" if stopped else "done", result=result, ended=time.time())
            if job.kind == "dream" and not result.get("dry_run"):
                self._bus.tell("dream", job.agent, {"run": result.get("run"), "report": result.get("report")})

    def _is_over(self, id: str) -> Callable[[], bool]:  # noqa: A002 - its name
        return lambda: id in self._cancelled or self._stopping.is_set()

    def _progress(self, id: str) -> Progress:  # noqa: A002 - its name
        announced, at = 0.0, ("", 0)
        is_over = self._is_over(id)

        def progress(what: str, done: int, total: int) -> None:
            nonlocal announced, at
            if is_over():
                raise _Cancelled
            now, part = time.monotonic(), (what, _TELL_EACH * done // max(total, 1))
            tell = now - announced >= _TELL_EVERY or part != at
            self._change(id, tell=tell, progress={"what": what, "done": done, "total": total})
            if tell:
                announced, at = now, part

        return progress

    def _change(self, id: str, *, tell: bool = True, **changes: Any) -> Job:  # noqa: A002 - its name
        with self._lock:
            job = self._jobs[id] = self._jobs[id].replace(**changes)
        if tell:
            self._tell(job)
        return job

    def _tell(self, job: Job) -> None:
        self._bus.tell("job", job.agent, {"job": job.to_json() | {"result": None}})

    def _drop_old(self) -> None:
        over = [job.id for job in self._jobs.values() if job.state in _OVER]
        for old in over[: max(0, len(self._jobs) - _REMEMBERED)]:
            del self._jobs[old], self._options[old]
            self._cancelled.discard(old)


def sync_json(done: Synced) -> dict[str, Any]:
    """Return what a sync did, in the shape that every surface shows."""
    shown: dict[str, Any] = {name: getattr(done, name) for name in done.fields}
    return shown | {"skipped": [{"path": path, "why": why} for path, why in done.skipped]}


def _sync(memory: Memory, options: Mapping[str, Any], progress: Progress, _: Callable[[], bool]) -> dict[str, Any]:
    return sync_json(memory.sync(approved=options["approved"], batch=options["batch"], progress=progress))


def _reindex(memory: Memory, options: Mapping[str, Any], progress: Progress, _: Callable[[], bool]) -> dict[str, Any]:
    return sync_json(memory.sync(force=True, approved=options["approved"], batch=options["batch"], progress=progress))


def _dream(memory: Memory, options: Mapping[str, Any], _: Progress, is_over: Callable[[], bool]) -> dict[str, Any]:
    from holdfast.dreaming.dream_run import Phase, dream

    wanted = options["phases"]
    if wanted is None:
        phases = tuple(Phase)
    else:
        phases = tuple(map(Phase, wanted))
    return dream(memory.ctx, phases=phases, dry_run=options["dry_run"], give_way=is_over).to_json()


def _quality(memory: Memory, _: Mapping[str, Any], progress: Progress, __: Callable[[], bool]) -> dict[str, Any]:
    from holdfast.evaluation.question_file import questions_of
    from holdfast.evaluation.question_report import question_report

    return question_report(memory, questions_of(memory.ctx.workspace).text(), progress)


_WORK: Mapping[str, Callable[..., dict[str, Any]]] = {
    "sync": _sync,
    "reindex": _reindex,
    "dream": _dream,
    "quality": _quality,
}
