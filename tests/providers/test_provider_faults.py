"""T8 through the whole memory: whatever a provider does, nothing wrong is stored, and every search answers."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import provider_faults as faults
import pytest
from commandline import holdfast
from counts import by_turns, counted
from provider_faults import Fault, status
from provider_server import ProviderServer, closed_port
from providers.scenes import AFAR, asking, chain, first, keys_shown, notes, opened, stored, timed, wrong

from holdfast import Memory
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy
from holdfast.search.hit import Results

pytestmark = [pytest.mark.fault, pytest.mark.promise("P7"), pytest.mark.promise("P8")]

SLOW = (faults.HANG, faults.DRIP, faults.HEADER_DRIP)
FAULTS = [
    *SLOW,
    faults.RESET,
    faults.REDIRECT,
    faults.TRUNCATED,
    faults.HTML,
    faults.EMPTY,
    faults.HUGE,
    faults.BOMB,
    faults.WRONG_COUNT,
    faults.WRONG_DIMENSIONS,
    faults.WRONG_SHAPE,
    faults.NAN,
    faults.INFINITY,
    faults.ZERO,
    *(status(code) for code in (400, 401, 403, 404, 413, 429, 500, 503)),
    *(status(429, Retry_After=wait) for wait in ("0", "99999", "Fri, 01 May 2099 12:00:00 GMT", "rubbish")),
]
# Those whose answer holds the key or a piece of it, and one of each other kind; commands start slowly.
ECHOING = [faults.HANG, faults.REDIRECT, faults.HTML, faults.TRUNCATED, faults.ZERO, *map(status, (401, 429, 500))]
_SHORT = 100  # milliseconds


def _hurried(memory: Memory, fault: Fault | None) -> None:
    """Wait for nobody between two tries, and not long for a provider that hangs."""
    embedder: Any = first(memory).embedder()
    policy = Policy(total=_SHORT / 1000) if fault in SLOW else Policy(body=2 * 1024 * 1024)
    embedder._caller = Caller("openai", policy=policy, sleep=lambda _: None)
    embedder._query_seconds = policy.total


def _of_openai(memory: Memory) -> int:
    return sum(one.space.provider == "openai" for one in stored(memory))


def _answered_without(memory: Memory, found: Results, spare: str | None) -> None:
    """Somebody else answered, with the right note, and it says why."""
    assert (found.mode, found.provider) == (("hybrid", "local") if spare else ("keyword", None))
    assert "openai" in found.because
    assert first(memory).trouble, "the failure is remembered for status"


@pytest.mark.row("T8", faults=counted(1, 20), wrong=0, leaked=0)
@pytest.mark.promise("P12")
@pytest.mark.parametrize(
    ("fault", "spare"),
    [(fault, spare) for turn, fault in enumerate(FAULTS) for spare in by_turns((None, "local"), turn, 1)],
    ids=str,
)
def test_a_fault_stores_nothing_wrong_and_stops_no_search(
    fault: Fault, spare: str | None, tmp_path: Path, provider: ProviderServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hurry = {"remote__query_timeout_ms": _SHORT} if fault in SLOW else {}
    for number in range(counted(1, 20)):
        home = tmp_path / f"round{number}"
        notes(home, 3)
        with opened(home, provider, fallback=spare or [], **hurry) as memory:
            clock = timed(memory)
            _hurried(memory, fault)

            provider.always(fault)  # while indexing
            synced = memory.sync()
            assert (synced.embedded, synced.pending) == (0, 3)
            assert synced.because
            assert _of_openai(memory) == 0
            early = memory.search("number2")
            _answered_without(memory, early, spare)
            assert early.results[0].path == "memory/heron2.md"

            provider.reset()
            clock.seconds += 61
            _hurried(memory, None)
            assert (memory.sync().pending, _of_openai(memory), wrong(memory)) == (0, 3, [])

            provider.always(fault)  # while searching and saving
            _hurried(memory, fault)
            late = memory.search("number1")
            _answered_without(memory, late, spare)
            assert late.results[0].path == "memory/heron1.md"
            memory.save("A wryneck came by.", file="memory/late.md")
            saved = memory.search("wryneck")
            assert saved.results[0].path == "memory/late.md"
            assert saved.because and saved.provider != "openai"
            assert (_of_openai(memory), wrong(memory)) == (3, [])
            assert keys_shown(provider, memory, early, late, saved, synced) == []

            provider.reset()
            clock.seconds += 61
            _hurried(memory, None)
            assert (memory.sync().pending, _of_openai(memory), wrong(memory)) == (0, 4, [])
            again = memory.search("number1")
            assert (again.mode, again.because, again.provider) == ("hybrid", "", "openai")
    assert provider.key not in caplog.text


@pytest.mark.promise("P12")
@pytest.mark.parametrize("fault", ECHOING, ids=str)
def test_no_command_shows_the_key_whatever_the_provider_answers(
    fault: Fault,
    home: Path,
    provider: ProviderServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    notes(home, 2)
    quick = {"remote__query_timeout_ms": _SHORT, "remote__timeout_seconds": 1}
    for name, value in asking(provider, fallback="none", **quick).items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    with Memory.open(home) as memory:
        memory.sync()
    provider.always(fault)
    commands = [
        ("search", "heron"),
        ("search", "heron", "--json"),
        ("save", "A wryneck came by."),
        ("status", "--deep"),
        ("status", "--deep", "--json"),
        ("doctor",),
        ("spaces", "list"),
        ("config", "show"),
    ]
    for command in commands:
        ran = holdfast(*command)
        assert ran.status == 0 or command == ("doctor",), (command, ran.err)
        assert provider.key[:12] not in ran.out + ran.err + caplog.text, command
    assert "openai fails:" in holdfast("status", "--deep").out
    found = holdfast("search", "heron", "--json").json
    assert (found["mode"], found["provider"], len(found["results"])) == ("keyword", None, 2)
    assert "openai" in found["because"]


def test_the_command_index_reports_a_refused_key_without_showing_it(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes(home, 2)
    given = asking(provider, fallback="none", api_key="sk-" + "wrong-but-still-a-secret")
    for name, value in given.items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    for argv in (("index",), ("index", "--json"), ("index", "--force", "--yes")):
        ran = holdfast(*argv)
        assert ran.status == 0
        assert "Incorrect API key" in ran.out + ran.err
        assert "wrong-but" not in ran.out + ran.err


def test_rows_in_another_order_are_put_in_theirs(home: Path, provider: ProviderServer) -> None:
    notes(home, 5)
    provider.always(faults.SWAPPED)
    with opened(home, provider) as memory:
        assert (memory.sync().pending, wrong(memory)) == (0, [])
        assert memory.search("number2").mode == "hybrid"


@pytest.mark.parametrize("spoilt", range(3))
def test_a_model_that_changes_between_two_batches_is_refused_and_what_came_before_is_kept(
    spoilt: int, home: Path, provider: ProviderServer
) -> None:
    notes(home, 200)
    provider.script(*[None] * (spoilt + 1), *[faults.BROKEN_MODEL] * 8)
    with opened(home, provider, remote__concurrency=1) as memory:
        clock = timed(memory)
        synced = memory.sync()
        assert (synced.embedded, synced.pending) == (64 * (spoilt + 1), 200 - 64 * (spoilt + 1))
        assert f"it answered as '{first(memory).known_space().model}-2'" in synced.because  # type: ignore[union-attr]
        assert wrong(memory) == []
        provider.reset()
        clock.seconds += 61
        assert (memory.sync().pending, len(stored(memory)), wrong(memory)) == (0, 200, [])


@pytest.mark.parametrize("fault", [faults.WRONG_COUNT, faults.NAN, faults.ZERO, status(400)], ids=str)
def test_one_bad_answer_among_several_at_once_leaves_the_good_ones(
    fault: Fault, home: Path, provider: ProviderServer
) -> None:
    notes(home, 320)
    provider.script(None, fault, None)
    with opened(home, provider, remote__concurrency=2) as memory:
        synced = memory.sync()
        assert synced.because and 0 < synced.pending < 320
        assert len(stored(memory)) == synced.embedded == 320 - synced.pending
        assert wrong(memory) == []
        rest = memory.sync()
        assert (rest.pending, rest.embedded, rest.because) == (0, synced.pending, "")
        assert (len(stored(memory)), wrong(memory)) == (320, [])


@pytest.mark.row("T8", faults=counted(1, 20), wrong=0)
def test_a_provider_that_refuses_connections_is_filled_in_once_it_listens(
    home: Path, afar: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(counted(1, 20)):
        texts = notes(home, 3, f"heron{number}x")
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
        with opened(home, afar, base_url=AFAR) as memory:
            _hurried(memory, None)
            assert "no connection" in memory.sync().because
            found = memory.search(texts[1])
            assert (found.mode, found.results[0].path) == ("keyword", f"memory/heron{number}x1.md")
            assert "openai" in found.because
        monkeypatch.setenv("HTTP_PROXY", afar.url)
        with opened(home, afar, base_url=AFAR) as memory:
            assert (memory.sync().pending, wrong(memory)) == (0, [])
            assert memory.search(texts[1]).provider == "openai"
            assert len(stored(memory)) == 3 * (number + 1)


def test_a_repr_of_the_settings_shows_no_key(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider, remote__headers={"X-Token": "t0ken-of-ours"}) as memory:
        shown = repr(memory.settings) + repr(memory.settings.memory) + repr(memory.settings.remote)
        assert len(chain(memory)) == 1
        assert provider.key not in shown and "t0ken-of-ours" not in shown
