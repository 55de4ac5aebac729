"""Cut a text to what fits into a prompt, and say where the rest was cut off."""

from __future__ import annotations

from holdfast.markdown.token_estimate import PER_TOKEN, weight
from holdfast.named_tuple import NamedTuple
from holdfast.plural import agree, count_of

__all__ = ["Cut", "cut_to_tokens", "head", "notice", "squeeze", "tail", "tokens_of"]


class Cut(NamedTuple):
    """The part of a text that is shown, and how many characters are not.

    `line` is where to read on: the first line that is not there whole, or of the end of a text its own first line.
    """

    text: str
    left: int = 0
    line: int = 1


def head(text: str, characters: int) -> Cut:
    """The beginning of a text: whole lines, unless that would be less than half of what fits."""
    if len(text) <= characters:
        return Cut(text)
    room = max(0, characters)
    end = text.rfind("\n", 0, room + 1)
    if end < room // 2:
        return Cut(text[:room], len(text) - room, text.count("\n", 0, room) + 1)
    return Cut(text[:end], len(text) - end, text.count("\n", 0, end) + 2)


def tail(text: str, characters: int) -> Cut:
    """The end of a text, where the newest stands in a note that is only added to."""
    if len(text) <= characters:
        return Cut(text)
    start = len(text) - max(0, characters)
    if start < len(text) and text[start - 1] != "\n":
        after = text.find("\n", start) + 1
        if 0 < after < len(text) - (len(text) - start) // 2:
            start = after
    return Cut(text[start:], start, text.count("\n", 0, start) + 1)


def notice(path: str, left: int, *, read_on: str = "", first: bool = False) -> str:
    """The line that says how much is missing, and how to read it where there is a way."""
    end = "The first" if first else "The last"
    verb = agree(left, "is", "are")
    return f"[{end} {count_of(left, 'character')} of {path} {verb} not shown here.{f' {read_on}' if read_on else ''}]"


def cut_to_tokens(text: str, tokens: int) -> str:
    """The beginning of a text, of so many tokens at the most: where it is denser than the rest, less of it is kept."""
    while (whole := tokens_of(text)) > max(0, tokens):
        text = text[: len(text) * max(0, tokens) // whole]
    return text


def squeeze(text: str, tokens: int) -> str:
    """The beginning and the end of a text, of about so many tokens together."""
    kept = len(cut_to_tokens(text, tokens))
    if kept == len(text):
        return text
    end = kept // 2
    return f"{text[: kept - end].rstrip()}\n[…]\n{text[len(text) - end :].lstrip()}"


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has."""
    return -(-weight(text) // PER_TOKEN)
