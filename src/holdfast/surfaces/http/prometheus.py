"""Figures of a running server, as the text that Prometheus reads."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

__all__ = ["Figures", "lines_of"]

# Seconds. A warm search takes a few milliseconds, a cold one some dozens, a model some seconds.
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Figures:
    """Counts requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, int], int] = {}
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def count(self, route: str, status: int, seconds: float) -> None:
        """One request is over; `route` is the row of the table, never the path that somebody typed."""
        with self._lock:
            self._requests[route, status] = self._requests.get((route, status), 0) + 1
            buckets = self._buckets.setdefault(route, [0] * (len(_BOUNDS) + 1))
            place = next((at for at, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))
            buckets[place] += 1
            self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def lines(self) -> list[str]:
        """The lines about requests."""
        with self._lock:
            lines = [
                "# HELP holdfast_http_requests_total Requests by route and status.",
                "# TYPE holdfast_http_requests_total counter",
            ]
            for (route, status), count in sorted(self._requests.items()):
                lines.append(f'holdfast_http_requests_total{{{_route(route)},status="{status}"}} {count}')
            lines += [
                "# HELP holdfast_http_request_seconds How long requests took.",
                "# TYPE holdfast_http_request_seconds histogram",
            ]
            for route, buckets in sorted(self._buckets.items()):
                total = 0
                for bound, count in zip((*map(str, _BOUNDS), "+Inf"), buckets, strict=True):
                    total += count
                    lines.append(f'holdfast_http_request_seconds_bucket{{{_route(route)},le="{bound}"}} {total}')
                lines.append(f"holdfast_http_request_seconds_sum{{{_route(route)}}} {self._seconds[route]:.6f}")
                lines.append(f"holdfast_http_request_seconds_count{{{_route(route)}}} {total}")
            return lines


def lines_of(name: str, text: str, values: Mapping[str, float], *, label: str = "", kind: str = "gauge") -> list[str]:
    """The lines of one figure: a value for each label, or a single one under the empty name."""
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    for labels, value in values.items():
        if label:
            shown = f'{{{label}="{_escape_label(labels)}"}}'
        else:
            shown = ""
        lines.append(f"{name}{shown} {value:g}" if isinstance(value, float) else f"{name}{shown} {value}")
    return lines


def _route(route: str) -> str:
    method, _, path = route.partition(" ")
    return f'method="{_escape_label(method)}",route="{_escape_label(path)}"'


def _escape_label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
