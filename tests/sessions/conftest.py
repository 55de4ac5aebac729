"""The test server for this folder, with the chat APIs and a script for what its models say."""

from __future__ import annotations

from llm.conftest import script
from provider_fixture import provider

__all__ = ["provider", "script"]
