"""The back end QMD of an open memory: answers a search, follows what is written, and says how it stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from holdfast.clock import Clock
from holdfast.errors import HoldfastError, ProviderFailed
from holdfast.index.sqlite.database import Database
from holdfast.notes.workspace import Workspace
from holdfast.qmd.collection import missing_paths
from holdfast.qmd.note_hits import Shelves, note_hits, read_outside
from holdfast.qmd.qmd_models import missing_models
from holdfast.qmd.sidecar import Answer, SessionTexts, Sidecar
from holdfast.qmd.upkeep import Upkeep
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.inquiry import MAX_RESULTS, Inquiry
from holdfast.settings.memory_settings import Backend
from holdfast.settings.settings import Settings

__all__ = ["QmdBackend"]

_MORE = 3  # times the hits that are wanted: some may be notes that the session may not see, or none of ours


class QmdBackend:
    """QMD for one open memory; `index` opens the builtin index for a thread of its own."""

    def __init__(
        self,
        settings: Settings,
        workspace: Workspace,
        clock: Clock,
        index: Callable[[], AbstractContextManager[Database]],
        texts: SessionTexts | None = None,
    ) -> None:
        self._settings, self._workspace = settings, workspace
        self.sidecar = Sidecar(settings, workspace, clock, texts)
        self._upkeep = Upkeep(self.sidecar, settings.qmd_update, index)
        self._asked = False

    def answer(self, database: Database, inquiry: Inquiry) -> Results:
        """The hits of a search; raises ProviderFailed, with the reason, where the builtin search must answer."""
        inquiry.check()
        why = _unfit(inquiry)
        if why:
            raise ProviderFailed("qmd", why)
        began = time.perf_counter()
        limits, limit = self._settings.qmd_limits, min(inquiry.limit, self._settings.qmd.max_results)
        size = min(inquiry.settings.snippet_chars, limits.max_snippet_chars)
        inquiry = inquiry.replace(max_results=limit, settings=inquiry.settings.replace(snippet_chars=size))
        found = self._ask(database, inquiry.question.text or inquiry.query, min(MAX_RESULTS, limit * _MORE))
        hits = tuple(_within(note_hits(database, self._shelves, inquiry, found.places), limits.max_injected_chars))
        if found.by_models:
            missing = ""
        else:
            missing = "QMD has no models here: its keywords answered"
        return Results(
            query=inquiry.query,
            mode=Mode.HYBRID if found.by_models else Mode.KEYWORD,
            because=missing,
            results=hits,
            provider=None,
            model=None,
            took_ms=(time.perf_counter() - began) * 1000,
            backend=Backend.QMD.value,
        )

    def _ask(self, database: Database, text: str, limit: int) -> Answer:
        """Return what it finds, and see to it that its index follows."""
        first, self._asked = not self._asked, True
        try:
            try:
                return self.sidecar.ask(database, text, limit, update=first and self._settings.qmd_update.on_boot)
            finally:
                if self.sidecar.is_stale(database):
                    self._upkeep.behind()
                elif self._settings.qmd_update.interval:
                    self._upkeep.begin()
        except ProviderFailed:
            raise
        except HoldfastError as error:  # a full or sealed disk: its files can't be written, and the builtin answers
            raise ProviderFailed("qmd", getattr(error, "why", None) or str(error)) from None

    @property
    def _shelves(self) -> Shelves:
        cut = self._settings.chunking
        return Shelves(self._workspace, self.sidecar.collections(), cut.tokens, cut.overlap)

    def read(self, path: str) -> bytes:
        """A file that only QMD knows, by the path that a hit of it has."""
        return read_outside(self._shelves, path)

    def changed(self) -> None:
        """Notes were written."""
        self._upkeep.changed()

    def wait(self) -> None:
        """Until its index follows no change any more."""
        self._upkeep.wait()

    def status(self, database: Database | None) -> dict[str, Any]:
        """Return how it stands: who answers a search now and why, where it is, and how fresh its index is."""
        if database is None:
            because = "nothing has been indexed yet"
        else:
            because = self.sidecar.trouble(database)
        record, missing = self.sidecar.record(), missing_models()
        return {
            "backend": (Backend.BUILTIN if because else Backend.QMD).value,
            "because": because,
            "command": self._settings.qmd.command,
            "url": self._settings.qmd.url,
            "mode": "search" if missing else "query",
            "missing_models": missing,
            "updated_at": record.at or None,
            "embedded_at": record.embedded_at or None,
            "update_failure": self.sidecar.update_failure or None,
            "collections": [collection.name for collection in self.sidecar.collections()],
            "missing_paths": missing_paths(self._settings.qmd.paths, self._workspace),
        }

    def close(self) -> None:
        """End what runs in the background."""
        self._upkeep.close()
        self.sidecar.close()


def _unfit(inquiry: Inquiry) -> str:
    """Return what is asked for that QMD can't do; "" where it can."""
    if not any(map(str.isalnum, inquiry.question.text or inquiry.query)):
        return "there is no word to look for"
    if inquiry.least > 0 or inquiry.least_confidence > 0:
        return "its scores can't be held against min_score or min_confidence"
    scope = inquiry.scope
    if scope is not None and scope != type(scope)(without=scope.without, zone=scope.zone):
        return "it can't search some notes alone (path, source, since, until, category, origin, importance, trust)"
    return ""


def _within(hits: tuple[Hit, ...], chars: int) -> Iterator[Hit]:
    """The first hits whose snippets fit together, and the first in any case."""
    used = 0
    for hit in hits:
        used += len(hit.snippet)
        if used > chars and hit is not hits[0]:
            return
        yield hit
