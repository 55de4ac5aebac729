"""T19, second half: no public call takes more than time in proportion to the text it is given (P13).

Growth is compared, never seconds: a text and four times as much of it, where that costs more than ordinary prose of
that length does in the same call.
"""

from __future__ import annotations

import gc
import itertools
import json
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from counts import FULL, counted
from faults.crafted_texts import PROSE, SHAPES, crafted
from tally import Count

from holdfast import Memory
from holdfast.dreaming import gates
from holdfast.errors import HoldfastError

pytestmark = [pytest.mark.fault, pytest.mark.promise("P13")]

_SIZE: Final = counted(8_000, 48_000)  # bytes; the larger is about what one write may hold
_FIRST: Final = (1_500, 6_000) if FULL else (2_000,)  # on the way up: what grows with the cube must not be let run on
_MOST_GROWTH: Final = 2.6  # where a text is twice as long; its square is compared, of four times as much, to be sure
_BLOWN_UP: Final = 10
_LOOKS: Final = 3
_OVER_PROSE: Final = 3  # what costs less than so many times what prose costs needs no second look
# Bytes that these calls accept, so that what they do with a text is measured, and not that they refuse it.
_QUERY: Final = 8_000
_FACT: Final = 3_900
_FORGOTTEN: Final = 32_000

Call = Callable[[Memory, str], object]


def _appended(memory: Memory, text: str) -> None:
    with memory.session("talk") as session:
        session.append("user", "I live in Rome")
        session.append("user", text)
        session.append("assistant", text)
        session.capture(force=True)
        session.export()


def _recalled(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    with memory.session("talk") as session:
        session.append("user", text)
        session.recall(text)
        session.prompt(text)


def _always_seen(memory: Memory, text: str) -> None:
    memory.save(text)
    with memory.session("talk") as session:
        session.prompt("what now?")


def _saved_in_session(memory: Memory, text: str) -> None:
    with memory.session("talk") as session:
        session.tools().call("memory_save", {"content": text})


def _forgotten(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    memory.forget(text[:60])


def _forgotten_everywhere(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    memory.forget(_begin(text, _FORGOTTEN), everywhere=True)


def _typed_outside(memory: Memory, text: str) -> None:
    _put(memory, "memory/outside.md", text)
    memory.sync()
    memory.get("memory/outside.md")
    memory.search("word a b")


def _facts_typed_outside(memory: Memory, text: str) -> None:
    _put(memory, "memory/facts.md", text)
    memory.sync()
    memory.facts.list()
    memory.facts.store("I live in Rome")


def _fact(memory: Memory, text: str) -> None:
    memory.facts.store("I live in Rome")
    memory.facts.store(_begin(text, _FACT))
    memory.facts.recall(_begin(text, _QUERY))
    memory.facts.history(_begin(text, _QUERY))


def _imported(memory: Memory, text: str) -> None:
    parts = [text[at : at + 300] for at in range(0, len(text), 300)]
    rows = [{"id": str(number), "memory": part} for number, part in enumerate((text, *parts))]
    _put(memory, "mem0.json", json.dumps({"results": rows}))
    memory.import_from(Path(memory.home) / "mem0.json", source="mem0")


def _imported_chats(memory: Memory, text: str) -> None:
    _put(memory, "memories.json", json.dumps([{"content": text}]))
    memory.import_from(Path(memory.home) / "memories.json", source="chatgpt")


def _dreamt(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    memory.dreams.run()


def _exported(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    memory.export(Path(memory.home).parent / "export.zip", replace=True)


def _stepped_back(memory: Memory, text: str) -> None:
    memory.save(text, file="memory/long.md")
    memory.diff(memory.save("end of it", file="memory/long.md").checkpoint_id)
    memory.delete("memory/long.md", text="end of it")
    memory.undo()


def _profile(memory: Memory, text: str) -> None:
    _put(memory, "USER.md", text)
    memory.profile.read()
    memory.profile.save("name", text)


def _begin(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _put(memory: Memory, path: str, text: str) -> None:
    place = Path(memory.home) / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode("utf-8"))


CALLS: Final[Mapping[str, Call]] = {
    "save": lambda memory, text: memory.save(text, file="memory/long.md"),
    "save as a fact": lambda memory, text: memory.save(text, file="memory/facts.md"),
    "save by an agent": lambda memory, text: memory.tools().call(
        "memory_save", {"content": text, "file": "memory/a.md"}
    ),
    "save in a session": _saved_in_session,
    "write a note": lambda memory, text: memory.notes.write("memory/long.md", text),
    "search": lambda memory, text: memory.search(_begin(text, _QUERY)),
    "search by an agent": lambda memory, text: memory.tools().call("memory_search", {"query": _begin(text, _QUERY)}),
    "forget": lambda memory, text: memory.forget(_begin(text, _QUERY)),
    "forget a part": _forgotten,
    "forget everywhere": _forgotten_everywhere,
    "facts": _fact,
    "session": _appended,
    "recall and prompt": _recalled,
    "prompt with MEMORY.md": _always_seen,
    "sync": _typed_outside,
    "sync of facts": _facts_typed_outside,
    "import": _imported,
    "import of chats": _imported_chats,
    "export": _exported,
    "dream": _dreamt,
    "diff and undo": _stepped_back,
    "profile": _profile,
}
_ONCE_SLOW: Final[Mapping[str, tuple[str, ...]]] = {"save as a fact": ("- a\n",)}


@pytest.mark.row("T19")
@pytest.mark.row("patterns")
@pytest.mark.parametrize("name", CALLS)
def test_a_call_takes_time_in_proportion_to_its_text(name: str, tmp_path: Path, tally: Count) -> None:
    if name == "save in a session" and hasattr(gates, "_NAME"):
        pytest.skip("its pattern is quadratic, and goes with the function that uses it")
    bench = _Bench(CALLS[name], tmp_path)
    rank = list(CALLS).index(name)
    # In turns: together, the calls see every shape. And each sees again what it was once too slow for.
    shapes = SHAPES if counted(0, 1) else {*SHAPES[rank :: len(CALLS)], *_ONCE_SLOW.get(name, ())}
    faults = {shape: fault for shape in shapes if (fault := bench.fault(shape))}
    assert not faults, faults
    tally(texts=len(shapes), slow=0)


class _Bench:
    """Measures one call in homes of their own."""

    def __init__(self, call: Call, place: Path) -> None:
        self._call, self._place = call, place
        self._homes = itertools.count()
        self._cost(PROSE)  # what is loaded when it is first needed is no part of the measure
        # Some calls refuse the longest text at once: the measure is what they take for one that they accept.
        self._prose = max(
            min(self._cost(crafted(PROSE, size)) for _ in range(counted(1, 2))) for size in (_FIRST[-1], _SIZE)
        )

    def fault(self, shape: str) -> str:
        """Return in what way a text is too slow for the call; empty where it is not."""
        for size in _FIRST:
            if self._least(shape, size, below=_BLOWN_UP * self._prose) > _BLOWN_UP * self._prose:
                return f"{size} bytes cost more than {_BLOWN_UP} times as much as {_SIZE} of prose"
        most = _OVER_PROSE * self._prose
        large = self._least(shape, _SIZE, below=most)
        if large <= most:
            return ""
        small = math.inf
        for _ in range(_LOOKS):  # other programs only add to a measure: what grows too fast does so at its least
            small = min(small, self._least(shape, _SIZE // 4))
            if large <= _MOST_GROWTH**2 * small:
                return ""
            large = min(large, self._least(shape, _SIZE))
        return f"four times the text cost {large / small:.1f} times as much, {large / self._prose:.0f} times prose"

    def _least(self, shape: str, size: int, *, below: float = 0.0) -> float:
        """Return the least of three costs, or the first that needs no second look."""
        least = math.inf
        for _ in range(3):
            least = min(least, self._cost(crafted(shape, size)))
            if least <= below:
                break
        return least

    def _cost(self, text: str) -> float:
        """Return the processor time of one call."""
        with Memory.open(self._place / str(next(self._homes))) as memory:
            gc.disable()  # what a collection costs depends on all that other tests have left
            try:
                begun = time.process_time()
                with suppress(HoldfastError):  # a refusal takes its time as well
                    self._call(memory, text)
                return time.process_time() - begun
            finally:
                gc.enable()
