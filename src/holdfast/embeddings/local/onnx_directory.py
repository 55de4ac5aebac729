"""A model directory as Hugging Face lays it out → what is needed to run it; nothing heavy is imported here.

Every file but the graph and the tokenizer may be missing. What they say was written by others, so each value is
checked before it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from holdfast.embeddings.local.model_prompts import Prompts, known_prompts
from holdfast.errors import ProviderFailed, ProviderMissing
from holdfast.value import Value

__all__ = ["OnnxDirectory", "Pooling", "read_directory"]

_GRAPHS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_JSON_LIMIT = 4 << 20
_LONGEST = 2048  # attention costs the square of the length, and a chunk has some 400 tokens
_DEFAULT_LENGTH = 512
# Their positions begin behind the padding token's number, which leaves two fewer than the table has.
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet")
_REMEDY = "Choose another model in memory.local.model_path; until then search goes on without it."


class Pooling(StrEnum):
    """The way in which the vectors of the tokens become one."""

    MEAN = "mean"
    CLS = "cls"
    LAST = "last"
    MAX = "max"


class OnnxDirectory(Value):
    """A directory of files, and its word on its model."""

    name: str
    graph: Path
    tokenizer: Path
    pooling: Pooling
    prompts: Prompts
    max_length: int
    dimensions: int | None  # None: only the graph knows
    dense: bool  # layers behind the pooling, which only a graph that pools by itself can have

    @property
    def files(self) -> list[Path]:
        """The files whose bytes decide the vectors; large weights may lie beside the graph."""
        beside = self.graph.parent.glob(f"{self.graph.name}[_.]data*")
        return [self.graph, *sorted(path for path in beside if path.is_file()), self.tokenizer]


def read_directory(path: Path) -> OnnxDirectory:
    """Read a model directory, or the directory of an .onnx file; raises `ProviderMissing` where parts are missing."""
    try:
        root, graph = _graph(path)
        tokenizer = root / "tokenizer.json"
        if not tokenizer.is_file():
            raise ProviderMissing("local", f"the model {path.name!r} has no tokenizer.json", _REMEDY)
        config = _object(root / "config.json")
        modules = list(_modules(root))
        pooling_at = next((place for kind, place in modules if kind == "Pooling"), "1_Pooling")
        pooling = _object(root / pooling_at / "config.json")
        name = _name(root)
        prompts = _prompts(_object(root / "config_sentence_transformers.json"))
        return OnnxDirectory(
            name=name,
            graph=graph,
            tokenizer=tokenizer,
            pooling=_pooling(pooling, name),
            prompts=prompts or known_prompts(name, _text(config.get("_name_or_path"))),
            max_length=_max_length(root, config),
            dimensions=_dimensions(config, pooling, dense=any(kind == "Dense" for kind, _ in modules)),
            dense=any(kind == "Dense" for kind, _ in modules),
        )
    except OSError as error:
        raise ProviderMissing("local", f"the model {path.name!r} can't be read ({error.strerror})", _REMEDY) from error


def _graph(path: Path) -> tuple[Path, Path]:
    if path.is_file():
        here = path.parent
        return (here.parent if here.name == "onnx" and not (here / "tokenizer.json").is_file() else here), path
    found = [path / name for name in _GRAPHS if (path / name).is_file()]
    found += sorted([*path.glob("*.onnx"), *path.glob("onnx/*.onnx")])
    if not found:
        raise ProviderMissing("local", f"there is no ONNX model in {path.name!r}", _REMEDY)
    return path, found[0]


def _name(root: Path) -> str:
    """Return the directory's name.

    In the hub's own cache that is a commit, and the repository stands two levels above.
    """
    root = root.resolve()
    if root.parent.name == "snapshots":
        return root.parent.parent.name.rpartition("--")[2]
    return root.name


def _json(path: Path) -> object:
    if not path.is_file():
        return None
    if path.stat().st_size > _JSON_LIMIT:
        raise ProviderFailed("local", f"the model's {path.name} is larger than any such file is", _REMEDY)
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ProviderFailed("local", f"the model's {path.name} is not JSON", _REMEDY) from error


def _object(path: Path) -> dict[str, object]:
    found = _json(path)
    if isinstance(found, dict):
        return found
    return {}


def _modules(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind of each step and the directory of its settings; a path that leads out is passed over."""
    listed = _json(root / "modules.json")
    for module in listed if isinstance(listed, list) else []:
        if isinstance(module, dict):
            place = _text(module.get("path"))
            if ".." not in place and not place.startswith("/"):
                yield _text(module.get("type")).rpartition(".")[2], place


def _pooling(config: dict[str, object], name: str) -> Pooling:
    flags = {
        "pooling_mode_cls_token": Pooling.CLS,
        "pooling_mode_mean_tokens": Pooling.MEAN,
        "pooling_mode_mean_sqrt_len_tokens": Pooling.MEAN,  # the same direction as the mean
        "pooling_mode_lasttoken": Pooling.LAST,
        "pooling_mode_max_tokens": Pooling.MAX,
    }
    wanted = {flag for flag, value in config.items() if flag.startswith("pooling_mode_") and value is True}
    chosen = {flags.get(flag, "") for flag in wanted}
    if "pooling_mode" in config:  # how newer versions write it
        chosen.add(_text(config["pooling_mode"]).replace("lasttoken", "last"))
    if not chosen:
        return Pooling.MEAN
    (first, *more) = chosen
    if more or first not in set(Pooling):
        raise ProviderFailed("local", f"the model {name!r} pools in a way that is not known here", _REMEDY)
    return Pooling(first)


def _prompts(config: dict[str, object]) -> Prompts | None:
    """Return the prompts that a directory gives; empty ones are what the tools write by themselves, and say nothing."""
    given = config.get("prompts")
    if not isinstance(given, dict):
        return None
    default = _text(given.get(_text(config.get("default_prompt_name"))))
    query = next((_text(given[key]) for key in ("query", "search_query", "retrieval.query") if key in given), default)
    notes = ("document", "passage", "search_document", "retrieval.passage")
    document = next((_text(given[key]) for key in notes if key in given), default)
    if query or document:
        return Prompts(query, document)
    return None


def _max_length(root: Path, config: dict[str, object]) -> int:
    positions = _count(config.get("max_position_embeddings"))
    if positions and config.get("model_type") in _OFFSET_POSITIONS:
        positions -= 2
    wanted = (
        _count(_object(root / "sentence_bert_config.json").get("max_seq_length"))
        or _count(_object(root / "tokenizer_config.json").get("model_max_length"))
        or positions
        or _truncation(root / "tokenizer.json")
        or _DEFAULT_LENGTH
    )
    return max(8, min(wanted, positions or _LONGEST, _LONGEST))


def _truncation(tokenizer: Path) -> int:
    """Return the length that a tokenizer keeps from its training, when nothing else is said.

    It stands at the file's start.
    """
    with tokenizer.open("rb") as file:
        start = file.read(4096)
    found = re.search(rb'"truncation"\s*:\s*\{[^{}]*"max_length"\s*:\s*(\d{1,7})', start)
    if not found:
        return 0
    return int(found[1])


def _dimensions(config: dict[str, object], pooling: dict[str, object], *, dense: bool) -> int | None:
    found = _count(pooling.get("word_embedding_dimension")) or _count(config.get("hidden_size"))
    if found and found <= 65_536 and not dense:
        return found
    return None


def _count(value: object) -> int:
    """Return a number of things; 0 for anything else, and for the huge ones that mean "no limit"."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000_000:
        return value
    return 0


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) < 2000:
        return value
    return ""
