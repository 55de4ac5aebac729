"""session_state: what a session has to remember for itself, by name; gone when the session is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import display_value
from holdfast.guard.strict_json import refuse_constant
from holdfast.guard.text_rules import without_secrets
from holdfast.transcripts.state import OWN_NAMESPACES
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.transcripts.state import BoundState

__all__ = ["StateAnswer", "session_state"]

# The frozen prompt with the key of its fences, which flush has run, and the conversation as the OpenAI Agents SDK sends
# it again (surfaces/adapters/agents_conversation.py): a model must not write its own.
_OURS = ("prompt", "flush", "openai_agents")
_ACTIONS = ("get", "set", "delete", "list", "clear")


class StateAnswer(Value):
    """Says what was asked for, or done."""

    shown: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return dict(self.shown)


def session_state(
    ctx: Context,
    action: Annotated[str, "get, set, delete, list or clear."],
    key: Annotated[str | None, "Which value; for get, set and delete."] = None,
    value: Annotated[str | None, "For set: the value, as JSON; other text is kept as text."] = None,
    namespace: Annotated[str, "A name that keeps values of different uses apart."] = "default",
) -> StateAnswer:
    """Keep small values for this session (counters, cursors, steps done). They end with it: not long-term memory."""
    if ctx.session is None:
        raise BadArgument("session", "there is none here; use session.tools()")
    if namespace in _OURS:
        raise BadArgument("namespace", f"{namespace!r} is kept by Holdfast itself; choose another")
    if namespace in OWN_NAMESPACES:
        raise BadArgument("namespace", f"{namespace!r} is Holdfast's own; choose another")
    if value is not None:
        value = without_secrets(value, ctx.settings.memory.secrets)
    return change_state(ctx.session.state, action, namespace, key, value)


def change_state(
    state: BoundState, action: str, namespace: str | None, key: str | None, value: str | None = None
) -> StateAnswer:
    """Do what the action says to a session's state; `list` and `clear` without a namespace mean all of them."""
    if action not in _ACTIONS:
        raise BadArgument("action", f"{display_value(action)} is not one of {', '.join(_ACTIONS)}")
    if action == "list":
        return StateAnswer({"values": [stored.to_json() for stored in state.list(namespace)]})
    if action == "clear":
        return StateAnswer({"cleared": state.clear(namespace)})
    if key is None:
        raise BadArgument("key", f"{action} needs one")
    place = namespace or "default"
    named = {"namespace": place, "key": key}
    if action == "get":
        missing = object()
        held = state.get(place, key, missing)
        return StateAnswer({**named, "found": held is not missing, "value": None if held is missing else held})
    if action == "delete":
        return StateAnswer({**named, "deleted": state.delete(place, key)})
    if value is None:
        raise BadArgument("value", "set needs one")
    read = _read(value)
    state.set(place, key, read)
    return StateAnswer({**named, "set": True, "value": read})


def _read(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return text
