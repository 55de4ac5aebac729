"""The corpora: notes generated from a seed, and the real files of github-docs where they are at hand.

Every note is made from its own number, so a corpus of 1,000 notes is the beginning of the one of 10,000.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random

from needles import KINDS, Needle, Query, genre, identifier, mention, near_misses, needle_ids, query_set
from words import FUNCTION, GENERAL, OWNERS, composed, zipf

__all__ = ["Corpus", "bench_dir", "generated", "real", "real_archive"]

SEED = "holdfast-bench-1"
_AREAS = (
    "platform",
    "storage",
    "search",
    "billing",
    "network",
    "people",
    "product",
    "research",
    "security",
    "tooling",
)
_TOPICS = 400
_MIDDLE = 3_600
_TAIL = 24_000
_FIRST_DAY = date(2024, 1, 1)
_DAYS = 900
_REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Corpus:
    """A directory of Markdown files, named `memory/…` below `root`, and the queries that fit it."""

    name: str
    root: Path
    files: int
    bytes: int
    queries: tuple[Query, ...]


def bench_dir() -> Path:
    """Where everything the bench makes is kept: `.bench/` in the repository, or `HOLDFAST_BENCH_DIR`."""
    place = Path(os.environ.get("HOLDFAST_BENCH_DIR") or _REPOSITORY / ".bench").absolute()
    place.mkdir(parents=True, exist_ok=True)
    return place


@cache
def _vocabulary() -> tuple[list[str], list[str], list[list[str]]]:
    """The words of everyday use, the long tail, and for each topic the words its notes come back to."""
    random = Random(f"topics:{SEED}")
    made = composed(_MIDDLE + _TAIL, SEED)
    middle, tail = made[:_MIDDLE], made[_MIDDLE:]
    # A language has thousands of words that one text in a hundred uses; made-up ones stand in for those.
    everyday = GENERAL[60:] + middle
    random.shuffle(everyday)
    topics = [random.sample(tail, 26) + random.sample(GENERAL, 10) for _ in range(_TOPICS)]
    return GENERAL[:60] + everyday, tail, topics


_STOCK = 36  # the function words that every note uses; of the rest a note has its few favourites
_EVERYDAY_WEIGHTS = zipf(len(GENERAL) + _MIDDLE, 12)
_TAIL_WEIGHTS = zipf(_TAIL, 30)
_SHAPES = ("fgftg", "ftgfgr", "gfftfg", "fgrffg", "tfgffgt", "fgfgfr", "ftffgg")


class _Prose:
    """Words for one note, drawn in advance so that a hundred thousand notes take seconds and not minutes."""

    def __init__(self, random: Random, topic: list[str]) -> None:
        everyday, tail, _ = _vocabulary()
        # Real text is bursty: a word that a note uses at all comes back in it. Without that, every question
        # word is equally likely everywhere, and finding an id inside a question is easier than in real notes.
        function = FUNCTION[:_STOCK] + random.sample(FUNCTION[_STOCK:], 10)
        often = list(dict.fromkeys(random.choices(everyday, cum_weights=_EVERYDAY_WEIGHTS, k=40)))
        if random.random() < 0.1:
            often = genre(random.choice(KINDS), random) + often
        self.random = random
        self.words = {
            "f": iter(random.choices(function, cum_weights=zipf(len(function), 3), k=400)),
            "g": iter(random.choices(often, cum_weights=zipf(len(often), 4), k=400)),
            "t": iter(random.choices(topic, cum_weights=zipf(len(topic), 2), k=300)),
            "r": iter(random.choices(tail, cum_weights=_TAIL_WEIGHTS, k=300)),
        }

    def run(self, shape: str) -> str:
        """Words of the kinds that the letters of a shape name."""
        return " ".join(next(self.words[kind]) for kind in shape)

    def sentence(self) -> str:
        """Nine to twenty words, sometimes with a number in them."""
        picked = [self.random.choice(_SHAPES) for _ in range(self.random.randint(2, 3))]
        text = ", ".join(self.run(shape) for shape in picked)
        if self.random.random() < 0.15:
            text += f" by {self.random.randint(2, 4000)} {self.random.choice(('ms', 'percent', 'rows', 'days'))}"
        return text[0].upper() + text[1:] + "."

    def paragraph(self, low: int, high: int) -> str:
        """A few sentences on one line, as editors leave them."""
        return " ".join(self.sentence() for _ in range(self.random.randint(low, high)))

    def bullets(self, low: int, high: int) -> str:
        """A list of sentences."""
        return "\n".join(f"- {self.sentence()}" for _ in range(self.random.randint(low, high)))


def _log(prose: _Prose, random: Random, day: date, owner: str) -> str:
    lines = []
    for step in range(random.randint(1, 3)):
        clock = f"{random.randint(8, 18):02d}:{random.randint(0, 59):02d}"
        lines.append(f"- {day + timedelta(days=step)} {clock} {owner}: {prose.run('gftg')}")
    return "\n".join(lines)


def _code(prose: _Prose, random: Random) -> str:
    first, second, third = prose.run("t"), prose.run("g"), prose.run("r")
    if random.random() < 0.5:
        lines = [
            f"{first}:",
            f"  {second}_{third}: {random.randint(1, 900)}",
            f"  enabled: {random.random() < 0.5}",
        ]
        return "\n".join(["```yaml", *lines, "```"])
    lines = [f"def {second}_{first}({third}: int) -> int:", f"    return {third} * {random.randint(2, 64)}"]
    return "\n".join(["```python", *lines, "```"])


def _title(random: Random, topic: list[str]) -> str:
    """Four words of the topic and one of the whole vocabulary: two notes almost never share all of them."""
    first, second, third, fourth = random.sample(topic, 4)
    fifth = random.choice(GENERAL[40:])
    return f"{first.capitalize()} {second} {fifth}: {third} and {fourth}"


def note(number: int, ids: dict[int, Needle], needles: frozenset[str]) -> tuple[str, str, str, date]:
    """The relative path, the title, the text and the day of one note."""
    random = Random(f"{SEED}:{number}")
    _, _, topics = _vocabulary()
    topic = random.sample(words := random.choice(topics), len(words))
    title = _title(random, topic)
    day = _FIRST_DAY + timedelta(days=random.randrange(_DAYS))
    owner, area = random.choice(OWNERS), random.choice(_AREAS)
    prose = _Prose(random, topic)
    planted = ids.get(number)
    if planted is None and random.random() < 0.2:
        kind = random.choice(KINDS)
        planted = Needle(number, kind, identifier(kind, random))
        if planted.id in needles:
            planted = None
    said = f" {mention(planted.kind, planted.id)}." if planted else ""

    text = f"""# {title}

- date: {day}
- id: note-{number:05d}
- owner: {owner}
- tags: {area}, {", ".join(topic[:3])}

{prose.paragraph(2, 4)}

## {prose.run("gt").capitalize()}

{prose.paragraph(2, 4)}{said}

{prose.bullets(2, 4)}

## {prose.run("gg").capitalize()}

{prose.paragraph(2, 5)}

{_code(prose, random)}

## Decisions

{prose.bullets(1, 3)}

## Log

{_log(prose, random, day, owner)}
"""
    slug = "-".join(word.strip(":").lower() for word in title.split()[:4])
    return f"memory/{area}/{day}-{number:05d}-{slug}.md", title, text, day


def _notes(count: int) -> Iterator[tuple[int, str, str, str, date]]:
    planted = needle_ids(SEED)
    ids = near_misses(planted) | {needle.slot: needle for needle in planted}
    names = frozenset(needle.id for needle in planted)
    for number in range(count):
        yield number, *note(number, ids, names)


def generated(count: int) -> Corpus:
    """`count` notes of about 1.8 KB, made once and kept; fewer than 1,000 do not hold every needle."""
    root = bench_dir() / "corpora" / f"notes-{count}"
    stamp = root / "stamp"
    source = hashlib.sha256(
        b"".join((Path(__file__).parent / name).read_bytes() for name in ("corpus.py", "needles.py", "words.py"))
    ).hexdigest()
    needles = needle_ids(SEED)
    files = {n: (path, title) for n, path, title, _, _ in _notes(min(count, 1000)) if n in {s.slot for s in needles}}
    present = tuple(needle for needle in needles if needle.slot in files)
    queries = tuple(query_set(present, files))
    if not stamp.exists() or stamp.read_text(encoding="utf-8").split()[0] != source:
        shutil.rmtree(root, ignore_errors=True)
        size = 0
        for _, path, _, text, day in _notes(count):
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            size += target.write_bytes(text.encode())
            # Real notes are old: a fresh mtime would put them all in the window where mtime proves nothing.
            age = (day - date(1970, 1, 1)).days * 86400.0
            os.utime(target, (age, age))
        stamp.write_text(f"{source} {size}\n", encoding="utf-8")
    return Corpus(f"{count:,} notes", root, count, int(stamp.read_text(encoding="utf-8").split()[1]), queries)


def real_archive() -> Path:
    """The archive of github-docs: `HOLDFAST_BENCH_DATA`, or its place beside the repository."""
    named = os.environ.get("HOLDFAST_BENCH_DATA")
    return Path(named) if named else _REPOSITORY.parent / "shared" / "data" / "github-docs.tar.xz"


def real() -> Corpus | None:
    """The 3,738 Markdown files of github-docs, or None when the archive is not here."""
    archive, root = real_archive(), bench_dir() / "corpora" / "github-docs"
    memory = root / "memory"
    if not (root / "stamp").exists():
        if not archive.is_file():
            return None
        with tarfile.open(archive) as packed:
            for member in packed:
                if member.isfile() and member.name.endswith(".md"):
                    target = memory.joinpath(*Path(member.name).parts[1:])
                    target.parent.mkdir(parents=True, exist_ok=True)
                    body = packed.extractfile(member)
                    assert body is not None
                    target.write_bytes(body.read())
                    os.utime(target, (1_700_000_000, 1_700_000_000))
        (root / "stamp").write_text("github-docs\n", encoding="utf-8")
    files = sorted(memory.rglob("*.md"))
    queries: list[Query] = []
    for path in Random(SEED).sample(files, len(files)):
        title = next(
            (line[6:].strip(" '\"\n") for line in path.open(encoding="utf-8") if line.startswith("title:")),
            "",
        )
        if len(title.split()) >= 4 and "{%" not in title and len(queries) < 90:
            queries.append(Query("title", title, str(path.relative_to(root))))
    return Corpus("github-docs", root, len(files), sum(path.stat().st_size for path in files), tuple(queries))


def _main() -> None:
    parser = argparse.ArgumentParser(description="Make the corpora, and show what is in them.")
    parser.add_argument("counts", nargs="*", type=int, default=[1000, 10000])
    for count in parser.parse_args().counts:
        corpus = generated(count)
        print(f"{corpus.name}: {corpus.bytes:,} bytes, {corpus.bytes // count} a note, in {corpus.root}")
    documents = real()
    print(f"github-docs: {documents.files} files, {documents.bytes:,} bytes" if documents else "github-docs: not here")


if __name__ == "__main__":
    _main()
