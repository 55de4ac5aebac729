"""The rules for text that may reach disk.

Not covered here: whether the words are true, safe or wanted. Zero-width joiners pass, because Persian, Hindi
and emoji families need them, so two strings that look alike may still differ.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from holdfast.errors import BadText, SecretFound
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from holdfast.settings.memory_settings import Secrets

__all__ = [
    "BOM",
    "MAX_NOTE_BYTES",
    "MAX_WRITE_BYTES",
    "admit",
    "decode",
    "keep_bom",
    "strip_refused",
    "without_secrets",
]

MAX_WRITE_BYTES = 50 * 1024
"""The most bytes of text that one write may bring."""

MAX_NOTE_BYTES = 4 * 1024 * 1024
"""The most bytes a note may have; larger files are skipped and reported, so that no read can fill memory."""


BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before UTF-8."""


class _Range(NamedTuple):
    """A class of characters, and the attack that each served."""

    name: str
    characters: str  # the inside of a regular expression's [...]
    attack: str


_NONCHARACTERS = "\\ufdd0-\\ufdef" + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(0x11))

_REFUSED = (
    _Range("a lone surrogate", "\\ud800-\\udfff", "half a character from JSON; can't be written as UTF-8"),
    _Range("a NUL byte", "\\x00", "cuts the text short in C code: what is shown is not what is stored"),
    _Range(
        "a control character",
        "\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f",
        "escape sequences that rewrite the terminal of whoever prints the note",
    ),
    _Range(
        "a Unicode tag character",
        "\\U000e0000-\\U000e007f",
        "ASCII smuggling: whole instructions that a model reads and a person can't see",
    ),
    _Range(
        "a bidirectional control",
        "\\u202a-\\u202e\\u2066-\\u2069",
        "Trojan Source: text shown in another order than it is read",
    ),
    _Range("a noncharacter", _NONCHARACTERS, "sentinels of other programs; never valid in exchanged text"),
)

_REFUSED_ASCII = bytes({*range(0x20), 0x7F} - set(b"\t\n\r"))

_SELECTORS = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef"
# Emoji and ideographs take one selector, Mongolian at most a few; a longer run carries hidden bytes,
# one byte in each selector.
_MAX_SELECTORS = 4

_CLASSES = "".join(found.characters for found in _REFUSED)


# Compiled when first asked: large classes take their time, and a search, which writes nothing, asks for none of them.
@cache
def _refused_pattern() -> re.Pattern[str]:
    # One pass, no nested repetition: the time is linear in the text whatever it holds.
    return re.compile(f"[{_CLASSES}]|[{_SELECTORS}]{{{_MAX_SELECTORS + 1}}}")


@cache
def _refused_characters() -> re.Pattern[str]:
    return re.compile(f"[{_CLASSES}]")


@cache
def _long_selector_run() -> re.Pattern[str]:
    return re.compile(f"[{_SELECTORS}]{{{_MAX_SELECTORS + 1},}}")


def admit(text: str, what: str = "text") -> str:
    """Return the text unchanged, or raise BadText with the line of what must not reach disk."""
    if text.isascii() and len(text) == len(text.encode().translate(None, _REFUSED_ASCII)):
        return text  # most text is this, and a long one costs a fiftieth
    bad = _refused_pattern().search(text)
    if bad is None:
        return text
    raise BadText(what, _reason(bad[0]), text.count("\n", 0, bad.start()) + 1)


def strip_refused(text: str) -> str:
    """Remove everything that `admit` refuses.

    It is for text that is kept in any case, such as what somebody said.
    """
    # Selectors last: what stood between two short runs may have been taken out just now.
    return _long_selector_run().sub("", _refused_characters().sub("", text))


def decode(data: bytes) -> str:
    """Decode a note: strict UTF-8, without a byte order mark, without NUL."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadText("note", "it is not valid UTF-8", line) from error
    # A NUL hides what follows it from some tools while search would still find it.
    nul = text.find("\0")
    if nul >= 0:
        raise BadText("note", "it has a NUL byte", text.count("\n", 0, nul) + 1)
    return text.removeprefix("\ufeff")


def keep_bom(old: bytes | None, new: bytes) -> bytes:
    """Return the new bytes of a note, behind a byte order mark where the old ones have one."""
    if old is not None and old.startswith(BOM):
        return BOM + new
    return new


def _reason(bad: str) -> str:
    for rule in _REFUSED:
        if re.match(f"[{rule.characters}]", bad):
            return f"it has {rule.name} (U+{ord(bad):04X})"
    return f"it has more than {_MAX_SELECTORS} variation selectors in a row"


def without_secrets(text: str, rule: Secrets) -> str:
    """Return the text as the settings let it through: refused, or with each secret replaced by its kind."""
    from holdfast.settings.memory_settings import Secrets

    if rule is Secrets.ALLOW:
        return text
    from holdfast.guard.secrets import find_secrets, redact

    secrets = find_secrets(text)
    if secrets and rule is Secrets.REFUSE:
        kinds = tuple(dict.fromkeys(secret.kind for secret in secrets))
        raise SecretFound("content", kinds, text.count("\n", 0, secrets[0].start) + 1)
    return redact(text) if secrets else text
