"""A connection to PostgreSQL that waits for no answer longer than it may."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, Final

import psycopg

from holdfast.postgres.connection_words import connection_remedy, first_line
from holdfast.postgres.presence import SILENT, Presence

__all__ = ["PostgresConnection", "Silence", "connect_options", "find_silence", "patience_of"]

_CONNECT_SECONDS: Final = 5


class Silence(psycopg.OperationalError):
    """An answer did not come in the time that it may take."""


class PostgresConnection(psycopg.Connection[Any]):
    """As psycopg's, which would wait for ever for a server that takes what it is sent and is silent."""

    limit: float | None = None
    """The longest that a statement may take, by this side's clock."""
    presence: Presence | None = None
    answered = 0.0

    @classmethod
    def connect(cls, *arguments: Any, **named: Any) -> Any:
        """Connect, and tell `presence` where that fails."""
        presence: Presence | None = named.pop("presence", None)
        try:
            made = super().connect(*arguments, **named)
        except psycopg.Error as error:
            if presence is not None:
                presence.note_refusal(first_line(error), connection_remedy(error))
            raise
        made.presence, made.answered = presence, time.monotonic()
        return made

    def wait(self, gen: Any, *arguments: Any, **named: Any) -> Any:
        """Wait for what a generator of psycopg's gives, at most for as long as the limit."""
        answer = super().wait(self._watch(gen), *arguments, **named)
        self.answered = time.monotonic()
        return answer

    def _watch(self, gen: Any) -> Generator[Any, Any, Any]:
        """Pass on what a generator waits for; nothing is ready now and then, and that is when we look."""
        began = looked = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready:
                    looked = self._check(began, looked)
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _check(self, began: float, looked: float) -> float:
        """Raise where an answer can't be hoped for; return when that was looked into."""
        now, presence = time.monotonic(), self.presence
        if self.limit is not None and now - began > self.limit:
            self._give_up()
        if presence is None or now - looked < presence.patience:
            return looked
        if presence.is_silent():
            self._give_up()
        return time.monotonic()

    def _give_up(self) -> None:
        if self.presence is not None:
            self.presence.silent_at = time.monotonic()
        self.close()
        raise Silence(SILENT)


def find_silence(dsn: str) -> str:
    """Return why a database does not answer a question over a line of its own; "" where it does."""
    try:
        options = {**connect_options(dsn, "holdfast presence"), "connect_timeout": int(patience_of(dsn))}
        with PostgresConnection.connect(dsn, **options) as connection:
            connection.limit = patience_of(dsn)
            connection.execute("SELECT 1")
    except (psycopg.Error, OSError, ValueError) as error:
        return first_line(error)
    return ""


def connect_options(dsn: str, application: str) -> dict[str, Any]:
    """Return how to connect, but for what the address itself says."""
    options: dict[str, Any] = {
        "autocommit": True,  # the statement that begins a transaction also says whose it is: one trip
        "prepare_threshold": None,  # a prepared statement would be another connection's behind a pooler
        "application_name": application,
        "connect_timeout": _CONNECT_SECONDS,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 20_000,
    }
    given = psycopg.conninfo.conninfo_to_dict(dsn)
    return {name: value for name, value in options.items() if name not in given}


def patience_of(dsn: str) -> float:
    """Return how many seconds pass until somebody looks whether a database answers at all: as many as to connect."""
    given = psycopg.conninfo.conninfo_to_dict(dsn).get("connect_timeout") or 0
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    return seconds if seconds >= 1 else float(_CONNECT_SECONDS)  # 0 is for ever there, and nobody looks for so long
