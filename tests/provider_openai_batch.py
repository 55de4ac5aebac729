"""OpenAI's Files and Batch API at the test server: upload, create, list, look, download, delete."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qs

from provider_any_batch import PARTIAL, SPOILT, BatchService, Mishap, arranged
from provider_exchange import Ask, Reply, Route
from provider_openai import embeddings_answer, error, unauthorised

__all__ = ["OpenAIBatches"]

_FINAL = {Mishap.EXPIRED: "expired", Mishap.CANCELLED: "cancelled"}


class OpenAIBatches(BatchService):
    """The jobs of one account."""

    def routes(self) -> Sequence[tuple[str, str, Route]]:
        return [
            ("POST", r"/v1/files", self.upload),
            ("GET", r"/v1/files/([^/]+)/content", self.content),
            ("DELETE", r"/v1/files/([^/]+)", self.delete),
            ("POST", r"/v1/batches", self.create),
            ("GET", r"/v1/batches", self.listed),
            ("GET", r"/v1/batches/([^/]+)", self.look),
        ]

    def upload(self, ask: Ask) -> Reply:
        """POST /v1/files."""
        if refused := unauthorised(ask):
            return refused
        head = f"Content-Type: {ask.seen.headers['content-type']}\r\n\r\n".encode()
        form: dict[str, tuple[str | None, bytes]] = {}
        for part in message_from_bytes(head + ask.seen.body).walk():
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                form[str(part.get_param("name", header="content-disposition"))] = part.get_filename(), content
        if form.get("purpose", (None, b""))[1] != b"batch" or "file" not in form:
            return error(400, "'purpose' is not one of the accepted values", param="purpose")
        name, content = form["file"]
        file = self.keep("file-", content)
        return Reply({"object": "file", "id": file, "purpose": "batch", "filename": name, "bytes": len(content),
                      "created_at": int(time.time()), "status": "processed"})  # fmt: skip

    def content(self, ask: Ask) -> Reply:
        """GET /v1/files/{id}/content."""
        refused = unauthorised(ask)
        if refused is None and ask.groups[0] not in self.files:
            refused = error(404, f"No such File object: {ask.groups[0]}", param="id")
        return refused or Reply(self.files[ask.groups[0]], media_type="application/octet-stream")

    def delete(self, ask: Ask) -> Reply:
        """DELETE /v1/files/{id}."""
        if refused := unauthorised(ask):
            return refused
        if self.files.pop(ask.groups[0], None) is None:
            return error(404, f"No such File object: {ask.groups[0]}", param="id")
        return Reply({"object": "file", "id": ask.groups[0], "deleted": True})

    def create(self, ask: Ask) -> Reply:
        """POST /v1/batches."""
        if refused := unauthorised(ask):
            return refused
        body = ask.json
        if body.get("endpoint") != "/v1/embeddings" or body.get("completion_window") != "24h":
            return error(400, "Invalid value for 'endpoint' or 'completion_window'")
        if body.get("input_file_id") not in self.files:
            return error(400, f"No such File object: {body.get('input_file_id')}", param="input_file_id")
        mishap = self.mishap()
        batch: dict[str, Any] = {
            "id": f"batch_{uuid.uuid4().hex}",
            "object": "batch",
            "endpoint": body["endpoint"],
            "errors": None,
            "input_file_id": body["input_file_id"],
            "completion_window": "24h",
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "created_at": int(time.time()),
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": body.get("metadata"),
        }
        self.jobs[batch["id"]] = {"shown": batch, "looks": 0, "mishap": mishap, "end": self._run(ask, batch, mishap)}
        if mishap is Mishap.CREATED_BUT_500:
            return error(500, "The server had an error while processing your request. Sorry about that!")
        reply = Reply(batch)
        return reply._replace(body=reply.encoded()[:40]) if mishap is Mishap.CREATED_BUT_CUT else reply

    def listed(self, ask: Ask) -> Reply:
        """GET /v1/batches, newest first."""
        if refused := unauthorised(ask):
            return refused
        asked = parse_qs(ask.seen.query)
        shown = self.newest_first()
        ids = [batch["id"] for batch in shown]
        start = ids.index(asked["after"][0]) + 1 if "after" in asked else 0
        page = shown[start : start + int(asked.get("limit", ["20"])[0])]
        more = start + len(page) < len(shown)
        first, last = (page[0]["id"], page[-1]["id"]) if page else (None, None)
        return Reply({"object": "list", "data": page, "first_id": first, "last_id": last, "has_more": more})

    def look(self, ask: Ask) -> Reply:
        """GET /v1/batches/{id}."""
        if refused := unauthorised(ask):
            return refused
        job = self.jobs.get(ask.groups[0])
        if job is None:
            return error(404, f"No batch found with id '{ask.groups[0]}'.")
        job["looks"] += 1
        if job["mishap"] is Mishap.ENDLESS or job["looks"] < self.polls:
            job["shown"]["status"] = "in_progress"
        else:
            job["shown"].update(job["end"])
        return Reply(job["shown"])

    def _run(self, ask: Ask, batch: dict[str, Any], mishap: Mishap) -> dict[str, Any]:
        """Compute the rows, and give what the batch says of itself when it has ended."""
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].split(b"\n") if line]
        ids = [line["custom_id"] for line in lines]
        if mishap is Mishap.FAILED or len(set(ids)) != len(ids) or not 0 < len(ids) <= 50_000:
            told = {"code": "invalid", "line": 1, "param": None, "message": f"It is full. {self.server.key}"}
            return {"status": "failed", "errors": {"object": "list", "data": [told]}}
        good: list[bytes] = []
        bad: list[bytes] = []
        for number, line in enumerate(lines):
            assert (line["method"], line["url"]) == ("POST", "/v1/embeddings")
            if mishap in PARTIAL and number >= len(lines) // 2:
                bad.append(_line(line["custom_id"], None, {"code": "batch_expired", "message": "too late"}))
                continue
            body = line["body"] if mishap is not Mishap.ERROR_ROW or number else {**line["body"], "input": ""}
            fault = SPOILT.get(mishap) if number == 0 else None
            reply = embeddings_answer(ask._replace(fault=fault), body)
            response = {"status_code": reply.status, "request_id": uuid.uuid4().hex, "body": reply.body}
            (good if reply.status == 200 else bad).append(_line(line["custom_id"], response, None))
        output = arranged(mishap, good, _with_another_vector, _line("nobody", json.loads(good[0])["response"], None))
        counts = {"total": len(lines), "completed": len(good), "failed": len(bad)}
        return {
            "status": _FINAL.get(mishap, "completed"),
            "request_counts": counts,
            "output_file_id": "file-lost" if mishap is Mishap.LOST else self.keep("file-", output),
            "error_file_id": self.keep("file-", b"".join(bad)) if bad else None,
        }


def _line(row: str, response: dict[str, Any] | None, failure: dict[str, str] | None) -> bytes:
    whole = {"id": f"batch_req_{uuid.uuid4().hex}", "custom_id": row, "response": response, "error": failure}
    return json.dumps(whole).encode() + b"\n"


def _with_another_vector(line: bytes) -> bytes:
    whole = json.loads(line)
    (item,) = whole["response"]["body"]["data"]
    item["embedding"] = item["embedding"][::-1] if isinstance(item["embedding"], list) else _turned(item["embedding"])
    return json.dumps(whole).encode() + b"\n"


def _turned(packed: str) -> str:
    import base64

    return base64.b64encode(base64.b64decode(packed)[4:] + base64.b64decode(packed)[:4]).decode()
