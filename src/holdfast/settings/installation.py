"""The way in which this Holdfast was installed → the command that adds an extra. Imported only to explain an error."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution

from holdfast.errors import ExtraMissing

__all__ = ["install_advice", "missing_extra"]


def missing_extra(package: str, extra: str, error: ImportError, consequence: str = "") -> ExtraMissing:
    """The error for a package of an extra that can't be imported, with the command that installs it."""
    absent = f"{error.name or ''}."
    is_absent = absent.startswith(f"{package}.") or f"{package}.".startswith(absent)  # google.adk, or google itself
    if is_absent:
        why = "is not installed"
    else:
        why = f"can't be loaded here ({str(error)[:200]})"
    return ExtraMissing(extra, package, why, install_advice(extra), consequence)


def install_advice(extra: str) -> str:
    """Return what to run for an extra: by name, or in the checkout or archive that Holdfast was installed from.

    pip writes down where it installed a package from (direct_url.json, PEP 610); from an index it writes nothing.
    """
    source = _source()
    url = source.get("url")
    folder = source.get("dir_info")
    if not isinstance(url, str):
        return f"`pip install 'holdfast[{extra}]'`"
    if not isinstance(folder, dict):
        return f"`pip install 'holdfast[{extra}] @ {url}'`"
    if folder.get("editable"):
        editable = "-e "
    else:
        editable = ""
    return f"`pip install {editable}'.[{extra}]'` in {_folder_of(url)}"


def _folder_of(url: str) -> str:
    """The path of a file URL. By hand: what urllib brings along is for the network, which is fenced off here."""
    escaped = url.removeprefix("file://").encode()
    path = re.sub(rb"%([0-9a-fA-F]{2})", lambda escape: bytes.fromhex(escape[1].decode()), escaped)
    return path.decode("utf-8", "replace")


def _source() -> dict[str, object]:
    try:
        source = json.loads(distribution("holdfast").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError, OSError):
        return {}
    return source if isinstance(source, dict) else {}
