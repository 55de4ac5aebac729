"""Lines as editors and grep count them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["blank", "indent_of", "skip_blank", "split_lines", "trim_blank"]

_TAB = 4


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; a leading BOM is dropped.

    Only LF, CRLF and CR end a line. `str.splitlines` also stops at form feeds and U+2028, and would then count
    otherwise than the editor in which the owner opens the note.
    """
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def blank(line: str) -> bool:
    """Say whether there is nothing to read in a line."""
    return not line or line.isspace()


def skip_blank(lines: Sequence[str], start: int, end: int) -> int:
    """The first line with text from `start` on, or `end`."""
    while start < end and blank(lines[start]):
        start += 1
    return start


def trim_blank(lines: Sequence[str], start: int, end: int) -> int:
    """The end of the text in `lines[start:end]`: the line after the last one that is not blank."""
    while end > start and blank(lines[end - 1]):
        end -= 1
    return end


def indent_of(line: str) -> int:
    """The column at which a line's text begins; a tab goes to the next multiple of four."""
    pad = len(line) - len(line.lstrip(" "))
    if line[pad : pad + 1] != "\t":
        return pad
    column = pad
    for char in line[pad:]:
        if char == "\t":
            column += _TAB - column % _TAB
        elif char == " ":
            column += 1
        else:
            break
    return column
