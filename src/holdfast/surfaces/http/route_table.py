"""Every route of the API, in one table: a method, a path, and the operation that answers there.

A function in `routes/` answers where a request is about the server and not about a memory:

- who is let in: health, metrics, the links and cookies of browsers, whoami;
- what the server holds for its callers: the settings in force, jobs, the tree of notes that it keeps packed, the stream
  of events, the stop of a turn that is told as a stream;
- a file that is uploaded, which is imported or put back;
- the two routes to many operations by their names: of tools, for models, and of methods, for our own client.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.dreaming.dream_undo import ask_again
from holdfast.evaluation.owner_questions import draft_questions, put_questions, questions
from holdfast.guard.operation import Operation
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.memory import Memory
from holdfast.operations.agents_list import agents_list
from holdfast.operations.change_view import change_text, show_change
from holdfast.operations.changes_page import changes_by_day, changes_page
from holdfast.operations.diagnosis import doctor
from holdfast.operations.dream_history import dream_reports, dream_runs
from holdfast.operations.fact_access import Facts
from holdfast.operations.fact_view import show_fact
from holdfast.operations.image_view import image_view
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.inbox_view import inbox_view
from holdfast.operations.map_view import map_view
from holdfast.operations.note_access import Notes
from holdfast.operations.note_links import note_links
from holdfast.operations.note_origins import note_origins
from holdfast.operations.provider_test import provider_test
from holdfast.operations.settings_catalogue import settings_catalogue, settings_recipes
from holdfast.sessions.conversation import Session
from holdfast.sessions.message_page import message_page
from holdfast.sessions.session_context import session_context
from holdfast.surfaces.http import response_shapes as shapes
from holdfast.surfaces.http.jobs import sync_json
from holdfast.surfaces.http.part_operations import done, under
from holdfast.surfaces.http.router import Route
from holdfast.surfaces.http.routes import (
    call_routes,
    exchange_routes,
    fact_routes,
    history_routes,
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
NOTE_BYTES = 2 * MAX_NOTE_BYTES + 4096  # the largest note as JSON, in which ends of lines and quotes take two bytes
CALL_BYTES = 90 * 1024 * 1024  # an import of that size, as base64
_ANY = (403, 404, 409, 410, 413, 422, 429, 502, 503, 507)
_READING = (404, 409, 413, 422)
_WRITING = (403, 404, 409, 413, 422, 503, 507)
_EXPECTING = (*_WRITING, 412)
_EXPORTS = "application/zip, application/x-ndjson"
_IMAGES = "image/png, image/jpeg, image/gif, image/webp"


def _below(place: str, tag: str, **usual: Any) -> Callable[..., Route]:
    """Return what makes the rows of a family: they have a tag and the beginning of their paths in common.

    Whether a route reads, or is slow, the operation says, where there is one.
    """

    def row(way: str, function: Callable[..., Any], answer: Any = shapes.ANYTHING, *errors: int, **more: Any) -> Route:
        method, _, path = way.partition(" ")
        declared: dict[str, Any] = {}
        if isinstance(function, Operation):
            declared = {"reads": function.reads, "slow": function.slow}
        return Route(method, place + path, function, tag, answer, errors=errors, **{**declared, **usual, **more})

    return row


_server, _browsers = _below("", "server"), _below("", "browsers")
_search, _notes = _below(API, "search"), _below(API, "notes")
_note = _below(f"{API}/notes/{{path+}}", "notes")
_history = _below(API, "history")
_change = _below(f"{API}/checkpoints/{{id}}", "history", names={"checkpoint": "id"})
_facts = _below(f"{API}/facts", "facts")
_session = _below(f"{API}/sessions/{{key}}", "sessions")
_state = _below(f"{API}/sessions/{{key}}/state", "state")
_value = _below(f"{API}/sessions/{{key}}/state/{{namespace}}/{{name}}", "state", names={"key": "name"})
_tools, _settings = _below(f"{API}/tools", "tools"), _below(API, "settings")
_profile, _dreams = _below(f"{API}/profile", "profile"), _below(f"{API}/dreams", "dreams")
_inbox, _quality = _below(f"{API}/inbox", "inbox"), _below(f"{API}/questions", "quality")
_jobs, _client, _exchange = _below(API, "jobs"), _below(API, "client"), _below(API, "exchange")

ROUTES: tuple[Route, ...] = (
    _server("GET /health", job_routes.health, shapes.HEALTH),
    _server("GET /metrics", job_routes.metrics, "text/plain"),
    _server(f"POST {API}/entry", job_routes.entry, shapes.LINK),
    _browsers("POST /enter", login_routes.enter, shapes.ENTERED, 403),
    _browsers("POST /leave", login_routes.leave, shapes.LEFT, 403),
    _browsers(f"GET {API}/browsers", login_routes.browsers, shapes.BROWSERS),
    _browsers(f"DELETE {API}/browsers/{{id}}", login_routes.revoke, shapes.REVOKED, 404),
    _browsers(f"GET {API}/whoami", login_routes.whoami, shapes.WHO),
    _search(
        "POST /search",
        Memory.search,
        shapes.RESULTS,
        name="search",
        text="Find the lines of the notes that answer a question.",
        render=note_routes.hits_shown,
    ),
    _search(
        "GET /chunks/{id+}",
        Memory.get,
        shapes.GOT,
        404,
        names={"chunk_id": "id"},
        without=("path", "from_line", "lines"),
        around=note_routes.chunk,
    ),
    _search("GET /image", image_view, _IMAGES, *_READING, name="show", render=note_routes.image_shown),
    _notes("POST /forget", Memory.forget, shapes.FORGOT, *_WRITING, around=note_routes.forget),
    _notes("GET /tree", note_routes.tree, shapes.TREE, statuses=(200, 304)),
    _notes("GET /notes", Notes.page, shapes.NOTES, name="list_notes", names={"prefix": "under"}),
    _notes("POST /notes", Memory.save, shapes.SAVED, *_EXPECTING, statuses=(200, 201), around=note_routes.save),
    _note(
        "POST /delete",
        Memory.delete,
        shapes.DELETED,
        *_EXPECTING,
        names={"file": "path"},
        without=("delete_file", "expected_hash"),
        around=note_routes.delete_text,
    ),
    _note(
        "POST /rename",
        Notes.rename,
        shapes.RENAMED,
        *_EXPECTING,
        names={"new_path": "to"},
        without=("expected_hash",),
        around=note_routes.rename,
    ),
    _note("GET /origins", note_origins, shapes.LINE_ORIGINS, *_READING, name="origins"),
    _note("GET /links", note_links, shapes.LINKS, *_READING, name="links"),
    _note(
        "GET",
        Memory.get,
        shapes.READ,
        *_READING,
        412,
        statuses=(200, 304),
        names={"from_line": "from"},
        without=("chunk_id",),
        around=note_routes.read,
    ),
    _note(
        "PUT",
        Notes.write,
        shapes.SAVED,
        *_EXPECTING,
        statuses=(200, 201),
        names={"text": "content"},
        without=("expected_hash", "reason"),
        most=NOTE_BYTES,
        around=note_routes.put,
    ),
    _note(
        "POST",
        Memory.save,
        shapes.SAVED,
        *_EXPECTING,
        statuses=(200, 201),
        names={"file": "path"},
        without=("append", "expected_hash"),
        around=note_routes.append,
    ),
    _note(
        "DELETE",
        Notes.delete,
        shapes.DELETED,
        *_EXPECTING,
        without=("expected_hash", "reason"),
        around=note_routes.remove,
    ),
    _history(
        "GET /history", changes_page, shapes.CHECKPOINTS, name="list_changes", render=history_routes.changes_shown
    ),
    _history("GET /history/days", changes_by_day, shapes.DAYS, name="list_days", render=under("days")),
    _change("GET", show_change, shapes.ONE_CHANGE, 404, name="checkpoint"),
    _change("GET /text", change_text, shapes.SIDE, 404, 410, name="text"),
    _change("GET /diff", Memory.diff, shapes.DIFF, 404, 410, render=history_routes.diff_shown),
    _change("POST /restore", Memory.restore, shapes.RESTORED, *_WRITING, render=history_routes.restore_shown),
    _history("POST /undo", Memory.undo, shapes.RESTORED, *_WRITING, render=history_routes.restore_shown),
    _history("POST /undo/origin", Memory.undo_origin, shapes.TOOK_BACK, *_WRITING),
    _history("POST /prune", Memory.prune, shapes.PRUNED, 503, 507, render=history_routes.counts_shown),
    _history("POST /purge", Memory.purge, shapes.PURGED, *_WRITING, around=history_routes.purge),
    _facts("POST", Facts.store, shapes.STORED, *_WRITING, statuses=(200, 201), render=fact_routes.fact_shown),
    _facts("GET", Facts.list, shapes.FACTS, name="list_facts"),
    _facts("POST /recall", Facts.recall, shapes.RECALLED_FACTS),
    _facts("POST /forget", Facts.forget, shapes.CHANGED_FACT, *_WRITING),
    _facts("GET /history", Facts.history, shapes.FACT_HISTORY, 404),
    _facts("GET /stats", Facts.stats),
    _facts("GET /{id}", show_fact, shapes.ONE_FACT, 404, name="one_fact"),
    _facts("DELETE /{id}", Facts.forget, shapes.CHANGED_FACT, *_WRITING, name="remove", without=("text",)),
    _facts("POST /{id}/archive", Facts.archive, shapes.CHANGED_FACT, *_WRITING),
    _facts("POST /{id}/restore", Facts.restore, shapes.CHANGED_FACT, *_WRITING),
    Route(
        "GET",
        f"{API}/sessions",
        Memory.sessions,
        "sessions",
        shapes.SESSIONS,
        name="list_sessions",
        render=under("sessions"),
    ),
    _session("DELETE", Session.delete, shapes.ANYTHING, 404, 503, 507, render=done("deleted")),
    _session(
        "POST /messages",
        Session.append,
        shapes.MESSAGE,
        *(409, 413, 503, 507),
        statuses=(201,),
        opens=True,
        around=session_routes.append,
        tell=session_routes.tell_message,
    ),
    _session("GET /messages", message_page, shapes.MESSAGES, 404, name="messages"),
    _session("GET /context", Session.context, shapes.MESSAGES, render=session_routes.messages_shown),
    _session(
        "GET /context-view",
        session_context,
        shapes.CONTEXT_VIEW,
        name="context_view",
        render=session_routes.spent_shown,
    ),
    _session("POST /prompt", Session.prompt, shapes.PROMPT, opens=True),
    _session("POST /refresh", Session.refresh_prompt, name="refresh", render=done("refreshed")),
    _session("POST /recall", Session.recall, shapes.RECALLED, opens=True, around=session_routes.recall),
    _session(
        "POST /turn",
        Session.turn,
        shapes.TURNED,
        *(409, 429, 502, 503),
        opens=True,
        around=session_routes.turn,
    ),
    _session("DELETE /turn", session_routes.stop_turn, shapes.STOPPED),
    _session("POST /capture", Session.capture, shapes.CAPTURED, tell=session_routes.tell_captured),
    _session("GET /flush", Session.flush_due, shapes.DUE),
    _session("POST /flush", Session.before_compaction, shapes.ANYTHING, 409, 502, 503, name="flush"),
    _session("POST /compact", Session.compact, shapes.ANYTHING, 409, 503),
    _session("POST /compacted", Session.compacted, shapes.ANYTHING, 404, 503, render=done("compacted")),
    _session("POST /export", Session.export, shapes.EXPORTED, *_WRITING, render=under("exported")),
    _session("POST /reset", Session.reset, shapes.EXPORTED, *_WRITING, render=under("exported")),
    _session("POST /reset/undo", Session.undo_reset, shapes.ANYTHING, *_WRITING, render=done("reset", False)),
    _session(
        "POST /new",
        Session.new,
        shapes.EXPORTED,
        *_WRITING,
        names={"key": "new_key"},
        render=session_routes.next_session,
    ),
    _session("POST /exclude", Session.exclude, shapes.ANYTHING, 503, 507, render=session_routes.exclusion),
    _session("POST /forget", Session.forget, shapes.ANYTHING, 404, 503, 507, render=done("forgotten")),
    _state("GET", BoundState.list, shapes.VALUES, name="list_values", render=under("values")),
    _state("DELETE", BoundState.clear, shapes.ANYTHING, 403, 503, 507, render=under("cleared")),
    _value("GET", BoundState.get, shapes.VALUE, 403, without=("default",), around=state_routes.get),
    _value(
        "PUT", BoundState.set, shapes.ANYTHING, 403, 413, 422, 503, 507, name="put", render=state_routes.value_shown
    ),
    _value("DELETE", BoundState.delete, shapes.ANYTHING, 403, 503, 507, render=state_routes.of_value("deleted")),
    _value(
        "POST /compare",
        BoundState.compare_and_set,
        shapes.ANYTHING,
        *(403, 413, 422, 503),
        name="compare",
        render=state_routes.of_value("set"),
    ),
    _tools("GET", tool_routes.list_tools, shapes.TOOLS),
    _tools("POST /{name}", tool_routes.call_tool, shapes.ANYTHING, *_WRITING, slow=True),
    _settings("GET /settings", owner_routes.settings, shapes.SETTINGS, 422),
    _settings("PATCH /settings", owner_routes.patch_settings, shapes.SETTINGS, 403, 422, 503, 507),
    _settings("POST /settings/undo", owner_routes.undo_settings, shapes.SETTINGS, 403, 404, 422, 503, 507),
    _settings("GET /settings/catalogue", settings_catalogue, shapes.CATALOGUE, name="catalogue"),
    _settings("GET /settings/recipes", settings_recipes, shapes.RECIPES, name="recipes"),
    _settings("POST /providers/test", provider_test, shapes.TESTED, 422, slow=True, name="try_provider"),
    _settings("GET /settings/{key}", owner_routes.setting, shapes.SETTING, 422),
    _server(f"GET {API}/status", Memory.status, shapes.STATUS, render=owner_routes.status_shown),
    _server(
        f"GET {API}/doctor", doctor, shapes.DOCTOR, slow=True, without=("home", "agent"), around=owner_routes.doctor
    ),
    _server(
        f"GET {API}/agents", agents_list, shapes.AGENTS, without=("workspace", "default"), around=owner_routes.agents
    ),
    _server(f"GET {API}/spaces", Memory.spaces, shapes.SPACES, render=under("spaces")),
    _server(f"DELETE {API}/spaces/{{which+}}", Memory.drop_space, shapes.ANYTHING, 404, 503, render=under("dropped")),
    _profile("GET", UserProfile.read, shapes.PROFILE, name="profile", render=under("user")),
    _profile("PUT", UserProfile.save, shapes.PROFILE, *_WRITING, around=owner_routes.save_profile),
    _profile("POST /observed", UserProfile.observed, shapes.PROFILE, *_WRITING, name="observe_profile"),
    _profile("POST /undo", UserProfile.undo, shapes.PROFILE, *_WRITING, around=owner_routes.undo_profile),
    _dreams("POST", Dreams.run, shapes.ANYTHING, 403, 503, around=owner_routes.dream),
    _dreams("GET /reports", dream_reports, shapes.REPORTS),
    _dreams("GET /runs", dream_runs, shapes.DREAM_RUNS, name="list_runs", render=under("runs")),
    _inbox("GET", inbox_view, shapes.INBOX, name="inbox", render=under("entries")),
    _inbox("PUT /{id}", Inbox.edit, shapes.ANYTHING, *_WRITING, name="edit_entry", tell=owner_routes.tell_inbox),
    _inbox("POST /{id}/approve", Inbox.approve, shapes.ANYTHING, *_WRITING, tell=owner_routes.tell_inbox),
    _inbox("POST /{id}/reject", Inbox.reject, shapes.ANYTHING, *_WRITING, tell=owner_routes.tell_inbox),
    _inbox("POST /{id}/again", ask_again, shapes.ANYTHING, *_WRITING, tell=owner_routes.tell_inbox),
    _dreams("POST /rollback", Dreams.roll_back, shapes.ANYTHING, *_WRITING),
    _quality("GET", questions, shapes.QUESTIONS, 422),
    _quality("PUT", put_questions, shapes.QUESTIONS, *_EXPECTING),
    _quality("GET /draft", draft_questions, shapes.DRAFTS, slow=True, render=under("questions")),
    _search("GET /map", map_view, shapes.MAP, 503, slow=True, name="show_map"),
    _jobs("POST /sync", Memory.sync, shapes.ANYTHING, 503, 507, render=sync_json),
    _jobs("GET /jobs", job_routes.list_jobs, shapes.JOBS),
    _jobs("POST /jobs", job_routes.start_job, shapes.JOB, 429, statuses=(202,)),
    _jobs("GET /jobs/{id}", job_routes.job, shapes.JOB, 404),
    _jobs("DELETE /jobs/{id}", job_routes.cancel_job, shapes.JOB, 404),
    Route("GET", f"{API}/events", job_routes.events, "events", "text/event-stream", errors=(429,)),
    _client("POST /call", call_routes.call, shapes.ANYTHING, *_ANY, exact=True),
    _client("POST /call-slow", call_routes.call, shapes.ANYTHING, *_ANY, slow=True, most=CALL_BYTES, exact=True),
    _exchange("POST /export", Memory.export, _EXPORTS, without=("replace",), around=exchange_routes.export),
    _exchange("POST /import", exchange_routes.import_, shapes.ANYTHING, *_WRITING, slow=True, most=IMPORT_BYTES),
)
