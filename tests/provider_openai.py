"""The embeddings endpoint of OpenAI's API, and what its errors look like."""

from __future__ import annotations

import base64
from typing import Any

import provider_faults as faults
from provider_exchange import Ask, Reply, Route
from provider_vectors import packed_floats, tokens

__all__ = ["ROUTES", "embeddings", "embeddings_answer", "error", "unauthorised"]

_WINDOW = 8192
_TOKENS = 300_000


def error(code: int, message: str, name: str | None = None, param: str | None = None) -> Reply:
    """An error in OpenAI's shape."""
    kinds = {401: "invalid_request_error", 429: "requests", 500: "server_error", 503: "server_error"}
    kind = kinds.get(code, "invalid_request_error")
    return Reply({"error": {"message": message, "type": kind, "param": param, "code": name}}, code)


def unauthorised(ask: Ask) -> Reply | None:
    """The refusal of a request without the right key; like the real one it quotes the key that it got."""
    given = ask.seen.headers.get("authorization", "")
    if given == f"Bearer {ask.server.key}":
        return None
    if not given:
        return error(401, "You didn't provide an API key. You need to provide your API key in an Authorization header.")
    return error(401, f"Incorrect API key provided: {given.removeprefix('Bearer ')}.", "invalid_api_key")


def embeddings(ask: Ask) -> Reply:
    """POST /v1/embeddings."""
    return unauthorised(ask) or embeddings_answer(ask, ask.json)


def embeddings_answer(ask: Ask, body: dict[str, Any]) -> Reply:
    """The answer to one embeddings request; a batch job asks here for each of its lines."""
    given, model = body.get("input"), str(body.get("model"))
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        return error(400, "'$.input' is invalid. Please check the API reference.", param="input")
    native = ask.server.models.get(model)
    if native is None:
        message = f"The model `{model}` does not exist or you do not have access to it."
        return error(404, message, "model_not_found")
    dimensions = body.get("dimensions", native)
    if "dimensions" in body and not model.startswith("text-embedding-3"):
        return error(400, "This model does not support specifying dimensions.")
    if not isinstance(dimensions, int) or not 0 < dimensions <= native:
        return error(400, f"Invalid value for 'dimensions': must be between 1 and {native}.", param="dimensions")
    if len(texts) > min(2048, ask.server.most_texts):
        return error(400, f"'input' has too many items: {len(texts)}, maximum number is {ask.server.most_texts}.")
    counts = [tokens(text) for text in texts]
    if max(counts) > min(_WINDOW, ask.server.window):
        message = (
            f"This model's maximum context length is {ask.server.window} tokens, however you requested {max(counts)}"
        )
        return error(400, f"{message} tokens. Please reduce your prompt.", None)
    if sum(counts) > _TOKENS:
        message = f"Requested {sum(counts)} tokens, max {_TOKENS} tokens per request"
        return error(400, message, "max_tokens_per_request")
    return Reply(_answer(ask, body, model, texts, dimensions, sum(counts)))


def _answer(ask: Ask, body: dict[str, Any], model: str, texts: list[str], dimensions: int, used: int) -> dict[str, Any]:
    rows = ask.vectors(model, texts, "", dimensions)
    small = body.get("encoding_format") == "base64" and ask.server.knows_base64 and ask.fault != faults.WRONG_SHAPE
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(packed_floats(row)).decode() if small else row,
        }
        for index, row in enumerate(rows)
    ]
    if ask.fault == faults.SWAPPED:
        data.reverse()
    usage = {"prompt_tokens": used, "total_tokens": used}
    return {"object": "list", "data": data, "model": ask.model(model), "usage": usage}


ROUTES: list[tuple[str, str, Route]] = [("POST", r"/v1/embeddings", embeddings)]
