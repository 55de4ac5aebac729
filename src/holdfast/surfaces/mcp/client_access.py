"""The memory as the clients of one MCP server use it: which session they are in, and how many threads work for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from holdfast.guard.origin import Origin
from holdfast.guard.write_gate import WriteGate
from holdfast.notes.staleness import allow_stale, refuse_stale
from holdfast.surfaces.memory_pool import MemoryPool

if TYPE_CHECKING:
    from anyio import CapacityLimiter

    from holdfast.context.context import Context
    from holdfast.memory import Memory
    from holdfast.operations.toolbox import Toolbox

__all__ = ["Access"]

_Result = TypeVar("_Result")


class Access:
    """A pool, and the session its memories are used in. The origin is stamped here: no request can choose another."""

    def __init__(self, memories: MemoryPool, session: str | None = None, *, owner: bool = False) -> None:
        self.memories, self.session, self._owner = memories, session, owner

    def offers(self, name: str) -> bool:
        """Say whether the settings offer a tool of the memory, as they are now; no memory is opened to find out."""
        from holdfast.operations.tool_names import is_offered

        self.memories.heed_settings()
        memory = self.memories.in_force().settings.memory
        gate = WriteGate(memory.agent_write_mode).for_actor(Origin.MCP_TOOL)
        return is_offered(name, memory.style, gate)

    async def in_context(self, work: Callable[[Context], _Result], *, leave: bool = True, client: str = "") -> _Result:
        """Return what the work gives, done in a thread with a context of its own.

        Work that only reads is left alone when its client goes away (`leave`), and may be answered by what was known
        last; a change is waited for, so that it is whole, with its checkpoint, before the process ends.
        """
        from anyio import to_thread

        def done() -> _Result:
            with self.memories.memory() as memory, allow_stale() if leave else refuse_stale():
                return work(self._context_of(memory, client))

        return await to_thread.run_sync(done, limiter=self._places, abandon_on_cancel=leave)

    async def toolbox(self, work: Callable[[Toolbox], _Result], *, leave: bool = True, client: str = "") -> _Result:
        """The same with the tools of the session, or of the memory where there is none."""
        return await self.in_context(lambda ctx: work(self._toolbox_of(ctx)), leave=leave, client=client)

    def in_context_at_once(self, work: Callable[[Context], _Result]) -> _Result:
        """Return what the work gives, done in this thread: there is no event loop yet."""
        with self.memories.memory() as memory:
            return work(self._context_of(memory, ""))

    def toolbox_at_once(self, work: Callable[[Toolbox], _Result]) -> _Result:
        """The same with the tools."""
        return self.in_context_at_once(lambda ctx: work(self._toolbox_of(ctx)))

    @cached_property
    def _places(self) -> CapacityLimiter:
        from anyio import CapacityLimiter

        return CapacityLimiter(self.memories.most)

    def _toolbox_of(self, ctx: Context) -> Toolbox:
        from holdfast.operations.toolbox import Toolbox

        return Toolbox(ctx, owner=self._owner)

    def _context_of(self, memory: Memory, client: str) -> Context:
        session = None
        if self.session is not None:
            session = memory.session(self.session)
        return memory.ctx.for_origin(Origin.MCP_TOOL, session, client=client)
