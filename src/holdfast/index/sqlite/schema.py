"""The tables, and how an older file becomes a current one.

Notes, chunks and words come in editions: one set of tables for each identity (chunk sizes, analyser). A new
identity fills a new edition while the old one goes on answering. Vectors stand beside them, by the hash of
the text they were made from, so an edition that cuts the same text needs no new embedding.
"""

from __future__ import annotations

from typing import Any

from holdfast.errors import IndexNotOurs

__all__ = ["VERSION", "count", "create_edition", "drop_edition", "index_hashes", "migrate", "refuse_foreign", "tick"]

# One entry for each version: what turns the version before into it. Entries are only ever appended.
_STEPS: tuple[str, ...] = (
    """
    CREATE TABLE editions(
        id INTEGER PRIMARY KEY,
        identity TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('serving', 'building'))
    );
    CREATE TABLE spaces(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        UNIQUE(provider, model, endpoint, dimensions)
    );
    CREATE TABLE vectors(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        space INTEGER NOT NULL,
        hash TEXT NOT NULL,
        used INTEGER NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE(space, hash)
    );
    CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL);
    """,
    # Batch jobs that were sent to a provider and not collected yet; a text is in one job of a space at most.
    """
    CREATE TABLE jobs(
        id TEXT PRIMARY KEY,
        space INTEGER NOT NULL,
        remote TEXT,
        rows INTEGER NOT NULL,
        created INTEGER NOT NULL,
        missed INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE job_rows(
        space INTEGER NOT NULL,
        hash TEXT NOT NULL,
        job TEXT NOT NULL,
        PRIMARY KEY(space, hash)
    ) WITHOUT ROWID;
    CREATE INDEX job_rows_of ON job_rows(job);
    """,
    # The model that a provider named when it gave the vectors: a name may come to stand for another model.
    "ALTER TABLE spaces ADD COLUMN reported TEXT",
    # What questions from elsewhere reach here at best (search/null_distribution.py); space 0 is keywords alone.
    """
    CREATE TABLE IF NOT EXISTS null_reaches(
        edition INTEGER NOT NULL,
        space INTEGER NOT NULL,
        question TEXT NOT NULL,
        plain REAL NOT NULL,
        looked REAL NOT NULL,
        passages INTEGER NOT NULL,
        scale INTEGER NOT NULL,
        PRIMARY KEY(edition, space, question)
    ) WITHOUT ROWID;
    """,
    # How many texts of an edition a space has embedded: counted at the end of a sync, for to count takes longer than to
    # search. It follows small changes (coverage_rows.py); others delete it. Vectors have a byte a number since then.
    """
    CREATE TABLE IF NOT EXISTS coverage(
        edition INTEGER NOT NULL,
        space INTEGER NOT NULL,
        texts INTEGER NOT NULL,
        embedded INTEGER NOT NULL,
        PRIMARY KEY(edition, space)
    ) WITHOUT ROWID;
    """,
    # What was read in an image, by the hash of its bytes and by whom: it takes seconds.
    """
    CREATE TABLE IF NOT EXISTS image_readings(
        hash TEXT NOT NULL,
        reader TEXT NOT NULL,
        reading TEXT NOT NULL,
        PRIMARY KEY(hash, reader)
    ) WITHOUT ROWID;
    """,
    # The files of vectors beside the index (sqlite/vector_files.py). A vector that one of them alone has is x'01' here.
    """
    CREATE TABLE IF NOT EXISTS vector_files(
        space INTEGER NOT NULL,
        name TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        rows INTEGER NOT NULL,
        size INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY(space, name)
    ) WITHOUT ROWID;
    """,
)
VERSION = len(_STEPS)
_MARK = 0x486F6C64  # "Hold": SQLite's application_id, by which we know a file of ours
# The tables by which we know a file of the first versions, which left no mark.
_UNMARKED = {"counters", "editions", "spaces", "vectors"}

# With our own analyser, every character but white space and controls is part of a word: it has already cut them. The
# others are FTS5's own, and get the text as it is.
_TOKENIZERS = {
    "holdfast": "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'",
    "unicode61": "unicode61 remove_diacritics 2",
    "trigram": "trigram remove_diacritics 1",
}
# Words wait in memory until a transaction ends; with FTS5's own limit of 1 MB a batch would be written in several
# pieces that must be merged again, which costs a quarter of the whole.
_PENDING_BYTES = 16_000_000


def refuse_foreign(raw: Any, path: str) -> None:
    """Raise IndexNotOurs for a file of another program or of a newer version, before anything in it changes."""
    raw.execute("BEGIN")  # one look: between two, another process may make the tables of a new file
    try:
        mark = raw.execute("PRAGMA application_id").get
        tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_schema")}
        version = raw.execute("PRAGMA user_version").get
    finally:
        if raw.in_transaction:
            raw.execute("COMMIT")
    is_ours = mark == _MARK or (mark == 0 and tables >= _UNMARKED)
    if tables and not is_ours:
        raise IndexNotOurs(path, "it is the database of another program")
    if version > VERSION:
        raise IndexNotOurs(path, f"a newer Holdfast wrote it (version {version}, this one knows {VERSION})")


def migrate(raw: Any) -> None:
    """Bring the file to the current version; call it inside a write transaction.

    Editions of another version may have other columns: they go, and the next sync reads the notes anew. Vectors stay.
    """
    version = raw.execute("PRAGMA user_version").get
    for step in _STEPS[version:]:
        raw.execute(step)
    if version < VERSION:
        for (number,) in raw.execute("SELECT id FROM editions").fetchall():
            drop_edition(raw, number)
        raw.execute(f"PRAGMA user_version={VERSION}")
        raw.execute(f"PRAGMA application_id={_MARK}")


def create_edition(raw: Any, edition: int, tokenizer: str = "holdfast") -> None:
    """Create the tables of one edition, whose words are cut by this tokenizer; `index_hashes` completes it."""
    raw.execute(f"""
    CREATE TABLE e{edition}_notes(
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        title TEXT NOT NULL,
        hash TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        settled INTEGER NOT NULL,
        told INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE e{edition}_chunks(
        id INTEGER PRIMARY KEY,
        note INTEGER NOT NULL,
        chunk_id TEXT NOT NULL,
        text_hash TEXT NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        headings TEXT NOT NULL,
        text TEXT NOT NULL,
        origin TEXT,
        by_line TEXT,
        voice INTEGER NOT NULL DEFAULT 0,
        block TEXT
    );
    CREATE INDEX e{edition}_by_title ON e{edition}_notes(title COLLATE NOCASE);
    CREATE INDEX e{edition}_by_note ON e{edition}_chunks(note);
    CREATE INDEX e{edition}_by_origin ON e{edition}_chunks(note, origin) WHERE origin IS NOT 'outside';
    CREATE TABLE e{edition}_facts(
        chunk INTEGER PRIMARY KEY,
        note INTEGER NOT NULL,
        category TEXT NOT NULL,
        origin TEXT NOT NULL,
        importance REAL NOT NULL,
        observed TEXT,
        valid_from TEXT,
        valid_until TEXT,
        reinforced_on TEXT,
        superseded INTEGER NOT NULL,
        id TEXT NOT NULL,
        superseded_by TEXT NOT NULL
    );
    CREATE INDEX e{edition}_by_fact ON e{edition}_facts(id);
    CREATE VIRTUAL TABLE e{edition}_words USING fts5(
        path, title, headings, body, section_path, section_title, section_headings, section_body,
        content='', contentless_delete=1, tokenize="{_TOKENIZERS[tokenizer]}"
    );
    CREATE VIRTUAL TABLE e{edition}_vocabulary USING fts5vocab(e{edition}_words, row);
    INSERT INTO e{edition}_words(e{edition}_words, rank) VALUES ('hashsize', {_PENDING_BYTES});
    """)


def index_hashes(raw: Any, edition: int) -> None:
    """Make the indexes by hash of one edition, where they are not there yet.

    Hashes come in no order: to keep these level while many notes are written takes five times as long as all other rows
    of the chunks, and to make them afterwards a fourth of that. Blocks are looked for in a space that goes by them.
    """
    chunks = f"e{edition}_chunks"
    raw.execute(f"CREATE INDEX IF NOT EXISTS e{edition}_by_id ON {chunks}(chunk_id)")
    raw.execute(f"CREATE INDEX IF NOT EXISTS e{edition}_by_text ON {chunks}(text_hash)")
    by_block = "SELECT 1 FROM spaces WHERE endpoint != ''"
    has_blocks = f"SELECT 1 FROM pragma_table_info('{chunks}') WHERE name = 'block'"  # an older version made none
    if raw.execute(by_block).get and raw.execute(has_blocks).get:
        raw.execute(f"CREATE INDEX IF NOT EXISTS e{edition}_by_block ON {chunks}(block) WHERE block IS NOT NULL")


def drop_edition(raw: Any, edition: int) -> None:
    """Remove one edition and all its rows."""
    for table in ("vocabulary", "words", "facts", "chunks", "notes"):
        raw.execute(f"DROP TABLE IF EXISTS e{edition}_{table}")
    raw.execute("DELETE FROM null_reaches WHERE edition = ?", (edition,))
    raw.execute("DELETE FROM coverage WHERE edition = ?", (edition,))
    raw.execute(f"DELETE FROM counters WHERE name GLOB 'e{edition}_*'")
    raw.execute("DELETE FROM editions WHERE id = ?", (edition,))


def count(raw: Any, name: str, more: int) -> None:
    """Add to a counter."""
    if more:
        raw.execute(
            "INSERT INTO counters VALUES (?1, ?2) ON CONFLICT(name) DO UPDATE SET value = value + ?2", (name, more)
        )


def tick(raw: Any) -> int:
    """Return a counter that only grows: the order of use must not depend on a clock that can jump."""
    raw.execute("INSERT INTO counters VALUES ('used', 1) ON CONFLICT(name) DO UPDATE SET value = value + 1")
    return int(raw.execute("SELECT value FROM counters WHERE name = 'used'").get)
