"""Texts of chunks and blocks → the same as they may leave this machine: without secrets, by what stands around each.

A chunk may begin right after `Bearer `, or in the middle of a token: what gives a secret away then stands in another
chunk. Every text is therefore looked at together with its neighbours, in every note that holds it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdfast.guard.secrets import redact_within
from holdfast.index.sqlite.block_texts import block_texts
from holdfast.index.sqlite.connection import Connection

__all__ = ["outgoing"]

_AROUND = 400  # characters that may give a secret away: its name, its scheme, its first letters


def outgoing(
    connection: Connection, rows: Sequence[tuple[str, str]], *, by_block: bool = False
) -> list[tuple[str, str]]:
    """Return pairs of a hash and a text, with the secrets of each text replaced.

    What is a secret in any note is one in all.
    """
    hashes = [text_hash for text_hash, _ in rows]
    around = _texts_around(connection, hashes)
    if by_block:
        with connection.reading():
            for block in block_texts(connection, hashes):
                around.setdefault(block.hash, []).append((block.before[-_AROUND:], block.after[:_AROUND]))
    cleaned: list[tuple[str, str]] = []
    for text_hash, text in rows:
        clean = text
        for before, after in around.get(text_hash, [("", "")]):
            clean = redact_within(f"{before}{clean}{after}", len(before), len(before) + len(clean))
        cleaned.append((text_hash, clean))
    return cleaned


def _texts_around(connection: Connection, hashes: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return what stands before and after each text, wherever it stands."""
    found: dict[str, list[tuple[str, str]]] = {}
    wanted = json.dumps(list(hashes))
    with connection.reading() as raw:
        for (number,) in raw.execute("SELECT id FROM editions").fetchall():
            for text_hash, text, before, after, first, last, above, below in raw.execute(
                f"WITH w AS (SELECT text_hash, text, lag(text) OVER n AS before, lead(text) OVER n AS after, "
                "start_line, end_line, lag(end_line) OVER n AS above, lead(start_line) OVER n AS below "
                f"FROM e{number}_chunks WHERE note IN (SELECT note FROM e{number}_chunks WHERE text_hash IN "
                "(SELECT value FROM json_each(?1))) WINDOW n AS (PARTITION BY note ORDER BY start_line, id)) "
                "SELECT * FROM w WHERE text_hash IN (SELECT value FROM json_each(?1))",
                (wanted,),
            ):
                ahead = _before(before or "", text, "" if above == first else "\n")
                follows = _after(after or "", text, "" if below == last else "\n")
                found.setdefault(text_hash, []).append((ahead[-_AROUND:], follows[:_AROUND]))
    return found


def _before(before: str, text: str, gap: str) -> str:
    """Return what the chunk before has beyond this one; pieces of one line follow each other without a gap."""
    for size in range(min(len(before), len(text)), 0, -1):
        if text.startswith(before[-size:]):
            return before[:-size]
    return before + gap


def _after(after: str, text: str, gap: str) -> str:
    """Return what the chunk after has beyond this one."""
    for size in range(min(len(after), len(text)), 0, -1):
        if text.endswith(after[:size]):
            return after[size:]
    return gap + after
