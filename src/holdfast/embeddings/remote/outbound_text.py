"""A text of a note or a question → the same text as it may leave this machine: without secrets, whole or in pieces."""

from __future__ import annotations

import re

from holdfast.guard.secrets import redact

__all__ = ["leaving"]

# A private key longer than a chunk is cut, and only the piece with its first line is known for what it is. The others
# are nothing but base64, which no model makes sense of: lines of it (in JSON with \n between), or one long run.
_CODE = r"[A-Za-z0-9+/]"
_GAP = r"(?:\s|\\[rn]|[>\"',|]){1,24}"
_PIECE = re.compile(
    rf"(?<!{_CODE})(?:(?:{_CODE}{{40,}}={{0,2}}{_GAP}){{2,}}(?:{_CODE}{{1,76}}={{0,2}}(?=\\?\s{{0,4}}\Z))?"
    rf"|{_CODE}{{200,}}={{0,2}})"
)
_TAIL = re.compile(rf"(?<!{_CODE})(?:{_CODE}{{16,76}}={{0,2}}{_GAP}){{0,2}}{_CODE}{{1,76}}={{0,2}}{_GAP}(?=-----END )")
_MARK = "[redacted: encoded block]"


def leaving(text: str) -> str:
    """The text with every known kind of secret, and every block of base64 that may be a piece of one, taken out."""
    told = redact(text)
    if len(told) >= 80:
        told = _PIECE.sub(f"{_MARK} ", told)
    return _TAIL.sub(f"{_MARK} ", told) if "-----END " in told else told
