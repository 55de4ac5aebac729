"""The settings of one agent: a file of its own, laid over the home's, that changes nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory, Origin
from holdfast.errors import BadAgent, BadPath, BadSetting, HomeSetting, NotPermitted, UnknownSetting
from holdfast.operations.settings_list import change_settings
from holdfast.settings.keys import KEYS
from holdfast.settings.loader import load, load_text
from holdfast.settings.settings_reference import literal
from holdfast.surfaces.memory_pool import MemoryPool

OF_HOME = {
    *("memory.store.path", "memory.store.vector.extension_path", "memory.local.model_cache_dir"),
    "memory.qmd.command",
    *("memory.user_profile_write_mode", "user.name", "user.timezone", "user.location"),
}


def write(home: Path, text: str, agent: str | None = None) -> Path:
    file = (home / "agents" / agent if agent else home) / "holdfast.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_an_agents_file_lies_over_the_homes_for_that_agent_only(home: Path) -> None:
    write(home, "[memory]\ncitations = 'on'\n[memory.search]\nmax_results = 3\n")
    write(home, "[memory.search]\nmax_results = 9\n", "coder")
    held = {agent: load(str(home), agent, environ={}) for agent in ("main", "coder", "scout")}
    assert [one.settings.search.max_results for one in held.values()] == [3, 9, 3]
    assert {one.settings.memory.citations for one in held.values()} == {"on"}
    assert held["coder"].sources["memory.search.max_results"] == "agents/coder/holdfast.toml:2"
    assert held["coder"].sources["memory.citations"] == "holdfast.toml:2"
    assert held["coder"].sources["memory.search.min_score"] == "default"


def test_the_environment_and_arguments_win_over_an_agents_file(home: Path) -> None:
    write(home, "[memory.search]\nmax_results = 9\n", "coder")
    loaded = load(str(home), "coder", environ={"HOLDFAST_MEMORY_SEARCH_MAX_RESULTS": "5"})
    assert loaded.values["memory.search.max_results"] == 5
    assert loaded.sources["memory.search.max_results"] == "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS"
    given_too = load(str(home), "coder", environ={}, arguments={"memory.search.max_results": 4})
    assert given_too.sources["memory.search.max_results"] == "argument"


@pytest.mark.parametrize("path", sorted(OF_HOME))
def test_a_setting_of_the_home_is_refused_in_an_agents_file_with_the_place_it_belongs_to(home: Path, path: str) -> None:
    table, _, name = path.rpartition(".")
    value = "off" if name == "user_profile_write_mode" else "state/{agentId}.sqlite" if name == "path" else "UTC"
    file = write(home, f"[{table}]\n{name} = '{value}'\n", "coder")
    with pytest.raises(HomeSetting) as caught:
        load(str(home), "coder", environ={})
    said = str(caught.value)
    assert path in said and f"{file}, line 2" in said
    assert str(home / "holdfast.toml") in said and f"holdfast config set {path} VALUE" in said
    assert load(str(home), "main", environ={}).settings, "nobody else is the worse for it"


def test_every_other_key_may_stand_in_an_agents_file(home: Path) -> None:
    assert {key.path for key in KEYS if key.of_home} == OF_HOME
    for key in KEYS:
        if key.default not in (None, ()) and not key.of_home:
            write(home, f"{key.path} = {literal(key.default)}\n", "coder")
            assert load(str(home), "coder", environ={}).sources[key.path] == "agents/coder/holdfast.toml:1"


def test_two_values_are_weighed_against_each_other_across_both_files(home: Path) -> None:
    write(home, "[memory.chunking]\noverlap = 150\n")
    agents = write(home, "[memory.chunking]\ntokens = 200\n", "coder")
    with pytest.raises(BadSetting) as caught:
        load(str(home), "coder", environ={})
    assert caught.value.file == str(agents), "the one that was laid over a file that holds is the one to mend"
    write(home, "[memory.chunking]\noverlap = 20\n")
    assert load(str(home), "coder", environ={}).settings.chunking.overlap == 20


def test_a_memory_of_the_library_reads_its_agents_file(home: Path) -> None:
    extra = home.parent / "papers"
    extra.mkdir()
    (extra / "one.md").write_text("the walrus paper\n", encoding="utf-8")
    write(home, f"[memory]\nextra_paths = ['{extra}']\nagent_write_mode = 'off'\n", "scout")
    with Memory.open(home, "scout") as scout, Memory.open(home) as main:
        assert [hit.path for hit in scout.search("walrus").results] == [str(extra / "one.md")]
        assert not main.search("walrus").results
        with pytest.raises(NotPermitted):
            scout.save("x", file="memory/a.md")
        main.save("x", file="memory/a.md")


@pytest.mark.parametrize("agent", ["..", "a/b", "../main", "A"])
def test_no_settings_are_looked_for_outside_the_agents_folder(home: Path, agent: str) -> None:
    write(home, "nonsense\n")
    (home.parent / "holdfast.toml").write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(BadAgent):
        Memory.open(home, agent)
    assert holdfast("config", "show", "--agent", agent).status == 2
    assert holdfast("config", "set", "--agent", agent, "memory.citations", "on").status == 2


# The command line


def test_config_set_for_an_agent_changes_that_agent_only(home: Path) -> None:
    done("config", "set", "memory.citations", "on")
    set_ = done("config", "set", "--agent", "coder", "memory.citations", "off", "--json")
    assert set_.json["path"] == str(home / "agents/coder/holdfast.toml")
    assert done("config", "get", "memory.citations").out == "on\n"
    assert done("config", "get", "memory.citations", "--agent", "coder").out == "off\n"
    rows = {row["key"]: row["source"] for row in done("config", "show", "--agent", "coder", "--json").json["settings"]}
    assert rows["memory.citations"] == "agents/coder/holdfast.toml:2"
    done("config", "unset", "--agent", "coder", "memory.citations")
    got = done("config", "get", "memory.citations", "--agent", "coder", "--json").json
    assert (got["value"], got["source"]) == ("on", "holdfast.toml:2")


def test_unsetting_for_an_agent_says_what_holds_then(home: Path) -> None:
    done("config", "set", "memory.citations", "on")
    done("config", "set", "--agent", "coder", "memory.citations", "off")
    assert "as the home has it" in done("config", "unset", "--agent", "coder", "memory.citations").out


def test_config_list_is_config_show(home: Path) -> None:
    done("config", "set", "--agent", "coder", "memory.citations", "off")
    assert done("config", "list", "--agent", "coder").out == done("config", "show", "--agent", "coder").out


def test_config_set_for_main_writes_the_file_of_main_and_its_notes_stay(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("giraffe")
    done("config", "set", "--agent", "main", "memory.citations", "off")
    assert (home / "agents/main/holdfast.toml").exists() and not (home / "holdfast.toml").exists()
    with Memory.open(home) as memory:
        assert memory.settings.memory.citations == "off"
        assert memory.get("MEMORY.md").text == "giraffe"
    assert done("config", "get", "memory.citations", "--agent", "scout").out == "auto\n"


def test_the_environments_agent_is_the_one_whose_setting_is_set(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_AGENT", "coder")
    assert "agents/coder" in done("config", "path").out
    done("config", "set", "memory.citations", "off")
    monkeypatch.delenv("HOLDFAST_AGENT")
    assert done("config", "get", "memory.citations").out == "auto\n"


def test_a_setting_of_the_home_is_not_set_for_an_agent(home: Path) -> None:
    refused = holdfast("config", "set", "--agent", "coder", "user.name", "Ada")
    assert refused.status == 4 and "without --agent" in refused.err and "Traceback" not in refused.err
    assert not (home / "agents").exists()


def test_a_mistake_in_an_agents_file_can_be_taken_out(home: Path) -> None:
    file = write(home, "# mine\n[memory]\nstlye = 'off'\n", "coder")
    with pytest.raises(UnknownSetting):
        load(str(home), "coder")
    done("config", "unset", "--agent", "coder", "memory.stlye")
    assert file.read_text() == "# mine\n[memory]\n"
    write(home, "[user]\nname = 'Ada'\n", "coder")
    done("config", "unset", "--agent", "coder", "user.name")
    assert load(str(home), "coder").settings


def test_an_agents_value_is_checked_over_the_homes_before_it_is_written(home: Path) -> None:
    done("config", "set", "memory.chunking.overlap", "20")
    done("config", "set", "--agent", "coder", "memory.chunking.tokens", "64")
    assert load(str(home), "coder").settings.chunking.tokens == 64
    assert holdfast("config", "set", "--agent", "coder", "memory.chunking.tokens", "40").status == 4
    assert load(str(home), "coder").settings.chunking.tokens == 64


def test_doctor_and_status_look_at_the_agents_file(home: Path) -> None:
    file = write(home, "[memory]\ncitations = 'off'\n", "coder")
    assert done("status", "--agent", "coder", "--json").json["agent_settings_file"] == str(file)
    assert done("status", "--json").json["agent_settings_file"] is None
    write(home, "[memory]\ncitations = 'perhaps'\n", "coder")
    said = holdfast("doctor", "--agent", "coder", "--json")
    checks = {check["name"]: check for check in said.json["checks"]}
    assert not checks["settings"]["ok"] and str(file) in checks["settings"]["detail"]


def test_doctor_reports_every_agents_file_that_can_not_be_used(home: Path) -> None:
    write(home, "[memory]\ncitations = 'off'\n", "writer")
    assert done("doctor", "--json").json["ok"]
    broken = write(home, "[memory]\ncitations = 'perhaps'\n", "coder")
    torn = write(home, "[memory\n", "tester")
    link = home / "agents" / "cook" / "holdfast.toml"
    link.parent.mkdir(parents=True)
    link.symlink_to(home / "gone.toml")
    said = holdfast("doctor", "--json")
    assert said.status == 1
    checks = [check for check in said.json["checks"] if check["name"] == "agents' settings"]
    assert [check["ok"] for check in checks] == [False, False, False, True]
    assert checks[-1]["detail"] == "usable: writer"
    for file, check in zip((broken, link, torn), checks, strict=False):
        assert str(file) in check["detail"]
        assert file.parent.name in check["remedy"]
    assert "--agent coder config unset memory.citations" in checks[0]["remedy"]
    # What is wrong with the home's is said once, and an agent's file is looked at all the same.
    write(home, "[memory\n")
    checks = [check for check in holdfast("doctor", "--json").json["checks"] if not check["ok"]]
    assert all(str(file) in check["detail"] for file, check in zip((broken, link, torn), checks[1:], strict=True))
    assert [check["name"] for check in checks] == ["settings", *["agents' settings"] * 3]


# Whose hands


def test_no_tool_of_an_agent_writes_its_settings(home: Path) -> None:
    write(home, "[memory]\nagent_write_mode = 'off'\n", "coder")
    names = ("holdfast.toml", "agents/coder/holdfast.toml", "../coder/holdfast.toml", "memory/../holdfast.toml")
    with Memory.open(home, "coder", {"memory.agent_write_mode": "hybrid"}) as memory:
        for name in names:
            said = memory.tools().call("memory_save", {"content": "agent_write_mode = 'hybrid'", "file": name})
            assert "error" in said
            with pytest.raises(BadPath):
                memory.notes.write(name, "x")
            with pytest.raises(BadPath):
                memory.delete(name, delete_file=True)
    assert load(str(home), "coder").values["memory.agent_write_mode"] == "off"


def test_a_program_does_not_open_an_agents_gates(home: Path) -> None:
    with Memory.open(home, "coder") as memory:
        for key, value in (("memory.agent_write_mode", "hybrid"), ("memory.secrets", "allow")):
            with pytest.raises(NotPermitted):
                change_settings(memory.ctx.workspace, {key: value}, of_agent=True)
        change_settings(memory.ctx.workspace, {"memory.citations": "off"}, of_agent=True)
    assert load(str(home), "coder").values["memory.citations"] == "off"
    assert load(str(home), "main").values["memory.citations"] == "auto"


# A pool of memories


def test_a_desk_lends_each_agent_its_own_settings_and_follows_its_file(home: Path) -> None:
    write(home, "[memory.search]\nmax_results = 3\n")
    memories = MemoryPool(str(home))
    renewed: list[str] = []
    memories.on_renewed.append(lambda: renewed.append("main"))

    def limits() -> list[int]:
        return [memories.call(lambda memory: memory.settings.search.max_results, who) for who in ("main", "coder")]

    assert limits() == [3, 3]
    main = memories.call(lambda memory: memory)
    write(home, "[memory.search]\nmax_results = 8\n", "coder")
    assert limits() == [3, 8]
    assert memories.call(lambda memory: memory) is main and not renewed, "nothing has changed for main"
    write(home, "[memory.search]\nmax_results = 'many'\n", "coder")
    assert limits() == [3, 8], "what held before holds while the file can't be used"
    assert "agents/coder" in memories.trouble_of("coder") and memories.trouble_of("main") == ""
    write(home, "[memory.search]\nmax_results = 4\n")
    (home / "agents/coder/holdfast.toml").unlink()
    assert limits() == [4, 4] and memories.trouble_of("coder") == ""
    memories.close()


_PATHS = (
    "memory.qmd.limits.max_snippet_chars",
    "memory.recall.deadline_ms",
    "capture.llm.every_turns",
    "llm.timeout_seconds",
)
_SAID = st.dictionaries(st.sampled_from(_PATHS), st.integers(500, 700))


@settings(max_examples=40, deadline=None)
@given(of_home=_SAID, of_agent=_SAID)
def test_whatever_the_two_files_say_the_agents_word_wins_and_else_the_homes(
    tmp_path_factory: pytest.TempPathFactory, of_home: dict[str, int], of_agent: dict[str, int]
) -> None:
    home = tmp_path_factory.mktemp("home")
    write(home, "".join(f"{path} = {value}\n" for path, value in of_home.items()))
    write(home, "".join(f"{path} = {value}\n" for path, value in of_agent.items()), "a")
    loaded, defaults = load(str(home), "a", environ={}).values, load_text("").values
    assert {path: loaded[path] for path in _PATHS} == {
        path: of_agent.get(path, of_home.get(path, defaults[path])) for path in _PATHS
    }
    assert load(str(home), "b", environ={}).values == load(str(home), environ={}).values


def test_config_set_says_what_overrides_the_value_it_has_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "memory.search.max_results"
    assert done("config", "set", key, "4").err == ""
    write(home, "[memory.search]\nmax_results = 9\n", "main")
    write(home, "[memory.search]\nmax_results = 8\n", "coder")
    write(home, "[memory.search]\nmax_results = 'x'\n", "broken")
    write(home, "[memory.search]\nmin_score = 0.5\n", "scout")
    files = ["agents/main/holdfast.toml:2", "agents/coder/holdfast.toml:2"]
    ran = done("config", "set", key, "5")
    assert ran.err == f"This has no effect for main, coder: {', '.join(files)} override it.\n"
    assert done("config", "set", key, "5", "--json").json["overridden_by"] == files
    assert done("config", "set", "--agent", "coder", key, "7").err == ""
    assert "overridden_by" not in done("config", "set", "--agent", "coder", key, "7", "--json").json
    monkeypatch.setenv("HOLDFAST_MEMORY_SEARCH_MAX_RESULTS", "2")
    for command in (("set", key, "6"), ("set", "--agent", "coder", key, "6"), ("unset", key)):
        ran = done("config", *command)
        assert ran.err == "This has no effect: HOLDFAST_MEMORY_SEARCH_MAX_RESULTS overrides it.\n"
    assert done("config", "set", "memory.citations", "on").err == ""
