"""The state of a session as everybody writes to it: without the secrets that `memory.secrets` keeps out."""

from __future__ import annotations

import json
from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.text_rules import without_secrets
from holdfast.settings.memory_settings import Secrets
from holdfast.transcripts.state import OWN_NAMESPACES

__all__ = ["guard_value"]


def guard_value(namespace: str, value: Any, rule: Secrets) -> Any:
    """Return a value without secrets; what Holdfast keeps in the state itself is kept as it is."""
    # A frozen prompt is what the note says, and the key of its fences looks like a secret because it is one.
    if rule is Secrets.ALLOW or namespace in OWN_NAMESPACES:
        return value
    try:
        return _redact_value(value, rule)
    except TypeError:
        return value  # no JSON, which is refused by its own name
    except RecursionError:
        # What nobody can look through may hold anything.
        raise BadArgument("value", "it is nested too deeply to be looked through for secrets") from None


def _redact_value(value: Any, rule: Secrets) -> Any:
    """The value without secrets in its texts, nor in a name with what it names."""
    if isinstance(value, str):
        return without_secrets(value, rule)
    if isinstance(value, list | tuple):
        return [_redact_value(item, rule) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _redact_named(name, item, rule) for name, item in value.items()}


def _redact_named(name: Any, value: Any, rule: Secrets) -> Any:
    """`hunter22` alone is a word; behind `password` it is none."""
    plain = _redact_value(value, rule)
    if not isinstance(name, str) or not isinstance(plain, str) or plain != value:
        return plain
    pair = json.dumps({name: plain}, ensure_ascii=False)
    shown = without_secrets(pair, rule)
    if shown == pair:
        return plain
    try:
        read = json.loads(shown)
    except ValueError:
        return "[redacted]"
    if not isinstance(read, dict):
        return "[redacted]"
    return read.get(name, "[redacted]")
