"""mcp-memory-service by its Python interface: `mcp_memory_driver.py ask HOME STATE`.

`memory ingest-directory` has read the notes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from drive import answer_async
from mcp_memory_service.services.memory_service import MemoryService
from mcp_memory_service.storage.factory import create_storage_instance


async def main() -> None:
    """What its tool and its HTTP server call too."""
    service = MemoryService(await create_storage_instance(os.environ["MCP_MEMORY_SQLITE_PATH"]))

    async def search(query: str, limit: int) -> list[dict[str, Any]]:
        found = await service.retrieve_memories(query, n_results=limit)
        if "error" in found:
            sys.exit(str(found["error"]))
        return [{"content": one["content"], "source": one["metadata"].get("source", "")} for one in found["memories"]]

    await answer_async(search)


if __name__ == "__main__":
    asyncio.run(main())
