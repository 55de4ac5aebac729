"""The text of a settings file and a change → the text with only that changed: comments, order and layout stay."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from holdfast.guard.jsonc import Node, NotJson, parse_jsonc
from holdfast.named_tuple import NamedTuple

__all__ = ["Path", "laid_out", "with_item", "with_member", "without"]

Path = tuple[str | int, ...]


def with_member(text: str, path: Sequence[str | int], value: object) -> str:
    """The text with a member of an object set; the objects on the way are made where they are missing."""
    node = parse_jsonc(text)
    for depth, key in enumerate(path):
        number = None
        if node.is_array or node.is_object:
            number = node.find(key)
        if number is None:
            if not node.is_object or not isinstance(key, str):
                raise NotJson(f"{_path_name(path[:depth])} is not an object")
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _inserted(text, node, key, value)
        node = node.items[number].node
    layout = _layout_of(text)
    shown = _render_value(value, layout, _indent_at(text, node.start))
    return text[: node.start] + shown + text[node.end :]


def with_item(text: str, path: Sequence[str], value: object) -> str:
    """The text with an item added to an array, which is made where it is missing."""
    node = parse_jsonc(text)
    for depth, key in enumerate(path):
        number = node.find(key)
        if number is None:
            return with_member(text, path, [value])
        node = node.items[number].node
        if depth < len(path) - 1 and not node.is_object:
            raise NotJson(f"{_path_name(path[: depth + 1])} is not an object")
    if not node.is_array:
        raise NotJson(f"{_path_name(path)} is not an array")
    return _inserted(text, node, None, value)


def without(text: str, path: Path) -> str:
    """The text without what stands there, and without the objects and arrays that hold nothing then, nor a comment."""
    whole = path
    while path:
        node = parse_jsonc(text)
        for key in path[:-1]:
            number = node.find(key)
            if number is None:
                return text
            node = node.items[number].node
        number = node.find(path[-1])
        if number is None:
            return text
        item = node.items[number]
        if path != whole and any(mark in text[item.start : item.comma or item.node.end] for mark in ("//", "/*")):
            break
        text = _cut(text, node, number)
        if len(node.items) > 1:
            break
        path = path[:-1]
    return text


def laid_out(value: object, step: str = "  ") -> str:
    """A value as text over lines; an array of words stands on one, as a person would write it."""
    if isinstance(value, dict) and value:
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {laid_out(inner, step)}" for key, inner in value.items()]
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        rows = [laid_out(inner, step) for inner in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    opening, close = "{}" if isinstance(value, dict) else "[]"
    inside = ",\n".join(rows).replace("\n", f"\n{step}")
    return f"{opening}\n{step}{inside}\n{close}"


class _Layout(NamedTuple):
    """The layout of a text: what a level is indented by (nothing where it is all on one line), and its line ends."""

    step: str
    line_end: str


def _layout_of(text: str) -> _Layout:
    root = parse_jsonc(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    if not root.items:
        return _Layout("  ", line_end)
    between = text[root.start : root.items[0].start]
    if "\n" not in between:
        return _Layout("", line_end)
    return _Layout(_indent_at(text, root.items[0].start) or "  ", line_end)


def _indent_at(text: str, place: int) -> str:
    """The white space at the start of the line that a place is in."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _render_value(value: object, layout: _Layout, indent: str) -> str:
    if not layout.step:
        return json.dumps(value, ensure_ascii=False)
    return (layout.line_end + indent).join(laid_out(value, layout.step).split("\n"))


def _inserted(text: str, node: Node, key: str | None, value: object) -> str:
    """The text with one more at the end of an object or array."""
    layout = _layout_of(text)
    close = node.end - 1
    last = node.items[-1] if node.items else None
    inner = text[node.start + 1 : close]
    one_line = not layout.step or (last is not None and "\n" not in inner)
    if one_line:
        layout = layout._replace(step="")
    outer = _indent_at(text, node.start)
    indent = outer + layout.step
    if last is not None and "\n" in text[node.start : last.start]:
        indent = _indent_at(text, last.start)
    shown = _render_value(value, layout, indent)
    if key is None:
        member = shown
    else:
        member = f"{json.dumps(key, ensure_ascii=False)}: {shown}"
    # A comment to the end of the line would swallow what came after it on that line.
    begin = last.node.end if last else node.start
    stays = one_line and "//" not in text[begin : node.tail]
    if stays:
        before = " "
    else:
        before = layout.line_end + indent
    if last is None:
        if one_line:
            after = ""
        else:
            after = layout.line_end + outer
        if node.tail > node.start + 1:
            head = text[: node.tail].rstrip(" \t\r\n")
        else:
            head = text[: node.start + 1]
        return head + ("" if stays else before) + member + after + text[close:]
    if last.comma is None:
        middle = "," + text[last.node.end : node.tail]
        return text[: last.node.end] + middle + before + member + text[node.tail :]
    return text[: node.tail] + before + member + "," + text[node.tail :]


def _cut(text: str, node: Node, number: int) -> str:
    """The text without one item of an object or array, and without one comma."""
    item = node.items[number]
    begin = _after_last(text, node.items[number - 1].node.end if number else node.start + 1, item.start)
    if item.comma is None:
        end = item.node.end
    else:
        end = item.comma + 1
    before = None
    if number:
        before = node.items[number - 1].comma
    left, right = text[:begin], text[end:]
    if item.comma is None and before is not None:
        left = text[:before] + text[before + 1 : begin]
    if len(node.items) == 1 and not (text[node.start + 1 : begin] + text[end : node.end - 1]).strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    # What stood on the next line must not end up behind a comment.
    swallowed = "//" in text[node.items[number - 1].node.end if number else node.start : begin]
    if swallowed and not right.lstrip(" \t").startswith(("\n", "\r")):
        right = "\n" + right
    return left + right


def _after_last(text: str, begin: int, end: int) -> int:
    """Return where the white space before an item begins: after a comma or a comment, which stay."""
    return begin + len(text[begin:end].rstrip(" \t\r\n"))


def _path_name(path: Sequence[Any]) -> str:
    return ".".join(map(str, path)) or "it"
