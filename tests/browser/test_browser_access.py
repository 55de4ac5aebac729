"""Every page for everybody: axe finds nothing in light and dark, wide and narrow, and all of it fits the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.visitor import Visitor
from surfaces.http.serving import Served, served

axe_module = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`"
)
expect = pytest.importorskip("playwright.sync_api").expect

NOTE = """# Plan

A [link](other.md), **bold**, `code`, <b>raw</b> and a picture ![of a cat](cat.png).

- [ ] to do
- [x] done

| name | when |
|---|---|
| launch | Monday |

> quoted

```python
print(1)
```
"""
PAGES = {
    "today": "/",
    "notes": "/notes",
    "note": "/notes/memory/plan.md",
    "editor": "/notes/memory/plan.md?edit=1",
    "no note": "/notes/memory/none.md",
    "new note": "/notes?new=1",
    "search": "/search?q=launch",
    "search, nothing": "/search?q=zzzz",
    "inbox": "/inbox",
    "history": "/history",
    "change": "/history/CHANGE",
    "settings": "/settings",
    "profile": "/settings/profile",
    "browser": "/settings/browser",
    "table": "/settings/all/memory.search",
    "status": "/status",
    "sessions": "/sessions",
    "session": "/sessions/talk",
    "context": "/sessions/talk/context",
    "state": "/sessions/talk/state",
    "facts": "/facts",
    "fact": "/facts/FACT",
    "forget": "/forget",
    "dreams": "/dreams",
    "map": "/map",
    "quality": "/quality",
    "exchange": "/exchange",
    "days": "/days",
    "nowhere": "/notes-of-nobody",
}
SCREENS = [(1280, 800), (390, 844)]
AXE = Path(axe_module.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
LOOK = """() => axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(rule => ({
  id: rule.id, impact: rule.impact, places: rule.nodes.length, html: rule.nodes[0].html,
  why: rule.nodes[0].any.length ? rule.nodes[0].any[0].message : "",
})))"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[tuple[Served, dict[str, str]]]:
    """A home with something on every page."""
    with served(Path(tmp_path_factory.mktemp("filled")) / "home", "--no-watch") as web:

        def put(path: str, text: str) -> dict[str, Any]:
            made: dict[str, Any] = web.call("PUT", f"/api/v1/notes/{path}", {"content": text}).json
            return made

        put("memory/plan.md", NOTE)
        put("memory/other.md", "# Other\n\nSee [the plan](plan.md).\n")
        change = put("memory/plan.md", NOTE + "\nOne more line.\n")["checkpointId"]
        web.call("POST", "/api/v1/notes", {"content": "The office moved to Munich."})
        fact = web.call("POST", "/api/v1/facts", {"text": "The owner prefers tea to coffee."}).json["id"]
        for role, text in (("user", "When is the launch?"), ("assistant", "On **Monday**.")):
            web.call("POST", "/api/v1/sessions/talk/messages", {"role": role, "text": text})
        web.call("PUT", "/api/v1/sessions/talk/state/todo/next", {"value": 3})
        put("memory/2026-11-16.md", "# Today\n\nSomething happened.\n")
        web.call("PUT", "/api/v1/notes/memory/theirs.md?agent=coder", {"content": "of the coder\n"})
        question = {"query": "when is the launch", "path": "memory/none.md"}
        web.call("PUT", "/api/v1/questions", {"questions": [question], "expected_hash": ""})
        web.call("POST", "/api/v1/jobs", {"kind": "quality"})
        owner = web.page()
        gates = dict.fromkeys(("min_recall_count", "min_unique_queries", "min_days"), 1) | {"min_score": 0.0}
        owner.call("PATCH", "/settings", {"changes": {f"dreaming.deep.{name}": one for name, one in gates.items()}})
        owner.call("PUT", "/notes/memory/habits.md", {"content": "- The owner waters the roses every Friday.\n"})
        owner.call("POST", "/search", {"query": "when are the roses watered"})
        owner.call("POST", "/dreams", {})
        yield web, {"CHANGE": str(change), "FACT": str(fact)}


@pytest.mark.xdist_group("filled")  # one server with something on every page for both
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_axe_finds_nothing_on_any_page_in_light_and_dark(
    filled: tuple[Served, dict[str, str]], chromium: Any, width: int, height: int
) -> None:
    web, names = filled
    found: list[str] = []
    screen = {"viewport": {"width": width, "height": height}, "color_scheme": "light", "reduced_motion": "reduce"}
    with Visitor(chromium, web, **screen) as visitor:

        def look(name: str) -> None:
            for scheme in ("light", "dark"):
                visitor.page.emulate_media(color_scheme=scheme)
                found.extend(violations(visitor, f"{name}, {scheme}"))
            if visitor.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                found.append(f"{name}: wider than the screen")

        visitor.open("/notes")
        look("door")
        visitor.enter()
        for name, path in PAGES.items():
            for word, value in names.items():
                path = path.replace(word, value)
            visitor.go(path)
            settled(visitor)
            assert visitor.page.url == web.url + path, name
            look(name)
        visitor.go("/")
        visitor.page.keyboard.press("Control+k")
        expect(visitor.page.get_by_role("dialog")).to_be_visible()
        look("palette")
    assert not found, "\n".join(found)


def test_axe_sees_a_colour_that_can_not_be_read_in_the_dark(web: Served, chromium: Any) -> None:
    planted = """() => { const line = document.createElement("p"); line.textContent = "hard to read";
      line.style.color = "light-dark(#000, #222)"; document.querySelector("main").append(line); }"""
    with Visitor(chromium, web, color_scheme="light") as visitor:
        visitor.enter()
        visitor.open("/history")
        settled(visitor)
        visitor.page.evaluate(planted)
        assert violations(visitor, "light") == []
        visitor.page.emulate_media(color_scheme="dark")
        assert "color-contrast" in violations(visitor, "dark")[0]


def settled(visitor: Visitor) -> None:
    """Everything was loaded and drawn."""
    visitor.page.wait_for_load_state("load")
    expect(visitor.title.first).to_be_attached()
    expect(visitor.page.locator(".busy")).to_have_count(0)


def violations(visitor: Visitor, name: str) -> list[str]:
    """What axe finds by all its rules, with the first place of each."""
    if not visitor.page.evaluate("typeof axe === 'object'"):
        visitor.page.evaluate(AXE)
    return [
        f"{name}: {rule['id']} ({rule['impact']}, {rule['places']}): {rule['html'][:160]} {rule['why'][:200]}"
        for rule in visitor.page.evaluate(LOOK)
    ]
