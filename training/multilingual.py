"""Text in the teacher's sixteen languages: aligned documentation, further text, and words by frequency.

XQuAD is never read here, nor its source: the Spanish and Italian SQuAD are translations of the same articles, so they
are left out too. Of the sets that measure search, only the documents are read, never what is asked of them.
"""

from __future__ import annotations

import bz2
import gettext
import gzip
import html
import json
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sources import FETCHED, SHARED

__all__ = ["LANGUAGES", "aligned", "documents", "words"]

LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh", "zh-tw")
_TAG = re.compile(r"<[^>]+>")
_SPACE = re.compile(r"\s+")
_SCRIPT = {
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "ja": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
    "zh-tw": re.compile(r"[\u4e00-\u9fff]"),
}
_FEW = 60_000  # package descriptions, words: no more than this many a language

_COOKIES = {"de": 2, "es": 3, "it": 1, "pl": 3, "ru": 3}  # tenths of the sayings in a language

Aligned = dict[str, str]  # by language: the same thing said in each


def _plain(markup: str) -> str:
    return _SPACE.sub(" ", html.unescape(_TAG.sub(" ", markup))).strip()


def _merged(source: dict[str, dict[tuple[str, int], str]]) -> Iterator[Aligned]:
    """What stands at one place in several languages; a part that was left in English is no translation."""
    places: dict[tuple[str, int], Aligned] = defaultdict(dict)
    for language, found in source.items():
        for place, text in found.items():
            script = _SCRIPT.get(language)
            if len(text) > 2 and (script is None or len(script.findall(text)) * 4 > len(text.replace(" ", ""))):
                places[place][language] = text
    for said in places.values():
        english = said.get("en")
        yield {name: text[:1200] for name, text in said.items() if name == "en" or text != english}


def _marked(files: dict[str, Path], suffix: str, pattern: re.Pattern[str]) -> dict[str, dict[tuple[str, int], str]]:
    """By language: the blocks of every file, numbered; a file with other blocks than the English one is passed over."""
    found: dict[str, dict[tuple[str, int], str]] = {}
    counts: dict[str, int] = {}
    for language, folder in files.items():
        mine = found.setdefault(language, {})
        for path in sorted(folder.rglob(f"*{suffix}")):
            name = str(path.relative_to(folder))
            blocks = pattern.findall(path.read_text(encoding="utf-8", errors="replace"))
            if language == "en":
                counts[name] = len(blocks)
            if counts.get(name) == len(blocks):
                mine |= {(name, number): _plain(block) for number, block in enumerate(blocks)}
    return found


def _office() -> Iterator[Aligned]:
    names = {"en": "en-us", "zh": "zh-cn", "pt": "pt-br"} | {
        name: name for name in ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "ru", "tr", "zh-tw")
    }
    folders = {
        name: next((FETCHED / f"libreoffice-help-{code}").glob("usr/share/libreoffice/help/*/text"))
        for name, code in names.items()
    }
    yield from _merged(
        _marked(folders, ".html", re.compile(r'<(?:p|h\d) id="[^"]*par_id[^>]*>(.*?)</(?:p|h\d)>', re.S))
    )


def _desktop() -> Iterator[Aligned]:
    names = {"en": "C", "zh": "zh_CN", "pt": "pt_BR"} | {
        name: name for name in ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "ru", "tr")
    }
    folder = FETCHED / "gnome-user-docs" / "usr" / "share" / "help"
    folders = {name: folder / code / "gnome-help" for name, code in names.items()}
    yield from _merged(
        _marked(folders, ".page", re.compile(r"<(?:p|title|desc)(?: [^>]*)?>(.*?)</(?:p|title|desc)>", re.S))
    )


def _handbook() -> Iterator[Aligned]:
    names = dict(
        item.split("=")
        for item in "en=en-US ar=ar-MA de=de-DE es=es-ES fr=fr-FR it=it-IT ja=ja-JP ko=ko-KR nl=nl-NL pl=pl-PL "
        "pt=pt-BR ru=ru-RU tr=tr-TR zh=zh-CN zh-tw=zh-TW".split()
    )
    folder = FETCHED / "debian-handbook" / "usr" / "share" / "doc" / "debian-handbook" / "html"
    folders = {name: folder / code for name, code in names.items()}
    yield from _merged(_marked(folders, ".html", re.compile(r'<div class="para">(.*?)</div>', re.S)))


def _packages() -> Iterator[Aligned]:
    """Descriptions of Debian's packages, the short and the long, by the checksum of the English one."""
    found: dict[str, dict[tuple[str, int], str]] = {}
    for language in LANGUAGES:
        code = {"pt": "pt_BR", "zh": "zh_CN", "zh-tw": "zh_TW"}.get(language, language)
        path = FETCHED / (f"Translation-{code}.bz2" if language != "en" else "Translation-en.xz")
        if not path.exists():
            continue
        unpack = lzma.decompress if language == "en" else bz2.decompress
        mine = found.setdefault(language, {})
        for entry in unpack(path.read_bytes()).decode("utf-8").split("\n\n"):
            key = re.search(r"^Description-md5: (\w+)", entry, re.M)
            text = re.search(r"^Description-(?!md5)\w+: (.*?)(?=\Z|^\S)", entry, re.M | re.S)
            if key and text and len(mine) < (9 if language == "en" else 2) * _FEW:
                short, _, long = text[1].partition("\n")
                for number, part in enumerate([short, *long.split("\n .\n")]):
                    mine[key[1], number] = _plain(part)
    yield from _merged(found)


def _signs() -> Iterator[Aligned]:
    """What a sign or an emoji shows, in keywords: Unicode's annotations."""
    found: dict[str, dict[tuple[str, int], str]] = {}
    folder = FETCHED / "unicode-cldr-core" / "usr" / "share" / "unicode" / "cldr" / "common"
    for language in LANGUAGES:
        code = {"zh-tw": "zh_Hant"}.get(language, language)
        mine = found.setdefault(language, {})
        for part in ("annotations", "annotationsDerived"):
            text = (folder / part / f"{code}.xml").read_text(encoding="utf-8")
            for number, kind in ((0, ""), (1, ' type="tts"')):
                for sign, said in re.findall(rf'<annotation cp="([^"]+)"{kind}>([^<]+)<', text):
                    mine[sign, number] = _plain(said).replace(" |", ",")
    yield from _merged(found)


def _places() -> Iterator[Aligned]:
    """Names of countries, regions, languages, scripts, currencies, months: Unicode's locale data."""
    folder = FETCHED / "unicode-cldr-core" / "usr" / "share" / "unicode" / "cldr" / "common"
    found: dict[str, dict[tuple[str, int], str]] = {}
    for language in LANGUAGES:
        code = {"zh-tw": "zh_Hant"}.get(language, language)
        mine = found.setdefault(language, {})
        for part in ("main", "subdivisions"):
            path = folder / part / f"{code}.xml"
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            for kind, key, said in re.findall(
                r'<(language|script|territory|subdivision|exemplarCity) type="([^"]+)">([^<]+)<', text
            ):
                mine[f"{kind} {key}", 0] = _plain(said)
            for key, said in re.findall(r'<currency type="([^"]+)">\s*<displayName>([^<]+)<', text):
                mine[f"currency {key}", 0] = _plain(said)
    yield from _merged(found)


_CODES = {"pt": "pt_BR", "zh": "zh_CN", "zh-tw": "zh_TW"}
_MARK = re.compile(r"%[-+\d.]*[a-z]+|\$\|?\w+\|?|\*|\x1b\[\d*m")
_SHORT = 20  # characters; what is shorter in a game is a label


def _games() -> Iterator[Aligned]:
    """Tales, speeches and lore of two games, by the English message: Wesnoth and Freeciv."""
    found: dict[str, dict[tuple[str, int], str]] = {"en": {}}
    folders = (
        FETCHED / "wesnoth-1.16-data" / "usr" / "share" / "games" / "wesnoth" / "1.16" / "locale",
        FETCHED / "freeciv-data" / "usr" / "share" / "locale",
    )
    for language in LANGUAGES:
        code = _CODES.get(language, language)
        for path in (one for folder in folders for one in sorted((folder / code / "LC_MESSAGES").glob("*.mo"))):
            with path.open("rb") as file:
                said = vars(gettext.GNUTranslations(file))["_catalog"]
            for key, text in said.items():
                english = key.rpartition("\x04")[2] if isinstance(key, str) else ""
                if len(english) > _SHORT:
                    place = (f"{path.stem} {english}", 0)
                    found["en"][place] = _plain(_MARK.sub(" ", english))
                    found.setdefault(language, {})[place] = _plain(_MARK.sub(" ", text))
    yield from _merged(found)


def aligned() -> Iterator[tuple[str, Aligned]]:
    """(source, the same thing said in several languages)."""
    for source, read in (
        ("office", _office), ("desktop", _desktop), ("handbook", _handbook), ("packages", _packages),
        ("signs", _signs), ("places", _places), ("games", _games),
    ):  # fmt: skip
        for said in read():
            if said:
                yield source, said


def _lines(path: Path) -> list[str]:
    return lzma.decompress(path.read_bytes()).decode("utf-8").rstrip("\n").split("\n")


def documents() -> Iterator[tuple[str, str, str]]:
    """(source, language, text) of what stands in one language alone."""
    sets = SHARED / "sets"
    simple = _simple()
    for name, language in (("drcd-dev", "zh-tw"), ("faquad", "pt"), ("cnil-fr", "fr"), ("covid-faq-de", "de"),
                           ("covid-faq-en", "en")):  # fmt: skip
        for line in _lines(sets / name / "corpus.jsonl.xz"):
            text = json.loads(line)["text"]
            yield name, language, text
            if language == "zh-tw":
                yield name, "zh", text.translate(simple)
    for line in _lines(sets / "capture" / "capture.jsonl.xz"):
        row = json.loads(line)
        language = row["lang"].lower().removesuffix("-br")
        if language in LANGUAGES and row["src"] not in {"ikat", "realmem"}:
            yield "capture", language, row["text"]
            if language == "de" and row.get("en"):
                yield "capture", "en", row["en"]
    for line in _lines(sets / "pairs" / "pairs.jsonl.xz"):
        row = json.loads(line)
        yield "pairs", row["lang"], row["a"]
        yield "pairs", row["lang"], row["b"]
    yield from _skies()
    yield from _cookies()
    yield from _kenet()
    for line in _lines(sets / "timeqa-train" / "corpus.jsonl.xz")[::2]:
        yield "timeqa", "en", json.loads(line)["text"]
    titles = _thai("wikipedia_titles_th.txt")
    yield from (("titles", "th", title) for title in titles[:: max(1, len(titles) // _FEW)] if title[:1] != "#")


def _skies() -> Iterator[tuple[str, str, str]]:
    """What peoples saw in the stars: Stellarium's pages, by paragraph."""
    folder = FETCHED / "stellarium-data" / "usr" / "share" / "stellarium"
    for language in LANGUAGES:
        for path in sorted(folder.rglob(f"description.{_CODES.get(language, language)}.utf8")):
            for part in re.split(r"<p>|<h\d>|</p>|</h\d>|<li>", path.read_text(encoding="utf-8", errors="replace")):
                text = _plain(part)
                script = _SCRIPT.get(language)
                if len(text) > 2 * _SHORT and (script is None or script.search(text)):
                    yield "skies", language, text


def _cookies() -> Iterator[tuple[str, str, str]]:
    """Sayings, quotations and jokes out of fortune's files."""
    for language, tenths in _COOKIES.items():
        folder = FETCHED / f"fortunes-{language}" / "usr" / "share" / "games" / "fortunes"
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and one.suffix != ".dat"):
            try:
                found = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            for part in re.split(r"^%.*$", found, flags=re.M):
                text = _plain(_MARK.sub(" ", part))
                kept = zlib.crc32(text.encode()) % 10 < tenths
                if kept and 2 * _SHORT < len(text) < 1000 and (language != "ru" or _SCRIPT["ru"].search(text)):
                    yield "cookies", language, text


def _kenet() -> Iterator[tuple[str, str, str]]:
    """What Turkish words mean, and sentences with them: the wordnet Kenet."""
    with tarfile.open(next(FETCHED.glob("nlptoolkit_wordnet-*.tar.gz"))) as archive:
        (member,) = (one for one in archive if one.name.endswith("/turkish_wordnet.xml"))
        content = archive.extractfile(member)
        assert content is not None
        found = re.findall(r"<(DEF|EXAMPLE)>([^<]{20,})<", content.read().decode("utf-8"))
    for kind, said in found:
        if zlib.crc32(said.encode()) % 8 < (5 if kind == "EXAMPLE" else 1):
            yield "kenet", "tr", _plain(said)


def _simple() -> dict[int, str]:
    """The simplified form of every traditional Chinese character that has one."""
    with zipfile.ZipFile(next(FETCHED.glob("opencc_python_reimplemented-*.whl"))) as archive:
        lines = archive.read("opencc/dictionary/TSCharacters.txt").decode("utf-8").splitlines()
    return {ord(line[0]): line.split("\t")[1].split(" ")[0] for line in lines if "\t" in line}


def _thai(name: str) -> list[str]:
    with zipfile.ZipFile(next(FETCHED.glob("pythainlp-*.whl"))) as archive:
        return archive.read(f"pythainlp/corpus/{name}").decode("utf-8").splitlines()


def words() -> Iterator[tuple[str, str, float]]:
    """(language, word, its share of the language), commoner words first."""
    with zipfile.ZipFile(next(FETCHED.glob("wordfreq-*.whl"))) as archive:
        for language in LANGUAGES:
            if language in {"th", "zh-tw"}:
                continue
            size = "small" if language in {"ko", "tr"} else "large"
            packed = gzip.decompress(archive.read(f"wordfreq/data/{size}_{language}.msgpack.gz"))
            count = 0
            for number, bucket in enumerate(_buckets(packed)):
                for word in bucket:
                    if count < _FEW:
                        yield language, word, 10 ** (-number / 100)
                    count += 1
    counted = [line.split("\t") for line in _thai("tnc_freq.txt") if line.count("\t") == 1]
    whole = sum(int(count) for _, count in counted)
    yield from (("th", word, int(count) / whole) for word, count in counted[:_FEW])


def _buckets(packed: bytes) -> Iterator[list[str]]:
    """The lists of words in wordfreq's file, each a hundredth of a power of ten rarer than the one before."""
    at = 0

    def head() -> int:
        nonlocal at
        kind = packed[at]
        at += 1
        if 0x90 <= kind <= 0x9F or 0xA0 <= kind <= 0xBF:
            return kind & (0x0F if kind < 0xA0 else 0x1F)
        size = {0xDC: 2, 0xDD: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}[kind]
        (value,) = struct.unpack({1: ">B", 2: ">H", 4: ">I"}[size], packed[at : at + size])
        at += size
        return int(value)

    for number in range(head()):
        if number == 0:  # the format's name and version, a map of two
            at = packed.index(b"version") + len(b"version") + 1
            continue
        bucket = []
        for _ in range(head()):
            size = head()
            bucket.append(packed[at : at + size].decode("utf-8"))
            at += size
        yield bucket
