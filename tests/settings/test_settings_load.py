"""Where a value comes from, which one wins, and what the frozen result looks like."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.errors import BadSetting, SettingsError
from holdfast.settings.index_settings import ChunkingSettings, StoreSettings, VectorSettings
from holdfast.settings.keys import KEYS
from holdfast.settings.loader import load, settings_file
from holdfast.settings.memory_settings import Citations, Style
from holdfast.settings.search_settings import SearchSettings
from holdfast.settings.settings import Settings
from holdfast.settings.settings_reference import sample_file
from holdfast.settings.value_check import check_settings

MAX_RESULTS = "memory.search.max_results"


def write(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "holdfast.toml").write_text(text, encoding="utf-8")


def test_a_home_without_a_file_has_the_defaults(home: Path) -> None:
    loaded = load(str(home), environ={})
    assert loaded.settings == Settings()
    assert set(loaded.sources.values()) == {"default"}
    assert set(loaded.sources) == {key.path for key in KEYS}


def test_an_empty_file_has_the_defaults(home: Path) -> None:
    write(home, "")
    assert load(str(home), environ={}).settings == Settings()


def test_an_argument_wins_over_the_environment_over_the_file_over_the_default(home: Path) -> None:
    variable = {"HOLDFAST_MEMORY_SEARCH_MAX_RESULTS": "8"}
    argument = {MAX_RESULTS: 9}
    seen = [load(str(home), environ={})]
    write(home, "# mine\n[memory.search]\nmax_results = 7\n")
    seen.append(load(str(home), environ={}))
    seen.append(load(str(home), environ=variable))
    seen.append(load(str(home), environ=variable, arguments=argument))
    assert [loaded.settings.search.max_results for loaded in seen] == [6, 7, 8, 9]
    assert [loaded.sources[MAX_RESULTS] for loaded in seen] == [
        "default",
        "holdfast.toml:3",
        "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS",
        "argument",
    ]


def test_every_room_is_filled_from_the_file(home: Path) -> None:
    write(
        home,
        """
        memory.style = "search-only"
        [memory.store]
        path = "index/{agentId}.db"
        vector = { enabled = false, extension_path = "vec0.so" }
        [memory.chunking]
        tokens = 200
        overlap = 20
        """,
    )
    settings = load(str(home), environ={}).settings
    assert settings.memory.style is Style.SEARCH_ONLY
    assert settings.store == StoreSettings("index/{agentId}.db")
    assert settings.vector == VectorSettings(enabled=False, extension_path="vec0.so")
    assert settings.chunking == ChunkingSettings(200, 20)


def test_the_process_environment_is_read_when_none_is_given(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_CITATIONS", "off")
    assert load(str(home)).settings.memory.citations is Citations.OFF


@pytest.mark.parametrize("word", ["true", "1", "yes", "on", "TRUE", " Yes "])
def test_the_environment_reads_words_for_true(home: Path, word: str) -> None:
    loaded = load(str(home), environ={"HOLDFAST_MEMORY_DISABLE_RAG": word})
    assert loaded.settings.memory.disable_rag is True


@pytest.mark.parametrize("word", ["false", "0", "no", "off", "OFF"])
def test_the_environment_reads_words_for_false(home: Path, word: str) -> None:
    assert load(str(home), environ={"HOLDFAST_MEMORY_SYNC_WATCH": word}).settings.sync.watch is False


def test_the_environment_reads_lists_numbers_and_absence(home: Path) -> None:
    write(home, '[memory.store.vector]\nextension_path = "vec0.so"\n')
    settings = load(
        str(home),
        environ={
            "HOLDFAST_MEMORY_EXTRA_PATHS": "a b:/c",
            "HOLDFAST_MEMORY_SEARCH_MIN_SCORE": "0.25",
            "HOLDFAST_MEMORY_STORE_VECTOR_EXTENSION_PATH": "",
        },
    ).settings
    assert settings.memory.extra_paths == ("a b", "/c")
    assert settings.search.min_score == 0.25
    assert settings.vector.extension_path is None
    assert load(str(home), environ={"HOLDFAST_MEMORY_EXTRA_PATHS": ""}).settings.memory.extra_paths == ()


def test_variables_that_are_no_settings_are_left_alone(home: Path) -> None:
    others = ["HOLDFAST_HOME", "HOLDFAST_AGENT", "HOLDFAST_FAULTS", "HOLDFAST_TEST_X", "HOLDFAST_BENCH_Y", "PATH"]
    assert load(str(home), environ=dict.fromkeys(others, "x")).settings == Settings()


def test_an_argument_that_is_none_counts_as_not_given(home: Path) -> None:
    loaded = load(str(home), environ={}, arguments={MAX_RESULTS: None, "memory.extra_paths": ("a",)})
    assert loaded.sources[MAX_RESULTS] == "default"
    assert loaded.settings.memory.extra_paths == ("a",)


def test_a_byte_order_mark_and_windows_line_ends_are_read(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_bytes(b"\xef\xbb\xbf[memory]\r\ndisable_rag = true\r\n")
    loaded = load(str(home), environ={})
    assert loaded.settings.memory.disable_rag is True
    assert loaded.sources["memory.disable_rag"] == "holdfast.toml:2"


def test_a_whole_number_is_fine_where_a_number_belongs(home: Path) -> None:
    write(home, "memory.search.min_score = 1\n")
    score = load(str(home), environ={}).settings.search.min_score
    assert score == 1.0
    assert isinstance(score, float)


@pytest.mark.parametrize(("given", "minutes"), [("7", 7), ('"5m"', 5), ('"2h"', 120), ('"0m"', 0)])
def test_an_interval_is_given_in_minutes_or_with_its_unit(home: Path, given: str, minutes: int) -> None:
    write(home, f"memory.qmd.update.interval = {given}\nmemory.sync.interval = {given}\n")
    settings = load(str(home), environ={}).settings
    assert (settings.qmd_update.interval, settings.sync.interval) == (minutes, minutes)


@pytest.mark.parametrize("given", ["5s", "m", "-5m", "٥m", "5 m", "25h", "9" * 5000 + "m"])
def test_an_interval_that_is_none_is_refused_with_the_form_that_it_has(home: Path, given: str) -> None:
    write(home, f'memory.qmd.update.interval = "{given}"\n')
    with pytest.raises(BadSetting, match='whole number from 0 to 1,440 or a text such as "5m" or "5h"'):
        load(str(home), environ={})


def test_weights_are_scaled_to_one_and_shown_as_given(home: Path) -> None:
    write(home, "[memory.search]\nvector_weight = 3\ntext_weight = 1\n")
    loaded = load(str(home), environ={})
    assert (loaded.settings.search.vector_weight, loaded.settings.search.text_weight) == (0.75, 0.25)
    assert loaded.values["memory.search.vector_weight"] == 3.0


@pytest.mark.parametrize(("vector", "text"), [(1e308, 1e308), (5e-324, 5e-324), (2, 2)])
def test_weights_of_any_size_are_scaled(vector: float, text: float) -> None:
    search = SearchSettings(vector_weight=vector, text_weight=text)
    assert (search.vector_weight, search.text_weight) == (0.5, 0.5)


def test_replacing_another_field_leaves_the_weights_as_they_are() -> None:
    search = SearchSettings(vector_weight=1, text_weight=2)
    again = search.replace(max_results=3)
    assert (again.vector_weight, again.text_weight) == (search.vector_weight, search.text_weight)


def test_the_index_file_is_below_the_home_unless_the_path_is_absolute(tmp_path: Path) -> None:
    assert StoreSettings().file_of("/h", "ops") == "/h/state/ops.sqlite"
    assert StoreSettings("/x/{agentId}.db").file_of("/h", "ops") == "/x/ops.db"
    assert StoreSettings("~/{agentId}.db").file_of("/h", "ops") == str(tmp_path / "ops.db")


def test_frozen_values_cant_be_changed(home: Path) -> None:
    loaded = load(str(home), environ={})
    for field in Settings.fields:
        room = getattr(loaded.settings, field)
        for inner in room.fields:
            with pytest.raises(AttributeError):
                setattr(room, inner, None)
    with pytest.raises(AttributeError):
        loaded.settings.search = SearchSettings()  # type: ignore[misc]
    with pytest.raises(TypeError):
        loaded.sources["memory.style"] = "me"  # type: ignore[index]


def test_settings_built_by_hand_can_be_checked() -> None:
    assert check_settings(Settings()) == Settings()
    with pytest.raises(BadSetting, match="from 1 to 100"):
        check_settings(Settings(search=SearchSettings(max_results=0)))
    with pytest.raises(BadSetting, match="half"):
        check_settings(Settings(chunking=ChunkingSettings(100, 50)))


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n\n[memory]\n# style = 'off'\n[memory.search]\n",
        "[memory]\r\n# style = 'off'\r\n",
        "[dreaming.weights]\n",
    ],
)
def test_a_file_of_comments_and_headers_gives_nothing(home: Path, text: str) -> None:
    write(home, text)
    assert load(str(home), environ={}).given == {}


@pytest.mark.parametrize("text", ["[memory]\n# x\n[memory]\n", "[memroy]\n", "# \x01\n", "[memory\n", "#\n ]\n"])
def test_a_file_without_a_value_is_still_held_to_what_toml_and_the_tables_allow(home: Path, text: str) -> None:
    write(home, text)
    with pytest.raises(SettingsError):
        load(str(home), environ={})


def test_the_settings_file_is_in_the_home() -> None:
    assert settings_file("/h") == "/h/holdfast.toml"


@pytest.mark.parametrize("sample", [False, True], ids=["no file", "the sample of init"])
def test_loading_what_nobody_changed_imports_nothing_costly(home: Path, sample: bool) -> None:
    if sample:
        write(home, sample_file())
    code = (
        "import __future__, enum, os, sys, typing\n"
        "before = set(sys.modules)\n"
        "from holdfast.settings.loader import load\n"
        f"load({str(home)!r}, 'main', environ={{}})\n"
        "print(*sorted(name for name in set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    new = set(done.stdout.split())
    assert {name for name in new if name.split(".")[0] != "holdfast"} == set()
    assert not new & {f"holdfast.settings.{name}" for name in ("document", "keys", "qmd_paths", "value_check")}
