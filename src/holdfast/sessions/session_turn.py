"""A turn of a session: the message is kept, memory is asked, the model answers with tools, the rest is tidied up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.context.user_profile import user_now
from holdfast.errors import BadArgument, HoldfastError, NoModel, ProviderTooLarge
from holdfast.guard.argument_types import display_value
from holdfast.llm.chat_model import ChatModel, Message, Role, Usage, system
from holdfast.llm.token_usage import estimate
from holdfast.operations.context_window import WindowBudget, schema_tokens, tools_of, window_of
from holdfast.sessions.api_messages import messages_of
from holdfast.sessions.session_compact import can_shorten, compact
from holdfast.sessions.session_prompt import session_prompt
from holdfast.sessions.tool_loop import ROUNDS, Room, TalkResult, Turned, TurnHooks, talk
from holdfast.sessions.turn_events import Event, Step, of_compaction, of_recall
from holdfast.transcripts.session_lock import Job, hold_session
from holdfast.transcripts.tokens import tokens_in

if TYPE_CHECKING:
    from holdfast.sessions.conversation import Session
    from holdfast.sessions.prompt_blocks import Prompt
    from holdfast.transcripts.transcript_entry import Entry

__all__ = ["INSTRUCTIONS", "instructions_of", "take_turn"]

INSTRUCTIONS = (
    "You are an assistant who remembers. What you know of the user and of earlier conversations is in a memory of "
    "Markdown notes, which the user can read and change. Answer briefly and to the point, in the user's language. Say "
    "when you do not know."
)

_ONE_MESSAGE = "and there is nothing to leave out: its last message alone is too long, and is sent as it is"
_PATIENCE = 60.0  # seconds; most turns are over by then, and a caller that waits for ever is told nothing


def take_turn(
    session: Session,
    message: str,
    *,
    model: ChatModel | None = None,
    instructions: str | None = None,
    on_event: Callable[[Event], None] | None = None,
    rounds: int = ROUNDS,
) -> Turned:
    """Answer a message of the user. A provider's failure is raised; the message is in the transcript by then.

    One turn at a time: another that is under way in the session, in any process, is waited for, and then it is Busy.
    """
    model = model or session.ctx.chat_model
    if model is None:
        raise NoModel
    if not isinstance(message, str) or not message.strip():
        raise BadArgument("message", "it is empty")
    if not isinstance(rounds, int) or rounds < 0:
        raise BadArgument("rounds", f"{display_value(rounds)} is no whole number from 0 on")
    with hold_session(session.ctx.workspace, session.key, Job.TURN, _PATIENCE):
        return _Turn(session, model, INSTRUCTIONS if instructions is None else instructions, on_event).take(
            message, rounds
        )


def instructions_of(session: Session, instructions: str = INSTRUCTIONS) -> str:
    """Return what the model is told before its memory: the instructions and the day."""
    today = user_now(session.ctx)
    # The day and not the hour: a prompt that changes with every turn can't be cached.
    return f"{instructions}\n\nToday is {today:%A}, {today:%Y-%m-%d}.".strip()


class _Turn:
    """One turn, and what has happened in it so far."""

    def __init__(
        self, session: Session, model: ChatModel, instructions: str, on_event: Callable[[Event], None] | None
    ) -> None:
        self._session, self._model, self._on_event = session, model, on_event
        self._instructions = instructions_of(session, instructions)
        self._postponed = False  # whether saving failed in this turn: once a turn is enough
        self._events: list[Event] = []
        self._window = window_of(session.ctx, model)
        self._budget = WindowBudget.of(self._window, session.ctx.settings)
        toolbox = session.tools()
        self._tools = tools_of(toolbox, self._window)
        self._floor = TurnHooks(session.append, toolbox.call, self._tell)

    def take(self, message: str, rounds: int) -> Turned:
        entry = self._session.append(Role.USER, message)
        prompt = session_prompt(self._session, entry.text, tokens=self._budget.prompt_tokens)
        for event in of_recall(prompt.recalled):
            self._tell(event)
        self._shorten(prompt)  # a long text may just have been pasted, or a process died before it came to this
        done = self._talk_or_shorten(prompt, rounds)
        for fact in self._session.capture(self._model).facts:
            self._tell(Event(Step.SAVED, f"noted as {fact.category.value}: {fact.text}"))
        self._shorten(prompt, done)
        answer = done.answer
        return Turned(
            answer.text, tuple(self._events), prompt.recalled, done.rounds, done.usage, answer.stop, answer.model
        )

    def _talk_or_shorten(self, prompt: Prompt, rounds: int) -> TalkResult:
        before = self._session.transcript.count
        try:
            return self._talk(prompt, rounds)
        except ProviderTooLarge:
            # The window is smaller than the settings say. Once, and only where nothing was said or done yet.
            if self._session.transcript.count != before or not self._compact():
                raise
        return self._talk(prompt, rounds)

    def _talk(self, prompt: Prompt, rounds: int) -> TalkResult:
        room = Room(
            self._budget.request_tokens - schema_tokens(self._tools),
            self._budget.result_tokens,
            self._budget.answer_tokens(self._session.ctx.settings.llm.max_tokens),
        )
        return talk(self._model, self._messages(prompt), self._tools, self._floor, rounds=rounds, room=room)

    def _messages(self, prompt: Prompt) -> list[Message]:
        return [*self._system_messages(prompt), *messages_of(self._session.context())]

    def _system_messages(self, prompt: Prompt) -> list[Message]:
        return [system(f"{self._instructions}\n\n{prompt.text}" if prompt.text else self._instructions)]

    def _shorten(self, prompt: Prompt, done: TalkResult | None = None) -> None:
        """Compact where it is time: by the limit of a conversation, or because the window is nearly full."""
        entries = self._session.context()
        # Without the summary that stands in for the rest: in a small window it alone may be as long as the limit, and
        # then every turn would be followed by a silent one.
        said_tokens = tokens_in(entry for entry in entries if "summary" not in entry.tags)
        try:
            threshold = self._session.flush_due(tokens=said_tokens, context_window=self._window)
        except HoldfastError as error:
            self._tell(Event(Step.FAILED, f"the conversation could not be measured: {error}"))
            return
        # `due` is false where there is to be no silent turn, or where it was taken already: it may be too long all the
        # same.
        if threshold.due or said_tokens >= threshold.limit:
            if not can_shorten(self._session, context_window=self._window):
                if done is None:
                    self._tell(Event(Step.NOTED, f"{threshold.why}, {_ONE_MESSAGE}"))
                return
            if self._postponed:
                return
            if threshold.due:
                self._tell(Event(Step.NOTED, f"{threshold.why}: what matters is saved, then it is shortened"))
            self._compact(patient=self._has_room(prompt, entries))
        elif self._is_window_full(prompt, entries, said_tokens, done) and not self._postponed:
            self._compact(keep=min(self._session.ctx.settings.compaction.keep_tokens, said_tokens // 2))

    def _fixed_tokens(self, prompt: Prompt) -> int:
        """Count the tokens that are sent whatever was said."""
        return estimate(self._system_messages(prompt)) + schema_tokens(self._tools)

    def _has_room(self, prompt: Prompt, entries: Sequence[Entry]) -> bool:
        """Say whether the conversation still fits as it is, so that shortening it can wait."""
        return self._fixed_tokens(prompt) + tokens_in(entries) < self._budget.opening_tokens

    def _is_window_full(
        self, prompt: Prompt, entries: Sequence[Entry], said_tokens: int, done: TalkResult | None
    ) -> bool:
        """Say whether too little room is left for an answer, and sending less of what was said would help."""
        most = self._budget.opening_tokens
        fixed = self._fixed_tokens(prompt)
        if fixed >= most:
            if done is None:  # once a turn is enough
                reason = f"the prompt alone has about {fixed:,} tokens of the {self._window:,} that the window holds"
                self._tell(Event(Step.NOTED, f"{reason}; see compaction.context_window"))
            return False
        # What a provider counted is better than our guess, where it is more; some leave out what they had cached.
        if done is not None:
            last = done.answer.usage
        else:
            last = Usage()
        full = max(fixed + tokens_in(entries), last.input_tokens + last.output_tokens) >= most
        return full and said_tokens >= (most - fixed) // 2

    def _compact(self, keep: int | None = None, *, patient: bool = False) -> bool:
        """Shorten the conversation, and say whether it is shorter now.

        An error is told, not raised: the answer matters more.
        """
        try:
            compacted = compact(
                self._session, self._model, keep_tokens=keep, patient=patient, context_window=self._window
            )
        except HoldfastError as error:
            self._tell(Event(Step.FAILED, f"the conversation could not be shortened: {error}"))
            return False
        for event in of_compaction(compacted):
            self._tell(event)
        if not compacted.removed and compacted.flush is not None:
            self._postponed = True
            self._tell(Event(Step.NOTED, f"not shortened: {compacted.because}"))
        return compacted.removed > 0

    def _tell(self, event: Event) -> None:
        if event.step is not Step.TEXT:
            self._events.append(event)
        if self._on_event is not None:
            self._on_event(event)
