"""A secret that a chunk's border parts from what gives it away is still one, and stays here (P12)."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
from provider_server import ProviderServer
from providers.scenes import opened, texts_sent


@pytest.mark.promise("P12")
def test_a_token_that_is_cut_from_its_name_by_a_border_of_chunks_is_not_sent(
    home: Path, provider: ProviderServer
) -> None:
    tokens: list[str] = []
    (home / "memory").mkdir(parents=True)
    for size in range(1480, 1640, 8):
        tokens.append(base64.urlsafe_b64encode(random.Random(size).randbytes(30)).decode())
        line = "word " * (size // 5) + f' curl -H "Authorization: Bearer {tokens[-1]}" ' + "more " * 200
        (home / f"memory/p{size}.md").write_text(line + "\n", encoding="utf-8")
    with opened(home, provider) as memory:
        memory.sync()
        assert memory.search("curl authorization").mode == "hybrid"
    sent = "\n".join(texts_sent(provider))
    assert "word word" in sent
    assert [token for token in tokens if token[:16] in sent or token[-16:] in sent] == []
