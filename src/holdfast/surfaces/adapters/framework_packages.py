"""A framework that is not installed, said in a sentence."""

from __future__ import annotations

from holdfast.settings.installation import missing_extra as missing

__all__ = ["missing"]
