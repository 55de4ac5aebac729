"""memory_save: write something down."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate
from holdfast.checkpoints.change import Change, earlier_changes, note_before, put_note, sent_before
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.save_target import target
from holdfast.errors import (
    BadArgument,
    BadText,
    NoteChangedOutside,
    NotPermitted,
    TooLarge,
    WriteModeRefused,
)
from holdfast.guard.paths import INBOX, NotePath
from holdfast.guard.text_rules import BOM, MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, decode, keep_bom, without_secrets
from holdfast.markdown.agent_section import BREAK, HEADING, find_agent_section
from holdfast.markdown.block_diff import stands_apart
from holdfast.markdown.statements import leaves_open
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.facts.fact import Fact

__all__ = [
    "Saved",
    "add_to_note",
    "append_block",
    "memory_save",
    "new_lines",
    "replace_text",
    "save_aside",
    "with_true_marks",
]

_TOOL = "memory_save"
_APPEND_TRIES = 5  # an editor that saves more often than that within moments is no editor
_BULLET = compile_late(rb"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")


class Saved(Value):
    """The result of a save: what was written, and the checkpoint that undoes it.

    `because` says why it can't be found yet, if it can't.

    Where the note says all of it already, nothing is written, without a checkpoint; `because` says where it stands.
    Where it `waits`, MEMORY.md is as it was, and `path` is the inbox, in which the text waits for the owner.
    """

    path: str
    bytes_written: int
    checkpoint_id: str
    because: str = ""
    waits: bool = False
    hash: str = ""
    """That of the note as this save left it; "" where nothing was written."""
    existed: bool = True
    """Whether there was such a note before."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "saved": not self.waits,
            "path": self.path,
            "bytes_written": self.bytes_written,
            "checkpointId": self.checkpoint_id,
        }
        if self.waits:
            shown["waits"] = True
        if self.because:
            shown["because"] = self.because
        return shown


def memory_save(
    ctx: Context,
    content: Annotated[str, "The Markdown text to save, at most 50 KB."],
    *,
    file: Annotated[
        str | None,
        "MEMORY.md (the default; in every prompt: a sentence that the user typed is kept at once when you save it word "
        "for word, and anything else waits in the inbox until the owner approves it) or memory/<name>.md (found by "
        "search).",
    ] = None,
    append: Annotated[bool, "Add to the end of the note (true) or replace the whole note (false)."] = True,
    expected_hash: Annotated[str | None, "Save only if the note still has this hash; '' if it must not exist."] = None,
) -> Saved:
    """Save text to long-term memory. It can be found at once; checkpointId undoes it with checkpoint_restore.

    For programs: `.checkpoint_id` is "" where the note says all of it already, and nothing was written. A program's
    text for MEMORY.md waits in `memory.inbox` until the owner approves it, unless the user typed it.
    """
    path = target(ctx, file)
    text = _checked_text(ctx, content)
    earlier = sent_before(ctx.workspace)
    if earlier:
        return _answer(ctx, earlier, len(text.encode()), [])
    gate = PromptGate(ctx, path)
    gate.prepare(text)
    draft, changes = _write_patiently(_Request(ctx, path, text, gate, append, expected_hash))
    if changes:
        return _answer(ctx, changes, len(draft.text.encode()), draft.known)
    if draft.held is not None:
        return save_aside(ctx, draft.text, draft.held, _TOOL)
    if draft.repeats is not None:
        return _reinforce_fact(ctx, draft.repeats, draft.known)
    return Saved(ctx.workspace.spot(path).path, 0, "", known_message(draft.known))


def _require_readable(path: NotePath, old: bytes | None) -> None:
    """Refuse to add to a file that is not text: no search would find it, and another encoding would break."""
    try:
        decode(old or b"")
    except BadText as error:
        why = f"{path.text!r} is no note that could be added to: {error.why} in line {error.line}"
        raise BadArgument("file", f"{why}; save it as UTF-8, or choose another") from error


def _checked_text(ctx: Context, content: object) -> str:
    """Return the text as it may be written: not empty, not too long, and without secrets."""
    if not isinstance(content, str) or not content.strip():
        raise BadArgument("content", "it is empty; say what to remember")
    text = without_secrets(admit(content, "content"), ctx.settings.memory.secrets)
    size = len(text.encode("utf-8"))
    if size > MAX_WRITE_BYTES:
        raise TooLarge("content", size, MAX_WRITE_BYTES)
    return text


def _answer(ctx: Context, changes: Sequence[Change], size: int, known: Sequence[str]) -> Saved:
    """Return what a save did, by its changes: they may be those of the same request when it came first."""
    from holdfast.operations.inbox_deposit import waiting_reason, waits_because

    late = ctx.notes_changed(changes)
    why = waiting_reason(changes[0])
    if why is not None:
        because = "; ".join(filter(None, (waits_because(why), late)))
        return _saved(changes[0], size, because).replace(waits=True)
    if len(changes) > 1:
        moved = "what was captured of it as a fact stands here now"
    else:
        moved = ""
    because = "; ".join(filter(None, (known_message(known), moved, late)))
    return _saved(changes[0], size, because)


def _saved(change: Change, size: int, because: str) -> Saved:
    existed = change.before is not None
    return Saved(change.path, size, change.id, because, hash=change.after or "", existed=existed)


class _Request(NamedTuple):
    """A save as it was asked for: a text, the note it goes to, and how."""

    ctx: Context
    path: NotePath
    text: str
    gate: PromptGate
    append: bool
    expected_hash: str | None


class _Draft(NamedTuple):
    """The outcome of a save: the new bytes of the note, or what keeps it as it is."""

    text: str
    """What is new of the text that was to be saved."""
    known: Sequence[str]
    """The places where the rest of it stands already."""
    note: bytes | None = None
    """The note with the text; None where it stays as it is."""
    repeats: Fact | None = None
    """The fact that the text only repeats."""
    held: str | None = None
    """Why it must be approved first."""


def _write_patiently(request: _Request) -> tuple[_Draft, list[Change]]:
    """Change the note; whoever adds to it whatever it says adds to what an editor made of it meanwhile, too."""
    if request.append and request.expected_hash is None:
        for _ in range(_APPEND_TRIES - 1):
            with suppress(NoteChangedOutside):
                return _write(request)
    return _write(request)


def _write(request: _Request) -> tuple[_Draft, list[Change]]:
    """Change the note, if anything in the text is new; captured facts that say the same go with it as one change."""
    from holdfast.facts.fact_twins import captured_twins, removal_steps

    ctx = request.ctx
    with locked_store(ctx.workspace) as store:
        earlier = earlier_changes(store)
        if earlier:
            return _Draft(request.text, []), earlier
        before = note_before(store, request.path, expected_hash=request.expected_hash)
        # Under the lock: what another process added or captured a moment ago is not added again.
        draft = _draft(request, before.data)
        if draft.note is None:
            return draft, []
        if draft.note == before.data:
            return draft._replace(known=[before.path.text]), []
        authorship = ctx.authorship(_TOOL, "append" if request.append else "replace")
        twins = captured_twins(ctx, request.path, request.text)
        if not twins:
            return draft, [put_note(store, before, draft.note, authorship)]
        from holdfast.checkpoints.group import Step, apply_group

        steps = [Step(before.path.text, draft.note, before.hash), *removal_steps(ctx, twins)]
        return draft, apply_group(store, steps, authorship)


def _draft(request: _Request, old: bytes | None) -> _Draft:
    """Decide what a save makes of the bytes of a note."""
    ctx, path, gate = request.ctx, request.path, request.gate
    if request.append:
        news = _find_news(ctx, path, old, request.text)
        if news.known and not news.text.strip():
            return _Draft(news.text, news.known, None if news.note == old else news.note, news.repeats)
        changed = add_to_note(ctx, path, news.note, news.text.encode(), gate)
    else:
        news = _News(request.text, old)
        changed = replace_text(old, request.text.encode())
    new = with_true_marks(ctx, path.text, news.note, changed)
    if len(new) > MAX_NOTE_BYTES:
        raise TooLarge(f"note {path.text}", len(new), MAX_NOTE_BYTES)
    try:
        gate.check(old, new)
    except NeedsApproval as held:
        return _Draft(news.text, news.known, held=held.why)
    if request.append:
        _require_readable(path, old)
    return _Draft(news.text, news.known, new)


def new_lines(ctx: Context, path: NotePath, text: str) -> tuple[str, list[Fact]]:
    """Return an agent's text without the lines that only say what a fact says, and these facts."""
    from holdfast.facts.fact_twins import known_lines

    known = known_lines(ctx, path, text)
    if not known:
        return text, []
    left = "\n".join(line for number, line in enumerate(text.split("\n")) if number not in known)
    return left, list(dict.fromkeys(known.values()))


def _reinforce_fact(ctx: Context, fact: Fact, known: Sequence[str]) -> Saved:
    """Strengthen the fact that a text only repeats."""
    from holdfast.facts.fact import Draft
    from holdfast.operations.facts_store import store_fact

    stored = store_fact(ctx, Draft(fact.text, fact.category), tool=_TOOL)
    because = "; ".join(filter(None, (known_message(known), stored.because)))
    if not stored.checkpoint_ids:
        return Saved(stored.path, 0, "", because)
    from holdfast.checkpoints.change_history import find_change

    return _saved(find_change(ctx.workspace, stored.checkpoint_ids[0]), 0, because).replace(path=stored.path)


class _News(NamedTuple):
    """The part of a text that is new to a note, that note, and the places where the rest stands already."""

    text: str
    note: bytes | None
    known: Sequence[str] = ()
    repeats: Fact | None = None
    """A fact of other notes that says all of it."""


def _find_news(ctx: Context, path: NotePath, old: bytes | None, text: str) -> _News:
    """Leave out of a text what the note or a fact says already."""
    text, facts = new_lines(ctx, path, text)
    known = fact_places(facts)
    if facts and not text.strip():
        return _News(text, old, known, repeats=facts[0])
    news = _news_in_note(ctx, path.text, old, text)
    return news._replace(known=[*known, *news.known])


def _news_in_note(ctx: Context, path: str, old: bytes | None, text: str) -> _News:
    from holdfast.markdown.fact_row import category_of

    fact_lines: set[int] = set()
    if category_of(path) is not None:
        from holdfast.facts.facts_book import read_notes, today
        from holdfast.facts.known_text import news_in
        from holdfast.facts.ledger import entries

        data = text.encode()
        facts = news_in(data, path, {**read_notes(ctx)[0], path: old}, ctx.origin, today(ctx))
        if facts.known or entries(data, path):
            return _News(facts.text.decode(), facts.note, fact_places(facts.known))
        fact_lines = {entry.fact.line for entry in entries(old, path)}
    if not old:
        return _News(text, old)
    from holdfast.markdown.novelty import find_novelty

    novelty = find_novelty(old.decode("utf-8", "replace"), text)
    if fact_lines.intersection(novelty.known_at):  # a fact that holds no more says nothing of today
        return _News(text, old)
    return _News(novelty.text, old, [f"{path}#{line}" for line in novelty.known_at])


def fact_places(facts: Sequence[Fact]) -> list[str]:
    """Return the places of facts that were known."""
    return [f"{fact.path}#{fact.line}" for fact in facts]


def known_message(places: Sequence[str]) -> str:
    """Say of what stands already that it is not written twice."""
    if not places:
        return ""
    return f"known already, and not written twice: {', '.join(dict.fromkeys(places))}"


def save_aside(ctx: Context, text: str, reason: str, tool: str) -> Saved:
    """Have a text wait in the inbox, and say so."""
    from holdfast.operations.inbox_deposit import WAITS_ALREADY, put_aside

    try:
        checkpoint = put_aside(ctx, text, reason, tool)
    except WriteModeRefused as refused:
        raise NotPermitted(
            f"It does not go into MEMORY.md: {reason}. Nor can it wait for approval: {refused}"
        ) from refused
    if checkpoint is None:
        return Saved(INBOX, 0, "", WAITS_ALREADY, waits=True)
    return _answer(ctx, [checkpoint], len(text.encode()), [])


def with_true_marks(ctx: Context, path: str, old: bytes | None, new: bytes) -> bytes:
    """Return the note without marks of facts that came with the text; new facts get their true origin."""
    from holdfast.markdown.fact_row import category_of

    if category_of(path) is None and b"<!--" not in new:
        return new
    from holdfast.facts.fact_admission import admit_note_bytes
    from holdfast.facts.facts_book import today

    return admit_note_bytes(old, new, path, ctx.origin, today(ctx))


def append_block(old: bytes | None, data: bytes) -> bytes:
    """Add the text below what is there, as a block of its own, in the note's own kind of line ends.

    It never continues a paragraph that is there, and a list only with a bullet.
    """
    if not old:
        return replace_text(old, data)
    eol = _line_end(old)
    if old.endswith(b"\r"):
        old += b"\n"  # with the line end of a gap behind it, the two would be one line end, and no gap
    elif old != BOM and not old.endswith(b"\n"):
        old += eol
    is_apart = old == BOM or old.endswith((b"\n\n", b"\r\n\r\n")) or data.startswith((b"\n", b"\r\n"))
    goes_on = _BULLET.match(data) and _ends_in_list(old)
    return old + (b"" if is_apart or goes_on else eol) + _end_lines(data, eol)


def _ends_in_list(note: bytes) -> bool:
    """Say whether the last line of a note is a bullet, or indented as what belongs to one."""
    for line in reversed(note.rstrip().splitlines()):
        if _BULLET.match(line):
            return True
        if not line.startswith((b" ", b"\t")):
            return False
    return False


def add_to_note(ctx: Context, path: NotePath, old: bytes | None, data: bytes, gate: PromptGate) -> bytes:
    """Put a text where it belongs: in MEMORY.md above dreaming's section, the owner's above agents' too."""
    if not old:
        return replace_text(old, data)
    if not path.is_prompt_memory:
        return append_block(old, data)
    is_owner = ctx.workspace.gate.is_owner
    if gate.closed and not is_owner:
        return _add_to_agent_section(old, data)
    return _add_above_sections(old, data, of_agents=is_owner)


def _add_above_sections(old: bytes, data: bytes, *, of_agents: bool) -> bytes:
    """Put the text above our sections that end the note: dreaming's, and with `of_agents` that of agents' lines."""
    start = _section_start(old, of_agents=of_agents)
    # What is left open would swallow the section; at the end of the note it swallows nothing.
    if start is None or leaves_open(data.decode()):
        return append_block(old, data)
    above, eol = old[:start], _line_end(old)
    if above.removeprefix(BOM).strip():
        above = above.rstrip(b"\r\n") + eol  # the gap comes anew, and a bullet joins the list above it
    if above:
        added = _add_above_sections(above, data, of_agents=of_agents)
    else:
        added = _end_lines(data, eol)
    return added + eol + old[start:]


def _section_start(note: bytes, *, of_agents: bool) -> int | None:
    """Find where the last section of ours begins, unless the owner has begun something else behind it."""
    section = None
    if of_agents:
        section = find_agent_section(note)
    if section is not None:
        return section.start if section.is_last else None
    if b"## Consolidated Memory" not in note:  # most notes: what knows more is not imported for them
        return None
    from holdfast.dreaming.memory_lines import find_consolidated

    return find_consolidated(note)


def _add_to_agent_section(old: bytes, data: bytes) -> bytes:
    """Add the text to the section of agents' lines.

    Nothing that stands last in MEMORY.md can speak for it there.
    """
    section = find_agent_section(old)
    if section is None:
        is_apart = stands_apart(old.decode("utf-8", "replace"), data.decode())
        return append_block(old, data if is_apart else f"{HEADING}\n\n".encode() + data)
    above, rest = old[: section.end], old[section.end :]
    data = data.removeprefix(f"{HEADING}\n".encode()).lstrip(b"\n")  # a model may have read it and write it again
    if not stands_apart(above.decode("utf-8", "replace"), data.decode()):
        data = f"{BREAK}\n\n".encode() + data
    if rest:
        above = above.rstrip(b"\r\n") + _line_end(old)
        rest = _line_end(old) + rest
    return append_block(above, data) + rest


def replace_text(old: bytes | None, data: bytes) -> bytes:
    """Put the text in place of what is there; its byte order mark and kind of line ends stay."""
    if not old:
        return _end_lines(data, b"\n")
    return keep_bom(old, _end_lines(data, _line_end(old)))


def _line_end(old: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in old else b"\n"


def _end_lines(data: bytes, eol: bytes) -> bytes:
    lines = data.replace(b"\r\n", b"\n")
    if not lines.endswith(b"\n"):
        lines += b"\n"
    return lines.replace(b"\n", eol)
