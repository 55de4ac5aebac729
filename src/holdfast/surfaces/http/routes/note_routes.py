"""Search and notes: find, list, read, save and delete. An ETag is the hash of the note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from holdfast.checkpoints.change import sent_before
from holdfast.errors import BadArgument, ChunkNotFound, NoteChangedOutside, NoteNotFound, TwinPath
from holdfast.forgetting.forget_candidates import why_not_changed
from holdfast.forgetting.memory_forget import Forgot
from holdfast.memory import Memory
from holdfast.operations.memory_delete import Deleted
from holdfast.operations.memory_get import Got
from holdfast.operations.memory_save import Saved
from holdfast.search.hit import Results
from holdfast.surfaces.http.confirmation import plan_hash
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.parameters import Header
from holdfast.surfaces.http.responses import Packed, Reply
from holdfast.surfaces.http.server_state import House

IfMatch = Annotated[str | None, Header("If-Match"), "Only if the note has this ETag; `*`: only if there is one."]
IfNoneMatch = Annotated[str | None, Header("If-None-Match"), "`*`: only if there is no such note."]
Content = Annotated[str, "The Markdown text, at most 50 KB."]
Path = Annotated[str, "MEMORY.md or memory/<name>.md."]


def hits_shown(
    results: Results, explain: Annotated[bool, "Also the parts that each score is made of."] = False
) -> Reply:
    """Find the lines of the notes that answer a question."""
    return Reply(results.to_json(explain=explain))


def tree(
    memory: Memory,
    house: House,
    if_none_match: Annotated[str | None, Header("If-None-Match"), "Nothing new (304) if this is its ETag."] = None,
) -> Reply | Packed:
    """All notes by path, as rows of path, bytes, seconds since 1970 and source; no note is read."""
    found = house.trees.now(memory.ctx)
    headers = (("ETag", f'"{found.generation}"'),)
    if if_none_match is not None and _names(if_none_match, found.generation, weak=True):
        return Reply(None, 304, headers)
    return Packed(found.plain, found.packed, headers)


def save(
    memory: Memory,
    content: Content,
    file: Annotated[str | None, "MEMORY.md (the default) or memory/<name>.md."] = None,
    append: Annotated[bool, "Add to the end (true) or replace the whole note (false)."] = True,
    expected_hash: Annotated[str | None, "Only if the note still has this hash; '' if it must not exist."] = None,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Write text to a note, MEMORY.md unless told otherwise."""
    if if_match is not None or if_none_match is not None:
        if expected_hash is not None:
            raise BadArgument("expected_hash", "the headers say already which note is expected; give one of both")
        expected_hash = _expected(memory, file or "MEMORY.md", if_match, if_none_match)
    return _tagged(memory.save(content, file=file, append=append, expected_hash=expected_hash))


def read(
    memory: Memory,
    path: Annotated[str, "MEMORY.md or memory/<name>.md."],
    from_: Annotated[int, "The first line, counted from 1."] = 1,
    lines: Annotated[int, "How many lines."] = 120,
    whole: Annotated[bool, "All of the note instead of some lines."] = False,
    if_match: Annotated[str | None, Header("If-Match"), "Only (else 412) if this is its ETag."] = None,
    if_none_match: Annotated[str | None, Header("If-None-Match"), "Nothing new (304) if this is its ETag."] = None,
) -> Reply:
    """Lines of a note, or all of it."""
    if whole:
        all_of_it = memory.notes.read(path)
        why = why_not_changed(memory.ctx, path)
        found, shown = all_of_it.hash, all_of_it.to_json() | {"writable": not why, "because": why}
    else:
        got = memory.get(path, from_line=from_, lines=lines)
        if got.status != "ok":
            raise NoteNotFound(path)
        found, shown = got.hash or "", got.to_json()
    headers = (("ETag", f'"{found}"'),)
    _refuse_empty(path, if_match, found)
    if if_match is not None and not _names(if_match, found):
        why = f"{path!r} has another ETag than the one you expect. Read it without If-Match to see what it says now."
        raise _failed(path, if_match, found, why)
    if if_none_match is not None and _names(if_none_match, found, weak=True):
        return Reply(None, 304, headers)
    return Reply(shown, headers=headers)


def put(
    memory: Memory,
    path: Path,
    content: Annotated[str, "The whole text; of it, at most 50 KB may be new."],
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Make a note, or replace all of it; only its new lines count toward the limit."""
    expected = _expected(memory, path, if_match, if_none_match)
    made = memory.notes.write(path, content, expected_hash=expected)
    headers = (("ETag", f'"{made.hash}"'),) if made.hash else ()
    return Reply(made.to_json() | {"bytes_written": made.bytes}, 200 if made.existed else 201, headers)


def rename(
    memory: Memory,
    path: Path,
    to: Annotated[str, "The path it is to have."],
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Give a note another name; both steps are one change."""
    expected = _expected(memory, path, if_match, None, "renamed")
    try:
        made = memory.notes.rename(path, to, expected_hash=expected)
    except NoteChangedOutside as error:
        if error.expected:
            raise
        twin = TwinPath(to, error.path)  # there is one of that name already
        twin.args = (f"{error.path!r} is there already; nothing was renamed. Choose another name.",)
        raise twin from error
    return {
        "renamed": True,
        "from": path,
        "path": made.path,
        "hash": made.hash,
        "checkpointId": made.checkpoint_id,
        "checkpointIds": list(made.checkpoint_ids),
    }


def append(
    memory: Memory,
    path: Annotated[str, "MEMORY.md or memory/<name>.md."],
    content: Content,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Add text to the end of a note; where there is none, make it."""
    expected = _expected(memory, path, if_match, if_none_match)
    return _tagged(memory.save(content, file=path, expected_hash=expected))


def remove(
    memory: Memory,
    path: Annotated[str, "MEMORY.md or memory/<name>.md."],
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Deleted:
    """Delete a note; the checkpoint brings it back."""
    return memory.notes.delete(path, expected_hash=_expected(memory, path, if_match, if_none_match, "deleted"))


def delete_text(
    memory: Memory,
    path: Annotated[str, "MEMORY.md or memory/<name>.md."],
    text: Annotated[str, "The exact text to remove."],
    all_matches: Annotated[bool, "Remove every exact match instead of only the first."] = False,
    delete_if_empty: Annotated[bool, "Delete the note if only white space is left."] = True,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Deleted:
    """Remove exact text from a note."""
    expected = _expected(memory, path, if_match, if_none_match, "deleted")
    return memory.delete(
        path, text=text, all_matches=all_matches, delete_if_empty=delete_if_empty, expected_hash=expected
    )


def chunk(memory: Memory, id_: Annotated[str, "The chunk_id of a hit, or <path>:<line>."]) -> Got:
    """The chunk behind a hit."""
    found = memory.get(chunk_id=id_)
    if found.status != "ok":
        raise ChunkNotFound(id_)
    return found


def forget(
    memory: Memory,
    house: House,
    visitor: Visitor,
    request: Annotated[str, "What is to be forgotten, in own words."] = "",
    text: Annotated[str | None, "Or its exact text."] = None,
    dry_run: Annotated[bool, "Only show what would go."] = False,
    limit: Annotated[int, "In how many places at the most."] = 6,
    everywhere: Annotated[bool, "Exports, transcripts and checkpoints too, for good."] = False,
    confirmed: Annotated[bool, "More at once than a model may choose by itself."] = False,
    places: Annotated[list[str] | None, "Just these of what a dry run showed: memory/a.md#3, …"] = None,
    plan: Annotated[str | None, "For a page, with everywhere: the `plan` of a dry run of the same."] = None,
    word: Annotated[str | None, "For a page, with everywhere: forget."] = None,
) -> dict[str, Any]:
    """Remove what says something, or an exact text; a dry run shows what would go, and names that `plan`."""

    def run(dry: bool, sure: bool = confirmed, only: Sequence[str] = tuple(places or ())) -> Forgot:
        return memory.forget(
            request, text=text, dry_run=dry, limit=limit, everywhere=everywhere, confirmed=sure, places=only
        )

    def shown() -> str:
        """The name of the whole plan: whoever ticks some places of it has seen them all."""
        asked = [request, text, limit, everywhere]
        return plan_hash("forget", memory.agent, asked, run(True, False, ()).to_json())

    if dry_run:
        house.plans.note(named := shown())
        return run(True).to_json() | {"plan": named}
    if everywhere and visitor.browser:
        house.plans.require(shown(), plan, word, "forget")
    return run(False).to_json()


def _tagged(saved: Saved) -> Reply:
    """Return what was saved, with the ETag of what it made: others may write to the note right now."""
    headers = (("ETag", f'"{saved.hash}"'),) if saved.hash else ()
    return Reply(saved.to_json(), 200 if saved.existed else 201, headers)


def _expected(
    memory: Memory, path: str, if_match: str | None, if_none_match: str | None, done: str = "written"
) -> str | None:
    """The hash that the note must have, "" where there must be none; None where the caller does not care."""
    if if_match is None and if_none_match is None:
        return None
    found = memory.notes.hash_of(path)
    if sent_before(memory.ctx.workspace):
        return None  # the condition held when the request came first; what it did is told again
    _refuse_empty(path, if_match, found)
    if if_none_match is not None and found and _names(if_none_match, found, weak=True):
        raise NoteChangedOutside(path, "", found)
    if if_match is not None and not found and done == "deleted":
        raise _failed(path, if_match, found, f"{path!r} is not there; nothing was deleted. It may be gone already.")
    if if_match is not None and not (found and _names(if_match, found)):
        raise NoteChangedOutside(path, if_match, found)
    # From here on the lock decides: what is written in between is found by its hash.
    return found


def _refuse_empty(path: str, if_match: str | None, found: str) -> None:
    """An empty condition holds for no note; who sends one has lost the ETag that was to stand there."""
    if if_match is not None and not if_match.strip():
        why = f"The If-Match for {path!r} is empty, and no ETag is; nothing was done. Send its ETag, or `*` for any."
        raise _failed(path, if_match, found, why)


def _failed(path: str, expected: str, found: str, why: str) -> NoteChangedOutside:
    """The same error in the words of who reads or deletes: nothing was about to be overwritten."""
    error = NoteChangedOutside(path, expected, found)
    error.args = (why,)
    return error


def _names(header: str, found: str, *, weak: bool = False) -> bool:
    """Say whether a list of ETags holds this one, or is `*`; one that is weak is no promise for a change."""
    tags = [tag.strip() for tag in header.split(",")]
    return tags == ["*"] or f'"{found}"' in tags or (weak and f'W/"{found}"' in tags)
