"""A short name for the bytes of a model, cheap enough for every command.

A model is hundreds of megabytes, and a search must not read them all. Its size, its two ends and samples between them
are hashed: training or quantising a model anew changes all of its weights, so the samples change with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

__all__ = ["fingerprint"]

_ENDS = 1 << 16
_SAMPLES = 64
_SAMPLE = 1 << 12


def fingerprint(files: Sequence[Path], recipe: object) -> str:
    """Return sixteen hex digits of the files and of how they are used: vectors depend on both.

    How they are used is said by pooling, prompts and length.
    """
    digest = hashlib.sha256(repr(recipe).encode("utf-8"))
    for path in files:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            digest.update(f"\0{path.name}\0{size}\0".encode())
            places = [(0, _ENDS), (max(0, size - _ENDS), _ENDS)]
            places += [(size * number // _SAMPLES, _SAMPLE) for number in range(_SAMPLES)]
            for start, length in places:
                file.seek(start)
                digest.update(file.read(length))
    return digest.hexdigest()[:16]
