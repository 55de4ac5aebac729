"""What the pages about frameworks show runs as it stands, against the test server and in a fresh home."""

from __future__ import annotations

import os
from pathlib import Path

import fork_server
import pytest
from adapters.responses_api import routes
from markdown_it import MarkdownIt
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

PAGES = Path(__file__).parents[2] / "docs" / "frameworks"
SAVED = Said(calls=(("memory_save", {"content": "Tea without milk.", "file": "memory/tea.md"}),))
CREATED = {"command": "create", "path": "/memories/tea.md", "file_text": "Tea without milk."}
SAYS: dict[str, list[list[str | Said]]] = {
    "anthropic.md": [[Said(calls=(("memory", CREATED),)), "Noted."]],
    "openai-agents.md": [[SAVED, "Noted."]],
    "langgraph.md": [[]],
    "pydantic-ai.md": [[SAVED, "Noted."], [Said(calls=(("write_memory", {"content": "3 March"}),)), "Noted."]],
    "plain-tools.md": [[SAVED, "Noted."], [SAVED, "Noted."]],
}
"""What the model says to each block of a page."""


def blocks(page: str) -> list[str]:
    tokens = MarkdownIt().parse((PAGES / page).read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info == "python"]


@pytest.mark.parametrize(("page", "block"), [(page, at) for page in SAYS for at in range(len(SAYS[page]))])
def test_a_snippet_runs_as_it_is_shown(
    page: str, block: int, provider: ProviderServer, script: ChatScript, home: Path
) -> None:
    assert len(blocks(page)) == len(SAYS[page])
    provider.add(routes(script))
    script.say(*SAYS[page][block])
    there = {
        "ANTHROPIC_BASE_URL": provider.url,
        "ANTHROPIC_API_KEY": provider.key,
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "OPENAI_API_KEY": provider.key,
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
    }
    started = fork_server.start(blocks(page)[block], env={**os.environ, **there})
    out, err = (stream.decode() for stream in started.communicate(timeout=120))
    assert started.wait() == 0, err
    assert "error" not in out
    said = out + "".join(path.read_text() for path in home.rglob("*.md"))
    assert "without milk" in said or "3 March" in said
    assert provider.key not in out + err
