"""Who wrote a text. The surface that took the text in stamps it; the text itself never can."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Origin"]


class Origin(StrEnum):
    """Where a text came from, from the owner's own words to an edit made outside Holdfast."""

    user = "user"
    agent = "agent"
    auto_capture = "auto_capture"
    import_ = "import"
    mcp_tool = "mcp_tool"
    api = "api"
    outside = "outside"
