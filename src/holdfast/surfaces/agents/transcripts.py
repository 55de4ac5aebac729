"""The file in which a coding agent records a conversation → what the user and the model said in it, nothing else."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from holdfast.errors import BadArgument
from holdfast.surfaces.agents.client_messages import ClientRecord, read_record

__all__ = ["read_transcript"]

_MOST_BYTES = 32 * 1024 * 1024  # the end of a longer record is read
_MOST_MESSAGES = 5000
_LONGEST = 100_000  # characters of one message
_ROOTS: Mapping[str, tuple[str, str, str]] = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "~/.claude", "projects"),
    "codex": ("CODEX_HOME", "~/.codex", "sessions"),
    "cursor": ("", "~/.cursor", "projects"),
    "gemini-cli": ("", "~/.gemini", "tmp"),
}


def read_transcript(client: str, path: str) -> ClientRecord:
    """Read what was said, oldest first. BadArgument for a file that is not among the client's own records."""
    record = read_record(client, _read(client, path))
    said = [message._replace(text=message.text[:_LONGEST]) for message in record.said]
    return record._replace(said=said[-_MOST_MESSAGES:])


def _read(client: str, path: str) -> bytes:
    if client not in _ROOTS:
        raise BadArgument("transcript_path", f"the records of {client!r} are not known")
    variable, default, below = _ROOTS[client]
    top = os.path.realpath(os.path.join(os.environ.get(variable) or os.path.expanduser(default), below))
    real = os.path.realpath(path)
    # Whoever can call a hook must not have any file of the person's kept as a conversation (P9).
    if os.path.commonpath((top, real)) != top or not real.endswith((".jsonl", ".json")):
        raise BadArgument("transcript_path", f"it is not a record below {top}")
    try:
        file = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise BadArgument("transcript_path", f"it can't be read: {error.strerror}") from None
    with open(file, "rb") as opened:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise BadArgument("transcript_path", "it is not a plain file")
        opened.seek(max(0, status.st_size - _MOST_BYTES))
        return opened.read(_MOST_BYTES)
