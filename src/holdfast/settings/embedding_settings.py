"""The settings of who turns text into vectors: providers, local models, requests and batches."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from holdfast.settings.declaration import PLENTY, Section, fixed, header_list, switch, text, whole
from holdfast.settings.text_checks import header_flaw

__all__ = ["BatchSettings", "LocalModel", "LocalSettings", "Provider", "RemoteSettings"]


class Provider(StrEnum):
    """The provider that turns text into vectors."""

    AUTO = "auto"
    AUTO_REMOTE = "auto-remote"
    LOCAL = "local"
    OLLAMA = "ollama"
    OPENAI = "openai"
    GEMINI = "gemini"
    CUSTOM = "custom"


class LocalModel(StrEnum):
    """The models that need no file of the owner's: those in Holdfast's package, and those in an extra's."""

    STATIC_1 = "holdfast-static-1"
    STATIC_2 = "holdfast-static-2"
    USE_MULTILINGUAL = "use-multilingual"


def _local_model_flaw(name: str) -> str | None:
    if name in list(LocalModel):
        return None
    return f"it must be one of {', '.join(LocalModel)}"


class LocalSettings(Section, table="memory.local"):
    """A model that runs on this machine, other than the one that is taken by default."""

    model: str | None = fixed(
        text(None, "A model to run here, by name.", flaw=_local_model_flaw, example="use-multilingual"),
        "Write its name into memory.local.model_path.",
        heir="memory.local.model_path",
        carry=lambda name, before: before or name,
    )
    model_path: str | None = text(
        None,
        "A model to run here: a GGUF file, a directory with an ONNX model, `hf:owner/repository/file.gguf`, which "
        "`holdfast index` downloads, or a name: `holdfast-static-2` comes with Holdfast, knows 16 languages, and is "
        "meant without this key; `holdfast-static-1` is its English half alone, with vectors half as long; "
        "`use-multilingual`, which it learned from, comes with the extra `languages` and is slower.",
        example="hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
    )
    model_cache_dir: str | None = text(
        None,
        "Where downloaded models are kept; without it, `state/models` in the home.",
        example="~/models",
        of_home=True,
    )
    threads: int | None = fixed(
        whole(
            None,
            "How many threads a local model uses; without it, as many as there are cores (`use-multilingual`: one).",
            1,
            256,
            example=2,
        )
    )

    def settle(self, held: dict[str, Any]) -> None:
        """Tell a model that is named from one that lies in a file."""
        if self.model_path in list(LocalModel):
            held["model"], held["model_path"] = self.model_path, None


class RemoteSettings(Section, table="memory.remote"):
    """The way in which a provider on another machine is asked, and when the owner is asked first."""

    headers: tuple[str, ...] = header_list((), "More headers for the provider's requests.", flaw=header_flaw)
    timeout_seconds: int = whole(60, "How long one request may take, retries included.", 1, 3600)
    query_timeout_ms: int = whole(
        3000,
        "How long a search waits for its question's vector before keywords answer alone, and before that for "
        "vectors of new texts; those that are missing by then wait for `holdfast index`, `watch` or a server.",
        50,
        60_000,
    )
    concurrency: int = fixed(whole(4, "How many requests are under way at once.", 1, 64))
    ask_above: int = fixed(
        whole(2000, "Sending more texts than this to a provider at once needs `holdfast index --yes`.", 0, PLENTY)
    )


class BatchSettings(Section, table="memory.remote.batch"):
    """The use of a provider's batch service, which is cheaper and answers later."""

    enabled: bool = switch(
        True, "Send large numbers of texts through the provider's batch service, where it has one (OpenAI, Gemini)."
    )
    threshold: int = fixed(whole(500, "From how many texts on that is done.", 1, PLENTY))
    wait: bool = switch(
        True, "Let `holdfast index` wait for the batch; when false, a later `holdfast index` collects it."
    )
    poll_interval_ms: int = whole(2000, "How often a batch is looked at.", 10, 3_600_000)
    timeout_minutes: int = whole(60, "How long a batch is waited for.", 1, 10_000)
    concurrency: int = whole(2, "How many batches are under way at once.", 1, 16)
