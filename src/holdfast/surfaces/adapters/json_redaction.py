"""JSON values without known secrets, for what must be kept although there is one in it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["redact_json"]


def redact_json(value: Any, name: str = "") -> Any:
    """The value with each secret replaced by its kind; one may be known only by the name that it stands under."""
    if isinstance(value, dict):
        return {key: redact_json(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redact_json(inner, name) for inner in value]
    if not isinstance(value, str):
        return value
    from holdfast.guard.secrets import find_secrets, redact

    clear = redact(value)
    if not name or clear != value:
        return clear
    found = find_secrets(json.dumps({name: clear}, ensure_ascii=False))
    if found:
        return f"[redacted: {found[0].kind}]"
    return clear
