"""Who wrote a text. The surface that took the text in stamps it; the text itself never can."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Origin"]


class Origin(StrEnum):
    """Where a text came from, from the owner's own words to an edit made outside Holdfast."""

    USER = "user"
    AGENT = "agent"
    AUTO_CAPTURE = "auto_capture"
    IMPORT = "import"
    MCP_TOOL = "mcp_tool"
    API = "api"
    OUTSIDE = "outside"
