"""Note, chunk and word rows of one edition of the index."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from holdfast.embeddings.embedder import SpaceKey
from holdfast.index.sqlite.columns import Columns, columns_of
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.coverage_rows import follow_chunks
from holdfast.index.sqlite.expression import MatchExpression, weight_of
from holdfast.index.sqlite.fact_table import Facts
from holdfast.index.sqlite.lexicon import Lexicon, rarity_of
from holdfast.index.sqlite.note_scores import SATURATED, NoteScores
from holdfast.index.sqlite.origin_rows import COLUMNS, Origins, origin_named
from holdfast.index.sqlite.passage_rows import PassageRows
from holdfast.index.sqlite.path_rows import PathRows
from holdfast.index.sqlite.row_cache import RowCache
from holdfast.index.sqlite.row_lengths import Lengths
from holdfast.index.sqlite.schema import count, index_hashes, tick
from holdfast.index.sqlite.scope_clause import negation, scope_values
from holdfast.index.sqlite.word_segments import join_all_segments, join_some_segments
from holdfast.index.store_contract import (
    Batch,
    ChunkRow,
    NoteRows,
    NoteShare,
    NoteState,
    RankedRow,
    StoredChunk,
    Within,
    Word,
    as_ranked,
    as_state,
    as_stored,
)
from holdfast.markdown.token_estimate import PER_TOKEN, weight

__all__ = ["Edition"]

_MOST_TITLED = 4  # notes of one title
_LIGHT = 0.5  # what a word tells that stands in for others


class Edition:
    """The rows behind the `Shelf` contract; statements name their tables by the edition's number."""

    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.number = number
        self.lexicon = Lexicon(connection, number)
        self.lengths = Lengths(connection, number)
        self.paths = PathRows(connection, number)
        self.facts = Facts(connection, number)
        self.origins = Origins(connection, number)
        self.passages = PassageRows(connection, number, self.lexicon, self.origins)
        self._chunks = RowCache(connection, self._read_chunks)

    def known(self) -> Mapping[str, NoteState]:
        """Return every note the edition has rows for."""
        with self.connection.reading() as raw:
            if not self._is_there(raw):
                return {}
            return self._states(raw)

    def state(self, path: str) -> NoteState | None:
        """Return what the edition believes of one note."""
        return self.states([path]).get(path)

    def states(self, paths: Sequence[str]) -> Mapping[str, NoteState]:
        """Return what the edition believes of some notes, of those that it has rows for."""
        with self.connection.reading() as raw:
            if not self._is_there(raw):
                return {}
            return self._states(raw, paths)

    def _states(self, raw: Any, paths: Sequence[str] | None = None) -> dict[str, NoteState]:
        sql = f"SELECT path, hash, size, mtime_ns, ctime_ns, inode, settled FROM e{self.number}_notes"
        if paths is None:
            rows = raw.execute(sql)
        else:
            rows = raw.execute(f"{sql} WHERE path IN (SELECT value FROM json_each(?))", (json.dumps(paths),))
        return {row[0]: as_state(row[1:]) for row in rows}

    def _is_there(self, raw: Any) -> bool:
        """Say whether no other process has published a newer edition meanwhile, and dropped this one."""
        return bool(raw.execute("SELECT 1 FROM editions WHERE id = ?", (self.number,)).get)

    def write(self, batch: Batch) -> Collection[str]:
        """Apply a batch in one transaction, each note's own row last; gives the paths that others wrote meanwhile."""
        # The words are worked out before the transaction: while it lasts, other writers wait.
        words = [columns_of(note, self.lexicon.tokenizer) for note in batch.puts]
        with self.connection.writing() as raw:
            if not self._is_there(raw):
                return ()  # `publish` tells the sync
            late = self._paths_changed_since(raw, batch)
            for path, state in batch.touches:
                if path in late:
                    continue
                raw.execute(
                    f"UPDATE e{self.number}_notes SET hash=?, size=?, mtime_ns=?, ctime_ns=?, inode=?, settled=? "
                    "WHERE path = ?",
                    (*state, path),
                )
            chosen = [pair for pair in zip(batch.puts, words, strict=True) if pair[0].path not in late]
            puts, drops = [note for note, _ in chosen], [path for path in batch.drops if path not in late]
            with follow_chunks(raw, self.number, drops, puts, has_blocks="block" in self.origins.columns):
                for path in drops:
                    self._drop(raw, path)
                self._put(raw, puts, [columns for _, columns in chosen])
            if batch.more_to_come:
                return late
            if batch.puts or batch.drops:
                join_some_segments(raw, self.number)
            index_hashes(raw, self.number)
        return late

    def settle(self) -> None:
        """Make the words quick to look up once much was written at a time."""
        join_all_segments(self.connection, self.number)

    def complete(self) -> None:
        """Make the hashes quick to look up, where whoever wrote last left that for later, or was killed before it."""
        if self.connection.one("SELECT 1 FROM sqlite_schema WHERE name = ?", (f"e{self.number}_by_text",)) is None:
            with self.connection.writing() as raw:
                if self._is_there(raw):
                    index_hashes(raw, self.number)

    def _paths_changed_since(self, raw: Any, batch: Batch) -> set[str]:
        if batch.seen is None:
            return set()
        paths = [*(note.path for note in batch.puts), *(path for path, _ in batch.touches), *batch.drops]
        now = self._states(raw, paths)
        return {path for path in paths if now.get(path) != batch.seen.get(path)}

    def _put(self, raw: Any, notes: Sequence[NoteRows], words: Sequence[Sequence[Columns]]) -> None:
        """Write all notes of a batch with three statements.

        One by one, they would cost as much as the full-text index.
        """
        stored = {
            path: (number, title)
            for path, number, title in raw.execute(
                f"SELECT path, id, title FROM e{self.number}_notes WHERE path IN (SELECT value FROM json_each(?))",
                (json.dumps([note.path for note in notes]),),
            )
        }
        next_note = raw.execute(f"SELECT ifnull(max(id), 0) + 1 FROM e{self.number}_notes").get
        fresh: list[tuple[int, ChunkRow, Columns]] = []
        rows: list[tuple[Any, ...]] = []
        for note, columns in zip(notes, words, strict=True):
            number, title = stored.get(note.path, (0, ""))
            pairs = zip(note.chunks, columns, strict=True)
            if number:
                new = self._keep_what_moved(raw, number, note, same_title=title == note.title)
                fresh.extend((number, chunk, columns) for chunk, columns in pairs if chunk in new)
            else:
                number, next_note = next_note, next_note + 1
                fresh.extend((number, chunk, columns) for chunk, columns in pairs)
            rows.append((note.source, note.title, *note.state, note.path, number))
        self._insert(raw, fresh)
        self.facts.put(raw, [(row[-1], note) for note, row in zip(notes, rows, strict=True)])
        # Not INSERT OR REPLACE: it opens a savepoint for each row, and a savepoint makes FTS5 write what it holds.
        raw.executemany(
            f"UPDATE e{self.number}_notes SET source=?, title=?, hash=?, size=?, mtime_ns=?, ctime_ns=?, inode=?, "
            "settled=? WHERE path = ? AND id = ?",
            [row for row in rows if row[-2] in stored],
        )
        raw.executemany(
            f"INSERT INTO e{self.number}_notes"
            "(source, title, hash, size, mtime_ns, ctime_ns, inode, settled, path, id) VALUES (?,?,?,?,?,?,?,?,?,?)",
            [row for row in rows if row[-2] not in stored],
        )
        # A note that is new and that no journal tells of has nothing to be remembered.
        with_origins = [
            (row[-1], note) for note, row in zip(notes, rows, strict=True) if note.journal_seq or row[-2] in stored
        ]
        self.origins.put(raw, with_origins)

    def _keep_what_moved(self, raw: Any, number: int, note: NoteRows, *, same_title: bool) -> set[ChunkRow]:
        """Keep the rows of chunks that only moved, delete those that are gone, and say which are new."""
        columns = ("start_line", "end_line", *self.origins.columns)
        stored = {
            chunk_id: (row, headings, tuple(was))
            for row, chunk_id, headings, *was in raw.execute(
                f"SELECT id, chunk_id, headings, {', '.join(columns)} FROM e{self.number}_chunks "
                "WHERE note = ? AND start_line >= ?",
                (number, note.grows_at),
            )
        }
        fresh: set[ChunkRow] = set()
        line, highest = 0, 0.0
        for chunk in note.chunks:
            if chunk.start_line != line:
                line, highest = chunk.start_line, 0.0
            row, headings, was = stored.get(chunk.chunk_id, (None, "", None))
            # Pieces of one line have nothing but their rows to say which comes first.
            if row is None or row < highest or not same_title or headings != _pack_headings(chunk.headings):
                fresh.add(chunk)
                highest = math.inf
                continue
            highest = row
            del stored[chunk.chunk_id]
            now = (chunk.start_line, chunk.end_line, *chunk[7:])[: len(columns)]
            if was != now:
                changes = ", ".join(f"{column} = ?" for column in columns)
                raw.execute(f"UPDATE e{self.number}_chunks SET {changes} WHERE id = ?", (*now, row))
        self._delete_rows(raw, [row for row, *_ in stored.values()])
        return fresh

    def _insert(self, raw: Any, chunks: Sequence[tuple[int, ChunkRow, Columns]]) -> None:
        if not chunks:
            return
        _count_hits(raw, [chunk for _, chunk, _ in chunks])
        first = raw.execute(f"SELECT ifnull(max(id), 0) + 1 FROM e{self.number}_chunks").get
        width = 8 + len(self.origins.columns)
        rows = [
            (row, number, *chunk[:4], _pack_headings(chunk.headings), chunk.text, *chunk[7:])[:width]
            for row, (number, chunk, _) in enumerate(chunks, first)
        ]
        raw.executemany(f"INSERT INTO e{self.number}_chunks VALUES ({','.join('?' * width)})", rows)
        empty = ("", "", "", "")
        raw.executemany(
            f"INSERT INTO e{self.number}_words(rowid, path, title, headings, body, "
            "section_path, section_title, section_headings, section_body) VALUES (?,?,?,?,?,?,?,?,?)",
            [
                (row, *empty, *columns.texts) if columns.section else (row, *columns.texts, *empty)
                for row, (_, _, columns) in enumerate(chunks, first)
            ],
        )
        self.lengths.add(raw, [columns for _, _, columns in chunks])

    def _drop(self, raw: Any, path: str) -> None:
        number = raw.execute(f"SELECT id FROM e{self.number}_notes WHERE path = ?", (path,)).get
        if number is None:
            return
        rows = raw.execute(f"SELECT id FROM e{self.number}_chunks WHERE note = ?", (number,)).fetchall()
        self._delete_rows(raw, [row for (row,) in rows])
        self.facts.drop(raw, number, path)
        raw.execute(f"DELETE FROM e{self.number}_notes WHERE id = ?", (number,))

    def _delete_rows(self, raw: Any, rows: Sequence[int]) -> None:
        if not rows:
            return
        values = [(row,) for row in rows]
        raw.executemany(f"DELETE FROM e{self.number}_words WHERE rowid = ?", values)
        # Their vectors were in use until now, which is what the cache's eviction goes by.
        now = tick(raw)
        for name in ("text_hash", "block") if "block" in self.origins.columns else ("text_hash",):
            raw.executemany(
                f"UPDATE vectors SET used = {now} WHERE space IN (SELECT id FROM spaces) "
                f"AND hash = (SELECT {name} FROM e{self.number}_chunks WHERE id = ?)",
                values,
            )
        raw.executemany(f"DELETE FROM e{self.number}_chunks WHERE id = ?", values)

    def keywords(
        self,
        words: Sequence[Word],
        limit: int,
        within: Within | None = None,
        *,
        without: Sequence[Word] = (),
        strict: Sequence[Word] = (),
    ) -> list[RankedRow]:
        """Return chunks that hold some of the words and none of those they must be `without`, by BM25, best first.

        `within` says where to look; None is everywhere. Where some chunk holds all words that are `strict`, only such
        chunks are given. The score grows with relevance.
        """
        asked = self.lexicon.asked(words)
        if asked is None:
            return []
        asked = asked._replace(match=self._without(asked.match, without))
        if strict and (every := self._all_of(strict)):
            found = self._rank(asked._replace(match=f"({every}) AND ({asked.match})"), limit, within)
            if found:
                return found
        return self._rank(asked, limit, within)

    def hold_all(self, words: Sequence[Word], within: Within | None = None, without: Sequence[Word] = ()) -> bool:
        """Say whether some chunk holds all of these words, and none of those that it must be `without`."""
        match = self._all_of(words)
        return bool(match) and bool(self._match(MatchExpression(self._without(match, without)), 1, within))

    def _all_of(self, words: Sequence[Word]) -> str:
        """Return an expression for what holds all of the words; "" where nothing does."""
        each = [self.lexicon.any_of([word]) for word in words]
        if not all(each):
            return ""
        return " AND ".join(map("({})".format, each))

    def _without(self, match: str, words: Sequence[Word]) -> str:
        none = self.lexicon.any_of(words)
        if not none:
            return match
        return f"({match}) NOT ({none})"

    def knows(self, words: Sequence[Word]) -> bool:
        """Say whether each of these words stands in some chunk.

        It never does with a tokenizer of FTS5's own, which cuts ids up.
        """
        self.lexicon.total()
        return self.lexicon.tokenizer == "holdfast" and all(self.lexicon.count(word) for word in words)

    def with_near(self, words: Sequence[Word]) -> list[Word]:
        """Return the words and, lightly, what the notes have that those they (almost) never use may stand for."""
        return self.lexicon.with_near(words)

    def holding(self, words: Sequence[Word]) -> frozenset[int]:
        """Return the rows of all chunks that hold one of the words."""
        match, table = self.lexicon.any_of(words), f"e{self.number}_words"
        if not match:
            return frozenset()
        rows = self.connection.all(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (match,))
        return frozenset(row for (row,) in rows)

    def _rank(self, asked: MatchExpression, limit: int, within: Within | None) -> list[RankedRow]:
        # Rows that tie with the last one wanted stand beyond it. Half as many more mostly show where they end, and
        # cost next to nothing; to ask a second time costs as much again.
        ask = limit + limit // 2 + 1
        while True:
            found = self._match(asked, ask, within)
            if len(found) < ask or found[-1].score < found[limit - 1].score:
                return best_of(self.connection, self.number, found, limit)
            ask *= 4

    def _match(self, asked: MatchExpression, limit: int, within: Within | None) -> list[RankedRow]:
        # Not ORDER BY rank: FTS5 then sorts all matches itself, which takes half as long again. Not plain rowid: SQLite
        # would ask FTS5 anew for each row, and FTS5 would count all rows of each word anew.
        table = f"e{self.number}_words"
        chosen = f"SELECT id FROM e{self.number}_chunks WHERE note IN (SELECT value FROM json_each(?3))"
        inside = ""
        if within is not None:
            inside = f"AND +rowid {negation(within)}IN ({chosen} UNION ALL SELECT value FROM json_each(?4))"
        rows = self.connection.all(
            f"SELECT rowid, -bm25({table}, {self.lengths.weights()}) / {asked.scale}.0 AS score FROM {table} "
            f"WHERE {table} MATCH ?1 {inside} ORDER BY score DESC LIMIT ?2",
            (asked.match, limit, *scope_values(within)),
        )
        return list(map(as_ranked, rows))

    def ideal(self, words: Sequence[Word]) -> float:
        """Return what BM25 could give at the most for these words.

        A chunk gets as much that holds all of them, each as often as counts. A word that no chunk holds counts as the
        rarest possible one: it is missing from every score. Light words only stand in for others.
        """
        chunks = self.lexicon.total()
        return sum(rarity_of(self.lexicon.count(word), chunks) * weight_of(word) for word in words) * SATURATED

    def holding_any(self, words: Sequence[Word]) -> int:
        """Return how many chunks hold one of the words."""
        match, table = self.lexicon.any_of(words), f"e{self.number}_words"
        if not match:
            return 0
        return int(self.connection.one(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (match,)))

    def facts_holding(self, words: Sequence[Word], limit: int) -> list[int]:
        """Return the chunks that are facts and hold some of the words, by BM25, best first."""
        asked = self.lexicon.asked(words)
        if asked is None:
            return []
        return self.facts.holding(asked.match, self.lengths.weights(), limit)

    def weights(self, words: Sequence[Word]) -> dict[str, float]:
        """Return how much each word tells of a line that holds it.

        It goes by the word's rarity, which is above nothing for every word.
        """
        chunks = self.lexicon.total()
        found: dict[str, float] = {}
        for word in words:
            count = min(self.lexicon.count(word), chunks)
            rarity = math.log(1.0 + (chunks - count + 0.5) / (count + 0.5))
            found[word.text] = rarity * max(weight_of(word), _LIGHT)
        return found

    def rarest(self) -> float:
        """Return what BM25 could give at the most for one word that no chunk holds."""
        return math.log(self.lexicon.total() + 1.0) * SATURATED

    def note_share(self, words: Sequence[Word], within: Within | None = None) -> NoteShare:
        """Return what the question's words score in whole notes; `within` says which of them count, None is all."""
        return NoteScores(self.passages, self.lexicon).share(words, within)

    def titled(self, title: str) -> list[int]:
        """Return the first chunks of the notes with this title, whatever its letter case and the signs around it."""
        whole = title.encode("utf-8", "replace").decode().strip()
        bare = whole.strip(" \t\n\"'`#?!.")
        if not bare:
            return []
        # SQLite folds the letters of ASCII alone.
        cases = {
            case for form in (whole, bare) for case in (form, form.lower(), form.upper(), form[0].upper() + form[1:])
        }
        sql = (
            f"SELECT (SELECT c.id FROM e{self.number}_chunks c WHERE c.note = n.id ORDER BY c.start_line LIMIT 1) "
            f"FROM e{self.number}_notes n WHERE n.title COLLATE NOCASE IN ({','.join('?' * len(cases))}) "
            f"ORDER BY n.path LIMIT {_MOST_TITLED}"
        )
        return [row for (row,) in self.connection.all(sql, tuple(sorted(cases))) if row is not None]

    def chunks(self, rows: Iterable[int]) -> dict[int, StoredChunk]:
        """Return the chunks of these rows; a row that is gone is left out."""
        return self._chunks.of(rows)

    def _read_chunks(self, rows: Sequence[int]) -> dict[int, StoredChunk]:
        found = self._select("WHERE c.id IN (SELECT value FROM json_each(?))", (json.dumps(rows),))
        return {chunk.row: chunk for chunk in found}

    def following(self, rows: Sequence[int]) -> dict[int, StoredChunk]:
        """Map each of these chunks to the one that comes next in its note, where there is one."""
        pairs = self.connection.all(
            f"SELECT a.id, (SELECT c.id FROM e{self.number}_chunks c WHERE c.note = a.note AND "
            "c.start_line > a.end_line ORDER BY c.start_line, c.id LIMIT 1) "
            f"FROM json_each(?) j CROSS JOIN e{self.number}_chunks a ON a.id = j.value",
            (json.dumps(list(rows)),),
        )
        chunks = self.chunks([after for _, after in pairs if after is not None])
        return {row: chunks[after] for row, after in pairs if after in chunks}

    def passages_of(self, note: int, limit: int) -> list[StoredChunk]:
        """Return the first chunks of a note, in their order."""
        return self._select("WHERE c.note = ? ORDER BY c.start_line, c.id LIMIT ?", (note, limit))

    def around(self, rows: Sequence[int], lines: int) -> list[StoredChunk]:
        """Return the chunks that begin at most `lines` lines before or after one of these in its note, in order."""
        return self._select(
            f"WHERE c.id IN (SELECT o.id FROM json_each(?1) j CROSS JOIN e{self.number}_chunks a ON a.id = j.value "
            f"CROSS JOIN e{self.number}_chunks o ON o.note = a.note AND "
            "o.start_line BETWEEN a.start_line - ?2 AND a.end_line + ?2) ORDER BY n.path, c.start_line, c.id",
            (json.dumps(list(rows)), lines),
        )

    def chunk_at(self, chunk_id: str | None = None, path: str = "", line: int = 0) -> StoredChunk | None:
        """Return the chunk with this id, or the last one that holds this line of a note."""
        if chunk_id is not None:
            found = self._select("WHERE c.chunk_id = ?", (chunk_id,))
        else:
            found = self._select(
                "WHERE n.path = ? AND ? BETWEEN c.start_line AND c.end_line ORDER BY c.start_line DESC LIMIT 1",
                (path, line),
            )
        if not found:
            return None
        return found[0]

    def paths_saying(self, text: str, limit: int) -> list[str]:
        """Return the notes that have this text in them, letter for letter, by path."""
        rows = self.connection.all(
            f"SELECT DISTINCT n.path FROM e{self.number}_chunks c JOIN e{self.number}_notes n ON n.id = c.note "
            "WHERE instr(c.text, ?) ORDER BY n.path LIMIT ?",
            (text, limit),
        )
        return [path for (path,) in rows]

    def _select(self, where: str, values: tuple[Any, ...]) -> list[StoredChunk]:
        there = self.origins.columns
        origin, by_line, voice, _ = (f"c.{name}" if name in there else "NULL" for name in COLUMNS)
        rows = self.connection.all(
            "SELECT c.id, c.chunk_id, c.text_hash, n.path, n.source, c.start_line, c.end_line, c.headings, c.text, "
            f"n.title, n.mtime_ns, NULL, {origin}, {by_line}, ifnull({voice}, 0) "
            f"FROM e{self.number}_chunks c JOIN e{self.number}_notes n ON n.id = c.note {where}",
            values,
        )
        # As `StoredChunk` has them: some sixty in every search, which are made without a call of Python for each.
        return self.facts.with_facts(
            [
                as_stored((*row[:7], _unpack_headings(row[7]), *row[8:12], origin_named(row[12]), *row[13:]))
                for row in rows
            ]
        )

    def texts(self, *, by_block: bool = False) -> int:
        """Return how many distinct texts its chunks have, or the blocks that they lie in."""
        if by_block and "block" in self.origins.columns:
            name = "ifnull(block, text_hash)"
        else:
            name = "text_hash"
        return int(self.connection.one(f"SELECT count(DISTINCT {name}) FROM e{self.number}_chunks"))

    def last_block(self, path: str, overlap: int) -> tuple[list[ChunkRow], int]:
        """Return the end of a note from which its last block can be cut again, and where in it the block begins.

        The end is of whole lines. It reaches back to the passages that the block repeats, at most `overlap` tokens.
        """
        with self.connection.reading() as raw:
            if not self._is_there(raw) or "block" not in self.origins.columns:
                return [], 0
            rows = raw.execute(
                "SELECT c.chunk_id, c.text_hash, c.start_line, c.end_line, c.headings, c.text, c.origin, c.by_line, "
                f"c.voice, c.block FROM e{self.number}_chunks c JOIN e{self.number}_notes n ON n.id = c.note "
                "WHERE n.path = ? ORDER BY c.start_line, c.id",
                (path,),
            ).fetchall()
        first = max(len(rows) - 1, 0)
        # Where equal blocks follow each other it begins with the first of them, and the cuts are the same.
        while first > 0 and rows[-1][9] is not None and rows[first - 1][9] == rows[-1][9]:
            first -= 1
        lead, left = first, overlap * PER_TOKEN
        while lead > 0 and (left > 0 or rows[lead - 1][2] == rows[lead][2]):
            lead -= 1
            left -= weight(rows[lead][5])
        end: list[ChunkRow] = []
        for *named, headings, text, origin, by_line, voice, block in rows[lead:]:
            row = (*named, _unpack_headings(headings), text, None, origin_named(origin), by_line, voice, block)
            end.append(ChunkRow._make(row))
        return end, first - lead

    def counts(self) -> tuple[int, int, dict[str, int]]:
        """Count notes, chunks, and notes by source."""
        by_source = dict(self.connection.all(f"SELECT source, count(*) FROM e{self.number}_notes GROUP BY source"))
        chunks = self.connection.one(f"SELECT count(*) FROM e{self.number}_chunks")
        return sum(by_source.values()), chunks, by_source


def _count_hits(raw: Any, chunks: Sequence[ChunkRow]) -> None:
    """Count how many of their texts have a vector already, in each space: they cost nothing a second time."""
    named = "SELECT id, provider, model, endpoint, dimensions FROM spaces WHERE provider != ''"
    for space, *key in raw.execute(named).fetchall():
        hashes = [chunk.text_hash for chunk in chunks]
        if SpaceKey(*key).by_block:
            hashes = list(dict.fromkeys(chunk.block or chunk.text_hash for chunk in chunks))
        found = raw.execute(
            "SELECT count(*) FROM json_each(?) j CROSS JOIN vectors v ON v.space = ? AND v.hash = j.value",
            (json.dumps(hashes), space),
        ).get
        count(raw, f"hits:{space}", found)


def best_of(connection: Connection, edition: int, ranked: Sequence[RankedRow], limit: int) -> list[RankedRow]:
    """Return the best of a ranking.

    Where equals stand on both sides of the cut it goes by path and line, never by row number, which a rebuild deals
    out anew.
    """
    if len(ranked) <= limit or ranked[limit - 1].score > ranked[limit].score:
        return list(ranked[:limit])
    edge = ranked[limit - 1].score
    sure = [hit for hit in ranked if hit.score > edge]
    equal = [hit.row for hit in ranked if hit.score == edge]
    chosen = connection.all(
        f"SELECT c.id FROM json_each(?) j CROSS JOIN e{edition}_chunks c ON c.id = j.value "
        f"CROSS JOIN e{edition}_notes n ON n.id = c.note ORDER BY n.path, c.start_line, c.chunk_id LIMIT ?",
        (json.dumps(equal), limit - len(sure)),
    )
    return [*sure, *(RankedRow(row, edge) for (row,) in chosen)]


def _pack_headings(headings: tuple[str, ...]) -> str:
    return "\x1f".join(headings)


def _unpack_headings(headings: str) -> tuple[str, ...]:
    if not headings:
        return ()
    return tuple(headings.split("\x1f"))
