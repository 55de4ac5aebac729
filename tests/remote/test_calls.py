from __future__ import annotations

import logging
import threading
import tracemalloc
from collections.abc import Iterator

import pytest
from provider_exchange import Ask, Reply
from provider_faults import BOMB, DRIP, EMPTY, HANG, HEADER_DRIP, HTML, HUGE, NAN, REDIRECT, RESET, TRUNCATED, Fault
from provider_faults import status as answer
from provider_server import ProviderServer, closed_port

from holdfast.errors import BadAnswer, ProviderFailed, ProviderRefused, ProviderTooLarge
from holdfast.remote.attempt import Upload
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy

QUICK = Policy(total=0.15)
BODY = {"model": "tiny", "input": ["a", "b"]}


class Waits(list[float]):
    """Instead of sleeping: how long was asked for."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def caller(provider: ProviderServer, waits: Waits) -> Iterator[Caller]:
    headers = {"Authorization": f"Bearer {provider.key}"}
    with Caller("openai", headers=headers, sleep=waits, random=lambda: 0.5) as made:
        yield made


def ask(caller: Caller, provider: ProviderServer, seconds: float | None = None) -> object:
    return caller.send("POST", f"{provider.url}/v1/embeddings", json=BODY, deadline=caller.deadline(seconds))


def test_an_answer_is_its_json(caller: Caller, provider: ProviderServer) -> None:
    found = ask(caller, provider)
    assert isinstance(found, dict) and len(found["data"]) == 2
    (seen,) = provider.requests
    assert seen.json == BODY
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_not_now_is_asked_three_times_with_waits_between(
    code: int, caller: Caller, provider: ProviderServer, waits: Waits
) -> None:
    provider.always(answer(code))
    with pytest.raises(ProviderFailed, match=rf"HTTP {code}.*told to fail.*tried 3 times") as caught:
        ask(caller, provider)
    assert type(caught.value) is ProviderFailed
    assert (len(provider.requests), waits) == (3, [0.25, 0.5])


@pytest.mark.parametrize("code", [400, 401, 403, 404, 405, 409, 422, 501])
def test_no_is_asked_once(code: int, caller: Caller, provider: ProviderServer, waits: Waits) -> None:
    provider.always(answer(code))
    with pytest.raises(ProviderRefused, match=f"HTTP {code}"):
        ask(caller, provider)
    assert (len(provider.requests), waits) == (1, [])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (413, "no words of it"),
        (400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"),
        (400, "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch"),
        (400, "Requested 350000 tokens, max 300000 tokens per request"),
        (400, "Request payload size exceeds the limit: 36000 bytes."),
        (
            400,
            '{"error":{"code":400,"message":"request (2622 tokens) exceeds the available context size (512 tokens)"}}',
        ),
        (422, "batch size 64 > maximum allowed batch size 32"),
        (500, "input (600 tokens) is too large to process. increase the physical batch size"),
    ],
)
def test_too_much_at_once_is_told_apart(code: int, said: str, caller: Caller, provider: ProviderServer) -> None:
    provider.script(answer(code, said))
    with pytest.raises(ProviderTooLarge):
        ask(caller, provider)


def test_an_empty_account_is_not_asked_again(caller: Caller, provider: ProviderServer) -> None:
    provider.always(answer(429, "You exceeded your current quota (insufficient_quota)."))
    with pytest.raises(ProviderRefused, match="quota"):
        ask(caller, provider)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(("after", "waited"), [("0", 0.25), ("3", 3.25), ("soon", 0.25), ("-1", 0.25), ("30", 30.25)])
def test_retry_after_is_honoured_and_a_broken_one_ignored(
    after: str, waited: float, caller: Caller, provider: ProviderServer, waits: Waits
) -> None:
    provider.script(answer(429, Retry_After=after))
    ask(caller, provider)
    assert (len(provider.requests), waits) == (2, [waited])


def test_retry_after_may_be_a_date(caller: Caller, provider: ProviderServer, waits: Waits) -> None:
    provider.script(answer(503, Retry_After="Fri, 01 May 2099 12:00:00 GMT"))
    with pytest.raises(ProviderFailed, match=r"asks to wait [0-9,]+ minutes"):
        ask(caller, provider)
    assert waits == []


@pytest.mark.parametrize(("after", "spoken"), [("31", "31 s"), ("86400", "1,440 minutes"), ("9" * 5000, "minutes")])
def test_a_wait_longer_than_the_cap_fails_at_once_and_says_how_long(
    after: str, spoken: str, caller: Caller, provider: ProviderServer, waits: Waits
) -> None:
    provider.always(answer(429, Retry_After=after))
    with pytest.raises(ProviderFailed, match=f"asks to wait .*{spoken}"):
        ask(caller, provider)
    assert (len(provider.requests), waits) == (1, [])


def test_a_wait_past_the_deadline_fails_at_once(caller: Caller, provider: ProviderServer, waits: Waits) -> None:
    provider.always(answer(429, Retry_After="5"))
    with pytest.raises(ProviderFailed, match="asks to wait 5 s"):
        ask(caller, provider, seconds=4.0)
    assert (len(provider.requests), waits) == (1, [])


@pytest.mark.parametrize("fault", [HANG, DRIP, HEADER_DRIP], ids=str)
def test_a_slow_provider_is_left_at_the_deadline(fault: Fault, caller: Caller, provider: ProviderServer) -> None:
    provider.always(fault)
    with pytest.raises(ProviderFailed, match=r"within 0\.15 s|no time was left of 0\.15 s|in time") as caught:
        ask(caller, provider, seconds=0.15)
    assert type(caught.value) is ProviderFailed
    assert len(provider.requests) <= 1


def test_a_slow_provider_is_left_also_on_a_connection_that_was_used_before(
    caller: Caller, provider: ProviderServer
) -> None:
    ask(caller, provider)
    provider.script(HEADER_DRIP)
    with pytest.raises(ProviderFailed):
        ask(caller, provider, seconds=0.15)
    ask(caller, provider)


def test_a_read_that_times_out_is_tried_again(provider: ProviderServer, waits: Waits) -> None:
    provider.always(HANG)
    impatient = Caller("openai", policy=Policy(read=0.05), sleep=waits)
    with impatient as caller, pytest.raises(ProviderFailed, match=r"no answer in time .*tried 3 times"):
        ask(caller, provider)
    assert len(waits) == 2


def test_a_connection_that_breaks_off_is_tried_again(caller: Caller, provider: ProviderServer, waits: Waits) -> None:
    provider.script(RESET)
    ask(caller, provider)
    assert (len(provider.requests), len(waits)) == (2, 1)
    provider.always(RESET)
    with pytest.raises(ProviderFailed, match="broke off"):
        ask(caller, provider)


def test_a_closed_port_is_tried_again_and_then_said(caller: Caller, waits: Waits) -> None:
    with pytest.raises(ProviderFailed, match=r"no connection .*refused.*tried 3 times"):
        caller.send("GET", f"http://127.0.0.1:{closed_port()}/v1/models")
    assert len(waits) == 2


def test_tls_is_spoken_where_the_address_says_so(caller: Caller, provider: ProviderServer) -> None:
    with pytest.raises(ProviderFailed, match="no connection"):
        caller.send("GET", provider.url.replace("http://", "https://"))
    assert provider.requests == []


@pytest.mark.parametrize("fault", [TRUNCATED, HTML, EMPTY, NAN], ids=str)
def test_what_is_not_json_is_refused_once(fault: Fault, caller: Caller, provider: ProviderServer) -> None:
    provider.always(fault)
    with pytest.raises(BadAnswer, match=r"not JSON|empty body"):
        ask(caller, provider)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("body", [b"[" * 100_000, b"1" * 5_000, b"\xff\xfe[]", b'{"a": Infinity}', b'"\\ud800'])
def test_hostile_json_is_a_bad_answer_and_nothing_worse(body: bytes, caller: Caller, provider: ProviderServer) -> None:
    def odd(_: Ask) -> Reply:
        return Reply(body)

    provider.add([("GET", "/odd", odd)])
    with pytest.raises(BadAnswer, match="not JSON"):
        caller.send("GET", f"{provider.url}/odd")


def test_a_body_of_100_mb_is_not_read_to_its_end(provider: ProviderServer) -> None:
    provider.always(HUGE)
    with (
        Caller("openai", policy=Policy(body=1024 * 1024)) as caller,
        pytest.raises(BadAnswer, match="longer than 1,048"),
    ):
        ask(caller, provider)
    assert len(provider.requests) == 1
    assert provider.sent < 100 * 1024 * 1024


def test_a_bomb_is_measured_unpacked_and_never_held(provider: ProviderServer) -> None:
    provider.always(BOMB)
    with Caller("openai", policy=Policy(body=1024 * 1024)) as caller:
        with pytest.raises(BadAnswer, match="longer than"):
            ask(caller, provider)  # once before, so that imports are not measured
        tracemalloc.start()
        with pytest.raises(BadAnswer, match="longer than"):
            ask(caller, provider)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


def test_the_limit_is_on_the_whole_body_and_can_be_raised_for_one_call(
    caller: Caller, provider: ProviderServer
) -> None:
    provider.add([("GET", "/file", lambda _: Reply(b"x" * 1000, media_type="text/plain"))])
    assert len(caller.fetch("GET", f"{provider.url}/file", limit=1000).body) == 1000
    with pytest.raises(BadAnswer, match="longer than 999 bytes"):
        caller.fetch("GET", f"{provider.url}/file", limit=999)


@pytest.mark.promise("P12")
def test_a_redirect_is_not_followed_and_shown_without_the_key(caller: Caller, provider: ProviderServer) -> None:
    provider.always(REDIRECT)
    with pytest.raises(ProviderRefused, match=r"redirects to .*/elsewhere, which is not followed") as caught:
        ask(caller, provider)
    assert provider.key not in str(caught.value)
    assert len(provider.requests) == 1


def test_what_creates_something_is_sent_again_only_when_it_surely_did_nothing(
    caller: Caller, provider: ProviderServer
) -> None:
    url = f"{provider.url}/v1/embeddings"
    provider.script(answer(429), None)
    caller.send("POST", url, json=BODY, repeatable=False)
    assert len(provider.requests) == 2
    for fault in (answer(500), RESET):
        provider.reset()
        provider.script(fault)
        with pytest.raises(ProviderFailed):
            caller.send("POST", url, json=BODY, repeatable=False)
        assert len(provider.requests) == 1


def test_a_file_is_uploaded_as_a_form_and_another_comes_back_as_it_is(caller: Caller, provider: ProviderServer) -> None:
    def keep(ask: Ask) -> Reply:
        return Reply({"type": ask.seen.headers["content-type"], "body": ask.seen.body.decode()})

    provider.add([("POST", "/v1/files", keep), ("GET", "/v1/files/1/content", lambda _: Reply(b"a\nb\n"))])
    upload = Upload("in.jsonl", b'{"custom_id": "1"}\n', fields={"purpose": "batch"})
    found = caller.send("POST", f"{provider.url}/v1/files", upload=upload, repeatable=False)
    assert found["type"].startswith("multipart/form-data; boundary=")
    assert 'name="purpose"' in found["body"] and 'filename="in.jsonl"' in found["body"]
    assert '{"custom_id": "1"}\n' in found["body"]
    answered = caller.fetch("GET", f"{provider.url}/v1/files/1/content")
    assert (answered.status, answered.body) == (200, b"a\nb\n")
    assert answered.headers["content-type"] == "application/json"


def test_text_that_is_no_utf_8_is_sent_all_the_same(caller: Caller, provider: ProviderServer) -> None:
    caller.send("POST", f"{provider.url}/v1/embeddings", json={"model": "tiny", "input": ["a \ud800 b"]})
    assert provider.requests[0].json["input"] == ["a ? b"]


def test_threads_share_a_caller_and_get_their_own_answers(caller: Caller, provider: ProviderServer) -> None:
    found: dict[int, object] = {}

    def work(number: int) -> None:
        for _ in range(5):
            body = {"model": "tiny", "input": [str(number)] * (number + 1)}
            found[number] = len(caller.send("POST", f"{provider.url}/v1/embeddings", json=body)["data"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number + 1 for number in range(8)}


def test_a_closed_caller_opens_again(caller: Caller, provider: ProviderServer) -> None:
    ask(caller, provider)
    caller.close()
    caller.close()
    ask(caller, provider)


def test_our_own_machine_is_reached_without_the_proxy_and_a_broken_proxy_is_said(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://me:hunter2@127.0.0.1:{closed_port()}")
    with Caller("openai", headers={"Authorization": f"Bearer {provider.key}"}) as caller:
        ask(caller, provider)
    monkeypatch.setenv("HTTP_PROXY", "gopher://me:hunter2@proxy")
    with Caller("openai") as caller, pytest.raises(ProviderRefused, match="HTTP_PROXY") as caught:
        ask(caller, provider)
    assert "hunter2" not in str(caught.value)


def test_the_world_outside_is_reached_through_the_proxy(
    provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", provider.url)
    with Caller("openai") as caller, pytest.raises(ProviderRefused, match="404"):
        caller.send("GET", "http://provider.invalid/v1/nothing")
    assert provider.requests[0].path == "http://provider.invalid/v1/nothing"


@pytest.mark.promise("P12")
@pytest.mark.parametrize("key", ["sk-line\nbreak-in-the-key", "sk-snowman-☃-in-it", "sk-bell\x07in-it"])
def test_a_key_that_can_not_be_sent_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ProviderRefused, match="'Authorization'") as caught:
        Caller("openai", headers={"Authorization": f"Bearer {key}"})
    assert "sk-" not in str(caught.value)


@pytest.mark.promise("P12")
def test_neither_log_nor_repr_nor_error_holds_the_key(
    provider: ProviderServer, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    query = f"{provider.url}/v1/embeddings?key={provider.key}"
    headers = {"Authorization": f"Bearer {provider.key}"}
    faults = [None, HANG, REDIRECT, HTML, RESET, TRUNCATED, answer(400), answer(401), answer(500)]
    shown = []
    with Caller("openai", headers=headers, sleep=Waits(), policy=QUICK) as caller:
        shown.append(repr(caller))
        for fault in faults:
            provider.reset()
            provider.always(fault)
            try:
                caller.send("POST", query, json=BODY)
            except ProviderFailed as error:
                shown += [str(error), repr(error), repr(error.__cause__), repr(error.__context__), repr(vars(error))]
    out, err = capfd.readouterr()
    everything = "\n".join([*shown, caplog.text, out, err])
    assert provider.key not in everything
    assert provider.key[:12] not in everything
    assert len(shown) == 1 + 5 * (len(faults) - 1)


def test_others_who_use_the_same_library_keep_their_log(
    caller: Caller, provider: ProviderServer, caplog: pytest.LogCaptureFixture
) -> None:
    import httpx2

    caplog.set_level(logging.INFO)
    ask(caller, provider)
    assert caplog.records == []
    httpx2.get(f"{provider.url}/api/version")
    assert "/api/version" in caplog.text
