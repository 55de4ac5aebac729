"""An export of Holdfast → its notes, byte for byte; one that is damaged, cut off or of a later version is refused."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Any

from holdfast.errors import BadArgument, BadText
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.export_bundle import FORMAT, KIND, MANIFEST
from holdfast.exchange.findings import Findings, FoundFact, FoundNote, LeftOut
from holdfast.exchange.format_text import parse_json
from holdfast.facts.ledger import facts_in
from holdfast.guard.paths import readable_path, twin_key
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode
from holdfast.markdown.fact_row import IMPORTANCE, category_of

__all__ = ["is_own", "notes_of", "read_own"]


def is_own(bundle: Bundle) -> bool:
    """Say whether it is an export of ours, by what it says of itself."""
    if MANIFEST in bundle.names:
        return KIND.encode() in bundle.head(MANIFEST)
    return bundle.single and KIND.encode() in bundle.head(bundle.names[0], 256)


def notes_of(bundle: Bundle) -> dict[str, bytes]:
    """Every note of an export, as it was; the paths are checked, the bytes are those that were exported."""
    if MANIFEST not in bundle.names and not bundle.single:
        raise _damage_error(bundle, f"it has no {MANIFEST}")
    if MANIFEST in bundle.names:
        notes = _of_zip(bundle)
    else:
        notes = _of_lines(bundle)
    twins: dict[str, str] = {}
    for path, data in notes.items():
        readable_path(path)
        if len(data) > MAX_NOTE_BYTES:
            raise _damage_error(bundle, f"{path!r} is larger than a note may be")
        if (other := twins.setdefault(twin_key(path), path)) != path:
            raise _damage_error(bundle, f"{path!r} and {other!r} would be one note on some systems")
    return notes


def read_own(bundle: Bundle) -> Findings:
    """Read somebody else's export: its live facts, and its other notes."""
    facts: list[FoundFact] = []
    notes: list[FoundNote] = []
    left: list[LeftOut] = []
    for path, data in notes_of(bundle).items():
        try:
            text = decode(data)
        except BadText as error:
            left.append(LeftOut(path, error.why))
            continue
        if category_of(path) is None:
            notes.append(FoundNote(path.removeprefix("memory/").removesuffix(".md"), text, path))
            continue
        for fact in facts_in(data, path):
            where = f"{path}#{fact.line}"
            if fact.struck:
                left.append(LeftOut(where, "another fact superseded it"))
                continue
            importance = None
            if fact.importance != IMPORTANCE:
                importance = fact.importance
            fields = (importance, fact.observed, fact.valid_from, fact.valid_until)
            facts.append(FoundFact(fact.text, where, fact.category, *fields))
    return Findings(tuple(facts), tuple(notes), tuple(left))


def _of_zip(bundle: Bundle) -> dict[str, bytes]:
    manifest = _check_header(bundle, parse_json(bundle.read(MANIFEST, MAX_NOTE_BYTES * 8), MANIFEST))
    hashes = manifest.get("notes")
    if not isinstance(hashes, Mapping):
        raise _damage_error(bundle, f"{MANIFEST} names no notes")
    notes: dict[str, bytes] = {}
    for path, expected in hashes.items():
        if path not in bundle.names:
            raise _damage_error(bundle, f"{path!r} is missing")
        notes[path] = _same(bundle, path, bundle.read(path, MAX_NOTE_BYTES), expected)
    return notes


def _of_lines(bundle: Bundle) -> dict[str, bytes]:
    name = bundle.names[0]
    first, *lines = bundle.read(name).split(b"\n")
    _check_header(bundle, parse_json(first, f"{name}, line 1"))
    notes: dict[str, bytes] = {}
    end: Mapping[str, Any] | None = None
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        row = parse_json(line, f"{name}, line {number}")
        if not isinstance(row, Mapping) or end is not None:
            raise _damage_error(bundle, f"line {number} should not be there")
        if row.get("kind") == "note":
            path = row.get("path")
            if not isinstance(path, str) or path in notes:
                raise _damage_error(bundle, f"line {number} names no note, or one that was there before")
            notes[path] = _same(bundle, path, _content(bundle, row, path), row.get("sha256"))
        elif row.get("kind") == "end":
            end = row
    if end is None or end.get("notes") != len(notes):
        raise _damage_error(bundle, "it is cut off")
    return notes


def _content(bundle: Bundle, row: Mapping[str, Any], path: str) -> bytes:
    try:
        if isinstance(text := row.get("text"), str):
            return text.encode("utf-8")
        if isinstance(held := row.get("base64"), str):
            return b64decode(held, validate=True)
    except (UnicodeEncodeError, NotBase64) as error:
        raise _damage_error(bundle, f"{path!r} can't be read") from error
    raise _damage_error(bundle, f"{path!r} has no text")


def _same(bundle: Bundle, path: str, data: bytes, expected: object) -> bytes:
    if hashlib.sha256(data).hexdigest() != expected:
        raise _damage_error(bundle, f"{path!r} is not what was exported")
    return data


def _check_header(bundle: Bundle, head: object) -> Mapping[str, Any]:
    if not isinstance(head, Mapping) or head.get("kind") != KIND:
        raise _damage_error(bundle, "it does not begin as an export does")
    if head.get("format") != FORMAT:
        why = f"{bundle.shown!r} has format {head.get('format')!r}, and this version reads {FORMAT}; use a newer one"
        raise BadArgument("file", why)
    return head


def _damage_error(bundle: Bundle, why: str) -> BadArgument:
    return BadArgument("file", f"{bundle.shown!r} is no whole export: {why}")
