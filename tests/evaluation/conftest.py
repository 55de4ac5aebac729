"""A data directory in the shape of the public sets, small enough to read here."""

from __future__ import annotations

import io
import json
import sys
import tarfile
from importlib import import_module
from pathlib import Path

import pytest

# The bench is no package, and on the path only while these are read: some of its modules have the names of our folders.
_BENCH = str(Path(__file__).parents[2] / "bench")
sys.path.append(_BENCH)
for _name in ("peer_answers", "peer_judge", "peer_systems", "peer_page"):
    import_module(_name)
sys.path.remove(_BENCH)

LANGUAGES = "ar de el en es hi ro ru th tr vi zh".split()
TALK = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a greyhound\nyesterday."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a photo of a violin"},
            {"speaker": "Ana", "dia_id": "D1:3", "text": "We are moving to Lisbon in June."},
        ],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_2": [
            {"speaker": "Ben", "dia_id": "D2:1", "text": "The pottery course starts on Monday."},
            {"speaker": "Ana", "dia_id": "D2:2", "text": "My greyhound won a race."},
        ],
        "session_3_date_time": "9:00 am on 1 October, 2023",
    },
    "qa": [
        {"question": "Who adopted a greyhound?", "evidence": ["D1:1"], "category": 4, "answer": "Ana"},
        {"question": "What about the greyhound?", "evidence": ["D1:01; D2:2"], "category": 1, "answer": "…"},
        {"question": "When does the pottery course start?", "evidence": ["D2:1"], "category": 2, "answer": 1},
        {"question": "Who is in the photo of the violin?", "evidence": ["D1:2", "D1:2"], "category": 5},
        {"question": "What is not there?", "evidence": ["D7:7"], "category": 3},
        {"question": "What has no evidence?", "evidence": [], "category": 3},
    ],
}
PARAGRAPHS = [
    ("The defence of the Panthers gave up 308 points.", "How many points did the defence give up?"),
    ("Warsaw lies on the river Vistula.", "On which river does Warsaw lie?"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """All five sets."""
    place = tmp_path / "data"
    for name in ("locomo", "scifact", "xquad", "qmd-eval/eval-docs"):
        (place / name).mkdir(parents=True)
    _write(place / "locomo/locomo10.json", json.dumps([TALK]))
    _scifact(place / "scifact")
    for language in LANGUAGES:
        paragraphs = [{"context": text, "qas": [{"id": "x", "question": asked}]} for text, asked in PARAGRAPHS]
        _write(place / f"xquad/xquad.{language}.json", json.dumps({"data": [{"paragraphs": paragraphs}]}))
    _write(place / "qmd-eval/eval-docs/api.md", "# API design\n\nVersion the endpoints.\n")
    _write(place / "qmd-eval/eval-docs/money.md", "# Fundraising\n\nSeries A terms.\n")
    asked = {"query": "API versioning", "type": "exact", "expected_files": ["api.md"]}
    _write(place / "qmd-eval/bench-fixture.json", json.dumps({"queries": [asked]}))
    _docs(place / "github-docs.tar.xz")
    return place


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _scifact(place: Path) -> None:
    abstract = "\"['White matter develops early.'\n \"\"It's measured in vivo.\"\" '24.0 +/-' '4.4']\""
    rows = [
        "doc_id,title,abstract,structured",
        f"11,Newborn brains,{abstract},False",
        "12,Yeast,['Yeast ferments sugar.'],False",
    ]
    _write(place / "corpus_train.csv", "\n".join(rows) + "\n")
    _write(place / "claims_validation.csv", "id,claim\n1,White matter of newborns develops early.\n")
    _write(place / "claims_train.csv", "id,claim\n2,Sugar is fermented by yeast.\n")
    _write(place / "claims_test.csv", "id,claim\n3,Nobody judged this.\n")
    _write(place / "beir_qrels_test.tsv", "query-id\tcorpus-id\tscore\n1\t11\t1\n2\t12\t1\n2\t11\t0\n2\t99\t1\n")


def _docs(path: Path) -> None:
    files = {
        "docs/a.md": "---\ntitle: Managing your keys\nshortTitle: Keys\n---\nRotate every key of the account.\n",
        "docs/b.md": "---\ntitle: 'About teams'\n---\nPeople who work together.\n",
        "docs/c.md": "---\ntitle: About {% data variables.product %}\n---\nA template.\n",
        "docs/d.md": "---\ntitle: Overview\n---\nOne.\n",
        "docs/e.md": "---\ntitle: overview\n---\nTwo.\n",
        "docs/f.txt": "no Markdown",
    }
    with tarfile.open(path, "w:xz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
