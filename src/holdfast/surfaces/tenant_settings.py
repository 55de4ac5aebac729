"""The settings that are the operator's on a server of tenants, whatever a tenant's holdfast.toml says.

Those that name files, programs, addresses or keys would reach the server's own machine and network, and so come from
the server's environment alone.
"""

from __future__ import annotations

from typing import Final

from holdfast.errors import BadSetting
from holdfast.settings.loader import keys_in, load_team

__all__ = ["check_tenant_settings", "is_operators"]

_KEYS: Final = frozenset(
    {
        *("memory.provider", "memory.model", "memory.base_url", "memory.api_key", "memory.dimensions"),
        *("memory.fallback", "memory.extra_paths", "memory.backend"),
        *("memory.search.rerank.model", "memory.sync.watch"),
    }
)
_SECTIONS: Final = (
    *("memory.local.", "memory.remote.", "memory.store.", "memory.qmd.", "memory.multimodal.", "llm.", "sandbox."),
)
# Whose language model helps is the operator's choice; with what it helps a tenant may choose.
_TENANTS: Final = "llm.tasks"


def is_operators(key: str) -> bool:
    """Say whether a setting is the operator's."""
    return key in _KEYS or (key.startswith(_SECTIONS) and key != _TENANTS)


def check_tenant_settings(text: str, *, is_agents: bool = False) -> None:
    """Raise SettingsError unless a tenant, or one of its agents, may have this holdfast.toml."""
    for key in keys_in(text):
        if is_operators(key):
            raise BadSetting(key, "…", "it is the operator's; set it in the environment of the server")
    home, own = ("", text) if is_agents else (text, "")
    load_team(home, own, is_operators)
