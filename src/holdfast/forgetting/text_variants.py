"""A text that is to be gone → every way it may stand in a file: other line ends, composed or not, escaped for JSON.

A transcript holds a message as JSON, a tool's arguments as JSON within JSON, a prompt's fence with tags written out.
They are the same words, and a byte search would find them.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from holdfast.errors import BadArgument
from holdfast.forgetting.note_claims import bare, claims_in
from holdfast.markdown.text_removal import remove_text
from holdfast.notes.byte_scan import BytePattern

__all__ = ["FORGOTTEN", "Trace", "is_telling"]

FORGOTTEN = b"[forgotten]"
"""What stands in a transcript or an export instead."""

_FEWEST = 4  # characters; less would tear holes into words that have nothing to do with it
_FEWEST_WIDE = 2  # of a script in which a word has no more
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Between words: blanks and line ends, plain or escaped, and what a quote or a fence puts before each line.
# No two repeats of it can take the same blank: a note of blanks behind the first word costs its length, no power of it.
_GAP = rb"(?:[ \t\r\n]|\\+[nrt])+(?:(?:[>|][ \t]?)+(?:[ \t\r\n]|\\+[nrt])*)?"
_BEGINS = rb"(?:(?<![0-9A-Za-z_])|(?<=\\[nrt]))"
_ENDS = rb"(?![0-9A-Za-z_])"
_RUN = re.compile(rb"[0-9A-Za-z]{3,}")


def is_telling(text: str) -> bool:
    """Say whether a text is long enough that wherever it stands, it is meant."""
    words = bare(text)
    return len(words) >= (_FEWEST if words.isascii() else _FEWEST_WIDE)


class Trace:
    """One text to look for in bytes."""

    def __init__(self, text: str) -> None:
        words = bare(text)
        if not is_telling(text):
            raise BadArgument("text", f"{words!r} is too short to be cleared everywhere; give more of it")
        self.text = words
        plain = normalize("NFC", words)
        inside = rb"".join(_GAP if piece.isspace() else _letters(piece) for piece in re.split(r"(\s+)", plain))
        if plain[0].isascii() and plain[0].isalnum():
            begins = _BEGINS
        else:
            begins = b""
        if plain[-1].isascii() and plain[-1].isalnum():
            ends = _ENDS
        else:
            ends = b""
        self._pattern = re.compile(begins + inside + ends)
        # A run of plain letters is never written otherwise: most files are known not to hold it without the pattern.
        self._sure = max(_RUN.findall(words.encode()), key=len, default=b"")
        self.sought = BytePattern(self._pattern.pattern, self._sure, 16 * len(words.encode()) + 4096)

    def count(self, data: bytes) -> int:
        """Return how often it stands there."""
        if self._sure not in data:
            return 0
        return sum(1 for _ in self._pattern.finditer(data))

    def holds(self, data: bytes) -> bool:
        """Say whether it stands there."""
        return self._sure in data and self._pattern.search(data) is not None

    def replaced(self, data: bytes, instead: bytes = FORGOTTEN) -> bytes:
        """The bytes with something else in its place."""
        if self.holds(data):
            return self._pattern.sub(lambda _: instead, data)
        return data

    def replaced_in_lines(self, data: bytes) -> bytes:
        """Lines of JSON with something else in its place; each keeps its length, so that places in the file hold.

        Blanks behind an object say nothing. A line that grows, because the text was shorter, can't keep its length.
        """
        if not self.holds(data):
            return data
        lines = data.split(b"\n")
        cleared = (self.replaced(line).ljust(len(line)) if self.holds(line) else line for line in lines)
        return b"\n".join(cleared)

    def cut(self, data: bytes) -> bytes:
        """A note without it: without the whole claim where that says nothing else."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return self.replaced(data, b"")
        claims = [claim for claim in claims_in(text) if self._is(claim.text)]
        for claim in reversed(claims):
            data, _ = remove_text(data, claim.cut, every=True)
        return self.replaced(data, b"")

    def _is(self, claim: str) -> bool:
        return self._pattern.fullmatch(bare(claim).encode("utf-8", "surrogatepass")) is not None


def _letters(text: str) -> bytes:
    return b"".join(_letter(letter) for letter in text)


def _letter(letter: str) -> bytes:
    if letter.isascii() and letter.isalnum():
        return letter.encode()
    if letter == "\\":
        return rb"\\+"
    if letter.isascii():
        ways = [rb"\\*" + re.escape(letter.encode()), _json_escape(letter)]
        ways += [re.escape(_ENTITIES[letter].encode())] if letter in _ENTITIES else []
        return b"(?:" + b"|".join(ways) + b")"
    apart = normalize("NFD", letter)
    forms = dict.fromkeys((letter, apart))
    ways = [re.escape(form.encode("utf-8", "surrogatepass")) for form in forms]
    ways += [b"".join(_json_escape(part) for part in form) for form in forms]
    # A base letter that is plain may stand unescaped before an escaped mark.
    if apart[0].isascii() and len(apart) > 1:
        ways.append(re.escape(apart[0].encode()) + b"".join(_json_escape(part) for part in apart[1:]))
    return b"(?:" + b"|".join(ways) + b")"


def _json_escape(letter: str) -> bytes:
    units = letter.encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return b"".join(rb"\\+u" + _either_case(pair) for pair in pairs)


def _either_case(digits: str) -> bytes:
    return b"".join(f"[{digit}{digit.upper()}]".encode() if digit.isalpha() else digit.encode() for digit in digits)
