"""Sessions for the web app: an answer told as it comes, stopped, and what the model is sent."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import provider_chat_openai
import provider_faults as faults
import pytest
from commandline import done as ran
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from sessions.turns import wrote
from surfaces.http.serving import JSON, Page, Served, served

from holdfast import Memory
from holdfast.llm.scripted_model import ScriptedModel

TURN = "/api/v1/sessions/talk/turn"


class Talk:
    """A server with a model behind it, and a page that talks."""

    def __init__(self, web: Served, provider: ProviderServer, script: ChatScript) -> None:
        self.web, self.provider, self.script = web, provider, script
        self.page = web.page()

    def stream(self, message: str, key: str = "talk") -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Begin a turn, and give the line that tells of it."""
        line = self.web.line()
        sent = {**self.page.headers, **JSON, "Accept": "text/event-stream"}
        line.request("POST", f"/api/v1/sessions/{key}/turn", json.dumps({"message": message}), sent)
        return line, line.getresponse()

    def told(self, message: str, key: str = "talk") -> list[tuple[str, dict[str, Any]]]:
        """All events of a turn."""
        line, answer = self.stream(message, key)
        try:
            assert answer.getheader("Content-Type") == "text/event-stream", answer.read()
            return events(answer.read())
        finally:
            line.close()

    def messages(self, key: str = "talk") -> list[dict[str, Any]]:
        return list(self.page.call("GET", f"/sessions/{key}/messages").json["messages"])


def events(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for block in data.decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            fields = dict(line.split(": ", 1) for line in lines)
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    script = ChatScript()
    with ProviderServer() as provider:
        provider.add(provider_chat_openai.routes(script))
        llm = {"PROVIDER": "custom", "MODEL": "m", "BASE_URL": provider.url, "API_KEY": provider.key}
        more = {f"HOLDFAST_LLM_{name}": value for name, value in llm.items()}
        with served(tmp_path_factory.mktemp("talk") / "home", "--no-watch", **more) as web:
            yield Talk(web, provider, script)


@pytest.fixture
def talk(running: Talk) -> Talk:
    running.provider.reset()
    running.script.reset()
    running.page.call("DELETE", "/sessions/talk")
    return running


def test_an_answer_is_told_as_it_comes_and_kept(talk: Talk) -> None:
    talk.script.say("The launch is on Monday.")
    told = talk.told("When is the launch?")
    text = "".join(data["text"] for kind, data in told if kind == "step" and data["step"] == "text")
    assert text == "The launch is on Monday."
    kind, last = told[-1]
    assert (kind, last["text"], last["stop"]) == ("done", text, "end") and last["output_tokens"] > 0
    assert [message["role"] for message in talk.messages()] == ["user", "assistant"]


def test_what_happens_on_the_way_is_told_and_a_tool_acts_as_an_agent(talk: Talk) -> None:
    save = {"content": "- The cat is Miso.", "file": "memory/pets.md"}
    talk.script.say(Said("One moment. ", calls=(("memory_save", save),)), "Noted.")
    steps = [data for kind, data in talk.told("My cat is Miso") if kind == "step"]
    assert any(step["step"] == "saved" and "memory/pets.md" in step["text"] for step in steps)
    (change,) = talk.page.call("GET", "/history?path=memory/pets.md").json["checkpoints"]
    assert change["origin"] == "agent"


def test_a_turn_is_stopped_while_the_model_is_silent(talk: Talk) -> None:
    talk.provider.script(faults.STREAM_STALL, on="/v1/chat/completions")
    talk.script.say("Once upon a time there was a long story.")
    line, answer = talk.stream("Tell me a story")
    first = answer.readline() + answer.readline()
    assert b"event: step" in first
    assert talk.page.call("DELETE", "/sessions/talk/turn").json == {"session": "talk", "stopped": True}
    rest = answer.read()
    line.close()
    assert events(first + rest)[-1][1]["error"]["type"] == "Stopped"
    kept = talk.messages()
    assert kept[0]["role"] == "user"
    assert all("cut" in message["tags"] for message in kept if message["role"] == "assistant")
    assert talk.page.call("DELETE", "/sessions/talk/turn").json["stopped"] is False
    talk.provider.reset()
    talk.script.reset()
    talk.script.say("Go on.")
    assert talk.told("And then?")[-1][0] == "done"  # nothing holds the session


def test_a_listener_who_goes_away_stops_the_turn(talk: Talk) -> None:
    talk.provider.script(faults.STREAM_STALL, on="/v1/chat/completions")
    talk.script.say("A long story that nobody waits for.")
    line, answer = talk.stream("Tell me a story")
    answer.readline()
    answer.close()
    line.close()
    # The turn ends by itself, or this one would wait for it and be Busy.
    talk.script.reset()
    talk.script.say("Here.")
    assert talk.told("Still there?")[-1][0] == "done"


def test_what_goes_wrong_at_once_has_its_own_status(talk: Talk, web: Served, page: Page) -> None:
    sent = {"Accept": "text/event-stream"}
    answer = page.call("POST", "/sessions/t/turn", {"message": "hello"}, sent)
    assert (answer.status, answer.error) == (409, "NoModel")
    empty = talk.page.call("POST", "/sessions/talk/turn", {"message": " "}, sent)
    assert (empty.status, empty.error) == (400, "BadArgument")


def test_a_failure_after_the_first_piece_is_told_in_the_stream(talk: Talk) -> None:
    talk.provider.script(faults.STREAM_ERROR, on="/v1/chat/completions")
    talk.script.say("Half of an answer that breaks off.")
    told = talk.told("Go")
    kind, data = told[-1]
    assert kind == "failed" and data["error"]["type"] and talk.provider.key not in json.dumps(data)


def test_the_context_view_says_what_is_sent_and_changes_nothing(talk: Talk) -> None:
    page = talk.page
    page.call("PUT", "/notes/MEMORY.md", {"content": "Prefers tea.\n"})
    page.call("PATCH", "/settings", {"changes": {"chat.prompt_memory_mode": "frozen-at-session-start"}})
    try:
        view = page.call("GET", "/sessions/fresh/context-view").json
        assert (view["frozen"], view["frozen_at"]) == (True, None)
        assert "fresh" not in [one["key"] for one in page.call("GET", "/sessions").json["sessions"]]
        talk.script.say("Tea it is.")
        talk.told("What do I drink?", "fresh")
        view = page.call("GET", "/sessions/fresh/context-view").json
        assert view["frozen_at"] and view["sent"] == sum(part["tokens"] for part in view["parts"])
        kinds = [part["kind"] for part in view["parts"]]
        assert kinds[:2] == ["instructions", "tools"] and kinds[-1] == "conversation" and "block" in kinds
        memory = next(part for part in view["parts"] if part["name"] == "long-term memory")
        assert "Prefers tea." in memory["text"] and memory["source"] == "MEMORY.md"
        assert view["model"] == "custom/m" and view["window"] > view["flush_at"] > 0
        assert view["spent"]["requests"] == 1 and view["spent"]["input_tokens"] > 0
        page.call("PUT", "/notes/MEMORY.md", {"content": "Prefers coffee.\n"})
        held = page.call("GET", "/sessions/fresh/context-view").json
        assert any("Prefers tea." in part["text"] for part in held["parts"])
        assert page.call("POST", "/sessions/fresh/refresh", {}).status == 200
        fresh = page.call("GET", "/sessions/fresh/context-view").json
        assert any("Prefers coffee." in part["text"] for part in fresh["parts"])
    finally:
        page.call("PATCH", "/settings", {"changes": {"chat.prompt_memory_mode": None}})


def test_the_command_line_shows_the_same_parts(talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    talk.script.say("Hello.")
    talk.told("Hello")
    view = talk.page.call("GET", "/sessions/talk/context-view").json
    monkeypatch.setattr(sys, "stdin", io.StringIO("/context\n"))
    shown = ran("chat", "--home", str(talk.web.home), "--session", "talk").out
    for part in view["parts"]:
        row = next(line for line in shown.splitlines() if line.startswith(part["name"]))
        assert f"{part['tokens']:,}" in row and f"{part['characters']:,}" in row
    assert f"About {view['sent']:,} tokens of {view['window']:,}" in shown


def test_older_messages_are_read_from_where_one_is(talk: Talk) -> None:
    for number in range(5):
        talk.page.call("POST", "/sessions/paged/messages", {"role": "user", "text": f"m{number}"})
    last = talk.page.call("GET", "/sessions/paged/messages?limit=2").json["messages"]
    older = talk.page.call("GET", f"/sessions/paged/messages?limit=2&before={last[0]['id']}").json["messages"]
    assert [one["text"] for one in older] == ["m1", "m2"]
    first = talk.page.call("GET", f"/sessions/paged/messages?before={older[0]['id']}").json["messages"]
    assert [one["text"] for one in first] == ["m0"]
    assert talk.page.call("GET", "/sessions/paged/messages?before=none").status == 404


def test_what_was_done_silently_stands_in_its_place_for_who_asks(web: Served, page: Page) -> None:
    with Memory.open(web.home) as memory, memory.session("quiet") as session:
        said = [session.append("user", f"Question {number}").id for number in range(3)]
        session.before_compaction(ScriptedModel(wrote("- The user asks."), "NO_REPLY"), force=True)
        session.compacted(kept_from=said[1], summary="They met.")
        session.append("user", "One more")
    texts = [one["text"] for one in page.call("GET", "/sessions/quiet/messages").json["messages"]]
    assert texts == ["Question 0", "Question 1", "Question 2", "One more"]
    shown = page.call("GET", "/sessions/quiet/messages?silent=true").json["messages"]
    assert [one.get("tags", [one["text"]])[0] for one in shown] == [*texts[:3], "flush", "summary", texts[3]]
    assert shown[3]["text"].startswith("wrote to memory/") and shown[4]["text"] == "They met."
    older = page.call("GET", f"/sessions/quiet/messages?silent=true&limit=2&before={shown[5]['id']}").json["messages"]
    assert older == shown[3:5]
