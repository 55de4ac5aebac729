"""Hostile text in every place where a page shows somebody's words: no script, no dialog, no request to another host.

Each once under the policy that the server sends, and once with that policy switched off: the page must hold by itself.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser.visitor import Visitor
from surfaces.http.serving import Served, served

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

SOURCE = Path(__file__).parents[2] / "web" / "tests" / "payloads.ts"
SCRIPT = "window.__owned=1"

# What text that became markup would leave behind: handlers, foreign elements, addresses that run or lead away unasked.
INSPECT = """() => {
  const bad = [];
  if (window.__owned) bad.push("a script ran");
  for (const element of document.querySelectorAll("#app *")) {
    const tag = element.tagName.toLowerCase();
    if (["script", "iframe", "object", "embed", "base", "meta", "link", "style", "img", "video", "audio", "form-x",
         "portal", "marquee", "frame", "applet"].includes(tag)) bad.push(`<${tag}>`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc") bad.push(`${tag} ${name}`);
      if (["href", "src", "action", "xlink:href", "ping", "poster", "background"].includes(name)) {
        const address = new URL(value, location.href);
        const leads = tag === "a" && ["http:", "https:", "mailto:"].includes(address.protocol);
        const ours = address.origin === location.origin || tag === "use" && value.startsWith("#");
        if (!ours && !(leads && element.rel.includes("noopener") && element.target === "_blank"))
          if (!(leads && address.protocol === "mailto:")) bad.push(`${tag} ${name}=${value}`);
      }
    }
  }
  return bad;
}"""


def payloads() -> list[str]:
    """The corpus of the front end's own tests, with a script that leaves a mark."""
    rows = re.findall(r'^  ("(?:[^"\\]|\\.)*"),$', SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    return [json.loads(row).replace("X", SCRIPT) for row in rows]


PAYLOADS = payloads()
WHOLE = "\n\n".join(PAYLOADS)
NAMES = [payload for payload in PAYLOADS if not re.search(r"[/\0\n\r]", payload) and len(payload) < 200]


def test_the_corpus_is_large_enough() -> None:
    assert len(PAYLOADS) >= 120


def test_what_looks_for_scripts_sees_them(web: Served, chromium: Any) -> None:
    planted = """() => { const picture = document.createElement("img");
      picture.setAttribute("onclick", "1"); document.getElementById("app").append(picture); }"""
    with Visitor(chromium, web, bypass_csp=True) as visitor:  # under the policy even a test can't plant one
        visitor.enter()
        visitor.page.evaluate(planted)
        assert set(visitor.page.evaluate(INSPECT)) == {"<img>", "img onclick"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, chromium: Any) -> Iterator[Served]:
    """A server whose memory is full of such texts."""
    with served(tmp_path_factory.mktemp("hostile") / "home", "--no-watch") as web:
        fill(web)
        yield web


def fill(web: Served) -> None:
    """Put each text wherever it is taken."""
    folder = web.home / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    # By hand, as sync would bring it: no guard of a save stands between.
    for path in (folder / "text.md", web.home / "MEMORY.md"):
        path.write_text(WHOLE.replace("\0", ""), encoding="utf-8")
    for name in NAMES:
        (folder / f"{name}.md").write_text(f"# {name}\n\nowned by {name}\n", encoding="utf-8")
    # Facts and what waits are lines of notes, too; each of them by a call would take as long as all else together.
    lines = [payload.replace("\0", "") for payload in PAYLOADS if "\n" not in payload]
    (folder / "facts.md").write_text("".join(f"- The owner said {line}\n" for line in lines), encoding="utf-8")
    (folder / "inbox.md").write_text("".join(f"- Remember {line}\n" for line in lines), encoding="utf-8")
    taken: Counter[str] = Counter()
    for at, payload in enumerate(PAYLOADS):
        named = quote(payload, safe="")
        said = {"role": ("user", "assistant")[at % 2], "text": payload}
        calls: list[tuple[str, str, str, Any]] = [
            ("message", "POST", "/sessions/talk/messages", said),
            ("tool result", "POST", "/sessions/talk/messages", {"role": "tool", "text": payload, "tool_name": payload}),
            ("state", "PUT", f"/sessions/talk/state/n/k{at}", {"value": payload}),
            ("session", "POST", f"/sessions/{named}/messages", {"role": "user", "text": "x"}),
        ]
        for place, method, path_, body in calls:
            taken[place] += web.call(method, f"/api/v1{path_}", body).status < 300
    taken["fact"] = web.call("GET", "/api/v1/facts?limit=1").json["total"]
    taken["inbox"] = len(web.page().call("GET", "/inbox").json["entries"])
    # Some are refused at the door of memory (hidden characters, instructions); the most must be there to be seen.
    assert min(taken.values()) > len(PAYLOADS) / 2 and len(NAMES) > len(PAYLOADS) / 3, (taken, len(NAMES))
    web.call("PATCH", "/api/v1/settings", {"changes": {"user.location": PAYLOADS[0]}})
    web.call("POST", "/api/v1/jobs", {"kind": "sync"})
    rows = [{"query": payload, "path": "memory/none.md"} for payload in PAYLOADS]
    assert web.call("PUT", "/api/v1/questions", {"questions": rows, "expected_hash": ""}).status == 200
    web.call("POST", "/api/v1/jobs", {"kind": "quality"})
    fill_report(web)


def fill_report(web: Served) -> None:
    """Dream, and have somebody write all of it into what the run tells of itself."""
    owner = web.page()
    owner.call("PATCH", "/settings", {"changes": {"dreaming.deep.min_recall_count": 1}})
    owner.call("PUT", "/notes/memory/habits.md", {"content": "- The owner waters the roses every Friday.\n"})
    for question in ("when are the roses watered", "what does the owner do every Friday"):
        owner.call("POST", "/search", {"query": question})
    run = owner.call("POST", "/dreams", {}).json
    lines = "".join(f"- {payload}\n" for payload in PAYLOADS if not re.search(r"[\n\0]", payload))
    (web.home / run["report"]).write_text(f"## Run {run['run']} at 03:00\n\n{lines}", encoding="utf-8")


@pytest.mark.row("T14", texts=len(PAYLOADS), scripts_run=0)
@pytest.mark.row("pages")
@pytest.mark.parametrize("bypass", [False, True], ids=["policy", "no policy"])
def test_hostile_text_stays_text_in_every_place(hostile: Served, chromium: Any, bypass: bool) -> None:
    found: list[str] = []
    with Visitor(chromium, hostile, bypass_csp=bypass) as visitor:
        visitor.enter()

        def look(place: str, path: str, shows: str, *, anew: bool = True) -> None:
            if anew:
                visitor.open(path)
            else:
                visitor.go(path)
            expect(visitor.page.locator(shows).first).to_be_visible()
            found.extend(f"{place}: {bad}" for bad in visitor.page.evaluate(INSPECT))

        look("note text", "/notes/memory/text.md", ".markdown")
        look("prompt memory", "/notes/MEMORY.md", ".markdown")
        look("tree", "/notes", "[role=treeitem]")
        for name in NAMES[:20]:
            look(
                "title", f"/notes/{quote(f'memory/{name}.md', safe='')}", f"h1:has-text({json.dumps(name)})", anew=False
            )
        look("hits", "/search?q=owned", ".hit")
        look("question", f"/search?q={quote(PAYLOADS[0] + PAYLOADS[1])}", "h1")
        look("facts", "/facts", "table.rows")
        look("inbox", "/inbox", ".inbox")
        look("history", "/history", "table.rows")
        look("session list", "/sessions", "table.rows")
        look("transcript", "/sessions/talk", ".message")
        look("context", "/sessions/talk/context", ".part-text")
        look("state", "/sessions/talk/state", "table.rows")
        look("profile", "/settings/profile", "form.setting")
        look("settings", "/settings/all/user", "main")
        look("error", f"/history/{quote(PAYLOADS[1])}", "[role=alert]")
        look("no such note", f"/notes/{quote(PAYLOADS[1], safe='')}", "h1")
        look("dream report", "/dreams", ".dream-why li:nth-child(60)")
        look("questions", "/quality", "table.rows tbody tr:nth-child(60)")
        look("map", "/map", ".map-list summary")
        visitor.page.locator(".map-list summary").first.click()
        found.extend(f"map list: {bad}" for bad in visitor.page.evaluate(INSPECT))
        look("today", "/", "h1")
        look("editor", "/notes/memory/text.md?edit=1", ".editor .cm-content")
        visitor.open("/forget")
        visitor.page.get_by_label("This is the exact text").check()
        visitor.page.get_by_label("The exact text", exact=True).fill(PAYLOADS[0])
        visitor.press("Show the plan")
        expect(visitor.page.locator("table.rows")).to_be_visible()
        found.extend(f"forget: {bad}" for bad in visitor.page.evaluate(INSPECT))
        visitor.open("/exchange")
        held = {"name": "hostile.md", "mimeType": "text/markdown", "buffer": WHOLE.encode()}
        visitor.page.locator("input[type=file]").set_input_files(held)
        visitor.press("Preview")
        expect(visitor.button("Bring it in").or_(visitor.page.get_by_role("alert")).first).to_be_visible()
        found.extend(f"import: {bad}" for bad in visitor.page.evaluate(INSPECT))
    assert not found, "\n".join(found[:40])


@pytest.mark.row("T14")
@pytest.mark.row("pages")
def test_no_link_in_a_hostile_note_runs_when_it_is_clicked(tmp_path: Path, chromium: Any) -> None:
    with served(tmp_path / "home", "--no-watch") as web, Visitor(chromium, web) as visitor:
        (web.home / "memory").mkdir(parents=True, exist_ok=True)
        (web.home / "memory" / "text.md").write_text(WHOLE.replace("\0", ""), encoding="utf-8")
        visitor.enter()
        visitor.open("/notes/memory/text.md")
        # Links that open a page elsewhere or a letter are what they look like; all others stay in the app.
        links = visitor.page.locator(".markdown a:not([target=_blank]):not([href^='mailto:'])")
        expect(visitor.page.locator(".markdown")).to_be_visible()
        for at in range(links.count()):
            links.nth(at).dispatch_event("click")
            assert visitor.page.url.startswith(web.url), visitor.page.url
            assert visitor.page.evaluate("window.__owned") is None
            visitor.open("/notes/memory/text.md")
            expect(visitor.page.locator(".markdown")).to_be_visible()
