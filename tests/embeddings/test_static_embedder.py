"""The model that comes with Holdfast: what it answers, what it refuses, and that its bytes never change."""

from __future__ import annotations

import gc
import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.static.modelfile import ModelFile, read, write
from holdfast.embeddings.static.piece_arrays import Words
from holdfast.embeddings.static.static_embedder import PART_DIMENSIONS, STATIC_1, ModelPart, StaticEmbedder, StaticModel
from holdfast.embeddings.vector_check import pack_vectors
from holdfast.errors import ProviderFailed

MODEL_FILE = Path(STATIC_1.parts[0].path)
MODEL_SHA256 = "b349febabf1d33f034f46c96788185ff79618436d4fe26e47dda35813cf533e3"
# Of the vectors of the texts below: it changes only with the model file, never with a machine or a numpy.
VECTORS_SHA256 = "e7763bb6ea039e3aa44e1649a58e5934934585f1e2c2ea4d2ac0c4d18d30da16"
TEXTS = [
    "The cat sat on the mat.",
    "Ann: thanks!",
    "naïve café, α-synuclein and 12 µg",
    "a word " * 3000,
    "def embed(texts: list[str]) -> None: ...",
]


@pytest.fixture(scope="module")
def model() -> StaticEmbedder:
    return StaticEmbedder(STATIC_1)


def of_file(path: Path) -> StaticEmbedder:
    return StaticEmbedder(StaticModel("own", (ModelPart(path),)))


def vector(model: StaticEmbedder, text: str, purpose: Purpose = Purpose.DOCUMENT) -> np.ndarray | None:
    (row,) = pack_vectors(model.embed([text], purpose), 1, model.space)
    return np.frombuffer(row, "<f4") if row else None


def near(model: StaticEmbedder, query: str, document: str) -> float:
    asked, found = vector(model, query, Purpose.QUERY), vector(model, document)
    assert asked is not None
    assert found is not None
    return float(asked @ found)


def test_model_file_is_the_one_the_card_describes() -> None:
    assert hashlib.sha256(MODEL_FILE.read_bytes()).hexdigest() == MODEL_SHA256
    assert MODEL_SHA256 in MODEL_FILE.with_name("MODEL_CARD.md").read_text(encoding="utf-8")
    assert MODEL_FILE.stat().st_size < 10_000_000


def test_static_model_keeps_the_contract_of_embedders(model: StaticEmbedder) -> None:
    check_embedder(model)


def test_same_texts_give_the_same_bytes_everywhere(model: StaticEmbedder) -> None:
    rows = [
        np.asarray(vector, "<f4").tobytes() for purpose in Purpose for vector in model.embed(TEXTS, purpose).vectors
    ]
    assert hashlib.sha256(b"".join(rows)).hexdigest() == VECTORS_SHA256


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "!?…",
        "🙂🙂🙂",
        "猫が座った",
        "Привет, как дела?",
        "مرحبا بالعالم",
        "สวัสดีชาวโลก",
        "안녕하세요",
        "\ud800",
        "\0",
    ],
)
def test_text_in_a_script_the_model_does_not_know_has_no_vector(model: StaticEmbedder, text: str) -> None:
    for purpose in Purpose:
        assert model.embed([text], purpose).vectors == [None]


def test_a_few_foreign_words_do_not_cost_a_text_its_vector(model: StaticEmbedder) -> None:
    assert vector(model, "We met at the 東京 office to talk about the budget") is not None


def test_mostly_foreign_text_has_no_vector_for_its_few_known_words(model: StaticEmbedder) -> None:
    assert vector(model, "ok Сегодня мы говорили о бюджете на следующий год") is None


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("How do I cut expenses?", "Ways to save money every month", "The concert starts at nine"),
        ("physician appointment", "See the doctor on Tuesday", "Merge the branch on Tuesday"),
        ("automobile trouble", "My car broke down on the way", "My sister wrote a long poem"),
        ("roll back a deployment", "Revert the release to the previous version", "Bake the bread for an hour"),
    ],
)
def test_paraphrase_without_a_shared_word_is_nearer_than_another_subject(
    model: StaticEmbedder, query: str, right: str, wrong: str
) -> None:
    assert near(model, query, right) > near(model, query, wrong) + 0.1


def test_line_that_says_little_is_held_back_as_a_document_not_as_a_query(model: StaticEmbedder) -> None:
    little = "Caroline: Wow, thanks!"
    document, query = vector(model, little), vector(model, little, Purpose.QUERY)
    assert document is not None
    assert query is not None
    assert document[-1] > 0.5
    assert query[-1] == 0.0
    told = "Caroline: I went to a support group yesterday and it was so powerful"
    assert near(model, "What did Caroline do about support groups?", told) > near(
        model, "What did Caroline do about support groups?", little
    )


@given(st.text(max_size=200))
def test_any_text_has_a_unit_vector_or_none(model: StaticEmbedder, text: str) -> None:
    for purpose in Purpose:
        (found,) = model.embed([text], purpose).vectors
        if found is not None:
            row = np.asarray(found)
            assert row.dtype == np.float32
            assert row.shape == (PART_DIMENSIONS,)
            assert abs(float(row.astype(np.float64) @ row) - 1) < 1e-5


@given(st.lists(st.sampled_from(["budget", "the", "meeting", "cat", "moved", "to", "friday", "."]), max_size=30))
def test_order_of_words_changes_nothing(model: StaticEmbedder, words: list[str]) -> None:
    there, back = (
        pack_vectors(model.embed([" ".join(order)], Purpose.DOCUMENT), 1, model.space) for order in (words, words[::-1])
    )
    assert there == back


def test_importing_the_module_does_not_load_numpy() -> None:
    code = (
        "import sys, holdfast.embeddings.static.static_embedder as e; e.StaticEmbedder(); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("damage", ["missing", "empty", "other", "cut"])
def test_damaged_model_file_is_a_provider_failure(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "broken.model"
    whole = MODEL_FILE.read_bytes()
    content = {"empty": b"", "other": b"something else" * 100, "cut": whole[:100_000]}.get(damage)
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProviderFailed):
        of_file(path).embed(["text"], Purpose.QUERY)


def test_model_file_has_the_shape_it_says() -> None:
    model = read(MODEL_FILE)
    assert model.table.shape == (len(model.pieces), PART_DIMENSIONS - 1)
    assert model.scales.shape == (len(model.pieces),)
    assert model.scales[model.unknown] == 0
    assert not model.table.flags.writeable


@given(st.text(max_size=120), st.sampled_from(Purpose))
def test_a_text_has_the_same_bytes_alone_and_among_others(model: StaticEmbedder, text: str, purpose: Purpose) -> None:
    (alone,) = model.embed([text], purpose).vectors
    _, among = model.embed(["another text", text], purpose).vectors
    assert (alone is None) == (among is None)
    if alone is not None and among is not None:
        assert np.asarray(alone).tobytes() == np.asarray(among).tobytes()


def tables() -> int:
    """How many tables of words this process holds."""
    gc.collect()
    return sum(isinstance(held, Words) for held in gc.get_objects())


def test_all_embedders_of_a_process_share_one_table_of_words_and_the_last_one_takes_it_along(tmp_path: Path) -> None:
    own = tmp_path / "own.model"
    own.write_bytes(MODEL_FILE.read_bytes())
    before = tables()
    first, second = of_file(own), of_file(own)
    assert vector(first, TEXTS[0]) is not None
    assert vector(second, TEXTS[0]) is not None
    assert second.look_closer("cat", [("h", TEXTS[0])])
    assert tables() == before + 1
    del first
    assert tables() == before + 1
    del second
    assert tables() == before


def test_texts_that_are_new_all_the_time_are_remembered_up_to_a_limit_and_change_no_score(tmp_path: Path) -> None:
    """A server meets new texts as long as it runs: one that remembered 33,000 of them took 12 MB for those alone."""
    own = tmp_path / "own.model"
    own.write_bytes(MODEL_FILE.read_bytes())
    embedder = of_file(own)
    asked = "where does the cat sit?", [("hash", TEXTS[0]), ("another", TEXTS[1])]
    before, model = embedder.look_closer(*asked), embedder._load()
    most = 0
    for start in range(0, 30_000, 500):
        embedder.look_closer(
            asked[0], [(f"{number:064}", f"cat {number % 50}") for number in range(start, start + 500)]
        )
        most = max(most, model.closer.remembered())
    assert 10_000 < most < 20_000
    assert embedder.look_closer(*asked) == before


def test_a_model_file_that_was_written_is_read_as_it_was_and_one_that_is_cut_is_refused(tmp_path: Path) -> None:
    table = np.arange(12, dtype=np.int8).reshape(3, 4)
    model = ModelFile("tiny", 1, 0, ["a", "b", "ß"], np.array([1, 2, 3], dtype=np.uint16), table)
    for name in ("one", "two"):
        write(tmp_path / name, model)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    found = read(tmp_path / "one")
    assert (found.name, found.floor, found.unknown) == ("tiny", 1, 0)
    assert found.scales.tolist() == [1, 2, 3] and found.table.tolist() == table.tolist()
    (tmp_path / "cut").write_bytes((tmp_path / "one").read_bytes()[:600])
    with pytest.raises(ProviderFailed, match="can't be read"):
        read(tmp_path / "cut")
