"""Do the work of a hook: recall for a prompt, memory for a new session, and keeping what was said before it goes."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING

from holdfast.named_tuple import NamedTuple
from holdfast.operations.hook_log import GAVE_UP, NOT_UNDERSTOOD, note_hook
from holdfast.surfaces.agents.hook_events import HOOKED, Event, Moment
from holdfast.surfaces.agents.server_request import ask, has_server_file, server_of

if TYPE_CHECKING:
    from holdfast.sessions.conversation import Session
    from holdfast.settings.settings import Settings
    from holdfast.surfaces.agents.client_messages import ClientRecord

__all__ = ["KEEPING", "Task", "answer_hook", "keep_record", "left_to_a_child", "may_be_shortened", "says_nothing"]

KEEPING = (Event.PRE_COMPACT, Event.SESSION_END)
"""Events that nobody waits for an answer to."""

_SPARE = 0.2  # seconds for what comes after the search


class Task(NamedTuple):
    """One call of a hook, and until when it has to be done, by the clock of this process.

    Whoever takes `no_time` first writes down that there was none left, so that a prompt has one line for that.
    """

    event: Event
    client: str
    moment: Moment
    home: str
    agent: str
    until: float
    no_time: threading.Lock

    @property
    def left(self) -> float:
        """Seconds."""
        return self.until - time.monotonic()

    @property
    def key(self) -> str:
        """The session that this conversation is."""
        return f"{self.client}:{self.moment.session}"


def says_nothing(prompt: str) -> bool:
    """Say whether there is nothing to look up for a prompt: "ok", "thanks", a command."""
    from holdfast.recall.trivial_message import trivial_reason

    return bool(trivial_reason(prompt))


def answer_hook(task: Task) -> str:
    """The text for the model's context; empty where there is nothing to say."""
    # A hook does not make a home: where there is none, nothing was ever remembered.
    if not os.path.isdir(task.home) or not _has_session(task):
        return ""
    text = _ask_server(task)
    return _answer_here(task) if text is None else text


def keep_record(task: Task) -> str:
    """Keep what was said in a conversation; return what became of it, in one line, empty where there is no record."""
    from holdfast.approval.typed_prompts import prompts_in
    from holdfast.guard.origin import Origin
    from holdfast.llm.chat_model import Role
    from holdfast.memory import Memory
    from holdfast.sessions.session_follow import follow_at_end, follow_before_compaction
    from holdfast.surfaces.agents.transcripts import read_transcript

    if not _has_session(task) or not task.moment.transcript:
        return ""
    record = read_transcript(task.client, task.moment.transcript)
    with (
        Memory.open(task.home, task.agent, origin=Origin.API) as memory,
        memory.session(task.key, channel=task.client) as session,
    ):
        fault = record.fault
        if not fault and not any(message.role is Role.USER for message in record.said):
            typed = sum(1 for _ in prompts_in(memory.ctx, task.key))
            if typed:
                fault = f"none of the {typed} prompts in it that were typed"
            else:
                fault = ""
        kept = None
        if record.said and task.event is Event.PRE_COMPACT:
            kept = follow_before_compaction(session, record.said, force=not _only_announced(task))
        elif record.said:
            kept = follow_at_end(session, record.said)
    outcome = kept.line if kept is not None else ""
    if fault:
        return f"{_fault_line(task, record, fault)}; {outcome or 'nothing of it was kept'}"
    return outcome


def may_be_shortened(task: Task) -> bool:
    """Say whether there can be anything to do before a conversation is shortened; no where it is too short for that.

    Gemini CLI asks before every request to its model. Its record outlasts a compaction, so that nothing is lost by
    keeping it at the end of the session, and a token of it has a byte at least.
    """
    from holdfast.guard.paths import agent_id
    from holdfast.llm.chat_model import DEFAULT_WINDOW
    from holdfast.sessions.flush_threshold import limit_of
    from holdfast.settings.loader import load

    if task.event is not Event.PRE_COMPACT or not _only_announced(task):
        return True
    settings = load(task.home, agent_id(task.agent)).settings
    compaction, flush = settings.compaction, settings.memory_flush
    window = compaction.context_window or DEFAULT_WINDOW
    limit = limit_of(window, compaction.reserve_tokens_floor, flush.soft_threshold_tokens)
    try:
        size = os.stat(task.moment.transcript).st_size
    except OSError:
        return False
    return size >= min(limit, flush.transcript_bytes)


def left_to_a_child(task: Task) -> None:
    """Let a process of its own do it, which ends by itself: a client that shuts down waits for a second and a half."""
    import subprocess

    if not _has_session(task) or not task.moment.transcript:
        return
    words = ["hook", task.event.value, "--client", task.client, "--wait", "--home", task.home, "--agent", task.agent]
    moment = task.moment
    sent = {"session_id": moment.session, "transcript_path": moment.transcript, "trigger": moment.trigger}
    # -P and another directory: a project may hold a file called holdfast.py.
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "holdfast", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    assert child.stdin is not None
    with child.stdin:
        child.stdin.write(json.dumps(sent).encode())
    child.returncode = 0  # nobody waits for it, and nothing is to warn that nobody does


def _only_announced(task: Task) -> bool:
    """Say whether the client may not shorten the conversation at all."""
    return HOOKED[task.client].compacts_seldom and task.moment.trigger != "manual"


def _fault_line(task: Task, record: ClientRecord, fault: str) -> str:
    if record.version:
        version = f" {record.version}"
    else:
        version = ""
    return f"the record of {task.client}{version} {NOT_UNDERSTOOD}: {fault} ({task.moment.transcript})"


def _has_session(task: Task) -> bool:
    """Say whether the client says which conversation it is.

    Where it does not, nobody would know why nothing happens.
    """
    if not task.moment.session:
        why = "no session_id came, or one that is no short printable text; nothing was looked up or kept"
        note_hook(task.home, task.client, task.event, why)
    return bool(task.moment.session)


def _ask_server(task: Task) -> str | None:
    """Return what a running server says; None where there is none, where it can't, or where it says more than fits."""
    if not has_server_file(task.home):
        return None
    _listen(task)
    server = server_of(task.home)
    if server is None:
        return None
    agent, who = {"agent": task.agent}, {"agent": task.agent, "channel": task.client}
    # Half of the time: a server that takes the connection and never answers must leave enough to do it here.
    end = task.until - task.left / 2
    try:
        if task.event is Event.USER_PROMPT:
            body = {"message": task.moment.prompt, "typed": not task.moment.subagent}
            said = ask(server, task.key, "recall", body, who, end - time.monotonic())
            _note_skipped(task, said.get("skipped"))
        else:
            if task.moment.source == "compact":  # what was frozen has just left the model's sight
                ask(server, task.key, "refresh", {}, agent, end - time.monotonic())
            said = ask(server, task.key, "prompt", {}, who, end - time.monotonic())
    except (OSError, ValueError, RecursionError):
        return None
    text = said.get("text")
    if isinstance(text, str) and len(text) <= HOOKED[task.client].most:
        return text
    return None


def _listen(task: Task) -> None:
    """Log to state/hooks.log too: some clients show their user whatever a hook says on stderr.

    What asks a server logs, and nothing else that a hook does; `logging` takes 7 ms to load.
    """
    import logging

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            note_hook(task.home, task.client, task.event, record.getMessage())

    logging.getLogger("holdfast").addHandler(Noting(logging.WARNING))


def _answer_here(task: Task) -> str:
    """The same in this process."""
    from holdfast.guard.origin import Origin
    from holdfast.guard.paths import agent_id
    from holdfast.memory import Memory
    from holdfast.settings.loader import load

    settings = _hook_settings(load(task.home, agent_id(task.agent)).settings, task)
    with (
        Memory.open(task.home, task.agent, settings, origin=Origin.API) as memory,
        memory.session(task.key, channel=task.client) as session,
    ):
        if task.event is Event.USER_PROMPT:
            if not task.moment.subagent:
                _note_prompt(task, session)
            recalled = session.recall(task.moment.prompt)
            _note_skipped(task, recalled.skipped)
            return recalled.text
        if task.moment.source == "compact":
            session.refresh_prompt()
        return session.prompt().text


def _note_prompt(task: Task, session: Session) -> None:
    """Keep the prompt as the user's own words; where that can't be done, recall goes on all the same."""
    from holdfast.approval.typed_prompts import note_prompt
    from holdfast.errors import HoldfastError

    try:
        note_prompt(session, task.moment.prompt)
    except HoldfastError as error:
        note_hook(task.home, task.client, task.event, f"the prompt was not noted as the user's: {error}")


def _note_skipped(task: Task, why: object) -> None:
    """Write down that there was no time to recall anything; that there is nothing to recall needs no line."""
    if isinstance(why, str) and any(words in why for words in GAVE_UP) and task.no_time.acquire(blocking=False):
        note_hook(task.home, task.client, task.event, f"nothing was recalled: {why}")


def _hook_settings(settings: Settings, task: Task) -> Settings:
    """The settings with no more text than the client takes, and with the time that there is for a cold start."""
    most = min(settings.prompt.max_chars_total, HOOKED[task.client].most)
    milliseconds = int(1000 * (task.left - _SPARE))
    return settings.replace(
        prompt=settings.prompt.replace(max_chars_total=most),
        recall=settings.recall.replace(deadline_ms=max(10, min(60_000, milliseconds))),
    )
