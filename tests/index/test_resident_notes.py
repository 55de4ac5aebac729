"""What whole notes score by what is held in memory must be what they score by the tables, to the last bit."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.schema import create_edition, migrate
from holdfast.index.store_contract import Batch, ChunkRow, Identity, NoteRows, NoteState, Word

_VOCABULARY = [f"word{number}" for number in range(40)]
_STATE = NoteState("h", 1, 1, 1, 1, settled=True)


def _note(name: str, text: str, title: str) -> NoteRows:
    return NoteRows(f"memory/{name}.md", "memory", _STATE, title, [ChunkRow(name, name, 1, 1, ("harbour",), text)])


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edition]:
    """Notes of words that are the rarer the higher their number, and all in a few of them."""
    connection = Connection(str(tmp_path_factory.mktemp("notes") / "words.sqlite"))
    with connection.writing() as raw:
        migrate(raw)
        create_edition(raw, 1, "holdfast")
        identity = Identity(400, 80, 1, "holdfast")
        raw.execute("INSERT INTO editions VALUES (1, json_array(?, ?, ?, ?, ?), 'serving')", identity)
    chance = random.Random(3)
    weights = [1 / (1 + number) for number in range(len(_VOCABULARY))]
    texts = [" ".join(chance.choices(_VOCABULARY, weights, k=chance.randint(1, 60))) for _ in range(600)]
    texts += ["word1 word2"] * 30  # which score the same
    made = Edition(connection, 1)
    made.write(Batch(puts=[_note(f"n{number}", text, text[:6]) for number, text in enumerate(texts)]))
    yield made
    connection.close()


_WORD = st.builds(
    Word, st.sampled_from([*_VOCABULARY, "harbour", "word1 word2", "nowhere"]), heavy=st.booleans(), light=st.booleans()
)
_PREFIX = st.builds(Word, st.sampled_from(["word", "word1", "wor"]), prefix=st.just(value=True))


@given(st.lists(_WORD | _PREFIX, max_size=12))
def test_whole_notes_score_the_same_as_by_the_tables(edition: Edition, words: list[Word]) -> None:
    by_tables = Edition(edition.connection, 1).note_share(words)
    for _ in range(6):  # the first are answered by the tables
        share = edition.note_share(words)
        assert share == by_tables
        assert list(share.scores) == list(by_tables.scores)
