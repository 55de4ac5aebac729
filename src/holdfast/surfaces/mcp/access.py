"""The memory as the clients of one MCP server use it: which session they are in, and how many threads work for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, to_thread

from holdfast.guard.origin import Origin
from holdfast.surfaces.desk import Desk

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.tools.rooms import Rooms
    from holdfast.tools.toolbox import Toolbox

__all__ = ["Access"]

_Result = TypeVar("_Result")


class Access:
    """A desk, and the session its memories are used in. The origin is stamped here: no request can choose another."""

    def __init__(self, desk: Desk, session: str | None = None, *, owner: bool = False) -> None:
        self.desk, self.session, self._owner = desk, session, owner
        self._places = CapacityLimiter(desk.most)

    async def rooms(self, work: Callable[[Rooms], _Result], *, leave: bool = True, client: str = "") -> _Result:
        """What the work gives, done in a thread with rooms of its own.

        Work that only reads is left alone when its client goes away (`leave`); a change is waited for, so that it
        is whole, with its checkpoint, before the process ends.
        """

        def done() -> _Result:
            with self.desk.memory() as memory:
                return work(self._rooms_of(memory, client))

        return await to_thread.run_sync(done, limiter=self._places, abandon_on_cancel=leave)

    async def toolbox(self, work: Callable[[Toolbox], _Result], *, leave: bool = True, client: str = "") -> _Result:
        """The same with the tools of the session, or of the memory where there is none."""

        def done(rooms: Rooms) -> _Result:
            from holdfast.tools.toolbox import Toolbox

            return work(Toolbox(rooms, owner=self._owner))

        return await self.rooms(done, leave=leave, client=client)

    def _rooms_of(self, memory: Memory, client: str) -> Rooms:
        session = memory.session(self.session) if self.session is not None else None
        return memory.rooms.for_origin(Origin.MCP_TOOL, session, client=client)
