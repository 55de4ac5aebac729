"""The code for a phone: just the modules that a reader of such codes has read, and only where somebody sees them."""

from __future__ import annotations

import io
import re

import pytest
from surfaces.test_cli_terminal import Terminal

from holdfast.surfaces.cli.commands.serve import _show_phones
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.qr_code import MOST_BYTES, code_of, qr_lines

# OpenCV's reader reads "hi" in it.
HI = (
    "#######...#.#.#######",
    "#.....#.....#.#.....#",
    "#.###.#.#.#...#.###.#",
    "#.###.#.....#.#.###.#",
    "#.###.#..#.##.#.###.#",
    "#.....#..###..#.....#",
    "#######.#.#.#.#######",
    "........#.#..........",
    "###.#####.#.###...#..",
    ".##....#..##.#.#.####",
    ".#########.#.###.####",
    "..##.......###.###.#.",
    "#..#.##.#.##.###..#..",
    "........#.#...#...###",
    "#######.###.#...#..##",
    "#.....#.###...#...###",
    "#.###.#.##..#.#.#.#.#",
    "#.###.#..#.#.#.#.#.#.",
    "#.###.#.####.###.##.#",
    "#.....#.##.###.###.#.",
    "#######.#..#.###.####",
)
LINK = "http://192.168.1.20:7437/enter#" + "x" * 43


def test_a_code_is_the_one_that_a_reader_read() -> None:
    assert tuple("".join(".#"[dark] for dark in row) for row in code_of("hi")) == HI


def test_a_code_grows_with_its_text_up_to_a_limit() -> None:
    sizes = [len(code_of("x" * length)) for length in (0, 17, 18, 32, 33, 53, 54, 78, 79, MOST_BYTES)]
    assert sizes == [21, 21, 25, 25, 29, 29, 33, 33, 37, 37]
    with pytest.raises(ValueError, match="107 bytes"):
        code_of("x" * (MOST_BYTES + 1))


def test_a_picture_of_a_code_has_two_rows_in_a_line_and_a_light_margin() -> None:
    rows = list(qr_lines(code_of("hi")))
    assert {len(row) for row in rows} == {25}
    assert len(rows) == 13
    assert rows[0] == "█" * 25
    assert rows[1].startswith("██ ▄▄▄▄▄ █")


def test_a_server_for_other_machines_draws_its_link_on_a_terminal_and_nowhere_else() -> None:
    for out, wanted in ((Terminal(), True), (io.StringIO(), False)):
        _show_phones(LINK, Console(out=out, err=io.StringIO()))
        assert (LINK in out.getvalue(), "█" in out.getvalue()) == (wanted, wanted)


def test_a_link_to_this_machine_gets_its_number_in_the_network() -> None:
    out = Terminal()
    _show_phones(LINK.replace("192.168.1.20", "127.0.0.1"), Console(out=out, err=io.StringIO()))
    assert out.getvalue() == "" or re.search(r"instead: http://[0-9.]+:7437/enter#x{43}\n", out.getvalue())
