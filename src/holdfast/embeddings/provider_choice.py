"""Settings and environment in; the providers that answer for them out.

`auto` never sends text to another machine, whatever keys lie in the environment, unless `memory.base_url` names it;
`auto-remote` may.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.embeddings.chain import Chain
from holdfast.embeddings.embedder import Embedder
from holdfast.embeddings.provider_link import Effort, Link
from holdfast.progress import Progress
from holdfast.settings.embedding_settings import LocalModel, Provider
from holdfast.settings.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder

__all__ = ["KEYS", "Learnt", "choose", "has_key"]

# Where each provider's own tools look for its key.
KEYS: Mapping[Provider, tuple[str, ...]] = {
    Provider.OPENAI: ("OPENAI_API_KEY",),
    Provider.GEMINI: ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}

Learnt = Callable[[tuple[str, str, str]], tuple[int | None, str | None]]
"""The length of the vectors that a provider, model and endpoint gave before, and the model that they named; None where
nobody has seen any."""


def choose(settings: Settings, home: str, *, learnt: Learnt, environ: Mapping[str, str] | None = None) -> Chain | None:
    """Return the chain that the settings describe; None where they want no vectors at all."""
    memory = settings.memory
    if memory.disable_rag:
        return None
    chooser = _Chooser(settings, home, learnt, os.environ if environ is None else environ)
    first = chooser.first()
    names = dict.fromkeys(memory.fallback)  # each once
    spare = [chooser.spare(Provider(name)) for name in names if name not in ("none", first.name)]
    if first.effort is Effort.WORK and Provider.LOCAL in memory.fallback:
        spare.append(chooser.embedded("memory.fallback names local"))
    if first.effort is not Effort.WORK:
        return Chain([first, *spare])
    return Chain([first, *spare], chooser.download, chooser.is_owed)


def has_key(provider: Provider, environ: Mapping[str, str]) -> str | None:
    """Return the variable that holds this provider's key, or None."""
    return next((name for name in KEYS.get(provider, ()) if environ.get(name, "").strip()), None)


def _refuse_two() -> Embedder:
    """Raise ProviderRefused: of a server and a model on this machine nobody but the owner can say which is meant.

    To take the server would send notes away that stay here today, and to take the model would ignore the address.
    """
    from holdfast.errors import ProviderRefused

    why = 'memory.provider is "auto", and both memory.base_url and memory.local.model_path are set'
    raise ProviderRefused("auto", why, 'Set memory.provider to "custom" (the server) or "local" (the model here).')


def _provider_at(base_url: str) -> Provider:
    """Return who is asked at an address that the owner gave without a provider."""
    from holdfast.embeddings.remote.endpoint import provider_at

    name = provider_at(base_url)
    if name in list(Provider):
        return Provider(name)
    return Provider.CUSTOM


class _Chooser:
    """Makes links, with all that the making of each needs to know."""

    def __init__(self, settings: Settings, home: str, learnt: Learnt, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._home = home
        self._learnt = learnt
        self._environ = environ

    def first(self) -> Link:
        """Return the provider that the settings name, or what `auto` makes of it."""
        memory, local = self._settings.memory, self._settings.local
        path = local.model_path
        if memory.provider is Provider.LOCAL:
            why = "memory.provider is local"
            if path:
                return self._own(path, why)
            return self._named(local.model, why)
        if memory.provider is not Provider.AUTO:
            return self._remote(memory.provider, f"memory.provider is {memory.provider}", chosen=True)
        if memory.base_url and (path or local.model):
            return Link("auto", _refuse_two, why="memory.base_url and memory.local.model_path are both set")
        if memory.base_url:
            return self._remote(_provider_at(memory.base_url), "memory.base_url names its server", chosen=True)
        if path and self._is_here(path):
            return self._own(path, "memory.local.model_path names it")
        if local.model:
            return self._named(local.model, "memory.local.model_path names it")
        if memory.auto_remote:
            for provider in (Provider.OPENAI, Provider.GEMINI):
                name: str | None = "memory.api_key"
                if not memory.api_key:
                    name = has_key(provider, self._environ)
                if name:
                    return self._remote(provider, f"memory.provider is auto-remote, and {name} is set", chosen=True)
            from holdfast.embeddings.ollama_probe import ollama_answers

            if ollama_answers(self._environ):
                return self._remote(Provider.OLLAMA, "memory.provider is auto-remote, and Ollama answers", chosen=True)
        if path:
            return self.embedded("memory.local.model_path names a model that is not here")
        return self.embedded("it comes with Holdfast, and nothing else is configured")

    def spare(self, provider: Provider) -> Link:
        """Return a provider that the fallback names."""
        why = f"memory.fallback names {provider}"
        if provider is Provider.LOCAL:
            return self.embedded(why)
        return self._remote(provider, why)

    def embedded(self, why: str, model: str | None = None) -> Link:
        """Return a model that comes with Holdfast: the one of this name, else the one that is current."""

        def make() -> Embedder:
            from holdfast.embeddings.static.static_embedder import StaticEmbedder, model_named

            return StaticEmbedder(model_named(model))

        return Link("local", make, why=why, embedded=True)

    def _named(self, model: str | None, why: str) -> Link:
        """Return a model that comes with Holdfast, or with an extra."""
        if model != LocalModel.USE_MULTILINGUAL:
            return self.embedded(why, model)

        def make() -> Embedder:
            from holdfast.embeddings.local.universal_sentence_encoder import UniversalSentenceEncoder

            dimensions, threads = self._settings.memory.dimensions, self._settings.local.threads
            return UniversalSentenceEncoder(dimensions=dimensions, threads=threads)

        return Link("local", make, effort=Effort.WORK, why=why)

    def _own(self, path: str, why: str) -> Link:
        """Return a model file of the owner's."""

        def make() -> Embedder:
            from holdfast.embeddings.local.download import resolve

            place = resolve(path, self._cache, download=False, environ=self._environ)
            dimensions, threads = self._settings.memory.dimensions, self._settings.local.threads
            if place.is_dir():
                from holdfast.embeddings.local.onnx import OnnxEmbedder

                return OnnxEmbedder(place, dimensions=dimensions, threads=threads)
            from holdfast.embeddings.local.gguf import GgufEmbedder

            return GgufEmbedder(place, dimensions=dimensions, threads=threads)

        return Link("local", make, effort=Effort.WORK, why=why)

    @property
    def _cache(self) -> Path:
        from pathlib import Path  # it brings what reads addresses and URLs along: the embedded model does without

        chosen = self._settings.local.model_cache_dir
        if chosen:
            return Path(self._home, os.path.expanduser(chosen))
        return Path(self._home, "state", "models")

    def _is_here(self, path: str) -> bool:
        from holdfast.embeddings.local.download import resolve
        from holdfast.errors import ProviderFailed

        try:
            return resolve(path, self._cache, download=False, environ=self._environ).exists()
        except ProviderFailed:
            return False

    def is_owed(self) -> bool:
        """Return whether the owner's model is on the hub only."""
        from holdfast.embeddings.local.hub import SCHEME

        path = self._settings.local.model_path or ""
        return path.startswith(SCHEME) and not self._is_here(path)

    def download(self, progress: Progress | None) -> None:
        """Bring the owner's model here, if it is named and not here yet."""
        from holdfast.embeddings.local.download import resolve

        def tell(name: str, done: int, total: int) -> None:
            if progress and total:
                progress(f"Downloading {name} (kB)", -(-done // 1000), -(-total // 1000))
            elif progress:
                progress(name, 0, 0)

        path = self._settings.local.model_path
        if path is not None:
            resolve(path, self._cache, download=True, progress=tell, environ=self._environ)

    def _remote(self, provider: Provider, why: str, *, chosen: bool = False) -> Link:
        """Return a provider on another machine; what was set for the chosen one does not go to any other."""
        from holdfast.remote.breaker import Breaker

        def make() -> Embedder:
            from holdfast.embeddings.remote.remote_factory import make_remote

            name = has_key(provider, self._environ)
            embedder: RemoteEmbedder = make_remote(
                provider.value,
                memory=self._settings.memory if chosen else None,
                remote=self._settings.remote,
                key=self._environ[name].strip() if name else None,
                ollama_host=self._environ.get("OLLAMA_HOST", ""),
            )
            embedder.remember(*self._learnt(embedder.identity))
            return embedder

        return Link(provider.value, make, effort=Effort.REMOTE, why=why, breaker=Breaker())
