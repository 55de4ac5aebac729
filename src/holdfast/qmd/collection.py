"""The notes of an agent → the collections that QMD indexes, and its configuration as text. Pure but for one look.

A hit of QMD names a collection and a path below it. What is a note of the workspace or of an extra path keeps the path
that it has everywhere; what only QMD knows is `qmd/<collection>/<path>`.
"""

from __future__ import annotations

import glob
import json
import os
import posixpath
from collections.abc import Sequence
from typing import Final

from holdfast.guard.paths import NotePath
from holdfast.named_tuple import NamedTuple
from holdfast.notes.layout import extra_roots, root_parts
from holdfast.notes.workspace import Workspace
from holdfast.settings.qmd_paths import OUTSIDE, qmd_path
from holdfast.settings.qmd_settings import QmdSettings

__all__ = ["SESSIONS", "Collection", "collections_of", "config_text", "missing_paths", "outside_file"]

SESSIONS: Final = "sessions"
"""The collection of what was said in open sessions."""
_NOTES: Final = "memory/**/*.md"


class Collection(NamedTuple):
    """A directory, which files of it, and what stands before the path of a hit to make it a path of ours."""

    name: str
    root: str
    pattern: str
    before: str

    def path_of(self, below: str) -> str:
        """Our path of a file below the root."""
        return f"{self.before}{below}"


def collections_of(settings: QmdSettings, workspace: Workspace, *, sessions: str | None = None) -> list[Collection]:
    """Return what QMD indexes for this agent; `sessions` is the directory with what was said, where that is wanted."""
    found: list[Collection] = []
    if settings.include_default_memory:
        found += _default(workspace)
    found += _named_collections(settings.paths, workspace)
    if sessions is not None:
        found.append(Collection(SESSIONS, sessions, "*.md", f"{OUTSIDE}{SESSIONS}/"))
    return found


def _default(workspace: Workspace) -> list[Collection]:
    root = posixpath.join(workspace.home, *root_parts(workspace.agent))
    spot = workspace.spot(NotePath("MEMORY.md"))
    where = posixpath.join(workspace.home, *spot.parts)
    if where == root:
        found = [Collection("main", root, f"{{{spot.name},{_NOTES}}}", "")]
    else:  # agents/main/MEMORY.md wins over the one beside the notes
        found = [Collection("main", root, _NOTES, ""), Collection("prompt", where, spot.name, "")]
    for number, extra in enumerate(workspace.extras, start=1):
        place, pattern = _place(extra, "**/*.md")
        found.append(Collection(f"extra-{number}", place, pattern, f"{place}/"))
    return found


def _named_collections(paths: Sequence[str], workspace: Workspace) -> list[Collection]:
    root = posixpath.join(workspace.home, *root_parts(workspace.agent))
    found: list[Collection] = []
    for number, text in enumerate(paths, start=1):
        wanted = qmd_path(text)
        [full] = extra_roots([wanted.path], root)
        place, pattern = _place(full, wanted.pattern)
        name = wanted.name or f"path-{number}"
        found.append(Collection(name, place, pattern, f"{OUTSIDE}{name}/"))
    return found


def missing_paths(paths: Sequence[str], workspace: Workspace) -> list[str]:
    """The places of the settings that are not there, as they were written."""
    root = posixpath.join(workspace.home, *root_parts(workspace.agent))
    wanted = [qmd_path(text).path for text in paths]
    return [path for path in wanted if not os.path.exists(extra_roots([path], root)[0])]


def _place(path: str, pattern: str) -> tuple[str, str]:
    """A directory and its pattern; of a file, the directory around it and its name."""
    if os.path.isfile(path):
        return posixpath.dirname(path), glob.escape(posixpath.basename(path))
    return path, pattern


def config_text(collections: Sequence[Collection]) -> str:
    """QMD's index.yml. Every text is quoted as JSON, which YAML reads: no name or path can be anything else."""
    if collections:
        lines = ["collections:"]
    else:
        lines = ["collections: {}"]
    for collection in collections:
        lines += [f"  {json.dumps(collection.name)}:", f"    path: {json.dumps(collection.root, ensure_ascii=False)}"]
        lines.append(f"    pattern: {json.dumps(collection.pattern, ensure_ascii=False)}")
    return "\n".join([*lines, ""])


def outside_file(collections: Sequence[Collection], path: str) -> str | None:
    """Return where the file lies that `qmd/<collection>/<path>` names; None where there is no such collection."""
    for collection in collections:
        if collection.before.startswith(OUTSIDE) and path.startswith(collection.before):
            return posixpath.join(collection.root, path.removeprefix(collection.before))
    return None
