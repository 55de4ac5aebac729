"""Remove what a program put around what a person typed, before those words are looked up or kept.

Only what is left counts as the user's own. What recall gave to the client comes back in an envelope of the client's,
and a note that was talked about must not be taken for something that the user said.
"""

from __future__ import annotations

from holdfast.pattern import compile_late

__all__ = ["typed_text"]

# By client: Claude Code, Codex, Cursor, Gemini CLI.
_ENVELOPES = compile_late(
    r"<(system-reminder|command-[a-z]+|local-command-[a-z]+|bash-(?:input|stdout|stderr)|task-notification"
    r"|user-prompt-submit-hook|session-start-hook|ide_[a-z_]+"
    r"|environment_context|user_instructions|turn_aborted|hook_prompt"
    r"|timestamp|attached_files|open_and_recently_viewed_files|system_reminder"
    r"|hook_context|session_context|state_snapshot"
    r"|memory-[A-Za-z0-9_-]{1,64}|long-term-memory-[A-Za-z0-9_-]{1,64})(?=[\s>])[^<>]{0,400}>"
)
_COMMAND = compile_late(r"<command-name>/?(?:[\w-]{1,64}:)?(\w+)</command-name>")
_ARGUMENTS, _ARGUMENTS_END = "<command-args>", "</command-args>"
_SLASH = compile_late(r"\s*/(?:[\w-]{1,64}:)?remember\s+(?=\S)")
_REMEMBER = "remember"
# How a text begins that a client writes in the user's name.
_NOTICES = (
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "Caveat: The messages",
    "[Request interrupted",
)


def typed_text(text: str) -> str:
    """Return what a person typed, without what programs put around it; empty where nothing of it was typed.

    Of the command `/remember` that is what follows it: those are the words that the user wants to have kept.
    """
    if text.lstrip().startswith(_NOTICES):
        return ""
    kept: list[str] = []
    at = 0
    while envelope := _ENVELOPES.search(text, at):
        kept.append(text[at : envelope.start()])
        close = f"</{envelope[1]}>"
        end = text.find(close, envelope.end())
        at = len(text) if end < 0 else end + len(close)
    typed = "".join([*kept, text[at:]]).strip()
    if not typed:
        return _remembered(text)
    if typed.startswith(_NOTICES):
        return ""
    command = _SLASH.match(typed)
    if command is None:
        return typed
    return typed[command.end() :]


def _remembered(text: str) -> str:
    """Return the words after the command `/remember` as Claude Code records it: its name and its arguments in tags."""
    command = _COMMAND.search(text)
    start = text.find(_ARGUMENTS)
    end = text.find(_ARGUMENTS_END, start)
    if command is None or command[1] != _REMEMBER or start < 0 or end < 0:
        return ""
    return text[start + len(_ARGUMENTS) : end].strip()
