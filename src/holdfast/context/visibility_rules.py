"""A session's kind, key and channel, and the rules → what of the memory it may see. Pure.

A rule can open the notes to a group, but MEMORY.md, what waits to go there, the notes of facts (which hold what was
captured from the owner's messages) and what was said in other conversations only ever go to direct sessions: neither
into the prompt nor by way of a search.
"""

from __future__ import annotations

from holdfast.guard.paths import EXPORTS, twin_key
from holdfast.markdown.fact_row import Category, note_patterns
from holdfast.settings.session_settings import ScopeAction, ScopeRule, ScopeSettings, SessionKind
from holdfast.value import Value

__all__ = ["Sight", "is_private", "is_visible", "sight_of"]

_PRIVATE = (
    *("MEMORY.md", "memory.md", "memory/inbox.md", EXPORTS, "memory/dreams/", "sessions/"),
    *note_patterns(*Category),
)


class Sight(Value):
    """The part of the memory that a session may see; `because` says why not more."""

    memory: bool
    """Whether it may see and search the notes at all."""
    prompt_memory: bool
    """Whether it may see MEMORY.md, the inbox, facts, and what was said in other conversations."""
    because: str = ""

    @property
    def without(self) -> tuple[str, ...]:
        """The notes that its searches leave out, as `search.scope.Scope` takes them."""
        return () if self.prompt_memory else _PRIVATE


def is_private(path: str) -> bool:
    """Say whether a note is for direct sessions only; letter case does not count, as it may not on the disk."""
    low = twin_key(path.removeprefix("./"))
    return any(
        low.startswith(pattern.rstrip("*")) if pattern[-1] in "/*" else low == pattern.lower() for pattern in _PRIVATE
    )


def is_visible(settings: ScopeSettings, kind: str, key: str, channel: str = "") -> bool:
    """Say whether a session may see the memory: the first rule that matches decides, else the default."""
    for rule in settings.rules:
        if _matches(rule, kind, key, channel):
            return rule.action is ScopeAction.ALLOW
    return settings.default is ScopeAction.ALLOW


def sight_of(settings: ScopeSettings, kind: str, key: str, channel: str = "") -> Sight:
    """Return what a session may see, and the reason for what it may not."""
    if not is_visible(settings, kind, key, channel):
        return Sight(
            memory=False, prompt_memory=False, because=f"memory.scope keeps the memory from this {kind} session"
        )
    if kind != SessionKind.DIRECT:
        because = f"MEMORY.md, facts and other conversations are only for direct sessions, and this is a {kind} one"
        return Sight(memory=True, prompt_memory=False, because=because)
    return Sight(memory=True, prompt_memory=True)


def _matches(rule: ScopeRule, kind: str, key: str, channel: str) -> bool:
    return (
        (rule.kind is None or rule.kind == kind)
        and key.startswith(rule.key_prefix)
        and (not rule.channel or rule.channel == channel)
    )
