"""The settings of a memory as a whole: what agents get of it, may change in it, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

from holdfast.settings.declaration import PLENTY, Section, choice, fixed, switch, text, texts, whole
from holdfast.settings.embedding_settings import Provider
from holdfast.settings.text_checks import extra_path_flaw, fallback_flaw, origin_flaw, source_flaw, url_flaw

__all__ = [
    "Backend",
    "CheckpointSettings",
    "Citations",
    "MemorySettings",
    "MergeStrategy",
    "ProfileWriteMode",
    "PromptApproval",
    "Secrets",
    "SessionExport",
    "Style",
    "WriteMode",
]


class Style(StrEnum):
    """The parts of memory that the agent gets: MEMORY.md in the prompt, the tools, both or neither."""

    HYBRID = "hybrid"
    PROMPT_ONLY = "prompt-only"
    SEARCH_ONLY = "search-only"
    OFF = "off"

    @property
    def offers_tools(self) -> bool:
        """True if the agent is given the memory tools."""
        return self in (Style.HYBRID, Style.SEARCH_ONLY)

    @property
    def stops_memory(self) -> str:
        """Return why nothing is remembered or brought to mind by itself; empty where that is not so."""
        if self is Style.OFF:
            return 'memory.style is "off"'
        return ""


class WriteMode(StrEnum):
    """The notes that agents and programs may change; the owner may change all."""

    HYBRID = "hybrid"
    PROMPT_ONLY = "prompt-only"
    SEARCH_ONLY = "search-only"
    OFF = "off"


class PromptApproval(StrEnum):
    """The texts of an agent for MEMORY.md that wait for the owner."""

    UNSAID = "unsaid"
    ALWAYS = "always"
    NEVER = "never"


class Secrets(StrEnum):
    """The fate of a text that holds a password or a key."""

    REFUSE = "refuse"
    REDACT = "redact"
    ALLOW = "allow"


class ProfileWriteMode(StrEnum):
    """The ways in which USER.md may change."""

    EXPLICIT_AND_AUTO = "explicit-and-auto"
    EXPLICIT_ONLY = "explicit-only"
    OFF = "off"


class SessionExport(StrEnum):
    """The moment at which a transcript becomes a note."""

    ON_NEW_OR_RESET = "on-new-or-reset"
    OFF = "off"


class Citations(StrEnum):
    """The hits that carry their citation."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class MergeStrategy(StrEnum):
    """The way in which keyword and vector results become one list."""

    RRF = "rrf"
    LINEAR = "linear"


class Backend(StrEnum):
    """The back end that answers a search; whatever QMD can't answer, the builtin search does."""

    BUILTIN = "builtin"
    QMD = "qmd"


_MOST_DAYS: Final = 36_500
_MOST_NOTES: Final = 100_000
_KEEP_FIELDS: Final = {"days": "session_export_days", "notes": "session_export_count"}


def _keep_flaw(limit: str) -> str | None:
    number, _, unit = limit.partition(" ")
    most = {"days": _MOST_DAYS, "notes": _MOST_NOTES}.get(unit)
    if most is None or not number.isascii() or not number.isdigit() or not 1 <= int(number[:9]) <= most:
        return f"it must be `N days` (to {_MOST_DAYS:,}) or `N notes` (to {_MOST_NOTES:,})"
    return None


def _keep_clash(limits: Sequence[str]) -> str | None:
    units = [limit.partition(" ")[2] for limit in limits]
    if len(units) == len(set(units)):
        return None
    return f"it has two limits in {units[0]}"


def _kept_with(limits: tuple[str, ...], number: int, unit: str) -> tuple[str, ...]:
    return (*(limit for limit in limits if not limit.endswith(unit)), f"{number} {unit}")


def _auto_provider(auto_remote: bool, provider: Provider) -> Provider | None:
    if auto_remote and provider is Provider.AUTO:
        return Provider.AUTO_REMOTE
    return None


class MemorySettings(Section, table="memory"):
    """The rights of the agent in its memory, and the files that belong to it."""

    style: Style = choice(
        Style.HYBRID,
        "What the agent gets: `prompt-only` is MEMORY.md in its prompt, `search-only` the memory tools, `hybrid` "
        "both, `off` neither; then nothing is recalled, captured, saved before a compaction, kept by hooks or "
        "dreamt, and what is asked for outright (`save`, `search`, `export`) still works.",
    )
    backend: Backend = choice(
        Backend.BUILTIN,
        "Who answers a search: Holdfast itself (`builtin`), or the program QMD (`qmd`), for which Holdfast "
        "stands in whenever it does not answer; what embeds for the builtin search is kept as it is.",
    )
    agent_write_mode: WriteMode = choice(
        WriteMode.HYBRID,
        "Which notes agents and programs may change: all (`hybrid`), none below memory/ (`prompt-only`), not "
        "MEMORY.md (`search-only`), none (`off`); it stops the tools, MCP, HTTP, the library (`Memory.open()` is "
        "a program), capture, the silent turn and dreaming in the background, but never the owner (the command "
        "line and an editor) nor transcripts and the state of sessions, which are no notes.",
    )
    prompt_approval: PromptApproval = choice(
        PromptApproval.UNSAID,
        "Whether what an agent or a program writes to MEMORY.md waits in memory/inbox.md for `holdfast inbox "
        "approve`: `unsaid` is what is no whole sentence or bullet that the user typed in a direct session; "
        "`always` is all, `never` nothing.",
    )
    approved_origins: tuple[str, ...] = texts(
        (),
        "Whose writing to MEMORY.md needs no approval: an origin such as `api`, or one program of it such as "
        "`mcp_tool/claude-code` or `agent/langgraph`.",
        flaw=origin_flaw,
    )
    provider: Provider = choice(
        Provider.AUTO,
        "Who turns text into vectors: `local` is `memory.local.model_path` or the model that comes with Holdfast, "
        "and so is `auto`, unless `memory.base_url` names a server; the others are asked over HTTP, and text goes to "
        "them only when they are named here; `auto-remote` takes a local model file first, then OpenAI, Gemini and "
        "Ollama, whichever can be had.",
    )
    model: str | None = text(
        None,
        "The model that the provider is asked for; without it, `text-embedding-3-small`, `gemini-embedding-001` "
        "or `nomic-embed-text`.",
        example="text-embedding-3-large",
    )
    base_url: str | None = text(
        None,
        "Where the provider is: a host, its `/v1`, or the whole address of `/embeddings`; with `auto`, a server "
        "that speaks OpenAI's language (or Gemini's address, or Ollama's port).",
        flaw=url_flaw,
        example="https://api.example.com/v1",
    )
    api_key: str | None = text(
        None,
        "The provider's key; without it, OPENAI_API_KEY, or GEMINI_API_KEY or GOOGLE_API_KEY, from the environment.",
        example="…",
        secret=True,
    )
    dimensions: int | None = whole(
        None, "Ask for vectors of this length, where the model can give several.", 8, 16_384, example=512
    )
    fallback: tuple[str, ...] = texts(
        (Provider.LOCAL.value,),
        "Who answers while the provider can't: `local`, `openai`, `gemini`, `ollama`, in this order, each in a "
        "space of its own; an empty list, or `none`, is nobody.",
        flaw=fallback_flaw,
    )
    auto_remote: bool = fixed(
        switch(False, "Let `auto` send text to another machine."),
        'Set memory.provider to "auto-remote".',
        heir="memory.provider",
        carry=_auto_provider,
    )
    disable_rag: bool = switch(False, "Search by keywords only and never make vectors.")
    secrets: Secrets = choice(
        Secrets.REFUSE,
        "What happens to a text to be saved that holds a known kind of password, key or token: `refuse` it, "
        "`redact` the secret, or `allow` it; to another machine a secret never goes.",
    )
    citations: Citations = choice(
        Citations.AUTO, "When a hit ends with its `Source:` line: `auto` is when the hits come from more than one note."
    )
    search_merge_strategy: MergeStrategy = choice(
        MergeStrategy.LINEAR,
        "How keyword and vector results become one list: `rrf` goes by their ranks, `linear` by their weighted scores.",
    )
    llm_reranking: bool = switch(False, "Let the language model of `[llm]` judge the best candidates again.")
    extra_paths: tuple[str, ...] = texts(
        (), "More Markdown files and directories to index, absolute or relative to the workspace.", flaw=extra_path_flaw
    )
    user_profile_write_mode: ProfileWriteMode = choice(
        ProfileWriteMode.EXPLICIT_AND_AUTO,
        "How USER.md may change: by explicit saves and by what is noticed on the way (time zone, location), by "
        "explicit saves only, or not at all.",
        of_home=True,
    )
    session_export: SessionExport = choice(
        SessionExport.ON_NEW_OR_RESET,
        "Whether a session that ends (`new`, `reset`) is written to memory/sessions/ as a note that can be found.",
    )
    session_export_keep: tuple[str, ...] = texts(
        (),
        "How long such notes are kept: `365 days` after the last word that was said, `1000 notes` of the "
        "conversations that ended last, or both; all of them, for good, where it is empty.",
        flaw=_keep_flaw,
        together=_keep_clash,
    )
    session_export_days: int | None = fixed(
        whole(None, "How many days such a note is kept.", 1, _MOST_DAYS, example=365),
        "Write it into memory.session_export_keep, such as `365 days`.",
        heir="memory.session_export_keep",
        carry=lambda days, before: _kept_with(before, days, "days"),
    )
    session_export_count: int | None = fixed(
        whole(None, "How many such notes are kept.", 1, _MOST_NOTES, example=1000),
        "Write it into memory.session_export_keep, such as `1000 notes`.",
        heir="memory.session_export_keep",
        carry=lambda count, before: _kept_with(before, count, "notes"),
    )
    sources: tuple[str, ...] = texts(
        ("memory",),
        "What is searched: `memory` is the notes, `sessions` the transcripts of sessions.",
        flaw=source_flaw,
    )

    def settle(self, held: dict[str, Any]) -> None:
        """Read the limits of exports, and tell `auto` from leave to send."""
        if self.provider is Provider.AUTO_REMOTE:
            held["provider"], held["auto_remote"] = Provider.AUTO, True
        for limit in self.session_export_keep:
            number, _, unit = limit.partition(" ")
            held[_KEEP_FIELDS[unit]] = int(number)


class CheckpointSettings(Section, table="memory.checkpoints"):
    """The age and the number of checkpoints that are kept."""

    keep_days: int = whole(
        30,
        "A checkpoint is kept until changes were made on this many later days; the newest 200 of each note are kept "
        "however old they are.",
        0,
        PLENTY,
    )
    keep_count: int = fixed(
        whole(200, "The newest so many checkpoints of each note are kept, however old they are.", 1, PLENTY)
    )
