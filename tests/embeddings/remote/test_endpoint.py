from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.remote.endpoint import Endpoint, is_near, ollama_endpoint, openai_endpoint, plain_endpoint
from holdfast.errors import ProviderRefused

PLACES = st.sampled_from(["a.example", "https://a.example", "http://10.0.0.7:8080", "[::1]:9", "host", "ollama.com"])
PATHS = st.sampled_from(["", "/", "/v1", "/v1/", "/v1/embeddings", "/api", "/api/embed", "/proxy/v2beta", "/openai"])


@pytest.mark.parametrize(
    ("written", "url", "name"),
    [
        ("https://api.x.ai", "https://api.x.ai/v1/embeddings", "https://api.x.ai/v1"),
        ("api.x.ai", "https://api.x.ai/v1/embeddings", "https://api.x.ai/v1"),
        ("HTTPS://API.x.ai:443/v1/", "https://API.x.ai:443/v1/embeddings", "https://api.x.ai/v1"),
        ("https://api.x.ai/v1/embeddings", "https://api.x.ai/v1/embeddings", "https://api.x.ai/v1"),
        ("localhost:8000", "http://localhost:8000/v1/embeddings", "http://127.0.0.1:8000/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1/embeddings", "http://127.0.0.1:11434/v1"),
        ("https://r.ai/api/v1", "https://r.ai/api/v1/embeddings", "https://r.ai/api/v1"),
        ("https://g.com/v1beta/openai/", "https://g.com/v1beta/openai/embeddings", "https://g.com/v1beta/openai"),
        ("https://g.com/proxy", "https://g.com/proxy/v1/embeddings", "https://g.com/proxy/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1/embeddings", "http://[::1]/v1"),
        (
            "https://me:word@az.com/openai/deployments/e/embeddings?api-version=2024-10-21#top",
            "https://me:word@az.com/openai/deployments/e/embeddings?api-version=2024-10-21",
            "https://az.com/openai/deployments/e",
        ),
    ],
)
def test_every_way_to_write_a_place_leads_there(written: str, url: str, name: str) -> None:
    assert openai_endpoint("custom", written) == Endpoint(url, name)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("", "http://127.0.0.1:11434"),
        ("  '0.0.0.0' ", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        (":56789", "http://127.0.0.1:56789"),
        ("example.lan", "http://example.lan:11434"),
        ("example.lan:", "http://example.lan:11434"),
        ("example.lan:66000", "http://example.lan:11434"),
        ("example.lan:x", "http://example.lan:11434"),
        ("example.lan:1234/ollama/", "http://example.lan:1234/ollama"),
        ("http://example.lan", "http://example.lan"),
        ("https://example.com", "https://example.com"),
        ("https://example.com:11434/", "https://example.com:11434"),
        ("http://localhost:11434/v1", "http://127.0.0.1:11434"),
        ("http://localhost:11434/api/embed", "http://127.0.0.1:11434"),
        ("[::]:1", "http://[::1]:1"),
        ("[::1]", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
        ("ollama.com", "https://ollama.com"),
    ],
)
def test_every_form_of_ollama_host_is_understood(written: str, name: str) -> None:
    found = ollama_endpoint("ollama", written)
    assert found.name == name
    assert found.url.endswith("/api/embed")


@pytest.mark.parametrize(
    "written", ["ftp://x", "file:///etc/passwd", "http://", "http://[", "https://a b", "://", "x:y:z"]
)
def test_what_is_no_place_is_refused(written: str) -> None:
    with pytest.raises(ProviderRefused, match=r"memory\.base_url"):
        openai_endpoint("custom", written)


@pytest.mark.promise("P12")
@pytest.mark.parametrize("written", ["http://api.x.ai", "http://8.8.8.8/v1", "http://me:hunter2@api.x.ai"])
def test_a_key_is_not_sent_in_the_clear_across_the_world(written: str) -> None:
    for read in (openai_endpoint, ollama_endpoint, plain_endpoint):
        with pytest.raises(ProviderRefused, match="use https") as caught:
            read("custom", written, secret=True)
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "host", ["localhost", "nas.local", "ollama", "10.1.2.3", "192.168.0.9", "fe80::1", "100.64.0.1"]
)
def test_near_hosts_may_be_asked_over_plain_http(host: str) -> None:
    assert is_near(host)
    shown = f"[{host}]" if ":" in host else host
    assert openai_endpoint("custom", f"http://{shown}:1/v1", secret=True)


def test_without_a_key_the_owner_decides() -> None:
    assert openai_endpoint("custom", "http://api.x.ai").name == "http://api.x.ai/v1"


@given(PLACES, PATHS)
def test_the_name_of_a_place_is_that_of_its_name(place: str, path: str) -> None:
    for read in (openai_endpoint, ollama_endpoint, plain_endpoint):
        found = read("custom", place + path)
        assert read("custom", found.name).name == found.name
        assert read("custom", found.url).name == found.name


@given(st.text())
def test_any_text_is_a_place_or_a_refusal(text: str) -> None:
    for read in (openai_endpoint, ollama_endpoint, plain_endpoint):
        try:
            found = read("custom", text)
        except ProviderRefused:
            continue
        assert found.url.startswith(("http://", "https://"))
        assert "@" not in found.name.partition("://")[2].partition("/")[0] and "?" not in found.name
