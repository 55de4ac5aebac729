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
from holdfast.settings.settings import DEFAULTS
from holdfast.settings.settings_reference import literal
from holdfast.settings.toml_edit import set_value, unset_value

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
    value = 2 if key.default is None else key.default
    loaded = load_text(f"{path} = {literal(value)}\n")
    assert loaded.settings == DEFAULTS
    assert len(loaded.hints) == 1 and path in loaded.hints[0]


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
