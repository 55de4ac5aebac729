"""Notes and search, where a request is more than its operation: an ETag is the hash of a note, a plan is confirmed.

Each function stands around an operation or shows its result; `tree` alone is a route of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from holdfast.checkpoints.change import sent_before
from holdfast.errors import BadArgument, ChunkNotFound, NoteChangedOutside, NoteNotFound, TwinPath
from holdfast.forgetting.forget_candidates import why_not_changed
from holdfast.forgetting.memory_forget import Forgot
from holdfast.memory import Memory
from holdfast.operations.image_view import ImageView
from holdfast.operations.memory_delete import Deleted
from holdfast.operations.memory_get import Got
from holdfast.operations.memory_save import Saved
from holdfast.operations.note_result import Written
from holdfast.search.hit import Results
from holdfast.surfaces.http.confirmation import plan_hash
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.parameters import Header
from holdfast.surfaces.http.responses import PackedJson, Raw, Reply
from holdfast.surfaces.http.server_state import ServerState

IfMatch = Annotated[str | None, Header("If-Match"), "Only if the note has this ETag; `*`: only if there is one."]
IfNoneMatch = Annotated[str | None, Header("If-None-Match"), "`*`: only if there is no such note."]
IfNew = Annotated[str | None, Header("If-None-Match"), "Nothing new (304) if this is its ETag."]

# A file is somebody else's: opened by itself it may do nothing at all.
_OF_IMAGES = (
    ("Content-Security-Policy", "default-src 'none'; sandbox"),
    ("Content-Disposition", "attachment"),
    ("Cache-Control", "no-store"),
)


def hits_shown(
    results: Results, explain: Annotated[bool, "Also the parts that each score is made of."] = False
) -> dict[str, Any]:
    """Show the hits of a search."""
    return results.to_json(explain=explain)


def chunk(run: Callable[..., Got], chunk_id: Annotated[str, "The chunk_id of a hit, or <path>:<line>."]) -> Got:
    """Return the chunk behind a hit."""
    got = run()
    if got.status != "ok":
        raise ChunkNotFound(chunk_id)
    return got


def image_shown(image: ImageView) -> Raw:
    """Give an image as it is, for nothing but to be looked at."""
    return Raw(image.data, image.media, headers=_OF_IMAGES)


def tree(memory: Memory, server: ServerState, if_none_match: IfNew = None) -> Reply | PackedJson:
    """All notes by path, as rows of path, bytes, seconds since 1970 and source; no note is read."""
    found = server.trees.now(memory.ctx)
    headers = (("ETag", f'"{found.generation}"'),)
    if if_none_match is not None and _names(if_none_match, found.generation, weak=True):
        return Reply(None, 304, headers)
    return PackedJson(found.plain, found.packed, headers)


def save(
    run: Callable[..., Saved],
    memory: Memory,
    file: str | None = None,
    expected_hash: str | None = None,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Write text to a note, MEMORY.md unless told otherwise."""
    if if_match is not None or if_none_match is not None:
        if expected_hash is not None:
            raise BadArgument("expected_hash", "the headers say already which note is expected; give one of both")
        expected_hash = _expected_hash(memory, file or "MEMORY.md", if_match, if_none_match)
    saved = run(expected_hash=expected_hash)
    return _with_etag(saved.to_json(), saved)


def append(
    run: Callable[..., Saved],
    memory: Memory,
    file: Annotated[str, "MEMORY.md or memory/<name>.md."],
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Add text to the end of a note; where there is none, make it."""
    return save(run, memory, file, None, if_match, if_none_match)


def put(
    run: Callable[..., Written],
    memory: Memory,
    path: str,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Reply:
    """Make a note, or replace all of it; only its new lines count toward the limit."""
    made = run(expected_hash=_expected_hash(memory, path, if_match, if_none_match))
    return _with_etag(made.to_json() | {"bytes_written": made.bytes}, made)


def rename(
    run: Callable[..., Written], memory: Memory, path: str, new_path: str, if_match: IfMatch = None
) -> dict[str, Any]:
    """Give a note another name; both steps are one change."""
    try:
        made = run(expected_hash=_expected_hash(memory, path, if_match, None, "renamed"))
    except NoteChangedOutside as error:
        if error.expected:
            raise
        twin = TwinPath(new_path, error.path)  # there is one of that name already
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


def remove(
    run: Callable[..., Deleted],
    memory: Memory,
    path: str,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Deleted:
    """Delete a note; the checkpoint brings it back."""
    return run(expected_hash=_expected_hash(memory, path, if_match, if_none_match, "deleted"))


def delete_text(
    run: Callable[..., Deleted],
    memory: Memory,
    file: str,
    text: Annotated[str, "The exact text to remove."],
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Deleted:
    """Remove exact text from a note."""
    return run(text=text, expected_hash=_expected_hash(memory, file, if_match, if_none_match, "deleted"))


def read(
    run: Callable[..., Got],
    memory: Memory,
    path: str,
    whole: Annotated[bool, "All of the note instead of some lines."] = False,
    if_match: Annotated[str | None, Header("If-Match"), "Only (else 412) if this is its ETag."] = None,
    if_none_match: IfNew = None,
) -> Reply:
    """Return lines of a note, or all of it."""
    if whole:
        all_of_it = memory.notes.read(path)
        why = why_not_changed(memory.ctx, path)
        found, shown = all_of_it.hash, all_of_it.to_json() | {"writable": not why, "because": why}
    else:
        got = run()
        if got.status != "ok":
            raise NoteNotFound(path)
        found, shown = got.hash or "", got.to_json()
    headers = (("ETag", f'"{found}"'),)
    _refuse_empty(path, if_match, found)
    if if_match is not None and not _names(if_match, found):
        why = f"{path!r} has another ETag than the one you expect. Read it without If-Match to see what it says now."
        raise _changed_error(path, if_match, found, why)
    if if_none_match is not None and _names(if_none_match, found, weak=True):
        return Reply(None, 304, headers)
    return Reply(shown, headers=headers)


def forget(
    run: Callable[..., Forgot],
    memory: Memory,
    server: ServerState,
    visitor: Visitor,
    request: str = "",
    text: str | None = None,
    dry_run: bool = False,
    limit: int = 6,
    everywhere: bool = False,
    plan: Annotated[str | None, "For a page, with everywhere: the `plan` of a dry run of the same."] = None,
    word: Annotated[str | None, "For a page, with everywhere: forget."] = None,
) -> dict[str, Any]:
    """Remove what says something, or an exact text; a dry run shows what would go, and names that `plan`."""

    def shown() -> str:
        """The name of the whole plan: whoever ticks some places of it has seen them all."""
        whole = run(dry_run=True, confirmed=False, places=())
        return plan_hash("forget", memory.agent, [request, text, limit, everywhere], whole.to_json())

    if dry_run:
        server.plans.note(named := shown())
        return run().to_json() | {"plan": named}
    if everywhere and visitor.browser:
        server.plans.require(shown(), plan, word, "forget")
    return run().to_json()


def _with_etag(shown: dict[str, Any], made: Saved | Written) -> Reply:
    """Return what was written, with the ETag of what it made: others may write to the note right now."""
    headers = (("ETag", f'"{made.hash}"'),) if made.hash else ()
    return Reply(shown, 200 if made.existed else 201, headers)


def _expected_hash(
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
        raise _changed_error(
            path, if_match, found, f"{path!r} is not there; nothing was deleted. It may be gone already."
        )
    if if_match is not None and not (found and _names(if_match, found)):
        raise NoteChangedOutside(path, if_match, found)
    # From here on the lock decides: what is written in between is found by its hash.
    return found


def _refuse_empty(path: str, if_match: str | None, found: str) -> None:
    """An empty condition holds for no note; who sends one has lost the ETag that was to stand there."""
    if if_match is not None and not if_match.strip():
        why = f"The If-Match for {path!r} is empty, and no ETag is; nothing was done. Send its ETag, or `*` for any."
        raise _changed_error(path, if_match, found, why)


def _changed_error(path: str, expected: str, found: str, why: str) -> NoteChangedOutside:
    """The same error in the words of who reads or deletes: nothing was about to be overwritten."""
    error = NoteChangedOutside(path, expected, found)
    error.args = (why,)
    return error


def _names(header: str, found: str, *, weak: bool = False) -> bool:
    """Say whether a list of ETags holds this one, or is `*`; one that is weak is no promise for a change."""
    tags = [tag.strip() for tag in header.split(",")]
    return tags == ["*"] or f'"{found}"' in tags or (weak and f'W/"{found}"' in tags)
