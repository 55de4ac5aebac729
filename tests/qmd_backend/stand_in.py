"""A stand-in for the program qmd: it answers as QMD 2.8.3 does in all that is read of it, and fails on demand.

It indexes into a JSON file at INDEX_PATH. What `$HOME/qmd-fault` holds is how it fails; each call is a line of
`$HOME/qmd-calls`. It imports nothing of ours: it is the other side.
"""

# ruff: noqa: T201 - a program that prints

from __future__ import annotations

import json
import os
import re
import sys
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

HOME = Path(os.environ["HOME"])
INDEX = Path(os.environ.get("INDEX_PATH", HOME / "index.sqlite"))


def main(arguments: list[str]) -> int:
    with (HOME / "qmd-calls").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps({"arguments": arguments, "environment": sorted(os.environ), "cwd": os.getcwd()}) + "\n")
    fault = HOME / "qmd-fault"
    if fault.exists():
        verb, _, kind = fault.read_text(encoding="utf-8").strip().rpartition(":")
        if not verb or verb == arguments[0]:
            fail(kind)
    match arguments[0]:
        case "--version":
            print("qmd 2.8.3 (stand-in)")
        case "update":
            update()
        case "cleanup" | "embed":
            (HOME / f"qmd-{arguments[0]}").touch()
        case "search" | "query":
            return search(arguments)
        case "mcp":
            serve(int(arguments[arguments.index("--port") + 1]))
    return 0


def fail(kind: str) -> None:
    if kind == "exit":
        print("SqliteError: database disk image is malformed", file=sys.stderr)
        sys.exit(1)
    if kind == "garbage":
        print("Expanding query...")
        sys.exit(0)
    if kind == "object":
        print('{"error": "no"}')
        sys.exit(0)
    if kind == "flood":
        while True:
            sys.stdout.write("[" * 1_000_000)
    if kind == "hang":
        print("Expanding query...", file=sys.stderr, flush=True)
        if os.fork() == 0:  # a child that would outlive it
            (HOME / "qmd-grandchild").write_text(str(os.getpid()), encoding="utf-8")
        elif os.fork() == 0:  # and one that leaves its group, and is nobody's child
            os.setsid()
            if os.fork():
                os._exit(0)
            (HOME / "qmd-stray").write_text(str(os.getpid()), encoding="utf-8")
        while True:
            import signal

            signal.pause()
    if kind == "elsewhere":
        hits = ["qmd://main/../../etc/passwd", "qmd://nope/a.md", "qmd://main//etc/passwd", "qmd://main/state/token"]
        hits += ["qmd://main/memory/link.md", "qmd://main/memory/gone.md", "qmd://main/holdfast.toml"]
        print(json.dumps([{"docid": "#0", "score": 0.9, "file": file, "line": 1, "snippet": ""} for file in hits]))
        sys.exit(0)


def collections() -> dict[str, dict[str, str]]:
    """The collections of index.yml, in the form that Holdfast writes."""
    found: dict[str, dict[str, str]] = {}
    name = ""
    for line in (Path(os.environ["QMD_CONFIG_DIR"]) / "index.yml").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(": ")
        if line.startswith("    "):
            found[name][key.strip()] = json.loads(value)
        elif line.startswith("  "):
            name = json.loads(line.strip().removesuffix(":"))
            found[name] = {}
        elif not line.startswith("collections:"):
            break
    return found


def matches(pattern: str, path: str) -> bool:
    if pattern.startswith("{"):
        return any(matches(one, path) for one in pattern[1:-1].split(","))
    wanted = re.sub(r"\\\*\\\*/|\\\*", lambda m: "(?:.*/)?" if "/" in m[0] else "[^/]*", re.escape(pattern))
    return re.fullmatch(wanted.replace(r"\[", "[").replace(r"\]", "]"), path) is not None


def update() -> None:
    old: dict[str, str] = json.loads(INDEX.read_text(encoding="utf-8")) if INDEX.exists() else {}
    new: dict[str, str] = {}
    for name, one in collections().items():
        root, before = Path(one["path"]), f"qmd://{name}/"
        here: dict[str, str] = {}
        for file in sorted(root.rglob("*.md")):
            path = file.relative_to(root).as_posix()
            if matches(one["pattern"], path) and not any(part.is_symlink() for part in (file, *file.parents)):
                here[before + path] = file.read_text(encoding="utf-8", errors="replace")
        was = {key: text for key, text in old.items() if key.startswith(before)}
        changed = sum(key in was and was[key] != text for key, text in here.items())
        print(f"Collection: {root} ({one['pattern']})\n")
        fresh, same = len(here.keys() - was.keys()), len(here.keys() & was.keys()) - changed
        gone = len(was.keys() - here.keys())
        print(f"Indexed: {fresh} new, {changed} updated, {same} unchanged, {gone} removed")
        new |= here
    INDEX.write_text(json.dumps(new), encoding="utf-8")
    print("\n✓ All collections updated.")


def hits_of(question: str, limit: int, names: list[str], *, all_words: bool) -> list[dict[str, Any]]:
    words = re.findall(r"\w+", question.lower())
    index: dict[str, str] = json.loads(INDEX.read_text(encoding="utf-8")) if INDEX.exists() else {}
    found = []
    for file, text in index.items():
        held = [word in re.findall(r"\w+", text.lower()) for word in words]
        if file.removeprefix("qmd://").split("/")[0] in names and (all(held) if all_words else any(held)):
            lines = text.split("\n")
            best = max(range(len(lines)), key=lambda at: (sum(w in lines[at].lower() for w in words), -at))
            first = max(0, best - 1)
            shown = lines[first : best + 3]
            snippet = f"@@ -{first + 1},{len(shown)} @@ ({first} before, {len(lines) - first - len(shown)} after)\n"
            docid = sha256(text.encode()).hexdigest()[:6]
            hit = {"docid": f"#{docid}", "score": round(sum(held) / (len(held) + 1), 2), "file": file, "line": best + 1}
            found.append({**hit, "title": Path(file).stem, "snippet": snippet + "\n".join(shown)})
    return sorted(found, key=lambda hit: -float(str(hit["score"])))[:limit]


def search(arguments: list[str]) -> int:
    names = [arguments[at + 1] for at, one in enumerate(arguments) if one == "-c"]
    limit = int(arguments[arguments.index("-n") + 1])
    for name in names:
        if name not in collections():
            print(f"Collection not found: {name}", file=sys.stderr)
            return 1
    question = " ".join(arguments[arguments.index("--") + 1 :])
    print(json.dumps(hits_of(question, limit, names, all_words=arguments[0] == "search"), indent=2, ensure_ascii=False))
    return 0


class Server(BaseHTTPRequestHandler):
    """`qmd mcp --http`, as far as it is asked; the server quotes paths and numbers the lines of snippets."""

    def do_GET(self) -> None:
        self.say(200, {"status": "ok", "uptime": 1})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "searches" not in asked:
            self.say(400, {"error": "Missing required field: searches"})
            return
        (HOME / "qmd-asked").write_text(json.dumps(asked), encoding="utf-8")
        found = hits_of(asked["searches"][0]["query"], asked["limit"], asked["collections"], all_words=False)
        for hit in found:
            name, _, path = hit["file"].removeprefix("qmd://").partition("/")
            hit |= {
                "file": f"qmd://{name}/{quote(path)}",
                "context": None,
                "snippet": f"{hit['line']}: {hit['snippet']}",
            }
        self.say(200, {"results": found})

    def say(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def serve(port: int) -> None:
    server = HTTPServer(("127.0.0.1", port), Server)
    print(f"QMD MCP server listening on http://127.0.0.1:{server.server_port}/mcp", file=sys.stderr, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
