"""A second process that embeds with the same model, so that a large index uses two cores.

Python runs one thread at a time, and cutting text into pieces is Python. The process is started for a large sync and
ends with it; where it can't be started, or dies, this process does the work alone. What is stored is the same either
way; the second process gives its vectors as they are kept, a quarter of what would go through the pipe.
"""

from __future__ import annotations

import gc
import json
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

__all__ = ["SecondProcess"]

_LENGTH = struct.Struct("<I")
_WORDS_REMEMBERED = 200_000  # more than a process that lives on may hold: this one ends with the sync
# For glibc: arrays of each round lie where those of the last one did. To ask the system for them anew, and to have them
# cleared, is a tenth of the work.
_HEAP = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(256 << 20))
# -P: a directory that happens to be called holdfast, where the command was started, must not be taken for us.
_COMMAND = (sys.executable, "-P", "-m", "holdfast.embeddings.static.embedding_worker")


class SecondProcess:
    """Answers like `asking.ask` does for documents; None when it is gone."""

    def __init__(self, model: str) -> None:
        """`model`: the name of the embedded model whose vectors it makes."""
        environ = {**_HEAP, **os.environ, "OPENBLAS_NUM_THREADS": "1"}
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = subprocess.Popen(
                (*_COMMAND, model),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environ,
            )

    def ask(self, texts: Sequence[str]) -> list[bytes] | None:
        """Return the vectors of some texts, a byte a number as they are kept; None where the process can't answer."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            return None
        try:
            _send(self._process.stdin, json.dumps(list(texts)).encode("ascii"))
            return _rows(_receive(self._process.stdout), len(texts))
        except (OSError, EOFError, ValueError):
            self.close()
            return None

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()  # it ends when nothing more can come
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _send(stream: IO[bytes], content: bytes) -> None:
    stream.write(_LENGTH.pack(len(content)) + content)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content


def _rows(content: bytes, count: int) -> list[bytes]:
    """Return the rows of an answer: for each its length, then its bytes."""
    rows: list[bytes] = []
    at = 0
    while at < len(content):
        (length,) = _LENGTH.unpack_from(content, at)
        at += _LENGTH.size
        rows.append(content[at : at + length])
        at += length
    if len(rows) != count:
        raise ValueError("not as many rows as texts")
    return rows


def _serve(incoming: IO[bytes], outgoing: IO[bytes], model: str) -> None:
    from holdfast.embeddings.embed_call import ask
    from holdfast.embeddings.embedder import Purpose
    from holdfast.embeddings.static.piece_arrays import Words
    from holdfast.embeddings.static.static_embedder import StaticEmbedder, model_named
    from holdfast.embeddings.static.token_tables import UnigramPart
    from holdfast.embeddings.static.wordpiece import WordPiece
    from holdfast.embeddings.vector_bytes import quantize

    Words.limit = WordPiece.limit = UnigramPart.limit = _WORDS_REMEMBERED
    StaticEmbedder.rows_kept = sys.maxsize
    gc.disable()  # what is made here has no cycles, and what it remembers would be looked through again and again
    embedder = StaticEmbedder(model_named(model))
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            packed = ask(embedder, json.loads(_receive(incoming)), Purpose.DOCUMENT)
            rows = quantize(packed, embedder.space.dimensions)
            _send(outgoing, b"".join(_LENGTH.pack(len(row)) + row for row in rows))


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer, sys.argv[1])
