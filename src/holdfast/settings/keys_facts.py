"""The keys of facts and of how they are noticed; `keys.py` takes them into its list."""

from __future__ import annotations

from typing import Final

from holdfast.settings.setting_key import Key, Kind

__all__ = ["FACT_KEYS"]

FACT_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "facts.max", Kind.WHOLE, "How many facts the notes of facts hold before the archive takes some.", 10, 1_000_000
    ),
    Key(
        "facts.duplicate_similarity",
        Kind.NUMBER,
        "From which similarity of their vectors on two facts count as one.",
        0.5,
        1,
    ),
    Key(
        "facts.archive",
        Kind.SWITCH,
        "Move the least valuable facts beyond `max` to memory/archive.md, from where they can be restored.",
    ),
    Key(
        "facts.replace_from",
        Kind.NUMBER,
        "From which share on a new fact replaces one that it is judged to contradict; 1 for never.",
        0.5,
        1,
    ),
    Key(
        "facts.ask_from",
        Kind.NUMBER,
        "From which share on the inbox asks whether it replaces it; 1 for never.",
        0.1,
        1,
    ),
    Key("capture.enabled", Kind.SWITCH, "Notice facts about the user in what the user says, without a language model."),
    Key("capture.threshold", Kind.NUMBER, "How sure it must be that a sentence tells one; higher notes less.", 0.05, 1),
    Key(
        "capture.llm.enabled",
        Kind.SWITCH,
        "Let the language model of `[llm]` look for more of them.",
        room_name="capture_llm",
    ),
    Key("capture.llm.every_turns", Kind.WHOLE, "After how many turns it does.", 1, 10_000, room_name="capture_llm"),
    Key(
        "capture.llm.every_tokens",
        Kind.WHOLE,
        "And after about how many tokens of what was said.",
        100,
        100_000_000,
        room_name="capture_llm",
    ),
)
