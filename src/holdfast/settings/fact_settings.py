"""The settings of what is known about the user: how facts are kept, and how they are noticed."""

from __future__ import annotations

from holdfast.settings.declaration import Section, fixed, number, switch, whole
from holdfast.settings.llm_settings import for_task

__all__ = ["CaptureLlmSettings", "CaptureSettings", "FactsSettings"]


class FactsSettings(Section, table="facts"):
    """The number of facts at most, and the likeness from which on two are one."""

    max: int = fixed(
        whole(5000, "How many facts the notes of facts hold before the archive takes some.", 10, 1_000_000)
    )
    duplicate_similarity: float = fixed(
        number(0.95, "From which similarity of their vectors on two facts count as one.", 0.5, 1)
    )
    archive: bool = fixed(
        switch(
            True, "Move the least valuable facts beyond `max` to memory/archive.md, from where they can be restored."
        )
    )
    replace_from: float = fixed(
        number(0.6, "From which share on a new fact replaces one that it is judged to contradict; 1 for never.", 0.5, 1)
    )
    ask_from: float = fixed(
        number(0.4, "From which share on the inbox asks whether it replaces it; 1 for never.", 0.1, 1)
    )


class CaptureSettings(Section, table="capture"):
    """The switch of capture, and how sure a sentence must be."""

    enabled: bool = switch(True, "Notice facts about the user in what the user says, without a language model.")
    threshold: float = number(0.8, "How sure it must be that a sentence tells one; higher notes less.", 0.05, 1)


class CaptureLlmSettings(Section, table="capture.llm"):
    """The language model that looks for more facts, and how often."""

    enabled: bool = for_task(switch(False, "Let the language model of `[llm]` look for more of them."), "capture")
    every_turns: int = whole(
        10, "After how many turns the language model looks for facts, where `llm.tasks` has `capture`.", 1, 10_000
    )
    every_tokens: int = fixed(whole(4000, "And after about how many tokens of what was said.", 100, 100_000_000))
