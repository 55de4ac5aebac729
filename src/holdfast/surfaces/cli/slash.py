"""The commands that one types in the middle of a conversation: `/new`, `/context`, `/forget` and the others."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.errors import SessionNotFound
from holdfast.named_tuple import NamedTuple
from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.sessions.conversation import Session
    from holdfast.sessions.session_context import ContextPart
    from holdfast.transcripts.session_note import Exported

__all__ = ["COMMANDS", "Talk", "command_in"]

# `/etc/hosts is gone` is a message.
_COMMAND = re.compile(r"/([a-z]+)(?:\s+(.*))?", re.DOTALL)
_HITS = 5
_LINES = 4
_CUT = " (cut)"
_STILL = "What was said in this conversation still stands there; /reset begins it anew."


class Talk:
    """The things that the commands work on: the memory, the session one talks in, and whether one is leaving."""

    def __init__(self, memory: Memory, session: Session, *, person: bool) -> None:
        self.memory, self.session = memory, session
        self.person = person
        """Whether there is somebody to ask."""
        self.over = False


class Slash(NamedTuple):
    """One command: what it takes, what it does in a line, and how; that gives an exit status."""

    takes: str
    summary: str
    run: Callable[[Talk, str, Console], int]


def command_in(line: str) -> tuple[str, str] | None:
    """The name and the rest of a line that is a command; None for a message."""
    found = _COMMAND.fullmatch(line.strip())
    if not found:
        return None
    return (found[1], (found[2] or "").strip())


def _new(talk: Talk, rest: str, console: Console) -> int:
    talk.session = talk.session.new(rest or None)
    _show_export(talk.session.follows, console)
    count = talk.session.transcript.count
    if count:
        console.line(f"Session {talk.session.key} exists already and goes on: {_messages(talk.session)} so far.")
    back = console.command("chat", "--session", talk.session.key)
    console.line(f"This is session {talk.session.key}; come back to it with: {back}")
    return 0


def _reset(talk: Talk, _: str, console: Console) -> int:
    with suppress(SessionNotFound):  # nothing was said yet
        _show_export(talk.session.reset(), console)
    console.line(f"Session {talk.session.key} begins anew.")
    return 0


def _show_export(made: Exported | None, console: Console) -> None:
    if made is None:
        return
    if made.is_kept:
        console.line(f"What was said is kept as {made.path} ({count_of(made.turns, 'turn')}).")
    if made.because:
        console.note(made.because)


def _context(talk: Talk, _: str, console: Console) -> int:
    from holdfast.sessions.session_context import session_context

    view = session_context(talk.session)
    rows = [
        [part.name, f"{part.characters:,}", f"{part.tokens:,}", f"{part.source}{_CUT * _is_cut(part)}"]
        for part in view.parts
    ]
    console.table(["PART", "CHARACTERS", "TOKENS", "FROM"], rows)
    console.line(
        f"About {view.sent:,} tokens of {view.window:,}; the conversation is shortened at {view.flush_at:,} "
        f"(done {count_of(view.cycle, 'time')} so far). What a message brings to mind comes on top."
    )
    console.line(f"Prompt memory: {view.mode}.{clause(' Missing: {}.', view.because)}")
    if view.sandbox:
        console.line(view.sandbox)
    console.line(_usage_line(talk.memory))
    return 0


def _is_cut(part: ContextPart) -> bool:
    """Say whether a file is shown in part; of tools and of what was said, the row itself tells how many there are."""
    return part.kind == "block" and part.truncated


def _usage_line(memory: Memory) -> str:
    spent = memory.spent
    if not spent.requests:
        return "No model was asked since this began."
    asked = count_of(spent.requests, "request")
    took = f"{spent.usage.input_tokens:,} tokens read, {spent.usage.output_tokens:,} written"
    if spent.cost is None:
        cost = "no cost without llm.prices"
    else:
        cost = f"cost {spent.cost:.4f}"
    return f"Since this began: {asked}, {took}, {cost}."


def _messages(session: Session) -> str:
    return count_of(session.transcript.count, "message")


def _refresh(talk: Talk, _: str, console: Console) -> int:
    talk.session.refresh_prompt()
    console.line("The prompt's memory was read anew.")
    return 0


def _memory(talk: Talk, rest: str, console: Console) -> int:
    if not rest:
        status = talk.memory.status()
        console.line(
            f"{count_of(status.notes_on_disk, 'note')} in {status.home}. /memory QUERY looks into them. Last changes:"
        )
        for change in talk.memory.history(limit=_HITS):
            console.line(f"  {change.path}  {change.tool}  {change.id}")
        return 0
    from holdfast.search.hit import DOUBT, UNLIKELY
    from holdfast.search.snippet import lines_around

    found = talk.memory.search(rest, max_results=_HITS)
    if found.results and not found.likely:
        console.line(UNLIKELY)
    for hit in found.results:
        doubt = ""
        if not hit.likely:
            doubt = f"  {DOUBT}"
        console.styled(console.paint(f"{hit.path}#{hit.start_line}", "cyan") + console.paint(doubt, "dim"))
        for line in lines_around(hit.snippet, hit.snippet_line, _LINES):
            console.line(f"  {line}")
    if not found.results:
        console.line(f"Nothing was found{clause(': {}', found.because)}.")
    return 0


def _forget(talk: Talk, rest: str, console: Console) -> int:
    from holdfast.surfaces.cli.commands.forget import forget_in

    wanted = argparse.Namespace(request=rest, text=None, dry_run=False, limit=6, everywhere=False, confirmed=False)
    status = forget_in(talk.memory, wanted, console, asks=talk.person)
    if status == 0:
        console.line(_STILL)
    return status


def _undo(talk: Talk, rest: str, console: Console) -> int:
    from holdfast.surfaces.cli.commands.undo import undo_in

    return undo_in(talk.memory, argparse.Namespace(path=rest or None, force=False), console)


def _help(_: Talk, __: str, console: Console) -> int:
    for name, command in COMMANDS.items():
        console.line(f"  {f'/{name} {command.takes}':<18} {command.summary}")
    console.line("Anything else is said to the model. Ctrl-C stops an answer, Ctrl-D leaves.")
    return 0


def _quit(talk: Talk, _: str, __: Console) -> int:
    talk.over = True
    return 0


COMMANDS: Mapping[str, Slash] = {
    "new": Slash("[KEY]", "leave this conversation, which is exported, and begin another", _new),
    "reset": Slash("", "export this conversation and begin it anew", _reset),
    "context": Slash("", "what the model is sent, and what it costs", _context),
    "refresh": Slash("", "read the prompt's memory anew", _refresh),
    "memory": Slash("[QUERY]", "look into memory; without a query, what changed last", _memory),
    "forget": Slash("TEXT", "forget something", _forget),
    "undo": Slash("[PATH]", "take back the last change of a note", _undo),
    "help": Slash("", "this list", _help),
    "quit": Slash("", "leave", _quit),
}
