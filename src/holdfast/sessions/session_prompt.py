"""The system prompt of a session: prompt memory, the user's profile, and what the message brings to mind."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.context.session_visibility import sight_of_session
from holdfast.context.user_profile import user_profile
from holdfast.errors import HoldfastError, NoteNotFound
from holdfast.guard.paths import readable_path
from holdfast.markdown.budget import tokens_of
from holdfast.recall.recall import HEADING as RECALL_HEADING
from holdfast.recall.recall import Recalled
from holdfast.sessions.guide import HEADING as GUIDE_HEADING
from holdfast.sessions.guide import guide
from holdfast.sessions.prompt_blocks import READ_CAP, Block, Piece, Prompt, block_of, file_block, piece_of, prompt_of
from holdfast.sessions.session_recall import recall_for
from holdfast.settings.memory_settings import Style, WriteMode
from holdfast.settings.session_settings import PromptMemoryMode
from holdfast.transcripts.state import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from holdfast.context.visibility_rules import Sight
    from holdfast.markdown.user_markdown import Profile
    from holdfast.sessions.conversation import Session

__all__ = ["frozen_since", "refresh_prompt", "session_prompt", "session_recall"]

_STATE = "prompt"
_MEMORY, _DAILY, _SECRET = "memory", "daily", "secret"
_INJECTING = (Style.HYBRID, Style.PROMPT_ONLY)
_CHARACTERS_PER_TOKEN = 4
_GAP = 2  # line ends between blocks
_KEPT = MAX_VALUE_BYTES // 8  # characters that a snapshot holds, each of which takes up to six bytes of JSON


def session_prompt(
    session: Session, message: str | None = None, *, keep: bool = True, tokens: int | None = None
) -> Prompt:
    """The blocks for the system prompt, in order; with the user's message, what it brings to mind as the last one.

    `tokens` is what the model's window leaves to them; without it, only the settings limit them. Never fails for what
    stands in a file, in the state or behind a provider: `because` says what is missing. Without `keep` it is a mere
    look, which takes no snapshot.
    """
    settings = session.ctx.settings
    style, mode = settings.memory.style, settings.chat.prompt_memory_mode
    sight = sight_of_session(session)
    because = [sight.because]
    if not sight.memory:
        return prompt_of([], None, because, mode.value)
    profile = user_profile(session.ctx)
    pieces = _Pieces(session, profile, because, keep=keep)
    memory = None
    if style in _INJECTING and sight.prompt_memory:
        memory = pieces.memory()
    if style in _INJECTING:
        daily = pieces.daily()
    else:
        daily = []
    room = settings.prompt.max_chars_total
    if tokens is not None:
        room = min(room, tokens * _CHARACTERS_PER_TOKEN)
    shown = [piece.text for piece in (memory, *daily) if piece is not None]
    recalled = _recall(session, message, shown, room if tokens is None else room // _density(message or ""))
    if recalled is not None and recalled.skipped:
        because.append(f"nothing was recalled: {recalled.skipped}")
    last = _last_blocks(_advice(session, sight), recalled, room, because)
    room -= sum(block.characters + _GAP for block in last)
    missing: list[str] = []
    first = _files(session, memory, daily, profile, room, pieces.secret, missing)
    weight = sum(block.tokens for block in first)
    if tokens is None:
        left = weight
    else:
        left = max(0, tokens - sum(block.tokens for block in last))
    if weight > left:
        # Scripts without spaces have more tokens than a quarter of their characters.
        missing = []
        first = _files(session, memory, daily, profile, room * left // weight, pieces.secret, missing)
    because += missing
    return prompt_of([*first, *last], recalled, because, mode.value)


def _advice(session: Session, sight: Sight) -> str:
    """Return what the model is told of how to use its memory, as far as this session lets it write."""
    memory = session.ctx.settings.memory
    writes = memory.agent_write_mode
    if not sight.prompt_memory:  # see context/session_visibility.py
        writes = {WriteMode.HYBRID: WriteMode.SEARCH_ONLY, WriteMode.PROMPT_ONLY: WriteMode.OFF}.get(writes, writes)
    return guide(memory.style, memory.citations, writes)


def _last_blocks(advice: str, recalled: Recalled | None, room: int, because: list[str]) -> list[Block]:
    """Return what stands last, the guide and what was recalled, as far as there is room; `because` says what not."""
    texts = [("recall guide", GUIDE_HEADING, advice)]
    if recalled is not None:
        texts.append(("memory search results", RECALL_HEADING, recalled.text))
    blocks: list[Block] = []
    for name, heading, text in texts:
        if not text:
            continue
        block = block_of(name, heading, text)
        if block.characters + _GAP <= room:
            blocks.append(block)
            room -= block.characters + _GAP
        else:
            because.append(f"there is no room for the {name}")
    return blocks


def frozen_since(session: Session) -> float | None:
    """Return when the frozen snapshot of the prompt's memory was taken; None where there is none."""
    if session.ctx.settings.chat.prompt_memory_mode is not PromptMemoryMode.FROZEN:
        return None
    try:
        return next((held.updated for held in session.state.list(_STATE) if held.key == _MEMORY), None)
    except HoldfastError:
        return None


def refresh_prompt(session: Session) -> None:
    """Take the session's snapshots anew: MEMORY.md where it is frozen, and the daily notes."""
    if session.ctx.settings.memory.style.stops_memory:
        # Nothing is shown, and so nothing is kept for it; what was taken before is not to come back either.
        session.ctx.state_store.clear(session.agent, session.key, _STATE)
        return
    profile = user_profile(session.ctx)
    pieces = _Pieces(session, profile, [])
    if session.ctx.settings.chat.prompt_memory_mode is PromptMemoryMode.FROZEN:
        session.state.set(_STATE, _MEMORY, _wrap(_piece_json(pieces.read_memory())))
    else:
        session.state.delete(_STATE, _MEMORY)
    session.state.set(_STATE, pieces.daily_key, _wrap([_piece_json(piece) for piece in pieces.read_daily()]))


def session_recall(session: Session, message: str) -> Recalled:
    """Return what memory holds about a message, without what the prompt of this session shows already."""
    settings = session.ctx.settings
    sight = sight_of_session(session)
    if not sight.memory:
        return Recalled(skipped=sight.because)
    shown: list[str] = []
    if settings.memory.style in _INJECTING:
        pieces = _Pieces(session, user_profile(session.ctx), [])
        memory = None
        if sight.prompt_memory:
            memory = pieces.memory()
        shown = [piece.text for piece in (memory, *pieces.daily()) if piece is not None]
    room = settings.prompt.max_chars_total
    return _recall(session, message, shown, room) or Recalled(skipped="there is no message")


def _recall(session: Session, message: str | None, shown: list[str], room: int) -> Recalled | None:
    if message is None:
        return None
    settings = session.ctx.settings
    if not settings.memory.style.offers_tools:
        return Recalled(skipped=f'memory.style = "{settings.memory.style}" has no search')
    most = min(settings.recall.max_chars, room // 4)
    return recall_for(session, message, shown, most)


def _density(message: str) -> int:
    """Return how many tokens four characters of what is recalled will have: as many as in the message, 1 to 4."""
    if not message:
        return 1
    return max(1, round(_CHARACTERS_PER_TOKEN * tokens_of(message) / len(message)))


def _files(
    session: Session,
    memory: Piece | None,
    daily: list[Piece],
    profile: Profile,
    room: int,
    secret: str,
    because: list[str],
) -> list[Block]:
    """The blocks of what changes seldom, in order, each in what the ones before it leave."""
    per_file = session.ctx.settings.prompt.max_chars_per_file
    tools = session.ctx.settings.memory.style.offers_tools
    about = None
    if profile.text:
        about = block_of("user profile", "## User Profile", profile.text)
    if about is not None:
        if about.characters + _GAP > room:
            because.append("there is no room for the user profile")
            about = None
        else:
            room -= about.characters + _GAP
    blocks: list[Block] = []
    wanted: list[tuple[str, str, Piece | None, bool]] = [("long-term memory", "## Long-term Memory", memory, True)]
    for note in daily:
        day = note.source.rpartition("/")[2].removesuffix(".md")
        wanted.append((f"daily note {day}", f"## Daily Note {day}", note, False))
    for name, heading, piece, verbatim in wanted:
        if piece is not None:
            fits = min(room - _GAP, per_file)
            block = file_block(name, heading, piece, fits, secret=secret, verbatim=verbatim, tools=tools)
            if block is not None:
                blocks.append(block)
                room -= block.characters + _GAP
                because.append(f"{piece.source} was cut to fit" if block.truncated else "")
            elif piece.text.strip():
                because.append(f"there is no room for {piece.source}")
            if piece.unseen:
                because.append(f"{piece.unseen:,} invisible characters of {piece.source} were left out")
        if name == "long-term memory" and about is not None:
            blocks.append(about)
    return blocks


class _Pieces:
    """Says what is read for one prompt, from the files or from the session's snapshots."""

    def __init__(self, session: Session, profile: Profile, because: list[str], *, keep: bool = True) -> None:
        self._session = session
        self._keep = keep
        self._profile = profile
        self._because = because
        self._per_file = session.ctx.settings.prompt.max_chars_per_file
        if session.ctx.settings.chat.prompt_memory_mode is PromptMemoryMode.FROZEN:
            self._per_file = min(self._per_file, _KEPT)

    @property
    def secret(self) -> str:
        """The key of this session's fences, made when it is first needed."""
        held = self._snapshot(_SECRET, lambda: os.urandom(16).hex())
        if isinstance(held, str):
            return held
        return os.urandom(16).hex()

    def memory(self) -> Piece | None:
        """MEMORY.md as this session sees it."""
        if self._session.ctx.settings.chat.prompt_memory_mode is PromptMemoryMode.LIVE_RELOAD:
            return self.read_memory()
        return Piece.from_json(self._snapshot(_MEMORY, lambda: _piece_json(self.read_memory())))

    def daily(self) -> list[Piece]:
        """Today's and yesterday's notes as they were when the session, or with live reload the day, began."""
        held = self._snapshot(self.daily_key, lambda: [_piece_json(piece) for piece in self.read_daily()])
        if isinstance(held, list):
            pieces = [Piece.from_json(piece) for piece in held]
        else:
            pieces = []
        return [piece for piece in pieces if piece is not None]

    @property
    def daily_key(self) -> str:
        """Return what the snapshot of the daily notes is called.

        A session that lives for weeks is not to see old ones.
        """
        frozen = self._session.ctx.settings.chat.prompt_memory_mode is PromptMemoryMode.FROZEN
        if frozen:
            return _DAILY
        return f"{_DAILY} {self._today.isoformat()}"

    def read_memory(self) -> Piece | None:
        """MEMORY.md as it is now: that of the agent, by the rules of the workspace."""
        return self._read("MEMORY.md", newest=False)

    def read_daily(self) -> list[Piece]:
        """Today's and yesterday's notes as they are now, by the user's calendar."""
        today = self._today
        if today.toordinal() <= 1:
            days = [today]
        else:
            days = [today, today - timedelta(days=1)]
        read = [self._read(f"memory/{day.isoformat()}.md", newest=True) for day in days]
        return [piece for piece in read if piece is not None]

    @property
    def _today(self) -> date:
        from holdfast.markdown.user_markdown import moment_in

        return moment_in(self._profile.timezone, self._session.ctx.clock.now()).date()

    def _read(self, path: str, *, newest: bool) -> Piece | None:

        try:
            part = self._session.ctx.workspace.read_part(readable_path(path), READ_CAP, end=newest)
        except NoteNotFound:
            return None
        except HoldfastError as error:
            self._because.append(f"{path} can't be read: {getattr(error, 'why', None) or error}")
            return None
        if newest:
            most = min(self._per_file, _KEPT // 2)
        else:
            most = self._per_file
        return piece_of(part.path, part.data, part.size, most, newest=newest)

    def _snapshot(self, key: str, make: Callable[[], object]) -> object:
        """Return what the session keeps under a key; made and kept now where there is nothing yet.

        Where two processes make it at once, the first wins, and both see the same.
        """
        state = self._session.state
        try:
            snapshot: object = state.get(_STATE, key)
            if snapshot is None:
                snapshot = _wrap(make())
                if self._keep and not state.compare_and_set(_STATE, key, None, snapshot):
                    snapshot = state.get(_STATE, key)
        except HoldfastError as error:
            self._because.append(f"the session's state can't be used: {getattr(error, 'why', None) or error}")
            return make()
        if not isinstance(snapshot, dict):
            return None
        return snapshot.get("held")


def _wrap(value: object) -> dict[str, object]:
    """A value as the state keeps it: that there was no file is something to remember, too."""
    return {"held": value}


def _piece_json(piece: Piece | None) -> dict[str, Any] | None:
    return None if piece is None else piece.to_json()
