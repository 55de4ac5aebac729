"""Which test turns which setting of a conversation: found in the tests' own source, written to docs/tested.md.

python tests/docs/tested.py > docs/tested.md
"""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

from holdfast.settings.keys import KEYS

__all__ = ["proof_page", "proofs"]

TESTS = Path(__file__).parents[1]
# Of [memory] only what a conversation goes by.
_OF_MEMORY = (
    *("memory.prompt_approval", "memory.approved_origins", "memory.user_profile_write_mode", "memory.session_export"),
    *("memory.session_export_keep", "memory.sources"),
    *("memory.style", "memory.citations", "memory.agent_write_mode", "memory.secrets"),
)
_TABLES = (
    *("memory.sync.sessions", "memory.scope", "memory.prompt", "memory.recall", "chat", "compaction"),
    *("compaction.memory_flush", "user", "llm", "facts", "capture", "capture.llm"),
)
_SHOWN = 3
_HEAD = """\
# Which test turns which setting

Every setting of a conversation, of its model and of facts, and tests that turn it: found in the source of the tests by
`python tests/docs/tested.py`, and held up to date by `tests/docs/test_settings_are_tested.py`. What each setting means
is in [settings.md](settings.md).

| setting | tests |
|---|---|
"""


@cache
def proofs() -> dict[str, list[tuple[str, str]]]:
    """For each setting the tests that name it, or lean on something in their file that does: (file, test)."""
    wanted = (*_OF_MEMORY, *(key.path for key in KEYS if key.table in _TABLES))
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in wanted}
    for path in sorted(TESTS.glob("**/test_*.py")):
        source = path.read_text(encoding="utf-8")
        if not any(setting in source or setting.replace(".", "__") in source for setting in wanted):
            continue  # most files name none: they need not be parsed
        parts = _parts(source)
        for name, text in parts.items():
            if name.startswith("test_"):
                words = set(re.findall(r"\w+", text))
                text += "".join(other for called, other in parts.items() if called in words and called != name)
                for setting, tests in found.items():
                    if f'"{setting}"' in text or f"{setting.replace('.', '__')}=" in text:
                        tests.append((path.relative_to(TESTS.parent).as_posix(), name))
    return found


def proof_page() -> str:
    """The page."""
    rows: list[str] = []
    for setting, tests in proofs().items():
        # Those of the room itself first: others turn it on the way to something else.
        first = sorted(tests, key=lambda one: ("tests/sessions/" not in one[0], tests.index(one)))[:_SHOWN]
        rows.append(f"| `{setting}` | {'<br>'.join(f'`{file}::{name}`' for file, name in first)} |\n")
    return _HEAD + "".join(rows)


def _parts(source: str) -> dict[str, str]:
    """The functions and constants of a module by their names, decorators included."""
    parts: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            parts[node.name] = "".join(map(ast.unparse, node.decorator_list)) + ast.unparse(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            parts[node.targets[0].id] = ast.unparse(node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            parts[node.target.id] = ast.unparse(node)
    return {name: text.replace("'", '"') for name, text in parts.items()}


if __name__ == "__main__":
    sys.stdout.write(proof_page())
