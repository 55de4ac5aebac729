"""Every write of the page, done and undone in a real browser; no call of the page is left out of the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from browser.visitor import Visitor

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

WEB = Path(__file__).parents[2] / "web" / "src"
FACT = "The owner prefers tea to coffee."
SECRET = "sk-of-the-owner"


def state_of(visitor: Visitor) -> dict[str, Any]:
    """All that a write of the page may change: notes, settings, questions, a session with its state."""
    home, owner = visitor.web.home, visitor.web.page()
    files = [home / name for name in ("MEMORY.md", "USER.md", "holdfast.toml", "state/main.questions.jsonl")]
    files += sorted((home / "memory").rglob("*.md"))
    texts = {path.relative_to(home).as_posix(): path.read_text() for path in files if path.exists()}
    (session,) = [one for one in owner.call("GET", "/sessions").json["sessions"] if one["key"] == "talk"]
    said = [one["text"] for one in owner.call("GET", "/sessions/talk/messages").json["messages"]]
    values = [one["value"] for one in owner.call("GET", "/sessions/talk/state").json["values"]]
    waits = sorted(one["text"] for one in owner.call("GET", "/inbox").json["entries"])
    return {
        # What a dream looked at is a report of it, and no memory.
        "texts": {name: text for name, text in texts.items() if text and "/.dreams/" not in name},
        "session": (session["excluded"], said, values),
        "waits": waits,
    }


def make_home(visitor: Visitor) -> None:
    """Something of each kind that can be changed."""
    owner = visitor.web.page()
    changes: dict[str, Any] = {"dreaming.deep.min_recall_count": 1}
    changes |= {"memory.api_key": SECRET, "memory.user_profile_write_mode": "explicit-and-auto"}
    owner.call("PATCH", "/settings", {"changes": changes})
    visitor.write("memory/plan.md", "# Plan\n\nThe first words.\n")
    visitor.write("memory/plan.md", "# Plan\n\nThe second words.\n")
    visitor.write("memory/roses.md", "# Roses\n\n- The roses by the gate want water on Fridays.\n")
    for question in ("roses", "water on Fridays", "roses by the gate"):
        owner.call("POST", "/search", {"query": question})
    owner.call("POST", "/facts", {"text": FACT})
    visitor.web.call("POST", "/api/v1/notes", {"content": "The office moved to Munich."})
    asked = {"questions": [{"query": "what is planned", "path": "memory/plan.md"}], "expected_hash": ""}
    owner.call("PUT", "/questions", {**asked, "expected_hash": owner.call("GET", "/questions").json["hash"]})
    owner.call("POST", "/sessions/talk/messages", {"role": "user", "text": "hello there"})
    owner.call("PUT", "/sessions/talk/state/mine/step", {"value": 3})


def open_fact(visitor: Visitor, query: str = "") -> None:
    visitor.go(f"/facts{query}")
    visitor.page.get_by_role("link", name=FACT).click()


def new_note(visitor: Visitor) -> None:
    visitor.go("/notes")
    visitor.press("New note")
    visitor.page.get_by_label("Path").fill("memory/garden.md")
    visitor.press("New note", visitor.page.get_by_role("dialog"))


def edit(visitor: Visitor) -> None:
    visitor.go("/notes/memory/plan.md")
    visitor.press("Edit")
    visitor.type_at_end("and more\n")
    visitor.page.keyboard.press("Control+s")


def delete(visitor: Visitor) -> None:
    visitor.go("/notes/memory/plan.md")
    visitor.press("Delete")


def rename(visitor: Visitor) -> None:
    visitor.go("/notes/memory/plan.md")
    visitor.press("Rename")
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_label("Path").fill("memory/plans.md")
    visitor.press("Rename", dialog)


def undo_in_history(visitor: Visitor) -> None:
    visitor.go("/history?path=memory/plan.md")
    visitor.page.locator("tbody tr").first.get_by_role("button").click()


def restore(visitor: Visitor) -> None:
    visitor.go("/history?path=memory/plan.md")
    visitor.page.locator("tbody tr").first.locator("td.word a").click()
    visitor.press("Restore what was before")


def take_back(visitor: Visitor) -> None:
    visitor.go("/history")
    visitor.press("Take back an origin")
    visitor.page.locator(".panel select").select_option("api")
    visitor.press("Show what would go")
    visitor.page.get_by_role("button", name="Take it back in").click()


def approve(visitor: Visitor) -> None:
    visitor.go("/inbox")
    visitor.press("Approve")


def approve_edited(visitor: Visitor) -> None:
    visitor.go("/inbox")
    visitor.press("Edit")
    visitor.page.get_by_label("The words it is to have").fill("The office is in Munich now.")
    visitor.press("Approve as edited")


def reject(visitor: Visitor) -> None:
    visitor.go("/inbox")
    visitor.press("Reject")


def keep_fact(visitor: Visitor) -> None:
    visitor.go("/facts")
    visitor.page.get_by_label("A fact, in one sentence").fill("The spare key is under the blue pot.")
    visitor.press("Keep")


def archive_fact(visitor: Visitor) -> None:
    open_fact(visitor)
    visitor.press("Archive")


def restore_fact(visitor: Visitor) -> None:
    fact = visitor.web.page().call("GET", "/facts").json["facts"][0]["id"]
    made = visitor.web.page().call("POST", f"/facts/{fact}/archive", {}).json
    visitor.go(f"/facts/{fact}")
    visitor.press("Put in force again")
    expect(visitor.toast).to_contain_text("It is in force again.")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    visitor.web.page().call("POST", "/undo", {"checkpoint_ids": made["checkpointIds"]})
    visitor.go("/facts")
    visitor.go(f"/facts/{fact}")
    visitor.press("Archive")


def forget_fact(visitor: Visitor) -> None:
    open_fact(visitor)
    visitor.press("Forget")


def forget(visitor: Visitor) -> None:
    visitor.go("/forget")
    visitor.page.get_by_label("This is the exact text").check()
    visitor.page.get_by_label("The exact text", exact=True).fill("The second words.")
    visitor.press("Show the plan")
    visitor.press("Forget 1 line")


def dream(visitor: Visitor) -> None:
    visitor.go("/dreams")
    visitor.press("Dream now")


def bring_in(visitor: Visitor) -> None:
    visitor.go("/exchange")
    held = {"name": "trip.md", "mimeType": "text/markdown", "buffer": b"# Trip\n\nThe ferry leaves at noon.\n"}
    visitor.page.locator("input[type=file]").set_input_files(held)
    visitor.press("Preview")
    visitor.press("Bring it in")


def set_switch(visitor: Visitor) -> None:
    visitor.go("/settings")
    visitor.page.get_by_role("switch", name="Session indexing").check()
    visitor.press("Save")


def set_secret(visitor: Visitor) -> None:
    visitor.go("/settings")
    visitor.page.locator("#set-memory-api_key").fill("sk-another")
    visitor.press("Save")


def observe_zone(visitor: Visitor) -> None:
    visitor.go("/settings/profile")


def save_profile(visitor: Visitor) -> None:
    visitor.go("/settings/profile")
    visitor.page.get_by_label("Name", exact=True).fill("Ines")
    visitor.page.get_by_label("Name", exact=True).press("Enter")


def add_question(visitor: Visitor) -> None:
    visitor.go("/quality")
    visitor.page.get_by_label("Question", exact=True).fill("when do the roses want water")
    visitor.page.get_by_label("Answer in (note, or note#line)").fill("memory/roses.md#3")
    visitor.press("Add")


def remove_question(visitor: Visitor) -> None:
    visitor.go("/quality")
    visitor.press("Remove: what is planned")


def reset_session(visitor: Visitor) -> None:
    visitor.go("/sessions/talk")
    visitor.press("Reset")


def new_session(visitor: Visitor) -> None:
    visitor.go("/sessions/talk")
    visitor.press("New")


def exclude_session(visitor: Visitor) -> None:
    visitor.go("/sessions/talk")
    visitor.press("Don’t search")


def remove_state(visitor: Visitor) -> None:
    visitor.go("/sessions/talk/state")
    visitor.press("Remove")


class Write(NamedTuple):
    """What is done, and the calls of the page by which it is done and undone."""

    do: Callable[[Visitor], None]
    calls: tuple[str, ...]
    said: str = "Undone."
    way: str = "Undo"


UNDO: Final = "POST /undo"
WRITES: Final = {
    "new note": Write(new_note, ("PUT /notes/{path}",)),
    "edit": Write(edit, ("PUT /notes/{path}",)),
    "delete": Write(delete, ("DELETE /notes/{path}",)),
    "rename": Write(rename, ("POST /notes/{path}/rename",)),
    "undo in History": Write(undo_in_history, (UNDO,), "Done again.", "Redo"),
    "restore": Write(restore, ("POST /checkpoints/{id}/restore",)),
    "take back an origin": Write(take_back, ("POST /undo/origin",)),
    "approve": Write(approve, ("POST /inbox/{id}/approve",)),
    "edit and approve": Write(approve_edited, ("POST /inbox/{id}/approve",)),
    "reject": Write(reject, ("POST /inbox/{id}/reject", "POST /inbox/{id}/again")),
    "keep a fact": Write(keep_fact, ("POST /facts",)),
    "archive a fact": Write(archive_fact, ("POST /facts/{id}/archive",)),
    "put a fact in force again": Write(restore_fact, ("POST /facts/{id}/restore",)),
    "forget a fact": Write(forget_fact, ("DELETE /facts/{id}",)),
    "forget": Write(forget, ("POST /forget",)),
    "dream": Write(dream, ("POST /dreams", "POST /dreams/rollback"), "The run was rolled back."),
    "import": Write(bring_in, ("POST /import",)),
    "a setting": Write(set_switch, ("PATCH /settings", "POST /settings/undo")),
    "a secret": Write(set_secret, ("PATCH /settings", "POST /settings/undo")),
    "the zone of the browser": Write(observe_zone, ("POST /profile/observed", "POST /profile/undo")),
    "the profile": Write(save_profile, ("PUT /profile", "POST /profile/undo")),
    "a question": Write(add_question, ("PUT /questions",)),
    "a question less": Write(remove_question, ("PUT /questions",)),
    "reset a session": Write(reset_session, ("POST /sessions/{key}/reset", "POST /sessions/{key}/reset/undo")),
    "a new session": Write(new_session, ("POST /sessions/{key}/new",)),
    "exclude a session": Write(exclude_session, ("POST /sessions/{key}/exclude",), "It is searched again."),
    "a value of a session": Write(
        remove_state,
        (
            "DELETE /sessions/{key}/state/{namespace}/{name}",
            "PUT /sessions/{key}/state/{namespace}/{name}",
        ),
    ),
}

NO_WRITE: Final = {
    "POST /search": "reads",
    "POST /export": "reads",
    "POST /providers/test": "asks a provider, and keeps nothing",
    "POST /purge": "for good: a typed word, bound to the plan that was shown",
    "POST /jobs": "makes the index anew, or asks questions: no memory is changed",
    "DELETE /jobs/{id}": "ends such a job",
    "POST /enter": "the door",
    "POST /leave": "the door: a link lets the browser in again",
    "DELETE /browsers/{id}": "the door: a link lets it in again",
    "POST /sessions/{key}/refresh": "reads the prompt's memory anew",
    "POST /sessions/{key}/turn": "what is said stays; what the agent writes is in History, with an Undo each",
    "DELETE /sessions/{key}/turn": "ends such a turn",
}


def calls_of_the_page() -> set[str]:
    """Every call in web/ that does not merely get something."""
    found: set[str] = set()
    for path in WEB.rglob("*.ts*"):
        if path.name == "api_types.ts":
            continue
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:call|request)\("((?!GET )[A-Z]+ [^"]+)"', text))
        for method, address in re.findall(r'send\("(?!GET)([A-Z]+)", (addressOf\("[^"]+"|\w+|"[^"]+")', text):
            named = re.search(r'"([^"]+)"', address) or re.search(r'address = addressOf\("([^"]+)"', text)
            assert named is not None, (path.name, address)
            found.add(f"{method} {named[1]}")
    return found


def test_every_call_of_the_page_that_writes_is_in_the_table() -> None:
    done = {call for write in WRITES.values() for call in write.calls}
    assert calls_of_the_page() == done | set(NO_WRITE)
    assert not done & set(NO_WRITE)


def test_every_write_of_the_page_is_undone_in_two_clicks(visitor: Visitor) -> None:
    make_home(visitor)
    before = state_of(visitor)
    visitor.open("/")
    for name, write in WRITES.items():
        visitor.go("/status")  # what was said before is gone with its page
        if visitor.toast.count():
            visitor.press("Close", visitor.toast)
        write.do(visitor)
        expect(visitor.button(write.way, visitor.toast), name).to_be_visible()
        assert state_of(visitor) != before or write.do is new_session, name
        visitor.press(write.way, visitor.toast)
        expect(visitor.toast, name).to_contain_text(write.said)
        assert state_of(visitor) == before, name
