"""Text that came back from a provider → the same text without anything secret that we sent.

A provider may echo the key in its message, its headers or a redirect, and messages end in logs, terminals and
bug reports.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus, unquote, urlsplit

from holdfast.pattern import compile_late

__all__ = ["Scrubber", "without_secrets"]

_HIDDEN = "[hidden]"
_PLAIN = {"accept", "accept-encoding", "content-type", "content-length", "user-agent", "connection", "host"}
_CONTROL = compile_late(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_SHORTEST = 4  # replacing shorter ones would leave no readable message, and nobody has a key of three letters
_BEGINNING = 8  # a provider that shows the beginning of a key shows too much of it


class Scrubber:
    """Knows the secrets of one caller; every message goes through it before anybody sees it."""

    def __init__(self, headers: Mapping[str, str], url: str = "") -> None:
        found: set[str] = set()
        for name, value in headers.items():
            if name.lower() not in _PLAIN:
                words = value.split()
                found.update([value.strip(), *words[len(words) > 1 :]])  # in "Bearer abc" only the second is secret
        found.update(_secrets_of(url))
        self._pattern = _pattern(found)

    def clean(self, text: str, limit: int = 200) -> str:
        """One line without secrets and control characters, of at most so many characters."""
        flat = _CONTROL.sub(" ", self._hide(text))
        flat = self._hide(" ".join(flat.split()))  # a key that a line break had cut in two is whole again
        if len(flat) <= limit:
            return flat
        return flat[: limit - 1].rstrip() + "…"

    def _hide(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(_HIDDEN, text)

    def __repr__(self) -> str:
        return "Scrubber()"


def without_secrets(url: str) -> str:
    """A URL as it may be shown: scheme, host, port and path."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "an address that can't be read"
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{f':{port}' if port else ''}{parts.path}"


def _secrets_of(url: str) -> Iterable[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if "@" in parts.netloc:
        user, _, word = parts.netloc.rpartition("@")[0].partition(":")
        name, secret = unquote(user), unquote(word)
        yield from (secret or name, word or user, base64.b64encode(f"{name}:{secret}".encode()).decode())
    for pair in parts.query.split("&"):
        value = pair.partition("=")[2]
        yield from (value, unquote(value))


def _pattern(secrets: Iterable[str]) -> re.Pattern[str] | None:
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            forms.update([secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]])
    if not forms:
        return None
    parts = []
    for form in sorted(forms, key=len, reverse=True):
        parts.append(re.escape(form))
        if len(form) > _BEGINNING + _SHORTEST:
            parts.append(re.escape(form[:_BEGINNING]) + r"[^\s\"'<>,;)]*")
    return re.compile("|".join(parts), re.IGNORECASE)
