"""Somebody in front of the page: what they open, and what must never happen behind it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

from surfaces.http.serving import Served

from holdfast.surfaces.web import static_files

_STATIC = Path(static_files.FOLDER)
_ICON = next(_STATIC.glob("assets/icon-*.svg")).relative_to(_STATIC).as_posix()
_WAIT = 15_000  # milliseconds
_GO = """path => new Promise(done => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def opened_window(browser: Any, **options: Any) -> Any:
    """A window of the browser's, with cookies and a cache of its own."""
    usual = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "timezone_id": "UTC"}
    window = browser.new_context(**{**usual, **options})
    window.set_default_timeout(_WAIT)
    return window


class Visitor:
    """A browser's window with cookies of its own; when it is closed, nothing foreign and nothing wrong was seen.

    With a `window` that others had before, its tab is used again: a new one is a new process of the browser.
    """

    def __init__(self, browser: Any, web: Served, *, window: Any = None, **options: Any) -> None:
        self.web = web
        self._browser, self._window, self._options = browser, window, options
        self.wrong: list[str] = []
        self._tabs: list[Any] = []
        self._eyes: tuple[tuple[str, Callable[[Any], None]], ...] = (
            ("request", self._see_request),
            ("console", self._see_console),
            ("pageerror", self._see_error),
            ("dialog", self._see_dialog),
        )

    def __enter__(self) -> Self:
        self.context = self._window or opened_window(self._browser, **self._options)
        self.page = self._watched(self.context.pages[0]) if self.context.pages else self.tab()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._window is None:
            self.context.close()
        else:  # the next visitor has the same window, and comes by a link of their own
            first, *others = [tab for tab in self._tabs if not tab.is_closed()]
            for tab in others:
                tab.close()
            for name, see in self._eyes:
                first.remove_listener(name, see)
            first.unroute_all()  # else each request of the next one, of 60 MB too, goes through the test's own process
            first.goto(f"{self.web.url}/{_ICON}")
            self.context.clear_cookies()
        if error is None:
            assert not self.wrong, self.wrong

    def tab(self) -> Any:
        """Another page of the same browser."""
        return self._watched(self.context.new_page())

    def _watched(self, page: Any) -> Any:
        self._tabs.append(page)
        for name, see in self._eyes:
            page.on(name, see)
        return page

    def _see_request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("blob", "data") and f"{parts.scheme}://{parts.netloc}" != self.web.url:
            self.wrong.append(f"asked another host: {request.url}")

    def _see_console(self, message: Any) -> None:
        # A refused call is told there too, and pages are made for that.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _see_error(self, error: Any) -> None:
        self.wrong.append(f"error in the page: {error}")

    def _see_dialog(self, dialog: Any) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def link(self) -> str:
        """A link that works once."""
        return str(self.web.call("POST", "/api/v1/entry").json["url"])

    def be_let_in(self) -> None:
        """Have cookie and page key as after a link, before any page is loaded: most tests are not about the door."""
        owner = self.web.page()
        name, _, value = owner.cookie.partition("=")
        cookie = {"name": name, "value": value, "url": self.web.url, "httpOnly": True, "sameSite": "Strict"}
        self.context.add_cookies([cookie])
        self.page.goto(f"{self.web.url}/{_ICON}")  # the smallest page of this origin
        self.page.evaluate("key => localStorage.setItem('holdfast.page', key)", owner.key)

    def enter(self) -> None:
        """Come in by a link."""
        self.page.goto(self.link())
        self.page.get_by_role("link", name="Holdfast, to the start page").wait_for()

    def open(self, path: str) -> None:
        """Go to an address of the app."""
        self.page.goto(self.web.url + path)

    def go(self, path: str) -> None:
        """Go to an address as a link of the app does: nothing is loaded anew."""
        self.page.evaluate(_GO, path)

    def open_note(self, path: str, query: str = "") -> None:
        """Go to a note."""
        self.open(f"/notes/{quote(path)}{query}")

    def write(self, path: str, text: str, agent: str = "main") -> dict[str, Any]:
        """Somebody else writes a note: a program with the token."""
        made: dict[str, Any] = self.web.call(
            "PUT", f"/api/v1/notes/{quote(path)}?agent={agent}", {"content": text}
        ).json
        assert "error" not in made, made
        return made

    def text(self, path: str) -> str:
        """What a note says on disk."""
        return (self.web.home / path).read_text(encoding="utf-8")

    def button(self, name: str, within: Any = None) -> Any:
        """A button by its whole name."""
        return (within or self.page).get_by_role("button", name=name, exact=True)

    def press(self, name: str, within: Any = None) -> None:
        """Press a button."""
        self.button(name, within).click()

    @property
    def toast(self) -> Any:
        """What was just said."""
        return self.page.locator(".toast")

    @property
    def title(self) -> Any:
        """The heading of the page."""
        return self.page.get_by_role("heading", level=1)

    @property
    def editor(self) -> Any:
        """The text that is edited."""
        return self.page.locator(".editor .cm-content")

    def type_at_end(self, text: str) -> None:
        """Write at the end of the note that is edited."""
        self.editor.click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(text)
