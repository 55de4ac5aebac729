"""A text of a note or a question → the same text as it may leave this machine: without secrets, whole or in pieces."""

from __future__ import annotations

import re

from holdfast.guard.secrets import redact

__all__ = ["remove_secrets"]

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


def remove_secrets(text: str) -> str:
    """Take out every known kind of secret, and every block of base64 that may be a piece of one."""
    cleaned = redact(text)
    if len(cleaned) >= 80:
        cleaned = _PIECE.sub(f"{_MARK} ", cleaned)
    if "-----END " not in cleaned:
        return cleaned
    return _TAIL.sub(f"{_MARK} ", cleaned)
