"""The frozen values of the back end QMD: how it is run, what it indexes, how much of it is shown and to whom."""

from __future__ import annotations

from enum import StrEnum

from holdfast.settings.values_sessions import ScopeAction, ScopeRule, SessionKind
from holdfast.value import Value

__all__ = [
    "Backend",
    "QmdLimits",
    "QmdScope",
    "QmdSessions",
    "QmdSettings",
    "QmdUpdate",
]


class Backend(StrEnum):
    """Who answers a search; whatever QMD can't answer, the builtin search does."""

    BUILTIN = "builtin"
    QMD = "qmd"


class QmdSettings(Value):
    """How QMD is asked, and which notes it knows."""

    command: str = "qmd"
    url: str | None = None
    max_results: int = 10
    timeout_ms: int = 30_000
    include_default_memory: bool = True
    paths: tuple[str, ...] = ()


class QmdUpdate(Value):
    """When its index follows the notes."""

    interval: int = 5
    debounce_ms: int = 15_000
    on_boot: bool = True
    embed_interval: int = 60


class QmdSessions(Value):
    """Whether it also knows what was said in sessions that are still open."""

    enabled: bool = False
    retention_days: int | None = None


class QmdLimits(Value):
    """How much of its hits is shown."""

    max_snippet_chars: int = 700
    max_injected_chars: int = 6000


class QmdScope(Value):
    """Which sessions it answers; the first rule that matches decides."""

    default: ScopeAction = ScopeAction.DENY
    rules: tuple[ScopeRule, ...] = (ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT),)
