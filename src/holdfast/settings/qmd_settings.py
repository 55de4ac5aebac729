"""The settings of the back end QMD: how it is run, what it indexes, how much of it is shown and to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.settings.declaration import Section, choice, fixed, minutes, rule_list, switch, text, texts, whole
from holdfast.settings.session_settings import ScopeAction, ScopeRule, SessionKind, with_default
from holdfast.settings.text_checks import local_url_flaw

__all__ = ["QmdLimits", "QmdScope", "QmdSessions", "QmdSettings", "QmdUpdate"]


# A module with patterns, of which few homes have need.


def _path_flaw(text: str) -> str | None:
    from holdfast.settings.qmd_paths import qmd_path_flaw

    return qmd_path_flaw(text)


def _path_entry(entry: Mapping[str, object]) -> str:
    from holdfast.settings.qmd_paths import path_entry

    return path_entry(entry)


def _name_clash(texts: Sequence[str]) -> str | None:
    from holdfast.settings.qmd_paths import name_clash

    return name_clash(texts)


def _is_address(command: str) -> bool:
    return "://" in command


def _command_flaw(command: str) -> str | None:
    if not _is_address(command):
        return None
    return local_url_flaw(command)


class QmdSettings(Section, table="memory.qmd"):
    """The way in which QMD is asked, and the notes it knows."""

    command: str = text(
        "qmd",
        "The program: a name that is looked for in PATH, or where it is; or the address at which a running `qmd mcp "
        "--http` of this machine listens (`http://127.0.0.1:8181`), which is then asked instead of a process for each "
        "search.",
        flaw=_command_flaw,
        of_home=True,
    )
    url: str | None = fixed(
        text(None, "Where a running QMD listens.", flaw=local_url_flaw, example="http://127.0.0.1:8181"),
        "Write the address into memory.qmd.command.",
        heir="memory.qmd.command",
        carry=lambda url, _: url,
    )
    max_results: int = whole(10, "How many hits of QMD a search returns at most.", 1, 100)
    timeout_ms: int = whole(30_000, "How long a search waits for QMD before the builtin search answers.", 50, 600_000)
    include_default_memory: bool = switch(
        True, "Let QMD index MEMORY.md, the notes below memory/ and `memory.extra_paths`."
    )
    paths: tuple[str, ...] = texts(
        (),
        "More directories and Markdown files for QMD alone, each as a table with `path`, `pattern` and `name`, "
        "or in one text `name=path::pattern`.",
        flaw=_path_flaw,
        entry=_path_entry,
        together=_name_clash,
    )

    def settle(self, held: dict[str, Any]) -> None:
        """Tell a server that is asked from a program that is run."""
        if _is_address(self.command):
            held["url"], held["command"] = self.command, type(self).command


class QmdUpdate(Section, table="memory.qmd.update"):
    """The times at which its index follows the notes."""

    interval: int = minutes(
        5, "How often a long-running Holdfast lets QMD look at the notes, in minutes; 0 is never.", 0, 1440
    )
    debounce_ms: int = whole(
        15_000,
        "How long the notes must be quiet after a change before QMD looks at them, in milliseconds.",
        0,
        3_600_000,
    )
    on_boot: bool = switch(True, "Let the first search of an opened memory wait until QMD has looked at what changed.")
    embed_interval: int = fixed(
        whole(60, "How often it may embed in the background, where its models are, in minutes; 0 is never.", 0, 10_080)
    )


class QmdSessions(Section, table="memory.qmd.sessions"):
    """The sessions that are still open and that it knows, too."""

    enabled: bool = switch(
        False, "Let QMD index what was said in sessions that are still open, without tool results and system messages."
    )
    retention_days: int | None = whole(
        None,
        "Only sessions in which something was said in the last so many days; without it, all.",
        1,
        36_500,
        example=90,
    )


class QmdLimits(Section, table="memory.qmd.limits"):
    """The length of its hits as they are shown."""

    max_snippet_chars: int = whole(700, "The longest snippet of a hit of QMD, in characters.", 80, 700)
    max_injected_chars: int = whole(
        6000, "How many characters the snippets of one search by QMD have together at most.", 100, 100_000
    )


class QmdScope(Section, table="memory.qmd.scope"):
    """The sessions it answers; the first rule that matches decides."""

    default: ScopeAction = fixed(
        choice(ScopeAction.DENY, "Whether QMD answers a session that no rule matches."),
        "A last rule of memory.qmd.scope.rules without a `match` says it.",
        heir="memory.qmd.scope.rules",
        carry=with_default,
    )
    rules: tuple[ScopeRule, ...] = rule_list(
        (ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT),),
        "Which sessions QMD answers, the first rule that matches decides; where none does, the builtin search answers; "
        "what a session may see at all is `memory.scope`.",
    )
