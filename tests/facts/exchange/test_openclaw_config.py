"""An OpenClaw home is read as its openclaw.json says: which agents, which workspaces, and what else is searched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from facts.exchange.exports_of_others import written

from holdfast.exchange.bundle import open_bundle
from holdfast.exchange.findings import Findings, Source
from holdfast.exchange.format_detection import read_bundle, source_of


def read(home: Path, config: Any) -> Findings:
    home.mkdir(exist_ok=True)
    (home / "openclaw.json").write_text(config if isinstance(config, str) else json.dumps(config))
    with open_bundle(str(home)) as bundle:
        assert source_of(bundle) is Source.OPENCLAW
        return read_bundle(bundle, Source.OPENCLAW)


def told(found: Findings) -> dict[str, str]:
    return {note.name: note.text for note in found.notes}


def test_the_workspace_is_where_the_file_says_and_an_old_one_is_not_read(tmp_path: Path) -> None:
    claw = written(tmp_path / ".openclaw", {"workspace/MEMORY.md": "old\n"})
    written(tmp_path / "elsewhere", {"MEMORY.md": "new\n", "memory/a.md": "a\n", "SOUL.md": "be kind"})
    found = read(claw, {"agents": {"defaults": {"workspace": str(tmp_path / "elsewhere")}}})
    assert told(found) == {"memory": "new\n", "a": "a\n"}
    assert [left.where for left in found.left_out] == [str(tmp_path / "elsewhere" / "SOUL.md")]


@pytest.mark.parametrize("form", ["list", "entries"])
def test_each_agent_has_its_own_workspace_and_its_notes_its_name(tmp_path: Path, form: str) -> None:
    claw = written(
        tmp_path / ".openclaw",
        {
            "workspace/MEMORY.md": "main\n",
            "workspace-work/MEMORY.md": "work\n",
            "workspace-gone/MEMORY.md": "no agent's any more\n",
        },
    )
    written(tmp_path / "far", {"memory/b.md": "far\n"})
    agents = {"main": {}, "work": {}, "far": {"workspace": str(tmp_path / "far")}}
    listed = [{"id": name, **entry} for name, entry in agents.items()]
    found = read(claw, {"agents": {form: agents if form == "entries" else listed}})
    assert told(found) == {"memory": "main\n", "work memory": "work\n", "far b": "far\n"}


def test_unpinned_agents_lie_below_a_base_that_is_named(tmp_path: Path) -> None:
    claw = tmp_path / ".openclaw"
    written(tmp_path / "base", {"work/MEMORY.md": "work\n", "MEMORY.md": "main\n"})
    base = str(tmp_path / "base")
    found = read(claw, {"agents": {"defaults": {"workspace": base}, "entries": {"main": {}, "work": {}}}})
    assert told(found)["work memory"] == "work\n"


@pytest.mark.parametrize(
    ("agents", "other"),
    [
        ({"list": [{"id": "main"}, {"id": "work", "default": True}]}, "main"),
        ({"list": [{"id": "work"}, {"id": "main"}]}, "main"),
        ({"entries": {"work": {}, "main": {}}}, "work"),
        ({"entries": {"work": {}, "home": {"default": True}}}, "work"),
    ],
)
def test_the_default_agent_has_the_named_workspace_itself_and_others_a_folder_in_it(
    tmp_path: Path, agents: dict[str, Any], other: str
) -> None:
    base = written(tmp_path / "base", {"MEMORY.md": "base\n", f"{other}/MEMORY.md": "other\n"})
    found = read(tmp_path / ".openclaw", {"agents": {"defaults": {"workspace": str(base)}, **agents}})
    assert len(found.notes) == 2
    assert told(found) == {"memory": "base\n", f"{other} memory": "other\n"}
    assert not found.left_out


@pytest.mark.parametrize("where", ["memory.search", "agents.defaults.memorySearch", "agents.list"])
def test_what_is_searched_besides_is_imported_too(tmp_path: Path, where: str) -> None:
    claw = written(tmp_path / ".openclaw", {"workspace/MEMORY.md": "main\n"})
    written(tmp_path / ".openclaw" / "team-docs", {"deep/plan.md": "plan\n", "x.txt": "no"})
    (tmp_path / "overview.md").write_text("overview\n")
    search = {"extraPaths": ["../team-docs", {"path": str(tmp_path / "overview.md")}, "/nowhere/at/all"]}
    configs: dict[str, dict[str, Any]] = {
        "memory.search": {"memory": {"search": search}},
        "agents.defaults.memorySearch": {"agents": {"defaults": {"memorySearch": search}}},
        "agents.list": {"agents": {"list": [{"id": "main", "memorySearch": search}]}},
    }
    found = read(claw, configs[where])
    assert told(found) == {"memory": "main\n", "team-docs deep plan": "plan\n", "overview": "overview\n"}
    assert [left.where for left in found.left_out] == ["/nowhere/at/all"]
    assert "not there" in found.left_out[0].why


def test_json5_is_read_and_a_home_of_the_users_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    written(tmp_path / "clawd", {"MEMORY.md": "mine\n"})
    found = read(tmp_path / ".openclaw", "{ // mine\n agents: { defaults: { workspace: '~/clawd', }, }, }")
    assert told(found) == {"memory": "mine\n"}


@pytest.mark.parametrize("config", ["{}", '{"agents": 3}', '{"agents": {"list": [1, {}]}}'])
def test_a_file_that_names_nothing_leaves_the_folder_to_speak_for_itself(tmp_path: Path, config: str) -> None:
    claw = written(tmp_path / ".openclaw", {"workspace/MEMORY.md": "main\n"})
    assert told(read(claw, config)) == {"memory": "main\n"}
