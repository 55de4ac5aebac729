"""`holdfast chat`: through a pipe, and once; what it shows, what it obeys, how it ends."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import provider_faults as faults
import pytest
from commandline import SCRIPT, Ran, done, holdfast
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

from holdfast import Memory

SAVE = Said("One moment. ", calls=(("memory_save", {"content": "- The cat is Miso.", "file": "memory/pets.md"}),))


def piped(monkeypatch: pytest.MonkeyPatch, *lines: str, options: tuple[str, ...] = ()) -> Ran:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return holdfast("chat", *options)


def test_once_prints_the_answer_alone_and_what_happened_beside_it(script: ChatScript) -> None:
    script.say(SAVE, "Noted.")
    ran = done("chat", "--once", "My cat is called Miso")
    assert ran.out == "One moment. \nNoted.\n"
    assert ran.err == "· saved to memory/pets.md: - The cat is Miso.\n· noted as entity: My cat is called Miso\n"
    script.say("Miso.")
    ran = done("chat", "--once", "What is the cat called?", "--json")
    assert ran.err == ""
    assert ran.json["text"] == "Miso." and ran.json["session"] == "chat"
    assert {hit["path"] for hit in ran.json["recalled"]} == {"memory/pets.md", "memory/entities.md"}
    (event,) = ran.json["events"]
    assert event["step"] == "recalled" and event["text"].startswith("recalled 2 notes: memory/")


def test_lines_of_a_pipe_are_answered_one_after_the_other(script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    script.say("one", "two")
    ran = piped(monkeypatch, "first", "", "   ", "second")
    assert (ran.status, ran.out) == (0, "one\ntwo\n")
    with Memory.open() as memory, memory.session("chat") as session:
        assert [entry.text for entry in session.messages()] == ["first", "one", "second", "two"]


def test_an_empty_message_is_refused_by_the_name_that_was_typed(script: ChatScript) -> None:
    for message in ("", "  "):
        ran = holdfast("chat", "--once", message)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == "holdfast: Argument '--once' can't be used: it is empty.\n"


def test_a_pipe_with_nothing_in_it_says_that_there_is_no_model(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = piped(monkeypatch)
    assert (ran.status, ran.out) == (4, "")
    assert ran.err.startswith("holdfast: No language model is set.")
    ran = piped(monkeypatch, "/help")
    assert (ran.status, ran.err) == (0, "")


def test_every_line_is_an_object_where_json_is_wanted(script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    script.say("one")
    ran = piped(monkeypatch, "first", "/context", options=("--json",))
    first, second = map(json.loads, ran.out.splitlines())
    assert first["text"] == "one"
    assert second["command"] == "/context" and "conversation" in second["text"]


def test_a_session_goes_on_where_it_ended(script: ChatScript, server: ProviderServer) -> None:
    script.say("one", "two")
    done("chat", "--session", "work", "--once", "first")
    done("chat", "--session", "work", "--once", "second")
    sent = [one["content"] for one in json.loads(server.requests[-1].body)["messages"]]
    assert sent[1:] == ["first", "one", "second"]


def test_options_choose_another_model_for_once(script: ChatScript, server: ProviderServer) -> None:
    script.say("one")
    assert done("chat", "--model", "other", "--once", "x", "--json").json["model"].startswith("other")
    assert json.loads(server.requests[-1].body)["model"] == "other"
    assert holdfast("chat", "--provider", "none", "--once", "x").status == 4


def test_without_a_model_it_says_how_to_set_one_and_commands_still_work(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("save", "The cat is Miso.", "--file", "memory/pets.md")
    ran = holdfast("chat", "--once", "hello")
    assert ran.status == 4 and "holdfast config set llm.provider" in ran.err
    assert json.loads(holdfast("chat", "--once", "hello", "--json").err)["error"]["type"] == "NoModel"
    ran = piped(monkeypatch, "/memory cat", "/context", "/memory", "/refresh", "/forget the cat", "/undo", "hello")
    assert ran.status == 4
    assert "memory/pets.md#1" in ran.out and "The cat is Miso." in ran.out
    assert "Prompt memory: live-reload." in ran.out
    assert "1 note in" in ran.out
    assert "no language model is configured" in ran.err.lower()  # forget shows candidates instead
    assert "is gone again" in ran.out and not (home / "memory/pets.md").exists()
    with Memory.open() as memory:
        assert memory.session("chat").messages() == []


def test_new_and_reset_export_what_was_said(home: Path, script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    script.say("one", "two", "three")
    ran = piped(monkeypatch, "first", "/reset", "second", "/new other", "third", options=("--session", "work"))
    assert ran.status == 0
    assert ran.out.count("What was said is kept as memory/sessions/") == 2
    assert "come back to it with: holdfast chat --session other" in ran.out
    assert len(list((home / "memory/sessions").glob("*.md"))) == 2
    with Memory.open() as memory:
        assert [entry.text for entry in memory.session("work").messages()] == ["second", "two"]
        assert [entry.text for entry in memory.session("other").messages()] == ["third", "three"]


def test_context_shows_what_each_part_costs(home: Path, script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    done("save", "I drink tea.")
    script.say("one")
    monkeypatch.setenv("HOLDFAST_CHAT_PROMPT_MEMORY_MODE", "frozen-at-session-start")
    ran = piped(monkeypatch, "first", "/context")
    assert re.search(r"^long-term memory +\d+ +\d+ +MEMORY\.md$", ran.out, re.MULTILINE)
    assert re.search(r"^instructions +\d+ +\d+ +how to answer, and the day$", ran.out, re.MULTILINE)
    assert re.search(r"^tools +[\d,]+ +[\d,]+ +\d+ descriptions$", ran.out, re.MULTILINE)
    assert re.search(r"^conversation +8 +\d+ +2 of 2 messages$", ran.out, re.MULTILINE)
    assert "the conversation is shortened at 104,000 (done 0 times so far)" in ran.out
    assert "Prompt memory: frozen-at-session-start." in ran.out
    assert "Since this began: 1 request, " in ran.out and "no cost without llm.prices" in ran.out


def test_context_adds_up_all_that_is_sent_and_shows_what_was_spent(
    script: ChatScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.say("one")
    monkeypatch.setenv("HOLDFAST_LLM_PRICES", "1000,2000")
    ran = piped(monkeypatch, "/context", "first", "/context")
    before, after = ran.out.split("one\n")
    rows = re.findall(r"^\S.*? {2,}[\d,]+ +([\d,]+)(?:  .*)?$", after, re.MULTILINE)
    total = re.search(r"^About ([\d,]+) tokens", after, re.MULTILINE)
    assert total is not None and len(rows) >= 3
    assert int(total[1].replace(",", "")) == sum(int(row.replace(",", "")) for row in rows)
    assert "No model was asked since this began." in before
    assert re.search(r"written, cost \d+\.\d{4}\.$", after, re.MULTILINE)


def test_new_says_so_where_the_session_exists(script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    script.say("one", "two")
    done("chat", "--session", "work", "--once", "first")
    ran = piped(monkeypatch, "/new work", "/new fresh")
    assert "Session work exists already and goes on: 2 messages so far." in ran.out
    assert "fresh exists" not in ran.out


def test_a_process_that_is_told_to_end_keeps_what_was_said_of_the_answer(
    script: ChatScript, server: ProviderServer
) -> None:
    script.say("An answer that is never quite over because the line is so slow.")
    server.script(faults.STREAM_DRIP, on="/v1/chat/completions")
    command = [sys.executable, "-c", SCRIPT, "chat", "--once", "Tell me"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdout is not None and child.stdout.read(2) == b"An"
        child.terminate()
        assert child.wait(60) == 143
    with Memory.open() as memory:
        first, cut = memory.session("chat").messages()
    assert first.text == "Tell me"
    assert cut.tags == ("cut",) and cut.text.startswith("An")


def test_refresh_shows_a_frozen_session_what_memory_says_now(
    script: ChatScript, server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_CHAT_PROMPT_MEMORY_MODE", "frozen-at-session-start")
    script.say("one", "two", "three")
    done("chat", "--once", "first")
    done("save", "I drink tea.")
    piped(monkeypatch, "second", "/refresh", "third")
    told = [json.loads(seen.body)["messages"][0]["content"] for seen in server.asked("/v1/chat/completions")]
    assert ["I drink tea." in one for one in told] == [False, False, True]


def test_forget_takes_it_out_and_undo_brings_it_back(
    home: Path, script: ChatScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("save", "- The cat is Miso.\n- The dog is Rex.", "--file", "memory/pets.md")
    script.say('{"statements": [1], "needs_confirmation": false}')
    ran = piped(monkeypatch, "/forget that the cat is called Miso")
    assert ran.status == 0 and "Forgot from memory/pets.md: - The cat is Miso." in ran.out
    assert "What was said in this conversation still stands there" in ran.out
    assert (home / "memory/pets.md").read_text() == "- The dog is Rex.\n"
    assert piped(monkeypatch, "/undo").status == 0
    assert "The cat is Miso." in (home / "memory/pets.md").read_text()
    assert piped(monkeypatch, "/undo memory/none.md").status == 3


def test_a_write_mode_stops_the_model_in_a_chat_and_not_who_types_a_command(
    home: Path, script: ChatScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("config", "set", "memory.agent_write_mode", "off")
    done("save", "- The dog is Rex.", "--file", "memory/pets.md")
    script.say(SAVE, "I may not.")
    ran = piped(monkeypatch, "My cat is called Miso")
    assert "I may not." in ran.out
    assert [path.name for path in home.rglob("*.md")] == ["pets.md"]
    assert (home / "memory/pets.md").read_text() == "- The dog is Rex.\n"
    assert piped(monkeypatch, "/undo").status == 0
    assert not (home / "memory/pets.md").exists()


def test_an_unknown_command_is_no_message_and_a_path_is(script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    script.say("a file")
    ran = piped(monkeypatch, "/nope", "/etc/hosts is gone", "/help")
    assert ran.status == 2
    assert "There is no command /nope. /help lists those that there are." in ran.err
    assert ran.out.startswith("a file\n") and "/quit" in ran.out


def test_a_failing_provider_is_said_and_the_next_line_is_tried(
    script: ChatScript, server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(faults.status(400), on="/v1/chat/completions")
    script.say("back")
    ran = piped(monkeypatch, "first", "second")
    assert ran.status == 12 and ran.out == "back\n"
    assert "The provider 'custom' failed" in ran.err and server.key not in ran.err
    with Memory.open() as memory:
        assert [entry.text for entry in memory.session("chat").messages()] == ["first", "second", "back"]


def test_a_group_is_not_shown_the_memory(script: ChatScript, server: ProviderServer) -> None:
    done("save", "I drink tea.")
    script.say("one", "two")
    done("chat", "--session", "team", "--kind", "group", "--once", "what do I drink?")
    done("chat", "--session", "team", "--once", "and now?")  # its kind is known
    assert all(b"I drink tea" not in seen.body for seen in server.requests)


def test_an_answer_that_breaks_off_ends_its_line_and_the_status_says_why(
    script: ChatScript, server: ProviderServer
) -> None:
    script.say("A long answer about this and that, in many words, which never comes to its end.")
    server.script(faults.STREAM_ENDS, on="/v1/chat/completions")
    ran = holdfast("chat", "--once", "Tell me")
    assert ran.status == 12 and "The provider 'custom' failed" in ran.err
    assert ran.out == "" or ran.out.endswith("\n")
    with Memory.open() as memory:
        assert "".join(entry.text for entry in memory.session("chat").messages()[1:]) == ran.out.strip("\n")


def test_a_question_that_is_asked_again_after_a_failure_is_sent_once(
    script: ChatScript, server: ProviderServer
) -> None:
    server.script(faults.status(401), faults.status(401), on="/v1/chat/completions")
    for _ in range(2):
        assert holdfast("chat", "--once", "What is the cat called?").status != 0
    script.say("Miso.")
    done("chat", "--once", "What is the cat called?")
    sent = [message for message in server.requests[-1].json["messages"] if message["role"] == "user"]
    assert [message["content"] for message in sent] == ["What is the cat called?"]
