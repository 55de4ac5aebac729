"""The index file of one agent: which edition answers, which is being built, and which spaces there are."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

import apsw

from holdfast.embeddings.embedder import SpaceKey
from holdfast.errors import IndexDamaged, IndexNotOurs, StorageFailed
from holdfast.index.freshness import Look
from holdfast.index.sqlite.connection import IN_MEMORY, Connection
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.look_file import read_look, write_look
from holdfast.index.sqlite.null_reaches import NullReaches
from holdfast.index.sqlite.quarantine import lock_file, move_aside, only_one
from holdfast.index.sqlite.schema import create_edition, drop_edition, migrate
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Identity
from holdfast.named_tuple import NamedTuple
from holdfast.notes.private_database import file_identity, make_private_folder

__all__ = ["Counts", "Database"]


class Counts(NamedTuple):
    """Says how much the index holds."""

    notes: int
    chunks: int
    by_source: dict[str, int]
    bytes: int


class Database:
    """Opens or creates the file; a file that can't be read is set aside and begun anew, and says so."""

    def __init__(
        self, path: str, *, extension_path: str | None = None, unwritable: str = "", set_aside: str | None = None
    ) -> None:
        self.path = path
        self._unwritable = unwritable
        self.set_aside = set_aside
        """Where a damaged file was moved, if one was found."""
        self._extension_path = extension_path
        self._build: IO[bytes] | None = None
        self._identity = file_identity(path)
        if path == IN_MEMORY or unwritable:
            self.connection = self._open()
        else:
            self.connection = self._open_or_begin()
        self.null_reaches = NullReaches(self.connection)
        self._editions: dict[int, Edition] = {}
        self._vectors: dict[SpaceKey, Vectors] = {}

    @classmethod
    def in_memory(cls) -> Database:
        """Return an index that is gone with the process: for keywords, where no file can be used."""
        return cls(IN_MEMORY)

    def is_current(self) -> bool:
        """Say whether the file that is open is still the one at its path: another process may have set it aside."""
        return file_identity(self.path) == self._identity

    def _open_or_begin(self) -> Connection:
        try:
            make_private_folder(os.path.dirname(self.path))
        except OSError as error:
            raise StorageFailed(self.path, "make the directory of the index", error.strerror or str(error)) from error
        try:
            return self._open()
        except IndexNotOurs:
            raise
        except (IndexDamaged, StorageFailed):
            # The disk also seems to fail when another process is just setting the file aside under our hands.
            with only_one(self.path):
                with suppress(IndexDamaged):
                    return self._open()
                self.set_aside = move_aside(self.path)
                return self._open()

    def _open(self) -> Connection:
        """Open the file, once more where another process set it aside while we did."""
        while True:
            before = file_identity(self.path)[0]
            connection = self._open_connection()
            self._identity = file_identity(self.path)
            if before in (None, self._identity[0]):
                return connection
            connection.close()

    def _open_connection(self) -> Connection:
        connection = Connection(self.path, unwritable=self._unwritable)
        try:
            if connection.cut_short():
                raise IndexDamaged(self.path, "its end is missing")
            if connection.read_only:
                if not connection.one("SELECT count(*) FROM sqlite_master"):  # begun, and then the disk was full
                    raise StorageFailed(self.path, "use the index", connection.unwritable)
                connection.all("SELECT count(*) FROM editions")
                return connection
            with connection.writing() as raw:
                migrate(raw)
                raw.execute("SELECT count(*) FROM editions").fetchall()
        except apsw.SQLError as error:
            connection.close()
            raise IndexDamaged(self.path, f"its tables are not those of an index ({error})") from error
        except BaseException:
            connection.close()
            raise
        return connection

    def retire(self) -> None:
        """Close a file that was found damaged, and move it aside unless another process was quicker."""
        self.close()
        with only_one(self.path):
            if file_identity(self.path)[0] == self._identity[0]:
                self.set_aside = move_aside(self.path)

    def serving(self) -> Edition | None:
        """Return the edition that answers searches, if anything was ever indexed."""
        number = self.connection.serving()
        if number is None:
            return None
        return self._edition(number)

    def editions(self) -> list[tuple[Edition, Identity]]:
        """Return every edition with its identity: the one that serves, and one that is being built."""
        rows = self.connection.all("SELECT id, identity FROM editions")
        return [(self._edition(number), Identity(*json.loads(text))) for number, text in rows]

    def _edition(self, number: int) -> Edition:
        if number not in self._editions:
            self._editions = {number: Edition(self.connection, number)}
        return self._editions[number]

    def edition(self, identity: Identity, *, anew: bool = False) -> Edition:
        """Return the edition to write to: the serving one if its identity fits, else one built beside it.

        The very first edition serves while it fills, because there is no older one to do so.
        """
        text = json.dumps(identity)
        present = self.connection.all("SELECT id, identity FROM editions")
        if len(present) == 1 and present[0][1] == text and not anew:
            return self._edition(present[0][0])  # the usual case does not queue for the write lock
        with self.connection.writing() as raw:
            rows = raw.execute("SELECT id, identity, state FROM editions").fetchall()
            serving = next((row for row in rows if row[2] == "serving"), None)
            fits = serving is not None and serving[1] == text and not anew
            for number, of, state in rows:
                if state != "building":
                    continue
                if of == text and not fits and (not anew or self._is_being_built()):
                    self._hold_build()
                    return self._edition(number)  # what another process builds is as good as ours
                if not fits or not self._is_being_built():
                    drop_edition(raw, number)  # left over from a rebuild that nobody wants any more
            if serving is not None and fits:
                return self._edition(serving[0])
            number = max((row[0] for row in rows), default=0) + 1
            create_edition(raw, number, identity.tokenizer)
            raw.execute("INSERT INTO editions VALUES (?, ?, ?)", (number, text, "building" if serving else "serving"))
            if serving is not None:
                self._hold_build()
        return self._edition(number)

    def _hold_build(self) -> None:
        """Show other processes that somebody fills the building edition; the lock ends with us, however we end."""
        if self._build is None:
            self._build = lock_file(self.path, "building")
            fcntl.flock(self._build, fcntl.LOCK_SH)

    def _is_being_built(self) -> bool:
        with lock_file(self.path, "building") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    @contextmanager
    def alone(self, task: str) -> Iterator[bool]:
        """Yield whether nobody else is at this task, for as long as this lasts.

        The lock ends with us, however we end.
        """
        with lock_file(self.path, task) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                free = True
            except BlockingIOError:
                free = False
            yield free

    def end_build(self) -> None:
        """Let others drop the building edition, if there still is one."""
        if self._build is not None:
            self._build.close()
            self._build = None

    def publish(self, edition: Edition) -> bool:
        """Let this edition answer from now on, and drop the one that did; says whether another look is due.

        It is when an edition takes over, because others wrote to the old one meanwhile, and when another process
        has published one of its own.
        """
        state_of = "SELECT state FROM editions WHERE id = ?"
        if self.connection.one(state_of, (edition.number,)) == "serving":
            return False  # the usual case does not queue for the write lock
        with self.connection.writing() as raw:
            if raw.execute(state_of, (edition.number,)).get != "building":
                return True
            for (number,) in raw.execute("SELECT id FROM editions WHERE state = 'serving'").fetchall():
                drop_edition(raw, number)
            raw.execute("UPDATE editions SET state = 'serving' WHERE id = ?", (edition.number,))
        return True

    def identity(self) -> Identity | None:
        """Return the identity of the serving edition."""
        text = self.connection.one("SELECT identity FROM editions WHERE state = 'serving'")
        if text is None:
            return None
        return Identity(*json.loads(text))

    def vectors(self, space: SpaceKey) -> Vectors:
        """Return the vectors of one space; asking for a new one begins it."""
        if space in self._vectors and self._vectors[space].dropped:  # by another process, or another memory of ours
            self._vectors.pop(space).close()
        if space not in self._vectors:
            self._vectors[space] = Vectors(self.connection, space, extension_path=self._extension_path)
        return self._vectors[space]

    def spaces(self) -> list[SpaceKey]:
        """Return every space that has ever been begun, oldest first."""
        rows = self.connection.all(
            "SELECT provider, model, endpoint, dimensions FROM spaces WHERE provider != '' ORDER BY id"
        )
        return [SpaceKey(*row) for row in rows]

    def learnt_of(self, identity: tuple[str, str, str]) -> tuple[int | None, str | None]:
        """Return the length of the newest vectors of a provider, model and endpoint, and the model they named.

        Both are None where there are none.
        """
        found: tuple[int, str | None] | None = self.connection.one(
            "SELECT dimensions, reported FROM spaces s WHERE provider = ? AND model = ? AND endpoint = ? "
            "AND EXISTS (SELECT 1 FROM vectors v WHERE v.space = s.id) ORDER BY id DESC LIMIT 1",
            identity,
        )
        return found or (None, None)

    def texts(self, *, by_block: bool = False) -> int:
        """Return how many distinct texts the serving edition has, of chunks or of the blocks that they lie in."""
        edition = self.serving()
        if edition is None:
            return 0
        return edition.texts(by_block=by_block)

    def waiting(self, space: SpaceKey) -> int:
        """Return how many texts of a space are in a batch job that was not collected yet."""
        from holdfast.index.sqlite.job_rows import Jobs

        return sum(job.rows for job in Jobs(self.connection, space).open_jobs())

    def drop_space(self, space: SpaceKey) -> int:
        """Forget a space and all its vectors; says how many there were."""
        vectors = self.vectors(space)
        self._vectors.pop(space)
        return vectors.drop()

    def last_look(self) -> Look | None:
        """Return when any process last compared the index with the notes; None where the page that says so is damaged.

        The connection keeps that damage, and whoever uses the index next sets the file aside.
        """
        try:
            index = self._look_mark()
        except IndexDamaged:
            return None
        if index is None or self.path == IN_MEMORY:
            return None
        return read_look(self.path, index)

    def record_look(self, look: Look) -> None:
        """Tell other processes that the index was just compared with the notes."""
        if self.path == IN_MEMORY or self.connection.read_only:
            return
        index = self._look_mark()
        if index is None:
            with self.connection.writing() as raw:
                mark = int.from_bytes(os.urandom(7))
                raw.execute("INSERT OR IGNORE INTO counters VALUES ('look_mark', ?)", (mark,))
            index = self._look_mark()
        assert index is not None
        write_look(self.path, index, look)

    def _look_mark(self) -> int | None:
        """Return what tells this index from any other that ever stood at its path; made with the first look."""
        mark: int | None = self.connection.one("SELECT value FROM counters WHERE name = 'look_mark'")
        return mark

    def counts(self) -> Counts:
        """Return how many notes and chunks are searchable, and what they cost on disk."""
        with self.connection.reading():  # a rebuild by another process must not come in between
            edition = self.serving()
            notes, chunks, by_source = edition.counts() if edition else (0, 0, {})
        return Counts(notes, chunks, by_source, self.connection.size())

    def hashes(self) -> list[str]:
        """Return the hashes of all texts that some edition holds."""
        found: set[str] = set()
        for edition, _ in self.editions():
            found.update(row for (row,) in self.connection.all(f"SELECT text_hash FROM e{edition.number}_chunks"))
        return sorted(found)

    def scrub(self) -> None:
        """Write the file anew without anything that was deleted from it.

        FTS5 only marks what is deleted, and SQLite leaves bytes in free pages; here they go, from the log as well.
        """
        with self.connection.writing() as raw:
            live = " UNION ALL ".join(
                f"SELECT {name} FROM e{edition.number}_chunks WHERE {name} IS NOT NULL"
                for edition, _ in self.editions()
                for name in (("text_hash", "block") if self.connection.has_blocks(edition.number) else ("text_hash",))
            )
            if live:
                raw.execute(f"DELETE FROM vectors WHERE hash NOT IN ({live})")
                raw.execute(f"DELETE FROM job_rows WHERE hash NOT IN ({live})")
            for edition, _ in self.editions():
                raw.execute(f"INSERT INTO e{edition.number}_words(e{edition.number}_words) VALUES ('optimize')")
        for space in self.spaces():
            self.vectors(space).scrub()
        self.connection.all("VACUUM")
        self.connection.all("PRAGMA wal_checkpoint(TRUNCATE)")

    def check(self) -> list[str]:
        """Return what is wrong with the file; an empty list is a clean bill of health."""
        from holdfast.index.sqlite.inspection import inspect_index

        problems = inspect_index(self.connection)
        if problems and not self.connection.damage:
            self.connection.damage = problems[0]
        return problems

    def limit_cache(self, kib: int) -> None:
        """Keep no more of the file in memory than so much: the system keeps it too, once for all."""
        with self.connection.reading() as raw:
            raw.execute(f"PRAGMA cache_size=-{int(kib)}")

    def release_cache(self) -> None:
        """Give back what is kept of the file in memory; the next search reads it anew."""
        with self.connection.reading() as raw:
            raw.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        """Close the file."""
        self.end_build()
        for vectors in self._vectors.values():
            vectors.close()
        self.connection.close()
