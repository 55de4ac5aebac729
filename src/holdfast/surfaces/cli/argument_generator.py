"""The signatures of operations in; argument_table.py out: `python -m holdfast.surfaces.cli.argument_generator`.

`make docs` runs it, and a test compares the two. A command reads the table in place of the operation: importing that
takes two to six times as long as the rest of `--help`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.guard.operation import Operation
from holdfast.guard.signature import Parameter, parameters_of
from holdfast.memory import Memory
from holdfast.operations.catalogue import (
    checkpoint_restore,
    diff_change,
    drop_space,
    export_memory,
    fact_history,
    forget_fact,
    forget_memory,
    import_from,
    list_changes,
    list_facts,
    memory_delete,
    memory_get,
    memory_save,
    memory_search,
    purge_note,
    rebuild_index,
    recall,
    restore_fact,
    status,
    store,
    sync_index,
    undo_last,
    undo_origin,
)
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.session_state import session_state
from holdfast.sessions.conversation import Session

__all__ = ["table_source"]

_OPERATIONS: Final[Sequence[Callable[..., Any]]] = (
    memory_save,
    memory_search,
    memory_get,
    memory_delete,
    forget_memory,
    store,
    list_facts,
    recall,
    forget_fact,
    fact_history,
    restore_fact,
    list_changes,
    diff_change,
    checkpoint_restore,
    undo_last,
    undo_origin,
    purge_note,
    export_memory,
    import_from,
    sync_index,
    rebuild_index,
    drop_space,
    status,
    session_state,
    Memory.session,
    Session.messages,
    Session.prompt,
    Session.delete,
    Dreams.run,
    Inbox.edit,
    UserProfile.save,
    UserProfile.undo,
)
"""The operations whose arguments are typed in a command."""
_KINDS: Final = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    Sequence[str]: "list",
    Iterable[str]: "list",
}
_HEAD: Final = '''\
"""The arguments of operations, as commands show them. Made from their signatures: `make docs`."""

# fmt: off
# ruff: noqa: E501 - a row an argument

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["ARGUMENTS"]

ARGUMENTS: Final[Mapping[str, Mapping[str, tuple[Any, ...]]]] = {
'''


def table_source() -> str:
    """Return the text of argument_table.py."""
    return _HEAD + "".join(_rows()) + "}\n"


def _rows() -> Iterator[str]:
    for operation in _OPERATIONS:
        yield f'    "{_name(operation)}": {{\n'
        for parameter in parameters_of(operation)[1:]:
            kinds = [_KINDS[kind] for kind in parameter.kinds if kind in _KINDS]
            if kinds:  # the others can't be typed: a callback, a mapping
                yield f'        "{parameter.name}": {_row(parameter, kinds[0])},\n'
        yield "    },\n"


def _row(parameter: Parameter, kind: str) -> str:
    """Return the fields of `operation_arguments.Argument`."""
    choices = tuple(map(str, parameter.choices))
    fields = (parameter.nullable, parameter.required, parameter.default, choices, parameter.description)
    return f"({kind}, {', '.join(map(repr, fields))})"


def _name(operation: Callable[..., Any]) -> str:
    """Return what a command calls an operation: a method with its class."""
    if isinstance(operation, Operation) and operation.owner is not None:
        return f"{operation.owner.__name__}.{operation.__name__}"
    return operation.__qualname__


if __name__ == "__main__":
    sys.stdout.write(table_source())
