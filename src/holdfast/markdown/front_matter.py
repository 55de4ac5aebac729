"""Reads the flat part of a note's front matter.

A YAML parser would bring anchors that multiply, tags that build objects and minutes of work for a hostile
page; a note needs none of them. What this reader does not know (deeper nesting, anchors, tags) it leaves out
of the values; the lines stay findable as a chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.markdown.lines import blank, indent_of

__all__ = ["FRONT_BYTES", "front_end", "read_front"]

FRONT_BYTES = 8192
"""Front matter longer than this is ordinary text."""

_KEY_CHARS = 64
_KEY_WORDS = 4
# Signs that begin a list, a flow value, an anchor, a comment …: never a plain key.
_NOT_A_KEY = frozenset("-[]{}>|*&!%@`#?,:")


def front_end(lines: Sequence[str]) -> int:
    """The line after the front matter, or 0 if the note has none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    size = len(lines[0])
    for at in range(1, len(lines)):
        line = lines[at]
        size += len(line) + 1
        if size > FRONT_BYTES:
            return 0
        if line[:3] in ("---", "...") and not line[3:].strip():
            whole = "\n".join(lines[: at + 1])
            fits = len(whole.encode("utf-8", "surrogatepass")) <= FRONT_BYTES
            if fits and _begins_with_key(lines, at):
                return at + 1
            return 0
    return 0


def read_front(lines: Sequence[str], end: int) -> dict[str, str]:
    """The values of the front matter `lines[:end]`; a list becomes `a, b`, a key inside a key becomes `outer.inner`."""
    values: dict[str, str] = {}
    for key, written, below in _entries(lines[1 : end - 1]):
        if written[:1] in ("|", ">") and len(written) <= 3:
            values[key] = " ".join(body for _, body in below)
        elif written:
            if value := _plain(written):
                values[key] = value
        elif below:
            depth = below[0][0]
            direct = [body for column, body in below if column == depth]
            if items := [value for body in direct if body[:2] == "- " and (value := _plain(body[2:].strip()))]:
                values[key] = ", ".join(items)
            for body in direct:
                inner, value = _pair(body)
                if inner and (value := _plain(value)):
                    values[f"{key}.{inner}"] = value
    return values


def _entries(lines: Sequence[str]) -> Iterator[tuple[str, str, list[tuple[int, str]]]]:
    """Each key of the first level, what is written after it, and the lines below it with their columns."""
    key = written = ""
    below: list[tuple[int, str]] = []
    for line in lines:
        body = line.strip()
        if not body or body[0] == "#":
            continue
        depth = indent_of(line)
        if depth or body[:2] == "- ":
            below.append((depth, body))
            continue
        if key:
            yield key, written, below
        key, written = _pair(body)
        below = []
    if key:
        yield key, written, below


def _pair(body: str) -> tuple[str, str]:
    """The key and what is written after it; no key if the line does not read as one."""
    if body[0] in _NOT_A_KEY:
        return "", ""
    if body[0] in "\"'":
        close = body.find(body[0], 1)
        key, colon, written = body[1:close], body[close + 1 : close + 2], body[close + 2 :]
        if close < 0:
            return "", ""
    else:
        key, colon, written = body.partition(":")
        key = key.rstrip()
    usable = colon == ":" and key and len(key) <= _KEY_CHARS and len(key.split()) <= _KEY_WORDS
    if not usable or written[:1] not in ("", " ", "\t"):
        return "", ""
    return key, written.strip()


def _plain(written: str) -> str:
    """A value as a person reads it: without quotes, brackets and comments; nothing for anchors, tags and maps."""
    if not written or written[0] in "&*!{#":
        return ""
    if written[0] in "\"'":
        close = written.find(written[0], 1)
        if close > 0:
            return written[1:close]
        return written[1:]
    written = written.partition(" #")[0].rstrip()
    if written[0] == "[":
        parts = (part.strip().strip("\"'") for part in written[1:].rstrip("]").split(","))
        return ", ".join(part for part in parts if part)
    return written


def _begins_with_key(lines: Sequence[str], close: int) -> bool:
    """Say whether the lines up to `close` read as front matter, or are empty.

    A note may also open with a thematic break; its prose up to the next one must not be taken for front matter.
    """
    at = 1
    while at < close and blank(lines[at]):
        at += 1
    while at < close and lines[at].startswith("#"):
        at += 1
    return at == close or (not blank(lines[at]) and indent_of(lines[at]) == 0 and bool(_pair(lines[at].strip())[0]))
