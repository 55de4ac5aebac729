"""An address as the owner wrote it → the URL to call, and the name of the place for the key of a space.

Two spellings of one place must give one name, or the notes would be embedded, and paid for, again. The name carries
no secret: no user, no password, no query.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit, urlunsplit

from holdfast.errors import ProviderRefused
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Endpoint", "is_here", "is_near", "ollama_endpoint", "openai_endpoint", "plain_endpoint", "provider_at"]

_VERSION = compile_late(r"v[0-9][a-z0-9]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NEAR = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".home")
_OLLAMA_PORT = 11434
_SERVICES = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gemini",
}


class Endpoint(NamedTuple):
    """The URL that is called, and the name that goes into a `SpaceKey`."""

    url: str
    name: str


def openai_endpoint(provider: str, written: str, *, secret: bool = False) -> Endpoint:
    """Read a host, a base that ends in a version, or the whole `…/embeddings`: all become the whole."""
    parts = _split(provider, written, secret)
    path = parts.path.rstrip("/")
    if not path.endswith("/embeddings"):
        versioned = any(_VERSION.fullmatch(segment) for segment in path.split("/"))
        if versioned:
            path += "/embeddings"
        else:
            path += "/v1/embeddings"
    return _endpoint(parts, path, path.removesuffix("/embeddings"))


def ollama_endpoint(provider: str, written: str, *, secret: bool = False) -> Endpoint:
    """Read whatever `OLLAMA_HOST` or `memory.base_url` may hold: nothing, a port, a host, a URL with or without a path.

    As in Ollama: without a scheme the port is 11434, with one it is that scheme's. The address that a server listens
    on everywhere is no address to call, so it becomes loopback.
    """
    text = written.strip().strip("\"'").strip()
    if "://" not in text:
        if text.rstrip("/") == "ollama.com":
            text = f"https://{text}"
        else:
            text = _with_port(text)
    parts = _split(provider, text, secret)
    if parts.hostname in ("0.0.0.0", "::"):  # noqa: S104 - seen here, bound nowhere
        near = "127.0.0.1"
        if parts.hostname == "::":
            near = "[::1]"
        if parts.port:
            near = f"{near}:{parts.port}"
        parts = parts._replace(netloc=near)
    path = re.sub(r"/(?:v1|api)(?:/embed|/embeddings)?$", "", parts.path.rstrip("/"))
    return _endpoint(parts, f"{path}/api/embed", path)


def plain_endpoint(provider: str, written: str, *, secret: bool = False) -> Endpoint:
    """Return the address as it stands; the name of the method is added by the caller."""
    parts = _split(provider, written, secret)
    path = parts.path.rstrip("/")
    return _endpoint(parts, path, path)


def provider_at(written: str) -> str:
    """Return the provider that an address speaks for, where the owner gave no other.

    That is `custom`, unless the address is that of a known one.
    """
    text = written.strip()
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return "custom"  # whoever asks it says what is wrong with the address
    if port == _OLLAMA_PORT:
        return "ollama"
    return _SERVICES.get(host, "custom")


def is_here(url: str) -> bool:
    """Say whether an endpoint is on this very machine, so that what is sent there does not leave it."""
    host = (urlsplit(url).hostname or "").partition("%")[0]
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_near(host: str) -> bool:
    """Say whether a host is this machine or one of its own network, as far as its name tells.

    No name server is asked.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        name = host.lower().rstrip(".")
        if re.fullmatch(r"0x[0-9a-f]*|[0-9.]+", name):
            return False  # an address in another spelling, which may be anywhere
        return name == "localhost" or name.endswith(_NEAR) or "." not in name
    return not address.is_global


def _with_port(text: str) -> str:
    place, slash, path = text.partition("/")
    host, found, port = place.rpartition(":")
    if not found or place.endswith("]") or (host.count(":") and not host.startswith("[")):
        host, port = place, ""  # no port at all, or an IPv6 address without brackets
    if host.count(":") and not host.startswith("["):
        host = f"[{host}]"
    if port.isascii() and port.isdigit() and int(port) <= 65535:
        number = int(port)
    else:
        number = _OLLAMA_PORT
    return f"http://{host or '127.0.0.1'}:{number}{slash}{path}"


def _split(provider: str, written: str, secret: bool) -> SplitResult:
    text = written.strip()
    try:
        if "://" not in text:
            near = is_near(urlsplit(f"//{text}").hostname or "")
            text = f"{'http' if near else 'https'}://{text}"
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ProviderRefused(provider, "memory.base_url is no address that can be read") from None
    if parts.scheme not in _DEFAULT_PORTS or not host or re.search(r"[\s\\<>\"]", text):
        raise ProviderRefused(provider, "memory.base_url must be a host or an address with http:// or https://")
    if parts.scheme == "http" and (secret or "@" in parts.netloc) and not is_near(host):
        raise ProviderRefused(
            provider, f"the key is not sent to {host} over http, where anybody on the way can read it; use https"
        )
    return parts


def _endpoint(parts: SplitResult, path: str, base: str) -> Endpoint:
    host = (parts.hostname or "").rstrip(".")
    # two names of one place
    if host == "localhost":
        host = "127.0.0.1"
    if ":" in host:
        shown = f"[{host}]"
    else:
        shown = host
    port = ""
    if parts.port not in (None, _DEFAULT_PORTS[parts.scheme]):
        port = f":{parts.port}"
    return Endpoint(
        urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), f"{parts.scheme}://{shown}{port}{base}"
    )
