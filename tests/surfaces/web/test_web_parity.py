"""What the web app must say as the library does: the parts of a score, the order of trust, what is hidden, the kinds of
facts. The app has its own copy of each, because it is another language; here they are held together."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from holdfast.facts.fact import KEPT
from holdfast.guard.invisibles import is_invisible
from holdfast.guard.origin import TRUST, Origin
from holdfast.search.hit import CONTRIBUTIONS
from holdfast.settings.declaration import Kind
from holdfast.settings.keys import BY_PATH
from holdfast.surfaces.cli.slash import COMMANDS

SOURCE = Path(__file__).parents[3] / "web" / "src"
_WIDE = re.compile(r"\\u\{([0-9a-f]+)\}")


def _read(name: str) -> str:
    return (SOURCE / name).read_text(encoding="utf-8")


def _texts_in(source: str, begin: str, end: str = "]") -> list[str]:
    """The quoted texts from a mark on, up to an end."""
    after = source.partition(begin)[2].partition(end)[0]
    return re.findall(r'"([^"]+)"', after)


def test_the_explain_bar_adds_up_the_same_parts_as_the_score() -> None:
    assert _texts_in(_read("pages/search_hit.tsx"), "export const CONTRIBUTIONS = [") == list(CONTRIBUTIONS)


def test_of_several_origins_the_same_one_is_trusted_least() -> None:
    assert _texts_in(_read("markdown/render.tsx"), "const TRUST = [") == [str(origin) for origin in TRUST]


def test_every_origin_has_a_name() -> None:
    named = re.findall(r"^    (\w+): \{ name:", _read("texts.ts").partition("  origins: {")[2], re.MULTILINE)
    assert set(named[: len(Origin)]) == {str(origin) for origin in Origin}


def test_facts_are_filtered_by_the_kinds_that_there_are() -> None:
    assert set(_texts_in(_read("pages/facts.tsx"), "const CATEGORIES = [")) == set(KEPT)


def test_the_page_draws_every_character_that_the_command_line_draws() -> None:
    source = _read("invisibles.ts")
    pieces = [
        "".join(_texts_in(source, f"const {name} =", ";")) for name in ("JOINERS", "MARKS", "SELECTORS", "ALWAYS")
    ]
    ranges = "".join(pieces).replace("\\\\", "\\")
    drawn = re.compile("[" + _WIDE.sub(lambda match: f"\\U{int(match[1], 16):08x}", ranges) + "]")
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    assert {char for char in every if drawn.match(char)} == {char for char in every if is_invisible(char)}


def test_every_setting_that_a_page_names_is_one() -> None:
    for name in ("pages/settings_memory.tsx", "settings_state.ts"):
        named = set(re.findall(r'"((?:memory|chat|llm|capture|dreaming)\.[a-z_.]+[a-z])"', _read(name)))
        assert named - set(BY_PATH) == set()


def test_every_kind_of_setting_has_a_control() -> None:
    cases = re.findall(r'case "([a-z ]+)":', _read("pages/settings_field.tsx"))
    assert {kind.value for kind in Kind} - {*cases, "text"} == set()  # a text is what is left


def test_the_menu_of_a_chat_has_the_commands_of_the_command_line() -> None:
    assert re.findall(r"(\w+): \"", _read("texts.ts").partition("  slash: {")[2].partition("}")[0]) == list(COMMANDS)
