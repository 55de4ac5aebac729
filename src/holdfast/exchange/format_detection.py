"""Find out which program wrote a file or folder, and what it holds."""

from __future__ import annotations

import json
import re
from typing import Final

from holdfast.errors import BadArgument
from holdfast.exchange.bundle import Bundle
from holdfast.exchange.chatgpt_export import read_chatgpt
from holdfast.exchange.claude_export import read_claude
from holdfast.exchange.conversations import CONVERSATIONS
from holdfast.exchange.findings import Findings, Source
from holdfast.exchange.holdfast_bundle import is_own, read_own
from holdfast.exchange.markdown_folder import ENDINGS, read_markdown
from holdfast.exchange.mem0 import looks_like_mem0, read_mem0
from holdfast.exchange.openclaw import read_openclaw
from holdfast.exchange.workspaces import read_folder

__all__ = ["read_bundle", "source_of"]

# What only these programs have. MEMORY.md, memory/, AGENTS.md and projects/ are in many a folder of plain notes.
_MOLTIS_FILES: Final = frozenset(("moltis.toml", "moltis.db"))
_OPENCLAW_CONFIG: Final = "openclaw.json"
_OPENCLAW_FILES: Final = frozenset(("SOUL.md", "HEARTBEAT.md"))
_CLAUDE_CODE_PLACE: Final = re.compile(r"/\.claude/projects/")
# A project is named as its path is, with a dash for each sign that is no letter: -home-ada-orion, C--Users-ada.
_CLAUDE_CODE_NAME: Final = re.compile(r"(?:projects/)?(?:[A-Za-z]-)?-[^/]+/memory/")


def read_bundle(bundle: Bundle, source: Source) -> Findings:
    """Read a bundle as a file of this program."""
    if source in (Source.MOLTIS, Source.CLAUDE_CODE):
        found = read_folder(bundle, source)
    else:
        readers = {
            Source.HOLDFAST: read_own,
            Source.CHATGPT: read_chatgpt,
            Source.CLAUDE: read_claude,
            Source.MEM0: read_mem0,
            Source.OPENCLAW: read_openclaw,
            Source.MARKDOWN: read_markdown,
        }
        found = readers[source](bundle)
    return found._replace(left_out=(*bundle.left_out, *found.left_out))


def source_of(bundle: Bundle) -> Source:
    """The program that wrote it, by what it looks like; refused where that is not plain."""
    found = (
        _own_or_conversations(bundle)
        or _folder(bundle)
        or _source_by_content(bundle)
        or _mem0(bundle)
        or _notes(bundle)
    )
    if found is None:
        known = ", ".join(Source)
        raise BadArgument("file", f"{bundle.shown!r} is not known for what it is; say where it is from: {known}")
    return found


def _own_or_conversations(bundle: Bundle) -> Source | None:
    if not bundle.names:
        raise BadArgument("file", f"{bundle.shown!r} {_emptiness(bundle)}")
    if is_own(bundle):
        return Source.HOLDFAST
    for name in bundle.names:
        base = name.rpartition("/")[2]
        if CONVERSATIONS.fullmatch(name) or base in ("memories.json", "memory.json") or "memories/" in name:
            head = bundle.head(name)
            if b'"chat_messages"' in head or b'"conversations_memory"' in head:
                return Source.CLAUDE
            if b'"mapping"' in head or (base == "memory.json" and b'"content"' in head):
                return Source.CHATGPT
    return None


def _source_by_content(bundle: Bundle) -> Source | None:
    """Return the program that wrote a renamed file, by what it holds."""
    for name in bundle.names:
        if bundle.single or name.endswith(".json"):
            head = bundle.head(name)
            if (b'"chat_messages"' in head and b'"sender"' in head) or b'"conversations_memory"' in head:
                return Source.CLAUDE
            if b'"mapping"' in head and b'"author"' in head:
                return Source.CHATGPT
            if bundle.single and b'"content"' in head and b'"enabled"' in head:
                return Source.CHATGPT
    return None


def _folder(bundle: Bundle) -> Source | None:
    if bundle.single:
        return None
    bases = {name.rpartition("/")[2] for name in bundle.names}
    if bases & _MOLTIS_FILES:
        return Source.MOLTIS
    if _OPENCLAW_CONFIG in bases or _is_openclaw_workspace(bundle):
        return Source.OPENCLAW
    is_theirs = _CLAUDE_CODE_PLACE.search(f"{bundle.root or ''}/") is not None
    if is_theirs or any(_CLAUDE_CODE_NAME.match(name) for name in bundle.names):
        return Source.CLAUDE_CODE
    return None


def _is_openclaw_workspace(bundle: Bundle) -> bool:
    """Say whether a folder has a file that only OpenClaw reads beside a memory."""
    folders = [name.rpartition("/")[0] for name in bundle.names if name.rpartition("/")[2] in _OPENCLAW_FILES]
    for folder in folders:
        above = f"{folder}/" if folder else ""
        if any(name == f"{above}MEMORY.md" or name.startswith(f"{above}memory/") for name in bundle.names):
            return True
    return False


def _emptiness(bundle: Bundle) -> str:
    if not bundle.left_out:
        return "is empty"
    where, why = bundle.left_out[0]
    return f"holds nothing that can be imported: {where!r}: {why}"


def _notes(bundle: Bundle) -> Source | None:
    if not any(name.lower().endswith(ENDINGS) for name in bundle.names):
        return None
    return Source.MARKDOWN


def _mem0(bundle: Bundle) -> Source | None:
    for name in bundle.names:
        if bundle.single or name.endswith((".json", ".jsonl", ".ndjson")):
            line = bundle.head(name).lstrip().split(b"\n", 1)[0]
            if _is_mem0(line) or (not name.endswith((".jsonl", ".ndjson")) and _is_mem0(bundle.read(name))):
                return Source.MEM0
    return None


def _is_mem0(data: bytes) -> bool:
    try:
        return looks_like_mem0(json.loads(data.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return False
