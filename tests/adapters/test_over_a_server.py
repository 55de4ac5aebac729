"""What only a client shows: another agent than main, and errors that come over the wire as those of the library.

That each adapter does with a client what it does with a memory is held by its own tests, which run with both
(`memory` in conftest.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from adapters.server_process import server_of

import holdfast


def test_claude_s_memory_tool_keeps_the_notes_of_the_agent_it_is_connected_for(home: Path) -> None:
    from anthropic.lib.tools import ToolError

    from holdfast.surfaces.adapters.anthropic_memory import AsyncMemoryTool, MemoryTool

    with server_of(home) as url, holdfast.connect(url, home=str(home), agent="work") as client:
        tool = MemoryTool(client)

        def failed(command: dict[str, Any]) -> str:
            with pytest.raises(ToolError) as error:
                tool.call(command)
            return str(error.value)

        path = {"path": "/memories/tea.md"}
        assert str(tool.call({"command": "create", **path, "file_text": "one\ntwo\n"})).startswith("File created")
        assert "already exists" in failed({"command": "create", **path, "file_text": "x"})
        assert "would escape" in failed({"command": "view", "path": "/memories/../x"})
        assert "/memories/tea.md" in str(tool.call({"command": "view", "path": "/memories"}))
        assert "     1\tone" in str(anyio.run(AsyncMemoryTool(client).call, {"command": "view", **path}))
        assert {change.origin for change in client.history()} == {"agent"}
    assert (home / "agents" / "work" / "memory" / "tea.md").read_text() == "one\ntwo\n"
    assert not (home / "memory" / "tea.md").exists()
