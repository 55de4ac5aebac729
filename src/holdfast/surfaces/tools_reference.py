"""The tools in; docs/tools.md out: `python -m holdfast.surfaces.tools_reference > docs/tools.md`.

Every result on the page is real: the calls are made, in order, in a home that is thrown away.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.guard.origin import Origin
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.tool_schema import description_of, schema_of
from holdfast.operations.toolbox import SESSION_TOOLS, TOOLS, Toolbox
from holdfast.sessions.conversation import Session
from holdfast.settings.settings import Settings

__all__ = ["reference_markdown"]

_INTRODUCTION = """\
# Tools

<!-- Made from the signatures: python -m holdfast.surfaces.tools_reference > docs/tools.md -->

What an agent can do with its memory. `memory.tools()` gives the schemas and one door to call them by name:

```python
from holdfast import Memory

with Memory.open() as memory:
    tools = memory.tools()
    schemas = tools.openai()  # or tools.anthropic()
    result = tools.call("memory_save", {"content": "User prefers dark mode."})
```

`call` takes the arguments as an object or as JSON text and never raises for what a model sent: a mistake comes back
as `{"error": {"type": "…", "message": "…"}}`, in words that the model can act on.

`memory.style` decides whether the tools are offered at all, `memory.agent_write_mode` where they may write. Those of a
session, `memory.session("main").tools()`, show only what that session may see, and have `session_state` as well.
The calls below were made one after the other, each in the state that the one before had left.
"""
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("memory_save", {"content": "# Launch\n\nThe launch moved to 3 March.", "file": "memory/launch.md"}),
    ("memory_search", {"query": "when do we launch?", "limit": 1}),
    ("memory_get", {"path": "memory/launch.md", "from": 3, "lines": 1}),
    ("memory_get", {"chunk_id": "memory/launch.md:3"}),
    ("memory_forget", {"request": "Forget when the launch is", "dry_run": True}),
    ("memory_delete", {"file": "memory/launch.md", "text": "The launch moved to 3 March.\n"}),
    ("checkpoints_list", {"limit": 1}),
    ("checkpoint_restore", {"id": "c000000000002"}),
    ("store", {"text": "I live in Berlin", "category": "fact"}),
    ("store", {"text": "I moved to Munich", "category": "fact", "importance": 0.8}),
    ("recall", {"query": "where do I live?"}),
    ("list", {"state": "superseded"}),
    ("forget", {"id": "k3x9w1"}),
    ("session_state", {"action": "set", "key": "cursor", "value": "42"}),
    ("session_state", {"action": "list"}),
)
_CHECKPOINT = re.compile(r"\bc[0-9a-f]{12}\b")
_FACT = re.compile(r'"id": "([b-z][2-9b-z]{5})"')
_NOON = 1_700_049_600.0  # the same day in nearly every time zone


def reference_markdown() -> str:
    """The whole of docs/tools.md."""
    examples: dict[str, list[str]] = {}
    for name, call, result in _example_calls():
        examples.setdefault(name, []).append(f"```json\n{call}\n```\n\ngives\n\n```json\n{result}\n```\n")
    parts = [_INTRODUCTION]
    for name, tool in {**TOOLS, **SESSION_TOOLS}.items():
        parts.append(f"## {name}\n\n{description_of(tool)}\n\n{_table(schema_of(tool))}\n")
        parts.extend(examples[name])
    return "\n".join(parts)


def _table(schema: dict[str, Any]) -> str:
    rows = ["| parameter | type | default | meaning |", "|---|---|---|---|"]
    for name, field in schema["properties"].items():
        if name in schema["required"]:
            default = "(required)"
        else:
            default = ""
        if "default" in field:
            default = f"`{json.dumps(field['default'])}`"
        rows.append(f"| `{name}` | {field['type']} | {default} | {field['description'].replace('<', '&lt;')} |")
    return "\n".join(rows)


def _example_calls() -> Iterator[tuple[str, str, str]]:
    """Each call and its result, with what differs from run to run replaced."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as place:
        ctx = Context(Settings(), FileWorkspace.open(place), FakeClock(_NOON), Origin("agent"))
        real: dict[str, str] = {}
        facts: dict[str, str] = {}
        try:
            toolbox = Toolbox(ctx.for_origin(ctx.origin, Session(ctx)))
            for name, arguments in _CALLS:
                given = json.dumps(arguments)
                for shown, name_of in (real | facts).items():
                    given = given.replace(shown, name_of)
                result = toolbox.call(name, given)
                if "took_ms" in result:
                    result["took_ms"] = 1.2
                text = json.dumps(_round_scores(result), indent=2, ensure_ascii=False)
                for checkpoint in _CHECKPOINT.findall(text):
                    if checkpoint not in real.values():
                        real[f"c{len(real) + 1:012}"] = checkpoint
                for fact in _FACT.findall(text):
                    if fact not in facts.values():
                        facts[f"k3x9w{len(facts) + 1}"] = fact
                for shown, name_of in (real | facts).items():
                    text = text.replace(name_of, shown)
                yield name, json.dumps(arguments, indent=2, ensure_ascii=False), text
        finally:
            ctx.close()


def _round_scores(value: Any) -> Any:
    """Scores to one digit: the last ones depend on the SQLite that counts them."""
    if isinstance(value, dict):
        return {key: _round_scores(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_round_scores(inner) for inner in value]
    if isinstance(value, float):
        return round(value, 1)
    return value


if __name__ == "__main__":
    sys.stdout.write(reference_markdown())
