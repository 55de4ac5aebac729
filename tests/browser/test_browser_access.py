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
# Words and names of which no line can be made: nothing may scroll sideways for them.
LONG = "donaudampfschifffahrtsgesellschaftskapitaen" * 4
LONG_PATH = f"memory/{LONG[:160]}.md"
PAGES = {
    "today": "/",
    "notes": "/notes",
    "note": "/notes/memory/plan.md",
    "editor": "/notes/memory/plan.md?edit=1",
    "no note": f"/notes/memory/{LONG[:120]}.md",
    "new note": "/notes?new=1",
    "search": "/search?q=launch",
    "search, nothing": "/search?q=zzzz",
    "inbox": "/inbox",
    "history": "/history",
    "change": "/history/CHANGE",
    "approval": "/history/APPROVAL",
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
LONG_PAGES = {  # which are only looked at for their width
    "long note": f"/notes/{LONG_PATH}",
    "search, long": f"/search?q={LONG[:60]}",
    "history of a note": f"/history?path={LONG_PATH}",
    "long session": f"/sessions/{LONG[:60]}",
}
SCREENS = [(1280, 800), (390, 844)]
SMALLEST = 320  # pixels, at which nobody has to scroll sideways
AXE = Path(axe_module.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
LOOK = """() => axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(rule => ({
  id: rule.id, impact: rule.impact, places: rule.nodes.length, html: rule.nodes[0].html,
  why: rule.nodes[0].any.length ? rule.nodes[0].any[0].message : "",
})))"""

# Where the keyboard is: its place, whether it can be seen there, and whether a finger could hit it.
STOP = """() => {
  const deep = (element) => element?.shadowRoot?.activeElement ? deep(element.shadowRoot.activeElement) : element;
  const stop = deep(document.activeElement);
  if (!stop || stop === document.body) return null;
  const style = getComputedStyle(stop), box = stop.getBoundingClientRect();
  const name = `${stop.tagName} ${stop.getAttribute("aria-label") ?? stop.textContent.slice(0, 30)}`;
  const isSeen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const hasRing = style.outlineStyle !== "none" || style.boxShadow !== "none";
  return {name, wrong: !isSeen ? "out of sight" : !hasRing ? "nothing shows it" :
    stop.tagName === "BUTTON" && Math.min(box.width, box.height) < 24 ? "too small" : ""};
}"""
# Where the letters of an element begin: 0 at its left end, 1 at its right.
BEGINS = """element => {
  const words = document.createRange(), box = element.getBoundingClientRect();
  words.selectNodeContents(element);
  const drawn = words.getClientRects()[0];
  return drawn.left - box.left > box.right - drawn.right ? 1 : 0;
}"""
ARABIC = """# خطة السفر

رحلتنا إلى القاهرة يوم الخميس.

- حجز الفندق

> لا تنسوا الخريطة.

The train leaves at noon.
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[tuple[Served, dict[str, str]]]:
    """A home with something on every page."""
    with served(Path(tmp_path_factory.mktemp("filled")) / "home", "--no-watch") as web:

        def put(path: str, text: str) -> dict[str, Any]:
            made: dict[str, Any] = web.call("PUT", f"/api/v1/notes/{path}", {"content": text}).json
            assert "error" not in made, made
            return made

        put("memory/plan.md", NOTE)
        put("memory/other.md", "# Other\n\nSee [the plan](plan.md).\n")
        change = put("memory/plan.md", NOTE + "\nOne more line.\n")["checkpointId"]
        put(
            LONG_PATH,
            f"# {LONG}\n\n{LONG} `{LONG}`\n\n- {LONG}\n\n> {LONG}\n\n[{LONG}](https://{LONG[:60]}.example/)\n",
        )
        approvals = [f"The office in {LONG} moved.", f"The {LONG} is new."]
        for text in ("The office moved to Munich.", f"{LONG} waits, too.", *approvals):
            web.call("POST", "/api/v1/notes", {"content": text})
        web.call("POST", "/api/v1/facts", {"text": f"The owner likes the {LONG}."})
        fact = web.call("POST", "/api/v1/facts", {"text": "The owner prefers tea to coffee."}).json["id"]
        for key, role, text in (
            ("talk", "user", "When is the launch?"),
            ("talk", "assistant", f"On **Monday**, {LONG}."),
            (LONG[:60], "user", LONG),
        ):
            web.call("POST", f"/api/v1/sessions/{key}/messages", {"role": role, "text": text})
        web.call("PUT", "/api/v1/sessions/talk/state/todo/next", {"value": LONG})
        day = web.call("GET", "/api/v1/whoami").json["today"]
        put(f"memory/{day}.md", f"# Today\n\nSomething happened to {LONG}.\n")
        web.call("PUT", "/api/v1/notes/memory/theirs.md?agent=coder", {"content": "of the coder\n"})
        questions = [{"query": "when is the launch", "path": "memory/none.md"}, {"query": LONG, "path": LONG_PATH}]
        web.call("PUT", "/api/v1/questions", {"questions": questions, "expected_hash": ""})
        web.call("POST", "/api/v1/jobs", {"kind": "quality"})
        owner = web.page()
        owner.call("PATCH", "/settings", {"changes": {"dreaming.deep.min_recall_count": 1}})
        owner.call("PUT", "/notes/memory/habits.md", {"content": "- The owner waters the roses every Friday.\n"})
        owner.call("POST", "/search", {"query": "when are the roses watered"})
        owner.call("POST", "/dreams", {})
        waits = {entry["text"]: entry["id"] for entry in owner.call("GET", "/inbox").json["entries"]}
        owner.call("POST", f"/inbox/{waits[approvals[0]]}/approve", {"text": f"It is in {LONG} now."})
        approval = owner.call("POST", f"/inbox/{waits[approvals[1]]}/approve", {}).json["checkpointIds"][0]
        yield web, {"CHANGE": str(change), "FACT": str(fact), "APPROVAL": str(approval)}


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
            fits(name)

        def fits(name: str) -> None:
            # As wide as a screen of 1280 pixels that is enlarged four times.
            for narrow in (width, SMALLEST) if width < 400 else (width,):
                visitor.page.set_viewport_size({"width": narrow, "height": height})
                if visitor.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                    found.append(f"{name}: wider than a screen of {narrow}")
            visitor.page.set_viewport_size({"width": width, "height": height})

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
        for name, path in LONG_PAGES.items():
            visitor.go(path)
            settled(visitor)
            expect(visitor.page.locator("main")).to_contain_text(LONG[:60])
            fits(name)
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


@pytest.mark.parametrize("width", [1280, 390])
def test_the_tab_key_goes_through_a_page_and_each_stop_is_seen(web: Served, chromium: Any, width: int) -> None:
    with Visitor(chromium, web, viewport={"width": width, "height": 800}) as visitor:
        visitor.be_let_in()
        visitor.write("memory/plan.md", NOTE)
        for path in ("/", "/notes/memory/plan.md", "/search?q=launch", "/settings/profile", "/days"):
            visitor.open(path)
            settled(visitor)
            visitor.page.evaluate("document.activeElement.blur()")
            stops: list[str] = []
            while len(stops) < 150:
                visitor.page.keyboard.press("Tab")
                stop = visitor.page.evaluate(STOP)
                if stop is None:
                    break
                stops.append(stop["name"])
                assert not stop["wrong"] or "Choose a day" in stop["name"], (path, stop)  # of which a part is marked
            assert 4 < len(stops) < 150, (path, stops[-5:])


def test_what_is_written_from_right_to_left_is_drawn_so_and_what_stands_beside_it_is_not(visitor: Visitor) -> None:
    visitor.write("memory/plan.md", ARABIC)
    visitor.open("/notes/memory/plan.md")
    note = visitor.page.locator(".markdown")
    for shown in ("h2", "p >> nth=0", "li", "blockquote p"):
        assert note.locator(shown).evaluate(BEGINS) == 1, shown
    expect(note.locator("blockquote")).to_have_css("direction", "rtl")
    expect(note.locator("ul")).to_have_css("direction", "rtl")
    assert note.get_by_text("The train leaves").evaluate(BEGINS) == 0
    expect(visitor.title).to_have_css("direction", "ltr")
    visitor.press("Edit")
    assert visitor.editor.locator(".cm-line").nth(2).evaluate(BEGINS) == 1
    assert visitor.editor.locator(".cm-line").nth(8).evaluate(BEGINS) == 0
    visitor.open("/search?q=%D8%A7%D9%84%D9%82%D8%A7%D9%87%D8%B1%D8%A9")
    expect(visitor.page.locator(".hit .snippet").first).to_have_css("unicode-bidi", "plaintext")
    assert visitor.page.locator(".hit .snippet").first.evaluate(BEGINS) == 1


def test_who_wants_no_motion_sees_none(visitor: Visitor) -> None:
    moves = """() => getComputedStyle(document.querySelector(".switch"), "::after").transitionDuration !== "0s"
      || document.getAnimations().length > 0"""
    visitor.open("/settings")
    visitor.page.get_by_role("switch", name="Session indexing").check()
    assert visitor.page.evaluate(moves)
    visitor.page.emulate_media(reduced_motion="reduce")
    try:
        visitor.page.get_by_role("switch", name="Session indexing").uncheck()
        assert not visitor.page.evaluate(moves)
    finally:
        visitor.page.emulate_media(reduced_motion="null")  # the next visitor has the same tab


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
