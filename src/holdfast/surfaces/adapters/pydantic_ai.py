"""pydantic-ai on a Holdfast memory: a toolset for any agent, and the store behind the harness's `Memory` capability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.errors import BadPath, HoldfastError, NoteChangedOutside, NoteNotFound, NotPermitted
from holdfast.memory import Memory
from holdfast.sessions.conversation import Session
from holdfast.surfaces.adapters.framework_packages import missing
from holdfast.surfaces.adapters.harness_paths import note_of, path_of, prefix_of
from holdfast.surfaces.adapters.harness_receipts import Receipts
from holdfast.surfaces.adapters.memory_lock import in_thread, notes_of
from holdfast.surfaces.adapters.tool_specs import CORE, ToolSpec, tool_specs

try:
    from pydantic_ai import ModelRetry
    from pydantic_ai.tools import Tool
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as error:
    raise missing("pydantic_ai", "pydantic-ai", error) from None

if TYPE_CHECKING:
    from pydantic_ai_harness.memory import MemoryFile, MemoryMutation, MemoryOperation, MemorySearchResult


__all__ = ["HoldfastMemoryStore", "toolset"]


def toolset(
    memory: Memory, names: Sequence[str] | None = CORE, *, session: Session | None = None
) -> FunctionToolset[Any]:
    """Tools for `Agent(toolsets=[…])`: search, get, save and forget, those that are named, or (None) all."""
    return FunctionToolset(
        [
            Tool.from_schema(_calling(tool), tool.name, tool.description, tool.parameters)
            for tool in tool_specs(memory, names, session=session, client="pydantic-ai")
        ],
        id="holdfast",
    )


class HoldfastMemoryStore:
    """A `MemoryStore` for `pydantic_ai_harness.memory.Memory(store=…)`, with versions, receipts, metadata and search.

    Files of the scope `own` are the notes of this memory. A version is the hash of a note, so what anybody else writes
    there is a conflict and never overwritten. Receipts are in the state of the session `adapter-pydantic-ai`.
    """

    def __init__(self, memory: Memory, *, own: str = "main") -> None:
        try:
            import pydantic_ai_harness.memory  # noqa: F401 - said here rather than in the middle of a run
        except ImportError as error:
            raise missing("pydantic_ai_harness", "pydantic-ai", error) from None
        self._memory, self._own, self._notes = memory, own, notes_of(memory, "pydantic-ai")
        self._receipts = Receipts(memory)

    async def read(self, path: str, *, max_chars: int) -> MemoryFile | None:
        """A file, or None; no more than so many characters of it."""
        _positive("max_chars", max_chars)
        return await in_thread(self._memory, lambda: self._read(path, max_chars))

    async def get_operation(self, operation: MemoryOperation) -> MemoryMutation | None:
        """Return what an operation did when it was done before."""
        return await in_thread(self._memory, lambda: self._receipts.find(operation))

    async def write(
        self, path: str, content: str, *, expected_version: str | None, operation: MemoryOperation | None = None
    ) -> MemoryMutation:
        """Make or replace a file if its version is the expected one; None expects none."""
        return await self.write_with_metadata(
            path, content, expected_version=expected_version, metadata=None, operation=operation
        )

    async def write_with_metadata(
        self,
        path: str,
        content: str,
        *,
        expected_version: str | None,
        metadata: Mapping[str, str] | None,
        operation: MemoryOperation | None = None,
    ) -> MemoryMutation:
        """The same, and keep what the writer says of this write."""
        from pydantic_ai_harness.memory._store import encode_metadata

        encode_metadata(metadata)  # refuses what is no flat object of short texts
        said = dict(metadata) if metadata else None
        return await in_thread(self._memory, lambda: self._change(path, content, expected_version, operation, said))

    async def delete(
        self, path: str, *, expected_version: str | None, operation: MemoryOperation | None = None
    ) -> MemoryMutation:
        """Remove a file if its version is the expected one; its checkpoint brings it back."""
        return await in_thread(self._memory, lambda: self._change(path, None, expected_version, operation, None))

    async def list_paths(self, prefix: str = "", *, limit: int) -> list[str]:
        """The paths that begin so, in their order."""
        _positive("limit", limit)
        return await in_thread(self._memory, lambda: sorted(self._paths(prefix))[:limit])

    async def search(
        self,
        prefix: str,
        query: str,
        *,
        limit: int,
        max_files: int,
        max_chars: int,
        max_file_chars: int,  # noqa: ARG002 - the index has read the files already
    ) -> MemorySearchResult:
        """The files directly below a prefix that answer best, by Holdfast's own search: words, meaning and time."""
        return await in_thread(self._memory, lambda: self._search(prefix, query, limit, max_files, max_chars))

    # Inside, in a worker thread

    def _note(self, path: str) -> str:
        from pydantic_ai_harness.memory._store import validate_store_path

        validate_store_path(path)
        try:
            return note_of(path, self._own)
        except BadPath as error:
            raise ModelRetry(f"{path!r} can't be a memory file here: {error.why}. Choose another name.") from error

    def _read(self, path: str, max_chars: int) -> MemoryFile | None:
        from pydantic_ai_harness.memory import MemoryFile

        note = self._note(path)
        try:
            found = self._notes.read(note)
        except NoteNotFound:
            return None
        operation, metadata = self._receipts.written(note, found.hash)
        return MemoryFile(found.text[:max_chars], found.hash, operation, len(found.text) > max_chars, metadata)

    def _change(
        self,
        path: str,
        content: str | None,
        expected: str | None,
        operation: MemoryOperation | None,
        metadata: dict[str, str] | None,
    ) -> MemoryMutation:
        from pydantic_ai_harness.memory import MemoryConflictError, MemoryMutation

        note = self._note(path)
        if operation is not None and (done := self._receipts.find(operation)) is not None:
            return done
        reason = self._receipts.begin(operation, note, existed=expected is not None)
        version: str | None = None
        try:
            if content is not None:
                written = self._notes.write(note, content, expected_hash=expected or "", reason=reason)
                if written.waits:
                    raise NotPermitted(f"{path} is unchanged. Your text {written.because}. Don't write it again.")
                version = written.hash
            elif expected is not None:
                self._notes.delete(note, expected_hash=expected, reason=reason)
            elif self._read(path, 1) is not None:
                raise NoteChangedOutside(note, "", "")
        except (NoteChangedOutside, NoteNotFound) as error:
            done = self._receipts.drop(operation)
            if done is not None:  # the same was sent twice at once
                return done
            if content is not None:
                verb = "written"
            else:
                verb = "deleted"
            raise MemoryConflictError(f"memory path {path!r} changed before it could be {verb}") from error
        except HoldfastError as error:
            self._receipts.drop(operation)
            raise ModelRetry(str(error)) from error
        made = MemoryMutation(version, replayed=False, existed=expected is not None)
        self._receipts.end(operation, note, made, metadata)
        return made

    def _paths(self, prefix: str) -> list[str]:
        from pydantic_ai_harness.memory._store import validate_store_prefix

        validate_store_prefix(prefix)
        found = (path_of(seen.path, self._own) for seen in self._notes.list(prefix_of(prefix, self._own)))
        return [path for path in found if path is not None and path.startswith(prefix)]

    def _search(self, prefix: str, query: str, limit: int, max_files: int, max_chars: int) -> MemorySearchResult:
        from pydantic_ai_harness.memory import MemorySearchMatch, MemorySearchResult

        below = [path for path in self._paths(prefix) if "/" not in path.removeprefix(prefix)]
        if not query.split() or min(limit, max_files, max_chars) <= 0 or not below:
            return MemorySearchResult([], 0, truncated=False)
        wanted = {note_of(path, self._own): path for path in sorted(below)[:max_files]}
        scope = prefix_of(prefix, self._own)
        place = None
        if scope:
            place = f"{scope}*"
        hits = self._memory.search(query, path=place, max_results=100, min_score=0.0)
        best: dict[str, MemorySearchMatch] = {}
        left = max_chars
        for hit in hits.results:
            path = wanted.get("MEMORY.md" if hit.path == "memory.md" else hit.path)
            if path is None or path in best or len(best) == limit:
                continue
            snippet = hit.snippet[: max(0, left - len(path.removeprefix(prefix)))]
            left -= len(path.removeprefix(prefix)) + len(snippet)
            if left < 0 or not snippet:
                break
            best[path] = MemorySearchMatch(path, snippet, hit.score)
        return MemorySearchResult(list(best.values()), len(wanted), truncated=len(below) > max_files)


def _calling(tool: ToolSpec) -> Any:
    async def call(**arguments: Any) -> dict[str, Any]:
        return await tool.acall(arguments)

    return call


def _positive(name: str, number: int) -> None:
    if number <= 0:
        raise ValueError(f"{name} must be positive")
