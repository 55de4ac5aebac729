"""Reduce what was said in a conversation to the words that may be kept of it.

Everything that leaves a transcript for an export or the index goes through here: only what users and assistants said,
without what was recalled for them, without secrets, without characters that nobody sees.

Not covered here: a secret that is told in pieces over several messages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection
from itertools import accumulate

from holdfast.guard.secret_rules import RULES, TOKEN_CHARACTERS
from holdfast.guard.secrets import KINDS, Secret, find_secrets, redact
from holdfast.guard.text_rules import strip_refused
from holdfast.llm.chat_model import Role
from holdfast.pattern import compile_late

__all__ = ["HIDDEN", "SPEAKERS", "make_inert", "one_line", "shorten", "speech", "without_recalled", "words_of"]

SPEAKERS = (Role.USER, Role.ASSISTANT)
"""Whose words are kept."""

HIDDEN = frozenset(("flush", "hidden", "recalled", "summary"))
"""Tags of entries that nobody said."""

_BLANK_LINES = compile_late(r"(?:[^\S\n]*+\n)*")
_SILENT = "NO_REPLY"
_CUT = " […]"
# As guard/fence.py writes them, or another version might. No attribute holds a "<", and stopping there keeps a text of
# nothing but openings from costing its square.
_FENCE = compile_late(r"<memory-([A-Za-z0-9_-]{1,64})(?=[\s>])[^<>]*+>")
_LINE_END = compile_late("\r\n|[\r\u2028\u2029]")
# How a line that is too long is broken in a mail or a terminal: some space, perhaps a sign that it is a quotation.
_JOINT = compile_late(
    rf"(?<=[{re.escape(TOKEN_CHARACTERS)}])[ \t]{{0,8}}\n[ \t>|]{{0,16}}(?=[{re.escape(TOKEN_CHARACTERS)}])"
)
# Kinds that are known by their own letters. A name and a value on two lines are more often a heading and a text.
_MARKED = frozenset((*(rule.kind for rule in RULES), *(kind for kind in KINDS if kind.endswith("private key"))))

_HEADING = compile_late(r"#{1,6}(?=\s|$)")
_RULE = compile_late(r"(?:=+|-+|(?:[-*_][ \t]*){3,})\s*$")
_CODE = compile_late(r"`{3,}|~{3,}")
_TURN = compile_late(rf"(?P<mark>(?:[-*+]|\d{{1,9}}[.)])\s+)?\*\*(?=(?:{'|'.join(Role)})\b)", re.IGNORECASE)
_LABEL = compile_late(rf"\b(?P<role>{'|'.join(Role)})(?P<gap>[^\S\n]*+):", re.IGNORECASE)
_TAG = compile_late(r"<(?=!|\?|/?memory)", re.IGNORECASE)


def words_of(role: Role, text: str, tags: Collection[str] = (), *, indented: bool = False) -> str:
    """The words of one entry that may be kept; empty where there are none.

    `indented` leaves the first line its indentation, by which code is told from what somebody says.
    """
    if role not in SPEAKERS or not HIDDEN.isdisjoint(tags):
        return ""
    # In this order: what is taken out joins what it stood between, and that may be a fence or a secret.
    text = _LINE_END.sub("\n", text)
    text = without_recalled(strip_refused(text))
    text = _without_secrets(text).rstrip()
    bare = text.lstrip()
    if not indented or bare in ("", _SILENT):
        return "" if bare == _SILENT else bare
    blank = _BLANK_LINES.match(text)
    return text[blank.end() :] if blank else text


def without_recalled(text: str) -> str:
    """The text without blocks that recall put there; one that is not closed goes on to the end."""
    kept: list[str] = []
    at = 0
    while fence := _FENCE.search(text, at):
        kept.append(text[at : fence.start()])
        close = f"</memory-{fence[1]}>"
        end = text.find(close, fence.end())
        at = len(text) if end < 0 else end + len(close)
    return "".join([*kept, text[at:]])


def make_inert(line: str) -> str:
    """A line that a reader of Markdown takes for text: no heading, rule, code fence, comment, or turn of somebody."""
    line = _TAG.sub("&lt;", line.rstrip()).replace("-->", "--&gt;")
    pad = len(line) - len(line.lstrip(" \t"))
    body = line[pad:]
    if _HEADING.match(body) or _RULE.match(body):
        body = f"\\{body}"
    elif code := _CODE.match(body):
        body = "".join(f"\\{sign}" for sign in code[0]) + body[code.end() :]
    elif turn := _TURN.match(body):
        body = f"{turn['mark'] or ''}\\*\\*{body[turn.end() :]}"
    return line[:pad] + body


def speech(role: Role, words: str) -> str:
    """Render the words of one speaker behind the name of the role, so that no part of them can begin another turn.

    Below the first line everything is indented. Names of roles before a colon are escaped in the middle of a line as
    well, because a snippet of a long line may begin there.
    """
    first, *others = _LABEL.sub(r"\g<role>\g<gap>\\:", words).split("\n")
    return "\n".join((f"{role.value}: {first}", *(f"  {line}" if line.strip() else "" for line in others)))


def one_line(text: str, most: int) -> str:
    """The beginning of a text as a line of at most so many characters, whole words where that can be."""
    words = " ".join(text[: 4 * most].split())
    if len(words) > most:
        words = words[:most].rpartition(" ")[0] or words[:most]
    return words


def shorten(text: str, most: int) -> str:
    """A text of at most so many characters, with a sign where it was cut."""
    if len(text) <= most:
        return text
    return text[:most].rstrip() + _CUT


def _without_secrets(text: str) -> str:
    """Also without tokens that were broken over lines: each half alone looks like nothing, and together they open."""
    parts: list[str] = []
    at = 0
    for kind, start, end in _broken_secrets(text):
        parts += (text[at:start], f"[redacted: {kind}]")
        at = end
    return redact("".join([*parts, text[at:]]))


def _broken_secrets(text: str) -> list[Secret]:
    """The tokens of known kinds that go on after a line's end, by their places in the text."""
    joints = [joint.span() for joint in _JOINT.finditer(text)]
    if not joints:
        return []
    gone = [0, *accumulate(end - start for start, end in joints)]
    places = [start - before for (start, _), before in zip(joints, gone, strict=False)]  # in the text without them
    secrets: list[Secret] = []
    for kind, start, end in find_secrets(_JOINT.sub("", text)):
        inside = places[bisect_right(places, start) : bisect_right(places, end - 1)]
        if kind in _MARKED and inside:
            first = start + gone[bisect_right(places, start)]
            last = end + gone[bisect_right(places, end - 1)]
            # A whole token at the end of a line does not take the next line's first word along.
            if _is_word(text[last - (end - inside[-1]) : last]):
                last -= end - inside[-1]
                if len(inside) == 1:
                    continue
            if not secrets or first >= secrets[-1].end:
                secrets.append(Secret(kind, first, last))
    return secrets


def _is_word(text: str) -> bool:
    """Say whether this is more likely the start of a sentence than the rest of a token."""
    return text.isalpha() and (text.islower() or text.istitle()) and len(text) < 16
