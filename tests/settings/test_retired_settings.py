"""What an earlier version had as a key: an old file still opens, and says what became of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.errors import BadSetting, UnknownSetting
from holdfast.settings.keys import CONSTANTS, KEYS, find_key
from holdfast.settings.loader import load, load_text
from holdfast.settings.search_settings import SEARCH_PARTS
from holdfast.settings.session_settings import ScopeAction, ScopeRule, SessionKind
from holdfast.settings.settings import DEFAULTS
from holdfast.settings.settings_reference import literal
from holdfast.settings.toml_edit import set_value, unset_value

_KEEP = ("memory.session_export_keep", ("30 days", "7 notes"))
_DIRECT = ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT)
# The headers of the sample that `holdfast init` wrote, with one key that is a constant now.
OLD = """\
[memory.search.boost]
# access = 0.3
[dreaming.weights]
rem = 0.5 # mine
[memory]
citations = "on"
"""


def test_a_file_of_an_earlier_version_opens_with_a_hint_for_each_old_key(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text(OLD, encoding="utf-8")
    loaded = load(str(home), environ={"HOLDFAST_FACTS_ARCHIVE": "off"})
    assert loaded.settings == DEFAULTS.replace(memory=loaded.settings.memory)
    assert loaded.values["memory.citations"] == "on"
    assert loaded.hints == (
        "'dreaming.weights.rem' (holdfast.toml:4) is no setting any more. It is fixed at 0.09 now.",
        "'facts.archive' (HOLDFAST_FACTS_ARCHIVE) is no setting any more. It is fixed at true now.",
    )


@pytest.mark.parametrize("path", sorted(CONSTANTS))
def test_every_old_key_may_stand_in_a_file_and_is_named_with_what_became_of_it(path: str) -> None:
    key = CONSTANTS[path]
    value = (key.example or 2) if key.default is None else key.default
    loaded = load_text(f"{path} = {literal(value)}\n")
    if key.default is None and key.heir:
        assert set(loaded.given) == {key.heir}
    else:
        assert loaded.settings == DEFAULTS
    assert len(loaded.hints) == 1 and path in loaded.hints[0]


def test_there_are_at_most_a_hundred_keys_and_every_heir_is_one_of_them() -> None:
    assert len(KEYS) <= 100
    heirs = {key.heir for key in CONSTANTS.values()} - {""}
    assert heirs <= {key.path for key in KEYS}
    assert all(key.advice and key.carry for key in CONSTANTS.values() if key.heir)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("memory.auto_remote = true\n", "memory.provider", "auto-remote"),
        ("memory.auto_remote = true\nmemory.provider = 'ollama'\n", "memory.provider", "ollama"),
        ("memory.auto_remote = false\n", "memory.provider", "auto"),
        ("memory.session_export_days = 30\nmemory.session_export_count = 7\n", *_KEEP),
        ("memory.local.model = 'holdfast-static-1'\n", "memory.local.model_path", "holdfast-static-1"),
        ("memory.local.model = 'holdfast-static-1'\nmemory.local.model_path = '/a'\n", "memory.local.model_path", "/a"),
        ("llm.idle_timeout_seconds = 900\n", "llm.timeout_seconds", 180),
        ("llm.idle_timeout_seconds = 30\n", "llm.timeout_seconds", 60),
        ("memory.search.expand = true\ncompaction.mode = 'summary'\n", "llm.tasks", ("dreaming", "expand", "summary")),
        ("capture.llm.enabled = true\ndreaming.llm = false\n", "llm.tasks", ("capture",)),
        ("memory.multimodal.caption = true\nllm.tasks = []\n", "llm.tasks", ("captions",)),
        ("memory.qmd.url = 'http://127.0.0.1:8181'\n", "memory.qmd.command", "http://127.0.0.1:8181"),
        ("dreaming.enabled = false\ndreaming.every_hours = 0\n", "dreaming.mode", "off"),
        ("dreaming.every_hours = 0\n", "dreaming.mode", "by-hand"),
        ("dreaming.idle_minutes = 0\n", "dreaming.mode", "eager"),
        ("dreaming.idle_minutes = 30\ndreaming.enabled = true\n", "dreaming.mode", "idle"),
        ("memory.scope.default = 'allow'\n", "memory.scope.rules", (_DIRECT, ScopeRule(ScopeAction.ALLOW))),
        ("memory.scope.default = 'deny'\n", "memory.scope.rules", (_DIRECT,)),
        ("memory.qmd.scope.default = 'allow'\n", "memory.qmd.scope.rules", (_DIRECT, ScopeRule(ScopeAction.ALLOW))),
        ("memory.cache.enabled = false\n", "memory.cache.max_entries", 0),
        ("memory.cache.enabled = true\n", "memory.cache.max_entries", 50_000),
        ("llm.price_input = 0.25\nllm.price_output = 4\n", "llm.prices", ("0.25", "4")),
    ],
)
def test_the_value_of_an_old_key_goes_to_the_one_that_took_its_place(text: str, path: str, value: object) -> None:
    loaded = load_text(text)
    assert loaded.values[path] == value
    assert all(path in hint for hint in loaded.hints)


def test_the_key_that_took_the_place_of_others_is_heard_where_they_were() -> None:
    text = (
        "memory.provider = 'auto-remote'\nmemory.session_export_keep = ['30 days', '7 notes']\n"
        "memory.local.model_path = 'use-multilingual'\nmemory.qmd.command = 'http://localhost:8181'\n"
        "llm.timeout_seconds = 600\nllm.tasks = ['capture', 'captions', 'expand', 'summary']\n"
    )
    settings = load_text(text).settings
    assert (settings.memory.provider, settings.memory.auto_remote) == ("auto", True)
    assert (settings.memory.session_export_days, settings.memory.session_export_count) == (30, 7)
    assert (settings.local.model, settings.local.model_path) == ("use-multilingual", None)
    assert (settings.qmd.url, settings.qmd.command) == ("http://localhost:8181", "qmd")
    assert settings.llm.idle_timeout_seconds == 3000
    assert (settings.capture_llm.enabled, settings.multimodal.caption, settings.search.expand) == (True, True, True)
    assert (settings.compaction.mode, settings.dreaming.llm) == ("summary", False)


@pytest.mark.parametrize(
    ("mode", "held"),
    [("idle", (True, 24, 15)), ("eager", (True, 24, 0)), ("by-hand", (True, 0, 15)), ("off", (False, 24, 15))],
)
def test_each_way_to_dream_is_what_the_three_old_keys_said(mode: str, held: tuple[bool, int, int]) -> None:
    dreaming = load_text(f"dreaming.mode = '{mode}'\n").settings.dreaming
    assert (dreaming.enabled, dreaming.every_hours, dreaming.idle_minutes) == held


def test_a_line_that_need_be_found_but_once_needs_one_question_a_day_and_no_score() -> None:
    once = load_text("dreaming.deep.min_recall_count = 1\n").settings.dreaming_deep
    assert (once.min_unique_queries, once.min_days, once.min_score) == (1, 1, 0.0)
    often = load_text("dreaming.deep.min_recall_count = 9\n").settings.dreaming_deep
    assert (often.min_unique_queries, often.min_days, often.min_score) == (3, 2, 0.75)


@pytest.mark.parametrize("prices", [["x"], ["-1", "2"], ["1", "2", "3"], ["1e3", "2"], ["٣", "2"]])
def test_prices_are_two_numbers(prices: list[str]) -> None:
    with pytest.raises(BadSetting, match=r"llm\.prices"):
        load_text(f"llm.prices = {prices}\n")
    llm = load_text("llm.prices = ['0.25', '4']\n").settings.llm
    assert (llm.price_input, llm.price_output) == (0.25, 4.0)


@pytest.mark.parametrize("limit", ["30", "0 days", "7 weeks", "36501 days", "-1 notes", "٣ days", "9" * 50 + " days"])
def test_a_limit_of_exports_is_a_number_of_days_or_notes(limit: str) -> None:
    with pytest.raises(BadSetting, match="it must be `N days`"):
        load_text(f"memory.session_export_keep = ['{limit}']\n")
    with pytest.raises(BadSetting, match="it has two limits in days"):
        load_text("memory.session_export_keep = ['1 days', '2 days']\n")


def test_an_agents_old_key_is_heard_over_what_the_home_says_in_todays_words(home: Path) -> None:
    (home / "agents/coder").mkdir(parents=True)
    (home / "holdfast.toml").write_text("[llm]\ntasks = ['expand']\n[dreaming]\nmode = 'by-hand'\n")
    (home / "agents/coder/holdfast.toml").write_text("[memory.search]\nexpand = false\n[dreaming]\nenabled = false\n")
    assert load(str(home), "coder").values["llm.tasks"] == ()
    assert load(str(home), "coder").values["dreaming.mode"] == "off"
    assert load(str(home)).values["dreaming.mode"] == "by-hand"


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("typos = false\n", ("typos",)),
        ("typos = true\n", ()),
        ("typos = false\ntime = false\nskip = ['closer']\n", ("closer", "typos", "time")),
        ("[memory.search.temporal_decay]\nenabled = false\n", ("recency",)),
        ("[memory.search.boost]\naccess = 0\nproject = 0.2\n", ("access",)),
    ],
)
def test_a_part_of_search_that_an_old_file_switched_off_stays_off(text: str, skipped: tuple[str, ...]) -> None:
    loaded = load_text("[memory.search]\n" + text)
    assert loaded.settings.search.skip == skipped
    assert all("memory.search.skip" in hint for hint in loaded.hints)


def test_each_part_that_is_skipped_is_off_and_the_others_are_on() -> None:
    for part in SEARCH_PARTS:
        settings = load_text(f"memory.search.skip = ['{part}']\n").settings
        parts = {name: getattr(settings.search, name) for name in SEARCH_PARTS if name in settings.search.fields}
        lifts = {name: getattr(settings.boost, name) for name in settings.boost.fields}
        state = parts | lifts | {"recency": settings.temporal_decay.enabled}
        assert [name for name, is_on in state.items() if not is_on] == [part]
    with pytest.raises(BadSetting, match="it must be one of context"):
        load_text("memory.search.skip = ['luck']\n")


def test_a_program_may_still_change_a_constant_within_its_bounds(home: Path) -> None:
    with Memory.open(home, settings={"memory.search.snippet_chars": 100}) as memory:
        assert memory.settings.search.snippet_chars == 100
    with pytest.raises(BadSetting, match="from 80 to 700"):
        Memory.open(home, settings={"memory.search.snippet_chars": 7000})


def test_an_old_key_is_not_set_any_more_and_can_be_taken_out() -> None:
    with pytest.raises(UnknownSetting, match=r"no setting 'dreaming\.weights\.rem'\. It is fixed at 0\.09 now"):
        set_value("", "dreaming.weights.rem", "0.2")
    with pytest.raises(UnknownSetting, match=r'Name "typos" in memory\.search\.skip'):
        find_key("memory.search.typos")
    assert unset_value(OLD, "dreaming.weights.rem") == OLD.replace("rem = 0.5 # mine\n", "")


def test_config_and_doctor_say_what_became_of_an_old_key(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text(OLD, encoding="utf-8")
    shown = done("config", "show")
    assert "It is fixed at 0.09 now." in shown.err and "dreaming.weights" not in shown.out
    checks = {check["name"]: check for check in holdfast("doctor", "--json").json["checks"]}
    assert checks["settings"]["ok"] and "'dreaming.weights.rem'" in checks["settings"]["detail"]
    done("config", "unset", "dreaming.weights.rem")
    assert done("config", "show").err == ""


def test_no_key_is_both_a_setting_and_a_constant() -> None:
    assert not {key.path for key in KEYS} & set(CONSTANTS)


@pytest.mark.parametrize("value", ["'maybe'", "{ a = 1 }", "-7"])
def test_a_value_that_an_old_key_never_took_stops_nothing(home: Path, value: str) -> None:
    loaded = load_text(f"memory.search.typos = {value}\n")
    assert (loaded.settings, len(loaded.hints)) == (DEFAULTS, 1)
    assert len(load(str(home), environ={"HOLDFAST_FACTS_ARCHIVE": "perhaps"}).hints) == 1


def test_unset_says_which_old_key_still_holds_a_setting_and_what_became_of_one(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text("[memory.search]\ntypos = false\nskip = ['closer']\n", encoding="utf-8")
    ran = done("config", "unset", "memory.search.skip")
    assert "default" not in ran.out and "`holdfast config unset memory.search.typos`" in ran.out
    assert done("config", "unset", "memory.search.skip", "--json").json["overridden_by"] == ["memory.search.typos"]
    assert done("config", "unset", "memory.search.typos").out == "memory.search.typos was taken out of the file\n"
    assert done("config", "unset", "memory.search.typos").out == "memory.search.typos is not in the file\n"
    assert done("config", "unset", "memory.search.skip").out == "memory.search.skip is back to its default\n"
    assert "Did you mean 'memory.search.max_results'?" in holdfast("config", "unset", "memory.search.limit").err


def test_the_way_out_that_an_unknown_key_names_works(home: Path) -> None:
    for place, command in (("", "config unset zyx"), ("agents/coder", "config unset --agent coder zyx")):
        file = home / place / "holdfast.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("zyx = 1\n", encoding="utf-8")
        assert f"`holdfast {command}` takes it out." in holdfast("config", "show", "--agent", "coder").err
        assert "zyx was taken out of the file" in done(*command.split()).out
        done("config", "show", "--agent", "coder")


def test_a_place_with_a_pattern_is_one_entry_of_a_list_in_one_line(home: Path) -> None:
    done("config", "set", "memory.qmd.paths", "docs=/x::**/*.md:/y")
    assert done("config", "get", "memory.qmd.paths", "--json").json["value"] == ["docs=/x::**/*.md", "/y"]
