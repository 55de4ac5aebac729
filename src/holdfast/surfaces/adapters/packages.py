"""A framework that is not installed, said in a sentence."""

from __future__ import annotations

from holdfast.errors import ProviderMissing

__all__ = ["missing"]


def missing(package: str, extra: str, error: ImportError) -> ProviderMissing:
    """What to raise where an adapter's framework can't be imported: what is missing, and what installs it."""
    absent = f"{error.name or ''}."
    named = absent.startswith(f"{package}.") or f"{package}.".startswith(absent)  # google.adk, or google itself
    why = "is not installed" if named else f"can't be loaded here ({str(error)[:200]})"
    return ProviderMissing(extra, f"the package {package} {why}", f"Install it with `pip install 'holdfast[{extra}]'`.")
