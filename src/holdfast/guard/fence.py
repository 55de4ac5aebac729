"""Text that somebody else wrote → data for a prompt, which can't pass for a part of it.

A fence has a name that nobody could know when the text was written. Inside, every line begins with a bar, so that none
can be a heading, a role or the end of a block, and what could open or close a tag is written out. This keeps a
text from leaving its fence; it does not keep a model from believing what it reads there.

The owner's own MEMORY.md goes in as it stands, between two lines whose name is a keyed hash of what is between them: a
text that holds its own hash can't be written, not even by somebody who has seen the names of earlier texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.pattern import compile_late

__all__ = ["bar_lines", "bound_nonce", "fence", "fence_texts", "strip_invisible"]

# Shown as nothing or in another order, and read by a model all the same; and runs of variation selectors, each of
# which can carry a byte. Joiners stay: Persian, Hindi and emoji families need them.
_INVISIBLE = compile_late(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060-\u206f\u202a-\u202e\ufeff\U000e0000-\U000e01ef\ud800-\udfff]"
    "|[\u180b-\u180d\u180f\ufe00-\ufe0f]{5,}"
)
# The same in ASCII, as bytes to delete in C: notes are mostly that, and the expression takes ten times as long.
_CONTROLS = bytes((*range(0x09), *range(0x0B, 0x20), 0x7F))
_BREAKS = ("\u2028", "\u2029", "\x85")


def bound_nonce(text: str, secret: str) -> str:
    """Return a name for the fence of one text that can't stand in that text.

    The same text has the same name every time.

    Prompts are cached by providers as long as they do not change, so a new name for each turn would cost money.
    """
    from hashlib import blake2b

    key = secret.encode("utf-8", "surrogatepass")[:64]
    return blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=6).hexdigest()


def strip_invisible(text: str) -> str:
    """Remove characters that nobody sees; lines and all other characters stay."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text.encode("ascii").translate(None, _CONTROLS).decode("ascii")
    return _INVISIBLE.sub("", text)


def bar_lines(text: str, nonce: str = "") -> str:
    """Put each line behind a bar and escape tags, so that nothing reads as more than text."""
    plain = strip_invisible(_normalize_breaks(text))
    if nonce:
        plain = plain.replace(nonce, "…")  # not "": what stands around it could be its two halves
    return "| " + _escape_tags(plain).replace("\n", "\n| ")


def fence(body: str, nonce: str, attributes: Mapping[str, str | int], *, name: str = "memory") -> str:
    """Put a body between the two lines of its fence, with attributes in the first."""
    words = "".join(f" {key}={_quote(value)}" for key, value in attributes.items() if value != "")
    return f"<{name}-{nonce}{words}>\n{body}\n</{name}-{nonce}>"


def fence_texts(texts: Sequence[str], nonce: str, *, name: str = "text", characters: int) -> str:
    """Put each text into a numbered fence, cut to so many characters."""
    return "\n".join(
        fence(bar_lines(_cut(text, nonce, characters)), nonce, {"id": number}, name=name)
        for number, text in enumerate(texts, 1)
    )


def _cut(text: str, nonce: str, characters: int) -> str:
    plain = strip_invisible(_normalize_breaks(text[: 2 * characters])).replace(nonce, "…").strip()
    if len(plain) <= characters:
        return plain
    return plain[: characters - 1].rstrip() + "…"


def _quote(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    plain = strip_invisible(_normalize_breaks(value)).replace("\n", " ")
    return '"' + _escape_tags(plain).replace('"', "&quot;") + '"'


def _normalize_breaks(text: str) -> str:
    """Replace line ends that few programs know, and a model may, by ordinary ones."""
    for end in _BREAKS:
        if end in text:
            text = text.replace(end, "\n")
    return text


def _escape_tags(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
