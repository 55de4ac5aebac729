"""Packages that only some models need, imported when one of them is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["package"]


def package(name: str, extra: str) -> Any:
    """The package, or `ExtraMissing` with the command that installs it."""
    try:
        return import_module(name)
    except ImportError as error:  # also of one that is there and can't be loaded on this machine
        from holdfast.settings.installation import missing_extra

        raise missing_extra(name, extra, error, "; until then search goes on with keywords") from None
