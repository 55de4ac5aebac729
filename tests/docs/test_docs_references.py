"""The reference pages are made from the code; this says when one has fallen behind, and how to make it anew."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import errors
from holdfast.operations.tool_schema import schema_of
from holdfast.operations.toolbox import TOOLS
from holdfast.settings.keys import KEYS
from holdfast.settings.settings_reference import reference_markdown as settings_page
from holdfast.surfaces.cli import argument_table
from holdfast.surfaces.cli.argument_generator import table_source
from holdfast.surfaces.cli.cli_reference import reference_markdown as cli_page
from holdfast.surfaces.cli.exit_codes import EXITS
from holdfast.surfaces.cli.parser import COMMANDS, commands_of, full_parser
from holdfast.surfaces.tools_reference import reference_markdown as tools_page

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "cli.md": (cli_page, "python -m holdfast.surfaces.cli.cli_reference > docs/cli.md"),
    "tools.md": (tools_page, "python -m holdfast.surfaces.tools_reference > docs/tools.md"),
    "settings.md": (settings_page, "python -m holdfast.settings.settings_reference > docs/settings.md"),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_reference_page_is_up_to_date(name: str) -> None:
    make, command = PAGES[name]
    current = (DOCS / name).read_text(encoding="utf-8") == make()
    assert current, f"docs/{name} is out of date; make it anew: {command}"


@pytest.mark.parametrize("name", PAGES)
def test_the_command_that_makes_a_page_makes_it(name: str) -> None:
    make, command = PAGES[name]
    module = command.split()[2]
    ran = subprocess.run([sys.executable, "-m", module], capture_output=True, timeout=60, check=True)
    assert ran.stdout.decode("utf-8") == make()


def test_the_arguments_that_commands_show_are_those_of_the_operations() -> None:
    current = Path(argument_table.__file__).read_text(encoding="utf-8") == table_source()
    assert current, "the table of arguments is out of date; make it anew: make docs"


def test_the_command_line_page_has_every_command_option_and_status() -> None:
    page = cli_page()
    for name, parser in commands_of(full_parser()).items():
        assert f"\n## holdfast {name}\n" in page
        section = page.split(f"\n## holdfast {name}\n")[1].split("\n## ")[0]
        assert f"\nholdfast {name}" in section
        for inner in (parser, *commands_of(parser).values()):
            for action in inner._actions:
                for flag in action.option_strings:
                    assert flag in section or flag in ("-h", "--help", "--home", "--agent", "--json"), (name, flag)
    assert page.count("\n## holdfast ") == len(COMMANDS)
    for kind, status in EXITS:
        assert f"| {status} | `{kind.__name__}` |" in page


def test_the_tools_page_has_every_tool_parameter_and_a_real_result() -> None:
    page = tools_page()
    for name, tool in TOOLS.items():
        section = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
        for parameter in schema_of(tool)["properties"]:
            assert f"| `{parameter}` |" in section
        assert "gives" in section
        assert '"error"' not in section


def test_the_settings_page_has_every_setting() -> None:
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"| `{key.field}` |" in page, key.path
        assert key.environment in page, key.path


def test_no_generated_page_hides_words_in_angle_brackets() -> None:
    for make, _ in PAGES.values():
        outside_code = re.sub(r"```.*?```|`[^`\n]*`|<!--.*?-->", "", make(), flags=re.DOTALL)
        assert not re.search(r"<[a-z]", outside_code)


def tree() -> dict[str, str]:
    """Each class that the docstring of errors.py draws, with the one it hangs under."""
    parents: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        drawn = re.match(r"([│├└─ ]*)([A-Z]\w+)(\s|$)", line)
        if drawn is None or (drawn[1] == "" and drawn[2] != "HoldfastError"):
            continue
        depth = len(drawn[1]) // 4
        above[depth:] = [drawn[2]]
        parents[drawn[2]] = above[depth - 1] if depth else "Exception"
    return parents


def test_the_error_tree_that_is_drawn_is_the_one_that_is_there() -> None:
    real = {name: getattr(errors, name).__bases__[0].__name__ for name in errors.__all__}
    assert tree() == real
    defined = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert defined == set(errors.__all__)
    assert errors.__all__ == sorted(errors.__all__)
