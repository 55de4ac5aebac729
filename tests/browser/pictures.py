"""Pictures of every page, from a home that is always the same: `make pictures` writes those of the docs."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.example_home import CLOCK, NOW, make_home
from browser.small_png import small_png
from browser.visitor import Visitor
from commandline import SCRIPT
from playwright.sync_api import expect, sync_playwright
from surfaces.http.serving import Served, served

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
WIDE, NARROW = (1120, 700), (390, 844)
PAGES = {
    "today": "/",
    "notes": "/notes/memory/work/harbour.md",
    "editor": "/notes/memory/work/harbour.md?edit=1",
    "search": "/search?q=when%20is%20the%20launch",
    "inbox": "/inbox",
    "history": "/history",
    "sessions": "/sessions",
    "session": "/sessions/planning",
    "context": "/sessions/planning/context",
    "facts": "/facts",
    "calendar": "/days/2026-11-16",
    "dreams": "/dreams",
    "forget": "/forget",
    "exchange": "/exchange",
    "map": "/map",
    "quality": "/quality",
    "status": "/status",
    "settings": "/settings",
}
DRAWN = {"search": ".hit", "context": ".part-text", "notes": ".markdown", "map": "canvas", "quality": ".scores"}
SHOWN = {  # in docs/web.md and README: page, size, colours
    "today": (WIDE, "light"),
    "notes": (WIDE, "light"),
    "search": (WIDE, "light"),
    "inbox": (WIDE, "light"),
    "history": (WIDE, "dark"),
    "context": (WIDE, "light"),
    "map": (WIDE, "dark"),
    "quality": (WIDE, "light"),
    "settings": (WIDE, "light"),
    "notes-narrow": (NARROW, "dark"),
}


@contextmanager
def example() -> Iterator[tuple[Any, Served]]:
    """A browser, and a server of the example home for which it is always the same morning."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    program = os.environ.get("HOLDFAST_BROWSER") or "chromium"
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        home = Path(folder) / "ines"
        make_home(home)
        path = program if "/" in program else f"/usr/bin/{program}"
        browser = playwright.chromium.launch(executable_path=path, args=[*arguments, "--font-render-hinting=none"])
        with served(home, "--no-watch", program=CLOCK + SCRIPT, python=sys.executable) as web:
            ask_questions(web)
            yield browser, web
        browser.close()


def ask_questions(web: Served) -> None:
    """Have something on the page Quality."""
    drafts = web.call("GET", "/api/v1/questions/draft?count=12").json["questions"]
    own = [
        {"query": "who leads the launch", "path": "memory/work/harbour.md", "line": 12},
        {"query": "what happens at half past two at night", "path": "memory/work/runbook.md", "line": 11},
    ]
    web.call("PUT", "/api/v1/questions", {"questions": [*own, *drafts], "expected_hash": ""})
    job = web.call("POST", "/api/v1/jobs", {"kind": "quality"}).json
    while web.call("GET", f"/api/v1/jobs/{job['id']}").json["state"] in ("waiting", "running"):
        pass
    # The first search of a server loads what the others find loaded.
    web.call("POST", "/api/v1/search", {"query": "when is the launch", "max_results": 20})


def picture(browser: Any, web: Served, name: str, size: tuple[int, int], scheme: str, file: Path) -> None:
    """One page, once nothing on it moves."""
    screen = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme, "reduced_motion": "reduce"}
    with Visitor(browser, web, **screen) as visitor:
        visitor.context.clock.set_fixed_time(datetime.fromtimestamp(NOW, UTC))
        visitor.enter()
        visitor.open(PAGES[name])
        visitor.page.wait_for_load_state("load")
        visitor.page.locator(DRAWN.get(name, "h1")).first.wait_for()
        expect(visitor.title.first).to_be_attached()
        expect(visitor.page.locator(".busy")).to_have_count(0)
        visitor.page.evaluate("document.activeElement.blur()")
        file.write_bytes(small_png(visitor.page.screenshot(animations="disabled", caret="hide")))


def main() -> None:
    """Write the pictures of the docs, or of every page in both sizes and colours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--all", metavar="DIR", type=Path, help="every page, both sizes, both colours, into this folder"
    )
    parser.add_argument("--only", metavar="PAGE", nargs="*", help="only these pages")
    chosen = parser.parse_args()
    folder: Path = chosen.all or DOCS
    folder.mkdir(parents=True, exist_ok=True)
    with example() as (browser, web):
        if chosen.all:
            for name in PAGES:
                for size in (WIDE, NARROW):
                    for scheme in ("light", "dark"):
                        if not chosen.only or name in chosen.only:
                            picture(browser, web, name, size, scheme, folder / f"{name}-{size[0]}-{scheme}.png")
            return
        for name, (size, scheme) in SHOWN.items():
            if not chosen.only or name in chosen.only:
                picture(browser, web, name.partition("-")[0], size, scheme, folder / f"{name}.png")


if __name__ == "__main__":
    main()
