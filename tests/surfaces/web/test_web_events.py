"""Events for the web app: messages, settings and the inbox are told; a browser is one listener, whatever its tabs."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from surfaces.http.serving import Page, Served, served

import holdfast


class Line:
    """A line of events of a page."""

    def __init__(self, web: Served, page: Page, query: str = "", last: str = "") -> None:
        self._line = web.line()
        resumed = {"Last-Event-ID": last} if last else {}
        self._line.request("GET", f"/api/v1/events{query}", headers={**page.headers, **resumed})
        self.answer: http.client.HTTPResponse = self._line.getresponse()
        if self.answer.status == 200:
            assert self.answer.readline().startswith(b"retry:")

    def next(self, kind: str) -> dict[str, Any]:
        """The next event of this kind."""
        while True:
            line = self.answer.readline()
            assert line, "the line has ended"
            if line.startswith(b"data: "):
                data: dict[str, Any] = json.loads(line[6:])
                if data["kind"] == kind:
                    return data

    def close(self) -> None:
        self.answer.close()
        self._line.close()


@pytest.fixture
def line(web: Served, page: Page) -> Iterator[Line]:
    made = Line(web, page)
    yield made
    made.close()


def test_a_message_is_told_without_its_words(page: Page, line: Line) -> None:
    made = page.call("POST", "/sessions/s/messages?agent=coder", {"role": "user", "text": "a secret word"}).json
    told = line.next("session")
    assert (told["agent"], told["session"], told["id"], told["role"]) == ("coder", "s", made["id"], "user")
    assert "a secret word" not in json.dumps(told)


def test_a_message_of_a_python_client_is_told_too(web: Served, line: Line) -> None:
    with holdfast.connect(web.url, token=web.token) as client, client.session("py") as session:
        made = session.append("user", "hello")
    told = line.next("session")
    assert (told["session"], told["id"]) == ("py", made.id)


def test_changed_settings_are_told_by_their_keys(web: Served, page: Page, line: Line) -> None:
    page.call("PATCH", "/settings", {"changes": {"memory.citations": "off"}})
    assert line.next("settings")["keys"] == ["memory.citations"]
    page.call("PATCH", "/settings?agent=coder", {"changes": {"memory.citations": "on"}})
    told = line.next("settings")
    assert (told["agent"], told["keys"]) == ("coder", ["memory.citations"])
    (web.home / "holdfast.toml").write_text("[memory.search]\nmax_results = 7\n")  # in an editor
    page.call("GET", "/status")
    assert line.next("settings")["keys"] == ["memory.citations", "memory.search.max_results"]


def test_what_waits_is_counted_as_it_comes_and_goes(web: Served, page: Page, line: Line) -> None:
    before = len(page.call("GET", "/inbox").json["entries"])
    web.call("POST", "/api/v1/notes", {"content": "Something that must wait."})
    assert line.next("inbox")["waiting"] == before + 1
    entry = page.call("GET", "/inbox").json["entries"][-1]
    page.call("POST", f"/inbox/{entry['id']}/reject", {})
    assert line.next("inbox")["waiting"] == before


def test_a_write_names_agent_origin_and_checkpoint(page: Page, line: Line) -> None:
    made = page.call("PUT", "/notes/memory/told.md", {"content": "told\n"}).json
    told = line.next("write")
    while told["path"] != "memory/told.md":  # what a test before wrote to this server may be told of only now
        told = line.next("write")
    assert (told["origin"], told["checkpointId"]) == ("user", made["checkpointId"])
    assert told["agent"] == "main"


def test_all_lines_of_a_browser_count_as_one_listener(tmp_path: Path) -> None:
    # A server of its own: one of another test's may not have noticed yet that a line was closed.
    with served(tmp_path / "home", "--no-watch") as web:

        def listeners() -> int:
            figures = web.call("GET", "/metrics").data.decode()
            return int(
                next(line for line in figures.splitlines() if line.startswith("holdfast_event_listeners ")).split()[1]
            )

        page = web.page()
        lines = [Line(web, page) for _ in range(6)]
        assert [line.answer.status for line in lines] == [200] * 6 and listeners() == 1
        seventh = Line(web, page)
        assert seventh.answer.status == 429
        other = Line(web, web.page())
        assert other.answer.status == 200 and listeners() == 2
        for line in (*lines, seventh, other):
            line.close()


def test_a_line_goes_on_where_it_ended(web: Served, page: Page) -> None:
    first = Line(web, page, "?kinds=write")
    page.call("PUT", "/notes/memory/seen-1.md", {"content": "1\n"})
    while not (row := first.answer.readline()).startswith(b"id: "):
        pass
    first.close()
    page.call("PUT", "/notes/memory/seen-2.md", {"content": "2\n"})
    page.call("GET", "/status")
    line = web.line()
    line.request(
        "GET", "/api/v1/events?kinds=write", headers={**page.headers, "Last-Event-ID": row[4:].decode().strip()}
    )
    answer = line.getresponse()
    while b"seen-2.md" not in answer.readline():
        pass
    answer.close()
    line.close()


def test_a_line_opened_from_the_place_of_an_answer_tells_what_came_since(web: Served, page: Page) -> None:
    place = page.call("GET", "/notes/memory/none.md").headers["x-holdfast-event"]
    made = web.call("PUT", "/api/v1/notes/memory/none.md", {"content": "words\n"})
    assert "x-holdfast-event" not in made.headers  # a program listens from where it likes
    late = Line(web, page, last=place)
    assert late.next("write")["path"] == "memory/none.md"
    late.close()
