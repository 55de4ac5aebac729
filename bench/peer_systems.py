"""The peers: how each is installed, how it indexes a folder of notes, and how it is asked.

Each lives in an environment of its own below the work folder, with a home directory of its own, and gets a copy of the
notes of its own: some write to them. One that can't be installed or run is a row with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import qmd
from measure import CommandError, Cost, clean, run
from peer_answers import (
    Given,
    given_by_basic_memory,
    given_by_holdfast,
    given_by_mcp_memory,
    given_by_mempalace,
    given_by_memsearch,
    given_by_memweave,
    given_by_qmd,
    tool_reply,
)
from peer_environment import DRIVERS, LOADABLE, OFFLINE, ROOT, Environment, ModelServer, Unavailable

from holdfast.evaluation.baseline import content_words

__all__ = ["LIMIT", "PEERS", "Asker", "Peer", "Place"]

LIMIT = 30
"""Hits that everybody is asked for, as `holdfast eval` does."""

_MOST_SECONDS = 900  # to index one set
_QMD_MODEL = "QMD_MODEL"
_CHROMA = (".cache", "chroma", "onnx_models", "all-MiniLM-L6-v2", "onnx")  # where Chroma keeps what it downloads


class Place(NamedTuple):
    """Where a peer works on one set."""

    home: Path
    """With the notes in `memory/`."""
    state: Path
    """For its index, configuration and home directory."""
    model_url: str


class Asker(ABC):
    """A running peer."""

    process: subprocess.Popen[str] | subprocess.Popen[bytes]

    @abstractmethod
    def ask(self, query: str) -> tuple[list[Given], float]:
        """The hits, and the seconds they took."""

    def peak(self) -> int:
        """Bytes of peak memory of the process that answers."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) * 1024

    def close(self) -> None:
        """End it."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        else:
            self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=20)
        self.process.kill()
        self.process.wait()


class Peer(ABC):
    """One row of the table."""

    name: ClassVar[str]
    mode: str
    """Keywords, or which model."""
    through: ClassVar[str]
    """What it is asked by."""
    wants_model: ClassVar[bool] = False
    note: ClassVar[str] = ""
    """What was set otherwise than it comes, or must be known to read its row."""

    def __init__(self, work: Path) -> None:
        self.work = work

    @abstractmethod
    def prepare(self) -> str:
        """Install it where that is to do, and say which version it is."""

    @abstractmethod
    def index(self, place: Place) -> Cost:
        """Read the notes for the first time."""

    @abstractmethod
    def open(self, place: Place) -> Asker:
        """Start it for questions."""


def _started(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """A process that is asked on standard input and answers on standard output."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=clean(environment), text=True
    )


class _Driven(Asker):
    """A driver of `bench/drivers`, in the environment of its peer; it holds the watch."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        parse: Callable[[list[dict[str, Any]]], list[Given]],
    ) -> None:
        self._parse = parse
        self.process = _started(command, environment)
        self._receive()

    def _receive(self) -> dict[str, Any]:
        assert isinstance(self.process.stdout, object) and self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise CommandError("its driver stopped")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def ask(self, query: str) -> tuple[list[Given], float]:
        stdin: Any = self.process.stdin
        stdin.write(json.dumps({"query": query, "limit": LIMIT}) + "\n")
        stdin.flush()
        reply = self._receive()
        return self._parse(reply["results"]), float(reply["wall"])


def _own_home(place: Place, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment in which a peer sees nothing but its own place."""
    own = place.state / "home"
    own.mkdir(parents=True, exist_ok=True)
    moved = {"HOME": str(own), "XDG_CACHE_HOME": f"{own}/cache", "XDG_CONFIG_HOME": f"{own}/config"}
    return {**OFFLINE, **moved, "MODEL_URL": place.model_url, **(more or {})}


def _limited(command: Sequence[str]) -> list[str]:
    return ["timeout", str(_MOST_SECONDS), *command]


class _PythonPeer(Peer):
    """A peer from a package index, driven by its Python interface."""

    package: ClassVar[str]
    wanted: ClassVar[tuple[str, ...]]
    driver: ClassVar[str]

    @property
    def environment(self) -> Environment:
        return Environment(self.work / self.package, self.wanted)

    def prepare(self) -> str:
        if self.environment.version(self.package) is None:
            self.environment.install()
        return self.environment.version(self.package) or "?"

    def variables(self, place: Place) -> dict[str, str]:
        return _own_home(place)

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        """What its driver says → what was given."""
        raise NotImplementedError

    def _drive(self, verb: str, place: Place) -> list[str]:
        return [self.environment.python, str(DRIVERS / self.driver), verb, str(place.home), str(place.state)]

    def index(self, place: Place) -> Cost:
        return run(_limited(self._drive("index", place)), self.variables(place))

    def open(self, place: Place) -> Asker:
        return _Driven(self._drive("ask", place), self.variables(place), self.parse)


class Holdfast(_PythonPeer):
    """This package, built and installed as a user would."""

    name, mode, through = "Holdfast", "as it comes: words and the embedded model", "`Memory.search`"
    package, driver = "holdfast", "holdfast_driver.py"
    wanted = (str(ROOT),)

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        return given_by_holdfast(hits)

    def prepare(self) -> str:
        if self.environment.version(self.package) is None:
            self.environment.install()
        else:  # search may have changed since
            self.environment.pip("--force-reinstall", "--no-deps", str(ROOT))
        subprocess.run(
            [self.environment.python, "-m", "compileall", "-q", str(self.environment.place / "lib")], check=False
        )
        return self.environment.version(self.package) or "?"

    def index(self, place: Place) -> Cost:
        return run(
            _limited([self.environment.command("holdfast"), "index", "--home", str(place.home)]), _own_home(place)
        )


class HoldfastMiniLM(Holdfast):
    """The same with the model that the peers are given."""

    name, mode, wants_model = "Holdfast, MiniLM", "words and MiniLM", True
    note = "The model that the peers are given, instead of the embedded one."

    def index(self, place: Place) -> Cost:
        told = f'[memory]\nprovider = "custom"\nbase_url = "{place.model_url}"\nmodel = "minilm"\n'
        patient = "\n[memory.remote]\nquery_timeout_ms = 10000\n"  # else a busy machine would measure keywords alone
        (place.home / "holdfast.toml").write_text(told + patient, encoding="utf-8")
        return super().index(place)


class Memweave(_PythonPeer):
    """SQLite's full text and sqlite-vec, over notes in Markdown."""

    name, mode, through, wants_model = "memweave", "words and MiniLM (hybrid, its default)", "`MemWeave.search`", True
    note = "`min_score` 0 instead of .35, which is for another model's cosines."
    package, driver, wanted = "memweave", "memweave_driver.py", ("memweave", LOADABLE)

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        return given_by_memweave(hits)


class Memsearch(_PythonPeer):
    """Milvus Lite over notes in Markdown."""

    name, mode, through, wants_model = "memsearch", "words and MiniLM (hybrid, its default)", "`MemSearch.search`", True
    package, driver, wanted = "memsearch", "memsearch_driver.py", ("memsearch", "milvus-lite")

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        return given_by_memsearch(hits)


class McpMemory(_PythonPeer):
    """Memories in sqlite-vec; notes are read in by a command."""

    name, mode, through = "mcp-memory-service", "MiniLM", "`MemoryService.retrieve_memories`"
    wants_model = True
    note = (
        "`--max-files` raised: it reads the first 100 files otherwise. What is near to one that it has is not kept "
        "(5 to 38 of these notes). A list is one memory, of which the model reads the beginning."
    )
    package, driver, wanted = "mcp-memory-service", "mcp_memory_driver.py", ("mcp-memory-service", LOADABLE)

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        return given_by_mcp_memory(hits)

    def variables(self, place: Place) -> dict[str, str]:
        told = {
            "MCP_MEMORY_BASE_DIR": str(place.state),
            "MCP_MEMORY_SQLITE_PATH": str(place.state / "memory.db"),
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_EXTERNAL_EMBEDDING_URL": f"{place.model_url}/embeddings",
            "MCP_EXTERNAL_EMBEDDING_MODEL": "minilm",
        }
        return _own_home(place, told)

    def index(self, place: Place) -> Cost:
        command = [self.environment.command("memory"), "ingest-directory", str(place.home / "memory")]
        options = ["--recursive", "--extensions", "md", "--max-files", "1000000"]
        return run(_limited([*command, *options]), self.variables(place))


class MemPalace(_PythonPeer):
    """Chunks as drawers in Chroma; notes are mined by a command."""

    name, mode, through = "MemPalace", "MiniLM, with words and headings of its own", "`search_memories`"
    note = "Its model, the same MiniLM at full precision, is a download: the file of 8 bits lies in its place."
    package, driver, wanted = "mempalace", "mempalace_driver.py", ("mempalace",)

    def parse(self, hits: list[dict[str, Any]]) -> list[Given]:
        return given_by_mempalace(hits)

    def variables(self, place: Place) -> dict[str, str]:
        told = _own_home(place)
        model = Path(told["HOME"], *_CHROMA)
        model.mkdir(parents=True, exist_ok=True)
        for name, source in ModelServer.files(self.work).items():
            shutil.copy(source, model / name)
        for name in ("config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"):
            (model / name).write_text("{}", encoding="utf-8")  # looked for, and not read
        return told

    def index(self, place: Place) -> Cost:
        command, told = self.environment.command("mempalace"), self.variables(place)
        palace, notes = ["--palace", str(place.state / "palace")], str(place.home / "memory")
        run([command, *palace, "init", notes, "--yes", "--no-llm"], told)
        return run(_limited([command, *palace, "mine", notes]), told)


class Reme(_PythonPeer):
    """ReMe, whose search by words needs neither key nor model."""

    name, mode, through = "ReMe", "keywords", "`reme`"
    package, driver, wanted = "reme-ai", "", ("reme-ai",)

    def prepare(self) -> str:
        version = super().prepare()
        started = subprocess.run(
            [self.environment.command("reme"), "--help"], capture_output=True, text=True, check=False
        )
        if started.returncode:
            raise Unavailable(f"{version} does not start as pip installs it: {started.stderr.strip().splitlines()[-1]}")
        raise Unavailable(f"{version} starts; nobody has written its driver yet")


class Mem0(Peer):
    """mem0, which has no notes."""

    name, mode, through = "mem0", "", ""

    def prepare(self) -> str:
        raise Unavailable("not run: it reads no files, and by default writes memories by a language model")

    def index(self, place: Place) -> Cost:
        raise NotImplementedError

    def open(self, place: Place) -> Asker:
        raise NotImplementedError


class BasicMemory(_PythonPeer):
    """Notes as entities in SQLite's full text, asked over MCP."""

    name, mode, through = "basic-memory", "keywords", "`search_notes` over MCP (stdio)"
    note = (
        "Its model is a download: semantic search is off. It writes front matter into notes, and gives whole notes. "
        "0.24.1 could not be resolved by pip (it wants a newer `certifi` than the index had)."
    )
    package, wanted = "basic-memory", ("basic-memory==0.23.2",)

    def variables(self, place: Place) -> dict[str, str]:
        off = {"BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false", "BASIC_MEMORY_NO_PROMOS": "1"}
        return _own_home(place, {**off, "BASIC_MEMORY_HOME": str(place.state / "main")})

    def index(self, place: Place) -> Cost:
        command, told = self.environment.command("basic-memory"), self.variables(place)
        run([command, "project", "add", "notes", str(place.home / "memory"), "--default", "--local"], told)
        return run(_limited([command, "reindex", "--full", "--search", "--project", "notes"]), told)

    def open(self, place: Place) -> Asker:
        return _McpTool([self.environment.command("basic-memory"), "mcp"], self.variables(place))


class _McpTool(Asker):
    """`search_notes` of an MCP server on standard input and output."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process = _started(command, environment)
        self._number = 0
        who = {"name": "peers", "version": "1"}
        self._call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: Mapping[str, Any]) -> None:
        stdin: Any = self.process.stdin
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    def _call(self, method: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": arguments})
        stdout: Any = self.process.stdout
        for line in stdout:
            reply = json.loads(line)
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise CommandError(str(reply["error"]))
                result: dict[str, Any] = reply["result"]
                return result
        raise CommandError("the MCP server stopped")

    def ask(self, query: str) -> tuple[list[Given], float]:
        told = {"query": query, "project": "notes", "page_size": LIMIT, "output_format": "json"}
        began = time.perf_counter()
        result = self._call("tools/call", {"name": "search_notes", "arguments": told})
        took = time.perf_counter() - began
        return given_by_basic_memory(tool_reply(result["content"])), took


class Qmd(Peer):
    """QMD's keyword search, over HTTP."""

    name, mode, through = "QMD", "keywords", "`POST /query` of `qmd mcp --http`"
    note = (
        "Its models are downloads from a hub that is out of reach: `lex` searches, no reranking. All words must match."
    )

    kinds: ClassVar[tuple[str, ...]] = ("lex",)

    def prepare(self) -> str:
        if qmd.missing() is not None:
            try:
                qmd.install()
            except SystemExit as end:
                if end.code:
                    raise Unavailable(f"could not be installed: npm ended with {end.code}") from None
        if (reason := qmd.missing()) is not None:
            raise Unavailable(reason)
        return qmd.PACKAGES[0].rpartition("@")[2]

    def index(self, place: Place) -> Cost:
        return self.made(place).index(fresh=True)

    def open(self, place: Place) -> Asker:
        return _QmdServer(self.made(place).serve(), self)

    def made(self, place: Place) -> qmd.Qmd:
        """QMD on this copy of the notes."""
        return qmd.Qmd(place.home, place.state)

    def alters(self, query: str) -> str:
        """What is asked instead of the question."""
        return query


class QmdWords(Qmd):
    """The same asked as its documentation advises: the words that matter, not the sentence."""

    name, mode = "QMD, content words", "keywords"
    note = "The same, asked for the question without its small words (the floor's list); all that are left must match."

    def alters(self, query: str) -> str:
        return " ".join(content_words(query))


class QmdModel(Qmd):
    """QMD with an embedding model from a file, by words and meaning; its expansion and reranking are other models."""

    name = "QMD, with a model"
    note = "`lex` and `vec` searches; no expansion, no reranking."
    kinds = ("lex", "vec")

    def __init__(self, work: Path) -> None:
        super().__init__(work)
        self.mode = f"words and {Path(os.environ.get(_QMD_MODEL) or 'a model').stem}"

    def prepare(self) -> str:
        if not os.environ.get(_QMD_MODEL):
            raise Unavailable(f"no model was given: its own are downloads; {_QMD_MODEL} names a GGUF file")
        return super().prepare()

    def made(self, place: Place) -> qmd.Qmd:
        return qmd.Qmd(place.home, place.state, os.environ[_QMD_MODEL])

    def index(self, place: Place) -> Cost:
        words, vectors = super().index(place), self.made(place).embed()
        return Cost(words.cpu + vectors.cpu, words.wall + vectors.wall, max(words.rss, vectors.rss))


class _QmdServer(Asker):
    def __init__(self, server: qmd.Server, peer: Qmd) -> None:
        self._server, self.process, self._peer = server, server.process, peer

    def ask(self, query: str) -> tuple[list[Given], float]:
        results, took = self._server.results(self._peer.alters(query), LIMIT, self._peer.kinds)
        return given_by_qmd(results), took

    def close(self) -> None:
        self._server.close()


PEERS: Mapping[str, type[Peer]] = {
    "holdfast": Holdfast,
    "holdfast-minilm": HoldfastMiniLM,
    "qmd": Qmd,
    "qmd-words": QmdWords,
    "qmd-model": QmdModel,
    "basic-memory": BasicMemory,
    "mcp-memory-service": McpMemory,
    "memweave": Memweave,
    "memsearch": Memsearch,
    "mempalace": MemPalace,
    "reme": Reme,
    "mem0": Mem0,
}
"""By the names that `--only` takes."""
