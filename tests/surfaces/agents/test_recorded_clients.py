"""Conversations as today's clients recorded them (tests/data/clients): each message is kept once.

Recorded with Claude Code 2.1.325, Codex 0.166.0 and Gemini CLI 0.61.0, the same talk with each: a question,
something to remember, and a question whose answer a compaction breaks in two.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from commandline import process

from holdfast import Memory
from holdfast.llm.chat_model import Role
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.operations.diagnosis import Check, doctor
from holdfast.sessions.session_follow import RecordMessage, follow, follow_at_end, follow_before_compaction
from holdfast.surfaces.agents.client_messages import read_record
from holdfast.surfaces.agents.envelopes import typed_text
from holdfast.surfaces.agents.transcripts import read_transcript

DATA = Path(__file__).parents[2] / "data" / "clients"
CLIENTS = {
    "claude-code": ".claude/projects/-home-ada-project/04c48ddb.jsonl",
    "codex": ".codex/sessions/2026/11/16/rollout-01a1e1bb.jsonl",
    "gemini-cli": ".gemini/tmp/project/chats/session-12d540ab.jsonl",
}
SAID = [
    (Role.USER, "What is the harbour office code?"),
    (Role.ASSISTANT, "The code is in the notes, as you know."),
    (Role.USER, "Remember that Ada prefers tea in the morning."),
    (Role.ASSISTANT, "I wrote it down for you."),
    (Role.USER, "Which boat comes next week?"),
    (Role.ASSISTANT, "Let me look."),
    (Role.ASSISTANT, "The blue boat comes next week."),
    (Role.USER, "And who steers it?"),
    (Role.ASSISTANT, "The pilot steers it."),
]
NOTE = [
    "**user**: What is the harbour office code?",
    "**assistant**: The code is in the notes, as you know.",
    "**user**: Remember that Ada prefers tea in the morning.",
    "**assistant**: I wrote it down for you.",
    "**user**: Which boat comes next week?",
    "**assistant**: Let me look.",
    "The blue boat comes next week.",
    "**user**: And who steers it?",
    "**assistant**: The pilot steers it.",
]


def recorded(client: str) -> bytes:
    return (DATA / f"{client}.jsonl").read_bytes()


def placed(person: Path, client: str, data: bytes) -> str:
    path = person / CLIENTS[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def lines_of(note: str) -> list[str]:
    """What stands in the note of a conversation below its first day, without the times."""
    lines = (line.strip() for line in note.partition("\n## ")[2].splitlines()[1:])
    return [re.sub(r"^- (\*\*\w+\*\*) \(\d\d:\d\d\)", r"\1", line) for line in lines if line]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_recorded_conversation_is_read_message_by_message(person: Path, client: str) -> None:
    record = read_transcript(client, placed(person, client, recorded(client)))
    assert [(message.role, message.text) for message in record.said] == SAID
    assert len({message.id for message in record.said}) == len(SAID)
    assert all(message.at is not None for message in record.said)
    assert record.fault == ""
    assert record.version == {"claude-code": "2.1.325", "codex": "0.166.0", "gemini-cli": ""}[client]


@pytest.mark.parametrize("client", CLIENTS)
def test_whenever_a_record_is_handed_over_the_note_holds_each_message_once(person: Path, client: str) -> None:
    rows = recorded(client).splitlines(keepends=True)
    with Memory.open() as memory, memory.session(f"{client}:talk", channel=client) as session:
        for end in range(1, len(rows) + 1):
            follow(session, read_record(client, b"".join(rows[:end])).said)
        assert [(entry.role, entry.text) for entry in session.messages()] == SAID
        (path,) = follow_at_end(session, read_record(client, b"".join(rows)).said).notes
        assert lines_of(memory.get(path).text) == NOTE


def test_a_message_that_is_written_again_under_its_id_takes_the_place_of_what_was_kept(person: Path) -> None:
    with Memory.open() as memory, memory.session("gemini-cli:grown") as session:
        asked = RecordMessage(Role.USER, "Which boat?", id="u1")
        for answer in ("The", "The blue", "The blue boat."):
            follow(session, [asked, RecordMessage(Role.ASSISTANT, answer, id="a1")])
        (question, kept) = session.messages()
        assert (question.text, kept.text, kept.source_id) == ("Which boat?", "The blue boat.", "a1")
        # Two who say the same are two.
        follow(
            session,
            [
                asked,
                RecordMessage(Role.ASSISTANT, "The blue boat.", id="a1"),
                RecordMessage(Role.USER, "Which boat?", id="u2"),
            ],
        )
        assert [entry.source_id for entry in session.messages()] == ["u1", "a1", "u2"]


def test_gemini_puts_our_own_context_before_a_prompt_and_none_of_it_is_the_users(person: Path) -> None:
    sent = json.loads((DATA / "gemini-cli-prompt.json").read_text(encoding="utf-8"))
    assert sent["prompt"].startswith("<hook_context>")
    assert "The ferry to Saltholm leaves at 07:40" in sent["prompt"]
    assert typed_text(sent["prompt"]) == "Remember that Ada prefers tea in the morning."


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("<hook_context>A note.</hook_context>\n\nWhat now?<hook_context>B</hook_context>", "What now?"),
        ("<hook_context>A note that is never closed", ""),
        ("What now?\n<memory-0a1b id=1>\n| A note.\n</memory-0a1b>", "What now?"),
        ('<long-term-memory-0a path="MEMORY.md">A note.</long-term-memory-0a>What now?', "What now?"),
        ("/holdfast:remember Ada prefers tea.", "Ada prefers tea."),
        ("/remember Ada prefers tea.", "Ada prefers tea."),
        ("/compact", "/compact"),
        (
            "<command-name>/holdfast:remember</command-name>\n<command-args>Ada prefers tea.</command-args>",
            "Ada prefers tea.",
        ),
        ("<command-name>/clear</command-name><command-args>Ada prefers tea.</command-args>", ""),
        ("This session is being continued from a previous conversation. Ada prefers tea.", ""),
    ],
)
def test_what_a_person_typed_is_told_from_what_programs_put_around_it(text: str, typed: str) -> None:
    assert typed_text(text) == typed


def test_codex_items_and_the_events_beside_them_are_one_message_each() -> None:
    rows = [
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Hello there"}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": item("UserMessage", "u", "Hello there")}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": item("AgentMessage", "a", "Hello.")}},
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "Hello."}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Hello there"}},
    ]
    said = read_record("codex", b"\n".join(json.dumps(row).encode() for row in rows)).said
    assert [(message.text, message.id) for message in said] == [
        ("Hello there", "u"),
        ("Hello.", "a"),
        ("Hello there", ""),
    ]


def item(kind: str, name: str, text: str) -> dict[str, object]:
    return {"type": kind, "id": name, "content": [{"type": "text", "text": text}]}


def test_what_another_agent_tells_a_codex_agent_is_nobodys_word() -> None:
    rows = [
        {"type": "session_meta", "payload": {"thread_source": "subagent", "cli_version": "0.166.0"}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": item("UserMessage", "u", "Do it.")}},
    ]
    assert read_record("codex", b"\n".join(json.dumps(row).encode() for row in rows)).said == []


# A format that is not understood


def checks(person: Path) -> list[Check]:
    return [check for check in doctor(str(person / ".holdfast"), "main") if check.name == "hooks"]


def end_session(person: Path, client: str, path: str) -> None:
    sent = json.dumps({"session_id": "talk", "transcript_path": path}).encode()
    ran = process("hook", "session-end", "--client", client, "--wait", stdin=sent)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def hook_log(person: Path) -> str:
    return (person / ".holdfast" / "state" / "hooks.log").read_text(encoding="utf-8")


def test_a_record_that_is_not_understood_is_a_line_in_the_log_and_a_warning_of_doctor(person: Path) -> None:
    Memory.open().close()
    data = recorded("codex").replace(b'"item_completed"', b'"item_finished"')
    path = placed(person, "codex", data)
    end_session(person, "codex", path)
    (line,) = [line for line in hook_log(person).splitlines() if "is not understood" in line]
    assert "codex 0.166.0" in line
    assert path in line
    (check,) = checks(person)
    assert not check.ok
    assert "codex 0.166.0" in check.detail
    assert path in check.detail
    # One that is understood again takes the warning back.
    placed(person, "codex", recorded("codex"))
    end_session(person, "codex", path)
    assert [check.ok for check in checks(person)] == [True]


def test_doctor_does_not_call_kept_what_was_not(person: Path) -> None:
    Memory.open().close()
    end_session(person, "codex", str(person / "no" / "such.jsonl"))
    (check,) = checks(person)
    assert not check.ok


@pytest.mark.parametrize("data", [b"SQLite format 3\0 and so on", b"plain words\n"])
def test_a_record_that_is_no_json_at_all_is_not_passed_over_in_silence(person: Path, data: bytes) -> None:
    Memory.open().close()
    for client in CLIENTS:
        end_session(person, client, placed(person, client, data))
    assert Counter(check.ok for check in checks(person)) == {False: 3}


def test_a_prompt_that_was_typed_and_is_not_in_the_record_shows_that_it_is_not_understood(person: Path) -> None:
    Memory.open().close()
    sent = json.dumps({"session_id": "talk", "prompt": "Which boat comes next week?"}).encode()
    process("hook", "user-prompt", "--client", "gemini-cli", "--deadline", "100", stdin=sent)
    path = placed(person, "gemini-cli", b'{"speaker":"person","words":"Which boat comes next week?"}\n')
    end_session(person, "gemini-cli", path)
    assert "is not understood" in hook_log(person)


def test_a_session_in_which_nobody_said_anything_is_understood(person: Path) -> None:
    Memory.open().close()
    rows = {
        "claude-code": b'{"type":"mode","mode":"normal"}\n{"type":"queue-operation","operation":"enqueue"}\n',
        "codex": recorded("codex").splitlines(keepends=True)[0],
        "gemini-cli": b"".join(recorded("gemini-cli").splitlines(keepends=True)[:2]),
    }
    for client, data in rows.items():
        end_session(person, client, placed(person, client, data))
    assert all(check.ok for check in checks(person))


def row_of(**row: object) -> bytes:
    return json.dumps(row).encode() + b"\n"


STRANGE = {
    "claude-code": (
        row_of(type="speech", message={"role": "assistant", "content": [{"type": "text", "text": "The pilot."}]}),
        "speech 2",
    ),
    "codex": (
        row_of(
            type="event_msg", payload={"type": "item_completed", "item": {"type": "Speech", "content": "The pilot."}}
        ),
        "event_msg/item_completed/Speech 2",
    ),
    "gemini-cli": (row_of(type="speech", text="The pilot."), "speech 2"),
}
HARMLESS = {
    "claude-code": row_of(type="lantern-state", lantern={"lit": True}, uuid="a-b-c"),
    "codex": row_of(type="event_msg", payload={"type": "lantern_lit", "call_id": "c", "aggregated_output": "a b c"}),
    "gemini-cli": row_of(type="lantern", lit=True),
}
ANSWERS_RENAMED = {
    "claude-code": (b'"type":"assistant"', b'"type":"speech"', "speech"),
    "codex": (b'"type":"AgentMessage"', b'"type":"Speech"', "event_msg/item_completed/Speech"),
    "gemini-cli": (b'"type":"gemini"', b'"type":"speech"', "speech"),
}


@pytest.mark.parametrize("client", CLIENTS)
def test_rows_of_an_unknown_type_that_hold_words_are_named_and_counted_by_doctor(person: Path, client: str) -> None:
    Memory.open().close()
    strange, named = STRANGE[client]
    path = placed(person, client, recorded(client) + 2 * strange + HARMLESS[client])
    end_session(person, client, path)
    (line,) = [line for line in hook_log(person).splitlines() if "is not understood" in line]
    assert "9 messages, 1 fact, wrote memory/sessions/" in line
    (check,) = checks(person)
    assert not check.ok
    assert client in check.detail
    assert named in check.detail
    assert "lantern" not in check.detail


@pytest.mark.parametrize(
    ("client", "row"),
    [
        (
            "codex",
            row_of(type="event_msg", payload={"type": "message_done", "msg": {"who": "user", "said": "hi there"}}),
        ),
        ("claude-code", row_of(type="turn", who="user", said="hi there friend")),
        ("claude-code", row_of(type="turn", who="user", said=["安娜早上喝茶"])),
        ("gemini-cli", row_of(type="turn", body={"lines": ["Which ferry do we take?"]})),
    ],
)
def test_words_in_rows_of_an_unknown_type_are_noticed_under_whatever_name(
    person: Path, client: str, row: bytes
) -> None:
    Memory.open().close()
    end_session(person, client, placed(person, client, row))
    (check,) = checks(person)
    assert not check.ok


@pytest.mark.parametrize("client", CLIENTS)
def test_a_row_of_an_unknown_type_without_words_is_no_warning(person: Path, client: str) -> None:
    Memory.open().close()
    end_session(person, client, placed(person, client, recorded(client) + HARMLESS[client]))
    assert [check.ok for check in checks(person)] == [True]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_record_whose_answers_are_of_another_type_now_is_understood_in_part(person: Path, client: str) -> None:
    Memory.open().close()
    data = recorded(client).replace(*ANSWERS_RENAMED[client][:2])
    assert data != recorded(client)
    end_session(person, client, placed(person, client, data))
    (check,) = checks(person)
    assert not check.ok
    assert "no answers" in check.detail
    assert f"{ANSWERS_RENAMED[client][2]} " in check.detail


def test_questions_that_nobody_answers_and_answers_that_nobody_asked_for_are_told(person: Path) -> None:
    def fault(*kinds: str) -> str:
        rows = (row_of(type=kind, message={"content": f"Row {number}."}) for number, kind in enumerate(kinds))
        return read_record("claude-code", b"".join(rows)).fault

    assert fault("user") == fault("user", "assistant") == fault("assistant") == ""
    assert fault("user", "user") == "no answers in it"
    assert fault("assistant", "assistant") == "no messages of the user in it"


def test_a_session_that_only_a_command_began_lacks_nothing() -> None:
    command = "<command-name>/init</command-name><command-args></command-args>"
    rows = [
        row_of(type="user", message={"content": command}),
        row_of(type="assistant", message={"content": "Let me look."}),
        row_of(type="assistant", message={"content": "Done."}),
    ]
    record = read_record("claude-code", b"".join(rows))
    assert len(record.said) == 2
    assert record.fault == ""


def test_a_tool_was_called_between_two_questions_and_nothing_is_missing() -> None:
    call = [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]
    kinds = [("user", "Do it."), ("assistant", call), ("user", "And that."), ("assistant", call)]
    rows = (row_of(type=kind, message={"content": content}) for kind, content in kinds)
    assert read_record("claude-code", b"".join(rows)).fault == ""


def test_a_deeply_nested_row_of_an_unknown_type_stops_nobody() -> None:
    deep = b'{"type":"speech","content":' + b"[" * 900 + b'"words"' + b"]" * 900 + b"}\n"
    assert len(read_record("claude-code", recorded("claude-code") + deep).said) == len(SAID)


# A compaction that is announced and does not come


def test_no_model_is_asked_again_where_nothing_was_said_since_the_last_compaction(person: Path) -> None:
    model = ScriptedModel(always="NO_REPLY")
    said = read_record("claude-code", recorded("claude-code")).said
    with Memory.open() as memory, memory.session("claude-code:talk") as session:
        follow_before_compaction(session, said, model)
        asked = len(model.requests)
        again = follow_before_compaction(session, said, model)
        assert (len(model.requests), again.because) == (asked, "nothing was said since the last silent turn")


def test_gemini_announces_a_compaction_before_every_request_and_no_model_is_asked_for_it(person: Path) -> None:
    model = ScriptedModel(always="NO_REPLY")
    rows = recorded("gemini-cli").splitlines(keepends=True)
    with Memory.open() as memory, memory.session("gemini-cli:talk") as session:
        for end in range(1, len(rows) + 1):
            follow_before_compaction(session, read_record("gemini-cli", b"".join(rows[:end])).said, model, force=False)
        assert model.requests == []
        assert len(session.messages()) == len(SAID)


def test_an_announced_compaction_of_a_short_conversation_starts_no_process(person: Path) -> None:
    Memory.open().close()
    path = placed(person, "gemini-cli", recorded("gemini-cli"))

    def announce(trigger: str) -> None:
        sent = json.dumps({"session_id": "talk", "transcript_path": path, "trigger": trigger}).encode()
        ran = process("hook", "PreCompress", "--client", "gemini-cli", "--wait", stdin=sent)
        assert (ran.returncode, ran.stderr) == (0, b"")

    announce("auto")
    with Memory.open() as memory:
        assert memory.sessions() == []
    announce("manual")
    with Memory.open() as memory:
        assert [session.key for session in memory.sessions()] == ["gemini-cli:talk"]


# Where memory is off


@pytest.mark.parametrize(
    ("client", "mode"),
    [
        ("claude-code", "frozen-at-session-start"),
        ("claude-code", "live-reload"),
        ("codex", "frozen-at-session-start"),
        ("gemini-cli", "frozen-at-session-start"),
    ],
)
def test_hooks_leave_no_session_where_memory_is_off(person: Path, client: str, mode: str) -> None:
    home = person / ".holdfast"
    home.mkdir()
    (home / "holdfast.toml").write_text(f'memory.style = "off"\nchat.prompt_memory_mode = "{mode}"\n')
    path = placed(person, client, recorded(client))
    for event, more in (
        ("session-start", {"source": "startup"}),
        ("user-prompt", {"prompt": "Which boat comes next week?"}),
        ("pre-compact", {"transcript_path": path, "trigger": "manual"}),
        ("session-start", {"source": "compact"}),
        ("session-end", {"transcript_path": path}),
    ):
        sent = json.dumps({"session_id": "talk", **more}).encode()
        ran = process("hook", event, "--client", client, "--wait", stdin=sent)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    with Memory.open() as memory:
        assert memory.sessions() == []
        assert memory.ctx.state_store.get("main", f"{client}:talk", "follow", "prompts") is None
    assert not list((home / "sessions").rglob("*.jsonl"))


def test_a_server_keeps_no_prompt_where_memory_is_off(person: Path) -> None:
    from surfaces.http.serving import served

    home = person / ".holdfast"
    home.mkdir()
    (home / "holdfast.toml").write_text('memory.style = "off"\n')
    with served(home) as web:
        body = {"message": "Which boat comes next week?", "typed": True}
        assert web.call("POST", "/api/v1/sessions/codex%3Atalk/recall", body).status == 200
    with Memory.open() as memory:
        assert memory.sessions() == []
