"""The model hub as HTTP: what an `hf:` name means, where the file lies, how large it is, and its checksum.

The hub answers `/<repository>/resolve/<revision>/<path>` itself for small files, and sends larger ones to a signed
address on another host, with the SHA-256 of the bytes in X-Linked-Etag. A small file's ETag is its Git blob id.
Redirects are followed here and not by the client, because the token must not travel with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from holdfast.errors import ProviderFailed, ProviderMissing, ProviderRefused
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import httpx2

__all__ = ["Absent", "Hub", "HubFile", "Located", "parse"]

SCHEME = "hf:"
_HUB = "https://huggingface.co"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_TOKEN = re.compile(r"[\x21-\x7e]+")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_HOPS = 5  # the hub needs two: a renamed repository, then the signed address
_TIMES = {"connect": 15.0, "read": 60.0, "write": 15.0, "pool": 15.0}
_RETRY = "`holdfast index` goes on where it stopped; until then search goes on without it."


class HubFile(NamedTuple):
    """One file of a repository on the hub, at a revision."""

    repository: str
    path: str
    revision: str

    @property
    def shown(self) -> str:
        """As the owner writes it in the settings."""
        return f"{SCHEME}{self.repository}/{self.path}" + ("" if self.revision == "main" else f"@{self.revision}")


class Absent(ProviderRefused):
    """The hub has no such file."""


class Located(NamedTuple):
    """The place of a file's bytes now; the address may be signed, so it is used once and never shown."""

    address: str
    etag: str
    size: int


def parse(name: str) -> HubFile:
    """Split `hf:owner/repository/path/to/file[@revision]` in its parts; anything else is `ProviderMissing`."""
    place, _, revision = name.removeprefix(SCHEME).partition("@")
    owner, _, rest = place.partition("/")
    repository, _, path = rest.partition("/")
    parts = [*path.split("/"), *(revision.split("/") if revision else ())]
    fits = _NAME.fullmatch(owner) and _NAME.fullmatch(repository) and all(map(_is_plain, parts))
    if not name.startswith(SCHEME) or not fits:
        raise ProviderMissing(
            "local",
            f"{name[:200]!r} does not name a file on the hub",
            "Write memory.local.model_path as hf:owner/repository/file.gguf, with @revision behind it if you want one.",
        )
    return HubFile(f"{owner}/{repository}", path, revision or "main")


def _is_plain(part: str) -> bool:
    """Say whether a name stays in its directory, here and on the hub."""
    return (
        0 < len(part) <= 200 and part not in (".", "..") and part.isprintable() and not set(part) & set('\\:?#%*"<>|')
    )


class Hub:
    """One visit to the hub: an open client, the address from HF_ENDPOINT, the token from HF_TOKEN if there is one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        import httpx2 as http

        self.endpoint = (environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
        parts = urlsplit(self.endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ProviderMissing(
                "local",
                "HF_ENDPOINT is not an address of a hub",
                "Set it to https://host, without a user name in it, or unset it.",
            )
        self.host = parts.netloc
        self._secure = parts.scheme == "https"
        self._origin = _origin(self.endpoint)
        token = environ.get("HF_TOKEN", "").strip()
        # The client would put a header that it can't send into its error, and the token with it.
        if token and not _TOKEN.fullmatch(token):
            raise ProviderRefused("local", "HF_TOKEN has characters that no token has", "Set it again, or unset it.")
        # Over plain HTTP anyone on the way could read it.
        if self._secure or parts.hostname in _LOOPBACK:
            self._token = token
        else:
            self._token = ""
        self._client: httpx2.Client = http.Client(timeout=http.Timeout(**_TIMES), headers={"User-Agent": "holdfast"})

    def __repr__(self) -> str:
        return f"Hub({self.host!r})"

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()

    def locate(self, file: HubFile) -> Located:
        """Ask where the file is, and what its bytes must be."""
        address = f"{self.endpoint}/{file.repository}/resolve/{quote(file.revision, safe='')}/{quote(file.path)}"
        etag, size = "", -1
        for _ in range(_HOPS):
            with self._ask("HEAD", address, {}) as answer:
                self._accept(answer, file)
                etag = answer.headers.get("X-Linked-Etag") or answer.headers.get("ETag") or etag
                size = _number(answer.headers.get("X-Linked-Size"), size)
                if not answer.is_redirect:
                    if size < 0:
                        size = _number(answer.headers.get("Content-Length"), -1)
                    break
                address = self._next(address, answer)
            if _origin(address) != self._origin:
                break
        return Located(address, etag, size)

    @contextmanager
    def fetch(self, file: HubFile, located: Located, start: int) -> Iterator[httpx2.Response]:
        """Yield the file's bytes from `start` on: 206, or 200 with all of them where the server can't begin there."""
        if start:
            headers = {"Range": f"bytes={start}-"}
        else:
            headers = {}
        # The hub's own ETag means something only to the hub; elsewhere the checksum at the end decides.
        if start and _origin(located.address) == self._origin and located.etag.startswith('"'):
            headers["If-Range"] = located.etag
        address = located.address
        for _ in range(_HOPS):
            with self._ask("GET", address, headers) as answer:
                if not answer.is_redirect:
                    if answer.status_code != 416:
                        self._accept(answer, file)
                    yield answer
                    return
                address = self._next(address, answer)
        raise self._failed(f"{file.shown} is sent from one address to the next without end")

    @contextmanager
    def _ask(self, method: str, address: str, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
        import httpx2

        sent = {"Accept-Encoding": "identity", **headers}
        if self._token and _origin(address) == self._origin:
            sent["Authorization"] = f"Bearer {self._token}"
        try:
            with self._client.stream(method, address, headers=sent) as answer:
                yield answer
        # Nothing of these is passed on but their kind: their texts may hold a signed address.
        except httpx2.TimeoutException:
            raise self._failed(f"{_host(address)} did not answer in time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise self._failed(f"the connection to {_host(address)} broke ({type(error).__name__})") from None

    def _next(self, address: str, answer: httpx2.Response) -> str:
        found = urljoin(address, answer.headers.get("Location", ""))
        scheme = urlsplit(found).scheme
        if scheme != "https" and (self._secure or scheme != "http"):
            raise self._failed(f"{_host(address)} sent the download to an address that is not secure")
        return found

    def _accept(self, answer: httpx2.Response, file: HubFile) -> None:
        status = answer.status_code
        if status < 400:
            return
        code = answer.headers.get("X-Error-Code", "")
        if status == 404 or code in ("RepoNotFound", "EntryNotFound", "RevisionNotFound"):
            raise Absent(
                "local",
                f"{self.host} has no {file.shown} ({status}), or shows it only to its owners",
                "Mend memory.local.model_path; for a private model set HF_TOKEN.",
            )
        if status in (401, 403):
            if self._token:
                why = "the token in HF_TOKEN may not read it"
            else:
                why = "it wants a token"
            raise ProviderRefused(
                "local",
                f"{_host(str(answer.url))} refused {file.shown} ({status}): {why}",
                "Accept the model's terms on the hub, and set HF_TOKEN to a token that may read it.",
            )
        raise self._failed(f"{_host(str(answer.url))} answered {status} for {file.shown}")

    def _failed(self, why: str) -> ProviderFailed:
        return ProviderFailed("local", why, _RETRY)


def _origin(address: str) -> tuple[str, str, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _host(address: str) -> str:
    return urlsplit(address).hostname or "the hub"


def _number(text: str | None, otherwise: int) -> int:
    if text and text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    return otherwise
