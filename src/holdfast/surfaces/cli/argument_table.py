"""The arguments of operations, as commands show them. Made from their signatures: `make docs`."""

# fmt: off
# ruff: noqa: E501 - a row an argument

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["ARGUMENTS"]

ARGUMENTS: Final[Mapping[str, Mapping[str, tuple[Any, ...]]]] = {
    "memory_save": {
        "content": (str, False, True, None, (), 'The Markdown text to save, at most 50 KB.'),
        "file": (str, True, False, None, (), 'MEMORY.md (the default; in every prompt: a sentence that the user typed is kept at once when you save it word for word, and anything else waits in the inbox until the owner approves it) or memory/<name>.md (found by search).'),
        "append": (bool, False, False, True, (), 'Add to the end of the note (true) or replace the whole note (false).'),
        "expected_hash": (str, True, False, None, (), "Save only if the note still has this hash; '' if it must not exist."),
    },
    "memory_search": {
        "query": (str, False, True, None, (), 'What to look for: a question, a topic, a name, an id or an exact phrase. Empty with since or until: all notes of that time, newest first.'),
        "max_results": (int, True, False, None, (), 'How many hits at the most (1 to 100; usually 6).'),
        "min_score": (float, True, False, None, (), 'Leave out hits that score below this (0 to 1).'),
        "path": (str, True, False, None, (), 'Only in this note or folder, such as memory/projects.'),
        "source": (str, True, False, None, ('memory', 'sessions', 'extra'), 'Only in memory, sessions or extra.'),
        "since": (str, True, False, None, (), 'Only notes from this day on: 2026-03-05, last week, 10d.'),
        "until": (str, True, False, None, (), 'Only notes up to this day.'),
        "project": (str, True, False, None, (), 'The folder that the work at hand is about; its notes are lifted a little.'),
        "category": (str, True, False, None, ('preference', 'fact', 'decision', 'entity', 'other', 'archive'), 'Only facts of this kind: preference, fact, decision, entity, other or archive.'),
        "origin": (str, True, False, None, ('user', 'agent', 'auto_capture', 'import', 'mcp_tool', 'api', 'outside'), 'Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside (typed into the note). What is no fact has no known origin.'),
        "min_importance": (float, True, False, None, (), 'Only facts that are at least this important (0 to 1; usually .5).'),
        "min_trust": (str, True, False, None, ('user', 'outside', 'auto_capture', 'agent', 'api', 'mcp_tool', 'import'), 'Only words of this origin or one trusted more: user, outside (typed into the note), auto_capture, agent, api, mcp_tool, import.'),
        "by_passage": (bool, False, False, False, (), 'Each passage a hit of its own; otherwise those of one note are one hit.'),
        "context": (list, True, False, None, (), 'What was said before the question, oldest first.'),
        "min_confidence": (float, True, False, None, (), 'Only hits that are at least so likely to answer (0 to 1).'),
    },
    "memory_get": {
        "path": (str, True, False, None, (), 'The note to read: MEMORY.md or memory/<name>.md.'),
        "chunk_id": (str, True, False, None, (), 'The chunk_id of a hit, or <path>:<line>. Give this or path.'),
        "from_line": (int, False, False, 1, (), 'The first line to read, counted from 1.'),
        "lines": (int, False, False, 120, (), 'How many lines to read.'),
    },
    "memory_delete": {
        "file": (str, False, True, None, (), 'MEMORY.md or memory/<name>.md.'),
        "text": (str, True, False, None, (), 'The exact text to remove. Required unless delete_file is true.'),
        "all_matches": (bool, False, False, False, (), 'Remove every exact match instead of only the first.'),
        "delete_if_empty": (bool, False, False, True, (), 'Delete the file if only white space is left.'),
        "delete_file": (bool, False, False, False, (), 'Delete the whole file instead of removing text.'),
        "expected_hash": (str, True, False, None, (), 'Only if the note still has this hash.'),
    },
    "forget_memory": {
        "request": (str, True, False, '', (), 'What is to be forgotten, in own words.'),
        "text": (str, True, False, None, (), 'Or its exact text.'),
        "dry_run": (bool, False, False, False, (), 'Only show what would go.'),
        "limit": (int, False, False, 6, (), 'In how many places at the most.'),
        "everywhere": (bool, False, False, False, (), 'Exports, transcripts and checkpoints too, for good.'),
        "confirmed": (bool, False, False, False, (), 'More at once than a model may choose by itself.'),
        "places": (list, False, False, (), (), 'Just these of what a dry run showed: memory/a.md#3, …'),
    },
    "store": {
        "text": (str, False, True, None, (), "One fact in one sentence, in the words a person would write: 'I prefer green tea'."),
        "category": (str, True, False, None, ('preference', 'fact', 'decision', 'entity', 'other'), 'preference, fact, decision, entity or other (the default).'),
        "importance": (float, True, False, None, (), 'How much it matters, 0 to 1 (usually .5).'),
        "valid_from": (str, True, False, None, (), 'The day from which it holds: 2026-03-05.'),
        "valid_until": (str, True, False, None, (), 'The last day on which it holds.'),
    },
    "list_facts": {
        "category": (str, True, False, None, ('preference', 'fact', 'decision', 'entity', 'other'), 'Only preference, fact, decision, entity or other.'),
        "origin": (str, True, False, None, ('user', 'agent', 'auto_capture', 'import', 'mcp_tool', 'api', 'outside'), 'Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside.'),
        "since": (str, True, False, None, (), 'Only facts that were said on or after this day: 2026-03-05, last week, 10d.'),
        "until": (str, True, False, None, (), 'Only facts that were said up to this day.'),
        "min_importance": (float, True, False, None, (), 'Only facts that are at least this important (0 to 1).'),
        "state": (str, False, False, 'live', ('live', 'upcoming', 'superseded', 'expired', 'archived', 'all'), 'live, upcoming, superseded, expired, archived or all.'),
        "limit": (int, False, False, 20, (), 'How many at the most (1 to 100).'),
        "offset": (int, False, False, 0, (), 'How many to skip: the next_offset of the page before.'),
        "as_of": (str, True, False, None, (), 'What held on this day, whatever its state now: 2026-03-05.'),
        "query": (str, True, False, None, (), 'Only facts that have these words in their text.'),
    },
    "recall": {
        "query": (str, False, True, None, (), 'What to recall: a question, a topic or a name.'),
        "limit": (int, False, False, 6, (), 'How many facts at the most (1 to 25).'),
        "category": (str, True, False, None, ('preference', 'fact', 'decision', 'entity', 'other'), 'Only preference, fact, decision, entity or other.'),
        "origin": (str, True, False, None, ('user', 'agent', 'auto_capture', 'import', 'mcp_tool', 'api', 'outside'), 'Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside.'),
        "min_importance": (float, True, False, None, (), 'Only facts that are at least this important (0 to 1).'),
        "since": (str, True, False, None, (), 'Only facts from this day on: 2026-03-05, last week, 10d.'),
        "until": (str, True, False, None, (), 'Only facts up to this day.'),
        "as_of": (str, True, False, None, (), 'What held on this day: 2026-03-05.'),
        "include_superseded": (bool, False, False, False, (), 'Also facts whose place another took, or whose time is over.'),
        "include_archived": (bool, False, False, False, (), 'Also facts that were moved to the archive.'),
    },
    "forget_fact": {
        "id": (str, True, False, None, (), 'The id of the fact, as recall and list show it.'),
        "text": (str, True, False, None, (), 'Or its exact words.'),
    },
    "fact_history": {
        "query": (str, False, True, None, (), 'A question, or the id of a fact.'),
        "as_of": (str, True, False, None, (), 'Only what held on this day.'),
    },
    "restore_fact": {
        "id": (str, False, True, None, (), "The fact's id."),
    },
    "list_changes": {
        "path": (str, True, False, None, (), 'Only changes of this note.'),
        "limit": (int, False, False, 20, (), 'How many.'),
    },
    "diff_change": {
        "checkpoint": (str, False, True, None, (), "The checkpoint's id, or its beginning."),
        "against_now": (bool, False, False, False, (), 'How the note differs now from what it was before that change.'),
    },
    "checkpoint_restore": {
        "checkpoint": (str, False, True, None, (), 'The checkpointId of the change to go back before.'),
        "alone": (bool, False, False, False, (), 'Only its own note; others that were changed as one with it stay as they are.'),
    },
    "undo_last": {
        "path": (str, True, False, None, (), 'The last change of this note; else of any.'),
        "force": (bool, False, False, False, (), 'Also when the note was changed outside since.'),
        "checkpoint_ids": (list, True, False, None, (), 'Just these changes, as one, with what was made as one with them; an undo is a change too.'),
        "keep_later": (bool, False, False, False, (), 'With `checkpoint_ids`: keep what was changed since, unless it is the same lines.'),
    },
    "undo_origin": {
        "origin": (str, False, True, None, ('user', 'agent', 'auto_capture', 'import', 'mcp_tool', 'api', 'outside'), 'Whose changes: import, mcp_tool, agent, auto_capture …'),
        "since": (str, True, False, None, (), 'Only from this day on.'),
        "until": (str, True, False, None, (), 'Only up to this day.'),
        "whole_notes": (bool, False, False, False, (), 'Also notes that were made outside in that time.'),
        "dry_run": (bool, False, False, False, (), 'Only show what would go.'),
    },
    "purge_note": {
        "path": (str, False, True, None, (), 'The note whose checkpoints go.'),
    },
    "export_memory": {
        "file": (str, False, True, None, (), 'The file to write: .zip (the notes as they are) or .jsonl.'),
        "replace": (bool, False, False, False, (), 'Replace the file if it is there already.'),
    },
    "import_from": {
        "file": (str, False, True, None, (), 'A file or folder: an export, a zip, a workspace.'),
        "source": (str, True, False, None, (), 'Which program it is from, where the file does not show it.'),
        "preview": (bool, False, False, False, (), 'Only show what would be added, and what refused.'),
    },
    "sync_index": {
        "force": (bool, False, False, False, (), 'Build the index anew while the old one answers.'),
        "approved": (bool, False, False, False, (), 'More than 2,000 texts may go to another machine.'),
        "batch": (bool, True, False, None, (), "Whether through the provider's batch service."),
    },
    "rebuild_index": {
        "approved": (bool, False, False, False, (), 'More than 2,000 texts may go to another machine.'),
    },
    "drop_space": {
        "which": (str, False, True, None, (), 'Its number in the list, or its provider/model.'),
    },
    "status": {
        "deep": (bool, False, False, False, (), 'Also test index, checkpoints and provider.'),
    },
    "session_state": {
        "action": (str, False, True, None, (), 'get, set, delete, list or clear.'),
        "key": (str, True, False, None, (), 'Which value; for get, set and delete.'),
        "value": (str, True, False, None, (), 'For set: the value, as JSON; other text is kept as text.'),
        "namespace": (str, False, False, 'default', (), 'A name that keeps values of different uses apart.'),
    },
    "Memory.session": {
        "key": (str, False, False, 'main', (), "The session's key."),
        "kind": (str, True, False, None, ('direct', 'group', 'channel', 'subagent', 'cron'), 'With whom it is.'),
        "channel": (str, True, False, None, (), 'Where it takes place, for memory.scope.rules.'),
    },
    "Session.messages": {
        "limit": (int, True, False, None, (), 'Only the last so many messages.'),
    },
    "Session.prompt": {
        "message": (str, True, False, None, (), "The user's message, to recall for."),
    },
    "Session.delete": {
        "everywhere": (bool, False, False, False, (), 'Its exports too.'),
    },
    "Dreams.run": {
        "phases": (list, True, False, None, ('light', 'rem', 'deep'), 'Only these: light, rem, deep.'),
        "dry_run": (bool, False, False, False, (), 'Write nothing, and say what would happen and why.'),
    },
    "Inbox.edit": {
        "id": (str, False, True, None, (), 'The id of an entry that waits.'),
        "text": (str, False, True, None, (), 'The words it is to have.'),
    },
    "UserProfile.save": {
        "field": (str, False, True, None, ('name', 'timezone', 'location'), 'name, timezone or location.'),
        "value": (str, False, True, None, (), 'One line of plain text.'),
    },
    "UserProfile.undo": {
        "force": (bool, False, False, False, (), 'Also where what it made was edited since.'),
    },
}
