"""Escape lines of a text that pose as the structure of the prompt around it. Pure.

An agent can be talked into saving a forged search result to MEMORY.md, where it would look like one of ours. What can
be mistaken is put behind a bar or has its `<` written out; all other Markdown stays as it is.

Not covered here: what a text says in its own voice, and headings in letters that only look like ours.
"""

from __future__ import annotations

import re

from holdfast.pattern import compile_late

__all__ = ["escape_prompt_markers"]

_GAP = r"[^\S\n\u2028\u2029]"  # white space within a line; a model may take the rare line ends for one, too
_BEGIN = rf"(?:^|(?<=[\u2028\u2029])){_GAP}*+"
_END = rf"(?:{_GAP}|[#*_:.])*+(?=[\n\u2028\u2029]|\Z)"
_TITLE = "(?:{})".format(
    "|".join(
        words.replace(" ", f"{_GAP}+")
        for words in (
            "long-term memory",
            "user profile",
            "memory recall",
            "memory search results",
            r"daily note(?: [\d-]{1,16})?",
        )
    )
)
_PROMPT_MARKER = compile_late(
    rf"{_BEGIN}(?="
    rf"#{{1,6}}(?:{_GAP}|[*_])*+{_TITLE}{_END}"  # a heading of ours, at any level and however it is dressed
    rf"|[*_]*+{_TITLE}{_END}\n{_GAP}*+(?:=+|-+){_GAP}*+$"  # the same with a line below it
    rf"|\[source:"  # where a hit is from
    rf"|\[the{_GAP}+(?:first|last){_GAP}+[\d,.]+{_GAP}+character"  # what of a file is not shown
    r")",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = compile_late(rf"<(?={_GAP}*+/?{_GAP}*+(?:long-term-)?memory(?![^\W_]))", re.IGNORECASE)


def escape_prompt_markers(text: str) -> str:
    """Put a bar before each line that looks like a part of our prompt, and write our tags out."""
    if "<" in text:
        text = _TAG.sub("&lt;", text)
    return _PROMPT_MARKER.sub(_bar_line, text)


def _bar_line(match: re.Match[str]) -> str:
    return f"| {match[0]}"
