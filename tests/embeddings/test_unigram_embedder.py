"""A table with SentencePiece's pieces: its file, its vectors, and which texts it leaves alone."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import numpy as np
import pytest
from embeddings.small_model import small_model
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.static.modelfile import verify_checksum
from holdfast.embeddings.static.piece_arrays import Words
from holdfast.embeddings.static.piece_blocks import block_of, longest_by_start
from holdfast.embeddings.static.static_embedder import ModelPart, StaticEmbedder, StaticModel
from holdfast.embeddings.static.unigramfile import UnigramFile, read, write
from holdfast.errors import ProviderFailed


def of_file(path: Path) -> StaticEmbedder:
    return StaticEmbedder(StaticModel("holdfast-static-small", (ModelPart(path),)))


@pytest.fixture(scope="module")
def model() -> UnigramFile:
    return small_model()


@pytest.fixture(scope="module")
def path(model: UnigramFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unigram") / "small.model"
    write(path, model)
    return path


@pytest.fixture(scope="module")
def embedder(path: Path) -> StaticEmbedder:
    return of_file(path)


def test_model_file_gives_back_what_was_written_script_by_script(model: UnigramFile, path: Path) -> None:
    mapped = read(path)
    found = mapped.unpack()
    assert sorted(found.pieces) == sorted(model.pieces)
    assert [block_of(piece) for piece in found.pieces] == sorted(block_of(piece) for piece in model.pieces)
    rows = [model.pieces.index(piece) for piece in found.pieces]
    assert (found.costs == model.costs[rows]).all()
    assert (found.scales == model.scales[rows]).all()
    assert (found.table == model.table[rows]).all()
    assert found.charmap == model.charmap
    assert (found.name, found.floor, found.least_coverage) == (model.name, model.floor, model.least_coverage)
    assert not mapped.table.packed.flags.writeable


def test_pieces_of_a_script_are_read_when_its_first_letter_is_met(path: Path) -> None:
    lazy, whole = read(path).pieces, read(path).pieces
    whole.all()
    lazy.ready("the")
    latin = len(lazy.numbers)
    assert 0 < latin < len(whole.numbers)
    lazy.ready("garden")
    assert len(lazy.numbers) == latin
    lazy.ready("встреча")
    assert latin < len(lazy.numbers) < len(whole.numbers)
    assert lazy.numbers.items() <= whole.numbers.items()
    assert lazy.longest.items() <= whole.longest.items()
    assert whole.longest == longest_by_start(whole.numbers)


def test_same_model_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    write(tmp_path / "again.model", read(path).unpack())
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()


def test_piece_that_costs_more_than_its_parts_is_left_out(model: UnigramFile, tmp_path: Path) -> None:
    dear = model._replace(
        pieces=["a", "b", "ab", "ba"],
        costs=np.array([10, 10, 21, 20], np.uint16),
        scales=model.scales[:4],
        table=model.table[:4],
    )
    write(tmp_path / "few.model", dear)
    assert read(tmp_path / "few.model").pieces.all() == ["a", "b", "ba"]


@pytest.mark.parametrize("wrong", ["", "a b", "a\nb", "a\u2581b", "twin"])
def test_pieces_that_no_text_could_be_cut_into_are_refused(model: UnigramFile, tmp_path: Path, wrong: str) -> None:
    few = model._replace(
        pieces=["twin", wrong], costs=model.costs[:2] * 0 + 5, scales=model.scales[:2], table=model.table[:2]
    )
    with pytest.raises(ValueError, match="piece"):
        write(tmp_path / "wrong.model", few)


def test_checksum_of_another_file_is_a_provider_failure(path: Path) -> None:
    content = path.read_bytes()
    verify_checksum(path, zlib.crc32(content))
    with pytest.raises(ProviderFailed, match="checksum"):
        verify_checksum(path, zlib.crc32(content) ^ 1)
    with pytest.raises(ProviderFailed, match="can't be read"):
        verify_checksum(path.with_name("none.model"), 0)


@pytest.mark.parametrize("length", [0, 4, 8, 100, 600, 5_000, 40_000, 300_000])
def test_model_file_that_is_cut_short_is_a_provider_failure(path: Path, tmp_path: Path, length: int) -> None:
    content = path.read_bytes()
    assert length < len(content)
    (tmp_path / "cut.model").write_bytes(content[:length])
    with pytest.raises(ProviderFailed):
        of_file(tmp_path / "cut.model").embed(["text"], Purpose.QUERY)


def test_table_of_sentencepieces_keeps_the_contract_of_embedders(embedder: StaticEmbedder) -> None:
    check_embedder(embedder)


TEXTS = [
    "The cat moved to the garden on Friday",
    "Die Kündigungsfrist beträgt drei Monate",
    "Мы перенесли встречу на следующую неделю",
    "会议推迟到下周二，因为经理生病了。",
    "การประชุมถูกเลื่อนไปเป็นวันอังคารหน้า",
    "회의가 다음 주 화요일로 연기되었습니다.",
    "تم تأجيل الاجتماع إلى الأسبوع القادم",
]
# Of the vectors of the texts above: it changes with the recorded pieces, never with a machine or a numpy.
VECTORS_SHA256 = "474c2e13bda93fda579684401d75e5f8cdad4109879dc3f866f914353437994b"


def test_same_texts_give_the_same_bytes_everywhere(embedder: StaticEmbedder) -> None:
    vectors = [vector for purpose in Purpose for vector in embedder.embed(TEXTS, purpose).vectors]
    assert all(vector is not None for vector in vectors)
    content = b"".join(np.asarray(vector, "<f4").tobytes() for vector in vectors)
    assert hashlib.sha256(content).hexdigest() == VECTORS_SHA256


@pytest.mark.parametrize("text", TEXTS)
def test_text_in_a_known_language_is_covered(embedder: StaticEmbedder, text: str) -> None:
    assert embedder.coverage(text) > 0.8


@pytest.mark.parametrize("text", ["", " \n", "!?…", "🙂🙂🙂", "ქართული ენა", "ሰላም ለዓለም", "\ud800", "\0"])
def test_text_that_no_piece_covers_has_no_vector(embedder: StaticEmbedder, text: str) -> None:
    assert embedder.coverage(text) == 0.0
    for purpose in Purpose:
        assert embedder.embed([text], purpose).vectors == [None]


def test_language_that_can_only_be_spelled_letter_by_letter_is_left_to_keywords(embedder: StaticEmbedder) -> None:
    text = "ο λύκος έφυγε από το δάσος χθες το βράδυ"
    assert 0.0 < embedder.coverage(text) < 0.4
    assert embedder.embed([text], Purpose.DOCUMENT).vectors == [None]


def test_how_much_must_be_covered_stands_in_the_file(model: UnigramFile, path: Path, tmp_path: Path) -> None:
    text = "the garden ሰላምሰላም"
    write(tmp_path / "lenient.model", read(path).unpack()._replace(least_coverage=60))
    for purpose in Purpose:
        (strict,) = of_file(path).embed([text], purpose).vectors
        (lenient,) = of_file(tmp_path / "lenient.model").embed([text], purpose).vectors
        assert strict is None
        assert lenient is not None


def test_coverage_is_the_share_of_letters_and_digits_in_known_pieces(embedder: StaticEmbedder) -> None:
    known, unknown = "the garden", "ሰላም"
    assert embedder.coverage(known) == 1.0
    assert embedder.coverage(f"{known} ({unknown})") == 9 / 12


@given(st.text(max_size=120), st.sampled_from(Purpose))
def test_a_text_has_the_same_bytes_alone_and_among_others(
    embedder: StaticEmbedder, text: str, purpose: Purpose
) -> None:
    (alone,) = embedder.embed([text], purpose).vectors
    _, among = embedder.embed(["another text", text], purpose).vectors
    assert (alone is None) == (among is None)
    if alone is not None and among is not None:
        assert np.asarray(alone).tobytes() == np.asarray(among).tobytes()


def test_words_that_were_forgotten_change_no_vector(embedder: StaticEmbedder) -> None:
    before = embedder.embed(TEXTS, Purpose.DOCUMENT).vectors
    for start in range(0, Words.limit + 20_000, 10_000):
        embedder.embed([" ".join(map(str, range(start, start + 10_000)))], Purpose.DOCUMENT)
    after = embedder.embed(TEXTS, Purpose.DOCUMENT).vectors
    assert [np.asarray(vector).tobytes() for vector in before] == [np.asarray(vector).tobytes() for vector in after]


def test_question_is_looked_at_word_by_word_in_any_script(embedder: StaticEmbedder) -> None:
    scores = embedder.look_closer("经理生病了", [("a", TEXTS[3]), ("b", TEXTS[0])])
    assert scores is not None
    assert scores[0] > scores[1]
