"""Read the built site as a browser without a network would: every link leads somewhere, nothing comes from outside.

Usage: python docs/site/check.py .site/html
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
NOT_FETCHED = {"canonical", "search", "next", "prev", "index", "author"}  # relations of <link> that only name a page


class Page(HTMLParser):
    """Collects what a page links to, what it loads, and the places in it that a link can name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element's address and name."""
        values = dict(attrs)
        if values.get("id"):
            self.ids.add(str(values["id"]))
        if tag == "a" and values.get("href"):
            self.links.append(str(values["href"]))
        address = values.get(FETCHED.get(tag, ""))
        if address and not NOT_FETCHED & set((values.get("rel") or "").split()):
            self.fetched.append(address)


def problems(site: Path) -> list[str]:
    """Return a line for each link that leads nowhere and for each file that would be fetched from elsewhere."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    found = [] if (site / "searchindex.js").is_file() else ["there is no search index"]
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        found += [f"{name}: fetches {address}" for address in page.fetched if urlsplit(address).netloc]
        for address in (*page.links, *page.fetched):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                found.append(f"{name}: {address} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                found.append(f"{name}: {address} names no place on its page")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(Path(sys.argv[1]))) or None)
