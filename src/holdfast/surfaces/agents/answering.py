"""What a hook does: recall for a prompt, memory for a new session, and keeping what was said before it goes."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from holdfast.surfaces.agents.asking import ask, server_of
from holdfast.surfaces.agents.events import HOOKED, Event, Moment

if TYPE_CHECKING:
    from holdfast.settings.values import Settings
    from holdfast.tools.session_follow import Kept

__all__ = ["KEEPING", "Task", "answered", "kept", "left_to_a_child", "note_down", "says_nothing"]

KEEPING = (Event.PRE_COMPACT, Event.SESSION_END)
"""Events that nobody waits for an answer to."""

_SPARE = 0.2  # seconds for what comes after the search
_LOG = "hooks.log"
_MOST_LOGGED = 256 * 1024


class Task(NamedTuple):
    """One call of a hook, and until when it has to be done, by the clock of this process."""

    event: Event
    client: str
    moment: Moment
    home: str
    agent: str
    until: float

    @property
    def left(self) -> float:
        """Seconds."""
        return self.until - time.monotonic()

    @property
    def key(self) -> str:
        """The session that this conversation is."""
        return f"{self.client}:{self.moment.session}"


def says_nothing(prompt: str) -> bool:
    """Whether there is nothing to look up for a prompt: "ok", "thanks", a command."""
    from holdfast.sessions.trivial import trivial

    return bool(trivial(prompt))


def answered(task: Task) -> str:
    """The text for the model's context; empty where there is nothing to say."""
    # A hook does not make a home: where there is none, nothing was ever remembered.
    if not os.path.isdir(task.home) or not _has_session(task):
        return ""
    text = _far(task)
    return _near(task) if text is None else text


def kept(task: Task) -> Kept | None:
    """Keep what was said in a conversation; None where the client keeps no record of it."""
    from holdfast.guard.origin import Origin
    from holdfast.memory import Memory
    from holdfast.surfaces.agents.transcripts import said_in
    from holdfast.tools.session_follow import at_the_end, before_it_is_shortened

    if not _has_session(task) or not task.moment.transcript:
        return None
    said = said_in(task.client, task.moment.transcript)
    if not said:
        return None
    with (
        Memory.open(task.home, task.agent, origin=Origin.API) as memory,
        memory.session(task.key, channel=task.client) as session,
    ):
        return (before_it_is_shortened if task.event is Event.PRE_COMPACT else at_the_end)(session, said)


def left_to_a_child(task: Task) -> None:
    """Let a process of its own do it, which ends by itself: a client that shuts down waits for a second and a half."""
    import subprocess

    if not _has_session(task) or not task.moment.transcript:
        return
    words = ["hook", task.event.value, "--client", task.client, "--wait", "--home", task.home, "--agent", task.agent]
    sent = {"session_id": task.moment.session, "transcript_path": task.moment.transcript}
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


def note_down(home: str | None, client: str, event: str, what: str) -> None:
    """A line in state/hooks.log, which never grows beyond its size; nothing where that is not possible."""
    from datetime import UTC, datetime

    from holdfast.errors import HoldfastError
    from holdfast.memory import home_of
    from holdfast.notes.log import Log
    from holdfast.notes.workspace import Workspace

    line = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {client} {event}: {what}"
    plain = "".join(one if one.isprintable() else " " for one in line)[:1000].encode("utf-8", "replace")
    try:
        place = home_of(home)
        if not os.path.isdir(place):
            return
        with Workspace.open(place) as workspace:
            log = Log(workspace, ("state",), _LOG)
            if log.append(plain).end > _MOST_LOGGED:
                with log.still() as still:
                    if still is not None:
                        still.rewrite(still.read()[-_MOST_LOGGED // 2 :].partition(b"\n")[2])
    except (HoldfastError, OSError):
        return


def _has_session(task: Task) -> bool:
    """Whether the client says which conversation it is; where it does not, nobody would know why nothing happens."""
    if not task.moment.session:
        why = "no session_id came, or one that is no short printable text; nothing was looked up or kept"
        note_down(task.home, task.client, task.event, why)
    return bool(task.moment.session)


def _far(task: Task) -> str | None:
    """What a running server says; None where there is none, where it can't, or where it says more than fits."""
    server = server_of(task.home)
    if server is None:
        return None
    agent, who = {"agent": task.agent}, {"agent": task.agent, "channel": task.client}
    # Half of the time: a server that takes the connection and never answers must leave enough to do it here.
    end = task.until - task.left / 2
    try:
        if task.event is Event.USER_PROMPT:
            said = ask(server, task.key, "recall", {"message": task.moment.prompt}, who, end - time.monotonic())
        else:
            if task.moment.source == "compact":  # what was frozen has just left the model's sight
                ask(server, task.key, "refresh", {}, agent, end - time.monotonic())
            said = ask(server, task.key, "prompt", {}, who, end - time.monotonic())
    except (OSError, ValueError, RecursionError):
        return None
    text = said.get("text")
    return text if isinstance(text, str) and len(text) <= HOOKED[task.client].most else None


def _near(task: Task) -> str:
    """The same in this process."""
    from holdfast.guard.origin import Origin
    from holdfast.guard.paths import agent_id
    from holdfast.memory import Memory
    from holdfast.settings.load import load

    settings = _fitting(load(task.home, agent_id(task.agent)).settings, task)
    with (
        Memory.open(task.home, task.agent, settings, origin=Origin.API) as memory,
        memory.session(task.key, channel=task.client) as session,
    ):
        if task.event is Event.USER_PROMPT:
            found = session.recall(task.moment.prompt)
            if "deadline_ms" in found.skipped:
                note_down(task.home, task.client, task.event, found.skipped)
            return found.text
        if task.moment.source == "compact":
            session.refresh_prompt()
        return session.prompt().text


def _fitting(settings: Settings, task: Task) -> Settings:
    """The settings with no more text than the client takes, and with the time that there is for a cold start."""
    most = min(settings.prompt.max_chars_total, HOOKED[task.client].most)
    milliseconds = int(1000 * (task.left - _SPARE))
    return settings.replace(
        prompt=settings.prompt.replace(max_chars_total=most),
        recall=settings.recall.replace(deadline_ms=max(10, min(60_000, milliseconds))),
    )
