"""History for the web app: pages, days, both texts of a change, and the undo behind every toast."""

from __future__ import annotations

from pathlib import Path

import pytest
from surfaces.http.serving import Page, Served


def put(page: Page, path: str, content: str) -> str:
    return str(page.call("PUT", f"/notes/{path}", {"content": content}).json["checkpointId"])


def text(page: Page, path: str) -> str:
    return str(page.call("GET", f"/notes/{path}?whole=true").json["text"])


def test_history_is_paged_to_its_end(web: Served, page: Page) -> None:
    made = [put(page, "memory/paged.md", f"{number}\n") for number in range(7)]
    seen: list[str] = []
    before = ""
    while True:
        found = page.call("GET", f"/history?path=memory/paged.md&limit=3{before}").json
        seen += [change["id"] for change in found["checkpoints"]]
        if found["next_before"] is None:
            break
        before = f"&before={found['next_before']}"
    assert seen == made[::-1]
    newest = page.call("GET", "/history?limit=1").json["checkpoints"][0]["seq"]
    assert page.call("GET", f"/history?after={newest}").json == {"count": 0, "checkpoints": [], "next_before": None}
    newer = put(page, "memory/paged.md", "newer\n")
    assert [one["id"] for one in page.call("GET", f"/history?after={newest}").json["checkpoints"]] == [newer]


def test_history_is_filtered_by_who_how_and_when(web: Served, page: Page) -> None:
    mine = put(page, "memory/who.md", "mine\n")
    its = web.call("POST", "/api/v1/notes", {"content": "its", "file": "memory/who.md"}).json["checkpointId"]

    def ids(query: str) -> list[str]:
        return [one["id"] for one in page.call("GET", f"/history?path=memory/who.md{query}").json["checkpoints"]]

    assert (ids("&origin=user"), ids("&origin=api"), ids("&tool=notes_write")) == ([mine], [its], [mine])
    today = page.call("GET", "/whoami").json["today"]
    assert ids(f"&since={today}") == [its, mine] and ids("&until=2001-01-01") == []
    assert page.call("GET", "/history?origin=nobody").status == 400
    assert page.call("GET", "/history?since=someday%20soon").status == 400


def test_days_count_changes_by_whose_they_are(web: Served, page: Page) -> None:
    put(page, "memory/counted.md", "1\n")
    web.call("PUT", "/api/v1/notes/memory/counted-too.md", {"content": "2\n"})
    (day,) = page.call("GET", "/history/days").json["days"]
    total = len(page.call("GET", "/history?limit=1000").json["checkpoints"])
    assert day["day"] == page.call("GET", "/whoami").json["today"]
    assert day["changes"] == total == sum(day["origins"].values()) and {"user", "api"} <= day["origins"].keys()
    assert page.call("GET", "/history/days?until=2001-01-01").json == {"days": []}


def test_both_texts_of_a_change_can_be_read(web: Served, page: Page) -> None:
    first, second = put(page, "memory/sides.md", "one\n"), put(page, "memory/sides.md", "two\n")
    told = page.call("GET", f"/checkpoints/{second}").json
    assert (told["path"], told["current"], told["origin"]) == ("memory/sides.md", True, "user")
    assert page.call("GET", f"/checkpoints/{first}").json["current"] is False
    sides = {side: page.call("GET", f"/checkpoints/{second}/text?side={side}").json for side in ("before", "after")}
    assert (sides["before"]["text"], sides["after"]["text"]) == ("one\n", "two\n")
    assert (sides["before"]["hash"], sides["after"]["hash"]) == (told["before"], told["after"])
    assert page.call("GET", f"/checkpoints/{first}/text?side=before").json["text"] is None
    assert page.call("GET", "/checkpoints/c000000000000").status == 404
    assert page.call("GET", f"/checkpoints/{first}/text?side=left").status == 400


def test_every_write_is_undone_and_done_again_by_its_checkpoints(web: Served, page: Page) -> None:
    put(page, "memory/toast.md", "before\n")
    ids = [put(page, "memory/toast.md", "after\n")]
    for expected in ("before\n", "after\n", "before\n", "after\n"):  # undo, redo, and again
        undone = page.call("POST", "/undo", {"checkpoint_ids": ids}).json
        assert text(page, "memory/toast.md") == expected
        ids = undone["checkpointIds"]
        assert (undone["restored"], undone["path"], undone["exists"]) == (True, "memory/toast.md", True)


def test_several_changes_are_taken_back_as_one(web: Served, page: Page) -> None:
    ids = [put(page, "memory/one.md", "1\n"), put(page, "memory/two.md", "2\n"), put(page, "memory/one.md", "1b\n")]
    undone = page.call("POST", "/undo", {"checkpoint_ids": ids}).json
    assert len(undone["checkpointIds"]) == 3
    assert {page.call("GET", f"/notes/memory/{name}.md").status for name in ("one", "two")} == {404}
    page.call("POST", "/undo", {"checkpoint_ids": undone["checkpointIds"]})
    assert (text(page, "memory/one.md"), text(page, "memory/two.md")) == ("1b\n", "2\n")
    last = page.call("POST", "/undo", {}).json  # plain undo steps back over what was done last
    assert last["checkpointIds"] and last["checkpointId"] in last["checkpointIds"]


def test_what_was_changed_since_is_not_overwritten_by_an_undo(web: Served, page: Page) -> None:
    id_ = put(page, "memory/race.md", "mine\n")
    Path(web.home / "memory" / "race.md").write_text("theirs\n")
    refused = page.call("POST", "/undo", {"checkpoint_ids": [id_]})
    assert (refused.status, refused.error) == (409, "NoteChangedOutside")
    assert text(page, "memory/race.md") == "theirs\n"
    assert page.call("POST", "/undo", {"checkpoint_ids": [id_], "force": True}).status == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"checkpoint_ids": []}, 400),
        ({"checkpoint_ids": ["c000000000000"]}, 404),
        ({"checkpoint_ids": ["c000000000000"], "path": "memory/a.md"}, 400),
    ],
)
def test_an_undo_of_nothing_is_an_error(page: Page, body: dict[str, object], status: int) -> None:
    assert page.call("POST", "/undo", body).status == status


def test_a_restore_says_what_undoes_it(page: Page) -> None:
    put(page, "memory/back.md", "1\n")
    second = put(page, "memory/back.md", "2\n")
    made = page.call("POST", f"/checkpoints/{second}/restore").json
    assert text(page, "memory/back.md") == "1\n" and made["checkpointIds"] == [made["checkpointId"]]
    page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    assert text(page, "memory/back.md") == "2\n"


def test_a_program_takes_back_nothing_of_the_owners_in_memory_md(web: Served, page: Page) -> None:
    id_ = put(page, "MEMORY.md", "Prefers tea.\n")
    refused = web.call("POST", "/api/v1/undo", {"checkpoint_ids": [id_]})
    assert (refused.status, refused.error) == (403, "NotPermitted")
    assert page.call("POST", "/undo", {"checkpoint_ids": [id_]}).status == 200


def test_an_older_change_comes_out_and_what_was_changed_since_stays(web: Served, page: Page) -> None:
    put(page, "memory/older.md", "# Plan\n\none\n")
    second = put(page, "memory/older.md", "# Plan\n\none\n\ntwo\n")
    put(page, "memory/older.md", "# Plan\n\none\n\ntwo\n\nthree\n")
    shown = page.call("GET", f"/checkpoints/{second}").json
    assert (shown["current"], shown["undoable"]) == (False, True)
    refused = page.call("POST", "/undo", {"checkpoint_ids": [second]})
    assert refused.status == 409 and refused.error == "NoteChangedOutside"
    made = page.call("POST", "/undo", {"checkpoint_ids": [second], "keep_later": True}).json
    assert text(page, "memory/older.md").split() == ["#", "Plan", "one", "three"]
    page.call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    assert text(page, "memory/older.md") == "# Plan\n\none\n\ntwo\n\nthree\n"


def test_what_would_take_long_to_compare_is_not_said_of_old_changes_of_a_large_note(web: Served, page: Page) -> None:
    large = web.home / "memory" / "large.md"
    large.write_bytes(b"one more line\n" * 150_000)
    for number in range(7):
        assert page.call("POST", "/notes", {"content": f"words {number}", "file": "memory/large.md"}).status == 200
    rows = page.call("GET", "/history?path=memory/large.md&undoable=true").json["checkpoints"]
    assert [row.get("undoable") for row in rows] == [True] * 5 + [None] * 2
    oldest = page.call("GET", f"/checkpoints/{rows[-1]['id']}").json
    assert oldest["undoable"] is True  # of one it is always said


def test_an_older_change_whose_lines_were_edited_since_is_not_taken_out(web: Served, page: Page) -> None:
    put(page, "memory/edited.md", "one\n")
    second = put(page, "memory/edited.md", "two\n")
    put(page, "memory/edited.md", "three\n")
    assert page.call("GET", f"/checkpoints/{second}").json["undoable"] is False
    assert page.call("POST", "/undo", {"checkpoint_ids": [second], "keep_later": True}).status == 409
    assert text(page, "memory/edited.md") == "three\n"
