"""Text that somebody else wrote → data for a prompt, which can't pass for a part of it.

A fence has a name that nobody could know when the text was written. Inside, every line begins with a bar, so that none
can be a heading, a role or the end of a block, and what could open or close a tag is written out. This keeps a
text from leaving its fence; it does not keep a model from believing what it reads there, so nothing but a score
or a few words may come of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

__all__ = ["fenced", "new_nonce"]

# Shown as nothing or in another order, and read by a model all the same.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060-\u206f\u202a-\u202e\ufeff\U000e0000-\U000e01ef\ud800-\udfff]"
)
_BREAKS = re.compile("\r\n?|[\u2028\u2029\x85]")


def new_nonce() -> str:
    """A name for the fences of one prompt."""
    return os.urandom(6).hex()


def fenced(texts: Sequence[str], nonce: str, *, name: str = "text", characters: int) -> str:
    """The texts, each in a numbered fence and cut to so many characters."""
    return "\n".join(
        f"<{name}-{nonce} id={number}>\n{_inside(text, nonce, characters)}\n</{name}-{nonce}>"
        for number, text in enumerate(texts, 1)
    )


def _inside(text: str, nonce: str, characters: int) -> str:
    plain = _UNSEEN.sub("", _BREAKS.sub("\n", text[: 2 * characters])).replace(nonce, "").strip()
    cut = plain if len(plain) <= characters else plain[: characters - 1].rstrip() + "…"
    escaped = cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "\n".join(f"| {line}" for line in escaped.split("\n"))
