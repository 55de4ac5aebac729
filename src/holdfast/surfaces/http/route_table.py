"""Every route of the API, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.memory import Memory
from holdfast.operations.changes_page import changes_by_day, changes_page
from holdfast.operations.checkpoint_purge import prune_checkpoints
from holdfast.operations.checkpoint_restore import undo_last
from holdfast.operations.fact_view import show_fact
from holdfast.operations.facts_forget import archive_fact, forget_fact, restore_fact
from holdfast.operations.facts_list import fact_stats, list_facts
from holdfast.operations.facts_recall import fact_history, recall
from holdfast.operations.facts_store import store
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.operations.note_links import note_links
from holdfast.operations.note_origins import note_origins
from holdfast.operations.undo_origin import undo_origin
from holdfast.sessions.conversation import Session
from holdfast.surfaces.http import response_shapes as shapes
from holdfast.surfaces.http.part_operations import done, under
from holdfast.surfaces.http.router import Route
from holdfast.surfaces.http.routes import (
    call_routes,
    exchange_routes,
    fact_routes,
    history_routes,
    image_routes,
    insight_routes,
    job_routes,
    login_routes,
    note_routes,
    owner_routes,
    session_routes,
    state_routes,
    tool_routes,
)

__all__ = ["API", "CALL_BYTES", "IMPORT_BYTES", "ROUTES"]

API = "/api/v1"
IMPORT_BYTES = 64 * 1024 * 1024
CALL_BYTES = 90 * 1024 * 1024  # an import of that size, as base64
_NOTE = f"{API}/notes/{{path+}}"
_SESSION = f"{API}/sessions/{{key}}"
_STATE = f"{_SESSION}/state"
_VALUE = f"{_STATE}/{{namespace}}/{{name}}"
_ANY = (403, 404, 409, 410, 413, 422, 429, 502, 503, 507)
_IMAGE = "image/png, image/jpeg, image/gif, image/webp"
_WRITING = (403, 404, 409, 413, 422, 503, 507)


def _session(
    method: str,
    path: str,
    function: Callable[..., Any],
    answer: dict[str, Any] = shapes.ANYTHING,
    statuses: tuple[int, ...] = (200,),
    errors: tuple[int, ...] = (),
    **more: Any,
) -> Route:
    """Return the row of what is done with one session."""
    return Route(method, f"{_SESSION}{path}", function, "sessions", answer, statuses, errors, **more)


def _inbox(method: str, path: str, function: Callable[..., Any], **more: Any) -> Route:
    """Return the row of what is decided about one entry of the inbox."""
    return Route(method, f"{API}/inbox/{{id}}{path}", function, "inbox", shapes.ANYTHING, errors=_WRITING, **more)


ROUTES: tuple[Route, ...] = (
    Route("GET", "/health", job_routes.health, "server", shapes.HEALTH),
    Route("GET", "/metrics", job_routes.metrics, "server", "text/plain"),
    Route("POST", f"{API}/entry", job_routes.entry, "server", shapes.LINK),
    Route("POST", "/enter", login_routes.enter, "browsers", shapes.ENTERED, errors=(403,)),
    Route("POST", "/leave", login_routes.leave, "browsers", shapes.LEFT, errors=(403,)),
    Route("GET", f"{API}/browsers", login_routes.browsers, "browsers", shapes.BROWSERS),
    Route("DELETE", f"{API}/browsers/{{id}}", login_routes.revoke, "browsers", shapes.REVOKED, errors=(404,)),
    Route("GET", f"{API}/whoami", login_routes.whoami, "browsers", shapes.WHO),
    Route(
        "POST",
        f"{API}/search",
        Memory.search,
        "search",
        shapes.RESULTS,
        reads=True,
        name="search",
        render=note_routes.hits_shown,
    ),
    Route("GET", f"{API}/chunks/{{id+}}", note_routes.chunk, "search", shapes.GOT, errors=(404,)),
    Route("GET", f"{API}/image", image_routes.show, "search", _IMAGE, errors=(404, 409, 413, 422)),
    Route("POST", f"{API}/forget", note_routes.forget, "notes", shapes.FORGOT, errors=_WRITING, slow=True),
    Route("GET", f"{API}/tree", note_routes.tree, "notes", shapes.TREE, (200, 304)),
    Route("GET", f"{API}/notes", Notes.page, "notes", shapes.NOTES, name="list_notes", names={"prefix": "under"}),
    Route("POST", f"{API}/notes", note_routes.save, "notes", shapes.SAVED, (200, 201), (*_WRITING, 412)),
    Route("POST", f"{_NOTE}/delete", note_routes.delete_text, "notes", shapes.DELETED, errors=(*_WRITING, 412)),
    Route("POST", f"{_NOTE}/rename", note_routes.rename, "notes", shapes.RENAMED, errors=(*_WRITING, 412)),
    Route(
        "GET",
        f"{_NOTE}/origins",
        note_origins,
        "notes",
        shapes.LINE_ORIGINS,
        errors=(404, 409, 413, 422),
        name="origins",
    ),
    Route("GET", f"{_NOTE}/links", note_links, "notes", shapes.LINKS, errors=(404, 409, 413, 422), name="links"),
    Route("GET", _NOTE, note_routes.read, "notes", shapes.READ, (200, 304), (404, 409, 412, 413, 422)),
    Route("PUT", _NOTE, note_routes.put, "notes", shapes.SAVED, (200, 201), (*_WRITING, 412)),
    Route("POST", _NOTE, note_routes.append, "notes", shapes.SAVED, (200, 201), (*_WRITING, 412)),
    Route("DELETE", _NOTE, note_routes.remove, "notes", shapes.DELETED, errors=(*_WRITING, 412)),
    Route(
        "GET",
        f"{API}/history",
        changes_page,
        "history",
        shapes.CHECKPOINTS,
        name="list_changes",
        render=history_routes.changes_shown,
    ),
    Route(
        "GET",
        f"{API}/history/days",
        changes_by_day,
        "history",
        shapes.DAYS,
        name="list_days",
        render=under("days"),
    ),
    Route("GET", f"{API}/checkpoints/{{id}}", history_routes.checkpoint, "history", shapes.ONE_CHANGE, errors=(404,)),
    Route("GET", f"{API}/checkpoints/{{id}}/text", history_routes.text, "history", shapes.SIDE, errors=(404, 410)),
    Route(
        "GET",
        f"{API}/checkpoints/{{id}}/diff",
        Memory.diff,
        "history",
        shapes.DIFF,
        errors=(404, 410),
        names={"checkpoint": "id"},
        render=history_routes.diff_shown,
    ),
    Route(
        "POST",
        f"{API}/checkpoints/{{id}}/restore",
        Memory.restore,
        "history",
        shapes.RESTORED,
        errors=_WRITING,
        names={"checkpoint": "id"},
        render=history_routes.restored,
    ),
    Route(
        "POST",
        f"{API}/undo",
        undo_last,
        "history",
        shapes.RESTORED,
        errors=_WRITING,
        name="undo",
        render=history_routes.undone,
    ),
    Route("POST", f"{API}/undo/origin", undo_origin, "history", shapes.TOOK_BACK, errors=_WRITING),
    Route(
        "POST",
        f"{API}/prune",
        prune_checkpoints,
        "history",
        shapes.PRUNED,
        errors=(503, 507),
        name="prune",
        render=history_routes.counted,
    ),
    Route("POST", f"{API}/purge", history_routes.purge, "history", shapes.PURGED, errors=_WRITING),
    Route("POST", f"{API}/facts", store, "facts", shapes.STORED, (200, 201), _WRITING, render=fact_routes.kept),
    Route("GET", f"{API}/facts", list_facts, "facts", shapes.FACTS),
    Route("POST", f"{API}/facts/recall", recall, "facts", shapes.RECALLED_FACTS, reads=True),
    Route("POST", f"{API}/facts/forget", forget_fact, "facts", shapes.CHANGED_FACT, errors=_WRITING, name="forget"),
    Route("GET", f"{API}/facts/history", fact_history, "facts", shapes.FACT_HISTORY, errors=(404,), name="history"),
    Route("GET", f"{API}/facts/stats", fact_stats, "facts", shapes.ANYTHING, name="stats"),
    Route("GET", f"{API}/facts/{{id}}", show_fact, "facts", shapes.ONE_FACT, errors=(404,), name="one_fact"),
    Route("DELETE", f"{API}/facts/{{id}}", fact_routes.remove, "facts", shapes.CHANGED_FACT, errors=_WRITING),
    Route(
        "POST",
        f"{API}/facts/{{id}}/archive",
        archive_fact,
        "facts",
        shapes.CHANGED_FACT,
        errors=_WRITING,
        name="archive",
    ),
    Route(
        "POST",
        f"{API}/facts/{{id}}/restore",
        restore_fact,
        "facts",
        shapes.CHANGED_FACT,
        errors=_WRITING,
        name="restore",
    ),
    Route(
        "GET",
        f"{API}/sessions",
        Memory.sessions,
        "sessions",
        shapes.SESSIONS,
        name="list_sessions",
        render=under("sessions"),
    ),
    _session("DELETE", "", Session.delete, errors=(404, 503, 507), render=done("deleted")),
    _session("POST", "/messages", session_routes.append, shapes.MESSAGE, (201,), (409, 413, 503, 507)),
    _session("GET", "/messages", session_routes.messages, shapes.MESSAGES, errors=(404,)),
    _session("GET", "/context", Session.context, shapes.MESSAGES, render=session_routes.messages_shown),
    _session("GET", "/context-view", session_routes.context_view, shapes.CONTEXT_VIEW),
    _session("POST", "/prompt", session_routes.prompt, shapes.PROMPT, reads=True),
    _session("POST", "/refresh", Session.refresh_prompt, name="refresh", render=done("refreshed")),
    _session("POST", "/recall", session_routes.recall, shapes.RECALLED, reads=True),
    _session("POST", "/turn", session_routes.turn, shapes.TURNED, errors=(409, 429, 502, 503), slow=True),
    _session("DELETE", "/turn", session_routes.stop_turn, shapes.STOPPED),
    _session("POST", "/capture", Session.capture, shapes.CAPTURED, slow=True, tell=session_routes.tell_captured),
    _session("GET", "/flush", Session.flush_due, shapes.DUE),
    _session("POST", "/flush", Session.before_compaction, errors=(409, 502, 503), slow=True, name="flush"),
    _session("POST", "/compact", Session.compact, errors=(409, 503), slow=True),
    _session("POST", "/compacted", Session.compacted, errors=(404, 503), render=done("compacted")),
    _session("POST", "/export", Session.export, shapes.EXPORTED, errors=_WRITING, render=under("exported")),
    _session("POST", "/reset", Session.reset, shapes.EXPORTED, errors=_WRITING, render=under("exported")),
    _session("POST", "/reset/undo", Session.undo_reset, errors=_WRITING, render=done("reset", False)),
    _session("POST", "/new", session_routes.new, shapes.EXPORTED, errors=_WRITING),
    _session("POST", "/exclude", Session.exclude, errors=(503, 507), render=session_routes.exclusion),
    _session("POST", "/forget", Session.forget, errors=(404, 503, 507), render=done("forgotten")),
    Route("GET", _STATE, state_routes.list_values, "state", shapes.VALUES),
    Route("DELETE", _STATE, state_routes.clear, "state", shapes.ANYTHING, errors=(403, 503, 507)),
    Route("GET", _VALUE, state_routes.get, "state", shapes.VALUE, errors=(403,)),
    Route("PUT", _VALUE, state_routes.put, "state", shapes.ANYTHING, errors=(403, 413, 422, 503, 507)),
    Route("DELETE", _VALUE, state_routes.delete, "state", shapes.ANYTHING, errors=(403, 503, 507)),
    Route("POST", f"{_VALUE}/compare", state_routes.compare, "state", shapes.ANYTHING, errors=(403, 413, 422, 503)),
    Route("GET", f"{API}/tools", tool_routes.list_tools, "tools", shapes.TOOLS),
    Route("POST", f"{API}/tools/{{name}}", tool_routes.call_tool, "tools", shapes.ANYTHING, errors=_WRITING, slow=True),
    Route("GET", f"{API}/settings", owner_routes.settings, "settings", shapes.SETTINGS, errors=(422,)),
    Route(
        "PATCH",
        f"{API}/settings",
        owner_routes.patch_settings,
        "settings",
        shapes.SETTINGS,
        errors=(403, 422, 503, 507),
    ),
    Route(
        "POST",
        f"{API}/settings/undo",
        owner_routes.undo_settings,
        "settings",
        shapes.SETTINGS,
        errors=(403, 404, 422, 503, 507),
    ),
    Route("GET", f"{API}/settings/catalogue", owner_routes.catalogue, "settings", shapes.CATALOGUE),
    Route("GET", f"{API}/settings/recipes", owner_routes.recipes, "settings", shapes.RECIPES),
    Route(
        "POST", f"{API}/providers/test", owner_routes.try_provider, "settings", shapes.TESTED, errors=(422,), slow=True
    ),
    Route("GET", f"{API}/settings/{{key}}", owner_routes.setting, "settings", shapes.SETTING, errors=(422,)),
    Route("GET", f"{API}/status", owner_routes.status, "server", shapes.STATUS),
    Route("GET", f"{API}/doctor", owner_routes.doctor, "server", shapes.DOCTOR, slow=True),
    Route("GET", f"{API}/agents", owner_routes.agents, "server", shapes.AGENTS),
    Route("GET", f"{API}/spaces", Memory.spaces, "server", shapes.SPACES, render=under("spaces")),
    Route(
        "DELETE",
        f"{API}/spaces/{{which+}}",
        Memory.drop_space,
        "server",
        shapes.ANYTHING,
        errors=(404, 503),
        render=under("dropped"),
    ),
    Route(
        "GET",
        f"{API}/profile",
        UserProfile.read,
        "profile",
        shapes.PROFILE,
        name="profile",
        render=under("user"),
    ),
    Route("PUT", f"{API}/profile", owner_routes.save_profile, "profile", shapes.PROFILE, errors=_WRITING),
    Route(
        "POST",
        f"{API}/profile/observed",
        UserProfile.observed,
        "profile",
        shapes.PROFILE,
        errors=_WRITING,
        name="observe_profile",
    ),
    Route("POST", f"{API}/profile/undo", owner_routes.undo_profile, "profile", shapes.PROFILE, errors=_WRITING),
    Route("POST", f"{API}/dreams", owner_routes.dream, "dreams", shapes.ANYTHING, errors=(403, 503), slow=True),
    Route("GET", f"{API}/dreams/reports", owner_routes.dream_reports, "dreams", shapes.REPORTS),
    Route("GET", f"{API}/dreams/runs", insight_routes.list_runs, "dreams", shapes.DREAM_RUNS),
    Route("GET", f"{API}/inbox", owner_routes.inbox, "inbox", shapes.INBOX),
    _inbox("PUT", "", Inbox.edit, name="edit_entry", tell=owner_routes.tell_inbox),
    _inbox("POST", "/approve", Inbox.approve, tell=owner_routes.tell_inbox),
    _inbox("POST", "/reject", Inbox.reject, tell=owner_routes.tell_inbox),
    _inbox("POST", "/again", owner_routes.ask_again),
    Route("POST", f"{API}/dreams/rollback", Dreams.roll_back, "dreams", shapes.ANYTHING, errors=_WRITING),
    Route("GET", f"{API}/questions", insight_routes.questions, "quality", shapes.QUESTIONS, errors=(422,)),
    Route(
        "PUT", f"{API}/questions", insight_routes.put_questions, "quality", shapes.QUESTIONS, errors=(*_WRITING, 412)
    ),
    Route("GET", f"{API}/questions/draft", insight_routes.draft_questions, "quality", shapes.DRAFTS, slow=True),
    Route("GET", f"{API}/map", insight_routes.show_map, "search", shapes.MAP, errors=(503,), slow=True),
    Route("POST", f"{API}/sync", job_routes.sync, "jobs", shapes.ANYTHING, errors=(503, 507), slow=True),
    Route("GET", f"{API}/jobs", job_routes.list_jobs, "jobs", shapes.JOBS),
    Route("POST", f"{API}/jobs", job_routes.start_job, "jobs", shapes.JOB, (202,), (429,)),
    Route("GET", f"{API}/jobs/{{id}}", job_routes.job, "jobs", shapes.JOB, errors=(404,)),
    Route("DELETE", f"{API}/jobs/{{id}}", job_routes.cancel_job, "jobs", shapes.JOB, errors=(404,)),
    Route("GET", f"{API}/events", job_routes.events, "events", "text/event-stream", errors=(429,)),
    Route("POST", f"{API}/call", call_routes.call, "client", shapes.ANYTHING, errors=_ANY, exact=True),
    Route(
        "POST",
        f"{API}/call-slow",
        call_routes.call,
        "client",
        shapes.ANYTHING,
        errors=_ANY,
        slow=True,
        most=CALL_BYTES,
        exact=True,
    ),
    Route(
        "POST", f"{API}/export", exchange_routes.export, "exchange", "application/zip, application/x-ndjson", slow=True
    ),
    Route(
        "POST",
        f"{API}/import",
        exchange_routes.import_,
        "exchange",
        shapes.ANYTHING,
        errors=_WRITING,
        slow=True,
        most=IMPORT_BYTES,
    ),
)
