"""Ollama's own API, as far as embeddings go."""

from __future__ import annotations

from provider_exchange import Ask, Reply, Route
from provider_vectors import tokens

__all__ = ["ROUTES", "error"]


def error(code: int, message: str) -> Reply:
    """An error in Ollama's shape."""
    return Reply({"error": message}, code)


def embed(ask: Ask) -> Reply:
    """POST /api/embed."""
    body = ask.json
    model, given = str(body.get("model", "")), body.get("input", [])
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return error(400, "invalid input type")
    native = ask.server.models.get(model.removesuffix(":latest"))
    if native is None:
        return error(404, f'model "{model}" not found, try pulling it first')
    counts = [tokens(text) for text in texts]
    # its runner refuses some inputs in spite of `truncate`, which is on unless the client says otherwise
    if counts and max(counts) > ask.server.window and (body.get("truncate") is False or ask.server.refuses_to_cut):
        return error(400, "the input length exceeds the context length")
    dimensions = body.get("dimensions") or native
    rows = ask.vectors(model.removesuffix(":latest"), [text[: 4 * ask.server.window] for text in texts], "", dimensions)
    return Reply(
        {
            "model": ask.model(model),
            "embeddings": rows,
            "total_duration": 14143917,
            "load_duration": 1019500,
            "prompt_eval_count": sum(counts),
        }
    )


def tags(ask: Ask) -> Reply:
    """GET /api/tags: the models that were pulled."""
    names = [f"{name}:latest" for name in ask.server.models]
    return Reply({"models": [{"name": name, "model": name, "size": 274302450, "details": {}} for name in names]})


def version(ask: Ask) -> Reply:
    """GET /api/version."""
    return Reply({"version": "0.12.6"})


ROUTES: list[tuple[str, str, Route]] = [
    ("POST", r"/api/embed", embed),
    ("GET", r"/api/tags", tags),
    ("GET", r"/api/version", version),
]
