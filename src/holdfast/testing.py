"""Stand-ins for tests of programs that use Holdfast: a model, an embedder, a clock, a failing disk."""

from __future__ import annotations

from holdfast.clock import FakeClock
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.llm.chat_contract import check_chat_model
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.notes.faulty_disk import FaultyDisk

__all__ = ["FakeClock", "FakeEmbedder", "FaultyDisk", "ScriptedModel", "check_chat_model", "check_embedder"]
