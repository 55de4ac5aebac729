"""The inbox for the web app: what waits and why, approve, edit and approve, reject; each can be undone."""

from __future__ import annotations

from typing import Any

from surfaces.http.serving import Page, Served

from holdfast import Memory
from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.dream_counts import signals_of
from holdfast.index.sqlite.signal_table import Verdict


def waiting(page: Page) -> list[dict[str, Any]]:
    return list(page.call("GET", "/inbox").json["entries"])


def wait(web: Served, page: Page, text: str) -> dict[str, Any]:
    assert web.call("POST", "/api/v1/notes", {"content": text}).json["waits"] is True
    return next(entry for entry in waiting(page) if entry["text"] == text)


def memory(page: Page) -> str:
    answer = page.call("GET", "/notes/MEMORY.md?whole=true")
    return str(answer.json["text"]) if answer.status == 200 else ""


def test_an_entry_says_who_wants_it_and_why_it_waits(web: Served, page: Page) -> None:
    entry = wait(web, page, "The office moved to Munich.")
    assert (entry["kind"], entry["origin"], entry["source"], entry["score"]) == ("waiting", "api", None, None)
    assert entry["because"].endswith(".") and "approval" in entry["because"]


def test_an_approval_is_the_owners_and_can_be_undone(web: Served, page: Page) -> None:
    entry = wait(web, page, "The launch is on 3 March.")
    made = page.call("POST", f"/inbox/{entry['id']}/approve", {}).json
    assert made["outcome"] == "approved" and "3 March" in memory(page)
    undone = page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]}).json
    assert "3 March" not in memory(page) and entry["id"] in [one["id"] for one in waiting(page)]
    page.call("POST", "/undo", {"checkpoint_ids": undone["checkpointIds"]})
    assert "3 March" in memory(page) and entry["id"] not in [one["id"] for one in waiting(page)]


def test_an_approval_is_undone_alone_once_the_inbox_was_emptied(web: Served, page: Page) -> None:
    for left in waiting(page):
        page.call("POST", f"/inbox/{left['id']}/reject", {})
    first, second = (wait(web, page, text) for text in ("The kettle is new.", "The sofa is old."))
    made = [page.call("POST", f"/inbox/{entry['id']}/approve", {}).json["checkpointIds"] for entry in (first, second)]
    assert page.call("GET", "/notes/memory/inbox.md").status == 404
    for ids, entry in zip(made, (first, second), strict=True):
        assert page.call("GET", f"/checkpoints/{ids[0]}").json["undoable"] is True
        assert page.call("POST", "/undo", {"checkpoint_ids": ids, "keep_later": True}).status == 200
        assert entry["id"] in [one["id"] for one in waiting(page)] and entry["text"] not in memory(page)


def test_an_approval_shows_both_its_notes_and_who_proposed_it_and_is_restored_as_a_whole(
    web: Served, page: Page
) -> None:
    entry = wait(web, page, "The office has a garden.")
    made = page.call("POST", f"/inbox/{entry['id']}/approve", {}).json
    for id_ in made["checkpointIds"]:
        told = page.call("GET", f"/checkpoints/{id_}").json
        assert (told["origin"], told["author"]) == ("user", "api")
        assert [(note["id"], note["path"]) for note in told["notes"]] == list(
            zip(made["checkpointIds"], ("memory/inbox.md", "MEMORY.md"), strict=True)
        )
    back = page.call("POST", f"/checkpoints/{made['checkpointIds'][0]}/restore", {}).json
    assert len(back["checkpointIds"]) == 2 and back["also"] == ["MEMORY.md"]
    assert "garden" not in memory(page) and entry["id"] in [one["id"] for one in waiting(page)]
    page.call("POST", "/undo", {"checkpoint_ids": back["checkpointIds"][:1]})
    assert "garden" in memory(page) and entry["id"] not in [one["id"] for one in waiting(page)]


def test_an_entry_is_edited_and_approved_in_one_change(web: Served, page: Page) -> None:
    entry = wait(web, page, "The budget is 10,000 euros.")
    made = page.call("POST", f"/inbox/{entry['id']}/approve", {"text": "The budget is 12,000 euros."}).json
    assert (made["outcome"], made["text"], made["origin"]) == ("approved", "The budget is 12,000 euros.", "user")
    assert "12,000" in memory(page) and "10,000" not in memory(page)
    assert entry["id"] not in [one["id"] for one in waiting(page)]
    changes = page.call("GET", "/history?limit=2").json["checkpoints"]
    assert {change["id"] for change in changes} == set(made["checkpointIds"])
    assert len({change["group"] for change in changes}) == 1
    # The words are the owner's, and who had said others is told.
    assert {(change["origin"], change.get("author"), change["reason"]) for change in changes} == {
        ("user", None, f"approve {entry['id']}, edited words of api")
    }
    page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    assert "12,000" not in memory(page) and entry["id"] in [one["id"] for one in waiting(page)]
    refused = page.call("POST", f"/inbox/{entry['id']}/approve", {"text": "  "})
    assert refused.status == 400
    secret = page.call("POST", f"/inbox/{entry['id']}/approve", {"text": f"token: ghp_{'a1B2' * 9}"})
    assert secret.status == 422


def test_a_rejection_can_be_undone(web: Served, page: Page) -> None:
    entry = wait(web, page, "Mallory may see everything.")
    made = page.call("POST", f"/inbox/{entry['id']}/reject", {}).json
    assert made["outcome"] == "rejected" and entry["id"] not in [one["id"] for one in waiting(page)]
    page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    assert entry["id"] in [one["id"] for one in waiting(page)]
    assert page.call("POST", f"/inbox/{entry['id']}/approve", {}).json["outcome"] == "approved"


def test_what_can_be_undone_is_said_alike_in_the_list_and_of_each_change(web: Served, page: Page) -> None:
    first, second = (wait(web, page, text) for text in ("The gate is green.", "The gate is open."))
    made = [page.call("POST", f"/inbox/{entry['id']}/approve", {}).json["checkpointIds"] for entry in (first, second)]
    page.call("PUT", "/notes/memory/line.md", {"content": "one\n"})
    page.call("PUT", "/notes/memory/line.md", {"content": "two\n"})
    page.call("PUT", "/notes/memory/line.md", {"content": "three\n"})
    page.call("POST", "/undo", {"checkpoint_ids": made[0], "keep_later": True})
    listed = page.call("GET", "/history?undoable=true&limit=1000").json["checkpoints"]
    alone = [page.call("GET", f"/checkpoints/{change['id']}").json for change in listed]
    said = [(change["path"], change["undoable"], change["because"]) for change in listed]
    assert said == [(change["path"], change["undoable"], change["because"]) for change in alone]
    assert said[2:5] == [
        ("memory/line.md", True, ""),
        ("memory/line.md", False, "The same lines of memory/line.md were changed since."),
        ("memory/line.md", False, "Nothing of it is left in memory/line.md."),
    ]
    for change in listed:
        assert (change["because"] == "") is change["undoable"]
    by_id = {change["id"]: change["undoable"] for change in listed}
    assert {by_id[id_] for id_ in made[1]} == {True} and {by_id[id_] for id_ in made[0]} == {False}
    assert "undoable" not in page.call("GET", "/history?limit=1").json["checkpoints"][0]


def propose(web: Served, page: Page, text: str) -> dict[str, Any]:
    """What dreaming does with a line that it wants, and may not take by itself."""
    path = "memory/dreamt.md"
    assert web.call("PUT", f"/api/v1/notes/{path}", {"content": f"- {text}\n"}).status in (200, 201)
    with Memory.open(web.home) as memory:
        (claim,) = claims_in(memory.notes.read(path).text, path)
        signals_of(memory.ctx).decide([Verdict(claim.key, "proposed", "p1proposal", path, "r1", 1.0)])
    return next(entry for entry in waiting(page) if entry["id"] == "p1proposal")


def test_a_proposal_says_where_it_stands_and_its_rejection_is_taken_back(web: Served, page: Page) -> None:
    entry = propose(web, page, "The harbour opens at nine on weekdays.")
    assert (entry["kind"], entry["source"], entry["source_line"]) == ("proposal", "memory/dreamt.md", 1)
    assert "approval" in entry["because"]
    made = page.call("POST", "/inbox/p1proposal/reject", {}).json
    assert (made["outcome"], made["checkpointIds"]) == ("rejected", [])
    assert "p1proposal" not in [one["id"] for one in waiting(page)]
    assert page.call("POST", "/inbox/p1proposal/again", {}).status == 200
    assert "p1proposal" in [one["id"] for one in waiting(page)]
    assert page.call("POST", "/inbox/p1proposal/again", {}).status == 404
    words = "The harbour opens at eight on weekdays."
    made = page.call("POST", "/inbox/p1proposal/approve", {"text": words}).json
    assert (made["outcome"], made["text"], made["origin"]) == ("approved", words, "user")
    assert words in memory(page) and "at nine" not in memory(page)
    page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    assert words not in memory(page) and "p1proposal" in [one["id"] for one in waiting(page)]


def test_an_edit_goes_on_waiting(web: Served, page: Page) -> None:
    entry = wait(web, page, "The door code is on the board.")
    made = page.call("PUT", f"/inbox/{entry['id']}", {"text": "The code is at the desk."}).json
    assert made["outcome"] == "edited" and "desk" not in memory(page)
    assert "The code is at the desk." in [one["text"] for one in waiting(page)]
    assert page.call("POST", "/inbox/nothing/approve", {}).status == 404
