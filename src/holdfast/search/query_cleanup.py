"""A question with a page of instructions around it → what is asked, and the rest.

Agents hand over what they have: a system prompt, tool descriptions, the chat so far, and somewhere the question. Its
words would drown, and each of the others costs time. What is asked stands behind a label ("User:", "Question:"), or at
the end, or ends in a question mark.
"""

from __future__ import annotations

import re

from holdfast.markdown.sentences import sentences
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["AskedPart", "asked_of"]

_LONG = 100  # words; up to here every word is taken for meant
_LONG_LETTERS = 700  # the same, for scripts without spaces
_ASKED = 80  # words that the part behind a label, or at the end, may have to be taken whole
_QUESTIONS = 3  # sentences
_ENDLESS = 300  # words; nobody asks that much in one paragraph, so its end is the question
_LAST = 2  # sentences

_LABEL = compile_late(
    r"^[ \t>#*_<\[]*(?:user|human|question|query|q|ask|task|request|(?:the )?(?:current |latest |last |user'?s? )?"
    r"(?:user )?(?:question|query|message|request|input|prompt)|frage|question|pregunta|pergunta|domanda|вопрос|"
    r"问题|問題|質問|问)[*_ \t]*[:：>\]][*_> \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_TAGS = compile_late(r"</?[a-z_][\w-]{0,40}>", re.IGNORECASE)
_ASKING = ("?", "？", "؟", ";")


class AskedPart(NamedTuple):
    """Holds what is asked, what only stands around it, and whether that is sure: by a label, or a question mark."""

    text: str
    rest: str = ""
    sure: bool = False


def asked_of(question: str) -> AskedPart:
    """Return what is asked, and what only stands around it; a question of ordinary length is all asked."""
    if not _is_long(question):
        return AskedPart(question)
    labels = [found.end() for found in _LABEL.finditer(question)]
    labelled = question[labels[-1] :] if labels else ""
    for part in (labelled, *_ends(question)):
        asked = _TAGS.sub(" ", part).strip()
        if not _is_long(asked) and any(map(str.isalnum, asked)):
            return AskedPart(asked, question, sure=part is labelled or asked.endswith(_ASKING))
    asking = _asking(question)
    if not asking and len(question.split()) > _ENDLESS:
        asking = _sentences(question)[-_LAST:]
        if _is_long(" ".join(asking)):
            asking = [" ".join(question.split()[-_ASKED:])]
    if asking:
        return AskedPart(" ".join(asking), question)
    return AskedPart(question)


def _is_long(text: str) -> bool:
    words = len(text.split())
    return words > _LONG or len(text) > max(_LONG_LETTERS, 12 * words)


def _ends(question: str) -> list[str]:
    """Return the last paragraph, or the last line, where it is short; and the first, if the question stands there."""
    text = question.strip()
    found: list[str] = []
    for gap in ("\n\n", "\n"):
        first, _, _ = text.partition(gap)
        _, cut, last = text.rpartition(gap)
        if not cut or len(last.split()) > _ASKED:
            continue
        if first.endswith(_ASKING) and len(first.split()) <= _ASKED:
            if last.rstrip().endswith(_ASKING):
                last = f"{first} {last}"
            else:
                last = first
        elif not last.rstrip().endswith(_ASKING):
            last = " ".join([*_asking(text), last])
        found.append(last)
    return found


def _asking(text: str) -> list[str]:
    """Return the last sentences that end in a question mark."""
    return [sentence for sentence in _sentences(text) if sentence.endswith(_ASKING)][-_QUESTIONS:]


def _sentences(text: str) -> list[str]:
    """Return the sentences of each line that say something."""
    return [
        line[start:end]
        for line in text.split("\n")
        for start, end in sentences(line)
        if any(map(str.isalnum, line[start:end]))
    ]
