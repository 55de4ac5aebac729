"""Settings for the web app: the catalogue, where a value comes from, a dry run with its diff, and provider tests."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import provider_chat_openai
import provider_faults as faults
import pytest
from provider_chat_script import ChatScript
from provider_server import ProviderServer, closed_port
from surfaces.http.serving import Page, Served, served

from holdfast.settings.declaration import Kind
from holdfast.settings.keys import KEYS


@pytest.fixture(scope="module")
def providers() -> Iterator[ProviderServer]:
    with ProviderServer() as server:
        server.add(provider_chat_openai.routes(ChatScript()))
        yield server


def rows(page: Page) -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in page.call("GET", "/settings").json["settings"]}


def test_the_catalogue_has_every_key_with_what_a_form_needs(page: Page) -> None:
    told = page.call("GET", "/settings/catalogue").json
    assert [key["key"] for key in told["keys"]] == [key.path for key in KEYS]
    assert {key["kind"] for key in told["keys"]} <= set(Kind)
    assert {key["table"] for key in told["keys"]} == {table["name"] for table in told["tables"]}
    assert all(table["title"] for table in told["tables"]) and all(key["description"] for key in told["keys"])
    by_key = {key["key"]: key for key in told["keys"]}
    style = by_key["memory.style"]
    assert style["kind"] == "choice" and style["default"] in style["choices"]
    most = by_key["memory.search.max_results"]
    assert (most["kind"], most["least"], most["most"]) == ("whole number", 1, 100)
    assert by_key["memory.api_key"]["secret"] and by_key["memory.api_key"]["default"] is None
    assert by_key["memory.store.vector.extension_path"]["by_hand"]
    assert most["variable"] == "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS"


def test_a_value_of_the_environment_names_its_variable(tmp_path: Path) -> None:
    with served(tmp_path / "home", "--no-watch", HOLDFAST_MEMORY_CITATIONS="off") as web:
        row = rows(web.page())["memory.citations"]
        assert (row["value"], row["variable"]) == ("off", "HOLDFAST_MEMORY_CITATIONS")


def test_a_dry_run_shows_the_diff_and_writes_nothing(web: Served, page: Page) -> None:
    file = web.home / "holdfast.toml"
    file.write_text("# mine\n[memory]\ncitations = 'on'\n")
    changes = {"memory.citations": "off", "memory.search.max_results": 9}
    shown = page.call("PATCH", "/settings", {"changes": changes, "dry_run": True}).json
    assert "-citations = 'on'" in shown["diff"] and "+max_results = 9" in shown["diff"]
    assert file.read_text() == "# mine\n[memory]\ncitations = 'on'\n"
    assert rows(page)["memory.citations"]["value"] == "on"
    done = page.call("PATCH", "/settings", {"changes": changes}).json
    assert done["diff"] == shown["diff"] and done["path"] == str(file)
    assert page.call("GET", "/settings").json["file"] == str(file)
    assert rows(page)["memory.search.max_results"]["value"] == 9
    refused = page.call("PATCH", "/settings", {"changes": {"memory.citations": "maybe"}, "dry_run": True})
    assert refused.status == 422 and "memory.citations" in refused.json["error"]["message"]


def test_no_secret_is_shown_in_a_diff_new_or_old(web: Served, page: Page) -> None:
    old, new = "sk-old-0123456789abcdef", 'sk-new-"quoted"-0123456789'
    page.call("PATCH", "/settings", {"changes": {"memory.api_key": old}})
    for changes in ({"memory.api_key": new}, {"memory.citations": "auto"}, {"memory.api_key": None}):
        answer = page.call("PATCH", "/settings", {"changes": changes, "dry_run": True})
        assert answer.status == 200, answer.data
        told = answer.data.decode()
        assert old not in told and new not in told and json.dumps(new)[1:-1] not in told
    assert rows(page)["memory.api_key"]["value"] == "set"
    page.call("PATCH", "/settings", {"changes": {"memory.api_key": None}})
    assert rows(page)["memory.api_key"]["value"] == "not set"


def test_the_owners_gates_open_to_the_owner_and_to_no_program(web: Served, page: Page) -> None:
    change = {"changes": {"memory.prompt_approval": "never"}}
    assert web.call("PATCH", "/api/v1/settings", change).status == 403
    assert page.call("PATCH", "/settings", change).status == 200
    assert tomllib.loads((web.home / "holdfast.toml").read_text())["memory"]["prompt_approval"] == "never"
    page.call("PATCH", "/settings", {"changes": {"memory.prompt_approval": None}})
    by_hand = page.call("PATCH", "/settings", {"changes": {"memory.store.vector.extension_path": "/tmp/x.so"}})
    assert by_hand.status == 403


def test_every_recipe_can_be_applied(page: Page) -> None:
    recipes = page.call("GET", "/settings/recipes").json["recipes"]
    assert len(recipes) == 8
    for recipe in recipes:
        assert page.call("PATCH", "/settings", {"changes": recipe["changes"], "dry_run": True}).status == 200, recipe


def test_a_provider_is_tried_with_values_that_are_not_saved(page: Page, providers: ProviderServer) -> None:
    providers.reset()
    changes = {"memory.provider": "custom", "memory.base_url": providers.url, "memory.model": "tiny"}
    changes["memory.api_key"] = providers.key
    tested = page.call("POST", "/providers/test", {"what": "embedding", "changes": changes}).json
    assert (tested["ok"], tested["provider"], tested["model"]) == (True, "custom", "tiny"), tested
    assert (tested["dimensions"], tested["because"], tested["sends_to"]) == (8, "", None)
    assert providers.url.removeprefix("http://") in tested["endpoint"]
    assert rows(page)["memory.provider"]["source"] == "default"
    wrong = page.call(
        "POST", "/providers/test", {"what": "embedding", "changes": {**changes, "memory.api_key": "sk-no"}}
    )
    assert (wrong.status, wrong.json["ok"]) == (200, False) and wrong.json["because"]
    assert "sk-no" not in wrong.data.decode()


def test_the_model_that_comes_with_holdfast_answers(page: Page) -> None:
    tested = page.call("POST", "/providers/test", {"what": "embedding", "changes": {}}).json
    assert (tested["ok"], tested["provider"], tested["sends_to"]) == (True, "local", None) and tested["dimensions"] > 0


def test_a_language_model_is_tried(page: Page, providers: ProviderServer) -> None:
    providers.reset()
    changes = {"llm.provider": "custom", "llm.base_url": providers.url, "llm.model": "m", "llm.api_key": providers.key}
    tested = page.call("POST", "/providers/test", {"what": "model", "changes": changes}).json
    assert (tested["ok"], tested["provider"]) == (True, "custom") and tested["tokens"], tested
    providers.always(faults.status(401), on="/v1/chat/completions")
    refused = page.call("POST", "/providers/test", {"what": "model", "changes": changes})
    assert not refused.json["ok"] and providers.key not in refused.data.decode()
    none = page.call("POST", "/providers/test", {"what": "model", "changes": {}}).json
    assert not none["ok"] and "llm" in none["because"]
    gone = {**changes, "llm.base_url": f"http://127.0.0.1:{closed_port()}"}
    assert not page.call("POST", "/providers/test", {"what": "model", "changes": gone}).json["ok"]


def test_a_saved_key_goes_to_no_other_address(web: Served, page: Page, providers: ProviderServer) -> None:
    providers.reset()
    saved = {"llm.provider": "openai", "llm.api_key": "sk-saved-0123456789abcdef"}
    page.call("PATCH", "/settings", {"changes": saved})
    try:
        moved = {"llm.provider": "custom", "llm.base_url": providers.url, "llm.model": "m"}
        answer = page.call("POST", "/providers/test", {"what": "model", "changes": moved})
        assert not answer.json["ok"] and "not sent" in answer.json["because"]
        assert saved["llm.api_key"] not in answer.data.decode()
        assert all(saved["llm.api_key"] not in str(seen.headers) for seen in providers.requests)
    finally:
        page.call("PATCH", "/settings", {"changes": dict.fromkeys(saved)})


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"what": "anything"}, 400),
        ({"what": "model", "changes": {"memory.api_key": "x"}}, 400),
        ({"what": "model", "changes": {"llm.nothing": "x"}}, 422),
    ],
)
def test_what_is_no_provider_test_is_refused(page: Page, body: dict[str, Any], status: int) -> None:
    assert page.call("POST", "/providers/test", body).status == status


def test_a_value_that_no_setting_can_have_is_told(page: Page) -> None:
    tested = page.call("POST", "/providers/test", {"what": "model", "changes": {"llm.provider": "nobody"}}).json
    assert not tested["ok"] and "llm.provider" in tested["because"]


def test_a_change_is_undone_with_its_secret_which_nobody_is_told(web: Served, page: Page) -> None:
    file = web.home / "holdfast.toml"
    page.call("PATCH", "/settings", {"changes": {"memory.api_key": "sk-first", "memory.citations": "off"}})
    first = tomllib.loads(file.read_text())
    made = page.call("PATCH", "/settings", {"changes": {"memory.api_key": "sk-second", "memory.citations": None}})
    undone = page.call("POST", "/settings/undo", {"change": made.json["undo"]})
    assert tomllib.loads(file.read_text()) == first
    assert b"sk-first" not in made.data + undone.data
    assert page.call("POST", "/settings/undo", {"change": made.json["undo"]}).status == 404  # once
    page.call("POST", "/settings/undo", {"change": undone.json["undo"]})
    assert "sk-second" in file.read_text()


def test_a_change_of_one_agents_file_is_not_undone_in_anothers(page: Page) -> None:
    made = page.call("PATCH", "/settings?agent=coder", {"changes": {"memory.citations": "off"}}).json
    assert page.call("POST", "/settings/undo", {"change": made["undo"]}).status == 404
    assert page.call("POST", "/settings/undo?agent=coder", {"change": made["undo"]}).status == 200


def test_a_change_that_is_undone_leaves_the_file_as_it_was_to_the_byte(web: Served, page: Page) -> None:
    file, own = web.home / "holdfast.toml", web.home / "agents" / "coder" / "holdfast.toml"
    for text in ("", "# mine\n\n[memory]\n# nothing yet\n"):
        file.write_text(text)
        made = page.call("PATCH", "/settings", {"changes": {"memory.citations": "off", "memory.api_key": "sk-1"}}).json
        undone = page.call("POST", "/settings/undo", {"change": made["undo"]}).json
        assert file.read_text() == text
        again = page.call("POST", "/settings/undo", {"change": undone["undo"]}).json
        assert "sk-1" in file.read_text()
        file.write_text(file.read_text() + "\n# edited by hand since\n")
        page.call("POST", "/settings/undo", {"change": again["undo"]})
        assert "by hand" in file.read_text() and "sk-1" not in file.read_text()
    own.unlink(missing_ok=True)
    made = page.call("PATCH", "/settings?agent=coder", {"changes": {"memory.citations": "off"}}).json
    assert own.exists()
    page.call("POST", "/settings/undo?agent=coder", {"change": made["undo"]})
    assert not own.exists()
