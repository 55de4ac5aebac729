"""The download of models, against a hub on loopback: every fault ends in the right bytes or in a plain refusal."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from counts import counted
from embeddings.local.hub_server import Hub, running
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.local.download import resolve, target
from holdfast.embeddings.local.hub import parse
from holdfast.embeddings.local.onnx_directory import Pooling, read_directory
from holdfast.errors import ModelNotDownloaded, ProviderFailed, ProviderMissing, ProviderRefused

pytest.importorskip("httpx2")

NAME = "hf:owner/repo/folder/model.gguf"
PATH = "/owner/repo/resolve/main/folder/model.gguf"
DATA = Random(7).randbytes(3_000_000)
TOKEN = "hf_verysecrettoken"

CHILD = """
import sys
from pathlib import Path
from holdfast.embeddings.local.download import resolve
def progress(what, done, total):
    print(done, flush=True)
print(resolve(sys.argv[1], Path(sys.argv[2]), download=True, progress=progress))
"""


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running() as hub:
        hub.add("owner/repo/folder/model.gguf", DATA)
        hub.add("owner/repo/config.json", b'{"hidden_size": 3}', small=True)
        yield hub


def fetch(hub: Hub, cache: Path, name: str = NAME, **environ: str) -> Path:
    return resolve(name, cache, download=True, environ={"HF_ENDPOINT": hub.endpoint, **environ})


def left_in(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.rglob("*") if path.is_file() and not path.name.endswith(".lock"))


def test_a_file_is_downloaded_once_and_then_found(hub: Hub, tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    path = resolve(
        NAME,
        tmp_path,
        download=True,
        progress=lambda *what: said.append(what),
        environ={"HF_ENDPOINT": hub.endpoint + "/"},
    )
    assert path.read_bytes() == DATA
    assert path == target(parse(NAME), tmp_path)
    assert said[0] == ("model.gguf", 0, len(DATA)) and said[-1] == ("model.gguf", len(DATA), len(DATA))
    assert left_in(tmp_path) == ["model.gguf"]
    before = len(hub.seen)
    assert fetch(hub, tmp_path) == path
    assert resolve(NAME, tmp_path, download=False) == path
    assert len(hub.seen) == before


def test_a_search_never_downloads(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(ModelNotDownloaded, match=r"hf:owner/repo/folder/model\.gguf.*`holdfast index` downloads it"):
        resolve(NAME, tmp_path, download=False, environ={"HF_ENDPOINT": hub.endpoint})
    assert hub.seen == [] and left_in(tmp_path) == []


def test_a_path_is_taken_as_it_is_and_must_exist(tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    file.write_bytes(b"GGUF")
    assert resolve(str(file), tmp_path, download=False) == file
    assert resolve("~/own.gguf", tmp_path / "cache", download=True) == file
    with pytest.raises(ProviderMissing, match="there is no model at"):
        resolve(str(tmp_path / "none.gguf"), tmp_path, download=True)


def test_a_small_file_is_served_by_the_hub_and_checked_by_its_blob_id(hub: Hub, tmp_path: Path) -> None:
    assert fetch(hub, tmp_path, "hf:owner/repo/config.json").read_bytes() == b'{"hidden_size": 3}'
    hub.etag = "0" * 40
    with pytest.raises(ProviderFailed, match="Git blob id"):
        fetch(hub, tmp_path / "other", "hf:owner/repo/config.json")
    assert left_in(tmp_path / "other") == []


def test_a_graph_brings_the_directory_around_it(hub: Hub, tmp_path: Path) -> None:
    hub.add("owner/repo/onnx/model.onnx", DATA)
    hub.add("owner/repo/tokenizer.json", b"{}", small=True)
    hub.add("owner/repo/1_Pooling/config.json", b'{"pooling_mode_cls_token": true}', small=True)
    path = fetch(hub, tmp_path, "hf:owner/repo/onnx/model.onnx")
    assert path == tmp_path / "owner" / "repo" / "onnx" / "model.onnx"
    assert left_in(tmp_path) == ["config.json", "config.json", "model.onnx", "tokenizer.json"]
    found = read_directory(path)
    assert (found.name, found.dimensions, found.pooling) == ("repo", 3, Pooling.CLS)


def test_a_graph_is_not_there_before_all_around_it_is(hub: Hub, tmp_path: Path) -> None:
    hub.add("owner/repo/onnx/model.onnx", DATA)
    hub.status["/owner/repo/resolve/main/tokenizer.json"] = 503
    with pytest.raises(ProviderFailed, match="503"):
        fetch(hub, tmp_path, "hf:owner/repo/onnx/model.onnx")
    with pytest.raises(ModelNotDownloaded):
        resolve("hf:owner/repo/onnx/model.onnx", tmp_path, download=False)


def test_a_revision_is_asked_for_and_kept_apart(hub: Hub, tmp_path: Path) -> None:
    hub.add("owner/repo/folder/model.gguf", b"old bytes", revision="refs%2Fpr%2F1")
    old = fetch(hub, tmp_path, NAME + "@refs/pr/1")
    assert old.read_bytes() == b"old bytes"
    assert fetch(hub, tmp_path).read_bytes() == DATA
    assert old.read_bytes() == b"old bytes"


def test_a_connection_that_breaks_is_taken_up_where_it_broke(hub: Hub, tmp_path: Path) -> None:
    hub.cuts = [1_500_000, 1_000_000]
    assert fetch(hub, tmp_path).read_bytes() == DATA
    ranges = [seen.headers.get("Range") for seen in hub.asked("GET")]
    assert ranges[0] is None and all(span and span != "bytes=0-" for span in ranges[1:]) and len(ranges) == 3


def test_a_server_that_gives_nothing_fails_and_what_came_is_kept(hub: Hub, tmp_path: Path) -> None:
    hub.cuts = [2_000_000, 0]
    with pytest.raises(ProviderFailed, match="goes on where it stopped"):
        fetch(hub, tmp_path)
    (part,) = left_in(tmp_path)
    assert part.endswith(".part")
    hub.seen.clear()
    assert fetch(hub, tmp_path).read_bytes() == DATA
    assert hub.asked("GET")[0].headers["Range"] != "bytes=0-"
    assert left_in(tmp_path) == ["model.gguf"]


def test_bytes_of_two_versions_are_never_joined(hub: Hub, tmp_path: Path) -> None:
    hub.cuts = [2_000_000, 0]
    with pytest.raises(ProviderFailed):
        fetch(hub, tmp_path)
    hub.files[PATH] = changed = DATA[::-1]
    hub.seen.clear()
    assert fetch(hub, tmp_path).read_bytes() == changed
    assert "Range" not in hub.asked("GET")[0].headers
    assert left_in(tmp_path) == ["model.gguf"]


def test_a_small_file_that_changes_between_two_requests_is_not_joined(hub: Hub, tmp_path: Path) -> None:
    hub.add("owner/repo/vocab.txt", DATA, small=True)
    hub.etag = "opaque"
    hub.cuts = [1_000_000, 0]
    with pytest.raises(ProviderFailed):
        fetch(hub, tmp_path, "hf:owner/repo/vocab.txt")
    hub.seen.clear()
    hub.files["/owner/repo/resolve/main/vocab.txt"] = DATA[::-1]
    hub.changed_etag = "another"
    assert fetch(hub, tmp_path, "hf:owner/repo/vocab.txt").read_bytes() == DATA[::-1]
    assert hub.asked("GET", "hub")[0].headers["If-Range"] == '"opaque"'


def test_a_damaged_part_is_thrown_away_and_loaded_anew(hub: Hub, tmp_path: Path) -> None:
    hub.cuts = [2_000_000, 0]
    with pytest.raises(ProviderFailed):
        fetch(hub, tmp_path)
    (part,) = tmp_path.rglob("*.part")
    part.write_bytes(bytes(part.stat().st_size))
    assert fetch(hub, tmp_path).read_bytes() == DATA


@pytest.mark.parametrize("way", ["ignores_ranges", "refuses_ranges"])
def test_a_server_without_ranges_sends_it_all_again(hub: Hub, tmp_path: Path, way: str) -> None:
    hub.cuts = [2_000_000, 0]
    with pytest.raises(ProviderFailed):
        fetch(hub, tmp_path)
    setattr(hub, way, True)
    assert fetch(hub, tmp_path).read_bytes() == DATA


def test_a_wrong_checksum_is_refused_and_nothing_is_stored(hub: Hub, tmp_path: Path) -> None:
    hub.checksum = hashlib.sha256(b"other").hexdigest()
    with pytest.raises(ProviderFailed, match="SHA-256"):
        fetch(hub, tmp_path)
    assert left_in(tmp_path) == []


def test_more_bytes_than_were_announced_are_refused(hub: Hub, tmp_path: Path) -> None:
    hub.sends_more = b"x" * 100
    with pytest.raises(ProviderFailed, match="sends more than"):
        fetch(hub, tmp_path)
    assert not target(parse(NAME), tmp_path).exists()


def test_a_file_larger_than_the_disk_is_refused_before_a_byte_is_asked_for(hub: Hub, tmp_path: Path) -> None:
    hub.announced = 10**17
    with pytest.raises(ProviderMissing, match=r"needs 100,000,000,000 MB more.*Free some space"):
        fetch(hub, tmp_path)
    assert hub.asked("GET") == []


def test_a_disk_that_says_no_is_told_and_the_part_is_kept(hub: Hub, tmp_path: Path) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))\n" + CHILD
    done = child(hub, tmp_path, limited)
    _, errors = done.communicate(timeout=60)
    assert "ProviderMissing" in errors and "disk of the models is full" in errors
    (part,) = tmp_path.rglob("*.part")
    assert part.stat().st_size == 2_000_000
    assert fetch(hub, tmp_path).read_bytes() == DATA


@pytest.mark.parametrize(
    ("status", "code", "kind", "words"),
    [
        (404, "EntryNotFound", ProviderRefused, "has no hf:owner/repo"),
        (401, "RepoNotFound", ProviderRefused, "has no hf:owner/repo"),
        (401, "GatedRepo", ProviderRefused, "refused hf:owner/repo"),
        (403, "", ProviderRefused, "refused hf:owner/repo"),
        (429, "", ProviderFailed, "answered 429"),
        (503, "", ProviderFailed, "answered 503"),
    ],
)
def test_what_the_hub_refuses_is_said(
    hub: Hub, tmp_path: Path, status: int, code: str, kind: type[ProviderFailed], words: str
) -> None:
    hub.status[PATH] = status
    hub.error_code = code
    with pytest.raises(kind, match=words) as caught:
        fetch(hub, tmp_path, HF_TOKEN=TOKEN)
    assert TOKEN not in f"{caught.value!r} {caught.value}"


def test_a_hub_that_can_not_be_reached_is_said(tmp_path: Path) -> None:
    with running() as gone:
        pass
    with pytest.raises(ProviderFailed, match=r"connection to 127\.0\.0\.1 broke"):
        fetch(gone, tmp_path)


def test_the_token_goes_to_the_hub_and_never_further(hub: Hub, tmp_path: Path) -> None:
    hub.moved["/owner/old/resolve/main/folder/model.gguf"] = PATH
    assert fetch(hub, tmp_path, "hf:owner/old/folder/model.gguf", HF_TOKEN=TOKEN).read_bytes() == DATA
    asked = [seen.headers.get("Authorization") for seen in hub.asked("HEAD", "hub")]
    assert asked == [f"Bearer {TOKEN}"] * 2
    assert hub.asked("GET") and all(TOKEN not in str(seen.headers) for seen in hub.seen if seen.server == "cdn")


def test_neither_the_token_nor_a_signed_address_is_in_an_error(hub: Hub, tmp_path: Path) -> None:
    hub.status[PATH] = 200
    hub.cuts = [0]
    with pytest.raises(ProviderFailed) as caught:
        fetch(hub, tmp_path, HF_TOKEN=TOKEN)
    shown = f"{caught.value!r} {caught.value} {caught.value.__cause__!r}"
    assert TOKEN not in shown and "SECRET" not in shown
    with pytest.raises(ProviderRefused) as caught_too:
        fetch(hub, tmp_path, HF_TOKEN=f"{TOKEN}\nX-Evil: 1")
    assert TOKEN not in str(caught_too.value)


@pytest.mark.parametrize("endpoint", ["ftp://hub", "hub.example", "https://user:password@hub.example"])
def test_an_endpoint_that_is_none_is_refused_without_showing_it(tmp_path: Path, endpoint: str) -> None:
    with pytest.raises(ProviderMissing, match="HF_ENDPOINT") as caught:
        resolve(NAME, tmp_path, download=True, environ={"HF_ENDPOINT": endpoint})
    assert "password" not in str(caught.value)


def test_redirects_without_end_are_given_up(hub: Hub, tmp_path: Path) -> None:
    hub.moved[PATH] = PATH
    with pytest.raises(ProviderFailed, match="without end"):
        fetch(hub, tmp_path)


def child(hub: Hub, cache: Path, code: str = CHILD) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, NAME, str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HF_ENDPOINT": hub.endpoint},
    )


@pytest.mark.fault
def test_a_killed_download_goes_on_where_it_was(hub: Hub, tmp_path: Path) -> None:
    hub.cuts, hub.holds = [2_500_000], True
    process = child(hub, tmp_path)
    assert process.stdout is not None
    done = 0
    while done < 2_000_000:
        done = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    hub.hold.set()
    assert not target(parse(NAME), tmp_path).exists()
    hub.seen.clear()
    assert fetch(hub, tmp_path).read_bytes() == DATA
    (again,) = hub.asked("GET")
    assert int(again.headers["Range"].removeprefix("bytes=").removesuffix("-")) >= 2_000_000


@pytest.mark.fault
def test_however_often_it_is_killed_the_bytes_are_right_in_the_end(hub: Hub, tmp_path: Path) -> None:
    random = Random(11)
    for _ in range(counted(5, 60)):
        hub.cuts, hub.holds = [random.randrange(1, 600_000)], True
        process = child(hub, tmp_path)
        assert process.stdout is not None
        process.stdout.readline()  # it has begun; what it has written when the signal comes is left to chance
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        hub.hold.set()
        hub.hold.clear()
    hub.cuts, hub.holds = [], False
    assert fetch(hub, tmp_path).read_bytes() == DATA
    assert left_in(tmp_path) == ["model.gguf"]


@pytest.mark.fault
def test_two_processes_download_a_file_once(hub: Hub, tmp_path: Path) -> None:
    processes = [child(hub, tmp_path) for _ in range(3)]
    for process in processes:
        out, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert out.splitlines()[-1] == str(target(parse(NAME), tmp_path))
    assert len(hub.asked("GET")) == 1
    assert target(parse(NAME), tmp_path).read_bytes() == DATA


@pytest.mark.parametrize(
    "name",
    [
        *("hf:", "hf:owner", "hf:owner/repo", "hf:owner/repo/", "hf:../repo/x.gguf", "hf:o/r/../../x", "hf:o/r/a//b"),
        *("hf:o/r/a\nb", "hf:o/r/x?y=1", "hf:/etc/passwd/x", "hf:o/r/x@../..", "hf:o/r:Q4_0", "http://o/r/x"),
    ],
)
def test_a_name_that_is_no_file_on_the_hub_is_refused(name: str) -> None:
    with pytest.raises(ProviderMissing, match="does not name a file on the hub"):
        parse(name)


@given(st.text(max_size=60))
def test_any_name_stays_in_the_cache(text: str) -> None:
    cache = Path("/cache")
    try:
        file = parse(f"hf:{text}")
    except ProviderMissing:
        return
    path = target(file, cache)
    assert ".." not in path.parts and path.parts[:2] == ("/", "cache") and len(path.parts) >= 5
