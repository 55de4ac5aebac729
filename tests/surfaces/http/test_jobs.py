"""Work in the background: begun, looked at, cancelled; and the figures of a server."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from surfaces.http.serving import Served, served
from surfaces.http.test_events import Line

from holdfast.surfaces.http.event_stream import Bus
from holdfast.surfaces.http.jobs import Job, Jobs
from holdfast.surfaces.http.request_guard import Refusal
from holdfast.surfaces.memory_pool import MemoryPool

OPTIONS = {"approved": False, "batch": None, "phases": None, "dry_run": False}


def ended(web: Served, body: dict[str, object]) -> Job:
    line = Line(web, "?kinds=job")
    try:
        begun = web.call("POST", "/api/v1/jobs", body)
        assert begun.status == 202
        place = begun.headers["location"]
        line.next(lambda told: told["job"]["id"] == begun.json["id"] and told["job"]["ended"] is not None)
        return Job(**web.call("GET", place).json)
    finally:
        line.close()


def test_a_job_runs_and_says_what_came_of_it(web: Served) -> None:
    web.call("POST", "/api/v1/notes", {"content": "something to index"})
    synced = ended(web, {"kind": "sync"})
    assert (synced.state, synced.result and synced.result["skipped"]) == ("done", [])
    assert ended(web, {"kind": "reindex"}).state == "done"
    dreamt = ended(web, {"kind": "dream", "dry_run": True, "phases": ["light"]})
    assert (dreamt.state, dreamt.result and dreamt.result["dry_run"]) == ("done", True)
    listed = web.call("GET", "/api/v1/jobs").json["jobs"]
    assert [one["kind"] for one in listed[:3]] == ["dream", "reindex", "sync"]
    assert web.call("DELETE", f"/api/v1/jobs/{listed[0]['id']}").json["state"] == "done"  # it is over


def test_a_job_that_can_not_be_is_refused(web: Served) -> None:
    for body in ({"kind": "nap"}, {}, {"kind": "dream", "phases": []}, {"kind": "dream", "phases": ["nap"]}):
        assert web.call("POST", "/api/v1/jobs", body).status == 400, body


class HeardBus(Bus):
    """A bus that hands each job to a function, in the thread that tells of it."""

    def __init__(self, hear: Callable[[Job], None]) -> None:
        super().__init__()
        self._hear = hear

    def tell(self, kind: str, agent: str, data: dict[str, Any]) -> None:
        super().tell(kind, agent, data)
        self._hear(Job(**data["job"]))


def test_a_job_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "holdfast.toml").write_text("[memory]\nnonsense = 1\n")
    over = threading.Event()
    jobs, memories = made(tmp_path, HeardBus(lambda job: over.set() if job.ended else None))
    try:
        job = jobs.start("sync", "main", OPTIONS)
        assert over.wait(60)
        found = jobs.find(job.id)
        assert (found.state, found.error and found.error["type"]) == ("failed", "UnknownSetting")
    finally:
        jobs.stop(60)
        memories.close()


def test_a_job_that_waits_and_one_that_runs_can_be_cancelled(tmp_path: Path) -> None:
    agents = ["main", "other"]  # as many as there are jobs at once
    under_way, may_go_on = threading.Semaphore(0), threading.Event()

    def hold(job: Job) -> None:
        if job.progress is not None and not may_go_on.is_set():
            under_way.release()
            may_go_on.wait(60)

    jobs, memories = made(tmp_path, HeardBus(hold))
    try:
        for agent in agents:
            with memories.memory(agent) as memory:
                memory.notes.write_all({f"memory/{number}.md": f"Some words about {number}." for number in range(120)})
        running = [jobs.start("reindex", agent, OPTIONS) for agent in agents]
        assert all(under_way.acquire(timeout=60) for _ in running)
        waiting = [jobs.start("reindex", agent, {**OPTIONS, "approved": True}) for agent in agents]
        assert [jobs.cancel(job.id).state for job in waiting] == ["cancelled"] * 2
        assert [jobs.cancel(job.id).state for job in running] == ["running"] * 2
        may_go_on.set()
        jobs.stop(60)
        assert {jobs.find(job.id).state for job in running} == {"cancelled"}
        for agent in agents:
            with memories.memory(agent) as memory:  # nothing is the worse for it
                assert memory.sync().skipped == ()
                assert memory.status().up_to_date
    finally:
        may_go_on.set()
        memories.close()


def test_a_job_that_was_told_to_be_cancelled_before_it_began_never_begins(tmp_path: Path) -> None:
    _, memories = made(tmp_path)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds: so that threads meet where they seldom do
    try:
        for _ in range(250):
            jobs = Jobs(memories, Bus())
            begun = [jobs.start("sync", "main", {**OPTIONS, "dry_run": number}) for number in range(2)]
            for job in begun:
                jobs.cancel(job.id)
            jobs.stop(60)
            told = [event.data["job"] for event in jobs._bus._past]
            for job in jobs.all():
                states = [one["state"] for one in told if one["id"] == job.id and one["state"] != "waiting"]
                assert states in (["cancelled"], ["running", "cancelled"], ["running", "done"])
                assert job.state == states[-1]
    finally:
        sys.setswitchinterval(often)
        memories.close()


def test_the_same_job_waits_once_and_a_long_line_is_refused(tmp_path: Path) -> None:
    jobs, memories = made(tmp_path)
    try:
        jobs._threads = [threading.current_thread()] * 2  # nobody works
        first = jobs.start("dream", "main", OPTIONS)
        assert jobs.start("dream", "main", dict(OPTIONS)).id == first.id
        assert jobs.start("dream", "other", OPTIONS).id != first.id
        for number in range(14):
            jobs.start("sync", f"agent-{number}", OPTIONS)
        with pytest.raises(Refusal) as refused:
            jobs.start("sync", "one-more", OPTIONS)
        assert refused.value.status == 429
    finally:
        jobs._threads = []
        jobs.stop(1)
        memories.close()


def made(tmp_path: Path, bus: Bus | None = None) -> tuple[Jobs, MemoryPool]:
    memories = MemoryPool(str(tmp_path / "home"))
    return Jobs(memories, bus or Bus()), memories


def test_the_figures_are_what_prometheus_reads(web: Served) -> None:
    web.call("POST", "/api/v1/notes", {"content": "something to count"})
    web.call("POST", "/api/v1/search", {"query": "x"})
    web.call("GET", "/nowhere/with/somebody's/words")
    text = web.call("GET", "/metrics").data.decode()
    line = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [0-9.e+-]+|# (HELP|TYPE) [a-z_]+ .+')
    assert all(line.fullmatch(one) for one in text.splitlines())
    assert re.search(r'requests_total\{method="POST",route="/api/v1/search",status="200"\} [1-9]', text)
    assert re.search(r'request_seconds_bucket\{method="POST",route="/api/v1/search",le="\+Inf"\} [1-9]', text)
    for name in ("uptime_seconds", 'jobs{state="done"}', "index_chunks", "index_bytes", 'index_notes{source="memory"}'):
        assert f"holdfast_{name} " in text
    assert "somebody" not in text  # what is asked for is no figure


def test_a_server_without_notes_has_figures(tmp_path: Path) -> None:
    with served(tmp_path / "empty", "--no-watch") as web:
        assert web.call("GET", "/metrics").status == 200
