"""Gemini's Files API and its batch jobs for embeddings at the test server."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs

from provider_any_batch import PARTIAL, SPOILT, BatchService, Mishap, arranged
from provider_exchange import Ask, Reply, Route
from provider_gemini import error, unauthorised, values

__all__ = ["GeminiBatches"]

_FINAL = {Mishap.EXPIRED: "BATCH_STATE_EXPIRED", Mishap.CANCELLED: "BATCH_STATE_CANCELLED"}
_TYPE = "type.googleapis.com/google.ai.generativelanguage.v1main."


class GeminiBatches(BatchService):
    """The jobs of one account; `upload_at` lets it name another place for uploads."""

    upload_at = ""

    def routes(self) -> Sequence[tuple[str, str, Route]]:
        return [
            ("POST", r"/upload/v1beta/files", self.upload),
            ("GET", r"/download/v1beta/(files/[^/:]+):download", self.content),
            ("DELETE", r"/v1beta/(files/[^/:]+)", self.delete),
            ("DELETE", r"/v1beta/(batches/[^/:]+)", self.delete),
            ("POST", r"/v1beta/models/([^/:]+):asyncBatchEmbedContent", self.create),
            ("GET", r"/v1beta/batches", self.listed),
            ("GET", r"/v1beta/(batches/[^/:]+)", self.look),
        ]

    def upload(self, ask: Ask) -> Reply:
        """POST /upload/v1beta/files: first the name, then the bytes at the address that came back."""
        if refused := unauthorised(ask):
            return refused
        command = ask.seen.headers.get("x-goog-upload-command", "")
        if command == "start":
            assert ask.seen.headers["x-goog-upload-protocol"] == "resumable"
            size = ask.seen.headers["x-goog-upload-header-content-length"]
            place = self.upload_at or f"{self.server.url}/upload/v1beta/files"
            return Reply({}, headers={"X-Goog-Upload-URL": f"{place}?upload_id={size}&upload_protocol=resumable"})
        if command != "upload, finalize" or parse_qs(ask.seen.query)["upload_id"] != [str(len(ask.seen.body))]:
            return error(400, "Invalid upload command or size.")
        name = self.keep("files/", ask.seen.body)
        return Reply({"file": {"name": name, "mimeType": "application/jsonl", "state": "ACTIVE", "source": "UPLOADED",
                               "uri": f"{self.server.url}/v1beta/{name}"}})  # fmt: skip

    def content(self, ask: Ask) -> Reply:
        """GET /download/v1beta/files/{id}:download."""
        refused = unauthorised(ask)
        if refused is None and (ask.groups[0] not in self.files or "alt=media" not in ask.seen.query):
            refused = error(404, "Requested entity was not found.")
        return refused or Reply(self.files[ask.groups[0]], media_type="application/jsonl")

    def delete(self, ask: Ask) -> Reply:
        """DELETE of a file or a job."""
        if refused := unauthorised(ask):
            return refused
        kept: dict[str, Any] = {**self.files, **self.jobs}
        if ask.groups[0] not in kept:
            return error(404, "Requested entity was not found.")
        self.files.pop(ask.groups[0], None)
        self.jobs.pop(ask.groups[0], None)
        return Reply({})

    def create(self, ask: Ask) -> Reply:
        """POST /v1beta/models/{model}:asyncBatchEmbedContent."""
        if refused := unauthorised(ask):
            return refused
        batch = ask.json["batch"]
        source = batch["inputConfig"].get("fileName")
        if source not in self.files or not batch.get("displayName"):
            return error(400, f"* AsyncBatchEmbedContentRequest.batch: no such file: {source}")
        mishap = self.mishap()
        name = f"batches/{uuid.uuid4().hex}"
        metadata = {
            "@type": f"{_TYPE}EmbedContentBatch",
            "model": f"models/{ask.groups[0]}",
            "name": name,
            "displayName": batch["displayName"],
            "inputConfig": {"fileName": source},
            "state": "BATCH_STATE_PENDING",
            "batchStats": {},
        }
        operation = {"name": name, "metadata": metadata}
        end = self._run(ask, metadata, mishap)
        self.jobs[name] = {"shown": operation, "looks": 0, "mishap": mishap, "end": end}
        if mishap is Mishap.CREATED_BUT_500:
            return error(500, "An internal error has occurred. Please retry.")
        reply = Reply(operation)
        return reply._replace(body=reply.encoded()[:40]) if mishap is Mishap.CREATED_BUT_CUT else reply

    def listed(self, ask: Ask) -> Reply:
        """GET /v1beta/batches."""
        if refused := unauthorised(ask):
            return refused
        asked = parse_qs(ask.seen.query)
        start, size = int(asked.get("pageToken", ["0"])[0]), int(asked.get("pageSize", ["50"])[0])
        shown = self.newest_first()
        page: dict[str, Any] = {"operations": shown[start : start + size]} if shown else {}
        if start + size < len(shown):
            page["nextPageToken"] = str(start + size)
        return Reply(page)

    def look(self, ask: Ask) -> Reply:
        """GET /v1beta/batches/{id}."""
        if refused := unauthorised(ask):
            return refused
        job = self.jobs.get(ask.groups[0])
        if job is None:
            return error(404, "Requested entity was not found.")
        job["looks"] += 1
        if job["mishap"] is Mishap.ENDLESS or job["looks"] < self.polls:
            job["shown"]["metadata"]["state"] = "BATCH_STATE_RUNNING"
        else:
            job["shown"]["metadata"].update(job["end"][0])
            job["shown"].update(job["end"][1])
        return Reply(job["shown"])

    def _run(self, ask: Ask, metadata: dict[str, Any], mishap: Mishap) -> tuple[dict[str, Any], dict[str, Any]]:
        """Compute the rows, and give the metadata and the operation of the job when it has ended."""
        lines = [json.loads(line) for line in self.files[metadata["inputConfig"]["fileName"]].split(b"\n") if line]
        if mishap is Mishap.FAILED:
            failure = {"code": 8, "message": f"It is full. {self.server.key}"}
            return {"state": "BATCH_STATE_FAILED"}, {"done": True, "error": failure}
        good: list[bytes] = []
        bad: list[bytes] = []
        for number, line in enumerate(lines):
            if mishap in PARTIAL and number >= len(lines) // 2:
                continue
            request = line["request"] if mishap is not Mishap.ERROR_ROW or number else {}
            fault = SPOILT.get(mishap) if number == 0 else None
            found = values(ask._replace(fault=fault), metadata["model"].removeprefix("models/"), [request])
            if isinstance(found, Reply):
                bad.append(_line({"key": line["key"], "error": {"code": 3, "message": "contents is not specified"}}))
            else:
                good.append(_line({"key": line["key"], "response": {"embedding": found[0]}}))
        strange = _line({"key": "nobody", "response": json.loads(good[0])["response"]})
        file = self.keep("files/", arranged(mishap, good, _with_another_vector, strange) + b"".join(bad))
        output = {"@type": f"{_TYPE}EmbedContentBatchOutput", "responsesFile": file}
        if mishap is Mishap.LOST:
            del self.files[file]
        # 64-bit numbers are texts, and those that are zero are left out
        counts = {"requestCount": len(lines), "successfulRequestCount": len(good), "failedRequestCount": len(bad)}
        stats = {name: str(count) for name, count in counts.items() if count}
        state = _FINAL.get(mishap, "BATCH_STATE_SUCCEEDED")
        return {"state": state, "batchStats": stats, "output": output}, {"done": True, "response": output}


def _line(whole: dict[str, Any]) -> bytes:
    return json.dumps(whole).encode() + b"\n"


def _with_another_vector(line: bytes) -> bytes:
    whole = json.loads(line)
    whole["response"]["embedding"]["values"].reverse()
    return _line(whole)
