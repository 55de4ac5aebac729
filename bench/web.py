"""How fast the web app is with many notes: `python bench/web.py [NOTES]`, in a real Chromium (`make browser`).

The tree is usable when its first row was painted; a keystroke is over when what it asks for was painted. A search is
also told without the time in which the server answered, because a busy machine slows that down most; and, since it
slows down everything, with the best of several rounds for each key, which is near to what an idle one takes.

Keys come at a fast typist's pace, and in other rounds each as soon as the hits of the one before are painted: then the
letter itself waits for the next of sixty frames a second, and its hits often for the one after.

What is beyond the server is also told in its parts: from the key to the request, from the answer to the hits in the
page, from there to the next frame of the browser (up to 17 ms, whatever the page does), and the painting.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from itertools import cycle
from pathlib import Path
from typing import Any

from corpus import generated
from playwright.sync_api import sync_playwright

from holdfast import Memory

_SCRIPT = Path(sys.executable).with_name("holdfast")
_VISITS = 7
_ROUNDS = 5
_QUESTIONS = ("when do we launch the release", "budget of the database", "notes about the incident last week")
_FILTERS = ("a", "ar", "arc", "20", "2026", "note", "x9")
_LIMITS = {
    "tree": 300.0,
    "rows": 60.0,
    "filter": 50.0,
    "search p50": 50.0,
    "search p95": 100.0,
    "beyond the server, p50": 20.0,
    "beyond the server": 20.0,
}
_PARTS = ("of it: until it is asked", "of it: until it is in the page", "of it: until a frame", "of it: painting")
_P95 = ", p95"
_BEST = ", best of five rounds"
_AT_ONCE = ", key upon key"
_PACE = (90, 143, 101, 127, 83, 112)  # milliseconds between keys, of no rhythm that fits a screen's

# When the first row of the tree was painted: the frame after the one in which it came.
_FIRST_ROW = """new MutationObserver((_, observer) => {
  if (!document.querySelector("[role=treeitem]")) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.__usable = performance.now(); }));
}).observe(document, { childList: true, subtree: true });"""

# Put a text into a field as a key would, and say after how long what it changed was painted.
_TYPE = """async ([selector, text, shown, pause]) => {
  await new Promise((done) => (pause ? setTimeout(done, pause) : done()));
  const field = document.querySelector(selector);
  const box = document.querySelector("main");
  const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  performance.clearResourceTimings();
  const began = performance.now();
  let entered = 0, framed = 0;
  const isAsked = () => performance.getEntriesByType("resource").some((one) => one.name.includes("/search"));
  await new Promise((done) => {
    const observer = new MutationObserver(() => {
      if (shown && !(isAsked() && box.querySelector(shown))) return;
      observer.disconnect();
      entered = performance.now();
      requestAnimationFrame(() => {
        framed = performance.now();
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
      });
    });
    observer.observe(box, { childList: true, subtree: true, characterData: true, attributes: true });
    put.call(field, text);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    setTimeout(done, 5000);
  });
  const asked = performance.getEntriesByType("resource").filter((one) => one.name.includes("/search")).at(-1);
  const over = performance.now();
  if (!asked) return [over - began, 0];
  const parts = [asked.startTime - began, entered - asked.responseEnd, framed - entered, over - framed];
  return [over - began, asked.responseEnd - asked.startTime, ...parts];
}"""


def percentile(values: list[float], share: float) -> float:
    """The value that so many do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measured(page: Any, url: str) -> dict[str, float]:
    """All figures of one page, in milliseconds but for the rows."""
    visits = []
    for _ in range(_VISITS):
        page.goto(f"{url}/notes")
        page.get_by_role("treeitem").first.wait_for()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        visits.append(page.evaluate("window.__usable"))
    rows = page.get_by_role("treeitem").count()
    filters = [page.evaluate(_TYPE, ["input.filter", text, "", 0])[0] for text in _FILTERS]
    searches = searched(page, url, _PACE)
    searches |= {name + _AT_ONCE: value for name, value in searched(page, url, (0,)).items()}
    return {"tree": statistics.median(visits), "rows": float(rows), "filter": max(filters), **searches}


def searched(page: Any, url: str, pace: tuple[int, ...]) -> dict[str, float]:
    """The figures of several rounds of typing, and those of the best of them for each key."""
    rounds = [typed(page, url, pace) for _ in range(_ROUNDS)]
    best = [min(same, key=lambda key: key[0]) for same in zip(*rounds, strict=True)]
    figures = figures_of([key for keys in rounds for key in keys])
    return figures | {name + _BEST: value for name, value in figures_of(best).items()}


def typed(page: Any, url: str, pace: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Type the questions; of each key how long its hits took, how much of that the server, and what the rest was."""
    page.goto(f"{url}/search")
    page.get_by_role("searchbox").wait_for()
    texts = [
        question[:end] for question in _QUESTIONS for end in range(3, len(question) + 1) if question[end - 1] != " "
    ]
    shown = "section[aria-busy=false] .hits, .empty"
    return [page.evaluate(_TYPE, ["input.big", text, shown, pause]) for text, pause in zip(texts, cycle(pace))]


def figures_of(keys: list[tuple[float, ...]]) -> dict[str, float]:
    """The figures of a search as one types."""
    whole = [key[0] for key in keys]
    figures = {
        "search p50": percentile(whole, 0.5),
        "search p95": percentile(whole, 0.95),
        "beyond the server, p50": percentile([key[0] - key[1] for key in keys], 0.5),
        "beyond the server": percentile([key[0] - key[1] for key in keys], 0.95),
    }
    for place, part in enumerate(_PARTS, 2):
        times = [key[place] for key in keys]
        figures[part] = percentile(times, 0.5)
        figures[part + _P95] = percentile(times, 0.95)
    return figures


def main(count: int) -> None:
    """Make the notes, serve them, and print a table."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "home"
        shutil.copytree(generated(count).root / "memory", home / "memory")
        with Memory.open(home) as memory:
            memory.sync()
        env = {**os.environ, "HOLDFAST_HOME": str(home)}
        server = subprocess.Popen(
            [_SCRIPT, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            program = os.environ.get("HOLDFAST_BROWSER") or shutil.which("chromium")
            arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=program, args=arguments)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.add_init_script(_FIRST_ROW)
            page.goto(told["link"])
            page.get_by_role("link", name="Holdfast, to the start page").wait_for()
            page.goto(f"{told['url']}/search?q=warm")
            page.locator(".result-head").wait_for()
            figures = measured(page, told["url"])
            browser.close()
        finally:
            server.terminate()
            server.wait()
    load = os.getloadavg()[0]
    print(f"{count:,} notes, load {load:.1f} on {os.cpu_count()} cores\n")
    print("| what | ms | limit |\n|---|---|---|")
    for name, value in figures.items():
        limit = _LIMITS.get(name.removesuffix(_AT_ONCE).removesuffix(_BEST))
        print(f"| {name} | {value:.0f} | {'' if limit is None else f'{limit:.0f}'} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
