"""Parsing of tool calls written as text, in the notations of the common model families."""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from furoshiki.models.llm.rules.json_repair import Unreadable, read_json

Called = tuple[str, dict[str, Any]]  # the name of a tool, and its arguments

LONGEST = 100_000
MOST_CALLS = 32

_NAMED_BY = ("name", "tool_name", "function_name", "recipient_name", "tool", "function", "action")
_GIVEN_AS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
_NESTED = ("function", "tool_calls", "tool_uses", "function_call", "tool_call")
_BESIDE = frozenset({*_NAMED_BY, *_GIVEN_AS, *_NESTED, "id", "type", "tool_call_id", "index"})
_TAGGED = re.compile(r"<(?:function=|invoke\s+name=)[\"']?([\w.:-]{1,80})[\"']?\s*>")
_PARAMETER = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?([\w.-]{1,80})[\"']?[^<>\n]{0,40}>"
    r"([^<]*(?:<(?!/?parameter|/function|/invoke)[^<]*)*)"
    r"|<arg_key>([^<>]{1,80})</arg_key>\s*<arg_value>([^<]*(?:<(?!/?arg_)[^<]*)*)</arg_value>",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_][\w.-]*")
_PREFIX = re.compile(r"(?:[\w-]{1,40}\.){0,4}([\w-]+)")
_STRAY = re.compile(r"<escape>|<\|\"\|>")
_DECODER = json.JSONDecoder(strict=False)


def read(body: str, offered: Mapping[str, Mapping[str, Any]]) -> list[Called]:
    """Return the calls in `body` of `offered` tools (schemas by name); others are ignored."""
    if not offered or len(body) > LONGEST:
        return []
    body = _STRAY.sub('"', body.replace("｜DSML｜", ""))
    found: list[Called] = []
    tagged = list(_TAGGED.finditer(body))
    for number, tag in enumerate(tagged):
        end = tagged[number + 1].start() if number + 1 < len(tagged) else len(body)
        found += _of_tag(tag[1], body[tag.end() : end], offered)
    if not tagged and "<arg_key>" in body:
        head = body[: body.index("<arg_key>")]
        found += [(name, _parameters(body, offered[name])) for name in _find_tools(head, offered)]
    if not found:
        found = [call for head, value in values(body) for call in _of_value(head, value, offered)]
    return (found or list(_python(body, offered)) or _alone(body, offered))[:MOST_CALLS]


def is_call(body: str) -> bool:
    """Return whether JSON has the form of a call: only a name and arguments."""
    try:
        value = read_json(body).value
    except Unreadable:
        return False
    values = value if isinstance(value, list) else [value]
    return bool(values) and all(_has_form(one) for one in values)


def end_of(text: str, begin: int) -> int | None:
    """Return the end of the JSON, or the list of calls, at `begin`; None if incomplete."""
    try:
        return _DECODER.raw_decode(text, begin)[1]
    except (ValueError, RecursionError):
        pass
    line_end = text.find("\n", begin)
    line = text[begin : line_end if line_end >= 0 else len(text)].rstrip()
    return begin + len(line) if re.match(r"\[[a-z]\w*\(", line) and line.endswith(")]") else None


def _has_form(value: object) -> bool:
    if not isinstance(value, dict) or not set(value) <= _BESIDE:
        return False
    nested = [value[key] for key in _NESTED if isinstance(value.get(key), dict | list)]
    if nested:
        inner = nested[0] if isinstance(nested[0], list) else [nested[0]]
        return all(_has_form(one) for one in inner)
    named = any(isinstance(value.get(key), str) for key in _NAMED_BY)
    return named and any(isinstance(value.get(key), dict | str) for key in _GIVEN_AS)


def _of_tag(name: str, inner: str, offered: Mapping[str, Mapping[str, Any]]) -> list[Called]:
    known = _match_tool(name, offered)
    if known is None:
        return []
    value = _parameters(inner, offered[known]) or next((value for _, value in values(inner)), {})
    return [(known, value)] if isinstance(value, dict) else []


def _parameters(inner: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    kinds = schema.get("properties", {})
    given: dict[str, Any] = {}
    for match in _PARAMETER.finditer(inner):
        name, words = (match[1], match[2]) if match[1] else (match[3].strip(), match[4])
        given[name] = _convert(words, str(kinds.get(name, {}).get("type", "")))
    return given


def _convert(words: str, kind: str) -> Any:
    if kind == "string":
        return words.strip("\n")
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return words.strip()


def values(body: str) -> Iterator[tuple[str, Any]]:
    """Yield each complete JSON value in `body` with the text before it."""
    head = at = 0
    for _ in range(MOST_CALLS):
        begin = min((found for one in "{[" if (found := body.find(one, at)) >= 0), default=-1)
        if begin < 0:
            return
        try:
            value, end = _DECODER.raw_decode(body, begin)
        except (ValueError, RecursionError):
            if body[begin] == "[":
                at = begin + 1
                continue
            try:
                read_ = read_json(body[begin:])
            except Unreadable:
                return
            if not read_.cut:
                yield body[head:begin], read_.value
            return
        yield body[head:begin], value
        head = at = end


def _of_value(head: str, value: Any, offered: Mapping[str, Mapping[str, Any]]) -> list[Called]:
    if isinstance(value, list):
        return [call for one in value for call in _of_value("", one, offered)]
    if not isinstance(value, dict):
        return []
    for key in _NESTED:
        if isinstance(value.get(key), dict | list):
            return _of_value("", value[key], offered)
    name = next((value[key] for key in _NAMED_BY if isinstance(value.get(key), str)), None)
    if name is None or _match_tool(name, offered) is None:
        return [(one, value) for one in _find_tools(head, offered)[-1:]]
    given = next((value[key] for key in _GIVEN_AS if key in value), None)
    if isinstance(given, str):
        given = _convert(given, "")
    if given is None:
        given = {key: one for key, one in value.items() if key not in _BESIDE}
    known = _match_tool(name, offered)
    return [(known, given)] if known is not None and isinstance(given, dict) else []


def _find_tools(head: str, offered: Mapping[str, Mapping[str, Any]]) -> list[str]:
    names = (_match_tool(word, offered) for word in _WORD.findall(head))
    return [name for name in names if name is not None]


def _match_tool(name: str, offered: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the offered tool of a name, also prefixed ("functions.recall:0"), or None."""
    bare = _PREFIX.match(name)
    return next((one for one in (name, bare[1] if bare else name) if one in offered), None)


def _alone(body: str, offered: Mapping[str, Mapping[str, Any]]) -> list[Called]:
    """Return a tool named without arguments: `<tool_call>introspect</tool_call>`."""
    word = re.sub(r"<[^<>]*>", " ", body).strip()
    known = _match_tool(word, offered)
    return [(known, {})] if known is not None and word != body.strip() else []


def _python(body: str, offered: Mapping[str, Mapping[str, Any]]) -> Iterator[Called]:
    """Yield calls in Python syntax: `[recall(query="tea")]`."""
    words = re.sub(r"<[^<>\n]*>|```|tool_code|tool_calls?\n", " ", body).strip()
    if "(" not in words:
        return
    try:
        nodes: Sequence[ast.AST] = [ast.parse(words, mode="eval").body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if isinstance(nodes[0], ast.List | ast.Tuple):
        nodes = nodes[0].elts
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print" and node.args:
            node = node.args[0]
        if isinstance(node, ast.Call) and (known := _match_tool(ast.unparse(node.func), offered)) is not None:
            try:
                yield known, {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg}
            except ValueError:
                continue
