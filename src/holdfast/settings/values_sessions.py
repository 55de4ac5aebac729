"""The frozen values of a conversation: what it sees, whose it is, how it is shortened, and what is kept of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from holdfast.value import Value

__all__ = [
    "ChatSettings",
    "CompactionMode",
    "CompactionSettings",
    "FlushSettings",
    "ProfileWriteMode",
    "PromptMemoryMode",
    "PromptSettings",
    "RecallCitations",
    "RecallSettings",
    "ScopeAction",
    "ScopeRule",
    "ScopeSettings",
    "SessionExport",
    "SessionKind",
    "SessionSyncSettings",
    "UserSettings",
]


class PromptMemoryMode(StrEnum):
    """When the prompt's memory is read."""

    LIVE_RELOAD = "live-reload"
    FROZEN = "frozen-at-session-start"


class ProfileWriteMode(StrEnum):
    """How USER.md may change."""

    EXPLICIT_AND_AUTO = "explicit-and-auto"
    EXPLICIT_ONLY = "explicit-only"
    OFF = "off"


class SessionExport(StrEnum):
    """When a transcript becomes a note."""

    ON_NEW_OR_RESET = "on-new-or-reset"
    OFF = "off"


class RecallCitations(StrEnum):
    """How much a recalled hit says about where it stands."""

    FULL = "full"
    INLINE = "inline"
    OFF = "off"


class CompactionMode(StrEnum):
    """What stands in for the part of a conversation that is left out."""

    DETERMINISTIC = "deterministic"
    SUMMARY = "summary"


class SessionKind(StrEnum):
    """With whom a session is."""

    DIRECT = "direct"
    GROUP = "group"
    CHANNEL = "channel"
    SUBAGENT = "subagent"
    CRON = "cron"


class ScopeAction(StrEnum):
    """What a rule says about the sessions that it matches."""

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


class ChatSettings(Value):
    """How a conversation treats its prompt."""

    prompt_memory_mode: PromptMemoryMode = PromptMemoryMode.LIVE_RELOAD


class PromptSettings(Value):
    """How much memory the prompt holds."""

    max_chars_per_file: int = 20_000
    max_chars_total: int = 60_000


class RecallSettings(Value):
    """What is looked up before a turn."""

    enabled: bool = True
    max_results: int = 10
    max_chars: int = 6000
    deadline_ms: int = 800
    citations: RecallCitations = RecallCitations.FULL


class ScopeSettings(Value):
    """Which sessions may see the memory; the first rule that matches decides."""

    default: ScopeAction = ScopeAction.DENY
    rules: tuple[ScopeRule, ...] = (ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT),)


class SessionSyncSettings(Value):
    """How much a transcript grows before it is indexed again."""

    delta_bytes: int = 100_000
    delta_messages: int = 50


class CompactionSettings(Value):
    """When and how a conversation is shortened."""

    context_window: int | None = None
    reserve_tokens_floor: int = 20_000
    mode: CompactionMode = CompactionMode.DETERMINISTIC
    keep_tokens: int = 20_000


class FlushSettings(Value):
    """The silent turn before that, in which a model saves what matters."""

    enabled: bool = True
    soft_threshold_tokens: int = 4000
    transcript_bytes: int = 2_097_152
    system_prompt: str = (
        "This conversation is about to be shortened. Save now what must outlast it, with the tool that you have. "
        "Nobody reads your answer: when you are done, or when there is nothing to save, answer NO_REPLY."
    )
    prompt: str = (
        "Write what is worth keeping (decisions, preferences, facts, open tasks) to memory/YYYY-MM-DD.md. "
        "Leave out what is already there. Answer NO_REPLY when you are done or if there is nothing to keep."
    )
    max_steps: int = 4
    max_tokens: int = 2048


class UserSettings(Value):
    """Who the user is, as the owner wrote it; USER.md is laid over it."""

    name: str | None = None
    timezone: str | None = None
    location: str | None = None
