"""Find what is wrong with the text of a setting.

One function for each kind of text, which gives None where it is sound.
"""

from __future__ import annotations

__all__ = [
    "extra_path_flaw",
    "fallback_flaw",
    "header_flaw",
    "local_url_flaw",
    "origin_flaw",
    "source_flaw",
    "store_path_flaw",
    "timezone_flaw",
    "url_flaw",
]


def store_path_flaw(path: str) -> str | None:
    """Return what is wrong with the path of an index file."""
    # A misspelt `{agentid}` would put the notes of every agent into one index.
    if any(brace in path.replace("{agentId}", "") for brace in "{}"):
        return "the only placeholder it can have is {agentId}"
    if "{agentId}" not in path:
        return "it must hold {agentId}: agents that shared an index would find each other's notes"
    # The index is written over what stands there, so nothing else may be named by mistake.
    if path.endswith((".sqlite", ".db")):
        return None
    return "its name must end in .sqlite or .db"


def extra_path_flaw(path: str) -> str | None:
    """Return what is wrong with a further place with notes."""
    if path.strip("/"):
        return None
    return "the whole file system is no place for notes"


def url_flaw(url: str) -> str | None:
    """Return what is wrong with a provider's address."""
    if "@" in url.partition("//")[2].partition("/")[0]:
        return "a name and password don't belong into it; use memory.api_key or memory.remote.headers"
    if "?" in url or "#" in url:
        return "it must be an address without a query; use memory.remote.headers for what goes along"
    if "://" in url:
        scheme = url.partition("://")[0]
    else:
        scheme = "https"
    if scheme not in ("http", "https"):
        return "it must begin with http:// or https://"
    if _names_host(url):
        return None
    return "it must be a host, or an address such as http://localhost:8080/v1"


def local_url_flaw(url: str) -> str | None:
    """Return what is wrong with the address of a program on this machine: no question may leave it unseen."""
    from urllib.parse import urlsplit

    flaw = url_flaw(url)
    if flaw is None and urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1"):
        flaw = "it must be on this machine, such as http://127.0.0.1:8181"
    return flaw


def _names_host(url: str) -> bool:
    from urllib.parse import urlsplit

    text = url.strip()
    if any(char.isspace() or char in '\\<>"' for char in text):
        return False
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, _ = parts.hostname, parts.port  # the port is looked at only here
    except ValueError:
        return False
    return bool(host) or ("://" not in text and bool(text))  # Ollama's may be a port alone, ":11434"


def fallback_flaw(name: str) -> str | None:
    """Return what is wrong with the name of a spare provider."""
    known = ("local", "openai", "gemini", "ollama", "none")
    if name in known:
        return None
    return f"it must be one of {', '.join(known)}"


def header_flaw(line: str) -> str | None:
    """Return what is wrong with a header, as `Name: value`."""
    name, colon, value = line.partition(":")
    fits = colon and name and value.strip() and all(c.isalnum() or c in "!#$%&'*+-.^_`|~" for c in name)
    if fits and line.isascii():
        return None
    return "it must be a name and a value, `X-Project: apollo`"


def origin_flaw(name: str) -> str | None:
    """Return what is wrong with the name of an origin, alone or with one program of it behind a slash."""
    known = ("agent", "api", "auto_capture", "import", "mcp_tool")
    origin, slash, client = name.partition("/")
    # The name of a program may hold a comma; what follows one is no part of it where it is an origin itself.
    if any(rest.strip().partition("/")[0] in known for rest in client.split(",")[1:]):
        return "it names several; each is an entry of its own"
    fits = origin in known and bool(client.strip()) == bool(slash)
    if fits:
        return None
    return f"it must be one of {', '.join(known)}, or one with a program, such as mcp_tool/claude-code"


def source_flaw(name: str) -> str | None:
    """Return what is wrong with the name of something that can be searched."""
    if name in ("memory", "sessions"):
        return None
    return "it must be memory or sessions"


def timezone_flaw(name: str) -> str | None:
    """Return what is wrong with the name of a time zone."""
    from zoneinfo import ZoneInfo

    def known(zone: str) -> bool:
        try:
            ZoneInfo(zone)
        except (ValueError, OSError, LookupError):
            return False
        return True

    # A machine without the database knows no names at all, and can't say which are wrong.
    if known(name) or not known("UTC"):
        return None
    return "it must be a name such as Europe/Zurich or UTC"
