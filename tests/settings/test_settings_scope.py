"""The rules of `memory.scope`: a list of tables in the file, one line elsewhere, and errors that name the rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadSetting
from holdfast.settings.loader import load, load_text
from holdfast.settings.scope_rules import read_rules
from holdfast.settings.session_settings import ScopeAction, ScopeRule, SessionKind
from holdfast.settings.settings_reference import literal, rows
from holdfast.settings.toml_edit import set_value, unset_value

ALLOW_DIRECT = ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["action", "match", "kind", "channel", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


def test_without_rules_only_direct_sessions_see_the_memory() -> None:
    scope = load_text("").settings.scope
    assert scope.default is ScopeAction.DENY
    assert scope.rules == (ALLOW_DIRECT,)


def test_rules_stand_in_the_file_as_a_list_or_as_tables_of_their_own() -> None:
    inline = '[memory.scope]\nrules = [{ action = "deny", match = { key_prefix = "work:", channel = "mail" } }]\n'
    tables = '[[memory.scope.rules]]\naction = "deny"\nmatch = { key_prefix = "work:", channel = "mail" }\n'
    expected = (ScopeRule(ScopeAction.DENY, None, "work:", "mail"),)
    assert load_text(inline).settings.scope.rules == load_text(tables).settings.scope.rules == expected


@pytest.mark.parametrize("word", ["kind", "chatType", "chat_type"])
def test_the_kind_has_other_names_in_files_of_other_programs(word: str) -> None:
    text = f'[memory.scope]\nrules = [{{ action = "allow", match = {{ {word} = "group" }} }}]\n'
    assert load_text(text).settings.scope.rules == (ScopeRule(ScopeAction.ALLOW, SessionKind.GROUP),)


def test_a_rule_without_a_match_is_about_every_session() -> None:
    assert read_rules([{"action": "allow"}]) == (ScopeRule(ScopeAction.ALLOW),)


def test_a_variable_and_an_argument_hold_rules_too(home: Path) -> None:
    line = '[{ action = "allow", match = { kind = "cron" } }]'
    expected = (ScopeRule(ScopeAction.ALLOW, SessionKind.CRON),)
    assert load(str(home), environ={"HOLDFAST_MEMORY_SCOPE_RULES": line}).settings.scope.rules == expected
    given = {"memory.scope.rules": [{"action": "allow", "match": {"kind": "cron"}}]}
    assert load(str(home), environ={}, arguments=given).settings.scope.rules == expected
    assert load(str(home), environ={"HOLDFAST_MEMORY_SCOPE_RULES": "[]"}).settings.scope.rules == ()


def test_set_writes_one_line_and_unset_takes_it_out_again() -> None:
    before = '[memory.scope]  # mine\ndefault = "deny"\n'
    after = set_value(before, "memory.scope.rules", '[{action="deny",match={channel="mail"}}]')
    assert 'rules = [{ action = "deny", match = { channel = "mail" } }]' in after
    assert unset_value(after, "memory.scope.rules") == before


def test_config_shows_rules_as_they_stand_in_the_file() -> None:
    row = next(row for row in rows(load_text("")) if row.key == "memory.scope.rules")
    assert row.value == [{"action": "allow", "match": {"kind": "direct"}}]
    assert literal(row.value) == '[{ action = "allow", match = { kind = "direct" } }]'


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ('"direct"', "a list of rules"),
        ("[3]", "rule 1 can't be used, it is not a table"),
        ('[{ action = "allow" }, { action = "maybe" }]', "rule 2 can't be used, its action"),
        ('[{ action = "allow", when = 1 }]', "it has 'when'"),
        ('[{ action = "allow", match = { kind = "party" } }]', "direct, group, channel, subagent, cron"),
        ('[{ action = "allow", match = { kind = "direct", chatType = "direct" } }]', "kind twice"),
        ('[{ action = "allow", match = { user = "ada" } }]', "its match has 'user'"),
        ('[{ action = "allow", match = { channel = "" } }]', "its channel is not a short text"),
        ('[{ action = "allow", match = 3 }]', "its match is not a table"),
    ],
)
def test_a_rule_that_is_none_is_refused_with_its_number_and_line(rules: str, why: str) -> None:
    with pytest.raises(BadSetting) as refused:
        load_text(f"[memory.scope]\nrules = {rules}\n")
    assert why in str(refused.value)
    assert refused.value.line == 2


@given(JSON)
def test_anything_is_rules_or_a_sentence_about_what_is_wrong(value: object) -> None:
    read = read_rules(value)
    assert read if isinstance(read, str) else read_rules([rule.to_json() for rule in read]) == read


def test_a_prompt_can_have_several_lines_and_other_texts_can_not() -> None:
    text = '[compaction.memory_flush]\nprompt = """\nOne.\nTwo."""\n'
    assert load_text(text).settings.memory_flush.prompt == "One.\nTwo."
    with pytest.raises(BadSetting, match="control character"):
        load_text('[user]\nname = "a\\nb"\n')


def test_a_time_zone_that_nobody_knows_is_refused() -> None:
    assert load_text('[user]\ntimezone = "Europe/Zurich"\n').settings.user.timezone == "Europe/Zurich"
    for zone in ("Europe/Zürich", "../UTC", "CET+1"):
        with pytest.raises(BadSetting, match="Europe/Zurich"):
            load_text(f'[user]\ntimezone = "{zone}"\n')


def test_only_what_exists_can_be_searched() -> None:
    assert load_text('[memory]\nsources = ["memory", "sessions"]\n').settings.memory.sources == ("memory", "sessions")
    with pytest.raises(BadSetting, match="memory or sessions"):
        load_text('[memory]\nsources = ["mail"]\n')
