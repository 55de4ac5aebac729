"""The section of MEMORY.md in which agents' lines stand, below a heading of our own.

What an agent adds stands there so that no heading or unfinished line of the owner's speaks for it. The heading is of
the first level: one of the second would still stand below "# Things that are false".
"""

from __future__ import annotations

from holdfast.markdown.front_matter import front_end
from holdfast.markdown.outline import Heading, scan
from holdfast.named_tuple import NamedTuple

__all__ = ["BREAK", "HEADING", "AgentSection", "find_agent_section"]

HEADING = "# From conversations"
BREAK = "---"
"""What keeps two lines below the heading apart where the first is unfinished: there is one such heading only."""


class AgentSection(NamedTuple):
    """The start and end of the section, in bytes of the note."""

    start: int
    end: int
    """Before the next heading, of whatever level."""
    is_last: bool
    """Whether no other heading of the first level stands behind it."""


def find_agent_section(note: bytes) -> AgentSection | None:
    """Return the section of a note; the last one, where an older version made several."""
    lines = note.splitlines(keepends=True)
    texts = [line.decode("utf-8", "replace").rstrip("\r\n") for line in lines]
    if texts:
        texts[0] = texts[0].removeprefix("\ufeff")
    headings = list(scan(texts, front_end(texts), []))
    ours = [place for place, heading in enumerate(headings) if _is_ours(texts, heading)]
    if not ours:
        return None
    place = ours[-1]
    is_last = not any(heading.level == 1 for heading in headings[place + 1 :])
    start = headings[place].start
    if place + 1 < len(headings):
        end = headings[place + 1].start
    else:
        end = len(lines)
    return AgentSection(_size(lines[:start]), _size(lines[:end]), is_last)


def _is_ours(texts: list[str], heading: Heading) -> bool:
    return texts[heading.start].rstrip() == HEADING


def _size(lines: list[bytes]) -> int:
    return sum(map(len, lines))
