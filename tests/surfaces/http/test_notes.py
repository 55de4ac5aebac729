"""Notes over HTTP: read, saved and deleted with preconditions; what a program sees is what the library says."""

from __future__ import annotations

import io
import tempfile
import threading
import zipfile
from pathlib import Path

from surfaces.http.serving import Served

from holdfast import Memory, Origin

NOTES = "/api/v1/notes"


def test_a_note_is_made_read_changed_and_deleted_by_its_etag(web: Served) -> None:
    path = f"{NOTES}/memory/plan.md"
    made = web.call("PUT", path, {"content": "# Plan\n\nOne."}, {"If-None-Match": "*"})
    assert (made.status, made.json["path"]) == (201, "memory/plan.md")
    first = made.headers["etag"]
    read = web.call("GET", path)
    assert (read.status, read.headers["etag"], read.json["text"]) == (200, first, "# Plan\n\nOne.")
    assert web.call("GET", path, headers={"If-None-Match": first}).status == 304
    again = web.call("PUT", path, {"content": "twice"}, {"If-None-Match": "*"})
    assert (again.status, again.error) == (412, "NoteChangedOutside")
    changed = web.call("PUT", path, {"content": "# Plan\n\nTwo."}, {"If-Match": first})
    assert changed.status == 200 and changed.headers["etag"] != first
    for stale in (first, '"none"', f"W/{changed.headers['etag']}", ""):
        assert web.call("PUT", path, {"content": "lost"}, {"If-Match": stale}).status == 412, stale
        assert web.call("POST", path, {"content": "lost"}, {"If-Match": stale}).status == 412, stale
        assert web.call("DELETE", path, headers={"If-Match": stale}).status == 412, stale
    added = web.call("POST", path, {"content": "Three."}, {"If-Match": f'"x", {changed.headers["etag"]}'})
    assert added.status == 200
    whole = web.call("GET", f"{path}?whole=true")
    assert whole.json["text"] == "# Plan\n\nTwo.\n\nThree.\n"
    assert whole.headers["etag"] == added.headers["etag"] == f'"{whole.json["hash"]}"'
    cut = web.call("POST", f"{path}/delete", {"text": "Three.\n"})
    assert cut.json["matches_removed"] == 1
    gone = web.call("DELETE", path, headers={"If-Match": "*"})
    assert (gone.status, gone.json["file_deleted"]) == (200, True)
    assert web.call("GET", path).status == 404
    assert web.call("DELETE", path).status == 404
    assert web.call("DELETE", path, headers={"If-Match": "*"}).status == 412
    back = web.call("POST", f"/api/v1/checkpoints/{gone.json['checkpointId']}/restore")
    assert back.json["path"] == "memory/plan.md"
    assert web.call("GET", path).status == 200


def test_a_condition_that_fails_is_told_in_the_words_of_what_was_asked_for(web: Served) -> None:
    path = f"{NOTES}/memory/words.md"

    def told(method: str, at: str, sent: object = None, expected: str = '"x"') -> str:
        answer = web.call(method, at, sent, {"If-Match": expected})
        assert (answer.status, answer.error) == (412, "NoteChangedOutside"), (method, at)
        return str(answer.json["error"]["message"])

    for missing in (told("DELETE", path), told("POST", f"{path}/delete", {"text": "a"})):
        assert missing == "'memory/words.md' is not there; nothing was deleted. It may be gone already."
    assert "is not there; nothing was written" in told("PUT", path, {"content": "a"})
    assert "If-Match for 'memory/words.md' is empty" in told("PUT", path, {"content": "a"}, "")
    web.call("PUT", path, {"content": "# Words"})
    for method, sent in (("PUT", {"content": "a"}), ("POST", {"content": "a"}), ("DELETE", None), ("GET", None)):
        assert "If-Match for 'memory/words.md' is empty" in told(method, path, sent, "")
    read = told("GET", path)
    assert "has another ETag" in read and "overwritten" not in read


def test_no_way_to_change_a_note_passes_over_a_condition(web: Served) -> None:
    path = f"{NOTES}/memory/conditions.md"
    etag = web.call("PUT", path, {"content": "# Kept\n\nThis stays."}).headers["etag"]
    held = {"content": "lost", "file": "memory/conditions.md"}
    for unmet in ({"If-Match": '"x"'}, {"If-None-Match": "*"}, {"If-None-Match": etag}):
        for method, at, body in (
            ("POST", NOTES, held),
            ("POST", NOTES, {**held, "append": False}),
            ("PUT", path, {"content": "lost"}),
            ("POST", path, {"content": "lost"}),
            ("POST", f"{path}/delete", {"text": "This stays."}),
            ("DELETE", path, None),
        ):
            answer = web.call(method, at, body, unmet)
            assert (answer.status, answer.error) == (412, "NoteChangedOutside"), (method, at, unmet)
    assert web.call("GET", path).headers["etag"] == etag
    met = {"If-Match": etag}
    assert web.call("POST", NOTES, {**held, "content": "added"}, met).status == 200
    assert web.call("POST", f"{path}/delete", {"text": "added"}, met).status == 412  # it is another one by now
    assert web.call("POST", f"{path}/delete", {"text": "added"}, {"If-Match": "*"}).json["matches_removed"] == 1
    new = {"content": "made", "file": "memory/conditions-new.md"}
    assert web.call("POST", NOTES, new, {"If-None-Match": "*"}).status == 201
    assert web.call("DELETE", f"{NOTES}/memory/none.md", headers={"If-None-Match": "*"}).status == 404


def test_an_expected_hash_in_the_body_is_a_condition_like_the_headers(web: Served) -> None:
    note = {"content": "one", "file": "memory/expected.md", "append": False}
    assert web.call("POST", NOTES, {**note, "expected_hash": ""}).status == 201
    for wrong in ("", "0" * 64):
        answer = web.call("POST", NOTES, {**note, "content": "two", "expected_hash": wrong})
        assert (answer.status, answer.error) == (412, "NoteChangedOutside")
    held = web.call("GET", f"{NOTES}/memory/expected.md")
    assert web.call("POST", NOTES, {**note, "content": "two", "expected_hash": held.json["hash"]}).status == 200
    both = web.call("POST", NOTES, {**note, "expected_hash": ""}, {"If-None-Match": "*"})
    assert (both.status, both.error) == (400, "BadArgument")


def test_a_condition_that_a_route_does_not_know_is_refused(web: Served) -> None:
    web.call("PUT", f"{NOTES}/memory/kept.md", {"content": "not to be taken back"})
    for path in ("/api/v1/undo", "/api/v1/forget", "/api/v1/facts"):
        answer = web.call("POST", path, {}, {"If-Match": '"x"'})
        assert (answer.status, answer.error) == (400, "BadArgument") and "If-Match" in answer.json["error"]["message"]
    assert "not to be taken back" in web.call("GET", f"{NOTES}/memory/kept.md").json["text"]


def test_of_many_who_saw_the_same_note_one_may_change_it(web: Served) -> None:
    path = f"{NOTES}/memory/race.md"
    etag = web.call("PUT", path, {"content": "0"}).headers["etag"]
    statuses: list[int] = []

    def change(number: int) -> None:
        statuses.append(web.call("PUT", path, {"content": f"{number}"}, {"If-Match": etag}).status)

    threads = [threading.Thread(target=change, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, *[412] * 7]


def test_the_list_of_notes_is_in_pages(web: Served) -> None:
    for number in range(5):
        web.call("PUT", f"{NOTES}/memory/page-{number}.md", {"content": f"page {number}"})
    first = web.call("GET", f"{NOTES}?under=memory/page-&limit=2").json
    last = web.call("GET", f"{NOTES}?under=memory/page-&limit=2&offset=4").json
    assert (first["total"], first["count"], last["count"]) == (5, 2, 1)
    assert [one["path"] for one in (*first["notes"], *last["notes"])] == [
        f"memory/page-{number}.md" for number in (0, 1, 4)
    ]
    held = web.call("GET", f"{NOTES}/memory/page-0.md").json["hash"]
    assert first["notes"][0]["hash"] == held
    assert web.call("GET", f"{NOTES}?limit=0").status == 400


def test_what_http_says_is_what_the_library_says(web: Served) -> None:
    web.call("POST", NOTES, {"content": "The harbour opens at nine", "file": "memory/harbour.md"})
    found = web.call("POST", "/api/v1/search", {"query": "when does the harbour open", "explain": True}).json
    with Memory.open(web.home) as memory:
        same = memory.search("when does the harbour open")
        expected = same.to_json(explain=True)
        history = memory.history(limit=3)
    assert {**found, "took_ms": 0} == {**expected, "took_ms": 0}
    assert found["results"][0]["path"] == "memory/harbour.md"
    chunk = web.call("GET", f"/api/v1/chunks/{found['results'][0]['chunk_id']}")
    assert chunk.json["text"].startswith("The harbour")
    assert web.call("GET", "/api/v1/chunks/memory/harbour.md:1").json["text"] == chunk.json["text"]
    assert web.call("GET", "/api/v1/chunks/none").error == "ChunkNotFound"
    shown = web.call("GET", "/api/v1/history?limit=3&full=true").json["checkpoints"]
    assert [(one["id"], one["after"], one["origin"]) for one in shown] == [
        (one.id, one.after, one.origin) for one in history
    ]
    assert {one["origin"] for one in shown} <= {"api", "outside"}


def test_the_origin_is_stamped_and_never_taken(web: Served) -> None:
    assert web.call("POST", NOTES, {"content": "x", "origin": "user"}).status == 400
    web.call("POST", "/api/v1/tools/memory_save", {"arguments": {"content": "by a tool", "file": "memory/tool.md"}})
    last = web.call("GET", "/api/v1/history?limit=1").json["checkpoints"][0]
    assert (last["path"], last["origin"]) == ("memory/tool.md", "api")


def test_forget_undo_and_a_diff(web: Served) -> None:
    web.call("PUT", f"{NOTES}/memory/secret-plan.md", {"content": "- The picnic is on Sunday.\n- Bring bread."})
    gone = web.call("POST", "/api/v1/forget", {"text": "The picnic is on Sunday."})
    assert gone.status == 200
    assert web.call("GET", f"{NOTES}/memory/secret-plan.md").json["text"] == "- Bring bread."
    last = web.call("GET", "/api/v1/history?limit=1").json["checkpoints"][0]["id"]
    diff = web.call("GET", f"/api/v1/checkpoints/{last}/diff").json["diff"]
    assert "-- The picnic is on Sunday." in diff
    assert web.call("POST", "/api/v1/undo", {"path": "memory/secret-plan.md"}).json["path"] == "memory/secret-plan.md"
    assert "picnic" in web.call("GET", f"{NOTES}/memory/secret-plan.md").json["text"]
    assert web.call("GET", "/api/v1/checkpoints/none/diff").error == "CheckpointNotFound"


def test_each_agent_has_its_own_notes(web: Served) -> None:
    with Memory.open(web.home, "other", origin=Origin.USER) as other:
        other.save("only the other knows")
    assert web.call("GET", f"{NOTES}/MEMORY.md?agent=other").json["text"] == "only the other knows"
    mine = web.call("GET", f"{NOTES}/MEMORY.md")
    assert mine.status == 404 or "only the other" not in mine.json["text"]
    put = web.call("PUT", f"{NOTES}/memory/own.md?agent=other", {"content": "from here"})
    waits = web.call("POST", f"{NOTES}?agent=other", {"content": "not typed by anybody"})
    assert (put.json["saved"], waits.json["saved"], waits.json["waits"]) == (True, False, True)
    for name in ("MEMORY.md", "memory/own.md", "memory/inbox.md"):
        assert (web.home / "agents" / "other" / name).is_file()
    assert web.call("GET", f"{NOTES}/memory/own.md").status == 404


def test_a_look_at_an_agent_that_is_not_there_makes_none(web: Served) -> None:
    assert web.call("GET", f"{NOTES}?agent=nobody").json["total"] == 0
    assert web.call("GET", "/api/v1/history?agent=nobody").json["count"] == 0
    assert web.call("GET", "/api/v1/sessions?agent=nobody").json["sessions"] == []
    assert not (web.home / "agents" / "nobody").exists()


def test_everything_out_and_in_again(web: Served, tmp_path: Path) -> None:
    web.call("PUT", f"{NOTES}/memory/kept.md", {"content": "kept through an export"})
    for ending, begins in (("zip", b"PK"), ("jsonl", b"{")):
        sent = web.call("POST", "/api/v1/export", {"format": ending})
        assert sent.status == 200 and sent.data.startswith(begins)
        assert sent.headers["content-disposition"].endswith(f'.{ending}"')
        bearing = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/octet-stream"}
        path = f"/api/v1/import?restore=true&ending={ending}&agent=copy-{ending}"
        seen = web.send("POST", f"{path}&preview=true", sent.data, bearing)
        assert seen.json["restored"] is False and "memory/kept.md" in seen.json["written"]
        back = web.send("POST", path, sent.data, bearing)
        assert back.json["restored"] is True, back.data
        assert web.call("GET", f"{NOTES}/memory/kept.md?agent=copy-{ending}").json["text"] == "kept through an export"
    broken = web.send("POST", "/api/v1/import", b"no zip at all", bearing)
    assert broken.status in (400, 422)


def test_an_upload_that_is_nothing_is_named_as_its_sender_knows_it(web: Served) -> None:
    bearing = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/octet-stream"}
    answer = web.send("POST", "/api/v1/import", b"no zip at all", bearing)
    assert answer.status == 400 and "'upload.zip' is no whole zip" in answer.json["error"]["message"]
    sent = {"data": {"$": "bytes", "is": "bm8="}, "name": "/home/ada/upload.zip", "restore": False}
    called = web.call("POST", "/api/v1/call", {"method": "import_from", "arguments": sent})
    assert "'upload.zip' is no whole zip" in called.json["error"]["message"]
    for one in (answer, called):
        assert tempfile.gettempdir().encode() not in one.data


def test_an_upload_keeps_its_name_and_one_without_a_name_replaces_no_other(web: Served) -> None:
    bearing = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/octet-stream"}
    paths: list[str] = []
    for query in ("name=plans.md", "name=people.md", "ending=md", "ending=md"):
        words = f"Upload {len(paths)}.\n".encode()
        sent = web.send("POST", f"/api/v1/import?{query}&agent=uploads", words, bearing)
        assert [note["fate"] for note in sent.json["notes"]] == ["new"], sent.data
        paths += [note["path"] for note in sent.json["notes"]]
    assert paths[:2] == ["memory/imports/markdown-plans.md", "memory/imports/markdown-people.md"]
    assert len(set(paths)) == 4
    for words in (b"one\n", b"two\n"):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as made:
            made.writestr("a.md", words)
        sent = web.send("POST", "/api/v1/import?agent=uploads", archive.getvalue(), bearing)
        fates = [note["fate"] for note in sent.json["notes"]]
    assert fates == [] and "is there from another import" in sent.json["refused"][0]["why"]
    for name in ("", "..", "a/", "x%00.md", "n" * 300):
        bad = web.send("POST", f"/api/v1/import?name={name or '/'}", b"x", bearing)
        assert bad.status in (400, 422), bad.data
