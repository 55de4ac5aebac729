"""Each bad input shows its error class, the key, the line and the nearest valid name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.errors import BadSetting, SettingsError, UnknownSetting, UnreadableSettings
from holdfast.settings.declaration import Key, Kind
from holdfast.settings.keys import find_key
from holdfast.settings.loader import load, load_text
from holdfast.settings.value_check import refusal


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("search.limit", "memory.search.max_results"),
        ("memory.qmd.limits.max_results", "memory.qmd.max_results"),
        ("memory.qmd.limits.timeout_ms", "memory.qmd.timeout_ms"),
        ("facts.limit", None),
        ("limit", "memory.search.max_results"),
        ("memory.enabled", None),
        ("sessions.keep", None),
        ("memory.index.path", "memory.store.path"),
        ("memory.tokens", "memory.chunking.tokens"),
        ("memory.provder", "memory.provider"),
        ("llm.api.key", "llm.api_key"),
        ("openai.api_key", "memory.api_key"),
    ],
)
def test_a_hint_is_near_in_spelling_and_about_the_same_or_there_is_none(key: str, nearest: str | None) -> None:
    with pytest.raises(UnknownSetting) as caught:
        find_key(key)
    assert caught.value.nearest == nearest


@pytest.mark.parametrize(
    ("text", "key", "line", "nearest"),
    [
        ('# c\n[memory]\nstlye = "off"\n', "memory.stlye", 3, "memory.style"),
        ("[memory.search]\n\nmaxResults = 3\n", "memory.search.maxResults", 3, "memory.search.max_results"),
        ("[memory.serach]\nmax_results = 3\n", "memory.serach", 1, "memory.search"),
        ("[memroy]\n", "memroy", 1, "memory"),
        ("[search]\nmax_results = 3\n", "search", 1, "memory.search"),
        ("[memory]\nmax_results = 3\n", "memory.max_results", 2, "memory.search.max_results"),
        ("memory.sync = { wacth = true }\n", "memory.sync.wacth", 1, "memory.sync.watch"),
        ('"memory.style" = "off"\n', '"memory.style"', 1, "memory.style"),
        ("[memory]\n'citation' = 'on'\n", "memory.citation", 2, "memory.citations"),
        ("[memory.sync]\nwatch_debounce = 5\n", "memory.sync.watch_debounce", 2, "memory.sync.watch_debounce_ms"),
        ('[memory]\nengine = "zvec"\n', "memory.engine", 2, None),
        ("[memory.zvec]\nlevel = 3\n", "memory.zvec", 1, None),
        ('x = """\n\n"""\ny = 1\n', "x", 1, None),
    ],
)
def test_an_unknown_key_names_the_line_and_the_nearest(text: str, key: str, line: int, nearest: str | None) -> None:
    with pytest.raises(UnknownSetting) as caught:
        load_text(text)
    error = caught.value
    assert (error.key, error.line, error.nearest) == (key, line, nearest)
    assert f"(holdfast.toml, line {line})" in str(error)
    assert (nearest or f"`holdfast config unset {key}` takes it out") in str(error)


@pytest.mark.parametrize(
    ("text", "key", "line", "part"),
    [
        ('[memory]\nstyle = "hybird"\n', "memory.style", 2, 'the nearest is "hybrid"'),
        ('[memory]\nstyle = "hybird"\n', "memory.style", 2, '"hybrid", "prompt-only", "search-only", "off"'),
        ('memory.agent_write_mode = "prompt_only"', "memory.agent_write_mode", 1, 'nearest is "prompt-only"'),
        ('memory.search_merge_strategy = "RRF"', "memory.search_merge_strategy", 1, 'nearest is "rrf"'),
        ("[memory]\ncitations = true\n", "memory.citations", 2, 'nearest is "on"'),
        ("[memory]\ncitations = 3\n", "memory.citations", 2, 'one of "auto", "on", "off"'),
        ("[memory]\ndisable_rag = 1\n", "memory.disable_rag", 2, "true or false"),
        ('[memory]\ndisable_rag = "true"\n', "memory.disable_rag", 2, "without quotes"),
        ("[memory.search]\nmax_results = true\n", "memory.search.max_results", 2, "a whole number from 1 to 100"),
        ('[memory.search]\nmax_results = "6"\n', "memory.search.max_results", 2, "100, without quotes"),
        ("[memory.search]\nmax_results = 6.0\n", "memory.search.max_results", 2, "a whole number"),
        ("[memory.search]\nmax_results = 0\n", "memory.search.max_results", 2, "from 1 to 100"),
        ("[memory.search]\nmax_results = 101\n", "memory.search.max_results", 2, "from 1 to 100"),
        ("[memory.search]\nmax_results = 2024-01-01\n", "memory.search.max_results", 2, "a whole number"),
        ("[memory.search]\nmin_score = nan\n", "memory.search.min_score", 2, "a number from 0 to 1"),
        ("[memory.search]\nmin_score = true\n", "memory.search.min_score", 2, "a number from 0 to 1"),
        ("[memory.search]\nvector_weight = inf\n", "memory.search.vector_weight", 2, "0 or more"),
        ("[memory.search]\nvector_weight = -0.1\n", "memory.search.vector_weight", 2, "0 or more"),
        (f"memory.search.vector_weight = {'9' * 400}", "memory.search.vector_weight", 1, "0 or more"),
        ("[memory.search]\nvector_weight = 0\ntext_weight = 0\n", "memory.search.vector_weight", 2, "both be 0"),
        ("[memory.chunking]\noverlap = 200\n", "memory.chunking.overlap", 2, "less than half"),
        ("[memory.chunking]\n\ntokens = 160\n", "memory.chunking.tokens", 3, "less than half"),
        ("memory.cache.max_entries = 1_000_000_001", "memory.cache.max_entries", 1, "1,000,000,000"),
        ('memory.extra_paths = "a"', "memory.extra_paths", 1, "a list of texts"),
        ('memory.extra_paths = ["a",\n1]', "memory.extra_paths", 1, "entry 2"),
        ('memory.extra_paths = [""]', "memory.extra_paths", 1, "it is empty"),
        ("memory.extra_paths = [" + "'a'," * 1001 + "]", "memory.extra_paths", 1, "more than 1,000 entries"),
        ('memory.store.path = ""', "memory.store.path", 1, "it is empty"),
        ('memory.store.path = "a\\u0000b"', "memory.store.path", 1, "control character"),
        ('memory.store.path = "{agentid}.db"', "memory.store.path", 1, "{agentId}"),
        ('memory.store.path = "state/main.sqlite"', "memory.store.path", 1, "must hold {agentId}"),
        ('memory.store.path = "memory/{agentId}.md"', "memory.store.path", 1, "end in .sqlite"),
        ('memory.extra_paths = ["/"]', "memory.extra_paths", 1, "whole file system"),
        ("memory.store.path = '" + "a" * 4097 + "'", "memory.store.path", 1, "longer than 4,096"),
        ("memory.store.path = 3", "memory.store.path", 1, "it must be text"),
        ("[memory.style]\nx = 1\n", "memory.style", 1, "not a table"),
        ("[memory.search.max_results]\n", "memory.search.max_results", 1, "not a table"),
        ("[memory]\nsearch = 3\n", "memory.search", 2, "[memory.search]"),
        ("\n[[memory]]\nstyle = 'off'\n", "memory", 2, "it must be a table"),
    ],
)
def test_a_bad_value_names_the_key_the_line_and_what_belongs_there(text: str, key: str, line: int, part: str) -> None:
    with pytest.raises(BadSetting) as caught:
        load_text(text)
    error = caught.value
    assert (error.key, error.line) == (key, line)
    assert part in str(error)
    assert f"(holdfast.toml, line {line})" in str(error)
    assert len(str(error)) < 400


@pytest.mark.parametrize(
    ("content", "line", "part"),
    [
        (b"[memory]\nstyle = 'off'\nstyle = 'off'\n", 3, "given twice"),
        (b"[memory]\n\n[memory]\n", 3, "given twice"),
        (b"[memory]\nstyle =\n", 2, "not valid TOML"),
        (b"[memory]\nstyle off\n", 2, "not valid TOML"),
        (b"[memory\n", 1, "not valid TOML"),
        (b'memory.extra_paths = [\n"a",\n', 2, "not valid TOML"),
        (b"[memory]\n# \xff\n", 2, "not UTF-8"),
        (b"#" * 1_000_001, None, "larger than 1,000,000 bytes"),
        (b"a = " + b"[" * 50_000, None, "nested too deeply"),
        (b"a = " + b"1" * 5_000, None, "too many digits"),
        (b"\n" + b"a." * 1_001 + b"a = 1", 2, "1,000 dots"),
    ],
)
def test_a_file_that_is_not_toml_is_unreadable(home: Path, content: bytes, line: int | None, part: str) -> None:
    home.mkdir()
    file = home / "holdfast.toml"
    file.write_bytes(content)
    with pytest.raises(UnreadableSettings) as caught:
        load(str(home), environ={})
    assert caught.value.file == str(file)
    assert caught.value.line == line
    assert part in str(caught.value)


def test_a_file_of_just_the_limit_is_read(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_bytes(b"#" * 1_000_000)
    load(str(home), environ={})


def test_a_directory_in_place_of_the_file_is_unreadable(home: Path) -> None:
    (home / "holdfast.toml").mkdir(parents=True)
    with pytest.raises(UnreadableSettings, match="it is a directory"):
        load(str(home), environ={})


def test_a_fifo_in_place_of_the_file_is_unreadable_and_never_waited_for(home: Path) -> None:
    home.mkdir()
    os.mkfifo(home / "holdfast.toml")
    with pytest.raises(UnreadableSettings, match="not a plain file"):
        load(str(home), environ={})


def test_a_link_to_a_missing_file_is_unreadable_and_a_good_link_is_followed(home: Path) -> None:
    home.mkdir()
    target = home / "dotfiles.toml"
    (home / "holdfast.toml").symlink_to(target)
    with pytest.raises(UnreadableSettings, match="not there"):
        load(str(home), environ={})
    target.write_text("memory.disable_rag = true", encoding="utf-8")
    assert load(str(home), environ={}).settings.memory.disable_rag is True


def test_a_file_in_place_of_the_home_is_unreadable(home: Path) -> None:
    home.write_text("", encoding="utf-8")
    with pytest.raises(UnreadableSettings, match="not a directory"):
        load(str(home), environ={})


def test_a_home_with_a_nul_is_unreadable() -> None:
    with pytest.raises(UnreadableSettings, match="null"):
        load("a\0b", environ={})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_read_permission_is_unreadable(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").touch(mode=0)
    with pytest.raises(UnreadableSettings, match="permission denied"):
        load(str(home), environ={})


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("HOLDFAST_MEMROY_STYLE", "HOLDFAST_MEMORY_STYLE"),
        ("HOLDFAST_MEMORY_SEARCH_MAXRESULTS", "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS"),
        ("HOLDFAST_ZZZ", None),
    ],
)
def test_an_unknown_variable_names_the_nearest(home: Path, variable: str, nearest: str | None) -> None:
    with pytest.raises(UnknownSetting) as caught:
        load(str(home), environ={variable: "off"})
    assert (caught.value.key, caught.value.nearest) == (variable, nearest)


@pytest.mark.parametrize(
    ("variable", "value", "part"),
    [
        ("HOLDFAST_MEMORY_STYLE", "hybird", 'nearest is "hybrid"'),
        ("HOLDFAST_MEMORY_DISABLE_RAG", "maybe", "true or false"),
        ("HOLDFAST_MEMORY_SEARCH_MAX_RESULTS", "six", "whole number"),
        ("HOLDFAST_MEMORY_SEARCH_MAX_RESULTS", "", "whole number"),
        ("HOLDFAST_MEMORY_SEARCH_MAX_RESULTS", "9" * 5000, "whole number"),
        ("HOLDFAST_MEMORY_SEARCH_MIN_SCORE", "nan", "from 0 to 1"),
        ("HOLDFAST_MEMORY_EXTRA_PATHS", "[a]", '["a", "b"]'),
        ("HOLDFAST_MEMORY_EXTRA_PATHS", "a::b", "entry 2"),
        ("HOLDFAST_MEMORY_STORE_PATH", "a\udcff", "not UTF-8"),
    ],
)
def test_a_bad_variable_is_named_with_what_belongs_there(home: Path, variable: str, value: str, part: str) -> None:
    with pytest.raises(BadSetting) as caught:
        load(str(home), environ={variable: value})
    assert caught.value.file == variable
    assert f"({variable})" in str(caught.value)
    assert part in str(caught.value)
    str(caught.value).encode("utf-8")


def test_a_bad_value_is_an_error_even_when_something_else_wins(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text("memory.search.max_results = 0", encoding="utf-8")
    with pytest.raises(BadSetting):
        load(str(home), environ={}, arguments={"memory.search.max_results": 3})


def test_an_unknown_or_bad_argument_is_an_error(home: Path) -> None:
    with pytest.raises(UnknownSetting, match=r"memory\.search\.max_results"):
        load(str(home), environ={}, arguments={"memory.search.max_result": 3})
    with pytest.raises(BadSetting, match="from 1 to 100"):
        load(str(home), environ={}, arguments={"memory.search.max_results": 1000})


def test_values_from_different_places_that_clash_blame_the_one_that_was_given(home: Path) -> None:
    with pytest.raises(BadSetting) as caught:
        load(str(home), environ={"HOLDFAST_MEMORY_CHUNKING_TOKENS": "100"})
    assert (caught.value.key, caught.value.file) == ("memory.chunking.tokens", "HOLDFAST_MEMORY_CHUNKING_TOKENS")


def test_an_error_never_carries_a_terminal_escape_or_a_flood() -> None:
    with pytest.raises(UnknownSetting) as caught:
        load_text('"\\u001b[31m' + "x" * 100_000 + '" = 1')
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_error_never_shows_a_secret() -> None:
    key = Key(Kind.TEXT, None, "A stand-in.", secret=True)
    assert "hunter2" not in str(refusal(key, "hunter2", "it must be text"))


@given(st.text(max_size=200))
@example("[memory]\r\n")
@example("memory.extra_paths = [{a = 1}]")
def test_any_text_loads_or_is_a_settings_error(text: str) -> None:
    try:
        load_text(text)
    except SettingsError as error:
        str(error).encode("utf-8")
