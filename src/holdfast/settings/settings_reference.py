"""The definitions in; the settings page of the docs, and the rows of `holdfast config show`, out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from holdfast.settings.declaration import Key, Kind
from holdfast.settings.keys import CONSTANTS, KEYS, retired_advice
from holdfast.settings.loader import Loaded
from holdfast.settings.session_settings import ScopeRule
from holdfast.settings.value_check import expected_value
from holdfast.value import Value

__all__ = ["Row", "literal", "reference_markdown", "rows", "sample_file", "toml_value"]

_INTRODUCTION = """\
# Settings

<!-- Made from the declarations in src/holdfast/settings by settings_reference.py: `make docs` makes it anew. -->

Every setting has a default, so a home needs no settings file. To change one, write it into `holdfast.toml`
in the home (`~/.holdfast` unless `HOLDFAST_HOME` or `--home` says otherwise), or let Holdfast do it:

```
holdfast config path                               where the file is
holdfast config show                               every setting, its value and where that came from
holdfast config get memory.citations
holdfast config set memory.search.max_results 10   your comments in the file stay
holdfast config set --agent coder memory.search.max_results 3   for that agent only
```

`agents/<id>/holdfast.toml` holds the settings of one agent (of the main one, `agents/main/holdfast.toml`): it
lies over the home's, and changes nobody else. `--agent`, or `HOLDFAST_AGENT`, names whose settings `config`
shows and writes. These are the whole home's, and refused there:
{of_home}.

An argument wins over an environment variable, that over the agent's file, that over the home's, and that over
the default; `config show` (or `config list`) says where each value comes from. A key or a
variable that Holdfast does not know, or a value that does not fit, is an error that names the file, the line
and the nearest name.

In an environment variable and in `config set`, a list has `:` or `,` between its entries, or is written as in
TOML (`["a", "b"]`, for entries that have such a sign themselves); `config set` takes the entries as words of
their own too. True and false can also be written as 1 and 0, yes and no, or on and off.
"""


_RETIRED = """\
## Keys of earlier versions

A file or a variable that still names one of these stops nothing; `holdfast config show` and `holdfast doctor`
say what became of it. A program may still give another value to `Memory.open(settings={…})`.

"""


class Row(Value):
    """One line of `holdfast config show`, with values that JSON can hold."""

    key: str
    value: object
    default: object
    source: str


def rows(loaded: Loaded) -> list[Row]:
    """Every key with its value as given, its default and its source; a secret is only "set" or "not set"."""
    return [
        Row(
            key.path,
            _display_value(key, loaded.values[key.path]),
            _display_value(key, key.default),
            loaded.sources[key.path],
        )
        for key in KEYS
    ]


def literal(value: object) -> str:
    """The value as it would stand in the file; `not set` for an absent one."""
    if value is None:
        return "not set"
    if isinstance(value, ScopeRule):
        return literal(value.to_json())
    if isinstance(value, dict):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{name} = {literal(held)}" for name, held in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    return json.dumps(value)


def reference_markdown() -> str:
    """The whole of docs/settings.md."""
    of_home = ", ".join(f"`{key.path}`" for key in KEYS if key.of_home)
    parts = [_INTRODUCTION.replace("{of_home}", of_home)]
    for table, keys in _by_table():
        lines = [
            f"## [{table}]",
            "",
            "| key | holds | default | environment variable | meaning |",
            "|---|---|---|---|---|",
        ]
        for key in keys:
            if key.default not in (None, ()) or not key.secret:
                default = f"`{literal(key.default)}`"
            else:
                default = "not set"
            lines.append(f"| `{key.field}` | {_holds(key)} | {default} | `{key.environment}` | {key.description} |")
        parts.append("\n".join(lines) + "\n")
    lines = ["| key | what became of it |", "|---|---|"]
    lines += [f"| `{key.path}` | {retired_advice(key)} |" for key in CONSTANTS.values()]
    parts.append(_RETIRED + "\n".join(lines) + "\n")
    parts.append(f"## A file with every key\n\n```toml\n{sample_file()}```\n")
    return "\n".join(parts)


def sample_file() -> str:
    """A `holdfast.toml` with every key at its default, commented out."""
    lines: list[str] = []
    for table, keys in _by_table():
        lines += ["", f"[{table}]"] if lines else [f"[{table}]"]
        for key in keys:
            if key.default is None:
                value = key.example
            else:
                value = key.default
            lines += [f"# {key.description}", f"# {key.field} = {'{}' if key.kind is Kind.HEADERS else literal(value)}"]
    return "\n".join(lines) + "\n"


def _by_table() -> Iterator[tuple[str, list[Key]]]:
    for table in dict.fromkeys(key.table for key in KEYS):
        yield table, [key for key in KEYS if key.table == table]


def _holds(key: Key) -> str:
    if key.choices is not None:
        return ", ".join(f"`{choice}`" for choice in key.choices)
    words = expected_value(key).removeprefix("a ")
    if key.kind is not Kind.TEXT or not key.optional:
        return words
    return "text, or absent"


def _display_value(key: Key, value: object) -> object:
    if key.secret:
        return "set" if value else "not set"
    return toml_value(value)


def toml_value(value: object) -> object:
    """The value as JSON and TOML can hold it."""
    if isinstance(value, tuple):
        return [item.to_json() if isinstance(item, ScopeRule) else item for item in value]
    if isinstance(value, str):
        return str(value)
    return value


if __name__ == "__main__":
    import sys

    sys.stdout.write(reference_markdown())
