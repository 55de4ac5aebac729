"""memsearch by its Python interface: `memsearch_driver.py index|ask HOME STATE`, with MODEL_URL in the environment."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from drive import answer_async, say
from memsearch import MemSearch


async def main(verb: str, home: str, state: str) -> None:
    """Its defaults, but for the model."""
    memory = MemSearch(
        [Path(home, "memory")],
        embedding_provider="openai",
        embedding_model="minilm",
        embedding_base_url=os.environ["MODEL_URL"],
        embedding_api_key="none",
        milvus_uri=str(Path(state, "milvus.db")),
    )
    if verb == "index":
        say({"chunks": await memory.index()})
        memory.close()
        return

    async def search(query: str, limit: int) -> list[dict[str, Any]]:
        found = await memory.search(query, top_k=limit)
        return [{name: hit.get(name) for name in ("source", "start_line", "end_line", "content")} for hit in found]

    await answer_async(search)
    memory.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
