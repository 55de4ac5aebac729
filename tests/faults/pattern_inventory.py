"""Every regular expression of the package: what its modules hold, and what their functions compile when called.

A pattern that nobody lists is a pattern that nobody pumps. So the modules are walked and their syntax trees are read,
and a call of `re` whose pattern can't be told from them is an error until `_MADE_ON_DEMAND` knows how to make one.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import holdfast
from holdfast.errors import ProviderMissing
from holdfast.pattern import compile_late

__all__ = ["ListedPattern", "list_patterns"]

_CALLS: Final = frozenset(("compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"))
_DEEPEST: Final = 6  # containers in containers


class ListedPattern(NamedTuple):
    """A pattern, where it stands, and the methods that are called of it; all of them where nobody can tell."""

    where: str
    pattern: re.Pattern[Any]
    uses: frozenset[str]


def list_patterns() -> list[ListedPattern]:
    """Return every pattern of the package once, with the widest use that is made of it."""
    modules = list(_modules())
    where: dict[re.Pattern[Any], str] = {}
    uses: dict[re.Pattern[Any], set[str]] = {}
    for module, tree in modules:
        for name, value in vars(module).items():
            for pattern in _reachable(value, set()):
                where.setdefault(pattern, f"{module.__name__}:{name}")
        for line, verb, pattern in _compiled_in_functions(module, tree):
            where.setdefault(pattern, f"{module.__name__}:{line}")
            if verb != "compile":
                uses.setdefault(pattern, set()).add(verb)
    for module, tree in modules:
        for pattern, verb in _uses(module, tree):
            uses.setdefault(pattern, set()).add(verb)
    loose = {module.__name__: _loose_uses(tree) for module, tree in modules}
    listed = []
    for pattern, place in where.items():
        verbs = uses.get(pattern) or loose[place.partition(":")[0]]
        listed.append(ListedPattern(place, pattern, frozenset(verbs or _CALLS)))
    return listed


@cache
def _nodes(tree: ast.Module) -> list[ast.AST]:
    """Return every node of a tree: to walk it takes longer than what is done with it."""
    return list(ast.walk(tree))


@cache
def _bindings(tree: ast.Module) -> list[tuple[set[str], ast.expr]]:
    """Return the names that loops and assignments bind, each time with what they take their values from."""
    bound: list[tuple[list[ast.expr], ast.expr]] = []
    for node in _nodes(tree):
        if isinstance(node, (ast.For, ast.comprehension)):
            bound.append(([node.target], node.iter))
        elif isinstance(node, ast.Assign):
            bound.append((node.targets, node.value))
    return [
        ({inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}, source)
        for targets, source in bound
    ]


def _loose_uses(tree: ast.Module) -> set[str]:
    """Return how a module uses patterns that it takes from a table or a function, whichever they are."""
    calls = [node.func for node in _nodes(tree) if isinstance(node, ast.Call)]
    named = [function for function in calls if isinstance(function, ast.Attribute)]
    return {function.attr for function in named if function.attr in _CALLS - {"compile", "split"}}


def _modules() -> Iterator[tuple[ModuleType, ast.Module]]:
    for entry in pkgutil.walk_packages(holdfast.__path__, "holdfast."):
        if entry.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(entry.name)
        except ProviderMissing:  # an adapter whose framework is not installed here
            yield _read_only(entry.name)
        else:
            yield module, ast.parse(inspect.getsource(module))


def _read_only(name: str) -> tuple[ModuleType, ast.Module]:
    """Return a stand-in for a module that can't be imported, with the patterns that its source binds to names."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    module = ModuleType(name)
    vars(module).update(re=re, compile_late=compile_late)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _verb_of_re(node.value):
            exec(compile(ast.Module([node], []), name, "exec"), vars(module))
    return module, tree


def _reachable(value: object, seen: set[int], depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a value is, or holds in containers, in attributes or as the result of a cached call."""
    value = _compiled_now(value)
    if isinstance(value, re.Pattern):
        yield value
        return
    if id(value) in seen or depth > _DEEPEST or isinstance(value, (str, bytes, int, float, ModuleType)):
        return
    seen.add(id(value))
    for inner in _inner(value):
        yield from _reachable(inner, seen, depth + 1)


def _compiled_now(value: object) -> object:
    """Return what a pattern that is compiled late stands for; anything else as it is."""
    if type(value).__module__ == compile_late.__module__:
        late: Any = value
        return re.compile(late.pattern, late._given)
    return value


def _inner(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, _lru_cache_wrapper):
        return _called(value)
    if inspect.isfunction(value):
        cells = value.__closure__ or ()
        return [cell.cell_contents for cell in cells] if _is_ours(value) else []
    if isinstance(value, type):
        return list(vars(value).values()) if _is_ours(value) else []
    if not _is_ours(type(value)):
        return []
    slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ()) if isinstance(name, str)]
    return [*getattr(value, "__dict__", {}).values(), *slots]


def _is_ours(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).startswith("holdfast")


def _called(function: Any) -> list[object]:
    """Return what a cached function without arguments gives, where it is one that returns patterns."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    if signature.parameters or "Pattern" not in str(signature.return_annotation):
        return []
    return [function()]


class _Site(NamedTuple):
    function: ast.FunctionDef
    call: ast.Call


def _sites(tree: ast.AST, function: ast.FunctionDef | None = None) -> Iterator[_Site]:
    """Yield each call of `re` inside a function."""
    for child in ast.iter_child_nodes(tree):
        if function is not None and isinstance(child, ast.Call) and _verb_of_re(child):
            yield _Site(function, child)
        yield from _sites(child, child if isinstance(child, ast.FunctionDef) and function is None else function)


def _verb_of_re(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re":
        return function.attr if function.attr in _CALLS else ""
    return "compile" if isinstance(function, ast.Name) and function.id == "compile_late" else ""


def _compiled_in_functions(module: ModuleType, tree: ast.Module) -> Iterator[tuple[int, str, re.Pattern[Any]]]:
    for function, call in _sites(tree):
        verb = _verb_of_re(call)
        for pattern in _patterns_at(module, tree, function, call):
            yield call.lineno, verb, pattern


def _patterns_at(
    module: ModuleType, tree: ast.Module, function: ast.FunctionDef, call: ast.Call
) -> list[re.Pattern[Any]]:
    made = _evaluated(module, call.args[0])
    if made is not None:
        return [_compiled(made, _flags(module, call))]
    key = f"{module.__name__.removeprefix('holdfast.')}.{function.name}"
    if key in _MADE_ON_DEMAND:
        return [pattern for value in _MADE_ON_DEMAND[key]() for pattern in _reachable(value, set())]
    value = getattr(module, function.name, None)
    if isinstance(value, _lru_cache_wrapper):
        if not function.args.args:
            return list(_reachable(value(), set()))
        given = _arguments(module, tree, function.name)
        if given:
            return [pattern for argument in given for pattern in _reachable(value(argument), set())]
    raise AssertionError(f"{key}, line {call.lineno}: say in _MADE_ON_DEMAND which patterns it compiles")


def _compiled(pattern: Any, flags: int) -> re.Pattern[Any]:
    return pattern if isinstance(pattern, re.Pattern) else re.compile(pattern, flags)


def _flags(module: ModuleType, call: ast.Call) -> int:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    given = named or [argument for argument in call.args[1:] if "re." in ast.unparse(argument)]
    return int(_evaluated(module, given[0]) or 0) if given else 0


def _evaluated(module: ModuleType, expression: ast.expr) -> Any:
    """Return what an expression is by the names of its module; None where it needs others."""
    try:
        return eval(compile(ast.Expression(expression), "<pattern>", "eval"), dict(vars(module)))
    except NameError:
        return None


def _arguments(module: ModuleType, tree: ast.Module, name: str) -> list[str]:
    """Return what a function that compiles its argument is called with in its module."""
    given: list[str] = []
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            argument = _evaluated(module, node.args[0])
            given += [argument] if isinstance(argument, str) else []
        if isinstance(node, ast.comprehension) and isinstance(node.iter, ast.Tuple):
            several = _evaluated(module, node.iter)
            given += [text_rules for text_rules in several or () if isinstance(text_rules, str)]
    return given


def _uses(module: ModuleType, tree: ast.Module) -> Iterator[tuple[re.Pattern[Any], str]]:
    """Yield each pattern whose method is called, as far as the names tell, with the method."""
    for node in _nodes(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _CALLS:
            continue
        for pattern in _receivers(module, tree, node.func.value):
            yield pattern, node.func.attr


def _receivers(module: ModuleType, tree: ast.Module, receiver: ast.expr) -> list[re.Pattern[Any]]:
    if isinstance(receiver, ast.Name):
        value = _compiled_now(vars(module).get(receiver.id))
        return [value] if isinstance(value, re.Pattern) else _bound_to(module, tree, receiver.id)
    if isinstance(receiver, ast.IfExp):
        return [*_receivers(module, tree, receiver.body), *_receivers(module, tree, receiver.orelse)]
    if isinstance(receiver, ast.Attribute):
        if module.__name__ == "holdfast.surfaces.http.router":
            return [one for value in _routes_of_the_server() for one in _reachable(value, set())]
        if module.__name__ == "holdfast.facts.subject":
            return [pattern for form in _forms_of_subjects() for pattern in _reachable(form, set())]
        return _request_patterns(receiver.attr)
    if isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name):
        function = vars(module).get(receiver.func.id)
        if not isinstance(function, _lru_cache_wrapper):
            return []
        if not receiver.args:
            return [value] if isinstance(value := function(), re.Pattern) else []
        argument = _evaluated(module, receiver.args[0])
        given = [argument] if argument is not None else _arguments(module, tree, receiver.func.id)
        return [value for one in given if isinstance(value := function(one), re.Pattern)]
    return []


def _bound_to(module: ModuleType, tree: ast.Module, name: str) -> list[re.Pattern[Any]]:
    """Return the patterns that a local name may hold: it loops over a table or over what a cached function returns."""
    patterns: list[re.Pattern[Any]] = []
    for names, source in _bindings(tree):
        if name not in names:
            continue
        for inner in ast.walk(source):
            value = vars(module).get(inner.id) if isinstance(inner, ast.Name) else None
            patterns += _reachable(value, set())
    return patterns


def _request_patterns(name: str) -> list[re.Pattern[Any]]:
    from holdfast.facts.capture import memory_requests

    found = [getattr(phrases, name, None) for phrases in map(memory_requests._phrases, memory_requests.LANGUAGES)]
    return [pattern for pattern in found if isinstance(pattern, re.Pattern)]


def _phrases_of_requests() -> list[object]:
    return [pattern for name in ("ask", "after", "memory") for pattern in _request_patterns(name)]


def _signs_of_vetoes() -> list[object]:
    from holdfast.facts.capture import vetoes

    kinds = ("off_the_record", "credited", "letter", "text", "part", "withheld")
    return [pattern for kind in kinds for pattern in vetoes._patterns(kind)]


def _words_of_faithful() -> list[object]:
    from holdfast.facts.capture import faithful

    whole = [getattr(faithful, name) for name in ("_ASKS", "_OTHERS", "_SUBJECT")]
    words = [getattr(faithful, name) for name in ("_NEGATED", "_UNSURE", "_PAST", "_FIRST", "_SUBJECT")]
    inside = [rf"(?<![\w'])(?:{text_rules})(?![\w'])" for text_rules in words]
    return [re.compile(text_rules) for text_rules in (*whole, *inside)]


def _rules_of_secrets() -> list[object]:
    from holdfast.guard import secret_rules, secrets

    bodies = [rule.body for rule in secret_rules.RULES]
    before = [rule.before for rule in secret_rules.RULES if rule.before]
    return [secret_rules.compiled(text_rules) for text_rules in (*bodies, *before, vars(secrets)["_MARK"])]


def _families_of_models() -> list[object]:
    from holdfast.embeddings.local import model_prompts

    return [re.compile(pattern) for pattern, _ in vars(model_prompts)["_FAMILIES"]]


def _kinds_of_bad_text() -> list[object]:
    from holdfast.guard import text_rules

    return [re.compile(f"[{kind.characters}]") for kind in vars(text_rules)["_REFUSED"]]


def _a_text_to_forget() -> list[object]:
    from holdfast.forgetting.text_variants import Trace

    return [Trace("The launch  moved to 3 March, says Zoë"), Trace("aaaa aaaa aaaa aaaa")]


def _a_secret_of_a_provider() -> list[object]:
    from holdfast.remote.redaction import Scrubber

    return [
        Scrubber(
            {"Authorization": "Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "https://ada:aaaaaaaa@aa.example"
        )
    ]


def _routes_of_the_server() -> list[object]:
    from holdfast.surfaces.http.route_table import ROUTES
    from holdfast.surfaces.http.router import Table
    from holdfast.surfaces.http.server_state import GIVEN

    return [Table(ROUTES, GIVEN).endpoints]


# How to make the patterns that no module holds: by the function that compiles them.
def _a_small_vocabulary() -> list[object]:
    from holdfast.embeddings.static.charmap import CharMap
    from holdfast.embeddings.static.piece_blocks import PieceBlocks
    from holdfast.embeddings.static.unigram import Unigram

    return [Unigram(PieceBlocks.of(["a", "b"]), [1, 2], CharMap(b"", "\u0300\u0301"), "!?")]


def _forms_of_subjects() -> list[object]:
    from holdfast.facts.subject_forms import forms

    return list(forms())


def _wordings_of_subjects() -> list[object]:
    from holdfast.facts.subject_forms import wording

    names = ("openers", "project", "clause", "changed", "together", "idle", "one_of_a_kind")
    return [wording(name) for name in names]


_MADE_ON_DEMAND: Final[Mapping[str, Callable[[], list[object]]]] = {
    "embeddings.local.model_prompts.known_prompts": _families_of_models,
    "embeddings.static.charmap.__init__": _a_small_vocabulary,
    "embeddings.static.unigram.__init__": _a_small_vocabulary,
    "facts.capture.faithful._pattern": _words_of_faithful,
    "facts.capture.memory_requests._phrases": _phrases_of_requests,
    "facts.capture.vetoes._patterns": _signs_of_vetoes,
    "facts.subject_forms.wording": _wordings_of_subjects,
    "guard.text_rules._reason": _kinds_of_bad_text,
    "notes.byte_scan._scan": list,  # those of forgetting, which are compiled there
    "pattern.__getattr__": list,  # each is listed where it stands
    "postgres.postgres_workspace.scan": list,  # the same
    "remote.redaction._pattern": _a_secret_of_a_provider,
    "search.syntax.parts_of": lambda: [re.compile(r"(?:^|(?<=\s))-word(?=[\s,;!?]|$)")],
    "recall.recall._holds": lambda: [re.compile(r"(?<!\w)word(?!\w)")],
    "surfaces.agents.toml_table._without_lines": lambda: [re.compile(r"\s*\[table\.name[.\]]"), re.compile("name[.=]")],
    "surfaces.http.router.__init__": _routes_of_the_server,
    "forgetting.text_variants.__init__": _a_text_to_forget,
}
