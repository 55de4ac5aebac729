"""The notes of an agent → one file: lines of JSON, or a zip with the same notes as they are and a list of facts.

Both hold every byte of every note with its hash, so what is read back is what was written, or is refused. The facts
stand there once more by themselves, for programs that don't read Markdown; reading back goes by the notes.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Any, Final

from holdfast.errors import BadText
from holdfast.facts.ledger import facts_in

__all__ = ["FACTS", "FORMAT", "KIND", "MANIFEST", "as_lines", "as_zip", "facts_of"]

KIND: Final = "holdfast-export"
FORMAT: Final = 1
MANIFEST: Final = "holdfast.json"
FACTS: Final = "facts.jsonl"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the same notes make the same bytes, whenever they are exported


def as_lines(notes: Mapping[str, bytes], agent: str, made: str, day: date) -> bytes:
    """An export as JSON Lines: what it is, the notes, the facts, and how many of both there are."""
    return b"".join(map(_line, _rows(notes, agent, made, day)))


def as_zip(notes: Mapping[str, bytes], agent: str, made: str, day: date) -> bytes:
    """An export as a zip that any program can open."""
    whole = io.BytesIO()
    facts = list(facts_of(notes, day))
    manifest = {
        **_head(agent, made),
        "notes": {path: _hash(data) for path, data in sorted(notes.items())},
        "facts": len(facts),
    }
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        _add_to_archive(archive, MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1).encode())
        for path, data in sorted(notes.items()):
            _add_to_archive(archive, path, data)
        _add_to_archive(archive, FACTS, b"".join(map(_line, facts)))
    return whole.getvalue()


def facts_of(notes: Mapping[str, bytes], day: date) -> Iterator[dict[str, Any]]:
    """Every fact in the shape that all surfaces show; a note that is damaged has none."""
    for path, data in sorted(notes.items()):
        with suppress(BadText):
            yield from ({"kind": "fact", **fact.to_json(day)} for fact in facts_in(data, path))


def _rows(notes: Mapping[str, bytes], agent: str, made: str, day: date) -> Iterator[dict[str, Any]]:
    yield _head(agent, made)
    for path, data in sorted(notes.items()):
        yield {"kind": "note", "path": path, "sha256": _hash(data), **_content(data)}
    facts = list(facts_of(notes, day))
    yield from facts
    # Without this line the file was cut off on its way.
    yield {"kind": "end", "notes": len(notes), "facts": len(facts)}


def _head(agent: str, made: str) -> dict[str, Any]:
    return {"kind": KIND, "format": FORMAT, "agent": agent, "made": made}


def _content(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode("ascii")}


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n"


def _add_to_archive(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    archive.writestr(info, data)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
