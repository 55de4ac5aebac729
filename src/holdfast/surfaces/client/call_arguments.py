"""Whether what came over the network may be given to a method: by its signature, before it is called.

The library looks at plain arguments itself; whoever sends JSON may send anything in place of the others, too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from holdfast.errors import BadArgument
from holdfast.guard.argument_types import fits
from holdfast.llm.chat_model import ToolCall

__all__ = ["refuse_strange"]

# A hint that is neither plain nor here (a model, a callback) is for callers in the same process: nothing that can be
# sent fits it.
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "Role": (str,),
    "Origin": (str,),
    "Any": (object,),
    "Mapping[str, Any]": (dict,),
    "Mapping[str, str | None]": (dict,),
    "Iterable[str]": (list, tuple),
    "Iterable[ToolCall]": (list, tuple),
}
_INSIDE: Final[Mapping[str, type]] = {"Iterable[str]": str, "Iterable[ToolCall]": ToolCall}


def refuse_strange(method: str, work: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """BadArgument where a method does not take these arguments, or not of these kinds."""
    signature = inspect.signature(work)
    try:
        signature.bind(**given)
    except TypeError as error:
        raise BadArgument("arguments", f"{method} does not take them: {error}") from error
    for name, value in given.items():
        parameter = signature.parameters.get(name)
        hint = str(parameter.annotation) if parameter is not None else "Any"
        hints = [hint] if hint in _KINDS else hint.split(" | ")
        if not any(_fits(value, one) for one in hints):
            raise BadArgument(name, f"a {type(value).__name__} does not fit; {method} wants {hint} there")


def _fits(value: Any, hint: str) -> bool:
    plain = fits(value, hint)
    if plain is not None:
        return plain
    if not isinstance(value, _KINDS.get(hint, ())):
        return False
    inside = _INSIDE.get(hint)
    return inside is None or (isinstance(value, list | tuple) and all(isinstance(one, inside) for one in value))
