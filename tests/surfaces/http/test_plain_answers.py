"""What can't be had is said plainly: no success where nothing was done, and nothing left behind."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest
from surfaces.http.serving import JSON, Served

import holdfast
from holdfast import Memory
from holdfast.errors import SessionNotFound

NOTE = "/api/v1/notes/memory/plain.md"


@pytest.mark.parametrize(
    ("method", "path"), [("DELETE", ""), ("POST", "/export"), ("POST", "/reset"), ("POST", "/forget")]
)
def test_a_session_that_is_not_there_is_not_found(web: Served, method: str, path: str) -> None:
    answer = web.call(method, f"/api/v1/sessions/never{path}", None if method == "DELETE" else {})
    assert (answer.status, answer.error) == (404, "SessionNotFound")
    assert "never" not in [one["key"] for one in web.call("GET", "/api/v1/sessions").json["sessions"]]


def test_the_library_and_the_client_say_the_same_of_a_session_that_is_not_there(web: Served) -> None:
    with Memory.open(web.home) as memory, holdfast.connect(web.url, token=web.token) as client:
        for one in (memory, client):
            for name in ("delete", "export", "reset", "forget"):
                with pytest.raises(SessionNotFound, match="'never'"):
                    getattr(one.session("never"), name)()
        assert "never" not in [one.key for one in memory.sessions()]


def test_a_session_that_was_used_is_ended_and_then_it_is_gone(web: Served) -> None:
    said = {"role": "user", "text": "hello"}
    for end, path in (("DELETE", ""), ("POST", "/forget")):
        key = f"used-{end}"
        assert web.call("POST", f"/api/v1/sessions/{key}/messages", said).status == 201
        assert web.call("POST", f"/api/v1/sessions/{key}/reset", {}).status == 200
        assert web.call("POST", f"/api/v1/sessions/{key}/export", {}).status == 200
        assert web.call(end, f"/api/v1/sessions/{key}{path}").status == 200
        assert web.call(end, f"/api/v1/sessions/{key}{path}").status == 404
    assert web.call("POST", "/api/v1/sessions/asked/prompt", {}).status == 200
    assert web.call("POST", "/api/v1/sessions/never/new", {"new_key": "next"}).status == 200


def test_an_empty_zip_is_refused_and_is_no_failure_of_the_server(web: Served) -> None:
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    bearing = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/zip"}
    for query in ("", "?restore=true", "?source=holdfast", "?preview=true"):
        answer = web.send("POST", f"/api/v1/import{query}", empty.getvalue(), bearing)
        assert (answer.status, answer.error) == (400, "BadArgument"), query
        assert "'upload.zip'" in answer.json["error"]["message"]


def test_a_body_that_is_packed_is_refused(web: Served) -> None:
    packed = gzip.compress(json.dumps({"query": "x"}).encode())
    bearing = {"Authorization": f"Bearer {web.token}", **JSON}
    answer = web.send("POST", "/api/v1/search", packed, {**bearing, "Content-Encoding": "gzip"})
    assert (answer.status, answer.error) == (415, "BadArgument")
    plain = {**bearing, "Content-Encoding": "identity"}
    assert web.send("POST", "/api/v1/search", b'{"query":"x"}', plain).status == 200


def test_who_asks_for_the_headers_of_the_events_does_not_listen(web: Served) -> None:
    listeners = "holdfast_event_listeners 0\n"
    for _ in range(3):
        answer = web.call("HEAD", "/api/v1/events")
        assert (answer.status, answer.headers["content-type"], answer.data) == (200, "text/event-stream", b"")
    assert listeners in web.call("GET", "/metrics").data.decode()


def test_a_read_knows_the_conditions_of_a_write(web: Served) -> None:
    tag = web.call("PUT", NOTE, {"content": "one"}).headers["etag"]
    for query in ("", "?whole=true"):
        assert web.call("GET", f"{NOTE}{query}", headers={"If-Match": tag}).status == 200
        assert web.call("GET", f"{NOTE}{query}", headers={"If-Match": "*"}).status == 200
        refused = web.call("GET", f"{NOTE}{query}", headers={"If-Match": '"zz"'})
        assert (refused.status, refused.error) == (412, "NoteChangedOutside")


def test_a_condition_that_does_not_hold_says_what_is_there(web: Served) -> None:
    web.call("PUT", NOTE, {"content": "one"})
    there = web.call("PUT", NOTE, {"content": "two"}, {"If-None-Match": "*"})
    assert there.status == 412 and "is there already" in there.json["error"]["message"]
    missing = web.call("PUT", "/api/v1/notes/memory/none.md", {"content": "two"}, {"If-Match": "*"})
    assert missing.status == 412 and "is not there" in missing.json["error"]["message"]
    changed = web.call("PUT", NOTE, {"content": "two"}, {"If-Match": '"zz"'})
    assert changed.status == 412 and "has changed since it was read" in changed.json["error"]["message"]


def test_a_look_at_an_agent_that_is_not_there_leaves_nothing_behind(web: Served) -> None:
    for path in ("notes", "history", "sessions", "facts", "status"):
        assert web.call("GET", f"/api/v1/{path}?agent=nobody").status == 200
    assert web.call("POST", "/api/v1/search?agent=nobody", {"query": "x"}).status == 200
    assert not [one for one in web.home.rglob("*") if "nobody" in one.name and one.parent.name == "locks"]


def test_a_section_of_the_settings_is_called_one(web: Served) -> None:
    answer = web.call("GET", "/api/v1/settings/memory.search")
    assert (answer.status, answer.error) == (422, "UnknownSetting")
    message = answer.json["error"]["message"]
    assert "It is a section, with memory.search." in message and "Did you mean" not in message
