"""The keys of a conversation; `keys.py` takes them into its list."""

from __future__ import annotations

from typing import Final

from holdfast.settings.setting_key import Key, Kind
from holdfast.settings.text_checks import origin_flaw, source_flaw, timezone_flaw

__all__ = ["SESSION_KEYS"]

_PLENTY: Final = 1_000_000_000

SESSION_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "memory.prompt_approval",
        Kind.CHOICE,
        "Whether what an agent or a program writes to MEMORY.md waits in memory/inbox.md for `holdfast inbox approve`: "
        "`unsaid` is what is no whole sentence or bullet that the user typed in a direct session; `always` is all, "
        "`never` nothing.",
    ),
    Key(
        "memory.approved_origins",
        Kind.TEXTS,
        "Whose writing to MEMORY.md needs no approval: an origin such as `api`, or one program of it such as "
        "`mcp_tool/claude-code` or `agent/langgraph`.",
        flaw=origin_flaw,
    ),
    Key(
        "memory.user_profile_write_mode",
        Kind.CHOICE,
        "How USER.md may change: by explicit saves and by what is noticed on the way (time zone, location), by "
        "explicit saves only, or not at all.",
        of_home=True,
    ),
    Key(
        "memory.session_export",
        Kind.CHOICE,
        "Whether a session that ends (`new`, `reset`) is written to memory/sessions/ as a note that can be found.",
    ),
    Key(
        "memory.session_export_days",
        Kind.WHOLE,
        "How many days such a note is kept after the last word that was said; without it, for good.",
        1,
        36_500,
        example=365,
    ),
    Key(
        "memory.session_export_count",
        Kind.WHOLE,
        "How many such notes are kept, those of the conversations that ended last; without it, all.",
        1,
        100_000,
        example=1000,
    ),
    Key(
        "memory.sources",
        Kind.TEXTS,
        "What is searched: `memory` is the notes, `sessions` the transcripts of sessions.",
        flaw=source_flaw,
    ),
    Key(
        "memory.sync.sessions.delta_bytes",
        Kind.WHOLE,
        "A transcript is indexed again when it has grown by so many bytes.",
        1,
        _PLENTY,
    ),
    Key(
        "memory.sync.sessions.delta_messages",
        Kind.WHOLE,
        "A transcript is indexed again when it has grown by so many messages.",
        1,
        _PLENTY,
    ),
    Key("memory.scope.default", Kind.CHOICE, "Whether a session that no rule matches may see and search the memory."),
    Key(
        "memory.scope.rules",
        Kind.RULES,
        "Which sessions may see and search the memory, the first rule that matches decides; MEMORY.md itself is only "
        "ever shown to sessions of kind `direct`.",
    ),
    Key(
        "memory.prompt.max_chars_per_file",
        Kind.WHOLE,
        "How many characters of one file the prompt holds at most.",
        200,
        2_000_000,
    ),
    Key(
        "memory.prompt.max_chars_total",
        Kind.WHOLE,
        "How many characters of memory the prompt holds at most.",
        200,
        10_000_000,
    ),
    Key("memory.recall.enabled", Kind.SWITCH, "Look up what the user's message is about before each turn."),
    Key("memory.recall.max_results", Kind.WHOLE, "How many hits that brings into the prompt.", 1, 20),
    Key("memory.recall.max_chars", Kind.WHOLE, "How many characters these hits have at most.", 100, 100_000),
    Key("memory.recall.deadline_ms", Kind.WHOLE, "How long the turn waits for them.", 10, 60_000),
    Key(
        "memory.recall.citations",
        Kind.CHOICE,
        "What of a recalled hit goes into the prompt: `full` is its path, line and score with the excerpt, `inline` is "
        "just the excerpt, `off` is nothing at all.",
    ),
    Key(
        "chat.prompt_memory_mode",
        Kind.CHOICE,
        "Whether the prompt's memory is read anew for each turn, or kept as it was when the session began.",
    ),
    Key(
        "compaction.context_window",
        Kind.WHOLE,
        "How many tokens the model's window has; without it, what a server of your own says (llama.cpp, Ollama, vLLM "
        "and others that name it), else 128,000.",
        1000,
        100_000_000,
        example=8192,
    ),
    Key(
        "compaction.reserve_tokens_floor",
        Kind.WHOLE,
        "How many tokens of the window are kept free for the answer.",
        0,
        100_000_000,
    ),
    Key(
        "compaction.mode",
        Kind.CHOICE,
        "What stands in for what is left out: `deterministic` is a list of its topics, `summary` is asked of the "
        "model.",
    ),
    Key("compaction.keep_tokens", Kind.WHOLE, "About how many tokens at the end stay word for word.", 0, 100_000_000),
    Key("compaction.memory_flush.enabled", Kind.SWITCH, "Let the model save what matters before that, unseen."),
    Key(
        "compaction.memory_flush.soft_threshold_tokens",
        Kind.WHOLE,
        "How many tokens before the limit that happens.",
        0,
        100_000_000,
    ),
    Key(
        "compaction.memory_flush.transcript_bytes",
        Kind.WHOLE,
        "It also happens when the transcript since the last compaction has so many bytes.",
        1000,
        _PLENTY,
    ),
    Key("compaction.memory_flush.system_prompt", Kind.PROSE, "What the model is told in that turn."),
    Key(
        "compaction.memory_flush.prompt",
        Kind.PROSE,
        "What it is asked in that turn; `YYYY-MM-DD` stands for the date.",
    ),
    Key("compaction.memory_flush.max_steps", Kind.WHOLE, "How often the model is asked in that turn.", 1, 20),
    Key("compaction.memory_flush.max_tokens", Kind.WHOLE, "The longest answer in that turn.", 64, 100_000),
    Key("user.name", Kind.TEXT, "The user's name; USER.md wins over this table.", example="Ada", of_home=True),
    Key(
        "user.timezone",
        Kind.TEXT,
        "The user's time zone; without it, the machine's.",
        flaw=timezone_flaw,
        example="Europe/Zurich",
        of_home=True,
    ),
    Key("user.location", Kind.TEXT, "Where the user is.", example="Zurich", of_home=True),
)
