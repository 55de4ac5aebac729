"""Thoughts that a model says aloud, taken out of a text while it is still coming.

It must tell nothing that `without_thoughts` takes out of the whole: what was told can't be taken back.
"""

from __future__ import annotations

__all__ = ["ThoughtFilter"]

_TAGS = ("<think>", "<thinking>")


class ThoughtFilter:
    """Pieces of a text in; what may be told of them out, as soon as it is sure to be no thought.

    What is held back at the end is told by whoever reads the whole text.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._free = False

    def feed(self, piece: str) -> str:
        """Return the text that may be told now."""
        if self._free:
            return piece
        self._held += piece
        if not self._closing:
            return self._begun()
        return self._inside()

    def _begun(self) -> str:
        begun = self._held.lstrip()
        for tag in _TAGS:
            if begun.startswith(tag):
                self._closing = f"</{tag[1:]}"
                self._held = begun[len(tag) :]
                return self._inside()
        if any(tag.startswith(begun) for tag in _TAGS):
            return ""
        return self._let_go(self._held)

    def _inside(self) -> str:
        at = self._held.find(self._closing)
        if at < 0:
            # thoughts are long and come in small pieces: only what may begin the end is kept
            self._held = self._held[-len(self._closing) + 1 :]
            return ""
        after = self._held[at + len(self._closing) :].lstrip()
        if not after:
            self._held = self._held[at:]
            return ""
        return self._let_go(after)

    def _let_go(self, text: str) -> str:
        self._free, self._held = True, ""
        return text
