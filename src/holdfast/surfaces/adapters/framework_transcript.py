"""The messages of a framework's conversation, kept in a Holdfast session: each once, with its true role.

Frameworks hand over a conversation again and again, each time with a little more of it. A message with an id of its own
carries the hash of that id as a tag in the transcript, so what is there already is seen there and nowhere else: a
process that dies in between leaves no mark without a message, and no message without its mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from holdfast.llm.chat_model import Role, ToolCall
from holdfast.memory import Memory
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import SessionExport

__all__ = ["SpokenMessage", "brought_to_mind", "keep_spoken"]

_LONGEST_ID = 256


class SpokenMessage(NamedTuple):
    """One message; `mark` is the framework's own id of it, where there is one."""

    role: Role
    text: str = ""
    mark: str = ""
    calls: tuple[ToolCall, ...] = ()
    answers: str = ""
    """The call whose result this is."""
    tool: str = ""


def keep_spoken(
    memory: Memory, key: str, said: Sequence[SpokenMessage], *, kind: str | None = None, export: bool = False
) -> int:
    """Add the messages that the session lacks, and note what the user says of themselves; gives how many are new.

    With `export` the conversation becomes a note that searches find, unless `memory.session_export` is off. `kind` is
    with whom it is, as in `memory.session`: what is said in a group is nobody's fact. Of a session that was forgotten
    nothing is kept.
    """
    with memory.session(key, kind=kind) as session:
        if session.forgotten:
            return 0
        marked = any(message.mark for message in said)
        if marked:
            there = {tag for entry in session.messages() for tag in entry.tags}
        else:
            there = set()
        new = 0
        for message in said:
            tag = _tag(message.mark)
            if (tag and tag in there) or not (message.text.strip() or message.calls):
                continue
            session.append(
                message.role,
                message.text,
                tool_calls=message.calls,
                tool_call_id=message.answers[:_LONGEST_ID],
                tool_name=message.tool[:_LONGEST_ID],
                tags=(tag,) if tag else (),
            )
            there.add(tag)
            new += 1
        if new:
            session.capture()  # as [capture] says; what goes wrong there is not raised
            if export and memory.settings.memory.session_export is not SessionExport.OFF:
                session.export()
    return new


def brought_to_mind(memory: Memory, key: str, message: str | None, *, kind: str | None = None) -> str:
    """The memory for the prompt of a session: MEMORY.md, the daily notes, and what the message brings to mind."""
    with memory.session(key, kind=kind) as session:
        return session.prompt(message or None).text


def _tag(mark: str) -> str:
    if not mark:
        return ""
    return f"said-{blake2b(mark.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"
