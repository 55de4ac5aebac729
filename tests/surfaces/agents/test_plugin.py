"""The plugin of Claude Code: the same server and the same hooks that `holdfast connect claude-code` adds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import done

import holdfast
from holdfast import Memory, Origin
from holdfast.operations.toolbox import TOOLS

CHECKOUT = Path(__file__).parents[3]
PLUGIN = CHECKOUT / "plugins" / "claude-code"


def loaded(name: str) -> Any:
    return json.loads((PLUGIN / name).read_text(encoding="utf-8"))


def test_it_says_what_it_is() -> None:
    about = loaded(".claude-plugin/plugin.json")
    assert (about["name"], about["version"]) == ("holdfast", holdfast.__version__)
    for market, source in ((PLUGIN, "./"), (CHECKOUT, "./plugins/claude-code")):
        catalogue = json.loads((market / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8"))
        assert catalogue["description"]
        (listed,) = catalogue["plugins"]
        assert (listed["name"], listed["source"]) == ("holdfast", source)


def test_the_server_and_the_hooks_are_those_that_connect_adds() -> None:
    server, hooks = done("connect", "claude-code", "--command", "holdfast", "--json").json["files"]
    added = json.loads(server["snippet"])["mcpServers"]["holdfast"]
    assert added.pop("type") == "stdio"  # the default, which a plugin need not say
    assert loaded(".mcp.json")["mcpServers"]["holdfast"] == added
    theirs = json.loads(hooks["snippet"])["hooks"]
    ours = loaded("hooks/hooks.json")["hooks"]
    assert list(ours) == list(theirs)
    for event, (group,) in theirs.items():
        wanted = group["hooks"][0]
        verb = wanted["command"].split()[2]
        command = f'sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/holdfast.sh" {verb}'
        assert ours[event] == [{"hooks": [{**wanted, "command": command}]}]


@pytest.mark.parametrize("installed", [True, False])
def test_a_hook_runs_as_claude_code_runs_it_and_is_silent_without_holdfast(person: Path, installed: bool) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("The launch of Kestrel moved to 3 March")
    command = loaded("hooks/hooks.json")["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    programs = f"{Path(sys.executable).parent}:" if installed else ""
    env = {**os.environ, "CLAUDE_PLUGIN_ROOT": str(PLUGIN), "PATH": f"{programs}/usr/bin:/bin"}
    for _ in range(5 if installed else 1):  # a hook gives up after two seconds, which a busy machine may need
        ran = subprocess.run(
            command, shell=True, input=b'{"session_id":"a"}', capture_output=True, env=env, timeout=60, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
        if ran.stdout:
            break
    assert (b"Kestrel" in ran.stdout) == installed


def test_every_tool_that_is_named_is_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PLUGIN.rglob("*.md")]
    assert len(texts) == 3
    named = {name for text in texts for name in re.findall(r"`(memory_\w+)`", text)}
    assert named
    assert named <= set(TOOLS)


@pytest.mark.parametrize("command", ["recall", "remember"])
def test_a_command_may_call_the_tools_that_it_names_and_no_others(command: str) -> None:
    _, front, text = (PLUGIN / "commands" / f"{command}.md").read_text(encoding="utf-8").split("---\n", 2)
    allowed = re.findall(r"^allowed-tools: (.*)$", front, re.MULTILINE)
    named = dict.fromkeys(re.findall(r"`(memory_\w+)`", text))
    # Claude Code calls a plugin's server `plugin_<plugin>_<server>`, and one of the settings by its own name.
    servers = ("plugin_holdfast_holdfast", "holdfast")
    wanted = [f"mcp__{server}__{tool}" for server in servers for tool in named]
    assert allowed == [", ".join(wanted)]
