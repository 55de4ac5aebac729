"""The known types of rows in a coding agent's record, and those of the others that may hold a message.

Clients rename their rows from one version to the next. What is listed here is known to be nobody's word; of a type that
is not, a row that holds words may be a message that nothing reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from holdfast.pattern import compile_late

__all__ = ["is_unread_message"]

# From the recorded files in tests/data/clients, and from what earlier versions of the clients are known to write. Of
# Cursor's records there is no description; others who counted theirs met messages and `turn_ended` alone (vibe-replay
# issue 577, mulmoterminal pull request 2081).
_SILENT: Final[Mapping[str, frozenset[str]]] = {
    "claude-code": frozenset(
        (
            *("agent-color", "agent-name", "agent-setting", "ai-title", "api-request-blob", "attachment"),
            *("attribution-snapshot", "content-replacement", "context-collapse-commit", "context-collapse-snapshot"),
            *("custom-title", "file-history-snapshot", "last-prompt", "marble-origami-commit"),
            *("marble-origami-snapshot", "mode", "permission-mode", "pr-link", "progress", "queue-operation"),
            *("speculation-accept", "summary", "system", "tag", "task-summary", "worktree-state"),
        )
    ),
    # What the model was sent (`response_item`, `compacted`) holds instructions and files; it is not what was shown.
    "codex": frozenset(
        (
            *("compacted", "response_item", "session_meta", "turn_context", "world_state"),
            *("event_msg/agent_reasoning", "event_msg/agent_reasoning_raw_content", "event_msg/background_event"),
            *("event_msg/context_compacted", "event_msg/deprecation_notice", "event_msg/dynamic_tool_call_response"),
            *("event_msg/entered_review_mode", "event_msg/error", "event_msg/exec_command_end"),
            *("event_msg/exited_review_mode", "event_msg/mcp_tool_call_end", "event_msg/patch_apply_end"),
            *("event_msg/plan_update", "event_msg/stream_error", "event_msg/task_complete", "event_msg/task_started"),
            *("event_msg/thread_name_updated", "event_msg/token_count", "event_msg/turn_aborted"),
            *("event_msg/turn_complete", "event_msg/turn_started", "event_msg/undo_completed"),
            *("event_msg/view_image_tool_call", "event_msg/warning", "event_msg/web_search_end"),
            *("event_msg/item_completed/CommandExecution", "event_msg/item_completed/ContextCompaction"),
            *("event_msg/item_completed/DynamicToolCall", "event_msg/item_completed/FileChange"),
            *("event_msg/item_completed/HookPrompt", "event_msg/item_completed/ImageGeneration"),
            *("event_msg/item_completed/ImageView", "event_msg/item_completed/McpToolCall"),
            *("event_msg/item_completed/Plan", "event_msg/item_completed/Reasoning"),
            "event_msg/item_completed/WebSearch",
        )
    ),
    "cursor": frozenset(("system", "tool", "turn_ended")),
    "gemini-cli": frozenset(("error", "info", "warning")),
}
_NAMES: Final = ("text", "content", "message", "parts", "item")  # where clients keep what is said
_DEEPEST: Final = 6  # levels; a record may be nested as deep as it likes
# Two words of letters in a row, or a few signs of a script without spaces; names, ids, paths and times have neither.
_SENTENCE: Final = compile_late(
    r"(?<![\w/.-])[^\W\d_]{2,}[,;:]?\s+[^\W\d_]{2,}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}"
)


def is_unread_message(client: str, kind: str, row: Mapping[str, Any]) -> bool:
    """Say whether a row of a type that no reader takes may be a message all the same."""
    if kind in _SILENT[client]:
        return False
    # A row without a type is about the record itself (Gemini's header, and what it sets in it).
    return _holds_words(row, _DEEPEST, by_any_name=bool(kind))


def _holds_words(value: object, levels: int, *, by_any_name: bool, named: bool = False) -> bool:
    """Say whether it holds something that is said: text by one of the known names, or a sentence by any other."""
    if isinstance(value, str):
        return bool(value.strip()) and (named or (by_any_name and _SENTENCE.search(value) is not None))
    if not levels:
        return False
    if isinstance(value, list):
        return any(_holds_words(part, levels - 1, by_any_name=by_any_name, named=named) for part in value)
    if not isinstance(value, dict):
        return False
    return any(
        _holds_words(part, levels - 1, by_any_name=by_any_name, named=name in _NAMES)
        for name, part in value.items()
        if by_any_name or name in _NAMES
    )
