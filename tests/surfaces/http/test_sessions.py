"""Conversations, their state, facts, settings and the rest of the routes over HTTP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import provider_chat_openai
import pytest
from commandline import SCRIPT
from provider_chat_script import ChatScript
from provider_server import ProviderServer
from surfaces.http.serving import Served, environment, served

import holdfast
from holdfast import Memory
from holdfast.errors import BadArgument

SESSION = "/api/v1/sessions/chat%2Fone"


@pytest.mark.parametrize("said", [{"role": "user"}, {"role": "user", "text": " \n"}, {"role": "system", "text": ""}])
def test_a_message_that_says_nothing_is_refused_and_makes_no_session(web: Served, said: dict[str, str]) -> None:
    refused = web.call("POST", f"{SESSION}/messages", said)
    assert (refused.status, refused.json["error"]["type"]) == (400, "BadArgument")
    assert f"'text' can't be used: it is empty; say what the {said['role']} said" in refused.json["error"]["message"]
    with holdfast.connect(web.url, token=web.token) as client:
        session = client.session("empty")
        with pytest.raises(BadArgument, match="it is empty"):
            session.append(said["role"], said.get("text", ""))
    assert web.call("GET", "/api/v1/sessions").json["sessions"] == []


def test_a_conversation_is_kept_told_and_exported(web: Served) -> None:
    said = web.call("POST", f"{SESSION}/messages", {"role": "user", "text": "I live in Berlin. My name is Ada."})
    assert (said.status, said.json["origin"]) == (201, "user")
    call = {"id": "c1", "name": "memory_search", "arguments": {"query": "Berlin"}}
    web.call("POST", f"{SESSION}/messages", {"role": "assistant", "text": "Noted.", "tool_calls": [call]})
    tool = {"role": "tool", "text": "nothing", "tool_call_id": "c1", "tool_name": "memory_search"}
    assert web.call("POST", f"{SESSION}/messages", tool).json["origin"] == "outside"
    refused = web.call("POST", f"{SESSION}/messages", {"role": "assistant", "text": "x", "origin": "user"})
    assert refused.status == 400
    for wrong in ({"name": 1}, {"id": "x"}, {"name": "x", "more": 1}, {"name": "x", "arguments": []}):
        answer = web.call("POST", f"{SESSION}/messages", {"role": "assistant", "tool_calls": [wrong]})
        assert answer.status == 400, wrong
    told = web.call("GET", f"{SESSION}/messages").json
    assert (told["session"], [one["role"] for one in told["messages"]]) == ("chat/one", ["user", "assistant", "tool"])
    with Memory.open(web.home) as memory, memory.session("chat/one") as session:
        assert told["messages"] == [entry.to_json() for entry in session.messages()]
    assert len(web.call("GET", f"{SESSION}/messages?limit=1").json["messages"]) == 1
    assert len(web.call("GET", f"{SESSION}/context").json["messages"]) == 3
    captured = web.call("POST", f"{SESSION}/capture").json
    assert any("Berlin" in fact["text"] for fact in captured["facts"])
    assert "text" in web.call("POST", f"{SESSION}/prompt", {"message": "where do I live?"}).json
    assert web.call("POST", f"{SESSION}/recall", {"message": "where do I live?"}).status == 200
    assert web.call("POST", f"{SESSION}/refresh").json["refreshed"] is True
    assert web.call("GET", f"{SESSION}/flush").json["due"] is False
    assert web.call("POST", f"{SESSION}/compacted", {"summary": "they met"}).json["compacted"] is True
    assert web.call("POST", f"{SESSION}/export").json["exported"]["turns"] >= 1
    assert web.call("POST", f"{SESSION}/exclude", {"excluded": False}).json["excluded"] is False
    assert "chat/one" in [one["key"] for one in web.call("GET", "/api/v1/sessions").json["sessions"]]
    other = web.call("POST", f"{SESSION}/new").json
    assert other["session"] != "chat/one"
    assert web.call("POST", f"{SESSION}/reset").status == 200
    assert web.call("GET", f"{SESSION}/messages").json["messages"] == []
    assert web.call("DELETE", f"{SESSION}?everywhere=true").json["deleted"] is True
    # What it left in checkpoints can still be forgotten, and then it is not known any more.
    assert [web.call("POST", f"{SESSION}/forget").status for _ in range(2)] == [200, 404]
    assert web.call("POST", f"{SESSION}/messages", {"role": "user", "text": "Forget this."}).status == 201
    assert web.call("POST", f"{SESSION}/forget").json["forgotten"] is True


def test_a_group_stays_a_group(web: Served) -> None:
    said = web.call("POST", "/api/v1/sessions/g/messages?kind=group&channel=team", {"role": "user", "text": "hello"})
    assert said.status == 201
    shown = web.call("GET", "/api/v1/sessions/g/messages").json
    assert (shown["kind"], shown["channel"]) == ("group", "team")
    assert web.call("POST", "/api/v1/sessions/g/messages?kind=direct", {"role": "user", "text": "x"}).status == 400
    seen = web.call("POST", "/api/v1/tools/memory_get?session=g", {"arguments": {"path": "MEMORY.md"}})
    assert (seen.status, seen.error) == (403, "NotPermitted")


def test_values_of_a_session(web: Served) -> None:
    state = "/api/v1/sessions/s/state"
    assert web.call("GET", f"{state}/n/k").json == {"namespace": "n", "key": "k", "found": False, "value": None}
    assert web.call("PUT", f"{state}/n/k", {"value": {"a": [1, None, "é"]}}).json["set"] is True
    assert web.call("GET", f"{state}/n/k").json["value"] == {"a": [1, None, "é"]}
    assert web.call("PUT", f"{state}/n/null", {"value": None}).status == 200
    assert web.call("PUT", f"{state}/n/k", {}).status == 400
    assert web.call("POST", f"{state}/n/c/compare", {"expected": None, "new": 1}).json["set"] is True
    assert web.call("POST", f"{state}/n/c/compare", {"expected": None, "new": 2}).json["set"] is False
    assert [one["key"] for one in web.call("GET", f"{state}?namespace=n").json["values"]] == ["c", "k", "null"]
    assert web.call("DELETE", f"{state}/n/k").json["deleted"] is True
    assert web.call("DELETE", f"{state}/n/k").json["deleted"] is False
    assert web.call("DELETE", state).json["cleared"] >= 2
    for ours in ("prompt", "flush", "capture"):
        assert web.call("PUT", f"{state}/{ours}/x", {"value": 1}).status == 403


def test_what_is_not_listed_of_a_session_is_not_cleared(web: Served) -> None:
    at = "/api/v1/sessions/clearing"
    said = {"role": "user", "text": "Remember that I prefer oolong tea over coffee."}
    web.call("POST", f"{at}/messages", said)
    assert web.call("POST", f"{at}/capture", {}).json["looked_at"] == 1
    web.call("PUT", f"{at}/state/n/k", {"value": 1})
    assert len(web.call("GET", f"{at}/state").json["values"]) == 1
    assert web.call("DELETE", f"{at}/state").json["cleared"] == 1
    assert web.call("POST", f"{at}/capture", {}).json["looked_at"] == 0
    web.call("PUT", f"{at}/state/n/k", {"value": 1})
    body = {"method": "session.state.clear", "session": {"key": "clearing"}}
    assert web.call("POST", "/api/v1/call", body).json["result"] == 1
    ours = {**body, "arguments": {"namespace": "capture"}}
    refused = web.call("POST", "/api/v1/call", ours)
    assert (refused.status, set(refused.json["error"])) == (403, {"type", "message"})  # no details where there are none
    assert web.call("POST", f"{at}/capture", {}).json["looked_at"] == 0


def test_facts(web: Served) -> None:
    made = web.call("POST", "/api/v1/facts", {"text": "I prefer green tea", "category": "preference"})
    assert made.status == 201
    fact = made.json["id"]
    assert web.call("POST", "/api/v1/facts", {"text": "I prefer green tea"}).status == 200
    assert web.call("GET", "/api/v1/facts?category=preference").json["total"] >= 1
    found = web.call("POST", "/api/v1/facts/recall", {"query": "what do I drink? tea"}).json
    assert "green tea" in str(found["results"])
    assert web.call("GET", "/api/v1/facts/history?query=green%20tea").status == 200
    assert web.call("GET", "/api/v1/facts/stats").status == 200
    assert web.call("POST", f"/api/v1/facts/{fact}/archive").status == 200
    assert web.call("POST", f"/api/v1/facts/{fact}/restore").status == 200
    assert web.call("DELETE", f"/api/v1/facts/{fact}").status == 200
    assert web.call("DELETE", f"/api/v1/facts/{fact}").error == "FactNotFound"
    assert web.call("POST", "/api/v1/facts/forget", {}).status == 400


def test_settings_are_shown_without_secrets_and_changed_all_or_none(web: Served) -> None:
    (web.home / "holdfast.toml").write_text("# mine\n[memory]\ncitations = 'off' # why\n")
    done = web.call(
        "PATCH", "/api/v1/settings", {"changes": {"memory.search.max_results": 7, "llm.api_key": "sk-hidden"}}
    )
    assert done.status == 200 and "sk-hidden" not in done.data.decode()
    assert web.call("GET", "/api/v1/settings/memory.search.max_results").json["value"] == 7
    assert web.call("GET", "/api/v1/settings/llm.api_key").json["value"] == "set"
    assert b"sk-hidden" not in web.call("GET", "/api/v1/settings").data
    text = (web.home / "holdfast.toml").read_text()
    assert text.startswith("# mine\n") and "citations = 'off' # why" in text
    for changes in (
        {"memory.search.max_results": 9, "memory.search.nonsense": 1},
        {"memory.search.max_results": 9, "memory.citations": "never"},
        {"memory.search.max_results": "many"},
        {"memory": 1},
        {},
    ):
        answer = web.call("PATCH", "/api/v1/settings", {"changes": changes})
        assert answer.status in (400, 422), changes
        assert (web.home / "holdfast.toml").read_text() == text
    by_hand = {"changes": {"memory.store.vector.extension_path": "/tmp/x.so"}}
    assert web.call("PATCH", "/api/v1/settings", by_hand).error == "NotPermitted"
    assert web.call("PATCH", "/api/v1/settings", {"changes": {"llm.api_key": None}}).status == 200
    changed = web.call("GET", "/api/v1/settings?changed=true").json["settings"]
    assert {one["key"] for one in changed} == {"memory.citations", "memory.search.max_results"}
    (web.home / "holdfast.toml").unlink()


def test_a_change_of_the_settings_is_followed_at_once(web: Served) -> None:
    web.call("PATCH", "/api/v1/settings", {"changes": {"memory.style": "prompt-only"}})
    assert web.call("GET", "/api/v1/tools").json["tools"] == []
    web.call("PATCH", "/api/v1/settings", {"changes": {"memory.style": None}})
    assert web.call("GET", "/api/v1/tools").json["tools"]


@pytest.mark.promise("P11")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("memory.prompt_approval", "never"),
        ("memory.approved_origins", ["api"]),
        ("memory.agent_write_mode", "hybrid"),
        ("memory.secrets", "allow"),
        ("memory.scope.rules", [{"action": "allow"}]),
    ],
)
def test_a_program_does_not_open_the_owners_gates(web: Served, key: str, value: object) -> None:
    before = web.call("GET", "/api/v1/settings").json
    answer = web.call("PATCH", "/api/v1/settings", {"changes": {"memory.citations": "off", key: value}})
    assert (answer.status, answer.error) == (403, "NotPermitted")
    assert web.call("GET", "/api/v1/settings").json == before


def test_an_agent_that_is_named_has_settings_of_its_own_over_http(web: Served) -> None:
    changes = {"changes": {"memory.style": "prompt-only"}}
    made = web.call("PATCH", "/api/v1/settings?agent=coder", changes).json
    assert made["path"] == str(web.home / "agents/coder/holdfast.toml")
    assert [(row["value"], row["source"]) for row in made["settings"]] == [
        ("prompt-only", "agents/coder/holdfast.toml:2")
    ]
    assert web.call("GET", "/api/v1/tools?agent=coder").json["tools"] == []
    assert web.call("GET", "/api/v1/tools").json["tools"]
    assert web.call("GET", "/api/v1/settings/memory.style").json["value"] == "hybrid"
    assert web.call("GET", "/api/v1/settings/memory.style?agent=coder").json["value"] == "prompt-only"
    refused = web.call("PATCH", "/api/v1/settings?agent=coder", {"changes": {"user.name": "Ada"}})
    assert (refused.status, refused.error) == (422, "HomeSetting")
    gate = web.call("PATCH", "/api/v1/settings?agent=coder", {"changes": {"memory.agent_write_mode": "hybrid"}})
    assert (gate.status, gate.error) == (403, "NotPermitted")
    with holdfast.connect(web.url, token=web.token, agent="coder") as client:
        assert client.settings.memory.style == "prompt-only"
    web.call("PATCH", "/api/v1/settings?agent=coder", {"changes": {"memory.style": None}})
    assert web.call("GET", "/api/v1/tools?agent=coder").json["tools"]


def test_a_change_by_config_set_or_an_editor_is_followed_at_once(web: Served) -> None:
    note = "/api/v1/notes/memory/followed.md"
    line = [sys.executable, "-c", SCRIPT, "config", "set", "memory.agent_write_mode", "off"]
    subprocess.run(line, env=environment(web.home), check=True, capture_output=True, timeout=60)
    assert web.call("PUT", note, {"content": "x"}).error == "WriteModeRefused"
    (web.home / "holdfast.toml").write_text("[memory]\nagent_write_mode = 'hybrid'\n")
    assert web.call("PUT", note, {"content": "x"}).status == 201
    (web.home / "holdfast.toml").unlink()
    assert web.call("GET", note).status == 200


def test_status_spaces_profile_and_doctor(web: Served) -> None:
    assert web.call("GET", "/api/v1/status?deep=true").json["agent"] == "main"
    assert web.call("GET", "/api/v1/doctor").json["ok"] is True
    assert web.call("POST", "/api/v1/sync").json["skipped"] == []
    spaces = web.call("GET", "/api/v1/spaces").json["spaces"]
    assert spaces and web.call("DELETE", "/api/v1/spaces/99").status in (400, 404)
    assert web.call("PUT", "/api/v1/profile", {"field": "name", "value": "Ada"}).json["user"]["name"] == "Ada"
    assert web.call("GET", "/api/v1/profile").json["user"]["name"] == "Ada"
    assert web.call("PUT", "/api/v1/profile", {"field": "shoe", "value": "9"}).status == 400
    assert web.call("POST", "/api/v1/profile/undo").status == 200
    assert web.call("POST", "/api/v1/prune").json["changes"] == 0
    assert web.call("POST", "/api/v1/purge", {"path": "memory/none.md"}).error == "NoteNotFound"


def test_dreams(web: Served) -> None:
    assert web.call("POST", "/api/v1/dreams", {"dry_run": True}).json["dry_run"] is True
    assert web.call("POST", "/api/v1/dreams", {"phases": ["snore"]}).status == 400
    assert web.call("GET", "/api/v1/dreams/reports").status == 200


def test_the_inbox(web: Served) -> None:
    for entry in web.call("GET", "/api/v1/inbox").json["entries"]:  # of other tests
        assert web.call("POST", f"/api/v1/inbox/{entry['id']}/reject").status == 200
    assert web.call("GET", "/api/v1/inbox").json == {"entries": []}
    assert web.call("POST", "/api/v1/inbox/none/approve").status == 404
    for text in ("- One is here.", "- Two is here."):
        saved = web.call("POST", "/api/v1/tools/memory_save", {"arguments": {"content": text}}).json
        assert (saved["saved"], saved["waits"]) == (False, True)
    one, two = web.call("GET", "/api/v1/inbox").json["entries"]
    assert (one["text"], one["origin"]) == ("One is here.", "api")
    edited = web.call("PUT", f"/api/v1/inbox/{one['id']}", {"text": "One is there."}).json
    assert web.call("POST", f"/api/v1/inbox/{edited['id']}/approve").json["outcome"] == "approved"
    assert web.call("POST", f"/api/v1/inbox/{two['id']}/reject").json["outcome"] == "rejected"
    assert web.call("GET", "/api/v1/inbox").json == {"entries": []}
    assert "One is there." in web.call("GET", "/api/v1/notes/MEMORY.md").json["text"]


def test_the_tools_and_their_schemas(web: Served) -> None:
    ours = web.call("GET", "/api/v1/tools").json["tools"]
    theirs = web.call("GET", "/api/v1/tools?dialect=openai&session=t").json["tools"]
    assert "memory_search" in [one["name"] for one in ours]
    assert "session_state" in [one["function"]["name"] for one in theirs]
    assert web.call("POST", "/api/v1/tools/none", {"arguments": {}}).error == "BadArgument"
    assert web.call("POST", "/api/v1/tools/memory_search", {"arguments": {"wrong": 1}}).status == 400
    assert web.call("POST", "/api/v1/tools/memory_search", {"arguments": {"query": "tea"}}).status == 200


@pytest.fixture
def model() -> Iterator[tuple[ProviderServer, ChatScript]]:
    with ProviderServer() as server:
        script = ChatScript()
        server.add(provider_chat_openai.routes(script))
        yield server, script


def test_a_turn_needs_a_model_and_is_kept(tmp_path: Path, model: tuple[ProviderServer, ChatScript]) -> None:
    server, script = model
    script.say("The launch is on Monday.")
    llm = {"PROVIDER": "custom", "MODEL": "m", "BASE_URL": server.url, "API_KEY": server.key}
    with served(tmp_path / "talking", **{f"HOLDFAST_LLM_{name}": value for name, value in llm.items()}) as web:
        turned = web.call("POST", "/api/v1/sessions/t/turn", {"message": "When is the launch?"})
        assert (turned.status, turned.json["text"]) == (200, "The launch is on Monday."), turned.data
        assert len(web.call("GET", "/api/v1/sessions/t/messages").json["messages"]) == 2


def test_without_a_model_a_turn_says_what_to_set(web: Served) -> None:
    answer = web.call("POST", "/api/v1/sessions/t/turn", {"message": "hello"})
    assert (answer.status, answer.error) == (409, "NoModel")
