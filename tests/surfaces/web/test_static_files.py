"""The shell and the assets: sent to whoever asks, since they hold nothing of the home, and kept by browsers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from surfaces.http.serving import Page, Served

from holdfast.surfaces.http.responses import Raw
from holdfast.surfaces.web.static_files import StaticFiles, is_app_path

NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGES = """/ /enter /notes /notes/memory/a.md /search?q=x /inbox /history/abc /settings/memory /status /sessions
/sessions/a%2Fb/context /facts /forget /dreams /exchange /days/2026-11-16 /quality /map""".split()


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_the_shell(web: Served, path: str) -> None:
    shell = web.send("GET", path)
    assert (shell.status, shell.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert shell.headers["cache-control"] == "no-cache" and shell.headers["content-security-policy"] == POLICY
    same = web.send("GET", path, headers={"If-None-Match": shell.headers["etag"]})
    assert (same.status, same.data) == (304, b"")
    head = web.send("HEAD", path)
    assert (head.status, head.data, head.headers["etag"]) == (200, b"", shell.headers["etag"])
    for site in ("cross-site", "same-site", "none", "same-origin"):
        assert web.send("GET", path, headers={**NAVIGATION, "Sec-Fetch-Site": site}).status == 200
    framed = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"}
    assert web.send("GET", path, headers=framed).status == 403
    assert web.send("GET", path, headers={"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site"}).status == 403
    assert web.send("GET", path, headers={**NAVIGATION, "Host": "evil.example"}).status == 421
    assert web.send("GET", path, headers={**NAVIGATION, "Origin": "http://evil.example"}).status == 403


@pytest.mark.parametrize("path", ["/notes2", "/api/v1/notes", "/nowhere", "//notes", "/assets", "/static/index.html"])
def test_what_is_no_page_is_not_open(web: Served, path: str) -> None:
    assert web.send("GET", path).status == 401
    elsewhere = {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}
    assert web.send("GET", path, headers=elsewhere).status == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_is_only_read(web: Served, page: Page, method: str) -> None:
    assert web.send(method, "/notes").status == 401
    refused = web.call(method, "/notes")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("path", "more", "status", "words"),
    [
        ("/api/v1/notes", {}, 401, "token is needed"),
        ("/api/v1/notes", {"Sec-Fetch-Site": "cross-site"}, 403, "Another page"),
        ("/docs", {}, 401, "token is needed"),
        ("/docs", {"Host": "evil.example"}, 421, "under that name"),
    ],
)
def test_a_person_who_is_refused_gets_a_page(
    web: Served, path: str, more: dict[str, str], status: int, words: str
) -> None:
    answer = web.send("GET", path, headers={**NAVIGATION, **more})
    assert (answer.status, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert words in answer.data.decode() and "holdfast ui" in answer.data.decode()
    plain = web.send("GET", path, headers={**more})
    assert plain.status == status and (plain.json["error"]["type"] == "NotPermitted")


def test_a_person_who_asks_for_what_is_not_there_gets_a_page(web: Served, page: Page) -> None:
    answer = web.call("GET", "/nowhere", headers=NAVIGATION)
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    let_in = web.send("GET", "/nowhere", headers={**NAVIGATION, "Cookie": page.cookie})
    assert (let_in.status, "There is no page of the web app" in let_in.data.decode()) == (404, True)
    assert "holdfast ui" not in let_in.data.decode()  # nobody need be let in twice
    for_programs = web.send("GET", "/api/v1/notes", headers={**NAVIGATION, "Cookie": page.cookie})
    assert (for_programs.status, "for programs" in for_programs.data.decode()) == (401, True)


def test_a_command_in_a_refusal_is_drawn_as_one(web: Served) -> None:
    told = web.send("GET", "/docs", headers=NAVIGATION).data.decode()
    assert "<code>Authorization: Bearer TOKEN</code>" in told and "`" not in told


@pytest.fixture
def built(tmp_path: Path) -> StaticFiles:
    """A folder as the front end's build leaves it."""
    (tmp_path / "assets").mkdir()
    script = b"export const x = 1;\n" * 100
    (tmp_path / "index.html").write_bytes(b"<!doctype html><title>Holdfast</title>")
    (tmp_path / "refused.html").write_bytes(b"<p>{status}</p><p>{message}</p>")
    (tmp_path / "assets" / "app-0a1b.js").write_bytes(script)
    (tmp_path / "assets" / "app-0a1b.js.gz").write_bytes(gzip.compress(script, mtime=0))
    (tmp_path / "assets" / "secret.txt").write_bytes(b"not listed")
    entry = {"sha256": "ab" * 32, "bytes": len(script), "media": "text/javascript; charset=utf-8", "first": True}
    files = {"index.html": {}, "assets/app-0a1b.js": entry}
    (tmp_path / "manifest.json").write_text(json.dumps({"files": files, "sources": {}}))
    return StaticFiles(str(tmp_path))


def test_an_asset_is_kept_for_ever_and_sent_packed_to_who_takes_that(built: StaticFiles) -> None:
    plain = built.answer("/assets/app-0a1b.js", {})
    packed = built.answer("/assets/app-0a1b.js", {"accept-encoding": "br, gzip;q=0.8"})
    assert isinstance(plain, Raw) and isinstance(packed, Raw)
    assert gzip.decompress(packed.data) == plain.data
    assert ("Content-Encoding", "gzip") in packed.headers and ("Content-Encoding", "gzip") not in plain.headers
    for answer in (plain, packed):
        assert answer.media == "text/javascript; charset=utf-8"
        assert ("Vary", "Accept-Encoding") in answer.headers
        assert ("Cache-Control", "public, max-age=31536000, immutable") in answer.headers
    assert built.answer("/assets/app-0a1b.js", {"accept-encoding": "gzip;q=0"}) == plain
    assert built.answer("/assets/app-0a1b.js", {"if-none-match": f'"{"ab" * 32}"'}).status == 304


@pytest.mark.row("pages")
@pytest.mark.parametrize(
    "path", ["/assets/secret.txt", "/assets/app-0a1b.js.gz", "/assets/../manifest.json", "/assets/", "/assets/x/y"]
)
def test_only_what_the_manifest_names_is_sent(built: StaticFiles, path: str) -> None:
    assert built.answer(path, {}).status == 404


@pytest.mark.row("pages")
def test_a_refusal_is_text_in_its_page_and_never_markup(built: StaticFiles) -> None:
    shown = built.refused(403, "<script>alert(1)</script> {status} {message}").decode()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    assert shown.startswith("<p>403</p>") and shown.endswith("{status} {message}</p>")


def test_a_new_build_is_sent_without_a_new_server(built: StaticFiles, tmp_path: Path) -> None:
    before = built.answer("/", {})
    (tmp_path / "index.html").write_bytes(b"<!doctype html><title>Another</title>")
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {"index.html": {}}, "sources": {"a": "b"}}))
    after = built.answer("/", {})
    assert isinstance(after, Raw) and isinstance(before, Raw) and after.data != before.data


def test_without_a_build_the_page_says_how_it_is_made(tmp_path: Path) -> None:
    shown = StaticFiles(str(tmp_path / "none")).answer("/", {})
    assert isinstance(shown, Raw) and b"make web" in shown.data and shown.status == 200
    assert is_app_path("/notes/x") and not is_app_path("notes/x") and not is_app_path("")


def test_a_long_answer_is_packed_for_who_takes_that_and_a_link_never(web: Served, page: Page) -> None:
    plain = page.call("GET", "/settings/catalogue")
    packed = page.call("GET", "/settings/catalogue", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and len(packed.data) < len(plain.data) / 3
    assert gzip.decompress(packed.data) == plain.data
    assert "content-encoding" not in plain.headers and plain.headers["vary"] == "Accept-Encoding"
    short = page.call("GET", "/whoami", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in short.headers and "vary" not in short.headers
