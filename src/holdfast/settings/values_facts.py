"""The frozen values of what is known about the user: how facts are kept, and how they are noticed."""

from __future__ import annotations

from holdfast.value import Value

__all__ = ["CaptureLlmSettings", "CaptureSettings", "FactsSettings"]


class FactsSettings(Value):
    """How many facts there are at most, and when two are one."""

    max: int = 5000
    duplicate_similarity: float = 0.95
    archive: bool = True
    replace_from: float = 0.8
    ask_from: float = 0.4


class CaptureSettings(Value):
    """Whether facts are noticed in what the user says, and how sure a sentence must be."""

    enabled: bool = True
    threshold: float = 0.8


class CaptureLlmSettings(Value):
    """Whether and how often a language model looks for more."""

    enabled: bool = False
    every_turns: int = 10
    every_tokens: int = 4000
