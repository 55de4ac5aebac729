"""The settings of one agent where it meets its clients: a hook, a server of MCP."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from commandline import process
from surfaces.mcp.connections import LEGACY, over_stdio

from holdfast import Memory, Origin


@pytest.fixture
def quiet(home: Path) -> Path:
    """A home in which the agent `quiet` is off, and both it and main have something to say."""
    for agent in ("main", "quiet"):
        with Memory.open(home, agent, origin=Origin.USER) as memory:
            memory.save("The launch of Kestrel moved to 3 March")
            memory.save("The office wifi is called heron-net", file="memory/wifi.md")
    (home / "agents/quiet/holdfast.toml").write_text('[memory]\nstyle = "off"\n', encoding="utf-8")
    return home


def hook(event: str, agent: str, **sent: str) -> str:
    """What a hook of Claude Code prints."""
    data = json.dumps({"session_id": "abc", **sent}).encode()
    options = ("--client", "claude-code", "--agent", agent, "--deadline", "100", "--wait")
    ran = process("hook", event, *options, stdin=data)
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout.decode()


def test_a_hook_says_and_keeps_nothing_for_an_agent_that_is_off(
    quiet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    said = {"type": "user", "message": {"role": "user", "content": "My name is Ada and I live in Berlin."}}
    record = tmp_path / ".claude/projects/app/abc.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({**said, "uuid": "u1", "timestamp": "2026-03-05T12:00:00Z"}) + "\n", encoding="utf-8")
    for agent, talks in (("main", True), ("quiet", False)):
        assert ("heron-net" in hook("user-prompt", agent, prompt="what is the office wifi called?")) is talks
        assert ("Kestrel" in hook("session-start", agent, source="startup")) is talks
        hook("session-end", agent, transcript_path=str(record))
        with Memory.open(quiet, agent) as memory:
            assert any(session.bytes for session in memory.sessions()) is talks
    assert [path.name for path in (quiet / "agents/quiet/memory").rglob("*.md")] == ["wifi.md"]


def test_a_server_of_mcp_offers_what_its_agents_file_says(quiet: Path) -> None:
    async def names(agent: str) -> list[str]:
        async with over_stdio(LEGACY, "--agent", agent) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert "memory_search" in anyio.run(names, "main")
    assert "memory_search" not in anyio.run(names, "quiet")
