"""Facts for the web app, and what can't be undone: it goes only as it was shown, with a word typed for it."""

from __future__ import annotations

from typing import Any

from surfaces.http.serving import Page, Served

from holdfast.surfaces.http.confirmation import Plans
from holdfast.surfaces.http.refusal import Refusal


def put(page: Page, path: str, content: str) -> None:
    assert page.call("PUT", f"/notes/{path}", {"content": content}).status in (200, 201)


def text(page: Page, path: str) -> str:
    answer = page.call("GET", f"/notes/{path}?whole=true")
    return str(answer.json["text"]) if answer.status == 200 else ""


def test_just_the_ticked_places_are_forgotten(page: Page) -> None:
    put(page, "memory/picnic.md", "- The picnic is on Sunday.\n- Bring bread.\n")
    put(page, "memory/outing.md", "- The picnic is on Sunday.\n- Stay.\n")
    ask: dict[str, Any] = {"text": "The picnic is on Sunday."}
    plan = page.call("POST", "/forget", {**ask, "dry_run": True}).json
    places = [f"{one['path']}#{one['line']}" for one in plan["candidates"]]
    assert sorted(places) == ["memory/outing.md#1", "memory/picnic.md#1"] and plan["plan"]
    done = page.call("POST", "/forget", {**ask, "places": ["memory/outing.md#1"]}).json
    assert [one["path"] for one in done["forgotten"]] == ["memory/outing.md"]
    assert "Sunday" in text(page, "memory/picnic.md") and text(page, "memory/outing.md") == "- Stay.\n"
    undone = page.call("POST", "/undo", {"checkpoint_ids": done["checkpointIds"]})
    assert undone.status == 200 and "Sunday" in text(page, "memory/outing.md")
    wrong = page.call("POST", "/forget", {**ask, "places": ["memory/none.md#9"]})
    assert wrong.status == 400


def test_everywhere_needs_the_plan_that_was_shown_and_a_word(web: Served, page: Page) -> None:
    put(page, "memory/gone.md", "- The code is swordfish.\n- Stay.\n")
    ask: dict[str, Any] = {"text": "The code is swordfish.", "everywhere": True}

    def refused(**more: Any) -> str:
        answer = page.call("POST", "/forget", {**ask, **more})
        assert (answer.status, answer.error) == (409, "NotConfirmed"), answer.data
        return str(answer.json["error"]["message"])

    assert "word" in refused()
    assert "dry_run" in refused(word="forget")
    plan = page.call("POST", "/forget", {**ask, "dry_run": True}).json["plan"]
    assert "word" in refused(plan=plan, word="Forget it")
    assert "never shown" in refused(plan="0" * 64, word="forget")
    other = page.call("POST", "/forget", {"text": "Stay.", "everywhere": True, "dry_run": True}).json["plan"]
    assert "not what was shown" in refused(plan=other, word="forget")
    put(page, "memory/gone-too.md", "- The code is swordfish.\n")  # it stands in another place since
    assert "not what was shown" in refused(plan=plan, word="forget")
    assert "swordfish" in text(page, "memory/gone.md")
    plan = page.call("POST", "/forget", {**ask, "dry_run": True}).json["plan"]
    done = page.call("POST", "/forget", {**ask, "plan": plan, "word": "forget"})
    assert done.status == 200 and "swordfish" not in text(page, "memory/gone.md")
    assert "never shown" in refused(plan=plan, word="forget")  # a plan is good for once
    assert web.call("POST", "/api/v1/forget", {"text": "Stay.", "everywhere": True}).status == 200  # as before


def test_what_goes_everywhere_spares_no_copy_that_was_not_ticked(page: Page) -> None:
    put(page, "memory/ticked.md", "- The vault is at the bakery.\n- Stay.\n")
    put(page, "memory/unticked.md", "- The vault is at the bakery.\n")
    ask: dict[str, Any] = {"text": "The vault is at the bakery.", "everywhere": True}
    plan = page.call("POST", "/forget", {**ask, "dry_run": True}).json["plan"]
    chosen = {"confirmed": True, "places": ["memory/ticked.md#1"], "plan": plan, "word": "forget"}
    refused = page.call("POST", "/forget", {**ask, **chosen})
    assert refused.status == 400 and "memory/unticked.md#1 says the same" in refused.json["error"]["message"]
    assert all("bakery" in text(page, f"memory/{name}.md") for name in ("ticked", "unticked"))
    plan = page.call("POST", "/forget", {**ask, "dry_run": True}).json["plan"]
    both = {**chosen, "places": ["memory/ticked.md#1", "memory/unticked.md#1"], "plan": plan}
    assert page.call("POST", "/forget", {**ask, **both}).status == 200
    assert (text(page, "memory/ticked.md"), text(page, "memory/unticked.md")) == ("- Stay.\n", "")


def test_a_purge_needs_the_same(web: Served, page: Page) -> None:
    put(page, "memory/purged.md", "one\n")
    put(page, "memory/purged.md", "two\n")
    ask = {"path": "memory/purged.md"}
    assert page.call("POST", "/purge", ask).status == 409
    shown = page.call("POST", "/purge", {**ask, "dry_run": True}).json
    assert shown["changes"] == 2
    put(page, "memory/purged.md", "three\n")
    assert page.call("POST", "/purge", {**ask, "plan": shown["plan"], "word": "purge"}).status == 409
    shown = page.call("POST", "/purge", {**ask, "dry_run": True}).json
    done = page.call("POST", "/purge", {**ask, "plan": shown["plan"], "word": "purge"})
    assert (done.status, done.json["changes"]) == (200, 3)


def test_a_plan_is_good_for_five_minutes() -> None:
    now = 0.0
    plans = Plans(lambda: now)
    plans.note("p")
    now = 301.0
    try:
        plans.require("p", "p", "forget", "forget")
    except Refusal as refusal:
        assert "five minutes" in str(refusal)
    else:
        raise AssertionError("it was too late")


def test_the_ledger_shows_what_held_on_a_day(page: Page) -> None:
    old = page.call("POST", "/facts", {"text": "I live in Berlin.", "valid_from": "2020-01-01"}).json
    new = page.call("POST", "/facts", {"text": "I live in Munich.", "valid_from": "2024-01-01"}).json
    held = page.call("GET", "/facts?as_of=2022-05-05").json["facts"]
    assert [fact["text"] for fact in held] == ["I live in Berlin."]
    assert [fact["text"] for fact in page.call("GET", "/facts?query=munich%20LIVE").json["facts"]] == [
        "I live in Munich."
    ]
    assert page.call("GET", "/facts?as_of=someday").status == 400
    shown = page.call("GET", f"/facts/{new['id']}").json
    assert shown["fact"]["text"] == "I live in Munich."
    assert [fact["text"] for fact in shown["chain"]] == ["I live in Berlin.", "I live in Munich."]
    assert shown["recalls"] == 0 and shown["last_recalled"] is None
    page.call("POST", "/facts/recall", {"query": "Where do I live?"})
    assert page.call("GET", f"/facts/{new['id']}").json["recalls"] >= 1
    assert page.call("GET", "/facts/none").status == 404
    assert old["id"] != new["id"]
