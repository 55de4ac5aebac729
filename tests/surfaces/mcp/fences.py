"""What stands in the fences of a text for a model, and what outside of them."""

from __future__ import annotations

import html
import json
import re
from typing import Any

FENCE = re.compile(r"(?P<tag><([a-z]+)-([0-9a-f]{12})(?: [^<>\n]*)?>)\n(?P<body>(?:\| .*\n)*?)</\2-\3>")


def outside(text: str) -> str:
    """What of a text stands behind no bar of a fence; the opening tag, with what it says, is outside."""
    return FENCE.sub(r"\g<tag>", text)


def inside(text: str) -> str:
    """The stored text of its one fence, as it was before it was fenced."""
    (fence,) = FENCE.finditer(text)
    lines = fence["body"].removesuffix("\n").split("\n")
    return html.unescape("\n".join(line.removeprefix("| ") for line in lines))


def value_in(text: str) -> dict[str, Any]:
    """The JSON of its one fence."""
    (fence,) = FENCE.finditer(text)
    value: dict[str, Any] = json.loads(fence["body"].removeprefix("| "))
    return value
