"""No secret of a note or a question goes to a provider, however it came into the note (P12)."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
from guard.secret_corpus import ALNUM, Maker
from provider_server import ProviderServer
from providers.scenes import notes, opened, texts_sent

from holdfast.errors import SecretFound

pytestmark = pytest.mark.promise("P12")


def _token(seed: int = 1) -> str:
    return "gh" + "p_" + Maker(seed).draw(ALNUM, 36)


def _wire(provider: ProviderServer) -> str:
    return "\n".join(
        seen.body.decode() + str(dict(seen.headers)) + seen.path + seen.query for seen in provider.requests
    )


@pytest.mark.row("T18")
@pytest.mark.row("secrets")
def test_a_secret_that_an_editor_wrote_into_a_note_is_taken_out_before_it_is_sent(
    home: Path, provider: ProviderServer
) -> None:
    token = _token()
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "deploy.md").write_text(f"The deploy token is {token} until June.\n", encoding="utf-8")
    with opened(home, provider) as memory:
        assert memory.sync().pending == 0
        assert memory.search("deploy token").results[0].path == "memory/deploy.md"
        assert token in memory.get("memory/deploy.md").text, "the note itself is the owner's"
        memory.sync(force=True)
    assert token not in _wire(provider)
    assert "The deploy token is [redacted: GitHub token] until June." in texts_sent(provider)


@pytest.mark.row("T18")
@pytest.mark.row("secrets")
def test_a_secret_in_a_question_is_taken_out_before_it_is_sent(home: Path, provider: ProviderServer) -> None:
    token = _token(2)
    notes(home, 2)
    with opened(home, provider) as memory:
        memory.sync()
        found = memory.search(f"what is {token} for?")
        assert found.query == f"what is {token} for?"
    assert token not in _wire(provider)
    assert texts_sent(provider)[-1] == "what is [redacted: GitHub token] for?"


@pytest.mark.row("T18")
@pytest.mark.row("secrets")
def test_what_is_saved_is_refused_redacted_or_allowed_as_the_settings_say_and_sent_in_no_case(
    home: Path, provider: ProviderServer
) -> None:
    token = _token(3)
    with opened(home, provider) as memory:
        with pytest.raises(SecretFound) as caught:
            memory.save(f"The token is {token}.", file="memory/refused.md")
        assert token not in str(caught.value)
        assert provider.requests == []
    with opened(home, provider, secrets="redact") as memory:
        memory.save(f"The token is {token}.", file="memory/redacted.md")
    assert (home / "memory" / "redacted.md").read_text(encoding="utf-8") == "The token is [redacted: GitHub token].\n"
    with opened(home, provider, secrets="allow") as memory:
        memory.save(f"The allowed token is {token}.", file="memory/allowed.md")
        memory.search(f"allowed {token}")
    assert token in (home / "memory" / "allowed.md").read_text(encoding="utf-8")
    assert token not in _wire(provider)
    assert "The allowed token is [redacted: GitHub token]." in texts_sent(provider)


@pytest.mark.row("T18")
@pytest.mark.row("secrets")
@pytest.mark.parametrize("gap", ["\n", "\\n", "\n> "], ids=["lines", "JSON", "quoted"])
@pytest.mark.parametrize("size", [2_048, 4_096, 8_192])
def test_a_private_key_longer_than_a_chunk_is_not_sent_in_pieces(
    size: int, gap: str, home: Path, provider: ProviderServer
) -> None:
    body = base64.b64encode(random.Random(size).randbytes(size)).decode()
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    armour = "PRIVATE " + "KEY-----"
    key = gap.join([f"-----BEGIN RSA {armour}", *lines, f"-----END RSA {armour}"])
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "host.md").write_text(f"# Host\n\nIts key:\n\n```\n{key}\n```\n\nKeep it.\n", encoding="utf-8")
    with opened(home, provider) as memory:
        assert memory.sync().pending == 0
    sent = _wire(provider)
    assert [line for line in lines if line in sent] == []


def test_a_secret_does_not_reach_a_spare_provider_either(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from provider_faults import status

    token = _token(4)
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "deploy.md").write_text(f"The deploy token is {token}.\n", encoding="utf-8")
    monkeypatch.setenv("OLLAMA_HOST", provider.url)
    provider.always(status(401), on="/v1/.*")
    with opened(home, provider, fallback="ollama") as memory:
        memory.sync()
        assert memory.search(f"deploy {token}").provider == "ollama"
    assert "search_document: The deploy token is [redacted: GitHub token]." in texts_sent(provider)
    assert token not in _wire(provider)
