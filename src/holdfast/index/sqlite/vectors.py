"""The vectors of one space, by the hash of the text they were made from; at once the embedding cache.

A text that no chunk holds any more keeps its vector for a while: it may come back (an undo, a move, another
edition). Such rows are evicted least recently used first, and what a chunk still needs never is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import apsw

from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.vector_bytes import quantize
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.coverage_rows import count_new_vectors, forget_coverage, hash_of
from holdfast.index.sqlite.edition import best_of
from holdfast.index.sqlite.matrix import EXACT_UP_TO, Matrix, engine_for, similarities
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.index.sqlite.row_cache import Pairs, Resident
from holdfast.index.sqlite.schema import count, index_hashes, tick
from holdfast.index.sqlite.scope_clause import negation, scope_values
from holdfast.index.sqlite.sqlite_vec import VectorTable
from holdfast.index.sqlite.vector_background import Background
from holdfast.index.sqlite.vector_storage import VectorStorage
from holdfast.index.store_contract import Coverage, Near, NoteRows, RankedRow, Within, as_ranked

__all__ = ["Vectors"]

_SPARE = 4  # so that a tie at the cut is seen, and a text that is gone costs no second question
_REACHES = (2, 16, 128)  # times as many of all texts as facts are wanted: where little is a fact, further


class Vectors:
    """The rows behind the `VectorShelf` contract."""

    def __init__(
        self,
        connection: Connection,
        space: SpaceKey,
        *,
        extension_path: str | None = None,
        exact_up_to: int = EXACT_UP_TO,
    ) -> None:
        self._connection = connection
        self._space = space
        self._exact_up_to = exact_up_to
        self._there: tuple[int, int] | None = None
        self._covered: tuple[tuple[int, int], Coverage] | None = None
        self._pairs = Resident(connection, lambda: self._storage.matrix().count, self._read_pairs)
        self._number, uid = self._begin()
        alone = space.is_packaged and extension_path is None
        self._storage = VectorStorage(
            connection, self._number, uid, space.dimensions, alone=alone, exact_up_to=exact_up_to
        )
        self._background = Background(connection, self._number, space.dimensions, self._storage.with_vectors)
        self._table: VectorTable | None = None
        self.because = ""
        if extension_path is not None:
            try:
                self._table = VectorTable(
                    connection, self._number, space.dimensions, extension_path, self._storage.with_vectors
                )
            except (apsw.Error, OSError) as error:
                self.because = f"sqlite-vec could not be loaded ({error}); numpy answers instead"

    def _begin(self) -> tuple[int, str]:
        select = "SELECT id, uid FROM spaces WHERE provider = ? AND model = ? AND endpoint = ? AND dimensions = ?"
        with self._connection.writing() as raw:
            if raw.execute(select, self._space).get is None:
                insert = "INSERT INTO spaces(uid, provider, model, endpoint, dimensions) VALUES (?,?,?,?,?)"
                raw.execute(insert, (os.urandom(16).hex(), *self._space))
                if self._space.by_block:
                    for (edition,) in raw.execute("SELECT id FROM editions").fetchall():
                        index_hashes(raw, edition)
            number, uid = raw.execute(select, self._space).get
        return number, uid

    @property
    def space(self) -> SpaceKey:
        """The space all these vectors belong to."""
        return self._space

    def texts_of(self, note: NoteRows) -> dict[str, str]:
        """Return the texts of a note that want a vector here, by their hashes."""
        if not self._space.by_block:
            return {chunk.text_hash: chunk.text for chunk in note.chunks}
        return {**note.blocks, **{chunk.text_hash: chunk.text for chunk in note.chunks if chunk.block is None}}

    @property
    def number(self) -> int:
        """The number of the space in this index."""
        return self._number

    @property
    def dropped(self) -> bool:
        """Say whether somebody dropped the space since we began with it."""
        version = self._connection.version()
        if self._there != version and self._connection.one("SELECT provider FROM spaces WHERE id = ?", (self._number,)):
            self._there = version
        return self._there != version

    @property
    def engine(self) -> str:
        """Return what answers `nearest`."""
        if self._table is not None:
            return self._table.engine
        # Counted, not asked of the matrix: `status` must not pay for numpy.
        return engine_for(self.count(), self._exact_up_to)

    def count(self) -> int:
        """Return how many vectors there are, those that no chunk needs included."""
        return int(self._connection.one("SELECT count(*) FROM vectors WHERE space = ?", (self._number,)))

    @property
    def held(self) -> int:
        """The number of vectors that this process has at hand to search in, those that no chunk needs included."""
        return self._storage.held

    def _goes_by_block(self, edition: int) -> bool:
        return self._space.by_block and self._connection.has_blocks(edition)

    def _hash_of(self, edition: int) -> str:
        """Return SQL for the hash that a chunk `c` finds its vector by."""
        return hash_of(by_block=self._goes_by_block(edition))

    def _has(self, edition: int) -> str:
        """Return SQL for whether a chunk `c` has the vector `v`; by both indexes, where there are blocks."""
        if not self._goes_by_block(edition):
            return "c.text_hash = v.hash"
        return "(c.block = v.hash OR (c.text_hash = v.hash AND c.block IS NULL))"

    def _texts(self) -> str:
        """Return SQL for the texts of all editions, the one that serves and the one that may come.

        Only the hash of a block is stored.
        """
        editions = [number for (number,) in self._connection.all("SELECT id FROM editions")]
        selects = (
            f"SELECT {self._hash_of(number)} AS hash, "
            f"{'iif(c.block IS NULL, c.text, NULL)' if self._goes_by_block(number) else 'c.text'} AS text "
            f"FROM e{number}_chunks c"
            for number in editions
        )
        return " UNION ALL ".join(selects) or "SELECT '' AS hash, '' AS text WHERE 0"

    def pending(self, limit: int) -> list[tuple[str, str]]:
        """Return texts of chunks or blocks that were never embedded in this space: (hash, text)."""
        with self._connection.reading():  # between two statements an edition could be dropped
            found = self._connection.all(
                f"SELECT hash, min(text) FROM ({self._texts()}) WHERE hash NOT IN "
                "(SELECT hash FROM vectors WHERE space = ?1) AND hash NOT IN "
                "(SELECT hash FROM job_rows WHERE space = ?1) GROUP BY hash LIMIT ?2",
                (self._number, limit),
            )
            blocks = [block for block, text in found if text is None]
            if blocks:
                from holdfast.index.sqlite.block_texts import block_texts

                texts = {text_hash.hash: text_hash.text for text_hash in block_texts(self._connection, blocks)}
            else:
                texts = {}
        return [
            (text_hash, text)
            for text_hash, stored in found
            if (text := texts.get(text_hash) if stored is None else stored) is not None
        ]

    def outgoing(self, rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the same texts without secrets, as they may be sent."""
        from holdfast.index.sqlite.outbound_rows import outgoing

        return outgoing(self._connection, rows, by_block=self._space.by_block)

    def missing(self, hashes: Sequence[str]) -> list[str]:
        """Return those of the texts that have no vector here, and are in no batch job."""
        rows = self._connection.all(
            "SELECT j.value FROM json_each(?2) j WHERE NOT EXISTS "
            "(SELECT 1 FROM vectors v WHERE v.space = ?1 AND v.hash = j.value) AND NOT EXISTS "
            "(SELECT 1 FROM job_rows r WHERE r.space = ?1 AND r.hash = j.value)",
            (self._number, json.dumps(list(hashes))),
        )
        return [text_hash for (text_hash,) in rows]

    def put(self, rows: Sequence[tuple[str, bytes]]) -> None:
        """Store packed vectors by the hash of their text; b"" records that a text has none."""
        if not rows:
            return
        kept = quantize([vector for _, vector in rows], self._space.dimensions)
        with self._connection.writing() as raw:
            if not raw.execute("SELECT provider FROM spaces WHERE id = ?", (self._number,)).get:
                return  # another process dropped the space meanwhile
            now = tick(raw)
            count(raw, f"misses:{self._number}", len(rows))
            new = {text_hash: vector for (text_hash, _), vector in zip(rows, kept, strict=True)}
            count_new_vectors(raw, self._number, new, self._connection.has_blocks)
            self._storage.insert(raw, now, new)

    def nearest(
        self,
        vector: bytes,
        limit: int,
        beside: Iterable[int] = (),
        within: Within | None = None,
        *,
        keep: bool = True,
    ) -> Near:
        """Return chunks of the serving edition by cosine similarity, best first.

        The similarity of those in `beside` is given as well. Without `keep`, many vectors are not left in memory.
        `within` says where to look; None is everywhere. Passages of one block are equally near: in a space of blocks
        the limit is one of blocks.
        """
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None or not vector:
                return Near([], {}, 0.0)
            if within is not None and self._is_narrow(raw, edition, within, limit):
                found = self._compare_all(raw, edition, vector, within)
            else:
                found = self._find_nearest(raw, edition, vector, limit, within, keep=keep)
            return self._near(raw, edition, vector, limit, found, beside)

    def nearest_each(self, asked: Sequence[tuple[bytes, Collection[int]]], limit: int) -> list[Near]:
        """Return the same for each of many vectors, each given with the chunks beside it, at a fraction of the cost."""
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None or self._table is not None:
                return [self.nearest(vector, limit, beside, keep=False) for vector, beside in asked]
            first = self._storage.matrix().nearest_each([vector for vector, _ in asked], limit + _SPARE)
            found: list[Near] = []
            for (vector, beside), own in zip(asked, first, strict=True):
                chunks = self._find_nearest(raw, edition, vector, limit, None, keep=False, near=own)
                found.append(self._near(raw, edition, vector, limit, chunks, beside))
                # Some hundred rows here and there, each with what lies around it, would be the whole of a large file.
                self._storage.matrix().release(only_large=True)
            return found

    def _near(
        self, raw: Any, edition: int, vector: bytes, limit: int, found: Sequence[RankedRow], beside: Iterable[int]
    ) -> Near:
        ranked = best_of(self._connection, edition, found, self._count_within_limit(found, limit))
        missing = set(beside) - {hit.row for hit in ranked}
        others = self._similarities(raw, edition, vector, missing)
        return Near(ranked, others, *self._background.of(edition, self._has(edition), vector))

    def among(self, vector: bytes, rows: Collection[int]) -> Near:
        """Return the same of some chunks alone: nobody else's similarity is asked for."""
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None or not vector:
                return Near([], {}, 0.0)
            scores = self._similarities(raw, edition, vector, rows)
            found = sorted(map(as_ranked, scores.items()), key=lambda hit: -hit.score)
            background = self._background.of(edition, self._has(edition), vector)
            return Near(best_of(self._connection, edition, found, len(found)), {}, *background)

    def nearest_facts(self, vector: bytes, limit: int) -> list[int]:
        """Return the facts of the serving edition that are nearest, best first; fewer where much else is nearer."""
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None or not vector:
                return []
            if self._is_less_work(raw.execute(f"SELECT count(*) FROM e{edition}_facts").get, limit):
                facts = [row for (row,) in raw.execute(f"SELECT chunk FROM e{edition}_facts")]
                scores = self._similarities(raw, edition, vector, facts)
                return sorted(scores, key=lambda row: (-scores[row], row))[:limit]
            if self._table is None:
                source: VectorTable | Matrix = self._storage.matrix()
            else:
                source = self._table
            for reach in _REACHES:
                near = dict(source.nearest(vector, limit * reach))
                found = raw.execute(
                    "SELECT c.id, v.id FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value AND v.space = ? "
                    f"CROSS JOIN e{edition}_chunks c ON c.text_hash = v.hash "
                    f"CROSS JOIN e{edition}_facts f ON f.chunk = c.id",
                    (json.dumps(list(near)), self._number),
                ).fetchall()
                if len(found) >= limit or len(near) < limit * reach:
                    break
            return [row for row, number in sorted(found, key=lambda pair: (-near[pair[1]], pair[0]))[:limit]]

    def _find_nearest(
        self,
        raw: Any,
        edition: int,
        vector: bytes,
        limit: int,
        within: Within | None,
        *,
        keep: bool,
        near: list[tuple[int, float]] | None = None,
    ) -> list[RankedRow]:
        """Return the nearest chunks and some more; `near` are the rows to begin with, where they are known."""
        ask = limit + _SPARE
        while True:
            if near is None and self._table is not None:
                near = self._table.nearest(vector, ask)
            elif near is None:
                near = self._storage.matrix().nearest(vector, ask, keep=keep)
            found = self._chunks_of(raw, edition, near, within)
            # Rows of texts that are gone take up places, and equals may stand beyond the cut: ask further until
            # enough live ones are in, and one that scores less.
            most = self._count_within_limit(found, limit)
            if len(near) < ask or (len(found) > most and found[most - 1].score > near[-1][1]):
                return found
            ask *= 4
            near = None

    def _count_within_limit(self, found: Sequence[RankedRow], limit: int) -> int:
        """Return how many of these chunks the limit lets in; among blocks, it counts scores and not chunks."""
        if not self._space.by_block:
            return limit
        scores = list(dict.fromkeys(hit.score for hit in found))[:limit]
        if not scores:
            return 0
        return sum(hit.score >= scores[-1] for hit in found)

    def _is_narrow(self, raw: Any, edition: int, within: Within, limit: int) -> bool:
        """Say whether what lies inside is little; a note is taken for as long as notes are in the mean."""
        if within.all_but:
            return False
        notes: int = raw.execute(f"SELECT count(*) FROM e{edition}_notes").get
        of_a_note = max(1, self._vector_count() // max(notes, 1))
        return self._is_less_work(len(within.notes) * of_a_note + len(within.chunks), limit)

    def _is_less_work(self, chunks: int, limit: int) -> bool:
        """Say whether comparing these chunks is less work than going through the nearest until enough of them came.

        The smaller their share of all, the more of the nearest that takes.
        """
        return chunks * chunks <= _SPARE * limit * self._vector_count()

    def _vector_count(self) -> int:
        """Return how many vectors a look goes through."""
        if self._table is not None:
            return self.count()
        return self._storage.matrix().count

    def _compare_all(self, raw: Any, edition: int, vector: bytes, within: Within) -> list[RankedRow]:
        rows = raw.execute(
            f"SELECT id FROM e{edition}_chunks WHERE note IN (SELECT value FROM json_each(?1)) "
            "UNION SELECT value FROM json_each(?2)",
            scope_values(within),
        ).fetchall()
        scores = self._similarities(raw, edition, vector, [row for (row,) in rows])
        return sorted(map(as_ranked, scores.items()), key=lambda hit: -hit.score)

    def packed_of(self, rows: Sequence[int]) -> dict[int, bytes]:
        """Return the vectors of some chunks of the serving edition, by their rows.

        The vector of a block is left out: it does not say how its passages differ.
        """
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None:
                return {}
            if self._goes_by_block(edition):
                alone = "AND c.block IS NULL"
            else:
                alone = ""
            found = raw.execute(
                f"SELECT c.id, v.id, v.vector FROM json_each(?) j CROSS JOIN e{edition}_chunks c ON c.id = j.value "
                f"CROSS JOIN vectors v ON v.space = ? AND v.hash = c.text_hash {alone} WHERE v.vector != x''",
                (json.dumps(list(rows)), self._number),
            ).fetchall()
            kept = self._storage.with_vectors([pair for _, *pair in found])
        found = [(row, kept[number]) for row, number, _ in found if number in kept]
        if not found:
            return {}
        vectors = ByteVectors.of([vector for _, vector in found], self._space.dimensions).floats()
        return {row: vector.tobytes() for (row, _), vector in zip(found, vectors, strict=True)}

    def of_notes(self) -> list[tuple[str, str, str, bytes]]:
        """Return path, source and title of each note of the serving edition with each vector of its texts, by note."""
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None:
                return []
            rows = raw.execute(
                f"SELECT n.path, n.source, n.title, v.id, v.vector FROM e{edition}_notes n "
                f"CROSS JOIN e{edition}_chunks c ON c.note = n.id "
                f"CROSS JOIN vectors v ON v.space = ? AND v.hash = {self._hash_of(edition)} "
                "WHERE v.vector != x'' ORDER BY n.path",
                (self._number,),
            ).fetchall()
            kept = self._storage.with_vectors([pair for _, _, _, *pair in rows])
        return [(*note, kept[number]) for *note, number, _ in rows if number in kept]

    def in_blocks(self, rows: Collection[int]) -> frozenset[int]:
        """Return those of the chunks whose vector here is that of a block."""
        edition = None
        if self._space.by_block:
            edition = self._connection.serving()
        if edition is None or not self._goes_by_block(edition):
            return frozenset()
        sql = (
            f"SELECT c.id FROM json_each(?) j CROSS JOIN e{edition}_chunks c ON c.id = j.value "
            "WHERE c.block IS NOT NULL"
        )
        return frozenset(row for (row,) in self._connection.all(sql, (json.dumps(list(rows)),)))

    def cosines(self, vector: bytes, rows: Collection[int]) -> dict[int, float]:
        """Return the similarities of some chunks of the serving edition, by their rows."""
        with self._connection.reading() as raw:
            edition = self._connection.serving()
            if edition is None:
                return {}
            return self._similarities(raw, edition, vector, rows)

    def _similarities(self, raw: Any, edition: int, vector: bytes, rows: Collection[int]) -> dict[int, float]:
        if not rows:
            return {}
        if self._table is not None:
            found = self._of_chunks(raw, edition, "v.id, v.vector", rows)
            kept = self._storage.with_vectors([pair for _, *pair in found])
            packed = {row: kept[number] for row, number, _ in found if number in kept}
            if not packed:
                return {}
            block = ByteVectors.of(list(packed.values()), self._space.dimensions)
            return dict(zip(packed, similarities(vector, block), strict=True))
        # The matrix has no row for a text without a vector: the table itself need not be read, its index is enough.
        pairs = self._pairs.get()
        if pairs is None:
            of_chunks = dict(self._of_chunks(raw, edition, "v.id", rows))
            chunks, numbers = list(of_chunks), list(of_chunks.values())
        else:
            chunks, numbers = pairs.vectors_of(rows)
        near = self._storage.matrix().cosines(vector, numbers)
        return {row: score for row, score in zip(chunks, near, strict=True) if score == score}

    def _of_chunks(self, raw: Any, edition: int, columns: str, rows: Collection[int]) -> list[tuple[Any, ...]]:
        """Return columns of the vectors of some chunks, each with the row of its chunk."""
        # CROSS JOIN keeps SQLite to this order: it would rather look through all the vectors.
        sql = (
            f"SELECT c.id, {columns} FROM json_each(?) j CROSS JOIN e{edition}_chunks c ON c.id = j.value "
            f"CROSS JOIN vectors v ON v.space = ? AND v.hash = {self._hash_of(edition)}"
        )
        found: list[tuple[Any, ...]] = raw.execute(sql, (json.dumps(list(rows)), self._number)).fetchall()
        return found

    def _chunks_of(
        self, raw: Any, edition: int, near: list[tuple[int, float]], within: Within | None
    ) -> list[RankedRow]:
        """Return the chunks whose text has one of these vectors, best first."""
        if within is None and self._table is None and (pairs := self._pairs.get()) is not None:
            return pairs.chunks_of(near)
        scores = dict(near)
        chosen = ""
        if within is not None:
            inside = "c.note IN (SELECT value FROM json_each(?3)) OR c.id IN (SELECT value FROM json_each(?4))"
            chosen = f"AND {negation(within)}({inside})"
        rows = raw.execute(
            "SELECT v.id, c.id FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value AND v.space = ? "
            f"CROSS JOIN e{edition}_chunks c ON {self._has(edition)} {chosen}",
            (json.dumps(list(scores)), self._number, *scope_values(within)),
        )
        return sorted((RankedRow(chunk, scores[row]) for row, chunk in rows), key=lambda hit: -hit.score)

    def _read_pairs(self) -> Pairs:
        edition = self._connection.serving()
        assert edition is not None
        sql = (
            f"SELECT c.id, v.id FROM e{edition}_chunks c "
            f"CROSS JOIN vectors v ON v.space = ? AND v.hash = {self._hash_of(edition)}"
        )
        return Pairs(self._connection.all(sql, (self._number,)))

    def coverage(self) -> Coverage:
        """Return how many of the serving edition's texts this space has embedded, of chunks or of blocks."""
        version = self._connection.version()
        if self._covered is None or self._covered[0] != version:
            with self._connection.reading():
                self._covered = version, self._count_coverage()
        return self._covered[1]

    def keep_coverage(self) -> None:
        """Count the coverage and keep it, so that a process which answers one question need not."""
        if self._stored_coverage() is not None:
            return
        with self._connection.writing() as raw:
            edition = self._connection.serving()
            if edition is not None:
                # It was mostly counted just before, and not changed since.
                values = (edition, self._number, *self.coverage())
                raw.execute("INSERT OR REPLACE INTO coverage VALUES (?,?,?,?)", values)

    def _stored_coverage(self) -> Coverage | None:
        sql = "SELECT texts, embedded FROM coverage WHERE edition = ? AND space = ?"
        rows = self._connection.all(sql, (self._connection.serving(), self._number))
        if not rows:
            return None
        return Coverage(*rows[0])

    def _count_coverage(self) -> Coverage:
        edition = self._connection.serving()
        if edition is None:
            return Coverage(0, 0)
        return self._stored_coverage() or Coverage(
            *self._connection.one(
                f"SELECT count(*), count(v.id) FROM (SELECT DISTINCT {self._hash_of(edition)} AS hash "
                f"FROM e{edition}_chunks c) t LEFT JOIN vectors v ON v.space = ? AND v.hash = t.hash",
                (self._number,),
            )
        )

    def evict(self, keep: int, spare: int = 0) -> int:
        """Forget all but `keep` vectors of texts that no chunk holds; least recently used first.

        Nothing is done while there are no more than `spare` too many: whoever has vectors in memory reads them anew.
        """
        if self.count() - self.coverage().embedded <= keep + spare:
            return 0  # the usual case does not look for what no chunk holds
        with self._connection.writing() as raw:
            raw.execute(
                "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors WHERE space = ? AND hash NOT IN "
                f"(SELECT hash FROM ({self._texts()})) ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?)",
                (self._number, keep),
            )
            gone = int(raw.changes())
            count(raw, f"evictions:{self._number}", gone)
            return gone

    def remember(self, reported: str | None) -> None:
        """Keep the model that the provider named, if it is the first to be named."""
        if reported and self._connection.one("SELECT reported FROM spaces WHERE id = ?", (self._number,)) is None:
            with self._connection.writing() as raw:
                raw.execute("UPDATE spaces SET reported = ? WHERE id = ?", (reported, self._number))

    def traffic(self) -> dict[str, int]:
        """Return how often a new chunk's text had its vector already, how often it had none, and what was evicted."""
        found = dict(self._connection.all("SELECT name, value FROM counters"))
        return {name: found.get(f"{name}:{self._number}", 0) for name in ("hits", "misses", "evictions")}

    def drop(self) -> int:
        """Forget all vectors of the space, and the space itself."""
        with self._connection.writing() as raw:
            raw.execute("DELETE FROM vectors WHERE space = ?", (self._number,))
            gone = int(raw.changes())
            raw.execute("DELETE FROM job_rows WHERE space = ?", (self._number,))
            raw.execute("DELETE FROM jobs WHERE space = ?", (self._number,))
            raw.execute("DELETE FROM null_reaches WHERE space = ?", (self._number,))
            forget_coverage(raw, space=self._number)
            # The row stays, without a name: its number must never be another space's, since other processes may
            # still be using it.
            raw.execute("UPDATE spaces SET provider = '', model = uid, endpoint = '' WHERE id = ?", (self._number,))
            if self._table is not None:
                self._table.drop(raw)
        self._storage.forget()
        return gone

    def level(self) -> None:
        """Let what `nearest` runs on follow the vectors, before a search and outside any transaction."""
        if self._table is not None:
            self._table.catch_up()
        else:
            self._storage.mend()

    def tidy(self) -> None:
        """Bring what `nearest` runs on up to date on disk after a sync, when that is worth it."""
        self.level()
        if self._table is None:
            self._storage.tidy(self.count())

    def scrub(self) -> None:
        """Leave no vector on disk of a text that is gone; in SQLite itself there is none by now."""
        self._storage.scrub()

    def close(self) -> None:
        """Let go of the mapped files."""
        self._storage.close()
