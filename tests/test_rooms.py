"""The rooms of ARCHITECTURE.md, and the fences between them; each failure names the file, the line and the rule."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
from garbage import garbage_kept

import holdfast

SOURCE = Path(holdfast.__file__).parent
ROOMS = """errors clock plural progress named_tuple pattern value settings guard notes checkpoints markdown remote
embeddings llm index search qmd transcripts postgres sandbox images context facts recall approval dreaming
forgetting exchange operations sessions memory testing evaluation surfaces""".split()
RANK = dict.fromkeys(ROOMS[:7], 0) | {room: rank for rank, room in enumerate(ROOMS[7:], 1)}

DISK = {"os", "pathlib", "io", "shutil", "tempfile", "glob", "fcntl", "mmap", "subprocess", "multiprocessing"}
SQL = {"apsw", "sqlite3", "psycopg", "psycopg_pool", "psycopg2", "asyncpg"}
NETWORK = {
    *(
        "socket",
        "socketserver",
        "ssl",
        "http",
        "urllib",
        "urllib3",
        "asyncio",
        "smtplib",
        "ftplib",
        "xmlrpc",
        "requests",
    ),
    *("httpx", "httpx2", "aiohttp", "websockets", "openai", "anthropic", "ollama", "boto3"),
}
FRAMEWORKS = {"fastapi", "starlette", "uvicorn", "hypercorn", "flask", "django", "litestar", "jinja2", "mcp", "fastmcp"}
# What may be imported where; everything else of ours and of the standard library may be imported anywhere.
FENCES: list[tuple[str, set[str], set[str]]] = [
    ("guard and markdown do no I/O", DISK | SQL | NETWORK, set(ROOMS) - {"guard", "markdown"}),
    (
        "SQL only in index, transcripts and postgres",
        SQL,
        {"index", "transcripts", "postgres", "evaluation/baseline.py"},
    ),
    ("the network only in remote, embeddings, llm and surfaces", NETWORK, {"remote", "embeddings", "llm", "surfaces"}),
    ("PostgreSQL is spoken to only in postgres", {"psycopg", "psycopg_pool"}, {"postgres"}),
    (
        "programs are started only where they are named",
        {"subprocess"},
        {"qmd", "sandbox", "images", "notes/byte_scan.py", "embeddings/static/embedding_worker.py", "surfaces"},
    ),
    (
        "numpy only where there are vectors",
        {"numpy"},
        {
            *("embeddings", "index", "search", "evaluation", "facts/relation.py", "facts/relation_features.py"),
            *("facts/capture/sentence_classifier.py", "facts/capture/sentence_roles.py"),
            *("facts/capture/word_states.py", "facts/capture/word_vectors.py"),
        },
    ),
    ("web and MCP frameworks only in surfaces", FRAMEWORKS, {"surfaces"}),
]
STATEMENT = re.compile(
    r"\s*(SELECT |INSERT (OR|INTO) |UPDATE \w+ SET |DELETE FROM |REPLACE INTO |PRAGMA |BEGIN( IMMEDIATE)?$"
    r"|(CREATE|DROP|ALTER) (TABLE|VIRTUAL|INDEX|TRIGGER|VIEW))"
)
CHANGES = set(
    "replace rename renames unlink remove rmdir removedirs mkdir makedirs truncate ftruncate write".split()
) | {
    *("symlink", "link", "mkfifo", "mknod", "chmod", "fchmod", "chown", "copy_file_range", "pwrite", "posix_fallocate")
}
PATH_CHANGES = {"unlink", "write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "rmtree", "copyfile"}
# evaluation/baseline.py is the yardstick: plain SQL and nothing of ours. evaluation/homes.py writes throw-away homes,
# and the files that the user names.
WRITERS = (
    *("notes/", "checkpoints/", "index/sqlite/", "embeddings/local/download.py", "evaluation/homes.py"),
    "postgres/tenant_cache.py",  # directories of indexes, which are made and dropped whole
)
BANNED = set("util utils helper helpers common manager base misc core internal internals handler handlers".split())
# Words that end like an activity or its result, and are nouns of the field.
ACTIVITY = re.compile(r"(ing|[^e]ed)$|^(told|shown|found|taken|spoken|made)$")
NOUNS = set("dreaming setting spelling testing".split())

NO_THINGS = {"one", "told"}  # which thing, and what was said?
SUBORDINATE = re.compile(r"(What|Whether|How|Who|Whom|Whose|When|Where|Which|Why)\b")
# What still speaks as it did before these two rules.
UNSPOKEN = ("facts/capture/",)
# What was done to something says neither what a function does nor what it returns.
NO_DEEDS = set(
    """added answered asked called changed checked chosen described found given kept made noted opened parsed raised
    removed said sent shown stored told written""".split()
)
UNNAMED = ("search/",)  # what still has such names
MOST_CHOICES = 12  # conditional expressions in a thousand lines; those we learn from have 7 to 14


class File(NamedTuple):
    """One module: its path below the package, its room, its tree, and all that is in that."""

    path: str
    room: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]
    lines: int


@cache
def files() -> list[File]:
    found = []
    with garbage_kept():
        for path in sorted(SOURCE.rglob("*.py")):
            shown = path.relative_to(SOURCE).as_posix()
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            room = shown.split("/")[0].removesuffix(".py")
            found.append(File(shown, room, tree, tuple(ast.walk(tree)), text.count("\n")))
    return found


@pytest.fixture(autouse=True, scope="module")
def trees_go() -> Iterator[None]:
    """Have no later test's search for garbage go through a million nodes."""
    yield
    files.cache_clear()


def imports(file: File) -> Iterator[tuple[int, str]]:
    """Every import, also inside functions and for the type checker only, with its line."""
    for node in file.nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            bare = start in ("holdfast", "urllib")  # then the names are the modules
            yield from ((node.lineno, f"{start}.{alias.name}" if bare else start) for alias in node.names)


def room_of(module: str) -> str | None:
    """The room an import leads to; None for what is not ours."""
    first, _, rest = module.partition(".")
    if first != "holdfast":
        return None
    return {"Memory": "memory", "__version__": None}.get(rest.split(".")[0], rest.split(".")[0])


def calls(file: File) -> Iterator[tuple[int, str, str, ast.Call]]:
    """Every call: its line, what stands before the dot, and the name."""
    for node in file.nodes:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.lineno, "", node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                owner = node.func.value.id if isinstance(node.func.value, ast.Name) else "?"
                yield node.lineno, owner, node.func.attr, node


def opens_to_write(owner: str, name: str, node: ast.Call) -> bool:
    if owner == "os" and name == "open":
        shown = ast.unparse(node)
        return "devnull" not in shown and re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", shown) is not None
    if name not in ("open", "fdopen") or owner not in ("", "io", "os"):
        return False
    modes = [node.args[1]] if len(node.args) > 1 else [k.value for k in node.keywords if k.arg == "mode"]
    return any(not isinstance(mode, ast.Constant) or set("wax+") & set(str(mode.value)) for mode in modes)


def none_of(broken: list[str]) -> None:
    assert not broken, "\n" + "\n".join(broken)


def test_every_file_belongs_to_a_room() -> None:
    none_of(
        [
            f"{file.path}: no room is called {file.room}"
            for file in files()
            if file.room not in [*ROOMS, "__init__", "__main__"]
        ]
    )


def test_a_room_imports_only_rooms_above_it() -> None:
    broken = []
    for file in files():
        for line, module in imports(file):
            room = room_of(module)
            if module.startswith("."):
                broken.append(f"{file.path}:{line}: imports {module}: write the whole name")
            elif room is not None and room not in RANK:
                broken.append(f"{file.path}:{line}: imports {module}: there is no room {room}")
            elif room not in (None, file.room) and file.room in RANK and RANK[room or ""] >= RANK[file.room]:
                broken.append(f"{file.path}:{line}: imports {module}: {room} stands below {file.room}")
    none_of(broken)


def test_no_module_imports_one_that_leads_back_to_it() -> None:
    known = {_module_name(file): file for file in files()}
    leads_to = {name: {target for target in _run_time_imports(file) if target in known} for name, file in known.items()}
    TopologicalSorter(leads_to).prepare()  # raises a CycleError that names them


def _module_name(file: File) -> str:
    return "holdfast." + file.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _run_time_imports(file: File) -> Iterator[str]:
    """Every module of ours that it may load, also inside functions; not those for the type checker alone."""
    for_types = {
        node
        for block in file.nodes
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom) and node not in for_types:
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(("rule", "modules", "rooms"), FENCES, ids=[rule for rule, _, _ in FENCES])
def test_fences_hold(rule: str, modules: set[str], rooms: set[str]) -> None:
    none_of([
        f"{file.path}:{line}: imports {module}: {rule}"
        for file in files()
        for line, module in imports(file)
        if module.split(".")[0] in modules and module != "urllib.parse" and not {file.room, file.path} & rooms
    ])  # fmt: skip


def test_sql_is_written_only_in_index_transcripts_and_postgres() -> None:
    none_of([
        f"{file.path}:{node.lineno}: {node.value.strip()[:40]!r}: SQL only in index, transcripts and postgres"
        for file in files()
        if file.room not in ("index", "transcripts", "postgres") and file.path != "evaluation/baseline.py"
        for node in file.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value)
    ])  # fmt: skip


def test_files_are_changed_only_in_notes_checkpoints_and_the_index_file() -> None:
    broken = []
    for file in files():
        for line, owner, name, node in calls(file):
            changes = (owner in ("os", "shutil") and name in CHANGES | {"move", "copy"}) or name in PATH_CHANGES
            ours = name == "unlink" and "dir_fd" in ast.unparse(node)
            opens = name == "open" and owner == "" and file.room in ("guard", "markdown")
            if opens or ((changes or ours or opens_to_write(owner, name, node)) and not file.path.startswith(WRITERS)):
                broken.append(f"{file.path}:{line}: {ast.unparse(node)[:60]}: files are changed only in {WRITERS}")
    none_of(broken)


def test_no_module_has_a_name_that_says_nothing() -> None:
    parts = [(file, part) for file in files() for part in file.path.removesuffix(".py").split("/")]
    none_of([f"{file.path}: {part} says nothing" for file, part in parts if BANNED & set(part.lower().split("_"))])


def test_a_module_is_named_by_a_noun() -> None:
    stems = [(file, file.path.removesuffix(".py").split("/")[-1]) for file in files()]
    heads = [(file, stem.split("_")[-1]) for file, stem in stems]
    broken = [(file, head) for file, head in heads if ACTIVITY.search(head) and head not in NOUNS]
    none_of([f"{file.path}: {head} names an activity: name the thing" for file, head in broken])


def test_a_module_name_is_unique_in_the_package() -> None:
    homes: dict[str, list[str]] = {}
    for file in files():
        homes.setdefault(file.path.split("/")[-1], []).append(file.path)
    homes.pop("__init__.py")
    none_of([f"{' and '.join(paths)}: one name for two things" for paths in homes.values() if len(paths) > 1])


def test_a_package_says_what_comes_in_and_what_goes_out_and_does_nothing_else() -> None:
    broken = []
    for file in files():
        if file.path.endswith("__init__.py") and file.room != "__init__":
            if not ast.get_docstring(file.tree):
                broken.append(f"{file.path}:1: no docstring")
            broken += [f"{file.path}:{node.lineno}: an __init__ has no logic" for node in file.tree.body[1:]]
    none_of(broken)


def test_a_line_has_one_conditional_expression_at_most() -> None:
    broken = []
    for file in files():
        choices = [node for node in file.nodes if isinstance(node, ast.IfExp)]
        inner = {part for choice in choices for part in ast.walk(choice) if part is not choice}
        broken += [
            f"{file.path}:{node.lineno}: one choice inside another: write `if`" for node in choices if node in inner
        ]
        crowded = Counter(node.lineno for node in choices)
        broken += [f"{file.path}:{line}: two choices in one line" for line, count in crowded.items() if count > 1]
    none_of(broken)


def test_a_choice_is_mostly_a_statement() -> None:
    choices = sum(isinstance(node, ast.IfExp) for file in files() for node in file.nodes)
    assert 1000 * choices <= MOST_CHOICES * sum(file.lines for file in files())


def test_a_variable_is_called_after_what_it_holds() -> None:
    none_of(
        [
            f"{file.path}:{node.lineno}: which thing is `{node.id}`?"
            for file in files()
            if not file.path.startswith(UNSPOKEN)
            for node in file.nodes
            if isinstance(node, ast.Name) and node.id in NO_THINGS
        ]
    )


def test_a_function_is_called_after_what_it_does() -> None:
    none_of(
        [
            f"{file.path}:{node.lineno}: what does `{node.name}` do?"
            for file in files()
            if not file.path.startswith(UNSPOKEN + UNNAMED)
            for node in file.tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.lstrip("_") in NO_DEEDS
        ]
    )


def test_a_docstring_begins_with_a_main_clause() -> None:
    broken = []
    for file in files():
        if file.path.startswith(UNSPOKEN):
            continue
        for node in file.nodes:
            if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            text = ast.get_docstring(node) or ""
            if SUBORDINATE.match(text):
                broken.append(f"{file.path}:{node.body[0].lineno}: say what it does or is: {text[:40]!r}")
    none_of(broken)


def test_no_file_is_longer_than_600_lines() -> None:
    none_of([f"{file.path}: {file.lines} lines" for file in files() if file.lines > 600])


def public(nodes: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_everything_public_has_a_docstring() -> None:
    broken = [f"{file.path}:1: the module has no docstring" for file in files() if not ast.get_docstring(file.tree)]
    for file in files():
        bare = [node for node in public(file.tree.body) if not ast.get_docstring(node)]
        broken += [f"{file.path}:{node.lineno}: {node.name} has no docstring" for node in bare]
    none_of(broken)


def test_the_public_names_are_one_sorted_list() -> None:
    assert holdfast.__all__ == sorted(holdfast.__all__) == dir(holdfast)
    assert {name for name in holdfast.__all__ if getattr(holdfast, name, None) is None} == set()


def test_the_public_names_are_the_same_for_a_type_checker() -> None:
    tree = next(file.tree for file in files() if file.path == "__init__.py")
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    named = {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named | {"__version__"} == set(holdfast.__all__)


def test_the_folder_of_exported_conversations_is_named_in_one_place() -> None:
    named = [
        file.path
        for file in files()
        for node in file.nodes
        if isinstance(node, ast.Constant) and re.fullmatch(r"\(?memory/sessions/?(\\.*)?", str(node.value))
    ]
    assert named == ["guard/paths.py"]
