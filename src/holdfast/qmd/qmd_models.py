"""Look whether the models are here that QMD embeds, expands and reranks with.

Where one is missing QMD downloads it, two gigabytes in all, and a search would wait for that: so it is looked for
first. They lie in one place for all agents.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["missing_models", "model_folder"]

_MODELS = {
    "QMD_EMBED_MODEL": "embeddinggemma-300M-Q8_0.gguf",
    "QMD_RERANK_MODEL": "qwen3-reranker-0.6b-q8_0.gguf",
    "QMD_GENERATE_MODEL": "qmd-query-expansion-1.7B-q4_k_m.gguf",
}


def model_folder(environ: Mapping[str, str] = os.environ) -> str:
    """Return where QMD keeps its models."""
    cache = environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "qmd", "models")


def missing_models(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The files that it would have to download first, of the models that the environment or QMD itself chooses."""
    try:
        held = [name.lower() for name in os.listdir(model_folder(environ))]
    except OSError:
        held = []
    missing: list[str] = []
    for variable, usual in _MODELS.items():
        wanted = environ.get(variable) or usual
        if not wanted.startswith("hf:") and os.path.isfile(wanted):
            continue
        name = os.path.basename(wanted)
        # The file is named after its repository, too: hf_ggml-org_embeddinggemma-300M-Q8_0.gguf.
        if not any(file.endswith(name.lower()) for file in held):
            missing.append(name)
    return missing
