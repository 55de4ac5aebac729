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
from holdfast.evaluation.set_files import bad_file_error, missing_set_error
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["docs"]

_FILE = "github-docs.tar.xz"
_MAX_FILE = 4_000_000
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TITLES = re.compile(r"^(?:title|shortTitle):.*\n?", re.MULTILINE)


def docs(directory: str) -> LabelledSet:
    """Return the whole set."""
    notes: dict[str, str] = {}
    titles: dict[str, str] = {}
    for text in _files(directory):
        path = f"memory/docs/{len(notes):05}.md"
        front, body = _parts(text)
        found = _TITLE.search(front)
        title = ""
        if found:
            title = found[1].strip("'\"").replace("''", "'")
        notes[path] = _TITLES.sub("", front) + body
        if title and "{" not in title:
            titles[path] = title
    shared = Counter(title.casefold() for title in titles.values())
    questions = tuple(
        Question(title, "titles", (Gold(path),)) for path, title in titles.items() if shared[title.casefold()] == 1
    )
    return LabelledSet("docs", "GitHub's documentation", (Collection("docs", notes, questions),))


def _files(directory: str) -> list[str]:
    """Return the Markdown files of the archive, in the order of their names."""
    path = os.path.join(directory, _FILE)
    try:
        with tarfile.open(path) as archive:
            members = [member for member in archive.getmembers() if member.isfile() and member.name.endswith(".md")]
            texts = {member.name: _text(archive, member) for member in members if member.size <= _MAX_FILE}
    except FileNotFoundError:
        raise missing_set_error(directory, "docs", _FILE) from None
    except (tarfile.TarError, UnicodeDecodeError, EOFError) as error:
        raise bad_file_error("docs", _FILE, str(error)) from None
    except OSError as error:
        raise StorageFailed(path, "read", error.strerror or str(error)) from None
    return [texts[name] for name in sorted(texts)]


def _text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    stream = archive.extractfile(member)
    if not stream:
        return ""
    return stream.read().decode("utf-8")


def _parts(text: str) -> tuple[str, str]:
    """Return the front matter with its fences, and the rest."""
    if text.startswith("---\n"):
        end = text.find("\n---", 3)
    else:
        end = -1
    if end >= 0:
        return (text[: end + 1], text[end + 1 :])
    return ("", text)
