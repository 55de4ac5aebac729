"""The test server for this folder."""

from __future__ import annotations

from provider_fixture import provider

__all__ = ["provider"]
