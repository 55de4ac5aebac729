"""Letters of scripts that write no blanks between words: kana, Chinese and Japanese signs, Hangul.

By their numbers, since a pattern with such a class takes milliseconds to compile.
"""

from __future__ import annotations

__all__ = ["has_wide", "is_wide"]


def is_wide(letter: str) -> bool:
    """Say whether a letter is of such a script."""
    return letter >= "\u3040" and (
        letter <= "\u30ff"
        or "\u3400" <= letter <= "\u9fff"
        or "\uac00" <= letter <= "\ud7af"
        or "\uff66" <= letter <= "\uff9d"
    )


def has_wide(text: str) -> bool:
    """Say whether any letter of a text is."""
    return not text.isascii() and any(map(is_wide, text))
