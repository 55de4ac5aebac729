"""Keep how many texts of an edition each space has embedded: a row that follows small changes of chunks and vectors.

To count takes longer than to search, and grows with the home. What changes a few texts looks these up before and after,
in its own transaction; what changes many deletes the row, and the next sync counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from holdfast.embeddings.embedder import SpaceKey
from holdfast.index.store_contract import NoteRows
from holdfast.named_tuple import NamedTuple

__all__ = ["count_new_vectors", "follow_chunks", "forget_coverage", "hash_of"]

_MOST: Final = 2_000  # texts of one change that are looked up one by one


def hash_of(*, by_block: bool) -> str:
    """Return SQL for the hash that a chunk `c` finds its vector by."""
    if by_block:
        return "ifnull(c.block, c.text_hash)"
    return "c.text_hash"


def forget_coverage(raw: Any, *, edition: int | None = None, space: int | None = None) -> None:
    """Have an edition, or a space, counted anew."""
    raw.execute("DELETE FROM coverage WHERE edition = ? OR space = ?", (edition, space))


@contextmanager
def follow_chunks(
    raw: Any, edition: int, drops: Collection[str], puts: Sequence[NoteRows], *, has_blocks: bool
) -> Iterator[None]:
    """Let the rows of an edition follow the change of some notes: those that go, and those that are written.

    Call it inside a write transaction.
    """
    if not drops and not puts:
        yield
        return
    counted = {space: has_blocks and key.by_block for _, space, key in _rows_of(raw, "edition = ?", edition)}
    texts = {by_block: _Touched.of(raw, edition, drops, puts, by_block=by_block) for by_block in {*counted.values()}}
    if not all(touched.are_followed(raw, edition) for touched in texts.values()):
        forget_coverage(raw, edition=edition)
        counted.clear()
    yield
    for space, by_block in counted.items():
        before, after = texts[by_block].present, _present(raw, edition, texts[by_block].hashes, by_block=by_block)
        came, went = after - before, before - after
        embedded = len(_embedded(raw, space, came)) - len(_embedded(raw, space, went))
        _add(raw, edition, space, len(came) - len(went), embedded)


class _Touched(NamedTuple):
    """Holds the hashes that a change of notes may add or remove, and those of them that are there before it."""

    hashes: frozenset[str]
    present: frozenset[str]
    by_block: bool

    @classmethod
    def of(
        cls, raw: Any, edition: int, drops: Collection[str], puts: Sequence[NoteRows], *, by_block: bool
    ) -> _Touched:
        old = _texts_of(raw, edition, [*drops, *(note.path for note in puts)], by_block=by_block)
        new = frozenset((by_block and chunk.block) or chunk.text_hash for note in puts for chunk in note.chunks)
        if len(old | new) > _MOST:
            return cls(old | new, old, by_block)
        return cls(old | new, old | _present(raw, edition, new - old, by_block=by_block), by_block)

    def are_followed(self, raw: Any, edition: int) -> bool:
        """Say whether there are few enough of them, and these are quick to look up."""
        return len(self.hashes) <= _MOST and _is_indexed(raw, edition, by_block=self.by_block)


def count_new_vectors(raw: Any, space: int, hashes: Collection[str], has_blocks: Callable[[int], bool]) -> None:
    """Let the rows of a space follow vectors that are about to be stored; `has_blocks` says which editions know blocks.

    Call it inside the write transaction that stores them.
    """
    rows = _rows_of(raw, "space = ?", space)
    if not rows:
        return
    by_block = {edition: key.by_block and has_blocks(edition) for edition, _, key in rows}
    if len(hashes) > _MOST or not all(_is_indexed(raw, number, by_block=blocks) for number, blocks in by_block.items()):
        forget_coverage(raw, space=space)
        return
    new = frozenset(hashes) - _embedded(raw, space, hashes)
    for edition, blocks in by_block.items():
        _add(raw, edition, space, 0, len(_present(raw, edition, new, by_block=blocks)))


def _rows_of(raw: Any, where: str, number: int) -> list[tuple[int, int, SpaceKey]]:
    """Return edition and space of what is counted."""
    found = raw.execute(
        "SELECT c.edition, c.space, s.provider, s.model, s.endpoint, s.dimensions FROM coverage c "
        f"JOIN spaces s ON s.id = c.space WHERE c.{where}",
        (number,),
    ).fetchall()
    return [(edition, space, SpaceKey(*key)) for edition, space, *key in found]


def _is_indexed(raw: Any, edition: int, *, by_block: bool) -> bool:
    """Say whether hashes are quick to look up; whoever writes much at a time makes these indexes at the end."""
    names = {f"e{edition}_by_text"}
    if by_block:
        names.add(f"e{edition}_by_block")
    sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND name IN (SELECT value FROM json_each(?))"
    return names == {name for (name,) in raw.execute(sql, (json.dumps(list(names)),))}


def _texts_of(raw: Any, edition: int, paths: Collection[str], *, by_block: bool) -> frozenset[str]:
    sql = (
        f"SELECT DISTINCT {hash_of(by_block=by_block)} FROM e{edition}_chunks c WHERE c.note IN "
        f"(SELECT id FROM e{edition}_notes WHERE path IN (SELECT value FROM json_each(?)))"
    )
    return frozenset(found for (found,) in raw.execute(sql, (json.dumps(list(paths)),)))


def _present(raw: Any, edition: int, hashes: Collection[str], *, by_block: bool) -> frozenset[str]:
    """Return those of the hashes that some chunk of the edition finds its vector by."""
    chunks = f"SELECT 1 FROM e{edition}_chunks c WHERE"
    is_there = f"EXISTS ({chunks} c.text_hash = j.value)"
    if by_block:
        is_there = f"EXISTS ({chunks} c.block = j.value) OR EXISTS ({chunks} c.text_hash = j.value AND c.block IS NULL)"
    sql = f"SELECT j.value FROM json_each(?) j WHERE {is_there}"
    return frozenset(found for (found,) in raw.execute(sql, (json.dumps(list(hashes)),)))


def _embedded(raw: Any, space: int, hashes: Collection[str]) -> frozenset[str]:
    sql = "SELECT v.hash FROM json_each(?) j CROSS JOIN vectors v ON v.space = ? AND v.hash = j.value"
    return frozenset(found for (found,) in raw.execute(sql, (json.dumps(list(hashes)), space)))


def _add(raw: Any, edition: int, space: int, texts: int, embedded: int) -> None:
    if texts or embedded:
        raw.execute(
            "UPDATE coverage SET texts = texts + ?, embedded = embedded + ? WHERE edition = ? AND space = ?",
            (texts, embedded, edition, space),
        )
        # More than all can't be embedded: something is damaged, or was lost, and is counted anew.
        raw.execute("DELETE FROM coverage WHERE edition = ? AND space = ? AND embedded > texts", (edition, space))
