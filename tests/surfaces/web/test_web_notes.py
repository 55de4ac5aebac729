"""Notes for the web app: the tree, whole notes, rename, whose lines they are, and links."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from surfaces.http.serving import Page, Served, served

from holdfast import Memory
from holdfast.guard.text_rules import MAX_NOTE_BYTES


def put(page: Page, path: str, content: str) -> None:
    assert page.call("PUT", f"/notes/{quote(path)}", {"content": content}).status in (200, 201)


def test_the_tree_has_every_note_without_reading_one(web: Served, page: Page) -> None:
    put(page, "memory/tree-a.md", "one\n")
    deep = web.home / "memory" / "projects" / "deep"
    deep.mkdir(parents=True)
    (deep / "ä note.md").write_text("two\n")
    (deep / "broken.md").write_bytes(b"\xff\xfe")  # no text, and a note all the same
    tree = page.call("GET", "/tree")
    rows = tree.json["notes"]
    assert tree.json["total"] == len(rows) and [row[0] for row in rows] == sorted(row[0] for row in rows)
    listed = {row[0]: row[1:] for row in rows}
    size, modified, source = listed["memory/tree-a.md"]
    assert (size, source) == (4, "memory")
    assert modified == int((web.home / "memory" / "tree-a.md").stat().st_mtime)
    assert {"memory/projects/deep/ä note.md", "memory/projects/deep/broken.md"} <= listed.keys()
    same = page.call("GET", "/tree", headers={"If-None-Match": tree.headers["etag"]})
    assert (same.status, same.data) == (304, b"")
    (deep / "broken.md").unlink()
    other = page.call("GET", "/tree", headers={"If-None-Match": tree.headers["etag"]})
    assert other.status == 200 and other.headers["etag"] != tree.headers["etag"]


def test_the_tree_of_ten_thousand_notes_is_one_answer(tmp_path: Path) -> None:
    notes = tmp_path / "home" / "memory"
    for folder in range(100):
        (notes / f"f{folder}").mkdir(parents=True)
        for number in range(100):
            (notes / f"f{folder}" / f"{number}.md").write_text("x")
    with served(tmp_path / "home", "--no-watch") as web:
        tree = web.page().call("GET", "/tree").json
    assert tree["total"] == len(tree["notes"]) == 10_000


def test_a_watched_home_shows_what_was_written_by_hand(tmp_path: Path) -> None:
    with served(tmp_path / "home") as web:
        page = web.page()
        put(page, "memory/a.md", "a\n")
        before = page.call("GET", "/tree").json["generation"]
        (web.home / "memory" / "by-hand.md").write_text("b\n")
        for _ in range(200):
            tree = page.call("GET", "/tree").json
            if tree["generation"] != before:
                break
            page.call("POST", "/search", {"query": "a"})
        assert "memory/by-hand.md" in [row[0] for row in tree["notes"]]


def test_a_long_note_is_edited_whole_and_only_its_new_lines_count(web: Served, page: Page) -> None:
    path = "/notes/memory/long.md"
    text = "# Long\n"
    etag = ""
    for part in range(3):  # 120 KB, 40 of them at a time
        text += f"- part {part}: {'word ' * 20}\n" * 370
        saved = page.call("PUT", path, {"content": text}, {"If-Match": etag} if etag else {"If-None-Match": "*"})
        assert saved.status == (200 if part else 201), saved.data
        etag = saved.headers["etag"]
    assert (saved.json["bytes"], saved.json["existed"]) == (len(text), True)
    assert etag == f'"{saved.json["hash"]}"'
    edited = page.call("PUT", path, {"content": text.replace("# Long", "# Longer")}, {"If-Match": etag})
    assert edited.status == 200
    whole = page.call("GET", f"{path}?whole=true").json
    assert whole["text"].startswith("# Longer\n") and (whole["writable"], whole["because"]) == (True, "")
    assert page.call("PUT", path, {"content": "lost"}, {"If-Match": etag}).status == 412
    assert page.call("PUT", "/notes/memory/big.md", {"content": "x " * 30_000}).status == 413


def test_a_refused_line_is_named_by_its_number_in_the_whole_text(web: Served, page: Page) -> None:
    path, text = "/notes/memory/keys.md", "one\ntwo\nthree\n"
    put(page, "memory/keys.md", text)
    for bad, line in ((f"{text}token: ghp_{'a1B2' * 9}\n", 4), ("one\nhidden \u202e text\nthree\n", 2)):
        refused = page.call("PUT", path, {"content": bad})
        assert (refused.status, refused.json["error"]["line"]) == (422, line), refused.data
    assert page.call("GET", f"{path}?whole=true").json["text"] == text


def test_the_owner_edits_in_any_folder_and_a_program_may_not(web: Served, page: Page) -> None:
    path = "/notes/memory/projects/plans/kestrel.md"
    assert page.call("PUT", path, {"content": "# Kestrel\n"}).status == 201
    assert web.call("PUT", f"/api/v1{path}", {"content": "# Kestrel\n"}).status == 400
    seen = web.call("GET", f"/api/v1{path}?whole=true").json
    assert seen["writable"] is False and "only the owner changes" in seen["because"]


def test_a_note_gets_another_name_as_one_change(web: Served, page: Page) -> None:
    put(page, "memory/old name.md", "kept\n")
    put(page, "memory/taken.md", "here\n")
    etag = page.call("GET", "/notes/memory/old%20name.md?whole=true").headers["etag"]
    path = "/notes/memory/old%20name.md/rename"
    assert page.call("POST", path, {"to": "memory/new.md"}, {"If-Match": '"0"'}).status == 412
    taken = page.call("POST", path, {"to": "memory/taken.md"}, {"If-Match": etag})
    assert (taken.status, taken.error) == (409, "TwinPath")
    renamed = page.call("POST", path, {"to": "memory/new.md"}, {"If-Match": etag}).json
    assert (renamed["renamed"], renamed["from"], renamed["path"]) == (True, "memory/old name.md", "memory/new.md")
    assert f'"{renamed["hash"]}"' == etag and len(renamed["checkpointIds"]) == 2
    undone = page.call("POST", "/undo", {"checkpoint_ids": renamed["checkpointIds"]})
    assert undone.status == 200
    assert page.call("GET", "/notes/memory/old%20name.md").status == 200
    assert page.call("GET", "/notes/memory/new.md").status == 404
    assert page.call("POST", "/notes/memory/none.md/rename", {"to": "memory/x.md"}).status == 404
    assert page.call("POST", path, {"to": "../x.md"}).status == 400


def test_every_line_says_whose_it_is_and_which_change_brought_it(web: Served, page: Page) -> None:
    first = page.call("PUT", "/notes/memory/mixed.md", {"content": "# Mixed\n\nmine\n"}).json
    second = web.call("POST", "/api/v1/notes", {"content": "its", "file": "memory/mixed.md"}).json
    with open(web.home / "memory" / "mixed.md", "a") as file:
        file.write("by hand\n")
    shown = page.call("GET", "/notes/memory/mixed.md/origins").json
    runs = [(run["from"], run["to"], run["origin"], run["checkpoint"]) for run in shown["runs"]]
    assert runs[0][0] == 1 and runs[0][2:] == ("user", first["checkpointId"])
    its = next(run for run in runs if run[2] == "api")
    assert its[3] == second["checkpointId"]
    assert runs[-1][2:] == ("outside", None)
    assert [run[0] for run in runs[1:]] == [run[1] + 1 for run in runs[:-1]], "no line is left out"
    assert all(run["at"] for run in shown["runs"] if run["checkpoint"])
    assert page.call("GET", "/notes/memory/none.md/origins").status == 404


def test_links_lead_both_ways(web: Served, page: Page) -> None:
    put(
        page,
        "memory/hub.md",
        "See [plan](spoke.md#part), [[Lone Wolf]] and memory/gone.md, not [x](https://e.org/a.md).\n",
    )
    put(page, "memory/spoke.md", "# Spoke\n\nBack to [[hub]].\n")
    put(page, "memory/lone wolf.md", "Source: memory/hub.md#1\n")
    hub = page.call("GET", "/notes/memory/hub.md/links").json
    out = {link["path"]: (link["line"], link["exists"]) for link in hub["links"]}
    assert out == {
        "memory/spoke.md": (1, True),
        "memory/lone wolf.md": (1, True),
        "memory/gone.md": (1, False),
    }
    into = {(link["path"], link["line"], link["text"]) for link in hub["backlinks"]}
    assert into == {
        ("memory/spoke.md", 3, "Back to [[hub]]."),
        ("memory/lone wolf.md", 1, "Source: memory/hub.md#1"),
    }
    assert hub["partial"] is False
    assert page.call("GET", "/notes/memory/none.md/links").status == 404


def test_agents_are_listed_with_the_servers_own_first(web: Served, page: Page) -> None:
    assert page.call("PUT", "/notes/MEMORY.md?agent=coder", {"content": "Likes tabs.\n"}).status == 201
    assert page.call("PUT", "/notes/memory/a.md?agent=coder", {"content": "a\n"}).status == 201
    (web.home / "agents" / "Not An Agent").mkdir()
    told = page.call("GET", "/agents").json
    assert told["default"] == "main" and [agent["id"] for agent in told["agents"]] == ["main", "coder"]
    coder = told["agents"][1]
    assert (coder["notes"], coder["has_memory"], coder["has_settings"]) == (2, True, False)
    assert page.call("PATCH", "/settings?agent=coder", {"changes": {"memory.citations": "on"}}).status == 200
    assert page.call("GET", "/agents").json["agents"][1]["has_settings"] is True


@pytest.mark.parametrize("path", ["/jobs", "/browsers", "/settings/catalogue", "/settings/recipes", "/whoami", "/tree"])
def test_a_page_names_the_agent_it_shows_with_every_call(web: Served, page: Page, path: str) -> None:
    assert page.call("GET", f"{path}?agent=coder").status == 200
    assert page.call("GET", f"{path}?agent=").status == 400


@pytest.mark.parametrize("path", ["memory/hub.md", "MEMORY.md"])
def test_the_library_tells_the_same_of_a_note(web: Served, page: Page, path: str) -> None:
    put(page, path, "The same words.\n")
    with Memory.open(web.home) as memory:
        assert memory.notes.read(path).text == page.call("GET", f"/notes/{path}?whole=true").json["text"]


def test_the_largest_note_that_can_be_read_can_be_saved(web: Served, page: Page) -> None:
    line = '"' + "word " * 9 + '"\n'  # quotes and ends of lines take two bytes in JSON
    lines = line * (MAX_NOTE_BYTES // len(line) - 1)
    (web.home / "memory").mkdir(exist_ok=True)
    (web.home / "memory" / "largest.md").write_text(lines)
    read = page.call("GET", "/notes/memory/largest.md?whole=true").json
    saved = page.call("PUT", "/notes/memory/largest.md", {"content": read["text"] + "One more.\n"})
    assert saved.status == 200 and (web.home / "memory" / "largest.md").read_text() == lines + "One more.\n"
    (web.home / "memory" / "larger.md").write_text("x" * (MAX_NOTE_BYTES + 1))
    refused = page.call("GET", "/notes/memory/larger.md?whole=true")  # and so it is not opened to be edited
    assert refused.status == 413 and f"{MAX_NOTE_BYTES:,}" in refused.json["error"]["message"]
