"""GitHub's documentation without labels: a file's title is the question, the file without its title the answer.

The title's lines (`title`, `shortTitle`) are left out of the note, and notes are numbered: the names of the files say
the title once more. Titles that two files share, and titles made by a template, are not asked.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections import Counter

from holdfast.errors import StorageFailed
from holdfast.evaluation.set_files import missing, spoilt
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["docs"]

_FILE = "github-docs.tar.xz"
_MAX_FILE = 4_000_000
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TITLES = re.compile(r"^(?:title|shortTitle):.*\n?", re.MULTILINE)


def docs(directory: str) -> LabelledSet:
    """The whole set."""
    notes: dict[str, str] = {}
    titles: dict[str, str] = {}
    for text in _files(directory):
        path = f"memory/docs/{len(notes):05}.md"
        front, body = _parts(text)
        found = _TITLE.search(front)
        title = found[1].strip("'\"").replace("''", "'") if found else ""
        notes[path] = _TITLES.sub("", front) + body
        if title and "{" not in title:
            titles[path] = title
    shared = Counter(title.casefold() for title in titles.values())
    questions = tuple(
        Question(title, "titles", (Gold(path),)) for path, title in titles.items() if shared[title.casefold()] == 1
    )
    return LabelledSet("docs", "GitHub's documentation", (Collection("docs", notes, questions),))


def _files(directory: str) -> list[str]:
    """The Markdown files of the archive, in the order of their names."""
    path = os.path.join(directory, _FILE)
    try:
        with tarfile.open(path) as archive:
            members = [one for one in archive.getmembers() if one.isfile() and one.name.endswith(".md")]
            texts = {one.name: _text(archive, one) for one in members if one.size <= _MAX_FILE}
    except FileNotFoundError:
        raise missing(directory, "docs", _FILE) from None
    except (tarfile.TarError, UnicodeDecodeError, EOFError) as error:
        raise spoilt("docs", _FILE, str(error)) from None
    except OSError as error:
        raise StorageFailed(path, "read", error.strerror or str(error)) from None
    return [texts[name] for name in sorted(texts)]


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    stream = archive.extractfile(member)
    return stream.read().decode("utf-8") if stream else ""


def _parts(text: str) -> tuple[str, str]:
    """The front matter with its fences, and the rest."""
    end = text.find("\n---", 3) if text.startswith("---\n") else -1
    return (text[: end + 1], text[end + 1 :]) if end >= 0 else ("", text)
