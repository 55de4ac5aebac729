"""The test server for this folder, and a machine that looks like another one."""

from __future__ import annotations

from provider_fixture import provider
from providers.scenes import afar

__all__ = ["afar", "provider"]
