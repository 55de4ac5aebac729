"""A page saves while somebody else writes the same note: whoever comes second is told, and nothing is lost unseen."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from surfaces.http.serving import Answer, Page, Served

ROUNDS = 70  # of each of three opponents: more than 200 races
NOTE = "memory/race.md"


def save(page: Page, base: Answer, text: str) -> Answer:
    """As the editor of the page does: over just what it read."""
    return page.call("PUT", f"/notes/{NOTE}", {"content": text}, {"If-Match": base.headers["etag"]})


def at_once(*works: Callable[[], Answer]) -> list[Answer]:
    """What each of them is answered, in threads that are released together."""
    barrier = threading.Barrier(len(works))
    answers: dict[int, Answer] = {}

    def run(at: int) -> None:
        barrier.wait()
        answers[at] = works[at]()

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answers[at] for at in range(len(works))]


def text_of(web: Served) -> str:
    return (web.home / NOTE).read_text(encoding="utf-8")


@pytest.fixture
def begun(page: Page) -> None:
    page.call("DELETE", f"/notes/{NOTE}")
    assert page.call("PUT", f"/notes/{NOTE}", {"content": "begun\n"}).status == 201


@pytest.mark.usefixtures("begun")
def test_a_page_against_a_program_that_adds_lines_loses_no_line(web: Served, page: Page) -> None:
    second = 0
    for at in range(ROUNDS):
        base = page.call("GET", f"/notes/{NOTE}?whole=true")
        other = {"content": f"program {at}", "file": NOTE, "append": True}
        saved, added = at_once(
            partial(save, page, base, f"{base.json['text']}page {at}\n"),
            partial(web.call, "POST", "/api/v1/notes", other),
        )
        assert added.status == 200 and saved.status in (200, 412)
        second += saved.status == 412
        now = text_of(web)
        assert f"program {at}\n" in now
        assert (f"page {at}\n" in now) == (saved.status == 200)
        assert now.startswith(base.json["text"])  # what was there before is there still
    assert text_of(web).count("program ") == ROUNDS
    assert text_of(web).count("page ") == ROUNDS - second


@pytest.mark.usefixtures("begun")
def test_of_two_that_save_over_the_same_text_one_is_told(web: Served, page: Page) -> None:
    other = web.page()
    for at in range(ROUNDS):
        base = page.call("GET", f"/notes/{NOTE}?whole=true")
        answers = at_once(
            partial(save, page, base, f"first {at}\n"),
            partial(save, other, base, f"second {at}\n"),
        )
        assert sorted(answer.status for answer in answers) == [200, 412]
        winner = "first" if answers[0].status == 200 else "second"
        assert text_of(web) == f"{winner} {at}\n"


@pytest.mark.usefixtures("begun")
def test_a_note_that_an_editor_saved_meanwhile_is_never_overwritten(web: Served, page: Page) -> None:
    file = web.home / NOTE
    for at in range(ROUNDS):
        base = page.call("GET", f"/notes/{NOTE}?whole=true")
        text = f"editor {at}\n" if at % 2 else base.json["text"].rstrip("\n") + "!\n"
        if at % 3:
            file.write_text(text, encoding="utf-8")  # in place, as nano does
        else:
            fresh = Path(f"{file}.swap")
            fresh.write_text(text, encoding="utf-8")
            os.replace(fresh, file)  # beside it and renamed, as vim does
        answer = save(page, base, f"page {at}\n")
        assert answer.status == 412 and file.read_text(encoding="utf-8") == text
