"""The browser of this machine."""

from __future__ import annotations

__all__ = ["open_browser"]


def open_browser(link: str) -> bool:
    """Open a link in the browser of this machine; says whether there is one."""
    import webbrowser

    try:
        return webbrowser.open(link)
    except webbrowser.Error:
        return False
