"""A folder of Markdown notes, as any editor keeps them, or one such note → notes of the same names in memory/."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from holdfast.errors import BadPath, BadText, HoldfastError
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.findings import Findings, FoundNote, LeftOut
from holdfast.exchange.format_text import foreign
from holdfast.guard.paths import owner_writable_path, twin_key
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode

__all__ = ["ENDINGS", "read_markdown"]

ENDINGS: Final = (".md", ".markdown")


def read_markdown(bundle: Bundle) -> Findings:
    """Every Markdown file, with the path that it has below memory/: in a folder that is called as this one is."""
    notes: list[FoundNote] = []
    left: list[LeftOut] = []
    taken = {twin_key(name) for name in bundle.names}
    for name in bundle.names:
        if not name.lower().endswith(ENDINGS):
            continue
        below = _note_name(name, taken)
        if bundle.single:
            below = below.lstrip(".")  # whoever names a hidden file means it
        try:
            path = owner_writable_path(f"memory/{below}" if bundle.single else f"memory/{bundle.title}/{below}").text
            text = decode(bundle.read(name, MAX_NOTE_BYTES))
        except (BadPath, BadText) as error:
            left.append(LeftOut(name, error.why))
        except HoldfastError as error:
            left.append(LeftOut(name, str(error)))
        else:
            notes.append(FoundNote(below.removesuffix(".md"), text, name, path))
    if not notes and not left:
        raise foreign(bundle.shown, "markdown", "it is a folder of files that end in .md")
    return Findings((), tuple(notes), tuple(left))


def _note_name(name: str, taken: Collection[str]) -> str:
    """The name as a note has it: x.markdown is x.md, unless that stands beside it."""
    stem, _, ending = name.rpartition(".")
    if ending.lower() != "md" and twin_key(f"{stem}.md") in taken:
        return f"{name}.md"
    return f"{stem}.md"
