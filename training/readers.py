"""The training texts, read into one shape: documents of titled sections, conversations of turns, pairs."""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import sqlite3
import tarfile
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sources import FETCHED, SHARED

__all__ = ["Pair", "conversations", "definitions", "facts", "pages", "questions", "sentences", "synonyms"]

TRAINING = SHARED / "training"


class Pair(NamedTuple):
    """Two texts that belong together: what one would ask, and what answers it."""

    source: str
    query: str
    passage: str


class Section(NamedTuple):
    """A heading and the paragraphs under it."""

    heading: str
    paragraphs: list[str]


# ---- Markdown -----------------------------------------------------------------------------------------------------

_MACROS = (
    (re.compile(r"```.*?(```|\Z)", re.S), " "),
    (re.compile(r"<!--.*?-->", re.S), " "),
    (re.compile(r"\{%-?\s*(?:data variables|data reusables)\.[\w.-]*?([\w-]+)\s*-?%\}"), r" \1 "),
    (re.compile(r"\{%.*?%\}", re.S), " "),
    (re.compile(r"\{\{\s*\w+\(\s*\"([^\"]*)\"(?:\s*,\s*\"([^\"]*)\")?.*?\}\}", re.S), r" \1 "),
    (re.compile(r"\{\{.*?\}\}", re.S), " "),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^>]*>"), " "),
    (re.compile(r"AUTOTITLE"), " "),
    (re.compile(r"[*_`|]{1,3}"), ""),
)
_SPACE = re.compile(r"[ \t]+")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
_TITLE = re.compile(r"^title:\s*['\"]?(.*?)['\"]?\s*$", re.M)


def _sections(markdown: str) -> tuple[str, list[Section]]:
    title = ""
    if markdown.startswith("---"):
        front, _, markdown = markdown[3:].partition("\n---")
        found = _TITLE.search(front)
        title = found[1] if found else ""
    for pattern, by in _MACROS:
        markdown = pattern.sub(by, markdown)
    sections = [Section("", [])]
    block: list[str] = []
    for raw in [*markdown.splitlines(), ""]:
        line = _SPACE.sub(" ", raw).strip()
        heading = _HEADING.match(line)
        if line and not heading:
            block.append(line)
            continue
        if block:
            sections[-1].paragraphs.append(" ".join(block))
            block = []
        if heading:
            sections.append(Section(heading[2], []))
    return title, [section for section in sections if section.paragraphs]


def pages() -> Iterator[tuple[str, str, list[Section]]]:
    """(source, title, sections) of every Markdown page of MDN and of GitHub's documentation."""
    for source, archive in (("mdn", TRAINING / "mdn-content.tar.xz"), ("github", SHARED / "github-docs.tar.xz")):
        with tarfile.open(archive) as files:
            for member in files:
                content = files.extractfile(member) if member.isfile() and member.name.endswith(".md") else None
                if content is not None:
                    title, sections = _sections(content.read().decode("utf-8", "replace"))
                    yield source, title, sections


# ---- conversations ------------------------------------------------------------------------------------------------


def conversations() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(source, turns) of every conversation; a turn is its speaker and what was said."""
    for name in ("valid_freq", "valid_rare", "test_freq", "test_rare"):
        chats = json.loads(_text(f"topical-chat/{name}.json.xz"))
        for chat in chats.values():
            yield "topical", [(turn["agent"], turn["message"]) for turn in chat["content"]]
    for name in ("valid", "test"):
        for row in csv.DictReader(io.StringIO(_text(f"synthetic-persona-chat/{name}.csv.xz"))):
            yield "persona", [_turn(line) for line in row["Best Generated Conversation"].splitlines() if ": " in line]
    for document in json.loads(_text("personamem_32k_documents.json.xz")):
        turns = [turn for turn in document["content"].split("\n\n[") if "] " in turn]
        yield "personamem", [_turn(turn.split("] ", 1)[1]) for turn in turns if not turn.startswith("[SYSTEM")]
    for meeting in _meetings():
        yield "qmsum", [(turn["speaker"], _spoken(turn["content"])) for turn in meeting["meeting_transcripts"]]


def _turn(line: str) -> tuple[str, str]:
    speaker, _, said = line.partition(": ")
    return (speaker, said) if said else ("", speaker)


def _spoken(text: str) -> str:
    text = re.sub(r"\{\w+\}", " ", text)
    return re.sub(r"\s+([.,?!'])", r"\1", _SPACE.sub(" ", text)).strip()


def _meetings() -> Iterator[dict]:  # type: ignore[type-arg]
    for name in ("val", "test"):
        with (TRAINING / "qmsum" / f"{name}.jsonl").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def facts() -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """What is known of each of two speakers ("I have a turtle"), with the conversation that may mention it."""
    for name in ("valid", "test"):
        for row in csv.DictReader(io.StringIO(_text(f"synthetic-persona-chat/{name}.csv.xz"))):
            turns = [_turn(line) for line in row["Best Generated Conversation"].splitlines() if ": " in line]
            for user in ("user 1", "user 2"):
                known = [line.strip() for line in row[f"{user} personas"].splitlines() if line.strip()]
                yield known, [(speaker, said) for speaker, said in turns if speaker.lower() == user]


# ---- questions, summaries, definitions ----------------------------------------------------------------------------


def questions() -> Iterator[Pair]:
    """A question or a summary, and a text that answers it."""
    for meeting in _meetings():
        turns = [_spoken(turn["content"]) for turn in meeting["meeting_transcripts"]]
        for asked in meeting["specific_query_list"]:
            for first, last in asked["relevant_text_span"]:
                for turn in turns[int(first) : int(last) + 1]:
                    if len(turn.split()) >= 12:
                        yield Pair("qmsum-query", asked["query"], turn)
                        yield Pair("qmsum-answer", asked["answer"], turn)
            yield Pair("qmsum-query", asked["query"], asked["answer"])
    for paper in json.loads(_text("pubmedqa/ori_pqal.json.xz")).values():
        whole = " ".join(paper["CONTEXTS"])
        yield Pair("pubmed", paper["QUESTION"], whole)
        yield Pair("pubmed", paper["LONG_ANSWER"], whole)
        yield Pair("pubmed", paper["QUESTION"], paper["LONG_ANSWER"])
        for context in paper["CONTEXTS"]:
            yield Pair("pubmed", paper["QUESTION"], context)
            yield Pair("pubmed", paper["LONG_ANSWER"], context)
        yield Pair("pubmed", ", ".join(paper["MESHES"]), whole)
    for name in ("train", "dev", "test"):
        for line in _text(f"scitldr/{name}.jsonl.xz").splitlines():
            paper = json.loads(line)
            whole = " ".join(paper["source"])
            if paper.get("title"):
                yield Pair("scitldr", paper["title"], whole)
            for summary in paper["target"]:
                yield Pair("scitldr", summary, whole)
            for at, sentence in enumerate(paper["source"]):
                yield Pair("scitldr", sentence, " ".join(paper["source"][:at] + paper["source"][at + 1 :]))


def sentences() -> Iterator[Pair]:
    """A sentence of an encyclopedia, and each of the two it was split into."""
    for name in ("tune", "validation", "test"):
        for line in _text(f"wiki-split/{name}.tsv.xz").splitlines():
            whole, _, parts = line.replace("''", '"').partition("\t")
            first, _, second = parts.partition("<::::>")
            yield Pair("wiki", _spoken(first), _spoken(second))
            yield Pair("wiki", _spoken(second), _spoken(whole))


def definitions() -> Iterator[Pair]:
    """A term and its definition: WordNet, the Gene Ontology, the clinical classification of diseases."""
    for words, gloss, _ in _synsets():
        yield Pair("wordnet", ", ".join(words), gloss)
        for example in re.findall(r'"([^"]+)"', gloss):
            yield Pair("wordnet", gloss.split(";")[0], example)
    (path,) = FETCHED.glob("r-bioc-go.db/**/GO.sqlite")
    with sqlite3.connect(path) as terms:
        for term, definition in terms.execute("select term, definition from go_term where definition is not null"):
            yield Pair("gene", term, definition)
        query = (
            "select s.synonym, t.definition from go_synonym s join go_term t using (_id) "
            "where t.definition is not null and s.synonym not like 'GO:%'"
        )
        for synonym, definition in terms.execute(query):
            yield Pair("gene", synonym, definition)
        yield from _families(terms)
    yield from _diseases(ET.parse(FETCHED / "icd.xml").getroot(), "")


def _families(terms: sqlite3.Connection) -> Iterator[Pair]:
    """A gene term and what stands around it in the ontology, as one text of an abstract's length."""
    defined = dict(terms.execute("select _id, definition from go_term where definition is not null"))
    names = dict(terms.execute("select _id, term from go_term"))
    around: dict[int, list[int]] = {}
    for tree in ("bp", "mf", "cc"):
        for child, parent in terms.execute(f"select _id, _parent_id from go_{tree}_parents order by _id, _parent_id"):
            around.setdefault(child, []).append(parent)
            around.setdefault(parent, []).append(child)
    for term, others in sorted(around.items()):
        kept = [other for other in others if other in defined][:4]
        if term in defined and len(kept) >= 2 and term % 2:
            yield Pair("gene-long", names[kept[-1]], " ".join([defined[term], *(defined[other] for other in kept)]))


def _diseases(node: ET.Element, above: str) -> Iterator[Pair]:
    title = (node.findtext("desc") or "").strip() if node.tag in {"diag", "section", "chapter"} else above
    if node.tag == "diag":
        for kind in ("inclusionTerm", "includes", "useAdditionalCode", "codeFirst"):
            for note in node.findall(f"{kind}/note"):
                yield Pair("disease", (note.text or "").strip(), title)
        if above and len(title) > 2 * len(above):
            yield Pair("disease", above, title)
        notes = [note.text or "" for note in node.findall("inclusionTerm/note") + node.findall("includes/note")]
        below = [child.findtext("desc") or "" for child in node.findall("diag")]
        if len(notes + below) >= 4:
            yield Pair("disease-long", (notes or below)[-1], ". ".join([title, *(notes + below)[:-1]]))
    for child in node:
        yield from _diseases(child, title)


def _synsets() -> Iterator[tuple[list[str], str, list[str]]]:
    for part in ("noun", "verb", "adj", "adv"):
        path = FETCHED / "wordnet-base" / "usr" / "share" / "wordnet" / f"data.{part}"
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            data, _, gloss = line.partition(" | ")
            fields = data.split()
            count = int(fields[3], 16)
            words = [re.sub(r"\(.*\)", "", word).replace("_", " ") for word in fields[4 : 4 + 2 * count : 2]]
            yield words, gloss.strip(), fields[4 + 2 * count :]


def synonyms() -> dict[str, list[str]]:
    """Single words that share their first senses: what a paraphrase may say instead."""
    near: dict[str, list[str]] = {}
    for words, _, _ in _synsets():
        plain = [word.lower() for word in words]
        for word in plain:
            if word.isalpha() and len(near.setdefault(word, [])) < 6:
                near[word] += [other for other in plain if other != word]
    return {word: others for word, others in near.items() if others}


def _text(name: str) -> str:
    return lzma.open(TRAINING / name, "rt", encoding="utf-8").read()
