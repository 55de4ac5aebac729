"""A request that carries a key is carried out once: sent again it is answered as before, and for no other request."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from surfaces.http.serving import Answer, Served, served

NUMBERS = count(0xA00000000000)


def key() -> dict[str, str]:
    """The header of a request with a key of its own."""
    return {"Idempotency-Key": f"c{next(NUMBERS):012x}"}


def twice(web: Served, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
    """Send a request, and once more as if its answer had been lost; both answers must be the same."""
    own = key() | (headers or {})
    first = web.call(method, f"/api/v1{path}", body, own)
    again = web.call(method, f"/api/v1{path}", body, own)
    assert first.status < 300, first.data
    assert (again.status, again.json, again.headers.get("etag")) == (
        first.status,
        first.json,
        first.headers.get("etag"),
    )
    return first


def text_of(web: Served, path: str) -> str:
    return str(web.call("GET", f"/api/v1/notes/{path}?whole=true").json["text"])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/notes", {"content": "Another thing.", "file": "NOTE"}),
        ("POST", "/notes", {"content": "One thing.", "file": "memory/other.md"}),
        ("POST", "/notes/NOTE", {"content": "One thing."}),
        ("POST", "/notes?agent=other", {"content": "Another thing.", "file": "NOTE"}),
        ("DELETE", "/notes/NOTE", None),
        ("POST", "/undo", None),
    ],
)
def test_a_key_that_was_used_is_refused_for_another_request(web: Served, method: str, path: str, body: Any) -> None:
    own = key()
    note = f"memory/{own['Idempotency-Key']}.md"
    for agent in ("?agent=other", ""):
        made = web.call("POST", f"/api/v1/notes{agent}", {"content": "One thing.", "file": note}, own)
        assert made.json["checkpointId"] == own["Idempotency-Key"], made.data
    asked = None if body is None else {name: value.replace("NOTE", note) for name, value in body.items()}
    refused = web.call(method, f"/api/v1{path.replace('NOTE', note)}", asked, own)
    assert (refused.status, refused.error) == (409, "KeyUsed"), refused.data
    assert own["Idempotency-Key"] in refused.json["error"]["message"]
    assert text_of(web, note) == "One thing.\n"
    assert web.call("GET", "/api/v1/notes/memory/other.md").status == 404


def test_the_order_of_the_fields_makes_no_other_request(web: Served) -> None:
    own, first = key(), {"content": "A thing.", "file": "memory/order.md"}
    made = web.call("POST", "/api/v1/notes", first, own)
    again = web.call("POST", "/api/v1/notes", dict(reversed(first.items())), own)
    assert again.json == made.json and text_of(web, "memory/order.md").count("A thing.") == 1


def test_a_key_is_known_after_a_restart(tmp_path: Path) -> None:
    own, first = key(), {"content": "It stays.", "file": "memory/stays.md"}
    with served(tmp_path / "home") as web:
        made = web.call("POST", "/api/v1/notes", first, own)
    with served(tmp_path / "home") as web:
        assert web.call("POST", "/api/v1/notes", first, own).json == made.json
        assert web.call("POST", "/api/v1/notes", first | {"content": "Not this."}, own).error == "KeyUsed"
        assert text_of(web, "memory/stays.md") == "It stays.\n"


def test_what_waits_is_said_to_wait_again(web: Served) -> None:
    body = {"content": "The harbour opens at nine."}
    first = twice(web, "POST", "/notes", body).json
    assert (first["saved"], first["waits"]) == (False, True) and first["because"]
    put = {"content": "The harbour closes at five.\n"}
    assert twice(web, "PUT", "/notes/MEMORY.md", put).json["waits"]
    entries = web.call("GET", "/api/v1/inbox").json["entries"]
    assert sorted(entry["text"] for entry in entries) == ["The harbour closes at five.", "The harbour opens at nine."]


def test_what_waited_is_said_to_wait_after_it_was_decided_about(web: Served) -> None:
    own, body = key(), {"content": "The pier is closed on Sundays."}
    first = web.call("POST", "/api/v1/notes", body, own).json
    waiting = web.call("GET", "/api/v1/inbox").json["entries"]
    entry = next(one["id"] for one in waiting if one["text"] == body["content"])
    assert web.call("POST", f"/api/v1/inbox/{entry}/reject").status == 200
    assert web.call("POST", "/api/v1/notes", body, own).json == first


def test_a_note_is_renamed_once(web: Served) -> None:
    web.call("PUT", "/api/v1/notes/memory/old.md", {"content": "text\n"})
    made = twice(web, "POST", "/notes/memory/old.md/rename", {"to": "memory/new.md"}).json
    assert made["path"] == "memory/new.md" and len(made["checkpointIds"]) == 2
    assert text_of(web, "memory/new.md") == "text\n"


def test_an_undo_steps_back_once(web: Served) -> None:
    for content in ("one\n", "two\n", "three\n"):
        saved = web.call("PUT", "/api/v1/notes/memory/steps.md", {"content": content}).json
    assert twice(web, "POST", "/undo").json["path"] == "memory/steps.md"
    assert text_of(web, "memory/steps.md") == "two\n"
    twice(web, "POST", "/undo", {"path": "memory/steps.md"})
    assert text_of(web, "memory/steps.md") == "one\n"
    saved = web.call("PUT", "/api/v1/notes/memory/steps.md", {"content": "four\n"}).json
    twice(web, "POST", "/undo", {"checkpoint_ids": [saved["checkpointId"]]})
    assert text_of(web, "memory/steps.md") == "one\n"
    twice(web, "POST", f"/checkpoints/{saved['checkpointId']}/restore")


def test_an_undo_of_several_notes_is_told_whole_again(web: Served) -> None:
    web.call("PUT", "/api/v1/notes/memory/whole-old.md", {"content": "text\n"})
    web.call("POST", "/api/v1/notes/memory/whole-old.md/rename", {"to": "memory/whole-new.md"})
    assert len(twice(web, "POST", "/undo").json["checkpointIds"]) == 2
    assert text_of(web, "memory/whole-old.md") == "text\n"


def test_notes_are_made_and_removed_once_whatever_condition_held_before(web: Served) -> None:
    made = twice(web, "PUT", "/notes/memory/once.md", {"content": "a\n"}, {"If-None-Match": "*"})
    assert made.status == 201
    changed = twice(web, "PUT", "/notes/memory/once.md", {"content": "b\n"}, {"If-Match": made.headers["etag"]})
    twice(web, "POST", "/notes/memory/once.md", {"content": "c"}, {"If-Match": changed.headers["etag"]})
    twice(web, "POST", "/notes/memory/once.md/delete", {"text": "c"})
    twice(web, "DELETE", "/notes/memory/once.md", None, {"If-Match": "*"})
    assert web.call("GET", "/api/v1/notes/memory/once.md").status == 404


def test_a_key_of_another_shape_is_refused_by_the_name_of_its_header(web: Served) -> None:
    refused = web.call("POST", "/api/v1/notes", {"content": "x"}, {"Idempotency-Key": "mine"})
    assert (refused.status, refused.error) == (400, "BadArgument")
    assert "Idempotency-Key" in json.dumps(refused.json) and "'id'" not in json.dumps(refused.json)


def test_facts_are_stored_archived_and_forgotten_once_and_told_the_same_again(web: Served) -> None:
    stored = twice(web, "POST", "/facts", {"text": "I prefer green tea in the morning."})
    assert stored.status == 201
    fact = stored.json["id"]
    assert twice(web, "POST", f"/facts/{fact}/archive", {}).status == 200
    assert twice(web, "POST", f"/facts/{fact}/restore", {}).status == 200
    assert twice(web, "DELETE", f"/facts/{fact}").status == 200
    listed = web.call("GET", "/api/v1/facts").json["facts"]
    assert not any("green tea" in one["text"] for one in listed)


def test_a_text_is_forgotten_once_and_told_the_same_again(web: Served) -> None:
    web.call("POST", "/api/v1/notes", {"content": "The anchor is green.", "file": "memory/anchor.md"})
    forgot = twice(web, "POST", "/forget", {"text": "The anchor is green."}).json
    assert forgot["forgotten"]


def test_what_is_forgotten_for_good_is_in_no_answer_that_is_kept(web: Served) -> None:
    web.call("POST", "/api/v1/notes", {"content": "The word is quartzheron.", "file": "memory/word.md"})
    twice(web, "POST", "/facts", {"text": "My dog is called quartzheron."})
    gone = {"text": "quartzheron", "everywhere": True, "confirmed": True}
    assert web.call("POST", "/api/v1/forget", gone, key()).status == 200
    held = [path for path in Path(web.home).rglob("*") if path.is_file() and b"quartzheron" in path.read_bytes()]
    assert held == []


def test_a_message_is_said_once_and_a_value_compared_once(web: Served) -> None:
    said = twice(web, "POST", "/sessions/once/messages", {"role": "user", "text": "Good morning."})
    assert said.status == 201
    assert len(web.call("GET", "/api/v1/sessions/once/messages").json["messages"]) == 1
    assert twice(web, "PUT", "/sessions/once/state/app/step", {"value": 1}).status == 200
    changed = twice(web, "POST", "/sessions/once/state/app/step/compare", {"expected": 1, "new": 2})
    assert changed.json == twice(web, "POST", "/sessions/once/state/app/step/compare", {"expected": 2, "new": 3}).json
    assert [one["key"] for one in web.call("GET", "/api/v1/sessions/once/state").json["values"]] == ["step"]


def test_a_key_of_a_fact_is_refused_for_another_fact(web: Served) -> None:
    own = key()
    assert web.call("POST", "/api/v1/facts", {"text": "I keep two bees."}, own).status == 201
    refused = web.call("POST", "/api/v1/facts", {"text": "I keep three cows."}, own)
    assert (refused.status, refused.error) == (409, "KeyUsed")
    said = web.call("POST", "/api/v1/sessions/other/messages", {"role": "user", "text": "Hello"}, own)
    assert (said.status, said.error) == (409, "KeyUsed")
