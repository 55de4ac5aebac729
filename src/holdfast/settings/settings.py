"""All settings in one frozen value, a section for each table: a room receives its own and never the whole."""

from __future__ import annotations

from typing import Any, Final

from holdfast.settings.dreaming_settings import DeepSettings, DreamingSettings, DreamWeights, LightSettings, RemSettings
from holdfast.settings.embedding_settings import BatchSettings, LocalSettings, RemoteSettings
from holdfast.settings.fact_settings import CaptureLlmSettings, CaptureSettings, FactsSettings
from holdfast.settings.image_settings import MultimodalSettings
from holdfast.settings.index_settings import (
    CacheSettings,
    ChunkingSettings,
    FtsSettings,
    SessionSyncSettings,
    StoreSettings,
    SyncSettings,
    VectorSettings,
)
from holdfast.settings.llm_settings import LlmSettings
from holdfast.settings.memory_settings import CheckpointSettings, MemorySettings
from holdfast.settings.qmd_settings import QmdLimits, QmdScope, QmdSessions, QmdSettings, QmdUpdate
from holdfast.settings.sandbox_settings import SandboxSettings
from holdfast.settings.search_settings import (
    BoostSettings,
    MmrSettings,
    RerankSettings,
    SearchSettings,
    TemporalDecaySettings,
)
from holdfast.settings.session_settings import (
    ChatSettings,
    CompactionMode,
    CompactionSettings,
    FlushSettings,
    PromptSettings,
    RecallSettings,
    ScopeSettings,
    UserSettings,
)
from holdfast.value import Value

__all__ = ["DEFAULTS", "Settings"]


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

    def settle(self, held: dict[str, Any]) -> None:
        """Leave out the lifts that a search is to skip, and hand out what the language model does."""
        skip = self.search.skip
        if "recency" in skip:
            held["temporal_decay"] = self.temporal_decay.replace(enabled=False)
        boosts = {name: 0.0 for name in self.boost.fields if name in skip}
        if boosts:
            held["boost"] = self.boost.replace(**boosts)
        if self.llm.tasks != LlmSettings.tasks:
            self._hand_out_tasks(held)

    def _hand_out_tasks(self, held: dict[str, Any]) -> None:
        """Tell each room what the language model does there."""
        tasks = self.llm.tasks
        if "dreaming" not in tasks:
            held["dreaming"] = self.dreaming.replace(llm=False)
        if "capture" in tasks:
            held["capture_llm"] = self.capture_llm.replace(enabled=True)
        if "captions" in tasks:
            held["multimodal"] = self.multimodal.replace(caption=True)
        if "expand" in tasks:
            held["search"] = self.search.replace(expand=True)
        if "summary" in tasks:
            held["compaction"] = self.compaction.replace(mode=CompactionMode.SUMMARY)


DEFAULTS: Final = Settings()
