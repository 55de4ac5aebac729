"""One connection of a client: uvicorn's HTTP/1.1 protocol within limits of time, memory and number.

Anybody on the machine can connect, without a token. What a connection costs before a request passed the guard is
bounded here: how long its head may take, how much of it is parsed at a time, how many connections there are, and what
the refusals that never reach the guard look like.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from holdfast.surfaces.http.connection_limits import ConnectionLimits
from holdfast.surfaces.http.refusal import CLOSE, Refusal, refusal_bytes
from holdfast.surfaces.http.request_guard import KNOWN

__all__ = ["ClientConnection", "ConnectionTable"]

# Bytes that are parsed before others have their turn. A body in chunks of one byte costs h11 some 8 µs a chunk: 20 ms.
_SLICE: Final = 16 * 1024
_LOG: Final = logging.getLogger("holdfast.http")


class ConnectionTable:
    """The open connections of a server, the oldest first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.is_ending = False
        self._open: dict[ClientConnection, None] = {}

    def admit(self, connection: ClientConnection) -> None:
        """Take a new connection in; where there are too many, one that matters less gives way, or it is refused."""
        self._open[connection] = None
        if len(self._open) <= self.limits.connections:
            return
        dispensable = self._find_dispensable(connection)
        if dispensable is not None:
            _LOG.warning("%d connections are open, and no more may be; one is closed for each new one", len(self._open))
            self.discard(dispensable)
            dispensable.drop()
            return
        message = f"{self.limits.connections} connections are open and in use. Try again in a moment."
        connection.refuse(Refusal(503, "Busy", message, (("Retry-After", "1"), *CLOSE)))

    def discard(self, connection: ClientConnection) -> None:
        """Forget a connection that is closed."""
        self._open.pop(connection, None)

    def end(self) -> None:
        """The server ends: nobody is let finish any more."""
        self.is_ending = True

    def enforce(self, now: float) -> None:
        """Close the connections that have run out of time."""
        for connection in list(self._open):
            connection.enforce_limits(now)

    def _find_dispensable(self, newest: ClientConnection) -> ClientConnection | None:
        """Find the oldest connection without a token; else, of those with one, that which is idle for longest.

        Whoever has the token sends a request as soon as it is connected, so it is known long before as many others
        have come as would make it the oldest.
        """
        for connection in self._open:
            if not connection.is_known and connection is not newest:
                return connection
        idle = [connection for connection in self._open if connection.is_idle and connection is not newest]
        return min(idle, key=lambda connection: connection.waiting_since, default=None)


class ClientConnection(H11Protocol):
    """uvicorn's protocol, which parses what it is given; this one decides what it is given, and until when."""

    def __init__(self, *, table: ConnectionTable, **given: Any) -> None:
        super().__init__(**given)
        self._table = table
        self._wire: asyncio.Transport | None = None
        self._channel: _Channel | None = None
        self._inbox = bytearray()
        self._is_scheduled = False
        self._is_fresh = True
        self._head_since: float | None = None
        self._closed_at: float | None = None
        self._unsent = 0
        self._unsent_since = 0.0
        self.waiting_since = self.loop.time()

    @property
    def is_known(self) -> bool:
        """True if the last request on it had the token."""
        return self.scope is not None and bool(cast("dict[str, Any]", self.scope).get(KNOWN, False))

    @property
    def is_idle(self) -> bool:
        """True if no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    # The protocol, as asyncio calls it

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        self._wire = transport
        self._channel = _Channel(transport, self)
        super().connection_made(cast("asyncio.Transport", self._channel))
        self._table.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._table.discard(self)
        self._inbox.clear()
        if self._closed_at is None:
            self._closed_at = self.loop.time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Keep what came until it is its turn; who was refused already may talk on, and is not listened to."""
        if self._closed_at is None:
            self._inbox += data
            self._feed()

    # What uvicorn is given to parse

    def go_on(self) -> None:
        """Read and parse on, as far as the request under way allows."""
        if self._closed_at is not None or self._wire is None or self._channel is None:
            return
        if self.conn.their_state in (h11.MUST_CLOSE, h11.CLOSED):
            self._inbox.clear()  # what comes after the last request is none
        # While nothing waits we read on even when there is nothing to read: else nobody would notice that a client of
        # an event stream has gone.
        if self._inbox or self._channel.paused:
            self._wire.pause_reading()
        else:
            self._wire.resume_reading()
        if self._can_feed() and not self._is_scheduled:
            self._is_scheduled = True
            self.loop.call_soon(self._feed_in_turn)

    def _can_feed(self) -> bool:
        """Say whether there is something to parse, and it belongs to the request that is next.

        What was sent ahead of its time (pipelining) stays where it is: uvicorn would let it grow without end.
        """
        if not self._inbox or self._channel is None or self._channel.paused:
            return False
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _feed_in_turn(self) -> None:
        self._is_scheduled = False
        self._feed()

    def _feed(self) -> None:
        if self._closed_at is None and self._can_feed():
            piece = bytes(self._inbox[:_SLICE])
            del self._inbox[:_SLICE]
            if self.is_idle and self._head_since is None:
                self._head_since = self.loop.time()
            super().data_received(piece)
        self.go_on()

    def on_response_complete(self) -> None:
        """Wait for the next request; where the body of the last one was not wanted, for its end alone."""
        self._is_fresh = False
        self.waiting_since = self.loop.time()
        begun = bool(self._inbox or self.conn.trailing_data[0])
        if begun:
            self._head_since = self.waiting_since
        else:
            self._head_since = None
        if begun and not self.is_known:
            self.hang_up(is_sending=True)  # five hundred strangers with a thousand requests each would be in the way
            return
        super().on_response_complete()
        if self.is_idle and self.conn.their_state is h11.SEND_BODY:
            self.hang_up()
        self.go_on()

    # Its end

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the name is uvicorn's, and so is the text
        """Answer what is no HTTP; uvicorn calls this while it handles the error, which says what kind it is."""
        status = getattr(sys.exc_info()[1], "error_status_hint", 400)
        self.refuse(_malformed(status))

    def refuse(self, refusal: Refusal) -> None:
        """Answer without asking the application, and hang up."""
        if self._closed_at is not None or self._wire is None:
            return
        if not self.is_idle:
            self.cycle.disconnected = True  # what the application still says goes nowhere
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.drop()
                return
        self._wire.write(refusal_bytes(refusal))
        self.hang_up(is_sending=True)

    def hang_up(self, *, is_sending: bool | None = None) -> None:
        """Close; where the client may still be sending, only once it has finished or its time is over.

        To close with something unread resets the connection, and may take our answer from the client.
        """
        if self._closed_at is not None or self._wire is None:
            return
        self._closed_at = self.loop.time()
        if is_sending is None:
            is_sending = bool(self._inbox) or self.conn.their_state in (h11.SEND_BODY, h11.ERROR)
        self._inbox.clear()
        if not is_sending or self._table.is_ending or self._wire.is_closing():
            self._wire.close()
            return
        try:
            self._wire.write_eof()
            self._wire.resume_reading()
        except OSError:  # it has gone meanwhile
            self._wire.abort()

    def drop(self) -> None:
        """Close at once, without a word."""
        if self._wire is not None:
            self._wire.abort()

    @property
    def is_closing(self) -> bool:
        """True if we have hung up."""
        return self._closed_at is not None

    def shutdown(self) -> None:
        """End with the server: at once where nothing is under way, and where a stranger does not read its answer."""
        if (not self.is_known and (self.is_idle or self._unsent)) or self.is_closing:
            self.drop()
        elif self.is_idle:
            self.hang_up(is_sending=False)
        else:
            self.cycle.keep_alive = False

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which no other request came."""
        self.hang_up()

    def enforce_limits(self, now: float) -> None:
        """Close it, if it has run out of time."""
        limits = self._table.limits
        if self._is_stalled(now):
            self.drop()
        elif self._closed_at is not None:
            if now - self._closed_at >= limits.linger_seconds and self._wire is not None:
                self._wire.close()
        elif not self.is_idle:
            return  # the guard limits how long a body may take, and an answer may take as long as it takes
        elif self._head_since is not None:
            if now - self._head_since >= limits.head_seconds:
                self._end_late()
        elif self._is_fresh and now - self.waiting_since >= limits.head_seconds:
            self.hang_up()  # browsers connect on suspicion, and take an answer to nothing for one to the next request

    def _end_late(self) -> None:
        if self.conn.their_state is h11.IDLE:
            seconds = self._table.limits.head_seconds
            message = f"The request did not come within {seconds:.0f} seconds. Send it anew."
            self.refuse(Refusal(408, "Refused", message, CLOSE))
        else:
            self.hang_up()

    def _is_stalled(self, now: float) -> bool:
        """Say whether the client has taken nothing of what waits for it for too long."""
        if self._wire is None:
            unsent = 0
        else:
            unsent = self._wire.get_write_buffer_size()
        if unsent == 0 or unsent < self._unsent or self._unsent == 0:
            self._unsent_since = now
        self._unsent = unsent
        return unsent > 0 and now - self._unsent_since >= self._table.limits.stall_seconds


class _Channel:
    """The transport as uvicorn sees it: when to read and how to close is the connection's to decide."""

    def __init__(self, wire: asyncio.Transport, connection: ClientConnection) -> None:
        self._wire, self._connection = wire, connection
        self.paused = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wire, name)

    def pause_reading(self) -> None:
        self.paused = True
        self._connection.go_on()

    def resume_reading(self) -> None:
        self.paused = False
        self._connection.go_on()

    def close(self) -> None:
        self._connection.hang_up()

    def is_closing(self) -> bool:
        return self._connection.is_closing or self._wire.is_closing()


def _malformed(status: int) -> Refusal:
    match status:
        case 431:
            return Refusal(431, "TooLarge", "The request's head is too long. Send less in headers and path.", CLOSE)
        case 501:
            return Refusal(501, "Refused", "The request's Transfer-Encoding is not known; use chunked or none.", CLOSE)
        case _:
            return Refusal(
                400, "BadArgument", "The request breaks the rules of HTTP (RFC 9112), and can't be read.", CLOSE
            )
