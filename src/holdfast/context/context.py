"""Context: what is open of one agent's memory (settings, notes, index, providers), and on whose behalf."""

from __future__ import annotations

import os
from contextlib import closing
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.clock import Clock
from holdfast.context.index_handle import IndexHandle
from holdfast.context.index_update import IndexUpdate
from holdfast.context.memory_backend import LocalBackend
from holdfast.context.open_session import OpenSession, Worker
from holdfast.errors import MemoryClosed
from holdfast.guard.origin import Origin
from holdfast.guard.write_gate import WriteGate
from holdfast.index.sqlite.extension_path import extension_path_for
from holdfast.notes.watch_registry import last_event
from holdfast.notes.workspace import Workspace
from holdfast.settings.memory_settings import Backend
from holdfast.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from holdfast.checkpoints.change import Authorship, Change
    from holdfast.context.background_look import BackgroundLook
    from holdfast.context.note_list import NoteList
    from holdfast.context.session_index import SessionIndex
    from holdfast.embeddings.chain import Chain
    from holdfast.embeddings.embedder import Embedder
    from holdfast.embeddings.static.static_embedder import StaticEmbedder
    from holdfast.index.freshness import Freshness
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.read_counts import Usage
    from holdfast.index.sync import NoteSource, Synced
    from holdfast.llm.chat_model import ChatModel
    from holdfast.llm.token_usage import Meter, Spent
    from holdfast.progress import Progress
    from holdfast.qmd.qmd_backend import QmdBackend
    from holdfast.search.frequent_words import PieceCosts
    from holdfast.search.note_weights import Weighing
    from holdfast.search.query_expansion import Expander
    from holdfast.search.rerank import Reranker
    from holdfast.search.search_pipeline import LookCloser
    from holdfast.transcripts.state import StateStore

__all__ = ["Context"]

_Worker = TypeVar("_Worker", bound=Worker)


class Context(LocalBackend):
    """Holds what is open; the index opens when it is first needed, because many commands do without it."""

    def __init__(
        self,
        settings: Settings,
        workspace: Workspace,
        clock: Clock,
        origin: Origin,
        embedder: Embedder | None = None,
    ) -> None:
        self.settings = settings
        self._workspace = workspace.with_gate(WriteGate(settings.memory.agent_write_mode).for_actor(origin))
        self._workspace.reads_media = settings.multimodal.images
        self.clock = clock
        self.origin = origin
        self.client = ""
        """The program that acts, where it said its name: an MCP client or the adapter of a framework."""
        self._embedder = embedder
        self._owner: Context | None = None
        self._searched = False
        self._closed = False
        self._workers: dict[type[Worker], Worker] = {}
        events = partial(last_event, workspace.home, workspace.agent)
        extension = extension_path_for(settings.vector)
        self._index = IndexHandle(self.index_path, clock, extension, events, workspace.change_count)
        self.stale = ""
        self.session: OpenSession | None = None
        """The session that a tool is called in, where it is called in one: what it may see depends on that."""

    @property
    def workspace(self) -> Workspace:
        """The notes of this agent."""
        if self._closed or (self._owner is not None and self._owner._closed):  # noqa: SLF001 - our own kind
            raise MemoryClosed
        return self._workspace

    def require_open(self) -> None:
        """Raise MemoryClosed where it was closed."""
        self.workspace  # noqa: B018 - it looks

    @property
    def home(self) -> str:
        """The directory everything is in."""
        return self.workspace.home

    @property
    def agent(self) -> str:
        """The agent whose memory this is."""
        return self.workspace.agent

    def authorship(self, tool: str, reason: str = "", *, author: str = "") -> Authorship:
        """Return what the journal says of a change that is made now, on behalf of whom this is open."""
        from holdfast.checkpoints.change import Authorship

        return Authorship(self.origin, tool, self.clock, reason, author)

    @cached_property
    def chain(self) -> Chain | None:
        """The embedding providers: the caller's own, else those that the settings choose."""
        if self._owner is not None:
            return self._owner.chain
        if self._embedder is not None:
            from holdfast.embeddings.chain import Chain

            if self.settings.memory.disable_rag:
                return None
            return Chain.of(self._embedder)
        if self.settings.memory.disable_rag:
            return None
        from holdfast.embeddings.provider_choice import choose

        return choose(self.settings, self.workspace.home, learnt=self._learnt_limits)

    @property
    def look_closer(self) -> LookCloser | None:
        """Compares candidates with a question word by word, with the embedded model; not where vectors are unwanted."""
        if self.embedded_model is None:
            return None
        return self.embedded_model.look_closer

    @property
    def piece_costs(self) -> PieceCosts | None:
        """Says how common the words of a question are in their language, by the embedded model."""
        if self.embedded_model is None:
            return None
        return self.embedded_model.piece_costs

    @cached_property
    def embedded_model(self) -> StaticEmbedder | None:
        """The model that comes with Holdfast, beside any other; not where vectors are unwanted."""
        if self._owner is not None:
            return self._owner.embedded_model
        if self.chain is None or self.brought:
            return None
        from holdfast.embeddings.static.static_embedder import StaticEmbedder

        embedded = next((link for link in self.chain.links if link.embedded), None)
        own = None
        if embedded is not None:
            own = embedded.embedder()
        if isinstance(own, StaticEmbedder):
            return own
        return StaticEmbedder()

    @cached_property
    def chat_model(self) -> ChatModel | None:
        """The language model that `[llm]` names, if it does."""
        if self._owner is not None:
            return self._owner.chat_model
        from holdfast.llm.model_choice import choose

        model = choose(self.settings.llm, context_window=self.settings.compaction.context_window)
        if model is None:
            return None
        return self.meter.metered(model)

    @cached_property
    def meter(self) -> Meter:
        """Counts what that model has taken since this memory was opened."""
        if self._owner is not None:
            return self._owner.meter
        from holdfast.llm.token_usage import Meter, Prices

        return Meter(Prices(self.settings.llm.price_input, self.settings.llm.price_output))

    @property
    def spent(self) -> Spent:
        """The tokens that model has taken, and their cost."""
        return self.meter.total

    @cached_property
    def reranker(self) -> Reranker | None:
        """The reranker of the best candidates, where one is wanted: a language model, else a cross-encoder."""
        if self._owner is not None:
            return self._owner.reranker
        if self.settings.memory.disable_rag:
            return None
        if self.settings.memory.llm_reranking and self.chat_model is not None:
            from holdfast.search.rerank_llm import LlmReranker

            return LlmReranker(self.chat_model, seconds=self._model_seconds)
        if self.settings.rerank.model is None:
            return None
        from holdfast.search.rerank_onnx import ChosenReranker

        return ChosenReranker(self.settings.rerank.model, threads=self.settings.local.threads)

    @cached_property
    def expander(self) -> Expander | None:
        """The expander of questions, where that is wanted and there is a language model."""
        if self._owner is not None:
            return self._owner.expander
        if not self.settings.search.expand or self.chat_model is None:
            return None
        from holdfast.search.query_expansion import Expander

        return Expander(self.chat_model, seconds=self._model_seconds)

    @property
    def _model_seconds(self) -> float:
        """The seconds that a search waits for a language model."""
        return min(float(self.settings.llm.timeout_seconds), self.settings.search.llm_timeout_ms / 1000)

    @cached_property
    def usage(self) -> Usage:
        """Counts how often each text was read."""
        from holdfast.index.sqlite.read_counts import Usage, usage_beside

        return Usage(usage_beside(self.index_path))

    @property
    def first_weekday(self) -> int:
        """Return the day that a week begins with, as the settings or the user's country say; Monday is 0."""
        from holdfast.search.week_start import first_weekday

        return first_weekday(self.settings.search.week_start)

    def weighing(self, project: str | None = None) -> Weighing:
        """Return the circumstances of a question that is asked now."""
        from datetime import UTC, datetime

        from holdfast.search.note_weights import Use, Weighing

        now = self.clock.now()

        def uses(hashes: Sequence[str]) -> dict[str, Use]:
            counts = self.usage.of(hashes)
            return {
                text_hash: Use(times, max(0.0, (now - last) / 86_400)) for text_hash, (times, last) in counts.items()
            }

        moment = datetime.fromtimestamp(now, UTC).astimezone()
        decay, boost = self.settings.temporal_decay, self.settings.boost
        return Weighing(moment, decay, boost, project, uses, first_weekday=self.first_weekday)

    @property
    def brought(self) -> bool:
        """True if the caller brought an embedder of its own."""
        return self._embedder is not None

    def _learnt_limits(self, identity: tuple[str, str, str]) -> tuple[int | None, str | None]:
        if os.path.exists(self.index_path):
            return self.database.learnt_of(identity)
        return (None, None)

    @property
    def database(self) -> Database:
        """The index of this agent, for reading."""
        return self.index.current()

    @property
    def freshness(self) -> Freshness:
        """Decides when to look at the notes again."""
        return self.index.freshness()

    @property
    def index(self) -> IndexHandle:
        """Opens the index, and opens it anew where that must be."""
        self.workspace  # noqa: B018 - a closed memory has no index either
        return self._index

    @property
    def index_path(self) -> str:
        """The path of the index, whether or not it is there yet."""
        return self.settings.store.file_of(self.workspace.home, self.workspace.agent)

    @property
    def note_source(self) -> NoteSource:
        """The notes that its index is made from, and how they are cut."""
        from holdfast.index.sync import NoteSource

        return NoteSource(self.workspace, self.settings.chunking, self.settings.fts.tokenizer.value)

    @property
    def searches_sessions(self) -> bool:
        """True if the owner wants transcripts to be found."""
        return "sessions" in self.settings.memory.sources

    def sync(
        self,
        *,
        anew: bool = False,
        progress: Progress | None = None,
        embed_limit: int | None = None,
        approved: bool = False,
        batch: bool | None = None,
    ) -> Synced:
        """Make the index say what the notes say."""
        return IndexUpdate(self).sync(
            anew=anew, progress=progress, embed_limit=embed_limit, approved=approved, batch=batch
        )

    def look(self, embed_limit: int) -> None:
        """Before a search: bring the index up to date, if the settings want that and it is time."""
        IndexUpdate(self).look(embed_limit, is_first=self._begin_search())

    def _begin_search(self) -> bool:
        """Return whether nobody has searched here before; whoever asks next, in whosever name, is not the first."""
        is_first, self._searched = not self._searched, True
        if self._owner is not None:
            self._owner._searched = True  # noqa: SLF001 - our own kind
        return is_first

    def doubt_index(self) -> None:
        """Have the next search look at the notes, whatever was seen before; also where this memory was closed."""
        self._index.doubt()

    def note_changed(self, change: Change) -> str:
        """Index one note at once, so that what was just written can be found; says why not, where that failed."""
        return self.notes_changed((change,))

    def owe_changes(self, changes: Sequence[Change]) -> str | None:
        """Leave the notes of these changes to the next search; None where they have to be indexed at once."""
        return IndexUpdate(self).owe_changes(changes)

    def prune_in_time(self, changes: Sequence[Change]) -> str:
        """Drop old checkpoints, once in many changes; says why not, where that failed."""
        return IndexUpdate(self).prune_in_time(changes)

    def notes_changed(self, changes: Sequence[Change]) -> str:
        """Index the notes of these changes at once, and together; says why not, where that failed."""
        return IndexUpdate(self).index_changes(changes)

    def measure_null(self) -> None:
        """Ask all that is missing of what confidence is measured by; a search asks only a little of it."""
        IndexUpdate(self).measure_null(self.database)

    @cached_property
    def state_store(self) -> StateStore:
        """The state of all sessions of this home."""
        if self._owner is not None:
            return self._owner.state_store
        from holdfast.transcripts.state_engine import open_state

        return open_state(self.workspace)

    def worker(self, kind: type[_Worker]) -> _Worker:
        """Return the one worker of a kind that all callers of this open memory share; it is closed with the memory."""
        if self._owner is not None:
            return self._owner.worker(kind)
        worker = self._workers.get(kind)
        if not isinstance(worker, kind):
            worker = self._workers[kind] = kind(self)
        return worker

    @cached_property
    def note_list(self) -> NoteList:
        """The list of the notes, as it was a moment ago or as it is."""
        if self._owner is not None:
            return self._owner.note_list
        from holdfast.context.note_list import NoteList

        return NoteList(self)

    @cached_property
    def background_look(self) -> BackgroundLook:
        """Looks at the notes while a search answers, where a look takes long."""
        if self._owner is not None:
            return self._owner.background_look
        from holdfast.context.background_look import BackgroundLook

        return BackgroundLook(self)

    @cached_property
    def qmd(self) -> QmdBackend | None:
        """The back end QMD, where the owner chose it."""
        if self._owner is not None:
            return self._owner.qmd
        if self.settings.memory.backend is not Backend.QMD:
            return None
        from holdfast.context.session_export import open_texts
        from holdfast.qmd.qmd_backend import QmdBackend

        return QmdBackend(self.settings, self.workspace, self.clock, self._second_index, partial(open_texts, self))

    def _second_index(self) -> AbstractContextManager[Database]:
        """The index on a connection of its own, for a thread."""
        from holdfast.index.sqlite.database import Database

        return closing(Database(self.index_path, extension_path=extension_path_for(self.settings.vector)))

    @cached_property
    def session_index(self) -> SessionIndex:
        """Keeps transcripts searchable, where that is wanted."""
        if self._owner is not None:
            return self._owner.session_index
        from holdfast.context.session_index import SessionIndex

        return SessionIndex(self)

    def for_origin(
        self, origin: Origin, session: OpenSession | None = None, *, client: str = "", is_owner: bool | None = None
    ) -> Context:
        """Return the same open memory for another caller.

        `is_owner` says who it is where the origin does not tell, as of an import.
        """
        other = copy(self)
        other.origin = origin
        other.client = client or self.client
        other.session = session
        other._owner = self  # noqa: SLF001 - our own kind
        other._workspace = self._workspace.with_gate(self._workspace.gate.for_actor(origin, is_owner))  # noqa: SLF001
        return other

    def close(self) -> None:
        """Close what is open."""
        if self._owner is not None or self._closed:
            return
        if "background_look" in self.__dict__:
            self.background_look.wait()
        if "session_index" in self.__dict__:
            self.session_index.close()  # first: its thread still works with what is open
        if self.__dict__.get("qmd") is not None:
            self.__dict__["qmd"].close()
        self._closed = True
        for worker in self._workers.values():
            worker.close()
        self._index.close()
        if "state_store" in self.__dict__:
            self.state_store.close()
        # A provider's link asks this context what was learnt, so the two hold each other, and a model's file open.
        for name in ("chain", "embedded_model"):
            self.__dict__.pop(name, None)
        self._workspace.close()
