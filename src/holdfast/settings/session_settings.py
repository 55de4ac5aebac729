"""The settings of a conversation: what it sees, whose it is, how it is shortened, and who the user is."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from holdfast.settings.declaration import PLENTY, Section, choice, fixed, prose, rule_list, switch, text, whole
from holdfast.settings.llm_settings import for_task
from holdfast.settings.text_checks import timezone_flaw
from holdfast.value import Value

__all__ = [
    "ChatSettings",
    "CompactionMode",
    "CompactionSettings",
    "FlushSettings",
    "PromptMemoryMode",
    "PromptSettings",
    "RecallCitations",
    "RecallSettings",
    "ScopeAction",
    "ScopeRule",
    "ScopeSettings",
    "SessionKind",
    "UserSettings",
    "with_default",
]


class SessionKind(StrEnum):
    """With whom a session is."""

    DIRECT = "direct"
    GROUP = "group"
    CHANNEL = "channel"
    SUBAGENT = "subagent"
    CRON = "cron"


class ScopeAction(StrEnum):
    """The verdict of a rule on the sessions that it matches."""

    ALLOW = "allow"
    DENY = "deny"


class ScopeRule(Value):
    """One rule; a session matches it where everything that the rule names fits."""

    action: ScopeAction
    kind: SessionKind | None = None
    key_prefix: str = ""
    channel: str = ""

    def to_json(self) -> dict[str, Any]:
        """The rule as it stands in the file."""
        match: dict[str, str] = {} if self.kind is None else {"kind": self.kind.value}
        if self.key_prefix:
            match["key_prefix"] = self.key_prefix
        if self.channel:
            match["channel"] = self.channel
        return {"action": self.action.value, "match": match}


def with_default(action: ScopeAction, rules: tuple[ScopeRule, ...]) -> tuple[ScopeRule, ...] | None:
    """Return the rules with what holds for all others; None where that is no."""
    if action is ScopeAction.DENY:
        return None
    return (*rules, ScopeRule(action))


class ScopeSettings(Section, table="memory.scope"):
    """The sessions that may see the memory; the first rule that matches decides."""

    default: ScopeAction = fixed(
        choice(ScopeAction.DENY, "Whether a session that no rule matches may see and search the memory."),
        "A last rule of memory.scope.rules without a `match` says it.",
        heir="memory.scope.rules",
        carry=with_default,
    )
    rules: tuple[ScopeRule, ...] = rule_list(
        (ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT),),
        "Which sessions may see and search the memory, the first rule that matches decides, and none is no; a rule "
        "without a `match` is for all; MEMORY.md itself is only ever shown to sessions of kind `direct`.",
    )


class PromptSettings(Section, table="memory.prompt"):
    """The amount of memory in the prompt."""

    max_chars_per_file: int = fixed(
        whole(20_000, "How many characters of one file the prompt holds at most.", 200, 2_000_000)
    )
    max_chars_total: int = fixed(
        whole(60_000, "How many characters of memory the prompt holds at most.", 200, 10_000_000)
    )


class RecallCitations(StrEnum):
    """The words of a recalled hit about where it stands."""

    FULL = "full"
    INLINE = "inline"
    OFF = "off"


class RecallSettings(Section, table="memory.recall"):
    """The look at memory before a turn."""

    enabled: bool = switch(True, "Look up what the user's message is about before each turn.")
    max_results: int = fixed(whole(10, "How many hits that brings into the prompt; two facts count as one.", 1, 20))
    max_chars: int = fixed(whole(6000, "How many characters these hits have at most.", 100, 100_000))
    deadline_ms: int = whole(800, "How long the turn waits for them.", 10, 60_000)
    citations: RecallCitations = choice(
        RecallCitations.FULL,
        "What of a recalled hit goes into the prompt: `full` is its path, line and score with the excerpt, "
        "`inline` is just the excerpt, `off` is nothing at all.",
    )


class PromptMemoryMode(StrEnum):
    """The moment at which the prompt's memory is read."""

    LIVE_RELOAD = "live-reload"
    FROZEN = "frozen-at-session-start"


class ChatSettings(Section, table="chat"):
    """The settings of a conversation's prompt."""

    prompt_memory_mode: PromptMemoryMode = choice(
        PromptMemoryMode.LIVE_RELOAD,
        "Whether the prompt's memory is read anew for each turn, or kept as it was when the session began.",
    )


class CompactionMode(StrEnum):
    """The stand-in for the part of a conversation that is left out."""

    DETERMINISTIC = "deterministic"
    SUMMARY = "summary"


class CompactionSettings(Section, table="compaction"):
    """The point at which a conversation is shortened, and the way."""

    context_window: int | None = whole(
        None,
        "How many tokens the model's window has; without it, what a server of your own says (llama.cpp, Ollama, "
        "vLLM and others that name it), else 128,000.",
        1000,
        100_000_000,
        example=8192,
    )
    reserve_tokens_floor: int = whole(
        20_000, "How many tokens of the window are kept free for the answer.", 0, 100_000_000
    )
    mode: CompactionMode = for_task(
        choice(
            CompactionMode.DETERMINISTIC, "What stands in for what is left out: a list of its topics, or a summary."
        ),
        "summary",
        when=CompactionMode.SUMMARY,
    )
    keep_tokens: int = fixed(whole(20_000, "About how many tokens at the end stay word for word.", 0, 100_000_000))


class FlushSettings(Section, table="compaction.memory_flush"):
    """The silent turn before that, in which a model saves what matters."""

    enabled: bool = switch(True, "Let the model save what matters before that, unseen.")
    soft_threshold_tokens: int = whole(4000, "How many tokens before the limit that happens.", 0, 100_000_000)
    transcript_bytes: int = fixed(
        whole(
            2_097_152, "It also happens when the transcript since the last compaction has so many bytes.", 1000, PLENTY
        )
    )
    system_prompt: str = prose(
        "This conversation is about to be shortened. Save now what must outlast it, with the tool that you have. "
        "Nobody reads your answer: when you are done, or when there is nothing to save, answer NO_REPLY.",
        "What the model is told in that turn.",
    )
    prompt: str = prose(
        "Write what is worth keeping (decisions, preferences, facts, open tasks) to memory/YYYY-MM-DD.md. "
        "Leave out what is already there. Answer NO_REPLY when you are done or if there is nothing to keep.",
        "What it is asked in that turn; `YYYY-MM-DD` stands for the date.",
    )
    max_steps: int = fixed(whole(4, "How often the model is asked in that turn.", 1, 20))
    max_tokens: int = fixed(whole(2048, "The longest answer in that turn.", 64, 100_000))


class UserSettings(Section, table="user"):
    """The user, as the owner wrote it; USER.md is laid over it."""

    name: str | None = text(None, "The user's name; USER.md wins over this table.", example="Ada", of_home=True)
    timezone: str | None = text(
        None,
        "The user's time zone; without it, the machine's.",
        flaw=timezone_flaw,
        example="Europe/Zurich",
        of_home=True,
    )
    location: str | None = text(None, "Where the user is.", example="Zurich", of_home=True)
