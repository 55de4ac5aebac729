"""QMD for one agent: its home in state/, one question, one update; who asks too much of it is told why not.

`ask` never waits longer than `memory.qmd.timeout_ms`, and after a failure a minute goes by before it tries again.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from holdfast.clock import Clock
from holdfast.errors import Busy, HoldfastError, ProviderFailed
from holdfast.index.sqlite.database import Database
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.qmd.collection import SESSIONS, Collection, collections_of, config_text
from holdfast.qmd.qmd_daemon import Daemon
from holdfast.qmd.qmd_models import missing_models
from holdfast.qmd.qmd_process import FinishedRun, environment, program, run
from holdfast.qmd.qmd_wire import Place, question_line, read_output
from holdfast.qmd.update_record import Fingerprint, UpdateRecord, read_record, write_record
from holdfast.remote.breaker import Breaker
from holdfast.settings.settings import Settings

__all__ = ["Answer", "SessionTexts", "Sidecar"]

SessionTexts = Callable[[], Mapping[str, bytes]]
"""What was said in open sessions, as Markdown by the names of files."""

_REST: Final = 60.0  # seconds after a failure
_UPDATE: Final = 600.0  # seconds that an update in the background may take
_EMBED: Final = 1800.0
_COUNTS: Final = re.compile(rb"Indexed: \d+ new, (\d+) updated, \d+ unchanged, (\d+) removed")


class Answer(NamedTuple):
    """Hits, and whether QMD's models had a part in finding them."""

    places: list[Place]
    by_models: bool


class Sidecar:
    """Runs QMD for one agent; threads may share it."""

    def __init__(
        self, settings: Settings, workspace: Workspace, clock: Clock, texts: SessionTexts | None = None
    ) -> None:
        self._settings, self._workspace, self._clock, self._texts = settings, workspace, clock, texts
        self._breaker = Breaker(clock.monotonic, failures=1, rest=_REST)
        self._fingerprint = Fingerprint()
        if settings.qmd.url is None:
            self._daemon = None
        else:
            self._daemon = Daemon(settings.qmd.url)
        self.stop = threading.Event()
        """Set, it ends whatever runs in the background."""
        self.update_failure = ""
        """Why the last update failed, if it did."""

    # Where things are

    @property
    def place(self) -> str:
        """The directory with its index and its configuration."""
        return f"{self._workspace.state}/qmd/{self._workspace.agent}"

    @property
    def _address(self) -> str:
        """The server or the command that is asked."""
        return self._settings.qmd.command if self._daemon is None else self._daemon.url

    def collections(self) -> list[Collection]:
        """Return what it indexes."""
        wanted = self._texts is not None and self._settings.qmd_sessions.enabled
        sessions = None
        if wanted:
            sessions = f"{self.place}/{SESSIONS}"
        return collections_of(self._settings.qmd, self._workspace, sessions=sessions)

    # Questions

    def ask(self, database: Database, text: str, limit: int, *, update: bool) -> Answer:
        """Return what it finds; with `update`, after an update where its index is behind. Raises ProviderFailed."""
        end = time.monotonic() + self._settings.qmd.timeout_ms / 1000
        line = question_line(text)
        if not any(map(str.isalnum, line)):
            raise ProviderFailed("qmd", "there is no word to look for")
        if self._daemon is None:
            program(self._settings.qmd.command)
        self._refuse_resting()
        try:
            if update and self.is_stale(database):
                self._update_for(database, end)
            answer = None
            if not self.is_stale(database):
                answer = self._asked(line, limit, end)
        except ProviderFailed as failure:
            self._breaker.failed(failure.why)
            with suppress(HoldfastError), self._workspace.job_lock("qmd"):  # who updates just now tells more than this
                self._keep(failed_at=self._clock.now(), failure=failure.why, failed_by=self._address)
            raise
        self._breaker.succeeded()
        if answer is None:
            raise ProviderFailed("qmd", "its index does not have the last changes of the notes yet")
        if not answer.places and not answer.by_models:
            raise ProviderFailed(
                "qmd", f"it has no models ({_name_list(missing_models())}), and no note has all the words"
            )
        return answer

    def _refuse_resting(self) -> None:
        why = self._resting()
        if why or not self._breaker.allows():
            raise ProviderFailed("qmd", why or f"{self._breaker.because}; it is being tried again")

    def _resting(self) -> str:
        """Return why it is left alone for now, by a failure here or in another process; "" where it is not."""
        left, why = self._breaker.rest_seconds(), self._breaker.because
        record = read_record(self._workspace)
        since = self._clock.now() - record.failed_at
        if not left and record.failure and record.failed_by == self._address and 0 <= since < _REST:
            left, why = _REST - since, record.failure
        if not left:
            return ""
        return f"{why}; it is asked again in {left:.0f} s"

    def _asked(self, line: str, limit: int, end: float) -> Answer:
        by_models = not missing_models()
        names = [collection.name for collection in self.collections()]
        if not names:
            raise ProviderFailed("qmd", "it has nothing to index (memory.qmd.include_default_memory, memory.qmd.paths)")
        left = end - time.monotonic()
        if self._daemon is not None:
            return Answer(self._daemon.ask(line, limit, names, left, by_models=by_models), by_models)
        chosen = [part for name in names for part in ("-c", name)]
        verb = "query" if by_models else "search"
        done = self._run([verb, "--json", "-n", str(limit), *chosen, "--", line], left)
        return Answer(read_output(done.out), by_models)

    # Its index

    def is_stale(self, database: Database) -> bool:
        """Say whether the notes have changed since its last update, or there was none."""
        return read_record(self._workspace).notes != self._now(database)

    def _now(self, database: Database) -> str:
        return self._fingerprint.of(database, config_text(self.collections()))

    def _update_for(self, database: Database, end: float) -> None:
        """Update before an answer, where nobody else is at it."""
        with suppress(Busy), self._workspace.job_lock("qmd"):
            self._update(database, end - time.monotonic())

    def update(self, database: Database) -> None:
        """Update in the background: what is gone from the notes is then gone from its index as well."""
        self.update_failure = ""
        try:
            with self._workspace.job_lock("qmd"):
                self._update(database, _UPDATE)
                if read_record(self._workspace).unclean:
                    self._run(["cleanup"], _UPDATE)
                    self._keep(unclean=False)
        except Busy:
            return  # another process does it
        except HoldfastError as error:
            self.update_failure = getattr(error, "why", None) or str(error)

    def _update(self, database: Database, seconds: float) -> None:
        # Before it looks at the notes: what changes meanwhile makes its index stale again.
        notes = self._now(database)
        self._write_config()
        sessions = self._write_sessions()
        done = self._run(["update"], seconds)
        counts = [match.groups() for match in _COUNTS.finditer(done.out)]
        gone = not counts or any(int(updated) or int(removed) for updated, removed in counts)
        unclean = gone or read_record(self._workspace).unclean
        self._keep(notes=notes, at=self._clock.now(), sessions=sessions, unclean=unclean)

    def embed(self) -> None:
        """Let it make vectors, in the background, where its models are and it is time."""
        every = self._settings.qmd_update.embed_interval * 60
        since = self._clock.now() - read_record(self._workspace).embedded_at
        if not every or 0 <= since < every or missing_models():
            return
        try:
            with self._workspace.job_lock("qmd"):
                self._run(["embed"], _EMBED)
                self._keep(embedded_at=self._clock.now())
        except Busy:
            return
        except HoldfastError as error:
            self.update_failure = getattr(error, "why", None) or str(error)

    def _keep(self, **changes: object) -> None:
        """Change the record; the caller holds the lock of the job, so that nobody else does."""
        write_record(self._workspace, read_record(self._workspace).replace(**changes))

    def _write_config(self) -> None:
        """Write its configuration where it is not ours already; QMD adds the names of its models at the end."""
        name = f"state/qmd/{self._workspace.agent}/config/index.yml"
        wanted = config_text(self.collections()).encode("utf-8")
        if not (self._workspace.read_file(name) or b"").startswith(wanted):
            self._workspace.replace_file(name, wanted)

    def _write_sessions(self) -> tuple[str, ...]:
        """Write down what was said since, and take away what is not to be found any more."""
        wanted = self._texts is not None and self._settings.qmd_sessions.enabled
        if wanted and self._texts is not None:
            texts = self._texts()
        else:
            texts = {}
        before = read_record(self._workspace).sessions
        below = f"state/qmd/{self._workspace.agent}/{SESSIONS}"
        for name in set(before) - texts.keys():
            self._workspace.replace_file(f"{below}/{name}", None)
        for name, data in texts.items():
            if self._workspace.read_file(f"{below}/{name}") != data:
                self._workspace.replace_file(f"{below}/{name}", data)
        return tuple(sorted(texts))

    # Itself

    def trouble(self, database: Database) -> str:
        """Return why it would not answer now, as far as can be said without asking it; "" where it would."""
        try:
            if self._daemon is None:
                program(self._settings.qmd.command)
        except ProviderFailed as failure:
            return failure.why
        if resting := self._resting():
            return resting
        if self.is_stale(database):
            return self.update_failure or "its index does not have the last changes of the notes yet"
        return ""

    def check(self) -> str:
        """Ask it for its version, or its server whether it is there; raises ProviderFailed."""
        seconds = min(10.0, self._settings.qmd.timeout_ms / 1000)
        if self._daemon is not None:
            self._daemon.check(seconds)
            return f"QMD at {self._daemon.url}"
        self._write_config()
        return self._run(["--version"], seconds).out.decode("utf-8", "replace").strip()[:80]

    def record(self) -> UpdateRecord:
        """Return what its index was last made from."""
        return read_record(self._workspace)

    def close(self) -> None:
        """End what runs in the background."""
        self.stop.set()
        if self._daemon is not None:
            self._daemon.close()

    def _run(self, arguments: list[str], seconds: float) -> FinishedRun:
        argv = [program(self._settings.qmd.command), *arguments]
        # Of its own directory: where the caller stands, a project may have a configuration with commands in it.
        done = run(
            argv, environment(f"{self.place}/index.sqlite", f"{self.place}/config"), self.place, seconds, self.stop
        )
        if done.status:
            raise ProviderFailed(
                "qmd", f"`qmd {arguments[0]}` ended with {done.status} ({done.message or 'no message'})"
            )
        return done


def _name_list(names: list[str]) -> str:
    if len(names) > 1:
        return f"{names[0]} and {len(names) - 1} more"
    return "".join(names)
