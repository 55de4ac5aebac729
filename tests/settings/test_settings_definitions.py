"""Definitions and values mirror each other, in both directions, and the docs mirror both."""

from __future__ import annotations

import re
from pathlib import Path

from holdfast.settings.declaration import Kind
from holdfast.settings.keys import BY_PATH, KEYS, TABLES
from holdfast.settings.loader import load, load_text
from holdfast.settings.settings import DEFAULTS, Settings
from holdfast.settings.settings_reference import literal, reference_markdown, rows, sample_file
from holdfast.settings.value_check import check_value

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_key_is_a_field_that_holds_its_default() -> None:
    for key in KEYS:
        section = getattr(DEFAULTS, key.room)
        assert key.field in section.fields
        assert getattr(section, key.field) == key.default


def test_every_definition_has_a_description_of_one_sentence() -> None:
    for key in KEYS:
        assert key.description.endswith("."), key.path
        assert key.description[0].isupper(), key.path
        assert "|" not in key.description, key.path
        assert ". " not in key.description, key.path


def test_paths_variables_and_tables_are_distinct() -> None:
    assert len(BY_PATH) == len(KEYS)
    assert len({key.environment for key in KEYS}) == len(KEYS)
    assert not TABLES & set(BY_PATH)
    assert {"memory", "memory.store", "memory.store.vector"} <= TABLES


def test_every_default_fits_its_own_definition() -> None:
    for key in KEYS:
        if not key.optional:
            assert check_value(key, key.default) == key.default
        assert (key.choices is not None) == (key.kind is Kind.CHOICE)
        assert (key.least is not None) == (key.kind in (Kind.WHOLE, Kind.NUMBER))
        assert not key.optional or key.example


def test_the_variable_of_a_key_is_its_path_in_capitals() -> None:
    assert BY_PATH["memory.search.max_results"].environment == "HOLDFAST_MEMORY_SEARCH_MAX_RESULTS"


def test_the_settings_page_is_up_to_date() -> None:
    again = (
        "docs/settings.md is out of date. Make it anew: python -c 'from pathlib import Path; "
        "from holdfast.settings.settings_reference import reference_markdown; "
        'Path("docs/settings.md").write_text(reference_markdown(), encoding="utf-8")\''
    )
    assert DOCS.read_text(encoding="utf-8") == reference_markdown(), again


def test_the_settings_page_names_every_key_and_variable() -> None:
    page = reference_markdown()
    for key in KEYS:
        assert f"| `{key.field}` |" in page
        assert f"| `{key.environment}` |" in page


def test_the_sample_file_loads_and_gives_the_defaults_when_uncommented() -> None:
    assert load_text(sample_file()).settings == Settings()
    uncommented = re.sub(r"(?m)^# (?=\w+ = )", "", sample_file())
    loaded = load_text(uncommented)
    given = {path for path, source in loaded.sources.items() if source != "default"}
    assert given == set(BY_PATH)
    for key in KEYS:
        assert loaded.values[key.path] == (key.example if key.optional else key.default)


def test_rows_show_value_default_and_source_of_every_key(home: Path) -> None:
    loaded = load(str(home), environ={"HOLDFAST_MEMORY_EXTRA_PATHS": "a:b"}, arguments={"memory.style": "off"})
    shown = {row.key: row for row in rows(loaded)}
    assert list(shown) == list(BY_PATH)
    style, extra = shown["memory.style"], shown["memory.extra_paths"]
    assert (style.value, style.default, style.source) == ("off", "hybrid", "argument")
    assert (extra.value, extra.default, extra.source) == (["a", "b"], [], "HOLDFAST_MEMORY_EXTRA_PATHS")


def test_literals_are_written_as_toml() -> None:
    assert [literal(value) for value in (True, 6, 0.5, 'a"b', ("x",), None)] == [
        "true",
        "6",
        "0.5",
        '"a\\"b"',
        '["x"]',
        "not set",
    ]
