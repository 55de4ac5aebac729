"""The keys of the back end QMD; `keys.py` takes them into its list."""

from __future__ import annotations

from typing import Final

from holdfast.settings.qmd_paths import name_clash, path_entry, qmd_path_flaw
from holdfast.settings.setting_key import Key, Kind
from holdfast.settings.text_checks import local_url_flaw

__all__ = ["QMD_KEYS"]

_DAY: Final = 1440  # minutes

QMD_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "memory.backend",
        Kind.CHOICE,
        "Who answers a search: Holdfast itself (`builtin`), or the program QMD (`qmd`), for which Holdfast stands in "
        "whenever it does not answer; what embeds for the builtin search is kept as it is.",
    ),
    Key(
        "memory.qmd.command",
        Kind.TEXT,
        "The program: a name that is looked for in PATH, or where it is.",
        of_home=True,
    ),
    Key(
        "memory.qmd.url",
        Kind.TEXT,
        "Where a running `qmd mcp --http` of this machine listens; it is then asked instead of a process for each "
        "search.",
        flaw=local_url_flaw,
        example="http://127.0.0.1:8181",
    ),
    Key("memory.qmd.max_results", Kind.WHOLE, "How many hits of QMD a search returns at most.", 1, 100),
    Key(
        "memory.qmd.timeout_ms",
        Kind.WHOLE,
        "How long a search waits for QMD before the builtin search answers.",
        50,
        600_000,
    ),
    Key(
        "memory.qmd.include_default_memory",
        Kind.SWITCH,
        "Let QMD index MEMORY.md, the notes below memory/ and `memory.extra_paths`.",
    ),
    Key(
        "memory.qmd.paths",
        Kind.TEXTS,
        "More directories and Markdown files for QMD alone, each as a table with `path`, `pattern` and `name`, or in "
        "one text `name=path::pattern`.",
        flaw=qmd_path_flaw,
        entry=path_entry,
        together=name_clash,
    ),
    Key(
        "memory.qmd.update.interval",
        Kind.WHOLE,
        "How often a long-running Holdfast lets QMD look at the notes, in minutes; 0 is never.",
        0,
        _DAY,
        room_name="qmd_update",
    ),
    Key(
        "memory.qmd.update.debounce_ms",
        Kind.WHOLE,
        "How long the notes must be quiet after a change before QMD looks at them, in milliseconds.",
        0,
        3_600_000,
        room_name="qmd_update",
    ),
    Key(
        "memory.qmd.update.on_boot",
        Kind.SWITCH,
        "Let the first search of an opened memory wait until QMD has looked at what changed.",
        room_name="qmd_update",
    ),
    Key(
        "memory.qmd.update.embed_interval",
        Kind.WHOLE,
        "How often it may embed in the background, where its models are, in minutes; 0 is never.",
        0,
        _DAY * 7,
        room_name="qmd_update",
    ),
    Key(
        "memory.qmd.sessions.enabled",
        Kind.SWITCH,
        "Let QMD index what was said in sessions that are still open, without tool results and system messages.",
        room_name="qmd_sessions",
    ),
    Key(
        "memory.qmd.sessions.retention_days",
        Kind.WHOLE,
        "Only sessions in which something was said in the last so many days; without it, all.",
        1,
        36_500,
        example=90,
        room_name="qmd_sessions",
    ),
    Key(
        "memory.qmd.limits.max_snippet_chars",
        Kind.WHOLE,
        "The longest snippet of a hit of QMD, in characters.",
        80,
        700,
        room_name="qmd_limits",
    ),
    Key(
        "memory.qmd.limits.max_injected_chars",
        Kind.WHOLE,
        "How many characters the snippets of one search by QMD have together at most.",
        100,
        100_000,
        room_name="qmd_limits",
    ),
    Key(
        "memory.qmd.scope.default",
        Kind.CHOICE,
        "Whether QMD answers a session that no rule matches; where it does not, the builtin search does.",
        room_name="qmd_scope",
    ),
    Key(
        "memory.qmd.scope.rules",
        Kind.RULES,
        "Which sessions QMD answers, the first rule that matches decides; what a session may see at all is "
        "`memory.scope`.",
        room_name="qmd_scope",
    ),
)
