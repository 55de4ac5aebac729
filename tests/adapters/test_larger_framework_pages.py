"""What the pages about the larger frameworks show runs as it stands; each where its framework is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import provider_chat_gemini
import pytest
from adapters.responses_api import routes
from markdown_it import MarkdownIt
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

PAGES = Path(__file__).parents[2] / "docs" / "frameworks"
SAVED = Said(calls=(("memory_save", {"content": "Tea without milk.", "file": "memory/tea.md"}),))
NEEDS = {
    "agent_framework": ("agent_framework", "agent_framework_openai"),
    "autogen": ("autogen_core", "autogen_agentchat", "autogen_ext"),
    "crewai": ("crewai",),
    "google_adk": ("google", "google.adk"),
    "llamaindex": ("llama_index", "llama_index.llms", "llama_index.llms.openai_like"),
}
"""What each snippet imports, the outermost package first."""


@pytest.mark.parametrize("framework", NEEDS)
def test_a_snippet_runs_as_it_is_shown(
    framework: str, provider: ProviderServer, script: ChatScript, home: Path, tmp_path: Path
) -> None:
    page = (PAGES / f"{framework.replace('_', '-')}.md").read_text(encoding="utf-8")
    assert f"pip install '.[{framework.replace('_', '-')}]'" in page
    (block,) = (token.content for token in MarkdownIt().parse(page) if token.type == "fence" and token.info == "python")
    compile(block, framework, "exec")
    if not all(map(find_spec, NEEDS[framework])):  # stops at the first that is not there
        pytest.skip(f"holdfast[{framework.replace('_', '-')}] is not installed here; see `make test-adapters`")
    provider.add(routes(script))
    provider.add(provider_chat_gemini.routes(script))
    script.say(SAVED, "Noted.", "Noted.")
    there = {
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "OPENAI_API_KEY": provider.key,
        "GOOGLE_GEMINI_BASE_URL": provider.url,
        "GOOGLE_API_KEY": provider.key,
        "CREWAI_DISABLE_TELEMETRY": "true",
        "CREWAI_TRACING_ENABLED": "false",
        "CREWAI_STORAGE_DIR": str(tmp_path / "crewai"),
        "OTEL_SDK_DISABLED": "true",
    }
    ran = subprocess.run(
        [sys.executable, "-c", block],
        capture_output=True,
        timeout=240,
        cwd=tmp_path,
        env={**os.environ, **there},
        check=False,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "without milk" in "".join(path.read_text() for path in home.rglob("*.md")), ran.stdout + ran.stderr
    assert provider.key not in ran.stdout + ran.stderr
