"""memweave by its Python interface: `memweave_driver.py index|ask HOME STATE`, with MODEL_URL in the environment."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from drive import answer_async, say
from memweave import EmbeddingConfig, MemoryConfig, MemWeave


async def main(verb: str, home: str, state: str) -> None:
    """Its defaults, but for the model; the threshold is for another model's cosines, and is taken away."""
    model = EmbeddingConfig(model="openai/minilm", api_base=os.environ["MODEL_URL"], api_key="none")
    config = MemoryConfig(workspace_dir=home, db_path=Path(state, "index.sqlite"), embedding=model, progress=False)
    async with MemWeave(config) as memory:
        if verb == "index":
            done = await memory.index()
            say(asdict(done))
            return

        async def search(query: str, limit: int) -> list[dict[str, Any]]:
            found = await memory.search(query, max_results=limit, min_score=0.0)
            return [
                {name: getattr(hit, name) for name in ("path", "start_line", "end_line", "snippet")} for hit in found
            ]

        await answer_async(search)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
