"""The state of a running server: its memories, its events, its jobs, its figures, and its background work."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress

from holdfast import __version__
from holdfast.context.context import Context
from holdfast.dreaming.report import FOLDER as DREAMS
from holdfast.errors import DatabaseAway, HoldfastError
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.llm.token_usage import Spent
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.operations.write_events import WriteFeed
from holdfast.sessions.conversation import Session
from holdfast.surfaces.http.confirmation import Plans
from holdfast.surfaces.http.credentials import Entry, Visitor
from holdfast.surfaces.http.event_stream import Bus
from holdfast.surfaces.http.jobs import Jobs
from holdfast.surfaces.http.prometheus import Figures, lines_of
from holdfast.surfaces.http.settings_undo import EarlierSettings
from holdfast.surfaces.http.tree_cache import TreeCache
from holdfast.surfaces.http.turn_stream import Turns
from holdfast.surfaces.memory_pool import MemoryPool

__all__ = ["GIVEN", "NamedAgent", "ServerState", "memory_for_origin"]

_MOST_FOLLOWED = 64  # agents whose writes are told of
_MOST_SESSIONS = 1000  # whose spent tokens are remembered


class NamedAgent(NamedTuple):
    """The agent that a request names in its query; None where it names none."""

    agent: str | None


class ServerState:
    """Made once for a server; it opens nothing until something is asked for."""

    def __init__(self, memories: MemoryPool, entry: Entry, url: str = "") -> None:
        self.memories, self.entry, self.url = memories, entry, url
        self.version = __version__
        self.bus = Bus()
        self.jobs = Jobs(memories, self.bus)
        self.turns = Turns()
        self.plans = Plans()
        self.trees = TreeCache()
        self.earlier_settings = EarlierSettings()
        self.figures_of_requests = Figures()
        self.began = time.time()
        self.last_activity = time.time()
        self.stopping = threading.Event()
        self._followed: dict[str, WriteFeed] = {}
        self._spent: dict[tuple[str, str], Spent] = {}
        self._waiting: dict[str, int] = {}
        self._values: Mapping[str, object] | None = None
        memories.on_renewed.append(self._tell_settings)
        self._lock = threading.Lock()

    def stir(self) -> None:
        """A request came: what dreams while nothing happens gives way."""
        self.last_activity = time.time()

    def _tell_settings(self) -> None:
        """Tell which settings of the server's own agent are others than before, whoever changed the file."""
        try:
            values = self.memories.in_force().values
        except HoldfastError:
            return  # they can't be used; what holds is as it was
        before, self._values = self._values, values
        keys = sorted(key for key in values if before is not None and values[key] != before.get(key))
        if keys:
            self.bus.tell("settings", self.memories.agent, {"keys": keys})

    def settings_changed(self) -> None:
        """Whoever asks from now on gets the new settings."""
        self.memories.renew()

    def follow(self, memory: Memory) -> None:
        """Begin to follow what is written, so that what comes next is new."""
        if self._values is None and memory.agent == self.memories.agent:
            self._values = self.memories.in_force().values
        if memory.agent in self._followed or len(self._followed) >= _MOST_FOLLOWED:
            return
        with self._lock, suppress(DatabaseAway):  # whoever only reads can do without
            if memory.agent not in self._followed:
                self._followed[memory.agent] = WriteFeed(memory.ctx.workspace)

    def spend(self, agent: str, session: str, before: Spent, after: Spent) -> None:
        """Add what a turn took, by what the memory that it was taken in had spent before it and after."""
        with self._lock:
            held = self._spent.pop((agent, session), Spent())
            self._spent[agent, session] = held.plus(after.since(before))
            while len(self._spent) > _MOST_SESSIONS:
                del self._spent[next(iter(self._spent))]

    def spent_in(self, agent: str, session: str) -> Spent:
        """Return what the turns of a session took since the server began."""
        with self._lock:
            return self._spent.get((agent, session), Spent())

    def tell_message(self, agent: str, session: str, id: str, role: str) -> None:  # noqa: A002 - its name
        """Tell that something was said in a session; what was said is for those who may ask for it."""
        self.bus.tell("session", agent, {"session": session, "id": id, "role": role})

    def tell_inbox(self, memory: Memory) -> None:
        """Tell how much waits for the owner, where that is not what was told last."""
        from holdfast.operations.inbox_entries import waiting_count

        waiting = waiting_count(memory.ctx)
        if self._waiting.get(memory.agent) != waiting:
            self._waiting[memory.agent] = waiting
            self.bus.tell("inbox", memory.agent, {"waiting": waiting})

    def look(self, agent: str | None, changed: frozenset[str] = frozenset()) -> None:
        """Tell of what was written since the last look; `changed` are notes that a watcher saw change."""
        try:
            with self.memories.memory(agent) as memory:
                followed = self._followed.get(memory.agent)
                if followed is None:
                    return
                written = followed.look(memory.ctx.workspace, changed)
                for change in written:
                    self.bus.tell("write", memory.agent, change.to_json())
                if any(change.path == INBOX or change.path.startswith(DREAMS) for change in written):
                    self.tell_inbox(memory)
        except HoldfastError:
            return  # the next look tells of it

    def stop(self, seconds: float = 5.0) -> None:
        """End the lines of events and the jobs, and close the memories."""
        self.stopping.set()
        self.bus.close()
        self.turns.stop_all(seconds)
        self.jobs.stop(seconds)
        self.memories.close()

    def figures(self) -> str:
        """Everything that Prometheus may want to know."""
        up = {"": time.time() - self.began}
        lines = [
            *lines_of("holdfast_info", "The version that runs.", {self.version: 1}, label="version"),
            *lines_of("holdfast_uptime_seconds", "Seconds since the start.", up),
            *lines_of("holdfast_jobs", "Jobs by state.", self.jobs.counts(), label="state"),
            *lines_of("holdfast_event_listeners", "Lines of events that are open.", {"": self.bus.listeners}),
            *self._index(),
            *self.figures_of_requests.lines(),
        ]
        return "\n".join(lines) + "\n"

    def _index(self) -> list[str]:
        """The sizes of the index; none where there is none yet, because a look must not make one."""
        try:
            with self.memories.memory() as memory:
                ctx = memory.ctx
                counts = None
                if os.path.exists(ctx.index_path):
                    counts = ctx.database.counts()
        except HoldfastError:
            counts = None
        if counts is None:
            return []
        return [
            *lines_of("holdfast_index_notes", "Notes in the index.", counts.by_source, label="source"),
            *lines_of("holdfast_index_chunks", "Chunks in the index.", {"": counts.chunks}),
            *lines_of("holdfast_index_bytes", "Size of the index.", {"": counts.bytes}),
        ]


def memory_for_origin(memory: Memory, origin: Origin) -> Memory:
    """The same open memory, in the name of whoever asks: the owner's browser writes what the owner writes."""
    if origin is memory.ctx.origin:
        return memory
    return Memory(memory.ctx.for_origin(origin))


GIVEN = frozenset((Memory, Context, Session, ServerState, NamedAgent, Visitor))
"""What the server itself gives a route, by the type of its argument."""
