"""What status, doctor, a server's settings and a running QMD say of the back end."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commandline import holdfast
from qmd_backend.program import Qmd, stands_in

from holdfast import Memory
from holdfast.errors import BadSetting, NotPermitted, UnknownSetting
from holdfast.operations.diagnosis import doctor
from holdfast.operations.settings_list import change_settings
from holdfast.settings.loader import load_text
from holdfast.settings.qmd_paths import qmd_path


def configure(home: Path, text: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "holdfast.toml").write_text(text, encoding="utf-8")


def test_status_says_who_answers_and_who_should(qmd: Qmd) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        before = memory.status().to_json()
        memory.search("walrus")
        after = memory.status().to_json()
    assert (before["backend"], before["wanted"]) == ("builtin", "qmd")
    assert "last changes" in before["qmd"]["because"]
    assert (after["backend"], after["qmd"]["because"]) == ("qmd", "")
    assert after["qmd"]["mode"] == "search" and len(after["qmd"]["missing_models"]) == 3
    assert after["qmd"]["collections"] == ["main"] and after["qmd"]["updated_at"] > 0


def test_the_command_line_says_who_answered(qmd: Qmd, home: Path) -> None:
    configure(home, f"[memory]\nbackend = 'qmd'\n[memory.qmd]\ncommand = '{qmd.command}'\n")
    holdfast("save", "The walrus sleeps.", "--file", "memory/a.md")
    found = json.loads(holdfast("search", "walrus", "--json").out)
    assert found["backend"] == "qmd" and found["results"][0]["path"] == "memory/a.md"
    assert "· qmd, keyword" in holdfast("search", "walrus").err
    assert "backend   qmd" in holdfast("status").out


def test_doctor_runs_it_and_looks_for_its_models_and_its_index(qmd: Qmd, home: Path) -> None:
    configure(home, f"[memory]\nbackend = 'qmd'\n[memory.qmd]\ncommand = '{qmd.command}'\n")
    with Memory.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
    checks = {check.name: check for check in doctor(str(home), "main")}
    assert checks["qmd"].ok and checks["qmd"].detail.startswith("qmd 2.8.3")
    models = checks["qmd models"]
    assert models.ok and models.warn and "keyword search serves" in models.detail and "qmd pull" in models.remedy
    assert holdfast("doctor").status == 0 and "warn qmd models" in holdfast("doctor").out
    assert checks["qmd index"].ok


def test_doctor_says_how_to_get_it(home: Path) -> None:
    configure(home, "[memory]\nbackend = 'qmd'\n[memory.qmd]\ncommand = 'no-such-qmd'\n")
    [check] = [check for check in doctor(str(home), "main") if check.name == "qmd"]
    assert not check.ok and "npm install -g @tobilu/qmd" in check.remedy


def test_doctor_says_how_to_start_a_server_that_does_not_answer(home: Path) -> None:
    configure(home, "[memory]\nbackend = 'qmd'\n[memory.qmd]\ncommand = 'http://127.0.0.1:9'\n")
    [check] = [check for check in doctor(str(home), "main") if check.name == "qmd"]
    assert not check.ok and "qmd mcp --http" in check.remedy and "memory.qmd.command" in check.remedy


def test_without_it_doctor_says_nothing_of_it(home: Path) -> None:
    assert not [check for check in doctor(str(home), "main") if check.name.startswith("qmd")]


@contextmanager
def served(qmd: Qmd, home: Path) -> Iterator[str]:
    """A QMD that runs as a server, over the index of agent main."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = home / "state" / "qmd" / "main"
    env = {**os.environ, "INDEX_PATH": str(place / "index.sqlite"), "QMD_CONFIG_DIR": str(place / "config")}
    argv = [qmd.command, "mcp", "--http", "--port", str(port), "--host", "127.0.0.1"]
    with subprocess.Popen(argv, env=env, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert any("listening" in line for line in server.stdout)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def test_a_running_server_is_asked_instead_of_a_process(qmd: Qmd, home: Path, tmp_path: Path) -> None:
    with qmd.open() as memory:
        memory.save("# Notes\n\nA line.\n\nThe walrus sleeps.\n", file="memory/a.md")
        memory.save("Something else.\n", file="memory/b.md")
        memory.search("walrus")
    with served(qmd, home) as url, qmd.open(memory__qmd__url=url, memory__recall__deadline_ms=60_000) as memory:
        found = memory.search("walrus")
        with memory.session("s") as session:
            recalled = session.recall("Where does the walrus sleep?")
    assert (found.backend, found.results[0].path, found.results[0].start_line) == ("qmd", "memory/a.md", 5)
    assert "walrus sleeps" in recalled.text
    if (tmp_path / "qmd-asked").exists():  # what the stand-in was sent
        asked = json.loads((tmp_path / "qmd-asked").read_text(encoding="utf-8"))
        assert asked["searches"][0]["type"] == "lex" and asked["rerank"] is False


@stands_in
def test_a_server_with_models_is_asked_for_meaning_too(qmd: Qmd, home: Path, tmp_path: Path) -> None:
    qmd.has_models()
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
    with served(qmd, home) as url, qmd.open(memory__qmd__url=url) as memory:
        assert memory.search("walrus").mode.value == "hybrid"
    asked = json.loads((tmp_path / "qmd-asked").read_text(encoding="utf-8"))
    assert [one["type"] for one in asked["searches"]] == ["lex", "vec"] and asked["rerank"] is True


def test_a_server_that_is_not_there_is_a_reason_for_the_builtin_search(qmd: Qmd, home: Path) -> None:
    with qmd.open() as memory:
        memory.save("The walrus sleeps.\n", file="memory/a.md")
        memory.search("walrus")
    with qmd.open(memory__qmd__url="http://127.0.0.1:9") as memory:
        found = memory.search("walrus")
    assert found.backend == "builtin" and found.results and "QMD did not answer: " in found.because


@pytest.mark.parametrize("url", ["http://example.com:8181", "http://10.0.0.3", "ftp://127.0.0.1", "http://a@127.0.0.1"])
def test_no_question_goes_to_a_server_on_another_machine(url: str) -> None:
    with pytest.raises(BadSetting):
        load_text(f"[memory.qmd]\ncommand = '{url}'\n")


@pytest.mark.parametrize(
    "entry",
    ["''", "'/'", "'main=/a'", "'Docs=/a'", "'docs=/a::../x/*.md'", "{ name = 'docs' }", "{ path = 'a', depth = 'b' }"],
)
def test_a_place_that_can_not_be_meant_is_refused(entry: str) -> None:
    with pytest.raises(BadSetting):
        load_text(f"[memory.qmd]\npaths = [{entry}]\n")


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ("{ path = 'a', depth = 'b' }", "entry 1 can't be used, there is no `depth` in it"),
        ("{ name = 'docs' }", "its `path` is missing"),
        ("{ path = 3 }", "its `path` must be text"),
        ("'~/notes', '../x'", "entry 2 can't be used, its path must not go up"),
        ("{ path = 'a/../../x' }", "must not go up"),
        ("'docs=/a', { name = 'docs', path = '/b' }", "the entries 1 and 2 have the same name 'docs'"),
        ("'path-2=/a', '/b'", "the name path-2 is taken"),
    ],
)
def test_what_is_wrong_with_a_place_is_said(entries: str, why: str) -> None:
    with pytest.raises(BadSetting) as caught:
        load_text(f"[memory.qmd]\npaths = [{entries}]\n")
    assert why in str(caught.value) and "line 2" in str(caught.value)


def test_a_place_that_is_not_there_is_told_of(qmd: Qmd, home: Path, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    paths = f"['{tmp_path}/here', 'docs={tmp_path}/gone']"
    configure(home, f"[memory]\nbackend = 'qmd'\n[memory.qmd]\ncommand = '{qmd.command}'\npaths = {paths}\n")
    status = holdfast("status")
    assert f"not there: {tmp_path}/gone (memory.qmd.paths)" in status.out
    assert holdfast("status", "--json").json["qmd"]["missing_paths"] == [f"{tmp_path}/gone"]
    [check] = [check for check in doctor(str(home), "main") if check.name == "qmd paths"]
    assert check.ok and check.warn and f"{tmp_path}/gone" in check.detail and check.remedy


def test_a_place_is_a_table_or_a_text() -> None:
    text = "[memory.qmd]\npaths = [{ name = 'docs', path = '~/notes', pattern = '*.md' }, './a=b/notes']\n"
    assert load_text(text).settings.qmd.paths == ("docs=~/notes::*.md", "./a=b/notes")
    assert qmd_path("docs=~/notes::*.md") == ("~/notes", "*.md", "docs")
    assert qmd_path("./a=b/notes") == ("./a=b/notes", "**/*.md", "")


def test_the_program_is_chosen_by_hand_only() -> None:
    with Memory.open() as memory, pytest.raises(NotPermitted):
        change_settings(memory.ctx.workspace, {"memory.qmd.command": "/tmp/evil"})


def test_an_unknown_key_of_it_names_the_nearest() -> None:
    with pytest.raises(UnknownSetting) as caught:
        load_text("[memory.qmd]\ntimeout = 3\n")
    assert "memory.qmd.timeout_ms" in str(caught.value)
