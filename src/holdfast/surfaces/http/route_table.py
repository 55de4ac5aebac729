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
from holdfast.operations.image_view import image_view
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.memory_search import memory_search
from holdfast.operations.note_access import Notes
from holdfast.operations.note_links import note_links
from holdfast.operations.note_origins import note_origins
from holdfast.operations.undo_origin import undo_origin
from holdfast.sessions.conversation import Session
from holdfast.sessions.message_page import message_page
from holdfast.sessions.session_context import session_context
from holdfast.surfaces.http import response_shapes as shapes
from holdfast.surfaces.http.part_operations import done, under
from holdfast.surfaces.http.router import Route
from holdfast.surfaces.http.routes import (
    call_routes,
    exchange_routes,
    fact_routes,
    history_routes,
    insight_routes,
    job_routes,
    login_routes,
    note_routes,
    owner_routes,
    session_routes,
    state_routes,
    tool_routes,
)
from holdfast.transcripts.state import BoundState

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
_WRITING_NOTE = (*_WRITING, 412)


def _note(
    method: str,
    path: str,
    function: Callable[..., Any],
    answer: dict[str, Any],
    statuses: tuple[int, ...] = (200,),
    errors: tuple[int, ...] = _WRITING_NOTE,
    **more: Any,
) -> Route:
    """Return the row of what is done with one note."""
    return Route(method, f"{_NOTE}{path}", function, "notes", answer, statuses, errors, **more)


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


def _value(
    method: str,
    path: str,
    function: Callable[..., Any],
    errors: tuple[int, ...],
    answer: dict[str, Any] = shapes.ANYTHING,
    **more: Any,
) -> Route:
    """Return the row of what is done with one value of a session's state."""
    return Route(method, f"{_VALUE}{path}", function, "state", answer, errors=errors, names={"key": "name"}, **more)


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
        memory_search,
        "search",
        shapes.RESULTS,
        reads=True,
        name="search",
        text="Find the lines of the notes that answer a question.",
        render=note_routes.hits_shown,
    ),
    Route(
        "GET",
        f"{API}/chunks/{{id+}}",
        Memory.get,
        "search",
        shapes.GOT,
        errors=(404,),
        name="chunk",
        text="Return the chunk behind a hit.",
        names={"chunk_id": "id"},
        without=("path", "from_line", "lines"),
        render=note_routes.chunk_shown,
    ),
    Route(
        "GET",
        f"{API}/image",
        image_view,
        "search",
        _IMAGE,
        errors=(404, 409, 413, 422),
        name="show",
        render=note_routes.image_shown,
    ),
    Route(
        "POST",
        f"{API}/forget",
        Memory.forget,
        "notes",
        shapes.FORGOT,
        errors=_WRITING,
        slow=True,
        text="Remove what says something, or an exact text; a dry run shows what would go, and names that `plan`.",
        around=note_routes.forget,
    ),
    Route("GET", f"{API}/tree", note_routes.tree, "notes", shapes.TREE, (200, 304)),
    Route("GET", f"{API}/notes", Notes.page, "notes", shapes.NOTES, name="list_notes", names={"prefix": "under"}),
    Route(
        "POST",
        f"{API}/notes",
        Memory.save,
        "notes",
        shapes.SAVED,
        (200, 201),
        _WRITING_NOTE,
        text="Write text to a note, MEMORY.md unless told otherwise.",
        around=note_routes.save,
    ),
    _note(
        "POST",
        "/delete",
        Memory.delete,
        shapes.DELETED,
        name="delete_text",
        text="Remove exact text from a note.",
        names={"file": "path"},
        without=("delete_file", "expected_hash"),
        around=note_routes.delete_text,
    ),
    _note(
        "POST",
        "/rename",
        Notes.rename,
        shapes.RENAMED,
        names={"new_path": "to"},
        without=("expected_hash",),
        around=note_routes.rename,
    ),
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
    _note(
        "GET",
        "",
        Memory.get,
        shapes.READ,
        (200, 304),
        (404, 409, 412, 413, 422),
        name="read",
        text="Return lines of a note, or all of it.",
        names={"from_line": "from"},
        without=("chunk_id",),
        around=note_routes.read,
    ),
    _note(
        "PUT",
        "",
        Notes.write,
        shapes.SAVED,
        (200, 201),
        name="put",
        names={"text": "content"},
        without=("expected_hash", "reason"),
        around=note_routes.put,
    ),
    _note(
        "POST",
        "",
        Memory.save,
        shapes.SAVED,
        (200, 201),
        name="append",
        text="Add text to the end of a note; where there is none, make it.",
        names={"file": "path"},
        without=("append", "expected_hash"),
        around=note_routes.append,
    ),
    _note(
        "DELETE",
        "",
        Notes.delete,
        shapes.DELETED,
        name="remove",
        without=("expected_hash", "reason"),
        around=note_routes.delete,
    ),
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
    _session(
        "POST",
        "/messages",
        Session.append,
        shapes.MESSAGE,
        (201,),
        (409, 413, 503, 507),
        opens=True,
        around=session_routes.read_message,
        tell=session_routes.tell_message,
    ),
    _session("GET", "/messages", message_page, shapes.MESSAGES, errors=(404,), name="messages"),
    _session("GET", "/context", Session.context, shapes.MESSAGES, render=session_routes.messages_shown),
    _session(
        "GET",
        "/context-view",
        session_context,
        shapes.CONTEXT_VIEW,
        name="context_view",
        render=session_routes.spent_shown,
    ),
    _session("POST", "/prompt", Session.prompt, shapes.PROMPT, reads=True, opens=True),
    _session("POST", "/refresh", Session.refresh_prompt, name="refresh", render=done("refreshed")),
    _session(
        "POST", "/recall", Session.recall, shapes.RECALLED, reads=True, opens=True, around=session_routes.note_typed
    ),
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
    _session(
        "POST",
        "/new",
        Session.new,
        shapes.EXPORTED,
        errors=_WRITING,
        names={"key": "new_key"},
        render=session_routes.next_session,
    ),
    _session("POST", "/exclude", Session.exclude, errors=(503, 507), render=session_routes.exclusion),
    _session("POST", "/forget", Session.forget, errors=(404, 503, 507), render=done("forgotten")),
    Route("GET", _STATE, BoundState.list, "state", shapes.VALUES, name="list_values", render=under("values")),
    Route(
        "DELETE", _STATE, BoundState.clear, "state", shapes.ANYTHING, errors=(403, 503, 507), render=under("cleared")
    ),
    _value(
        "GET",
        "",
        BoundState.get,
        (403,),
        shapes.VALUE,
        text="Return one value; `found` says whether there is one.",
        without=("default",),
        around=state_routes.value_found,
    ),
    _value("PUT", "", BoundState.set, (403, 413, 422, 503, 507), name="put", render=state_routes.value_kept),
    _value("DELETE", "", BoundState.delete, (403, 503, 507), render=state_routes.of_value("deleted")),
    _value(
        "POST",
        "/compare",
        BoundState.compare_and_set,
        (403, 413, 422, 503),
        name="compare",
        render=state_routes.of_value("set"),
    ),
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
