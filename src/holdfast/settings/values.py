"""The frozen values, one for each room: a room receives its own and never the whole."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Any

from holdfast.settings.values_dreaming import DeepSettings, DreamingSettings, DreamWeights, LightSettings, RemSettings
from holdfast.settings.values_facts import CaptureLlmSettings, CaptureSettings, FactsSettings
from holdfast.settings.values_multimodal import MultimodalSettings
from holdfast.settings.values_qmd import Backend, QmdLimits, QmdScope, QmdSessions, QmdSettings, QmdUpdate
from holdfast.settings.values_sandbox import SandboxSettings
from holdfast.settings.values_sessions import (
    ChatSettings,
    CompactionSettings,
    FlushSettings,
    ProfileWriteMode,
    PromptSettings,
    RecallSettings,
    ScopeSettings,
    SessionExport,
    SessionSyncSettings,
    UserSettings,
)
from holdfast.value import Value

__all__ = [
    "Backend",
    "BatchSettings",
    "BoostSettings",
    "CacheSettings",
    "CheckpointSettings",
    "ChunkingSettings",
    "Citations",
    "FtsSettings",
    "LlmProvider",
    "LlmSettings",
    "LocalModel",
    "LocalSettings",
    "MemorySettings",
    "MergeStrategy",
    "MmrSettings",
    "PromptApproval",
    "Provider",
    "RemoteSettings",
    "RerankSettings",
    "SearchSettings",
    "Secrets",
    "Settings",
    "StoreSettings",
    "Style",
    "SyncSettings",
    "TemporalDecaySettings",
    "Tokenizer",
    "VectorSettings",
    "WeekStart",
    "WriteMode",
]

# What glob would take for a pattern, in a path that is meant as it stands (`glob.escape`, without its import).
_PLAINLY = str.maketrans({"*": "[*]", "?": "[?]", "[": "[[]"})


class Style(StrEnum):
    """What the agent gets: MEMORY.md in the prompt, the tools, both or neither."""

    HYBRID = "hybrid"
    PROMPT_ONLY = "prompt-only"
    SEARCH_ONLY = "search-only"
    OFF = "off"

    @property
    def offers_tools(self) -> bool:
        """Whether the agent is given the memory tools."""
        return self in (Style.HYBRID, Style.SEARCH_ONLY)

    @property
    def stops_memory(self) -> str:
        """Why nothing is remembered or brought to mind by itself; empty where that is not so."""
        return 'memory.style is "off"' if self is Style.OFF else ""


class WriteMode(StrEnum):
    """Which notes agents and programs may change; the owner may change all."""

    HYBRID = "hybrid"
    PROMPT_ONLY = "prompt-only"
    SEARCH_ONLY = "search-only"
    OFF = "off"


class PromptApproval(StrEnum):
    """Whether what an agent writes to MEMORY.md waits for the owner."""

    UNSAID = "unsaid"
    ALWAYS = "always"
    NEVER = "never"


class Secrets(StrEnum):
    """What happens to a text that holds a password or a key."""

    REFUSE = "refuse"
    REDACT = "redact"
    ALLOW = "allow"


class Provider(StrEnum):
    """Who turns text into vectors."""

    AUTO = "auto"
    LOCAL = "local"
    OLLAMA = "ollama"
    OPENAI = "openai"
    GEMINI = "gemini"
    CUSTOM = "custom"


class LocalModel(StrEnum):
    """The models that need no file of the owner's: those in Holdfast's package, and those in an extra's."""

    STATIC_1 = "holdfast-static-1"
    STATIC_2 = "holdfast-static-2"
    USE_MULTILINGUAL = "use-multilingual"


class Citations(StrEnum):
    """When a hit carries its citation."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class WeekStart(StrEnum):
    """The day that a week begins with; `auto` is as in the country of the locale."""

    AUTO = "auto"
    MONDAY = "monday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Tokenizer(StrEnum):
    """How text becomes the words of the index."""

    HOLDFAST = "holdfast"
    UNICODE61 = "unicode61"
    TRIGRAM = "trigram"


class LlmProvider(StrEnum):
    """Whose language model helps, where one is wanted."""

    AUTO = "auto"
    NONE = "none"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OLLAMA = "ollama"
    CUSTOM = "custom"


class MergeStrategy(StrEnum):
    """How keyword and vector results become one list."""

    RRF = "rrf"
    LINEAR = "linear"


class MemorySettings(Value):
    """What the agent may do with its memory, and which files belong to it."""

    hidden = ("api_key",)
    style: Style = Style.HYBRID
    backend: Backend = Backend.BUILTIN
    agent_write_mode: WriteMode = WriteMode.HYBRID
    prompt_approval: PromptApproval = PromptApproval.UNSAID
    approved_origins: tuple[str, ...] = ()
    provider: Provider = Provider.AUTO
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    dimensions: int | None = None
    fallback: tuple[str, ...] = (Provider.LOCAL.value,)
    auto_remote: bool = False
    disable_rag: bool = False
    secrets: Secrets = Secrets.REFUSE
    citations: Citations = Citations.AUTO
    search_merge_strategy: MergeStrategy = MergeStrategy.LINEAR
    llm_reranking: bool = False
    extra_paths: tuple[str, ...] = ()
    user_profile_write_mode: ProfileWriteMode = ProfileWriteMode.EXPLICIT_AND_AUTO
    session_export: SessionExport = SessionExport.ON_NEW_OR_RESET
    session_export_days: int | None = None
    session_export_count: int | None = None
    sources: tuple[str, ...] = ("memory",)


class SearchSettings(Value):
    """How a query is answered; the two weights always add up to 1."""

    max_results: int = 6
    min_score: float = 0.0
    min_confidence: float = 0.0
    candidate_multiplier: int = 4
    vector_weight: float = 0.5
    text_weight: float = 0.5
    hybrid: bool = True
    context: bool = True
    closer: bool = True
    typos: bool = True
    time: bool = True
    newest_first: bool = True
    answer_first: bool = True
    week_start: WeekStart = WeekStart.AUTO
    expand: bool = False
    llm_timeout_ms: int = 10_000
    snippet_chars: int = 700

    def settle(self, held: dict[str, Any]) -> None:
        """Scale the weights, however the value was made."""
        largest = max(self.vector_weight, self.text_weight)
        # Weights that already add up are left alone, so that `replace` on another field moves no digit.
        if largest <= 0 or abs(self.vector_weight + self.text_weight - 1) < 1e-12:
            return
        # Dividing by the larger one first keeps 1e308 + 1e308 from becoming infinite.
        vector, text = self.vector_weight / largest, self.text_weight / largest
        held["vector_weight"], held["text_weight"] = vector / (vector + text), text / (vector + text)


class MmrSettings(Value):
    """Whether hits that repeat each other give way to others."""

    enabled: bool = False
    relevance: float = 0.7


class RerankSettings(Value):
    """A model of the owner's that reads the best candidates again, on this machine."""

    model: str | None = None


class TemporalDecaySettings(Value):
    """Whether and how quickly dated notes lose weight."""

    enabled: bool = True
    half_life_days: int = 30


class BoostSettings(Value):
    """How much importance, use and the project at hand lift a hit, 0 to 1."""

    importance: float = 0.5
    access: float = 0.3
    project: float = 0.5


class ChunkingSettings(Value):
    """How long what is shown, cut from a section or sent to a provider is, and how much of it the next one repeats."""

    tokens: int = 400
    overlap: int = 80


class SyncSettings(Value):
    """When the index follows the notes."""

    on_session_start: bool = True
    on_search: bool = True
    watch: bool = True
    watch_debounce_ms: int = 1500
    interval: int = 0


class LocalSettings(Value):
    """A model that runs on this machine, other than the one that is taken by default."""

    model: str | None = None
    model_path: str | None = None
    model_cache_dir: str | None = None
    threads: int | None = None


class RemoteSettings(Value):
    """How a provider on another machine is asked, and when the owner is asked first."""

    hidden = ("headers",)
    headers: tuple[str, ...] = ()
    timeout_seconds: int = 60
    query_timeout_ms: int = 3000
    concurrency: int = 4
    ask_above: int = 2000


class BatchSettings(Value):
    """When and how many texts go through a provider's batch service, which is cheaper and answers later."""

    enabled: bool = True
    threshold: int = 500
    wait: bool = True
    poll_interval_ms: int = 2000
    timeout_minutes: int = 60
    concurrency: int = 2


class CacheSettings(Value):
    """How many vectors are kept that no chunk points to any more."""

    enabled: bool = True
    max_entries: int = 50_000


class StoreSettings(Value):
    """Where the index of an agent is."""

    path: str = "state/{agentId}.sqlite"

    def pattern_in(self, home: str) -> str:
        """The same for all agents: a path in which `*` stands for the agent."""
        before, _, after = os.path.join(home, os.path.expanduser(self.path)).partition("{agentId}")
        return f"{before.translate(_PLAINLY)}*{after.translate(_PLAINLY).replace('{agentId}', '*')}"

    def file_of(self, home: str, agent: str) -> str:
        """The index file of one agent: below the home, unless the path is absolute or starts with `~`."""
        path = os.path.expanduser(self.path.replace("{agentId}", agent))
        return os.path.join(home, path)


class FtsSettings(Value):
    """How the words of the index are made."""

    tokenizer: Tokenizer = Tokenizer.HOLDFAST


class LlmSettings(Value):
    """The language model for the parts that need one; without it they are left out, and say so."""

    provider: LlmProvider = LlmProvider.AUTO
    model: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    timeout_seconds: int = 60
    # A prompt of 4,000 tokens is read in 270 s at 15 tokens a second, which a small model on an old CPU manages.
    idle_timeout_seconds: int = 300
    max_tokens: int = 4096
    temperature: float | None = None
    price_input: float | None = None
    price_output: float | None = None


class VectorSettings(Value):
    """Whether and with what vectors are searched."""

    enabled: bool | None = None
    extension_path: str | None = None


class CheckpointSettings(Value):
    """How long and how many checkpoints are kept."""

    keep_days: int = 30
    keep_count: int = 200


class Settings(Value):
    """All rooms' settings; without arguments, the defaults."""

    memory: MemorySettings = MemorySettings()
    search: SearchSettings = SearchSettings()
    mmr: MmrSettings = MmrSettings()
    rerank: RerankSettings = RerankSettings()
    temporal_decay: TemporalDecaySettings = TemporalDecaySettings()
    boost: BoostSettings = BoostSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    sync: SyncSettings = SyncSettings()
    local: LocalSettings = LocalSettings()
    remote: RemoteSettings = RemoteSettings()
    batch: BatchSettings = BatchSettings()
    cache: CacheSettings = CacheSettings()
    store: StoreSettings = StoreSettings()
    fts: FtsSettings = FtsSettings()
    vector: VectorSettings = VectorSettings()
    checkpoints: CheckpointSettings = CheckpointSettings()
    llm: LlmSettings = LlmSettings()
    qmd: QmdSettings = QmdSettings()
    qmd_update: QmdUpdate = QmdUpdate()
    qmd_sessions: QmdSessions = QmdSessions()
    qmd_limits: QmdLimits = QmdLimits()
    qmd_scope: QmdScope = QmdScope()
    sessions: SessionSyncSettings = SessionSyncSettings()
    scope: ScopeSettings = ScopeSettings()
    prompt: PromptSettings = PromptSettings()
    recall: RecallSettings = RecallSettings()
    chat: ChatSettings = ChatSettings()
    compaction: CompactionSettings = CompactionSettings()
    memory_flush: FlushSettings = FlushSettings()
    user: UserSettings = UserSettings()
    facts: FactsSettings = FactsSettings()
    capture: CaptureSettings = CaptureSettings()
    capture_llm: CaptureLlmSettings = CaptureLlmSettings()
    dreaming: DreamingSettings = DreamingSettings()
    dreaming_light: LightSettings = LightSettings()
    dreaming_rem: RemSettings = RemSettings()
    dreaming_deep: DeepSettings = DeepSettings()
    dreaming_weights: DreamWeights = DreamWeights()
    sandbox: SandboxSettings = SandboxSettings()
    multimodal: MultimodalSettings = MultimodalSettings()
