"""Work in the background and what happens: jobs, events, the index, health and figures."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from holdfast.dreaming.dream_run import Phase
from holdfast.errors import BadArgument
from holdfast.memory import Memory
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.event_stream import KINDS, PLACE
from holdfast.surfaces.http.jobs import Job
from holdfast.surfaces.http.parameters import Header
from holdfast.surfaces.http.responses import Flow, Raw, Reply
from holdfast.surfaces.http.server_state import ServerState

JobId = Annotated[str, "The job's id."]


class Work(StrEnum):
    """The work of a job."""

    SYNC = "sync"
    REINDEX = "reindex"
    DREAM = "dream"
    QUALITY = "quality"


def start_job(
    memory: Memory,
    server: ServerState,
    kind: Annotated[Work, "sync, reindex (the index anew), dream, or quality (ask your questions)."],
    approved: Annotated[bool, "For sync and reindex: more texts may go to another machine."] = False,
    batch: Annotated[bool | None, "For sync and reindex: through the provider's batch service."] = None,
    phases: Annotated[list[str] | None, "For dream: only these."] = None,
    dry_run: Annotated[bool, "For dream: write nothing."] = False,
) -> Reply:
    """Begin work in the background; `GET /api/v1/jobs/{id}` tells how far it is."""
    unknown = next((phase for phase in phases or () if phase not in list(Phase)), None)
    if unknown is not None or phases == []:
        raise BadArgument("phases", f"they are not a list of {', '.join(Phase)}")
    options = {"approved": approved, "batch": batch, "phases": phases, "dry_run": dry_run}
    job = server.jobs.start(kind, memory.agent, options)
    return Reply(job.to_json(), 202, (("Location", f"/api/v1/jobs/{job.id}"),))


def list_jobs(server: ServerState) -> dict[str, Any]:
    """The last jobs, newest first."""
    return {"jobs": [job.to_json() for job in server.jobs.all()]}


def job(server: ServerState, id_: JobId) -> Job:
    """Return how far a job is, and what came of it."""
    return server.jobs.find(id_)


def cancel_job(server: ServerState, id_: JobId) -> Job:
    """Stop a job that waits, or one that can be stopped on its way; `state` says what it is now."""
    return server.jobs.cancel(id_)


def events(
    server: ServerState,
    visitor: Visitor,
    kinds: Annotated[str | None, f"Only these kinds, with commas between: {', '.join(KINDS)}."] = None,
    last_event_id: Annotated[str | None, Header("Last-Event-ID"), "Go on after this event."] = None,
) -> Flow:
    """Return what happens, as it happens (server-sent events).

    Writes, messages, settings, the inbox, dreams and jobs.
    """
    wanted = None
    if kinds is not None:
        wanted = frozenset(kinds.split(","))
    if last_event_id is not None:
        return Flow(server.bus.listen(wanted, last_event_id, visitor.browser), "text/event-stream")
    place = server.bus.place  # told from here on, also what comes before the line is open
    return Flow(server.bus.listen(wanted, place, visitor.browser), "text/event-stream", ((PLACE, place),))


def entry(server: ServerState) -> dict[str, Any]:
    """A link that lets one browser in, once, within ten minutes."""
    return {"url": server.entry.link(server.url)}


def health(server: ServerState) -> dict[str, Any]:
    """Say whether the server is up; it wants no token."""
    return {"status": "ok", "version": server.version}


def metrics(server: ServerState) -> Raw:
    """Figures for Prometheus: requests, latencies, index sizes, jobs and uptime."""
    return Raw(server.figures().encode("utf-8"), "text/plain; version=0.0.4; charset=utf-8")
