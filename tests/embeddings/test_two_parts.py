"""A model of two tables, one for English and one for many languages: what each gives to a vector."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from embeddings.small_model import small_model
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.static.piece_arrays import COUNTS, LETTERS, Words
from holdfast.embeddings.static.piece_arrays import ENGLISH as ODDS
from holdfast.embeddings.static.static_embedder import (
    PART_DIMENSIONS,
    STATIC_1,
    STATIC_2,
    ModelPart,
    StaticEmbedder,
    StaticModel,
    english_degree,
)
from holdfast.embeddings.static.token_tables import UnigramPart
from holdfast.embeddings.static.unigram import UNKNOWN as UNKNOWN_PIECE
from holdfast.embeddings.static.unigramfile import write
from holdfast.errors import ProviderFailed

ENGLISH = [
    "Where does Ann live?",
    "We moved the meeting to Friday because the manager is ill.",
    "the garden",
    "Friday?",
]
LATIN = [
    "Die Kündigungsfrist beträgt drei Monate",
    "Toplantıyı gelecek haftaya erteledik",
]
OTHER_SCRIPTS = [
    "Мы перенесли встречу на следующую неделю",
    "会议推迟到下周二，因为经理生病了。",
    "การประชุมถูกเลื่อนไปเป็นวันอังคารหน้า",
    "회의가 다음 주 화요일로 연기되었습니다.",
]
UNKNOWN = [
    "",
    " \n",
    "!?…",
    "🙂🙂🙂",
    "ქართული ენა",
    "ሰላም ለዓለም",
    "नमस्ते दुनिया",
    "ο λύκος έφυγε από το δάσος",
    "\ud800",
    "\0",
]
MIXED = [
    "The word Kündigungsfrist means notice period",
    "Ann sagte: see you on Friday",
    "Ann 说: we moved 会议 to 下周二",
]
# Of the vectors of the texts above that have one: it changes with the recorded pieces, never with a machine or a numpy.
VECTORS_SHA256 = "d9c59845ad5a38c029436527040f883e1c15a91645a0ea2fb5c4fc137001ccc6"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("two") / "small.model"
    write(path, small_model())
    return path


def two_parts(path: Path, checksum: int | None = None) -> StaticModel:
    return StaticModel("holdfast-static-small-2", (*STATIC_1.parts, ModelPart(path, checksum)))


@pytest.fixture(scope="module")
def embedder(path: Path) -> StaticEmbedder:
    return StaticEmbedder(two_parts(path))


def vector(embedder: StaticEmbedder, text: str, purpose: Purpose = Purpose.QUERY) -> np.ndarray:
    (found,) = embedder.embed([text], purpose).vectors
    assert found is not None, text
    return np.asarray(found)


def share(embedder: StaticEmbedder, text: str, purpose: Purpose) -> float:
    """How much of the square of a vector's length the English part has."""
    return float(np.square(vector(embedder, text, purpose)[:PART_DIMENSIONS], dtype=np.float64).sum())


def test_space_has_the_numbers_of_both_parts(embedder: StaticEmbedder) -> None:
    assert embedder.space == SpaceKey("local", "holdfast-static-small-2", "", 2 * PART_DIMENSIONS)


def test_two_parts_keep_the_contract_of_embedders(embedder: StaticEmbedder) -> None:
    check_embedder(embedder)


def weight(text: str) -> float:
    """What the English part of a question counts for beside a document, of 1, in the model that is shipped."""
    question = vector(StaticEmbedder(STATIC_2), text).astype(np.float64)
    english, languages = (float(np.linalg.norm(part)) for part in np.split(question, 2))
    return english / (english + languages)


@pytest.mark.parametrize("text", [*ENGLISH, "Albendazole is used to treat lymphatic filariasis."])
def test_english_part_counts_most_in_an_english_question(text: str) -> None:
    assert weight(text) == pytest.approx(0.95, abs=1e-6)


@pytest.mark.parametrize("text", [*LATIN, "Unde locuiește Ana acum?"])
def test_english_part_counts_little_in_a_question_in_another_language(text: str) -> None:
    assert weight(text) == pytest.approx(0.15, abs=1e-6)


@pytest.mark.parametrize("text", ENGLISH + LATIN)
def test_document_gives_both_parts_the_same_room(embedder: StaticEmbedder, text: str) -> None:
    assert share(embedder, text, Purpose.DOCUMENT) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("text", OTHER_SCRIPTS)
def test_english_part_has_nothing_of_a_question_in_another_script(embedder: StaticEmbedder, text: str) -> None:
    assert not vector(embedder, text)[: PART_DIMENSIONS - 1].any()


@pytest.mark.parametrize("text", ["Tôi sống ở thành phố lớn nhất của nước này", "Μένω στην Αθήνα με τη Maria"])
def test_text_in_a_language_that_neither_part_knows_has_no_vector_and_no_closer_look(text: str) -> None:
    shipped = StaticEmbedder(STATIC_2)
    for purpose in Purpose:
        assert shipped.embed([text], purpose).vectors == [None]
    assert shipped.look_closer(text, [("a", ENGLISH[0])]) is None


@pytest.mark.parametrize("text", [*ENGLISH, *OTHER_SCRIPTS])
def test_document_that_one_part_knows_is_no_nearer_than_one_that_both_know(embedder: StaticEmbedder, text: str) -> None:
    question, document = vector(embedder, text), vector(embedder, text, Purpose.DOCUMENT)
    for part in (slice(0, PART_DIMENSIONS), slice(PART_DIMENSIONS, None)):
        assert float(np.linalg.norm(document[part])) == pytest.approx(0.5**0.5, abs=1e-6)
    assert float(question @ document) < 0.5**0.5 * 1.5


@pytest.mark.parametrize("text", UNKNOWN)
def test_text_that_neither_part_covers_has_no_vector(embedder: StaticEmbedder, text: str) -> None:
    assert embedder.coverage(text) < 0.4
    for purpose in Purpose:
        assert embedder.embed([text], purpose).vectors == [None]


@pytest.mark.parametrize("text", ENGLISH)
@pytest.mark.parametrize("purpose", Purpose)
def test_english_part_points_where_the_english_model_does(text: str, purpose: Purpose) -> None:
    english = vector(StaticEmbedder(STATIC_1), text, purpose)
    part = vector(StaticEmbedder(STATIC_2), text, purpose)[:PART_DIMENSIONS]
    assert part == pytest.approx(english * np.linalg.norm(part), abs=1e-6)


def test_degree_grows_with_the_odds_and_never_jumps() -> None:
    sizes = np.zeros((401, 2, COUNTS), np.int64)
    sizes[:, 1, LETTERS] = 40
    sizes[:, 1, ODDS] = np.arange(-300, 101)
    degrees = english_degree(sizes)
    assert (np.diff(degrees) >= 0).all()
    assert float(np.diff(degrees).max()) < 0.02
    assert (float(degrees[0]), float(degrees[-1])) == (0.0, 1.0)


def test_english_part_has_all_of_its_room_in_an_english_document() -> None:
    for text in ENGLISH:
        alone = vector(StaticEmbedder(STATIC_1), text, Purpose.DOCUMENT)[:-1]
        part = vector(StaticEmbedder(STATIC_2), text, Purpose.DOCUMENT)[: PART_DIMENSIONS - 1]
        assert part == pytest.approx(alone * 0.5**0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("english", "foreign"),
    [
        ("The notice period is three months", "Die Kündigungsfrist beträgt drei Monate"),
        ("We moved the meeting to next week", "Мы перенесли встречу на следующую неделю"),
        ("The manager is ill and can not come to work", "经理生病了，不能来上班。"),
        ("My daughter plays the violin", "Ma fille joue du violon tous les mercredis"),
    ],
)
def test_document_in_another_language_stands_by_its_translation_in_the_english_part(english: str, foreign: str) -> None:
    shipped = StaticEmbedder(STATIC_2)
    others = ["Der Hund hat die ganze Nacht gebellt", "我们昨天去湖里游泳了", "La receta lleva dos huevos y harina"]
    question = vector(StaticEmbedder(STATIC_1), english)[:-1]
    near, *far = (
        vector(shipped, text, Purpose.DOCUMENT)[: PART_DIMENSIONS - 1] @ question for text in [foreign, *others]
    )
    assert near > max(far) + 0.05


def test_same_texts_give_the_same_bytes_everywhere(embedder: StaticEmbedder) -> None:
    texts = ENGLISH + LATIN + OTHER_SCRIPTS + MIXED
    rows = [np.asarray(found, "<f4") for purpose in Purpose for found in embedder.embed(texts, purpose).vectors]
    assert hashlib.sha256(b"".join(row.tobytes() for row in rows)).hexdigest() == VECTORS_SHA256


@given(
    st.lists(st.one_of(st.text(max_size=60), st.sampled_from(ENGLISH + LATIN + OTHER_SCRIPTS + MIXED)), max_size=8),
    st.sampled_from(Purpose),
)
def test_texts_have_the_same_bytes_one_by_one_and_together(
    embedder: StaticEmbedder, texts: list[str], purpose: Purpose
) -> None:
    together = embedder.embed([*texts, " ".join(texts)], purpose).vectors
    for text, among in zip([*texts, " ".join(texts)], together, strict=True):
        (alone,) = embedder.embed([text], purpose).vectors
        assert (alone is None) == (among is None)
        if alone is not None and among is not None:
            row = np.asarray(alone)
            assert row.tobytes() == np.asarray(among).tobytes()
            assert row.dtype == np.float32
            assert row.shape == (2 * PART_DIMENSIONS,)
            assert abs(float(row.astype(np.float64) @ row) - 1) < 1e-5


@given(st.lists(st.text(st.one_of(st.characters(), st.sampled_from(" \t\n\r\x0b\x0c\x85\xa0\u0301\u3000\uac00a(.")))))
def test_text_has_the_pieces_that_its_words_have(path: Path, texts: list[str]) -> None:
    text = " ".join(texts).lower().replace("\u00ad", "").replace("\u0640", "")
    part = UnigramPart(path)
    whole = Counter(piece for piece in part.cutter.encode(text) if piece != UNKNOWN_PIECE and part.scales[piece])
    assert Words([part]).counted(text).pieces == whole


@pytest.mark.parametrize(
    "text",
    ["когда вылетает самолёт в японию?", "wo ist der schlüssel für den keller?"],
)
def test_question_in_capitals_means_what_it_does_in_small_letters(text: str) -> None:
    shipped = StaticEmbedder(STATIC_2)
    assert vector(shipped, text) @ vector(shipped, text.upper()) > 0.95


def test_signs_that_nobody_reads_change_nothing() -> None:
    shipped = StaticEmbedder(STATIC_2)
    for text, with_signs in (
        ("Die Kündigungsfrist", "Die Kün\u00addi\u00adgungs\u00adfrist"),
        ("متى تغادر", "متـــى تغـــادر"),
    ):
        assert vector(shipped, with_signs).tobytes() == vector(shipped, text).tobytes()


@pytest.mark.parametrize("word", ["Schule", "Flug", "Miete", "kira", "tandarts", "perro"])
def test_single_word_of_another_language_goes_by_the_part_that_knows_it(word: str) -> None:
    assert weight(word) < 0.75


def test_model_that_is_not_there_tells_nothing_of_words(tmp_path: Path) -> None:
    missing = StaticEmbedder(StaticModel("none", (ModelPart(tmp_path / "none.model"),)))
    assert missing.look_closer("tea", [("hash", "I like tea")]) is None
    assert missing.piece_costs("Wo ist der Tee?", ["wo", "Tee"]) is None


def test_more_texts_than_are_worked_on_at_once_have_the_same_bytes(embedder: StaticEmbedder) -> None:
    texts = [f"{text} {number}" for number in range(400) for text in MIXED]
    together = embedder.embed(texts, Purpose.DOCUMENT).vectors
    for place in range(0, len(texts), 97):
        assert np.asarray(together[place]).tobytes() == vector(embedder, texts[place], Purpose.DOCUMENT).tobytes()


def test_words_of_another_language_meet_their_like(embedder: StaticEmbedder) -> None:
    for question, right in (("经理生病了", OTHER_SCRIPTS[1]), ("Kündigungsfrist Monate", LATIN[0])):
        scores = embedder.look_closer(question, [(text, text) for text in (right, ENGLISH[1], UNKNOWN[4])])
        assert scores is not None
        assert scores[0] > 0.99
        assert scores[0] > scores[1]
        assert scores[2] == 0.0


def test_english_words_meet_as_in_the_english_model() -> None:
    texts = [(text, text) for text in ENGLISH]
    assert StaticEmbedder(STATIC_2).look_closer("Who is ill?", texts) == StaticEmbedder(STATIC_1).look_closer(
        "Who is ill?", texts
    )


def test_english_question_meets_words_of_another_script(embedder: StaticEmbedder) -> None:
    scores = embedder.look_closer("the meeting", [(text, text) for text in OTHER_SCRIPTS])
    assert scores is not None
    assert all(scores)


def test_question_that_no_part_knows_is_not_looked_at_closer(embedder: StaticEmbedder) -> None:
    assert embedder.look_closer("ሰላም", [("a", ENGLISH[0])]) is None


def test_file_that_is_shipped_is_the_one_of_the_card_and_small_enough() -> None:
    _, languages = STATIC_2.parts
    file = Path(languages.path)
    content = file.read_bytes()
    assert zlib.crc32(content) == languages.checksum
    assert len(content) <= 16_000_000
    card = file.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
    assert hashlib.sha256(content).hexdigest() in card
    assert f"{len(content):,} bytes" in card


def test_either_file_damaged_is_a_provider_failure(path: Path, tmp_path: Path) -> None:
    good = zlib.crc32(path.read_bytes())
    assert vector(StaticEmbedder(two_parts(path, good)), ENGLISH[0]).any()
    copy = tmp_path / "copy.model"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    copy.write_bytes(content)
    damaged = StaticEmbedder(two_parts(copy, good))
    # A question's vector is never kept; what may be kept is not made with such a file, however often it is asked for.
    for texts, purpose in ((["text"], Purpose.DOCUMENT), (["one", "two"], Purpose.QUERY), (["text"], Purpose.DOCUMENT)):
        with pytest.raises(ProviderFailed, match="checksum"):
            damaged.embed(texts, purpose)
    missing = StaticModel("none", (ModelPart(tmp_path / "none.model"), ModelPart(path)))
    with pytest.raises(ProviderFailed):
        StaticEmbedder(missing).embed(["text"], Purpose.QUERY)
