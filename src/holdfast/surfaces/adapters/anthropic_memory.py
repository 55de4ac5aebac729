"""Claude's memory tool, for the package `anthropic`: give one to `client.beta.messages.tool_runner`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holdfast.errors import NotPermitted
from holdfast.memory import Memory
from holdfast.surfaces.adapters.claude_memories import Memories, Unable
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.memory_lock import in_thread

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
except ImportError as error:
    raise missing("anthropic", "anthropic", error) from None

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaCacheControlEphemeralParam,
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

__all__ = ["AsyncMemoryTool", "MemoryTool"]


class MemoryTool(BetaAbstractMemoryTool):
    """The tool `memory` of Claude, kept in the workspace: /memories/<name>.md is the note memory/<name>.md."""

    def __init__(self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._files = Memories(memory)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A file or a folder."""
        return _done(lambda: self._files.view(_of(command, "path"), _of(command, "view_range")))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """A new file."""
        return _done(lambda: self._files.create(_of(command, "path"), _of(command, "file_text")))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Another text in the place of one that occurs once."""
        given = [_of(command, name) for name in ("path", "old_str", "new_str")]
        return _done(lambda: self._files.str_replace(*given))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """A text behind a line."""
        given = [_of(command, name) for name in ("path", "insert_line", "insert_text")]
        return _done(lambda: self._files.insert(*given))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """A file is removed."""
        return _done(lambda: self._files.delete(_of(command, "path")))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """A file gets another name."""
        return _done(lambda: self._files.rename(_of(command, "old_path"), _of(command, "new_path")))

    def clear_all_memory(self) -> str:
        """Refused: the memory is the owner's, and not only this tool wrote to it."""
        raise _never_all()


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for async clients; the work is done in worker threads."""

    def __init__(self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._memory, self._tool = memory, MemoryTool(memory)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """A file or a folder."""
        return await in_thread(self._memory, lambda: self._tool.view(command))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """A new file."""
        return await in_thread(self._memory, lambda: self._tool.create(command))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Another text in the place of one that occurs once."""
        return await in_thread(self._memory, lambda: self._tool.str_replace(command))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """A text behind a line."""
        return await in_thread(self._memory, lambda: self._tool.insert(command))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """A file is removed."""
        return await in_thread(self._memory, lambda: self._tool.delete(command))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """A file gets another name."""
        return await in_thread(self._memory, lambda: self._tool.rename(command))

    async def clear_all_memory(self) -> str:
        """Refused: the memory is the owner's, and not only this tool wrote to it."""
        raise _never_all()


def _of(command: object, name: str) -> Any:
    """A field of a command; the package builds commands from whatever the model sent, without a check."""
    return getattr(command, name, None)


def _done(work: Callable[[], str]) -> str:
    try:
        return work()
    except Unable as error:
        raise ToolError(str(error)) from error


def _never_all() -> NotPermitted:
    return NotPermitted(
        "Not all memory is this tool's to clear: it is the owner's, and other agents write to it too. "
        "Delete files by name, or ask the owner."
    )
