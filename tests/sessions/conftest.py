"""The test server for this folder, with the chat APIs and a script for what its models say."""

from __future__ import annotations

from llm.conftest import running_script, script
from provider_fixture import provider, running_provider

__all__ = ["provider", "running_provider", "running_script", "script"]
