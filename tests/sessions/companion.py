"""A model at the test server that talks as a real one would: it saves when asked to, and answers from what it is told.

Nothing is counted out: what it says depends on the request alone, so a process may be killed and another go on.
"""

from __future__ import annotations

import re
from typing import Any

import provider_chat_openai
from provider_chat_script import ChatScript, Heard, Said
from provider_exchange import Ask, Reply, Route
from provider_server import ProviderServer

__all__ = ["Companion", "settings_for"]

_REMEMBER = re.compile(r"Please remember: (.*)")
_ASKED = re.compile(r"What is the code of project (\w+)\?|Where does my sister (\w+) live\?")
_NUMBER = re.compile(r"\bturn (\d+)\b")


class Companion(ChatScript):
    """`flushes` are the silent turns that it was asked for, by the number of the last turn it was shown."""

    def __init__(self, server: ProviderServer) -> None:
        super().__init__()
        self.flushes: list[str] = []
        self.asked = 0
        self._body: dict[str, Any] = {}
        (method, path, route), *others = provider_chat_openai.routes(self)
        server.add([(method, path, self._read_first(route)), *others])

    def _read_first(self, route: Route) -> Route:
        def answer(ask: Ask) -> Reply:
            self._body = ask.json
            return route(ask)

        return answer

    def next(self, heard: Heard) -> Said:
        """A scripted line if there is one, else what fits."""
        self.asked += 1
        if self._lines:
            return super().next(heard)
        messages = self._body["messages"]
        result = str(messages[-1]["content"]) if messages[-1]["role"] == "tool" else ""
        if list(heard.tools) == ["write_file"]:
            return self._flush(str(messages[-1 if not result else 1]["content"]), bool(result))
        if result:
            return self._after(heard.text, result)
        if found := _REMEMBER.search(heard.text):
            given = {"content": f"- {found[1]}", "file": "memory/projects.md"}
            return Said("I write that down. ", calls=(("memory_save", given),))
        if found := _ASKED.search(heard.text):
            known = self._known(found[1] or found[2], str(messages[0]["content"]))
            return Said(known) if known else Said(calls=(("memory_search", {"query": heard.text}),))
        return Said(f"I see. You said: {heard.text[:60]}")

    def _flush(self, shown: str, written: bool) -> Said:
        if written:
            return Said("NO_REPLY")
        last = max(_NUMBER.findall(shown), key=int)
        self.flushes.append(last)
        given = {"path": "memory/YYYY-MM-DD.md", "content": f"- Talked until turn {last}."}
        return Said(calls=(("write_file", given),))

    def _after(self, text: str, result: str) -> Said:
        if found := _ASKED.search(text):
            return Said(self._known(found[1] or found[2], result) or "I looked and found nothing.")
        return Said("Saved.")

    def _known(self, name: str, told: str) -> str:
        found = re.search(rf"{name} uses code ([\w-]+)|{name} lives in (\w+)\.", told)
        return f"Memory says {found[1] or found[2]}." if found else ""


def settings_for(server: ProviderServer, **more: object) -> dict[str, object]:
    """A small window, so that a conversation is soon too long for it; and time enough on a busy machine."""
    return {
        "llm.provider": "custom",
        "llm.model": "companion",
        "llm.base_url": server.url,
        "llm.api_key": server.key,
        "memory.recall.deadline_ms": 60_000,
        "compaction.context_window": 10_000,
        "compaction.reserve_tokens_floor": 3000,  # so that what goes out of sight is one page of half a window
        "compaction.memory_flush.soft_threshold_tokens": 500,
        "compaction.keep_tokens": 2000,
        **more,
    }
