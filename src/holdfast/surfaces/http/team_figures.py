"""Figures of a server of tenants for Prometheus: by class of tenant, never by tenant or path."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping

from holdfast import __version__
from holdfast.surfaces.http.prometheus import Figures, lines_of

__all__ = ["TeamFigures"]


class TeamFigures:
    """Counts requests by the class of their tenant, beside those of every server."""

    def __init__(self) -> None:
        self.requests = Figures()
        self._began = time.time()
        self._lock = threading.Lock()
        self._statuses: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, float] = {}

    def count(self, kind: str, route: str, status: int, seconds: float) -> None:
        """One request is over; `kind` is the class of its tenant, and empty for a stranger's."""
        self.requests.count(route, status, seconds)
        with self._lock:
            self._statuses[kind or "none", status] += 1
            self._seconds[kind or "none"] = self._seconds.get(kind or "none", 0.0) + seconds

    def text(self, open_kinds: Iterable[str], cache_bytes: int, pool: Mapping[str, int], is_up: bool) -> str:
        """Everything that Prometheus may want to know."""
        lines = [
            *lines_of("holdfast_info", "The version that runs.", {__version__: 1}, label="version"),
            *lines_of("holdfast_uptime_seconds", "Seconds since the start.", {"": time.time() - self._began}),
            *lines_of("holdfast_database_up", "Whether the database answers.", {"": int(is_up)}),
            *lines_of("holdfast_database_connections", "Connections by state.", pool, label="state"),
            *lines_of("holdfast_cache_bytes", "Size of the tenants' indexes on disk.", {"": cache_bytes}),
            *lines_of("holdfast_tenants_open", "Open tenants by class.", Counter(open_kinds), label="class"),
            *self._by_class(),
            *self.requests.lines(),
        ]
        return "\n".join(lines) + "\n"

    def _by_class(self) -> list[str]:
        with self._lock:
            statuses, seconds = dict(self._statuses), dict(self._seconds)
        name = "holdfast_tenant_requests_total"
        lines = [f"# HELP {name} Requests by the class of their tenant.", f"# TYPE {name} counter"]
        for (kind, status), count in sorted(statuses.items()):
            lines.append(f'{name}{{class="{kind}",status="{status}"}} {count}')
        meaning = "Seconds that requests took, by class."
        return lines + lines_of(
            "holdfast_tenant_request_seconds_total", meaning, seconds, label="class", kind="counter"
        )
