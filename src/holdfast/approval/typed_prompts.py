"""The prompts that a user typed in another program just now, which its record of the conversation may not hold yet.

The prompt hook notes them in the session's state as the user's own words, so that what the model then saves of them is
known to be the user's. Once the record has a prompt, it is a message of the session like any other, and is taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from holdfast.context.context import Context
from holdfast.context.open_session import OpenSession
from holdfast.llm.chat_model import Role
from holdfast.transcripts.session_entry import Utterance, make_entry

__all__ = ["clear_prompts", "note_prompt", "prompts_in"]

_PLACE: Final = ("follow", "prompts")
_LONGEST: Final = 8_000  # characters; a longer one holds something that was pasted, which no sentence is taken from
_MOST: Final = 64  # prompts; more than anybody types between two compactions of a conversation
_TRIES: Final = 20  # each lost race is a prompt that another hook has just noted


def note_prompt(session: OpenSession, text: str) -> bool:
    """Keep a prompt as the user's own words; False where it is too long, or where nothing is kept of the session."""
    if session.ctx.settings.memory.style.stops_memory:
        return False
    if not 0 < len(text) <= _LONGEST or session.ctx.state_store.forgotten(session.agent, session.key):
        return False
    prompt = _redact(session, text)
    for _ in range(_TRIES):
        held = session.state.get(*_PLACE)
        if session.state.compare_and_set(*_PLACE, held, [*_texts(held), prompt][-_MOST:]):
            return not _clear_forgotten(session)
    return False


def _clear_forgotten(session: OpenSession) -> bool:
    """Say whether the session was forgotten meanwhile; then what was kept of it just now goes.

    Who forgets says so first and clears the state last: either we see that here, or what we kept is cleared there.
    """
    store, place = session.ctx.state_store, (session.agent, session.key)
    if not store.forgotten(*place):
        return False
    store.delete_session(*place)
    return True


def prompts_in(ctx: Context, key: str) -> Iterator[str]:
    """The prompts of a session that its transcript does not hold yet, the newest first."""
    yield from reversed(_texts(ctx.state_store.get(ctx.workspace.agent, key, *_PLACE)))


def clear_prompts(session: OpenSession, recorded: Iterable[str]) -> int:
    """Drop the prompts that the other program's record holds by now; return how many it should hold and does not."""
    known = Counter(_redact(session, text) for text in recorded if len(text) <= _LONGEST)
    for _ in range(_TRIES):
        held = session.state.get(*_PLACE)
        left: list[str] = []
        unseen = known.copy()
        for prompt in _texts(held):
            if unseen[prompt] > 0:
                unseen[prompt] -= 1
            else:
                left.append(prompt)
        if left == _texts(held):
            return len(left)
        if session.state.compare_and_set(*_PLACE, held, left):
            return len(left)
    return 0


def _texts(held: Any) -> list[str]:
    if not isinstance(held, list):
        return []
    return [text for text in held if isinstance(text, str)]


def _redact(session: OpenSession, text: str) -> str:
    secrets = session.ctx.settings.memory.secrets
    return make_entry("", 0.0, Utterance(Role.USER, text), secrets).text
