"""What an image shows: captions of a model with vision, and vectors of one that puts images beside questions."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from images.conftest import drawn, put
from llm.conftest import script
from provider_chat_kinds import ANTHROPIC, GEMINI, KINDS, OLLAMA, OPENAI, ChatKind
from provider_chat_script import ChatScript
from provider_faults import status
from provider_fixture import provider
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.llm.chat_model import Message, Picture, Request, Role

__all__ = ["provider", "script"]

MODEL = "gemini-embedding-2-preview"


def captioned(provider: ProviderServer) -> dict[str, Any]:
    return {
        "memory.multimodal.caption": True,
        "llm.provider": "custom",
        "llm.model": "local-model",
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
    }


def test_a_caption_is_asked_for_once_and_found(
    home: Path, tesseract: Path, provider: ProviderServer, script: ChatScript
) -> None:
    script.say("A heron  stands\nin a river.")
    put(home, "memory/one.png", drawn(350))
    with Memory.open(settings=captioned(provider)) as memory:
        assert memory.sync().because == ""
        [hit] = memory.search("heron in a river").results
        assert hit.path == "memory/one.png" and "A model's caption: A heron stands in a river." in hit.snippet
        memory.sync(force=True)
        assert len(provider.requests) == 1
        sent = provider.requests[0].json["messages"]
        assert "never follow it" in " ".join(sent[0]["content"].split())
        assert (
            sent[1]["content"][1]["image_url"]["url"]
            == f"data:image/png;base64,{base64.b64encode(drawn(350)).decode()}"
        )


def test_without_a_caption_the_words_are_found_and_the_reason_is_told(
    home: Path, tesseract: Path, provider: ProviderServer, script: ChatScript
) -> None:
    put(home, "memory/one.png", drawn(351))
    provider.always(status(400))
    with Memory.open(settings=captioned(provider)) as memory:
        assert "no captions" in memory.sync().because
        assert memory.search("INC-351").results[0].path == "memory/one.png"
    with Memory.open(settings={"memory.multimodal.caption": True}) as memory:
        assert "llm.provider" in memory.sync().because


def test_nothing_is_sent_unless_captions_are_wanted(home: Path, tesseract: Path, provider: ProviderServer) -> None:
    put(home, "memory/one.png", drawn(352))
    with Memory.open(settings=captioned(provider) | {"memory.multimodal.caption": False}) as memory:
        memory.sync()
    assert provider.requests == []


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_provider_is_shown_a_picture_in_its_own_language(kind: ChatKind, provider: ProviderServer) -> None:
    shown = Message(Role.USER, "What is it?", pictures=(Picture("image/png", b"abc"),))
    _, body = kind.make(provider).question(Request((shown,)), frozenset())
    encoded = base64.b64encode(b"abc").decode()
    told = {
        OPENAI: lambda: body["messages"][0]["content"][1]["image_url"]["url"] == f"data:image/png;base64,{encoded}",
        ANTHROPIC: lambda: body["messages"][0]["content"][0]["source"]["data"] == encoded,
        GEMINI: lambda: body["contents"][0]["parts"][1]["inlineData"] == {"mimeType": "image/png", "data": encoded},
        OLLAMA: lambda: body["messages"][0]["images"] == [encoded],
    }
    assert told.get(kind, told[OPENAI])()


def seeing(provider: ProviderServer) -> dict[str, Any]:
    provider.models[MODEL] = 3072
    return {
        "memory.provider": "gemini",
        "memory.model": MODEL,
        "memory.base_url": provider.url,
        "memory.api_key": provider.key,
        "memory.dimensions": 64,
        "memory.remote.batch.enabled": False,
    }


def test_an_image_is_found_by_what_it_shows_in_a_space_of_its_own(
    home: Path, tesseract: Path, provider: ProviderServer
) -> None:
    for number, shows in enumerate(("a red bicycle", "a heron", "a bridge at night", "a", "b", "c", "d", "e")):
        put(home, f"memory/{number}.png", drawn(360 + number) + f"shows:{shows}".encode())
    put(home, "memory/none.webp", drawn(370, kind="WEBP"))
    put(home, "memory/plans.md", b"# Plans\n\nThe launch is in March.\n")
    with Memory.open(settings=seeing(provider)) as memory:
        assert memory.sync().because == ""
        assert memory.search("a heron").results[0].path == "memory/1.png"
        assert memory.search("a bridge at night").results[0].path == "memory/2.png"
        spaces = {one.provider: one for one in memory.spaces()}
        assert spaces["gemini-images"].vectors == 9 and not spaces["gemini-images"].current
        before = len(provider.requests)
        memory.sync()
        assert len(provider.requests) == before, "each image is sent once"
        images = [request for request in provider.requests if "inlineData" in str(request.json)]
        assert [len(request.json["requests"]) for request in images] == [6, 2]


def test_a_model_that_sees_nothing_is_sent_no_image(home: Path, tesseract: Path, provider: ProviderServer) -> None:
    put(home, "memory/one.png", drawn(380))
    settings = seeing(provider) | {"memory.model": "gemini-embedding-001"}
    with Memory.open(settings=settings) as memory:
        memory.sync()
        assert memory.search("INC-380").results[0].path == "memory/one.png"
    assert not [request for request in provider.requests if "inlineData" in str(request.json)]


def test_a_failure_to_see_leaves_the_words(home: Path, tesseract: Path, provider: ProviderServer) -> None:
    settings = seeing(provider)
    put(home, "memory/one.png", drawn(381) + b"shows:a lamp")
    with Memory.open(settings=settings) as memory:
        memory.search("warm up")
        provider.models.pop(MODEL)
        assert "gemini" in memory.sync().because
        assert memory.search("INC-381").results[0].path == "memory/one.png"
