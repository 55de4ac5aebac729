"""The user's profile: [user] in holdfast.toml with USER.md laid over it, and the three write modes of the seeds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from commandline import holdfast
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory, Origin
from holdfast.errors import BadArgument, NoteChangedOutside, TooLarge
from holdfast.markdown.user_markdown import FIELDS, Profile, fields_in, moment_in, overlay_profile, with_field
from holdfast.settings.session_settings import UserSettings

MODE = "memory.user_profile_write_mode"
OWN = "# User\r\n\r\nSome words of mine.\r\n\r\n* **Name:** Ada\r\n- Pronouns: she/her\r\n\r\n## More\r\nand more\r\n"


def test_the_canonical_profile_is_overlaid_by_user_md_where_that_exists(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text('[user]\nname = "Ada"\ntimezone = "Europe/Berlin"\n', encoding="utf-8")
    with Memory.open() as memory:
        assert memory.profile.read() == Profile("Ada", "Europe/Berlin")
        (home / "USER.md").write_text("- Timezone: Asia/Tokyo\n- Pronouns: she/her\n", encoding="utf-8")
        assert memory.profile.read() == Profile("Ada", "Asia/Tokyo", more=(("Pronouns", "she/her"),))
        text = memory.session().prompt().text
    assert "## User Profile\n- Name: Ada\n- Timezone: Asia/Tokyo\n- Pronouns: she/her\n" in text + "\n"


@pytest.mark.parametrize("mode", ["explicit-and-auto", "explicit-only"])
def test_explicit_saves_go_to_holdfast_toml_and_are_mirrored_to_user_md(home: Path, mode: str) -> None:
    with Memory.open(settings={MODE: mode}) as memory:
        saved = memory.profile.save("timezone", "Europe/Berlin")
        assert saved.checkpoint_id and saved.profile.timezone == "Europe/Berlin" and not saved.because
    assert (home / "USER.md").read_text(encoding="utf-8") == "# User\n\n- Timezone: Europe/Berlin\n"
    assert 'timezone = "Europe/Berlin"' in (home / "holdfast.toml").read_text(encoding="utf-8")
    with Memory.open() as memory:
        assert memory.settings.user.timezone == "Europe/Berlin"


def test_off_stops_writing_user_md_and_the_profile_remains_in_holdfast_toml(home: Path) -> None:
    with Memory.open(settings={MODE: "off"}) as memory:
        saved = memory.profile.save("name", "Ada")
        assert saved.profile.name == "Ada" and not saved.checkpoint_id and "off" in saved.because
        assert not (home / "USER.md").exists()
        (home / "USER.md").write_text("- Name: Grace\n", encoding="utf-8")
        again = memory.profile.save("name", "Ada")
    assert "says 'Grace'" in again.because and (home / "USER.md").read_text(encoding="utf-8") == "- Name: Grace\n"


def test_silent_capture_happens_in_explicit_and_auto(home: Path) -> None:
    with Memory.open() as memory:
        seen = memory.profile.observed(timezone="Europe/Berlin", location="Berlin")
        assert seen.profile == Profile(timezone="Europe/Berlin", location="Berlin") and seen.checkpoint_id
        assert memory.settings.user == UserSettings(), "holdfast.toml holds what somebody said"
        assert not memory.profile.observed(timezone="Europe/Berlin").checkpoint_id, "nothing new, no checkpoint"
        assert memory.profile.observed(timezone="Asia/Tokyo").profile.timezone == "Asia/Tokyo"
    assert "- Timezone: Asia/Tokyo <!-- observed -->\n" in (home / "USER.md").read_text(encoding="utf-8")
    assert not (home / "holdfast.toml").exists()


@pytest.mark.parametrize("mode", ["explicit-only", "off"])
def test_silent_capture_is_disabled_in_the_other_modes(home: Path, mode: str) -> None:
    with Memory.open(settings={MODE: mode}) as memory:
        seen = memory.profile.observed(timezone="Europe/Berlin")
        assert mode in seen.because and seen.profile == Profile()
    assert not (home / "USER.md").exists()


def test_what_somebody_said_is_never_overwritten_by_what_was_observed(home: Path) -> None:
    home.mkdir()
    (home / "USER.md").write_text("- Location: Paris\n", encoding="utf-8")
    with Memory.open() as memory:
        memory.profile.save("timezone", "Europe/Berlin")
        seen = memory.profile.observed(timezone="Asia/Tokyo", location="Tokyo")
        assert (seen.profile.timezone, seen.profile.location) == ("Europe/Berlin", "Paris")
        assert "timezone" in seen.because and "location" in seen.because
        memory.profile.save("location", "Lyon")
        assert memory.profile.read().location == "Lyon", "what they say later counts"


def test_what_was_observed_gives_way_to_what_is_said_and_loses_its_mark(home: Path) -> None:
    with Memory.open() as memory:
        memory.profile.observed(location="Tokyo")
        memory.profile.save("location", "Tokyo")
    assert (home / "USER.md").read_text(encoding="utf-8") == "# User\n\n- Location: Tokyo\n"


def test_hand_edits_stay_as_they_are_and_unknown_lines_are_kept(home: Path) -> None:
    home.mkdir()
    (home / "USER.md").write_bytes(OWN.encode())
    with Memory.open() as memory:
        memory.profile.save("name", "Grace")
        memory.profile.save("location", "Paris")
    expected = OWN.replace("* **Name:** Ada\r\n", "* **Name:** Grace\r\n- Location: Paris\r\n")
    assert (home / "USER.md").read_bytes() == expected.encode()


@pytest.mark.promise("P5")
def test_every_change_of_user_md_has_a_checkpoint_and_undo_is_exact(home: Path) -> None:
    home.mkdir()
    (home / "USER.md").write_bytes(OWN.encode())
    with Memory.open() as memory:
        memory.profile.save("name", "Grace")
        memory.profile.save("location", "Paris")
        assert b"Grace" in (home / "USER.md").read_bytes()
        memory.profile.undo()
        memory.profile.undo()
        assert (home / "USER.md").read_bytes() == OWN.encode()
        memory.profile.save("location", "Paris")
        (home / "USER.md").write_text("- Name: by hand\n", encoding="utf-8")
        with pytest.raises(NoteChangedOutside):
            memory.profile.undo()
    assert (home / "USER.md").read_text(encoding="utf-8") == "- Name: by hand\n"


def test_undo_of_the_first_save_leaves_no_file(home: Path) -> None:
    with Memory.open(agent="work") as memory:
        memory.profile.save("name", "Ada")
        memory.profile.undo()
    assert not (home / "USER.md").exists()


def test_user_md_is_not_agent_memory_and_no_memory_tool_reads_or_writes_it(home: Path) -> None:
    with Memory.open() as memory:
        memory.profile.save("name", "Zacharias")
        tools = memory.tools()
        for name, arguments in (
            ("memory_save", {"content": "x", "file": "USER.md"}),
            ("memory_delete", {"file": "USER.md", "delete_file": True}),
            ("memory_get", {"path": "USER.md"}),
        ):
            assert tools.call(name, arguments)["error"]["type"] == "BadPath"
        memory.sync()
        assert memory.search("Zacharias").results == () and memory.history() == []
    assert "Zacharias" in (home / "USER.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            ("name", value)
            for value in ("", "  ", "a\nb", "<b>", "# Ada", "`x`", "a" * 201, "[x](y)", "a\u202eb", "a\0")
        ),
        *(("timezone", value) for value in ("Mars/Olympus", "../../etc/passwd", "/etc/localtime", "now")),
        *(("location", value) for value in ("- x", "a\\b", "ghp_" + "a1B2" * 9)),
        ("shoe size", "44"),
    ],
)
def test_values_are_one_line_of_plain_text_without_markup_and_bounded(home: Path, field: str, value: str) -> None:
    with Memory.open() as memory, pytest.raises(BadArgument):
        memory.profile.save(field, value)
    assert not (home / "USER.md").exists() and not (home / "holdfast.toml").exists()


def test_a_user_md_that_is_no_profile_costs_nothing_but_the_overlay(home: Path) -> None:
    home.mkdir()
    (home / "USER.md").write_bytes(b"- Name: Ada\n" + b"x" * 100_000)
    with Memory.open(settings={"user.name": "Grace"}) as memory:
        assert memory.profile.read().name == "Grace"
        with pytest.raises(TooLarge):
            memory.profile.observed(location="Paris")
        saved = memory.profile.save("location", "Paris")
        assert "USER.md was not written" in saved.because
        (home / "USER.md").unlink()
        (home / "USER.md").symlink_to("/etc/hostname")
        assert memory.profile.read().name == "Grace" and "Grace" in memory.session().prompt().text


def test_front_matter_is_read_and_written_as_well() -> None:
    text = '---\nname: "Ada"\ntimezone: Europe/Berlin\ntags: [a]\n---\n\n- Pronouns: she/her\n'
    assert overlay_profile(UserSettings(), text) == Profile("Ada", "Europe/Berlin", more=(("Pronouns", "she/her"),))
    assert with_field(text, "timezone", "Asia/Tokyo") == text.replace("Europe/Berlin", "Asia/Tokyo")


@pytest.mark.parametrize(
    ("zone", "shown"), [("Asia/Tokyo", "2026-03-06 08:00"), ("America/Los_Angeles", "2026-03-05 15:00")]
)
def test_the_time_is_that_of_the_users_zone(zone: str, shown: str) -> None:
    now = datetime(2026, 3, 5, 23, tzinfo=UTC).timestamp()
    assert f"{moment_in(zone, now):%Y-%m-%d %H:%M}" == shown


@pytest.mark.parametrize("now", [float("nan"), 1e300, -1e300])
def test_a_clock_beyond_the_calendar_fails_nothing(now: float) -> None:
    assert moment_in("Europe/Berlin", now).year == 1970


LINE = st.text(alphabet=st.sampled_from("abN- :*#<>\t|é\ufeff`_"), max_size=20)
NAMED = st.sampled_from(["- Name: Ada", "- name:", "* **Location**: Rome <!-- observed -->", "- Timezone: UTC", "---"])


@given(
    st.lists(LINE | NAMED, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.sampled_from(FIELDS)
)
def test_setting_a_field_changes_its_line_and_no_other(lines: list[str], eol: str, ended: bool, field: str) -> None:
    text = eol.join(lines) + (eol if ended else "")
    value = "UTC" if field == "timezone" else "Somebody"
    new = with_field(text, field, value)
    assert fields_in(new)[0][field].value == value
    assert with_field(new, field, value) == new
    for other in set(FIELDS) - {field}:
        before, after = fields_in(text)[0].get(other), fields_in(new)[0].get(other)
        assert (before.value if before else "") == (after.value if after else "")
    kept = [line for line in lines if line in new]
    assert len(kept) >= len(lines) - 1


@given(st.text(max_size=300))
def test_any_text_can_be_read_as_a_profile_of_single_lines(text: str) -> None:
    profile = overlay_profile(UserSettings(), text)
    lines = profile.text.split("\n") if profile.text else []
    assert all(line.startswith("- ") and len(line) <= 260 for line in lines)
    assert profile.text.splitlines() == lines and not set("<>`[]{}|\\") & set(profile.text)


def test_undo_puts_the_settings_back_too(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        memory.profile.save("timezone", "Europe/Berlin")
        memory.profile.save("name", "Grace")
        memory.profile.undo()
        assert memory.profile.read().name == "Ada" == memory.settings.user.name
        memory.profile.undo()
        memory.profile.undo()
        assert memory.profile.read().name == "" and not memory.settings.user.timezone
    toml = (home / "holdfast.toml").read_text()
    assert not any(word in toml for word in ("Ada", "Grace", "Berlin"))
    assert not (home / "USER.md").exists()


def test_undo_puts_the_settings_back_where_user_md_is_not_written(home: Path) -> None:
    with Memory.open(settings={"memory.user_profile_write_mode": "off"}, origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        memory.profile.undo()
        assert memory.profile.read().name == ""
    assert "Ada" not in (home / "holdfast.toml").read_text()


def test_undo_takes_nothing_back_where_the_setting_was_edited_since(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        (home / "holdfast.toml").write_text('[user]\nname = "By hand"\n')
        with pytest.raises(NoteChangedOutside):
            memory.profile.undo()
    assert "Ada" in (home / "USER.md").read_text()
    assert "By hand" in (home / "holdfast.toml").read_text()


def test_other_settings_stay_as_they_are_when_a_profile_is_undone(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text('# mine\n[memory]\ncitations = "on"\n\n[user]\nname = "Old" # me\n')
    with Memory.open(origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        memory.profile.undo()
    assert (home / "holdfast.toml").read_text() == '# mine\n[memory]\ncitations = "on"\n\n[user]\nname = "Old" # me\n'


# Undo after the owner's hand


def test_undo_takes_its_own_line_back_and_leaves_what_was_written_by_hand_since(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        memory.profile.save("timezone", "Europe/Berlin")
        file, toml = home / "USER.md", home / "holdfast.toml"
        file.write_text(file.read_text() + "- Boat: the blue one\n")
        toml.write_text(f'# by hand\n[memory]\ncitations = "on"\n\n{toml.read_text()}')
        memory.profile.undo()
        assert file.read_text() == "# User\n\n- Name: Ada\n- Boat: the blue one\n"
        memory.profile.undo()
        assert file.read_text() == "- Boat: the blue one\n"
    assert toml.read_text().startswith('# by hand\n[memory]\ncitations = "on"\n')
    assert "Ada" not in toml.read_text() and "Berlin" not in toml.read_text()


def by_config(home: Path) -> None:
    assert holdfast("config", "set", "user.name", "Bob").status == 0


def by_an_editor(home: Path) -> None:
    file = home / "USER.md"
    file.write_text(file.read_text().replace("Grace", "Bob") + "- Boat: the blue one\n")


def by_removal(home: Path) -> None:
    (home / "USER.md").unlink()


@pytest.mark.promise("P4")
@pytest.mark.promise("P5")
@pytest.mark.parametrize("edit", [by_config, by_an_editor, by_removal])
def test_an_undo_that_meets_a_hand_edit_of_the_same_can_be_forced_and_taken_back(
    home: Path, edit: Callable[[Path], None]
) -> None:
    def files() -> list[str]:
        places = home / "USER.md", home / "holdfast.toml"
        return [place.read_text() if place.exists() else "" for place in places]

    for name in ("Ada", "Grace"):
        assert holdfast("user", "set", "name", name).status == 0
        if name == "Ada":
            with_ada = files()
    edit(home)
    edited = files()

    refused = holdfast("user", "undo")
    assert refused.status == 5
    assert "`holdfast user undo --force`" in refused.err
    assert files() == edited

    assert holdfast("user", "undo", "--force").status == 0
    assert files() == with_ada
    assert holdfast("user", "undo").status == 0  # the forced undo, and nothing else
    assert files() == edited
    assert holdfast("user", "undo").status == 5
    assert holdfast("user", "undo", "--force").status == 0
    assert files() == with_ada
    with Memory.open() as memory:
        assert memory.profile.read().name == "Ada"


def test_undo_goes_on_to_earlier_changes_past_one_that_was_taken_back_by_hand(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.profile.save("location", "Paris")
        memory.profile.save("name", "Ada")
        assert holdfast("config", "unset", "user.name").status == 0
        memory.profile.undo()
        memory.profile.undo()
        assert memory.profile.read() == Profile()


def test_an_undo_where_nothing_was_ever_saved_says_so(home: Path) -> None:
    assert holdfast("init").status == 0
    ran = holdfast("user", "undo")
    assert ran.status == 3
    assert ran.err == "holdfast: There is nothing to undo: the profile has not been changed.\n"
