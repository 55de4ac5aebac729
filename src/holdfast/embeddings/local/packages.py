"""Packages that only some models need, imported when one of them is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from holdfast.errors import ProviderMissing

__all__ = ["package"]


def package(name: str, extra: str) -> Any:
    """The package, or `ProviderMissing` with the command that installs it."""
    try:
        return import_module(name)
    except ImportError as error:  # also of one that is there and can't be loaded on this machine
        why = "is not installed" if error.name == name else f"can't be loaded here ({str(error)[:200]})"
        remedy = f"Install it with `pip install 'holdfast[{extra}]'`; until then search goes on with keywords."
        raise ProviderMissing("local", f"the package {name} {why}", remedy) from None
