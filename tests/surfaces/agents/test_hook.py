"""`holdfast hook`: an answer in the client's own words, in time, or nothing at all; never an error for its user."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fork_server
import pytest
from commandline import SCRIPT, process
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory, Origin
from holdfast.llm.chat_model import Answer, Role, ToolCall
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.operations.hook_log import note_hook
from holdfast.sessions.session_follow import RecordMessage, follow_before_compaction
from holdfast.surfaces.agents.hook_actions import Task, answer_hook
from holdfast.surfaces.agents.hook_events import HOOKED, Event, Moment, event_of, moment_in
from holdfast.surfaces.agents.server_request import Server, server_of
from holdfast.surfaces.http.server_file import RunningServer, announce_server

TOKEN = "t0ken-of-a-test-that-nobody-else-knows"
ASKED = {"session_id": "abc", "prompt": "what is the office wifi called?", "cwd": "/", "hook_event_name": "X"}
START = {"session_id": "new", "source": "startup"}


@pytest.fixture
def filled(person: Path) -> Path:
    """A home in which something is remembered."""
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("The launch of Kestrel moved to 3 March")
        memory.save("The office wifi is called heron-net", file="memory/wifi.md")
    return person / ".holdfast"


def hook(event: str, client: str, sent: object, *options: str) -> str:
    """What a hook prints; whatever happens, its status is 0 and it says nothing else. It has time, on any machine."""
    options = options if "--deadline" in options else (*options, "--deadline", "100")
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    ran = process("hook", event, "--client", client, *options, stdin=data)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == b""
    return ran.stdout.decode()


def log(filled: Path) -> str:
    return (filled / "state" / "hooks.log").read_text(encoding="utf-8")


def test_a_prompt_is_answered_as_each_client_wants_it(filled: Path) -> None:
    for client in ("claude-code", "codex", "gemini-cli"):
        name = "BeforeAgent" if client == "gemini-cli" else "UserPromptSubmit"
        said = json.loads(hook("user-prompt", client, ASKED))
        assert list(said) == ["hookSpecificOutput"]
        assert list(said["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
        assert said["hookSpecificOutput"]["hookEventName"] == name
        assert "heron-net" in said["hookSpecificOutput"]["additionalContext"]
    said = json.loads(hook("beforeSubmitPrompt", "cursor", {"conversation_id": "abc", "prompt": ASKED["prompt"]}))
    assert said["continue"] is True
    assert "| The office wifi is called heron-net\n</memory-" in said["additional_context"]


def test_a_new_session_is_told_the_prompt_memory(filled: Path) -> None:
    for event, client in (("session-start", "claude-code"), ("SessionStart", "codex"), ("SessionStart", "gemini-cli")):
        said = json.loads(hook(event, client, {"session_id": client, "source": "startup"}))["hookSpecificOutput"]
        assert said["hookEventName"] == "SessionStart"
        assert "The launch of Kestrel moved to 3 March" in said["additionalContext"]
    said = json.loads(hook("sessionStart", "cursor", {"session_id": "abc"}))
    assert "Kestrel" in said["additional_context"]


def test_no_more_is_said_than_a_client_takes_as_it_is(filled: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("\n".join(f"- decision {number}: heron over crane" for number in range(900)), append=True)
    said = json.loads(hook("session-start", "claude-code", {"session_id": "abc"}))
    text = said["hookSpecificOutput"]["additionalContext"]
    assert 5000 < len(text) <= HOOKED["claude-code"].most
    assert text.count("<long-term-memory-") - text.count("<long-term-memory-…>") == 1


def test_after_a_compaction_the_memory_is_read_anew(filled: Path) -> None:
    (filled / "holdfast.toml").write_text('[chat]\nprompt_memory_mode = "frozen-at-session-start"\n')
    hook("session-start", "claude-code", {"session_id": "abc", "source": "startup"})
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("The launch moved again, to 4 April")
    assert "4 April" not in hook("session-start", "claude-code", {"session_id": "abc", "source": "resume"})
    assert "4 April" in hook("session-start", "claude-code", {"session_id": "abc", "source": "compact"})


@pytest.mark.parametrize("deadline", ["abc", "nan", ""])
def test_a_deadline_that_is_no_number_is_logged_and_the_default_holds(filled: Path, deadline: str) -> None:
    # Not a prompt that is looked up: the default is short, and this machine may be busy.
    assert hook("user-prompt", "claude-code", {"session_id": "abc", "prompt": "ok"}, "--deadline", deadline) == ""
    (line,) = log(filled).splitlines()
    assert line.endswith(f"claude-code user-prompt: --deadline {deadline!r} is not a number of seconds; it has 2 s")


@pytest.mark.parametrize("prompt", ["ok", "thanks!", "👍", "/compact", "yes, go ahead", ""])
def test_a_prompt_that_says_nothing_recalls_nothing_and_opens_nothing(prompt: str, filled: Path) -> None:
    assert hook("user-prompt", "claude-code", {"session_id": "abc", "prompt": prompt}) == ""
    with Memory.open() as memory:
        assert memory.sessions() == []


@pytest.mark.parametrize(
    "sent", [b"", b"garbage", b"[1]", b"{}", b'{"session_id": 3}', b"[" * 5000, b"\xff", b'{"session_id": "\\u0000"}']
)
def test_whatever_comes_in_the_user_is_not_stopped(sent: bytes, filled: Path) -> None:
    for event in Event:
        assert hook(event, "claude-code", sent) == ""


@pytest.mark.parametrize("sent", [{}, {"session_id": 3}, {"session_id": "a\0b"}, {"session_id": "a\ud800b"}])
def test_a_conversation_without_a_usable_name_is_written_down(sent: dict[str, object], filled: Path) -> None:
    for event in Event:
        assert hook(event, "claude-code", {"prompt": ASKED["prompt"], **sent}) == ""
    assert log(filled).count("no session_id came") == len(Event)


def test_an_unknown_event_or_client_says_nothing_and_is_written_down(filled: Path) -> None:
    assert hook("NoSuchEvent", "claude-code", ASKED) == ""
    assert hook("user-prompt", "no-such-client", ASKED, "--deadline", "soon") == ""
    assert log(filled).count("there is no such") == 2


def test_without_a_home_nothing_is_said_and_none_is_made(person: Path) -> None:
    for event in Event:
        assert hook(event, "claude-code", ASKED) == ""
    assert list(person.iterdir()) == []


def test_a_damaged_home_is_no_reason_to_stop_anybody(filled: Path) -> None:
    (filled / "holdfast.toml").write_text("this is = = not toml")
    assert hook("user-prompt", "claude-code", ASKED) == ""
    assert "UnreadableSettings" in log(filled)
    assert "wifi" not in log(filled)


def test_a_hook_gives_up_at_its_deadline(filled: Path) -> None:
    read, write = os.pipe()  # a client that never ends what it sends
    command = [sys.executable, "-c", SCRIPT, "hook", "user-prompt", "--deadline", "0.2"]
    ran = subprocess.run(command, stdin=read, capture_output=True, timeout=30, check=False)
    os.close(read)
    os.close(write)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert "gave up after 0.2 s" in log(filled)


def test_the_log_never_grows_beyond_its_size(filled: Path) -> None:
    for _ in range(600):
        note_hook(str(filled), "claude-code", "user-prompt", "x" * 900)
    assert len(log(filled)) <= 256 * 1024
    assert set(log(filled).splitlines()[1][-900:]) == {"x"}


@contextmanager
def scripted(filled: Path, status: int, answer: object, url: str = "http://127.0.0.1:{port}") -> Iterator[list[Any]]:
    """A server of the home that gives one answer; what it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, json.loads(body), self.headers["Authorization"], self.headers["Content-Type"]))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        told = RunningServer(url.format(port=server.server_address[1]), os.getpid())
        (filled / "state" / "token").write_text(TOKEN)
        try:
            with announce_server(str(filled), told):
                yield asked
        finally:
            server.shutdown()
            thread.join()


def test_a_running_server_is_asked_with_the_token_of_the_home(filled: Path) -> None:
    with scripted(filled, 200, {"text": "from the server"}) as asked:
        assert "from the server" in hook("user-prompt", "claude-code", ASKED, "--agent", "main")
        assert "from the server" in hook("session-start", "codex", {"session_id": "a/b", "source": "compact"})
    bearer, kind = f"Bearer {TOKEN}", "application/json"
    where = "/api/v1/sessions"
    assert asked == [
        (
            f"{where}/claude-code%3Aabc/recall?agent=main&channel=claude-code",
            {"message": ASKED["prompt"], "typed": True},
            bearer,
            kind,
        ),
        (f"{where}/codex%3Aa%2Fb/refresh?agent=main", {}, bearer, kind),
        (f"{where}/codex%3Aa%2Fb/prompt?agent=main&channel=codex", {}, bearer, kind),
    ]
    assert TOKEN not in repr(Server("127.0.0.1", 1, TOKEN))


@pytest.mark.parametrize("status", [401, 421, 500, 200])
def test_where_the_server_does_not_help_the_hook_does_it_itself(status: int, filled: Path) -> None:
    with scripted(filled, status, ["nothing of use"]) as asked:
        assert "heron-net" in hook("user-prompt", "claude-code", ASKED)
        assert len(asked) == 1
    # Nobody listens any more, and the file is still there.
    assert "heron-net" in hook("user-prompt", "claude-code", ASKED)
    assert TOKEN not in log(filled) if (filled / "state" / "hooks.log").exists() else True


def test_a_server_that_takes_the_connection_and_never_answers_leaves_time_to_do_it_here(filled: Path) -> None:
    (filled / "state" / "token").write_text(TOKEN)
    (filled / "state" / "token").chmod(0o600)
    # The system takes the connection for it, as it does for a server that was stopped.
    with socket.create_server(("127.0.0.1", 0)) as stuck:
        told = RunningServer(f"http://127.0.0.1:{stuck.getsockname()[1]}", os.getpid())
        with announce_server(str(filled), told):
            moment = Moment("abc", str(ASKED["prompt"]))
            task = Task(
                Event.USER_PROMPT, "claude-code", moment, str(filled), "main", time.monotonic() + 6, threading.Lock()
            )
            assert "heron-net" in answer_hook(task)
            assert server_of(str(filled)) is not None


def test_what_is_logged_on_the_way_is_written_down_and_not_said_to_the_user(filled: Path) -> None:
    with scripted(filled, 200, {"text": "from the server"}):
        (filled / "state" / "token").chmod(0o644)
        assert "from the server" in hook("user-prompt", "claude-code", ASKED)
        assert stat.S_IMODE((filled / "state" / "token").stat().st_mode) == 0o600
    assert "0644" in log(filled)
    assert TOKEN not in log(filled)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1.evil.example:{port}", "http://192.0.2.7:{port}", "https://127.0.0.1"]
)
def test_the_token_goes_to_this_machine_only(url: str, filled: Path) -> None:
    with scripted(filled, 200, {"text": "from the server"}, url) as asked:
        assert "heron-net" in hook("user-prompt", "claude-code", ASKED)
        assert asked == []


def test_the_real_server_gives_the_answer_that_the_hook_gives_alone(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("uvicorn")
    monkeypatch.setenv("HOLDFAST_MEMORY_RECALL_DEADLINE_MS", "60000")  # the server has time as well
    alone = hook("user-prompt", "claude-code", ASKED), hook("session-start", "claude-code", START)
    command = [*fork_server.command(SCRIPT), "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            ready, _, _ = select.select([server.stdout], [], [], 60)
            assert ready
            server.stdout.readline()
            assert (filled / "state" / "server.json").exists()
            with_server = hook("user-prompt", "claude-code", ASKED), hook("session-start", "claude-code", START)
            found = server_of(str(filled))
            assert found is not None
            line = HTTPConnection(found.host, found.port)
            line.request("GET", "/metrics", headers={"Authorization": f"Bearer {found.token}"})
            counted = line.getresponse().read().decode()
            line.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)
    assert re.search(r'recall".* 1(\.0)?\n', counted)
    for one, other in zip(alone, with_server, strict=True):
        assert without_nonces(one) == without_nonces(other)


def without_nonces(text: str) -> str:
    return re.sub(r"memory-[0-9a-f]{12}", "memory-", text)


def claude_record(person: Path) -> dict[str, str]:
    path = person / ".claude" / "projects" / "app" / "abc.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"type": "user", "message": {"role": "user", "content": "I prefer tabs over spaces."}},
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "I am Mallory"}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Tabs it is."}]}},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return {"session_id": "abc", "transcript_path": str(path), "reason": "exit", "trigger": "auto"}


def test_before_a_compaction_what_was_said_is_kept_once(filled: Path, person: Path) -> None:
    for _ in range(2):
        assert hook("PreCompact", "claude-code", claude_record(person), "--wait") == ""
    with Memory.open() as memory, memory.session("claude-code:abc") as session:
        assert [(entry.role, entry.text) for entry in session.messages()] == [
            (Role.USER, "I prefer tabs over spaces."),
            (Role.ASSISTANT, "Tabs it is."),
        ]
        assert session.channel == "claude-code"
    assert "2 messages" in log(filled)
    assert "0 messages" in log(filled)


def test_at_the_end_of_a_session_it_is_written_down_as_a_note(filled: Path, person: Path) -> None:
    assert hook("session-end", "claude-code", claude_record(person), "--wait") == ""
    (note,) = (filled / "memory" / "sessions").iterdir()
    assert "I prefer tabs over spaces." in note.read_text()
    assert "Mallory" not in note.read_text()
    assert f"wrote memory/sessions/{note.name}" in log(filled)


def test_hooks_of_one_session_that_are_called_at_once_notice_a_fact_once(filled: Path, person: Path) -> None:
    sent = json.dumps(claude_record(person)).encode()
    command = [*fork_server.command(SCRIPT), "hook", "session-end", "--client", "claude-code", "--wait"]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(4)]
    for one in running:
        assert one.stdin is not None
        with one.stdin:
            one.stdin.write(sent)
    assert [one.wait(120) for one in running] == [0] * 4
    with Memory.open() as memory:
        listed = {fact.text: fact.reinforced for fact in memory.facts.list(limit=100).facts}
    assert listed == {"I prefer tabs over spaces": 0}


def test_a_file_that_is_no_record_is_not_kept(filled: Path, person: Path) -> None:
    secret = person / "secret.jsonl"
    secret.write_text('{"type":"user","message":{"role":"user","content":"a diary"}}\n')
    sent = {"session_id": "abc", "transcript_path": str(secret)}
    assert hook("session-end", "claude-code", sent, "--wait") == ""
    assert "BadArgument" in log(filled)
    assert not (filled / "memory" / "sessions").exists()


def test_keeping_is_left_to_a_process_that_nobody_waits_for(filled: Path, person: Path) -> None:
    from watchfiles import watch

    seen = threading.Event()
    (filled / "memory" / "sessions").mkdir()
    changes = watch(
        filled / "memory" / "sessions", step=50, rust_timeout=60_000, stop_event=seen, yield_on_timeout=True
    )
    assert hook("session-end", "claude-code", claude_record(person)) == ""
    written = filled / "memory" / "sessions"
    while not list(written.glob("*.md")):
        next(changes)
    assert "Tabs it is." in next(written.glob("*.md")).read_text()


def test_the_silent_turn_sees_what_is_new_and_then_the_session_is_short(filled: Path) -> None:
    call = ToolCall("c1", "memory_save", {"content": "- prefers tabs", "file": "memory/2026-11-15.md"})
    model = ScriptedModel(Answer("", (call,)), "NO_REPLY", always="NO_REPLY")
    with Memory.open() as memory, memory.session("claude-code:abc") as session:
        said = [RecordMessage(Role.USER, "I prefer tabs over spaces."), RecordMessage(Role.ASSISTANT, "Tabs it is.")]
        kept = follow_before_compaction(session, said, model)
        assert kept.because == ""
        assert session.transcript.cycle == 1
        again = follow_before_compaction(session, [*said, RecordMessage(Role.USER, "And four of them.")], model)
        assert again.added == 1
        asked = " ".join(message.text for message in model.requests[-1].messages)
    assert "And four of them." in asked


def test_every_client_names_every_event_and_ours_are_understood_too() -> None:
    for hooked in HOOKED.values():
        assert {event_of(name) for name in hooked.names.values()} == set(Event)
        for event in Event:
            assert hooked.answer(event, "") == ""
            json.loads(hooked.answer(event, "a \u2028 b"))
            assert hooked.seconds(event) >= 3
    assert HOOKED["codex"].seconds(Event.SESSION_END) == 3  # it shows an error where more are asked for
    assert [event_of(event) for event in Event] == list(Event)


@settings(deadline=None)
@given(
    st.binary(max_size=200)
    | st.dictionaries(st.text(), st.text() | st.integers()).map(lambda v: json.dumps(v).encode())
)
def test_what_a_client_sends_is_read_or_refused(data: bytes) -> None:
    try:
        moment = moment_in(data)
    except ValueError:
        return
    assert all(isinstance(value, str) for value in moment)
