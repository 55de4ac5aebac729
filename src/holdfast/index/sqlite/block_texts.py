"""Hashes of blocks → their texts, cut again from the passages that are stored, and what stands around each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from holdfast.index.sqlite.connection import Connection
from holdfast.markdown.blocks import Part, cut_blocks
from holdfast.named_tuple import NamedTuple

__all__ = ["BlockText", "block_texts"]


class BlockText(NamedTuple):
    """A block where it stands: its hash, its text, and the passages before and after it."""

    hash: str
    text: str
    before: str
    after: str


def block_texts(connection: Connection, hashes: Sequence[str]) -> Iterator[BlockText]:
    """Yield each of these blocks in every note of every edition that has it; call it inside a read transaction."""
    wanted, listed = frozenset(hashes), json.dumps(list(hashes))
    for number, identity in connection.all("SELECT id, identity FROM editions"):
        if not connection.has_blocks(number):
            continue
        tokens, overlap, *_ = json.loads(identity)
        rows = connection.all(
            f"SELECT note, text, start_line, end_line FROM e{number}_chunks WHERE note IN "
            f"(SELECT note FROM e{number}_chunks WHERE block IN (SELECT value FROM json_each(?))) "
            "ORDER BY note, start_line, id",
            (listed,),
        )
        for _, stored in groupby(rows, itemgetter(0)):
            yield from _of_note([Part._make(row[1:]) for row in stored], tokens, overlap, wanted)


def _of_note(parts: Sequence[Part], tokens: int, overlap: int, wanted: Any) -> Iterator[BlockText]:
    from holdfast.markdown.chunk_ids import text_hash  # not above: it loads OpenSSL, which no search needs

    for block in cut_blocks(parts, tokens, overlap):
        name = text_hash(block.text)
        if name in wanted:
            before, after = "", ""
            if block.lead > 0:
                above = parts[block.lead - 1]
                before = above.text + _gap(above, parts[block.lead])
            if block.end < len(parts):
                after = _gap(parts[block.end - 1], parts[block.end]) + parts[block.end].text
            yield BlockText(name, block.text, before, after)


def _gap(part: Part, following: Part) -> str:
    if part.end_line == following.start_line:
        return ""
    return "\n"
