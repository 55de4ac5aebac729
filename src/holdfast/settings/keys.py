"""Every key of `holdfast.toml`, once: loading, checking, docs, `config` and environment read this list."""

from __future__ import annotations

from typing import Final

from holdfast.settings.keys_dreaming import DREAM_KEYS
from holdfast.settings.keys_facts import FACT_KEYS
from holdfast.settings.keys_multimodal import MULTIMODAL_KEYS
from holdfast.settings.keys_qmd import QMD_KEYS
from holdfast.settings.keys_sandbox import SANDBOX_KEYS
from holdfast.settings.keys_sessions import SESSION_KEYS
from holdfast.settings.setting_key import Key, Kind
from holdfast.settings.text_checks import (
    extra_path_flaw,
    fallback_flaw,
    header_flaw,
    local_model_flaw,
    store_path_flaw,
    url_flaw,
)

__all__ = ["KEYS"]

# A number without a natural end still has one: it must fit SQLite's integers and the system's timers.
_PLENTY: Final = 1_000_000_000

KEYS: Final[tuple[Key, ...]] = (
    Key(
        "memory.style",
        Kind.CHOICE,
        "What the agent gets: `prompt-only` is MEMORY.md in its prompt, `search-only` the memory tools, `hybrid` both, "
        "`off` neither; then nothing is recalled, captured, saved before a compaction, kept by hooks or dreamt, and "
        "what is asked for outright (`save`, `search`, `export`) still works.",
    ),
    Key(
        "memory.agent_write_mode",
        Kind.CHOICE,
        "Which notes agents and programs may change: all (`hybrid`), none below memory/ (`prompt-only`), not MEMORY.md "
        "(`search-only`), none (`off`); it stops the tools, MCP, HTTP, the library (`Memory.open()` is a program), "
        "capture, the silent turn and dreaming in the background, but never the owner (the command line and an editor) "
        "nor transcripts and the state of sessions, which are no notes.",
    ),
    Key(
        "memory.provider",
        Kind.CHOICE,
        "Who turns text into vectors: `local` is `memory.local.model_path`, `memory.local.model` or the model that "
        "comes with Holdfast, and so is `auto`, unless `memory.base_url` names a server; the others are asked over "
        "HTTP, and text goes to them only when they are named here.",
    ),
    Key(
        "memory.model",
        Kind.TEXT,
        "The model that the provider is asked for; without it, `text-embedding-3-small`, `gemini-embedding-001` or "
        "`nomic-embed-text`.",
        example="text-embedding-3-large",
    ),
    Key(
        "memory.base_url",
        Kind.TEXT,
        "Where the provider is: a host, its `/v1`, or the whole address of `/embeddings`; with `auto`, a server that "
        "speaks OpenAI's language (or Gemini's address, or Ollama's port).",
        flaw=url_flaw,
        example="https://api.example.com/v1",
    ),
    Key(
        "memory.api_key",
        Kind.TEXT,
        "The provider's key; without it, OPENAI_API_KEY, or GEMINI_API_KEY or GOOGLE_API_KEY, from the environment.",
        example="…",
        secret=True,
    ),
    Key(
        "memory.dimensions",
        Kind.WHOLE,
        "Ask for vectors of this length, where the model can give several.",
        8,
        16_384,
        example=512,
    ),
    Key(
        "memory.fallback",
        Kind.TEXTS,
        "Who answers while the provider can't: `local`, `openai`, `gemini`, `ollama`, in this order, each in a space "
        "of its own; an empty list, or `none`, is nobody.",
        flaw=fallback_flaw,
    ),
    Key(
        "memory.auto_remote",
        Kind.SWITCH,
        "Let `auto` send text to another machine: a local model file first, then OpenAI, Gemini and Ollama, whichever "
        "can be had.",
    ),
    Key(
        "memory.local.model",
        Kind.TEXT,
        "A model to run here, by name: `holdfast-static-2` comes with Holdfast, knows 16 languages, and is meant "
        "without this key; `holdfast-static-1` is its English half alone, with vectors half as long; "
        "`use-multilingual`, which it learned from, comes with the extra `languages` and is slower; a file in "
        "`memory.local.model_path` goes before it.",
        flaw=local_model_flaw,
        example="use-multilingual",
    ),
    Key(
        "memory.local.model_path",
        Kind.TEXT,
        "A model to run here: a GGUF file, a directory with an ONNX model, or `hf:owner/repository/file.gguf`, which "
        "`holdfast index` downloads.",
        example="hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
    ),
    Key(
        "memory.local.model_cache_dir",
        Kind.TEXT,
        "Where downloaded models are kept; without it, `state/models` in the home.",
        example="~/models",
        of_home=True,
    ),
    Key(
        "memory.local.threads",
        Kind.WHOLE,
        "How many threads a local model uses; without it, as many as there are cores (`use-multilingual`: one).",
        1,
        256,
        example=2,
    ),
    Key(
        "memory.remote.headers",
        Kind.HEADERS,
        "More headers for the provider's requests.",
        flaw=header_flaw,
        secret=True,
    ),
    Key("memory.remote.timeout_seconds", Kind.WHOLE, "How long one request may take, retries included.", 1, 3600),
    Key(
        "memory.remote.query_timeout_ms",
        Kind.WHOLE,
        "How long a search waits for its question's vector before keywords answer alone, and before that for vectors "
        "of new texts; those that are missing by then wait for `holdfast index`, `watch` or a server.",
        50,
        60_000,
    ),
    Key("memory.remote.concurrency", Kind.WHOLE, "How many requests are under way at once.", 1, 64),
    Key(
        "memory.remote.ask_above",
        Kind.WHOLE,
        "Sending more texts than this to a provider at once needs `holdfast index --yes`.",
        0,
        _PLENTY,
    ),
    Key(
        "memory.remote.batch.enabled",
        Kind.SWITCH,
        "Send large numbers of texts through the provider's batch service, where it has one (OpenAI, Gemini).",
    ),
    Key("memory.remote.batch.threshold", Kind.WHOLE, "From how many texts on that is done.", 1, _PLENTY),
    Key(
        "memory.remote.batch.wait",
        Kind.SWITCH,
        "Let `holdfast index` wait for the batch; when false, a later `holdfast index` collects it.",
    ),
    Key("memory.remote.batch.poll_interval_ms", Kind.WHOLE, "How often a batch is looked at.", 10, 3_600_000),
    Key("memory.remote.batch.timeout_minutes", Kind.WHOLE, "How long a batch is waited for.", 1, 10_000),
    Key("memory.remote.batch.concurrency", Kind.WHOLE, "How many batches are under way at once.", 1, 16),
    Key(
        "memory.secrets",
        Kind.CHOICE,
        "What happens to a text to be saved that holds a known kind of password, key or token: `refuse` it, `redact` "
        "the secret, or `allow` it; to another machine a secret never goes.",
    ),
    Key("memory.disable_rag", Kind.SWITCH, "Search by keywords only and never make vectors."),
    Key(
        "memory.citations",
        Kind.CHOICE,
        "When a hit ends with its `Source:` line: `auto` is when the hits come from more than one note.",
    ),
    Key(
        "memory.search_merge_strategy",
        Kind.CHOICE,
        "How keyword and vector results become one list: `rrf` goes by their ranks, `linear` by their weighted scores.",
    ),
    Key(
        "memory.llm_reranking",
        Kind.SWITCH,
        "Let the language model of `[llm]` judge the best candidates again.",
    ),
    Key(
        "memory.extra_paths",
        Kind.TEXTS,
        "More Markdown files and directories to index, absolute or relative to the workspace.",
        flaw=extra_path_flaw,
    ),
    Key("memory.search.max_results", Kind.WHOLE, "How many hits a search returns.", 1, 100),
    Key("memory.search.min_score", Kind.NUMBER, "Hits with a lower score are left out.", 0, 1),
    Key(
        "memory.search.min_confidence",
        Kind.NUMBER,
        "Hits that are less likely to answer are left out; at 0 they are given and marked.",
        0,
        1,
    ),
    Key(
        "memory.search.candidate_multiplier",
        Kind.WHOLE,
        "Keywords and vectors each bring this many times 12 candidates to the merge, however many hits are wanted.",
        1,
        20,
    ),
    Key(
        "memory.search.vector_weight",
        Kind.NUMBER,
        "How much a vector score counts; the two weights are scaled to add up to 1.",
        0,
    ),
    Key(
        "memory.search.text_weight",
        Kind.NUMBER,
        "How much a keyword score counts; the two weights are scaled to add up to 1.",
        0,
    ),
    Key(
        "memory.search.hybrid",
        Kind.SWITCH,
        "Use keywords and vectors together; when false, only vectors are used where there are any.",
    ),
    Key(
        "memory.search.context",
        Kind.SWITCH,
        "Score a line together with its neighbours and its note.",
    ),
    Key(
        "memory.search.closer",
        Kind.SWITCH,
        "Compare the best candidates with the question word by word, with the model that comes with Holdfast.",
    ),
    Key("memory.search.typos", Kind.SWITCH, "Also look for words that differ by a letter from one no note has."),
    Key(
        "memory.search.time",
        Kind.SWITCH,
        "Let `last week`, `in March` or `before the launch` in a question find and lift notes of that time.",
    ),
    Key(
        "memory.search.week_start",
        Kind.CHOICE,
        "What `last week` begins with: `auto` goes by the country of the locale (LC_TIME, LANG), and is Monday else.",
    ),
    Key(
        "memory.search.newest_first",
        Kind.SWITCH,
        "Put a line before an older one that says something else of the same thing.",
    ),
    Key(
        "memory.search.answer_first",
        Kind.SWITCH,
        "Put what followed a question before the question itself, where the same was asked before.",
    ),
    Key(
        "memory.search.expand",
        Kind.SWITCH,
        "Where the first search leaves room, ask the language model of `[llm]` for other ways to ask, and search with "
        "them too; a search waits for it as long as `llm.timeout_seconds` says.",
    ),
    Key(
        "memory.search.rerank.model",
        Kind.TEXT,
        "A directory with an ONNX cross-encoder, which judges the best candidates again on this machine; where "
        "`memory.llm_reranking` is on and there is a language model, that one does.",
        example="~/models/ms-marco-MiniLM-L6-v2",
    ),
    Key(
        "memory.search.mmr.enabled",
        Kind.SWITCH,
        "Let hits that repeat an earlier one give way to others.",
    ),
    Key(
        "memory.search.mmr.relevance",
        Kind.NUMBER,
        "How much relevance counts against being different (the lambda of MMR).",
        0,
        1,
    ),
    Key(
        "memory.search.temporal_decay.enabled",
        Kind.SWITCH,
        "Lift newer notes a little: dated ones by their date, sessions and extra paths by their age.",
    ),
    Key(
        "memory.search.temporal_decay.half_life_days",
        Kind.WHOLE,
        "After how many days that lift is half.",
        1,
        36_500,
    ),
    Key(
        "memory.search.boost.importance",
        Kind.NUMBER,
        "How much it lifts a fact to be important, and lowers it to be unimportant.",
        0,
        1,
    ),
    Key("memory.search.boost.access", Kind.NUMBER, "How much it lifts a chunk to be found often.", 0, 1),
    Key("memory.search.boost.project", Kind.NUMBER, "How much it lifts a note to belong to the project at hand.", 0, 1),
    Key(
        "memory.search.llm_timeout_ms",
        Kind.WHOLE,
        "How long a search waits for the language model that expands or reranks, before it answers without.",
        50,
        600_000,
    ),
    Key("memory.search.snippet_chars", Kind.WHOLE, "The longest snippet, in characters.", 80, 700),
    Key(
        "memory.chunking.tokens",
        Kind.WHOLE,
        "About how many tokens a section is cut to, and so shown with; and what makes one text for a provider that is "
        "asked over HTTP, be it several turns or bullets.",
        32,
        4000,
    ),
    Key(
        "memory.chunking.overlap",
        Kind.WHOLE,
        "How many tokens each repeats from the one before; less than half of `tokens`.",
        0,
        1999,
    ),
    Key(
        "memory.sync.on_session_start",
        Kind.SWITCH,
        "Bring the index up to date before the first search of an opened memory, also where `on_search` is off.",
    ),
    Key(
        "memory.sync.on_search",
        Kind.SWITCH,
        "Bring the index up to date before a search; with hundreds of notes at most four times a second, with many "
        "thousands every few seconds.",
    ),
    Key("memory.sync.watch", Kind.SWITCH, "Let long-running surfaces watch the notes for changes."),
    Key(
        "memory.sync.watch_debounce_ms",
        Kind.WHOLE,
        "How long the notes must be quiet before a watcher syncs, in milliseconds.",
        50,
        60_000,
    ),
    Key(
        "memory.sync.interval",
        Kind.WHOLE,
        "Let long-running surfaces also sync this often, in minutes; 0 is never.",
        0,
        _PLENTY,
    ),
    Key("memory.cache.enabled", Kind.SWITCH, "Keep the vectors of text that is gone, in case it comes back."),
    Key(
        "memory.cache.max_entries",
        Kind.WHOLE,
        "How many such vectors are kept; the least recently used go first.",
        0,
        _PLENTY,
    ),
    Key(
        "memory.store.path",
        Kind.TEXT,
        "The index file, absolute or relative to the home; `{agentId}` stands for the agent.",
        flaw=store_path_flaw,
        of_home=True,
    ),
    Key(
        "memory.store.fts.tokenizer",
        Kind.CHOICE,
        "How text becomes the words of the index: `holdfast` is our own analyser, the others are SQLite's.",
    ),
    Key(
        "memory.store.vector.enabled",
        Kind.SWITCH,
        "Search the vectors with sqlite-vec: `true` is the library named below or else the installed package, `false` "
        "is neither; without it, only a library named below is used, because Holdfast's own search is faster.",
        example=True,
    ),
    Key(
        "memory.store.vector.extension_path",
        Kind.TEXT,
        "The sqlite-vec library to load, where it is another than that of the installed package.",
        example="/path/to/vec0",
        of_home=True,
    ),
    Key(
        "memory.checkpoints.keep_days",
        Kind.WHOLE,
        "A checkpoint is kept until changes were made on this many later days.",
        0,
        _PLENTY,
    ),
    Key(
        "memory.checkpoints.keep_count",
        Kind.WHOLE,
        "The newest so many checkpoints of each note are kept, however old they are.",
        1,
        _PLENTY,
    ),
    Key(
        "llm.provider",
        Kind.CHOICE,
        "Whose language model helps where one is wanted: `auto` is the server at `llm.base_url`, or nobody where that "
        "is not set; `none` leaves those parts out.",
    ),
    Key("llm.model", Kind.TEXT, "The model that is asked for.", example="gpt-5-mini"),
    Key(
        "llm.base_url",
        Kind.TEXT,
        "Where it is, if not at the provider's own address; with `auto`, a server that speaks OpenAI's language (or "
        "Anthropic's or Gemini's address, or Ollama's port).",
        flaw=url_flaw,
        example="http://localhost:8080/v1",
    ),
    Key(
        "llm.api_key",
        Kind.TEXT,
        "Its key; without it, the provider's usual environment variable.",
        example="…",
        secret=True,
    ),
    Key(
        "llm.timeout_seconds",
        Kind.WHOLE,
        "How long an answer that comes in one piece may take, retries included.",
        1,
        3600,
    ),
    Key(
        "llm.idle_timeout_seconds",
        Kind.WHOLE,
        "How long an answer that is streamed may pause, also before it begins; in all it may take any time.",
        1,
        3600,
    ),
    Key("llm.max_tokens", Kind.WHOLE, "The longest answer, in tokens.", 1, 1_000_000),
    Key("llm.temperature", Kind.NUMBER, "How freely it answers; without it, as the model does.", 0, 2, example=1),
    Key(
        "llm.price_input",
        Kind.NUMBER,
        "What a million tokens that it reads cost, in any currency; without both prices no cost is shown.",
        0,
        _PLENTY,
        example=1,
    ),
    Key(
        "llm.price_output",
        Kind.NUMBER,
        "What a million tokens that it writes cost, in the same currency.",
        0,
        _PLENTY,
        example=4,
    ),
    *QMD_KEYS,
    *SESSION_KEYS,
    *FACT_KEYS,
    *DREAM_KEYS,
    *SANDBOX_KEYS,
    *MULTIMODAL_KEYS,
)
