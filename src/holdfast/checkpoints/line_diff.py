"""Two versions of a note → the lines that differ, for people to read."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["render_diff"]

_NO_NEWLINE = "\\ No newline at end of file"
# Above this the exact comparison could take minutes on lines that repeat; the changed middle is shown whole.
_MAX_COMPARED_LINES = 20_000


def render_diff(old: bytes | None, new: bytes | None, old_name: str, new_name: str) -> str:
    """Return a unified diff; empty when both are the same.

    A missing note is shown as /dev/null.
    """
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    if _all_crlf(before) and _all_crlf(after):
        # The same line ends on both sides say nothing.
        before, after = ([line.removesuffix("\r\n") + "\n" for line in side] for side in (before, after))
    if old is not None:
        before_name = old_name
    else:
        before_name = "/dev/null"
    if new is not None:
        after_name = new_name
    else:
        after_name = "/dev/null"
    hunks = [f"--- {before_name}", f"+++ {after_name}"]
    if len(before) + len(after) <= _MAX_COMPARED_LINES:
        from difflib import unified_diff

        lines: Iterator[str] = unified_diff(before, after)
        next(lines, None), next(lines, None)  # its own header; ours names the change
        hunks.extend(row for line in lines for row in _display_lines(line))
    else:
        hunks.extend(row for line in _middle_hunk(before, after) for row in _display_lines(line))
    return "\n".join(hunks) + "\n"


def _lines(data: bytes | None) -> list[str]:
    """Return the lines with their ends.

    Only a line feed ends a line, as in every editor's count.
    """
    if not data:
        return []
    pieces = data.decode("utf-8", "backslashreplace").split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    if pieces[-1]:
        return [*lines, pieces[-1]]
    return lines


def _all_crlf(lines: list[str]) -> bool:
    return all(line.endswith("\r\n") for line in lines)


def _display_lines(line: str) -> list[str]:
    if line.startswith("@@") or line.endswith("\n"):
        return [line.rstrip("\n").replace("\r", "␍")]
    return [line.replace("\r", "␍"), _NO_NEWLINE]


def _middle_hunk(before: list[str], after: list[str]) -> Iterator[str]:
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed, added = before[start : len(before) - end], after[start : len(after) - end]
    yield f"@@ -{start + bool(removed)},{len(removed)} +{start + bool(added)},{len(added)} @@\n"
    yield from (f"-{line}" for line in removed)
    yield from (f"+{line}" for line in added)
