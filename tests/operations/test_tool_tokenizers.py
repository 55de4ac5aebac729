from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory


@pytest.mark.parametrize("tokenizer", ["unicode61", "trigram"])
def test_changing_the_tokenizer_builds_the_index_anew_and_still_finds(home: Path, tokenizer: str) -> None:
    with Memory.open(home) as memory:
        memory.save("The heron nests in the alder by the river.", file="memory/birds.md")
        assert memory.search("heron").results[0].path == "memory/birds.md"
    changed = {"memory.store.fts.tokenizer": tokenizer, "memory.disable_rag": True}
    with Memory.open(home, settings=changed) as memory:
        memory.sync()
        assert memory.ctx.database.identity().tokenizer == tokenizer  # type: ignore[union-attr]
        assert memory.search("alder").results[0].path == "memory/birds.md"
        memory.save("A stork on the chimney.", file="memory/stork.md")
        assert memory.search("stork chimney").results[0].path == "memory/stork.md"
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        assert memory.search("heron").results[0].path == "memory/birds.md"
