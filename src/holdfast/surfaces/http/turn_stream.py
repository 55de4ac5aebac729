"""A turn whose answer is told as it comes: a thread talks with the model, and a line of events tells one listener.

The turn is stopped by whoever asks for it, and by a listener who goes away.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import HoldfastError
from holdfast.remote.stop_signal import CallStopped, stoppable
from holdfast.surfaces.http.responses import as_json
from holdfast.surfaces.http.statuses import error_body

if TYPE_CHECKING:
    from holdfast.sessions.tool_loop import Turned
    from holdfast.sessions.turn_events import Event

__all__ = ["TurnStream", "Turns"]

_FIRST_SECONDS: Final = 2.0  # to wait for what goes wrong at once, and is answered with its own status
_HEARTBEAT: Final = 15.0  # seconds; proxies and browsers give up a silent line after a minute
_PING: Final = b": still here\n\n"
_STOPPED: Final = "The turn was stopped; what was said until then is kept."


class TurnStream:
    """One turn. What happens before anybody listens waits for them."""

    def __init__(self, work: Callable[[Callable[[Event], None]], Turned]) -> None:
        self._work = work
        self._stop = threading.Event()
        self._begun = threading.Event()
        self._lock = threading.Lock()
        self._waiting: list[bytes | None] = []
        self._listener: tuple[asyncio.AbstractEventLoop, asyncio.Queue[bytes | None]] | None = None
        self._failure: HoldfastError | None = None
        self.over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="holdfast-turn", daemon=True)

    def start(self) -> None:
        """Begin; raises what goes wrong before anything was told."""
        self._thread.start()
        self._begun.wait(_FIRST_SECONDS)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> bool:
        """End it at its next step; says whether it was still under way."""
        was = not self.over.is_set()
        self._stop.set()
        return was

    def join(self, seconds: float) -> None:
        """Wait so long for its end."""
        self._thread.join(seconds)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield what happens, as it is sent; who stops listening stops the turn."""
        pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        with self._lock:
            for piece in self._waiting:
                pieces.put_nowait(piece)
            self._waiting = []
            self._listener = (asyncio.get_running_loop(), pieces)
        try:
            while True:
                try:
                    piece = await asyncio.wait_for(pieces.get(), _HEARTBEAT)
                except TimeoutError:
                    yield _PING
                    continue
                if piece is None:
                    return
                yield piece
        finally:
            self.stop()

    def _run(self) -> None:
        try:
            with stoppable(self._stop):
                turned = self._work(self._hear)
            self._tell("done", turned.to_json())
        except CallStopped:
            self._tell("failed", error_body("Stopped", _STOPPED))
        except HoldfastError as error:
            if not self._begun.is_set():
                self._failure = error
            self._tell("failed", error_body(type(error).__name__, error.shown))
        except Exception as error:  # noqa: BLE001 - whoever listens must be told that it ended
            why = f"The turn failed unexpectedly: {type(error).__name__}."
            self._tell("failed", error_body("HoldfastError", why))
        finally:
            self.over.set()
            self._put(None)
            self._begun.set()

    def _hear(self, event: Event) -> None:
        if self._stop.is_set():
            raise CallStopped
        self._tell("step", event.to_json())
        self._begun.set()

    def _tell(self, kind: str, data: dict[str, Any]) -> None:
        self._put(b"event: %s\ndata: %s\n\n" % (kind.encode(), as_json(data)))

    def _put(self, piece: bytes | None) -> None:
        with self._lock:
            if self._listener is None:
                self._waiting.append(piece)
                return
            loop, pieces = self._listener
            try:
                loop.call_soon_threadsafe(pieces.put_nowait, piece)
            except RuntimeError:
                return  # the loop has ended; so has the line


class Turns:
    """The turns that are under way, by agent and session."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, str], list[TurnStream]] = {}
        self._lock = threading.Lock()

    def start(self, agent: str, session: str, stream: TurnStream) -> None:
        """Begin a turn that can be stopped by the name of its session."""
        place = (agent, session)
        with self._lock:
            living = [other for other in self._under_way.get(place, ()) if not other.over.is_set()]
            self._under_way = {key: held for key, held in self._under_way.items() if not _all_over(held)}
            self._under_way[place] = [*living, stream]
        stream.start()

    def stop(self, agent: str, session: str) -> bool:
        """Stop the turns of a session; says whether one was under way."""
        with self._lock:
            streams = list(self._under_way.get((agent, session), ()))
        were = [stream.stop() for stream in streams]  # all of them, and not up to the first
        return any(were)

    def stop_all(self, seconds: float) -> None:
        """Stop every turn, and wait so long for each."""
        with self._lock:
            streams = [stream for held in self._under_way.values() for stream in held]
        for stream in streams:
            stream.stop()
        for stream in streams:
            stream.join(seconds)


def _all_over(streams: list[TurnStream]) -> bool:
    return all(stream.over.is_set() for stream in streams)
