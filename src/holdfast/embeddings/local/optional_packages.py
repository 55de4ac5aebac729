"""Packages that only some models need, imported when one of them is used."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from holdfast.errors import ExtraMissing

__all__ = ["package", "package_folder"]

_CONSEQUENCE = "; until then search goes on without it"


def package(name: str, extra: str) -> Any:
    """Return the package, or `ExtraMissing` with the command that installs it."""
    # onnxruntime sends what it does to its makers, from 1.31 on also on Linux, unless this is set before its import.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        return import_module(name)
    except ImportError as error:  # also of one that is there and can't be loaded on this machine
        raise _missing(name, extra, error) from None


def package_folder(name: str, extra: str) -> Path:
    """Return the folder of a package, which is not imported for it.

    Where there is none, raise `ExtraMissing` with the command that installs it.
    """
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise _missing(name, extra, ModuleNotFoundError(name=name))
    return Path(spec.origin).parent


def _missing(name: str, extra: str, error: ImportError) -> ExtraMissing:
    from holdfast.settings.installation import missing_extra

    return missing_extra(name, extra, error, _CONSEQUENCE)
