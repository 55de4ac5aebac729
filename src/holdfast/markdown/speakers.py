"""Find who speaks in a note: the lines at which somebody's turn begins, however the conversation was written down.

`**Ann**: …`, `**Ann:** …`, `Ann: …`, `[10:42] Ann: …`, each with or without a bullet or a quote sign in front, and
lines of JSON with a role. A label is a speaker's if it comes again and is not the only one, or says so (`User`,
`Assistant`): `Status:` and `Owner:` stand once in a note, or in the same order in each of its records, and speakers do
not. No list of words a language is needed for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import IntEnum

from holdfast.markdown.lines import blank
from holdfast.pattern import compile_late

__all__ = ["Voice", "turns", "voice_of"]

_LABEL_CHARS = 40
_LABEL_WORDS = 4
_SHARE = 5  # of the blocks of a conversation, one in so many begins a turn at least; "**Note:**" in a manual does not
_TIME = r"(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?[\])]?[ ,-]*)?"
_FRONT = r"(?:[-*+>] ){0,2}"
_BOLD = compile_late(rf"{_FRONT}{_TIME}(\*\*|__)([^*_\n]{{1,{_LABEL_CHARS}}}?)(?::\1|\1(?: \([^()\n]{{1,40}}\))?[:：])")
_PLAIN = compile_late(
    rf"{_FRONT}{_TIME}([^\W\d_][^:：*_`|<>.,;!?\n]{{0,{_LABEL_CHARS - 1}}}?)(?: \([^()\n]{{1,40}}\))?[:：]\s"
)
_JSON = compile_late(r'[-*,\[ ]{0,4}\{.{0,200}?"(?:role|speaker|sender|from)"\s*:\s*"([^"\n]{1,40})"')

# Roles as programs write them; a person's name is not one of them.
_USERS = frozenset(("user", "human", "me", "you", "ich", "moi", "yo"))
_ASSISTANTS = frozenset(
    ("assistant", "ai", "agent", "bot", "model", "system", "tool", "chatgpt", "claude", "gemini", "copilot", "gpt")
)


class Voice(IntEnum):
    """The speaker of a passage, as far as the note says."""

    UNKNOWN = 0
    PERSON = 1
    ASSISTANT = 2


def turns(lines: Sequence[str], begin: int, end: int) -> Mapping[int, Voice]:
    """Return the lines at which a turn begins, with its speaker; none outside a conversation."""
    labels = {
        at: label
        for at, line in enumerate(lines[begin:end], begin)
        if (":" in line or "：" in line) and (label := _label(line))
    }
    if len(labels) < 2:
        return {}
    times = Counter(labels.values())
    says_so = any(label in _USERS or label in _ASSISTANTS for label in times)
    if not says_so and (len(times) in (1, len(labels)) or _are_records(labels)):
        return {}
    if len(labels) * _SHARE < _count_blocks(lines, begin, end):
        return {}
    return {at: voice_of(label) for at, label in labels.items()}


def _are_records(labels: Mapping[int, str]) -> bool:
    """Say whether the labels are keys and values.

    They stand in runs of lines that are all alike, with no label twice in any.
    """
    runs: list[list[str]] = []
    last = -2
    for at, label in labels.items():
        if at != last + 1:
            runs.append([])
        runs[-1].append(label)
        last = at
    first = runs[0]
    return len(runs) > 1 and len(first) == len(set(first)) > 1 and all(run == first for run in runs)


def _count_blocks(lines: Sequence[str], begin: int, end: int) -> int:
    """Count the paragraphs and bullets."""
    return sum(
        not blank(lines[at]) and (at == begin or blank(lines[at - 1]) or lines[at][0] in "-*+")
        for at in range(begin, end)
    )


def voice_of(label: str) -> Voice:
    """Return the speaker whose turn a label begins."""
    if label.lower() in _ASSISTANTS:
        return Voice.ASSISTANT
    return Voice.PERSON


def _label(line: str) -> str:
    """The label that a line with a colon begins with, in small letters; "" for none."""
    if line[:1] in " \t":
        return ""
    match = _BOLD.match(line)
    label = match[2] if match else ""
    if not match and (plain := _PLAIN.match(line)):
        label = plain[1]
    if not label and (json_match := _JSON.match(line)):
        label = json_match[1]
    label = label.strip()
    if 0 < len(label.split()) <= _LABEL_WORDS:
        return label.lower()
    return ""
