"""`holdfast serve` as a process: where it is found, how it ends, and whom it refuses to serve."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from commandline import SCRIPT, holdfast
from surfaces.http.serving import begun, environment, served
from surfaces.http.test_events import Line

from holdfast.errors import BadArgument
from holdfast.settings.home_path import SERVER_FILE
from holdfast.settings.installation import install_advice
from holdfast.surfaces.http.http_server import ServerOptions, bound
from holdfast.surfaces.http.server_file import RunningServer, announce_server, running_server
from holdfast.surfaces.http.token import token_of


def test_it_tells_where_it_is_and_takes_that_back_at_its_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home) as web:
        told = running_server(str(home))
        assert told is not None
        assert (told.url, told.pid, told.agent) == (web.url, web.process.pid, "main")
        for name in ("server.json", "token"):
            assert stat.S_IMODE((home / "state" / name).stat().st_mode) == 0o600
    assert running_server(str(home)) is None
    assert not (home / SERVER_FILE).exists()


def test_where_it_can_not_be_named_it_serves_all_the_same_and_says_so(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / SERVER_FILE).mkdir(parents=True)  # as on a full disk or a read-only one, where root may write no more
    web = begun(home)
    assert web.call("GET", "/api/v1/status").status == 200
    status, said = web.stop()
    assert (status, "Traceback" in said) == (0, False)
    assert "the server runs, and `holdfast ui` and hooks do not find it" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    web = begun(tmp_path / "home")
    line = Line(web)
    web.call("PUT", "/api/v1/notes/memory/last.md", {"content": "written before the end"})
    web.process.send_signal(number)
    while line.answer.readline():
        pass  # the line of events ends by itself
    line.close()
    _, told = web.process.communicate(timeout=30)
    assert (web.process.returncode, told) == (0, b"")
    assert running_server(str(tmp_path / "home")) is None
    assert "written before the end" in (tmp_path / "home" / "memory" / "last.md").read_text()


def test_under_nohup_it_outlives_its_terminal(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does, for whatever it starts
    try:
        web = begun(tmp_path / "home", python=sys.executable)
    finally:
        signal.signal(signal.SIGHUP, before)
    web.process.send_signal(signal.SIGHUP)
    assert web.call("GET", "/health").status == 200
    assert web.stop()[0] == 0


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    web = begun(tmp_path / "home", python=sys.executable)
    line = Line(web)
    for _ in range(400):  # at whatever moment they come, in the middle of one before it too
        web.process.send_signal(signal.SIGTERM)
    line.close()
    try:
        _, told = web.process.communicate(timeout=30)
    finally:
        web.process.kill()
    assert (web.process.returncode, b"Traceback" in told) == (0, False), told
    assert running_server(str(tmp_path / "home")) is None


def test_a_request_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    notes = tmp_path / "home" / "memory"
    notes.mkdir(parents=True)
    for number in range(15):  # on a busy machine, too, all are indexed before a server gives up waiting
        (notes / f"{number}.md").write_text(f"# Note {number}\n\nWords of note {number}.\n")
    web = begun(tmp_path / "home", "--no-watch")
    statuses: list[int] = []
    asked = threading.Event()

    def ask() -> None:
        line = web.line()
        line.request("POST", "/api/v1/sync", b'{"force":true}', {**bearing, "Content-Type": "application/json"})
        asked.set()
        statuses.append(line.getresponse().status)
        line.close()

    bearing = {"Authorization": f"Bearer {web.token}"}
    thread = threading.Thread(target=ask)
    thread.start()
    asked.wait(10)
    web.call("GET", "/health")  # whoever comes after it is in: so is it
    status, err = web.stop()
    thread.join(30)
    assert web.process.stdout is not None
    web.process.stdout.close()
    assert (status, statuses) == (0, [200]), err


def test_a_second_server_on_the_same_port_says_whose_it_is(tmp_path: Path) -> None:
    with served(tmp_path / "home") as web:
        ran = holdfast("serve", "--port", str(web.port), "--home", str(tmp_path / "home"))
        assert ran.status == 2
        assert f"{web.port} is in use by the Holdfast server of this home" in ran.err
        (tmp_path / "elsewhere").mkdir()
        other = holdfast("serve", "--port", str(web.port), "--home", str(tmp_path / "elsewhere"))
        assert other.status == 2 and "in use by a program" in other.err
        assert not any((tmp_path / "elsewhere").iterdir())
        assert running_server(str(tmp_path / "home")) is not None


def test_two_servers_of_one_home_share_it(tmp_path: Path) -> None:
    with served(tmp_path / "home") as first, served(tmp_path / "home") as second:
        assert first.token == second.token
        first.call("PUT", "/api/v1/notes/memory/shared.md", {"content": "from the first"})
        assert "from the first" in second.call("GET", "/api/v1/notes/memory/shared.md").json["text"]
        told = running_server(str(tmp_path / "home"))
        assert told is not None and told.pid == first.process.pid


def test_when_the_first_server_ends_another_takes_its_place(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    look = threading.Event()
    first, second = (RunningServer(f"http://127.0.0.1:{port}", os.getpid()) for port in (1, 2))
    with ExitStack() as held:
        leaving = held.enter_context(ExitStack())
        leaving.enter_context(announce_server(home, first))
        held.enter_context(announce_server(home, second, every=0.01))
        told = running_server(home)
        assert told is not None and told.url == first.url
        leaving.close()
        for _ in range(1000):
            told = running_server(home)
            if told is not None:
                break
            look.wait(0.01)
        assert told is not None and told.url == second.url
    assert not (tmp_path / "home" / SERVER_FILE).exists()


def test_a_server_whose_place_was_never_free_ends_in_order(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    told = RunningServer("http://127.0.0.1:1", os.getpid())
    with announce_server(home, told):
        with announce_server(home, told._replace(url="http://127.0.0.1:2"), every=3600):
            pass
        assert (found := running_server(home)) is not None and found.url == told.url


def test_a_token_that_others_could_read_is_made_its_owners_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "home"
    token = token_of(str(home))
    assert token is not None and not caplog.messages
    (home / "state" / "token").chmod(0o644)
    assert token_of(str(home), make=False) == token
    assert stat.S_IMODE((home / "state" / "token").stat().st_mode) == 0o600
    (said,) = caplog.messages
    assert "state/token had mode 0644" in said and token not in said
    assert token_of(str(home)) == token and len(caplog.messages) == 1


def test_half_a_body_keeps_no_server_from_its_end(tmp_path: Path) -> None:
    web = begun(tmp_path / "home")
    with socket.create_connection((web.host, web.port), timeout=30) as line:
        head = f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer {web.token}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
        web.call("GET", "/health")  # whoever comes after it is in: so is it
        web.process.send_signal(signal.SIGTERM)
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    _, told = web.process.communicate(timeout=30)
    assert (web.process.returncode, told) == (0, b"")  # nothing was cut off, so nothing is said
    assert answer.startswith(b"HTTP/1.1 503 ") and b"The server is ending" in answer


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])
def test_other_machines_are_let_in_only_on_the_owners_word(host: str) -> None:
    ran = holdfast("serve", "--host", host)
    assert ran.status == 2
    assert "--allow-remote" in ran.err and "not encrypted" in ran.err


def test_a_team_without_a_database_or_with_room_for_nobody_is_refused() -> None:
    unnamed = holdfast("serve", "--database", "-")
    assert unnamed.status == 2 and "name the database, postgresql://USER@HOST/NAME" in unnamed.err
    none = holdfast("serve", "--database", "postgresql://me@127.0.0.1:1/none", "--tenants", "0")
    assert none.status == 2 and "at least one tenant" in none.err
    for size in ("nan", "inf", "-1"):
        endless = holdfast("serve", "--database", "postgresql://holdfast@localhost/none", f"--cache-gb={size}")
        assert endless.status == 2 and "a cache of 0 GB or more" in endless.err


def test_a_port_that_can_not_be_is_an_error() -> None:
    for port in ("70000", "-1"):
        ran = holdfast("serve", "--port", port)
        assert ran.status == 2 and "Traceback" not in ran.err, port


def test_the_socket_is_one_that_answers_without_delay() -> None:
    with bound(ServerOptions(port=0)) as made:
        assert made.proto == socket.IPPROTO_TCP  # what asyncio asks before it switches Nagle's algorithm off
    with pytest.raises(BadArgument):
        bound(ServerOptions(host="127.0.0.1", port=65536))


def test_neither_the_token_nor_a_word_is_in_what_it_prints(tmp_path: Path) -> None:
    web = begun(tmp_path / "home")
    web.call("POST", "/api/v1/search", {"query": "a-question-nobody-should-see"})
    web.send("GET", "/api/v1/notes?x=secret-in-a-query", headers={"Authorization": "Bearer wrong-token-of-somebody"})
    token = web.token
    status, err = web.stop()
    assert web.process.stdout is not None
    out = web.process.stdout.read().decode() if not web.process.stdout.closed else ""
    web.process.stdout.close()
    assert status == 0
    for word in (token, "a-question-nobody", "secret-in-a-query", "wrong-token"):
        assert word not in out + err


def test_the_token_is_made_once_however_many_ask(tmp_path: Path) -> None:
    found: set[str | None] = set()
    threads = [threading.Thread(target=lambda: found.add(token_of(str(tmp_path / "home")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1 and len(found.pop() or "") == 43
    assert token_of(str(tmp_path / "other"), make=False) is None


def test_a_token_of_the_environment_is_taken_and_a_bad_one_refused_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_TOKEN", "a-token-that-is-long-enough")
    assert token_of(str(tmp_path / "home")) == "a-token-that-is-long-enough"
    assert not (tmp_path / "home").exists()
    for bad in ("", "short", "has spaces in it, and is long", "ä" * 30):
        monkeypatch.setenv("HOLDFAST_TOKEN", bad)
        with pytest.raises(BadArgument) as refused:
            token_of(str(tmp_path / "home"))
        assert not bad or bad not in str(refused.value)


@pytest.mark.parametrize(
    "left",
    [
        b"",
        b"{",
        b"[]",
        b'{"url":"http://127.0.0.1:1","pid":0}',
        b'{"url":"http://127.0.0.1:1","pid":true}',
        b'{"url":"ftp://x","pid":1}',
        b'{"url":"http://127.0.0.1:1","pid":99999999999999999999}',
        b"\xff" * 10_000,
        b'{"url":"http://127.0.0.1:1","pid":1}',  # a process that runs, and is no server
    ],
)
def test_what_a_dead_server_left_behind_is_no_server(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "home" / "state").mkdir(parents=True)
    (tmp_path / "home" / SERVER_FILE).write_bytes(left)
    assert running_server(str(tmp_path / "home")) is None


def test_a_killed_server_is_recognised_and_its_place_taken(tmp_path: Path) -> None:
    web = begun(tmp_path / "home")
    web.process.kill()
    web.process.communicate(timeout=10)
    assert (tmp_path / "home" / SERVER_FILE).exists()
    assert running_server(str(tmp_path / "home")) is None
    with announce_server(str(tmp_path / "home"), RunningServer("http://127.0.0.1:1", os.getpid())):
        told = running_server(str(tmp_path / "home"))
        assert told is not None and told.pid == os.getpid()
    assert not (tmp_path / "home" / SERVER_FILE).exists()


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = (
        "import sys\n"
        "class Hide:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('uvicorn', 'starlette', 'mcp'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hide())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", hidden + SCRIPT, "serve", "--json"],
        capture_output=True,
        timeout=60,
        env=environment(tmp_path / "home"),
    )
    told = json.loads(ran.stderr)["error"]
    assert (ran.returncode, told["type"]) == (15, "ExtraMissing")
    assert install_advice("server") in told["message"] and "provider" not in told["message"]
    assert not (tmp_path / "home").exists()
