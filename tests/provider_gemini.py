"""The embedding methods of Gemini's native API, and what its errors look like."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

from provider_exchange import Ask, Reply, Route

__all__ = ["ROUTES", "TASKS", "error", "unauthorised", "values"]

TASKS = {"", "RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY", "CLASSIFICATION", "CLUSTERING"}
_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
_BYTES = 36_000


def error(code: int, message: str, reason: str = "") -> Reply:
    """An error in the shape of Google's APIs."""
    found: dict[str, Any] = {"code": code, "message": message, "status": _STATUS.get(code, "UNKNOWN")}
    if reason:
        found["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]
    return Reply({"error": found}, code)


def unauthorised(ask: Ask) -> Reply | None:
    """The refusal of a request without the right key, which Gemini answers with 400."""
    given = ask.seen.headers.get("x-goog-api-key", "")
    if given == ask.server.key:
        return None
    if not given:
        return error(403, "Method doesn't allow unregistered callers (callers without established identity).")
    return error(400, "API key not valid. Please pass a valid API key.", "API_KEY_INVALID")


def embed_content(ask: Ask) -> Reply:
    """POST /v1beta/models/{model}:embedContent."""
    found = unauthorised(ask) or values(ask, ask.groups[0], [ask.json])
    return found if isinstance(found, Reply) else Reply({"embedding": found[0]})


def batch_embed_contents(ask: Ask) -> Reply:
    """POST /v1beta/models/{model}:batchEmbedContents."""
    refused = unauthorised(ask)
    if refused is not None:
        return refused
    requests = ask.json.get("requests", [])
    if len(requests) > min(100, ask.server.most_texts):
        message = (
            f"* BatchEmbedContentsRequest.requests: at most {ask.server.most_texts} requests can be in one batch\n"
        )
        return error(400, message)
    wrong = [one for one in requests if one.get("model") != f"models/{ask.groups[0]}"]
    if wrong:
        return error(400, "* BatchEmbedContentsRequest.requests[0].model: must be the model of the batch")
    found = values(ask, ask.groups[0], requests)
    return found if isinstance(found, Reply) else Reply({"embeddings": found})


def values(ask: Ask, model: str, requests: list[dict[str, Any]]) -> Reply | list[dict[str, Any]]:
    """The embeddings of some EmbedContentRequests, or the error for all of them."""
    native = ask.server.models.get(model)
    if native is None:
        return error(404, f"models/{model} is not found for API version v1beta, or is not supported for embedContent.")
    texts, tasks, sizes = [], [], []
    for one in requests:
        parts = one.get("content", {}).get("parts", [])
        shown = [part["inlineData"] for part in parts if "inlineData" in part]
        if shown and (refused := _refused_images(model, shown, len(requests))):
            return error(400, refused)
        text = "".join(part.get("text", "") for part in parts) or "".join(map(_shown, shown))
        task, size = one.get("taskType", ""), one.get("outputDimensionality", native)
        if not text:
            return error(400, "* EmbedContentRequest.content: contents is not specified")
        if task not in TASKS:
            return error(400, f"Invalid value at 'task_type': \"{task}\"")
        if len(text.encode()) > min(_BYTES, 4 * ask.server.window):
            return error(400, f"Request payload size exceeds the limit: {min(_BYTES, 4 * ask.server.window)} bytes.")
        texts.append(text)
        tasks.append(task)
        sizes.append(size)
    if len(set(tasks)) > 1 or len(set(sizes)) > 1:
        return error(400, "the fixture embeds one task and one size at a time")
    rows = ask.vectors(model, texts, tasks[0], sizes[0]) if texts else []
    if texts and sizes[0] < native:  # as the real one: only the full vectors have length one
        rows = [[number * 0.5 if isinstance(number, float) else number for number in row] for row in rows]
    return [{"values": row} for row in rows]


def _refused_images(model: str, images: list[dict[str, str]], requests: int) -> str:
    """Why images are not taken: the first generation sees nothing, the second PNG and JPEG, six in one request."""
    if not model.startswith("gemini-embedding-2"):
        return "Model does not support multimodal embeddings."
    if requests > 6:
        return "At most 6 images are supported per request."
    wrong = [image["mimeType"] for image in images if image["mimeType"] not in ("image/png", "image/jpeg")]
    return f"Unsupported MIME type: {wrong[0]}" if wrong else ""


def _shown(image: dict[str, str]) -> str:
    """What an image shows: it stands behind its last byte, and is put where a question for just that is."""
    return f"task: search result | query: {b64decode(image['data']).rpartition(b'shows:')[2].decode()}"


ROUTES: list[tuple[str, str, Route]] = [
    ("POST", r"/v1beta/models/([^/:]+):embedContent", embed_content),
    ("POST", r"/v1beta/models/([^/:]+):batchEmbedContents", batch_embed_contents),
]
