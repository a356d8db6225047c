"""Parsing of a plugin's output: one valid JSON object, or the reason why it is none.

For any output this takes little time and raises nothing.
"""

import json
import math
from typing import Any, NoReturn

from furoshiki.core.framing import visible
from furoshiki.extensions.plugins.values import Output

CONTEXT_TOKENS = 2_000
CHARACTERS_PER_TOKEN = 4  # estimate for English; limits the context

DATA_BYTES = 64 * 1024
THOUGHTS = 5
LOG_CHARACTERS = 2_000
DEEPEST = 40  # maximum nesting of objects and lists

# fields of a thought, with their maximum characters
THOUGHT = {"kind": 40, "summary": 300, "detail": 2_000, "until": 40, "not_before": 40}

_WANTED = 'print one JSON object, {"context": "…", "data": …, "mind_queue": […], "log": "…"}, and nothing else'


def read(printed: bytes) -> Output | str:
    """Return the output, cut to the limits, or what is wrong. Empty output is valid."""
    if not printed.strip():
        return Output()
    try:
        found = json.loads(printed.decode("utf-8"), parse_constant=_no_number, parse_float=_number)
        deep = _depth(found) > DEEPEST
    except RecursionError:
        deep = True
    except ValueError as error:
        return f"what it printed is no JSON ({str(error)[:100]}): {_WANTED}"
    if deep:
        return f"what it printed is nested more than {DEEPEST} deep: {_WANTED}"
    if not isinstance(found, dict):
        return f"what it printed is no object: {_WANTED}"
    if unknown := sorted(found.keys() - {"context", "data", "mind_queue", "log"}):
        return f"what it printed has {_words(unknown[0], 40)!r}, which nobody reads: {_WANTED}"
    context, log, thoughts = found.get("context") or "", found.get("log") or "", found.get("mind_queue") or []
    if not isinstance(context, str) or not isinstance(log, str):
        return '"context" and "log" are texts'
    if not isinstance(thoughts, list) or not all(map(_is_thought, thoughts)):
        return '"mind_queue" is a list of objects, each with a "summary"; what else they say is text, too'
    data = found.get("data")
    size = len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    if size > DATA_BYTES:
        return f'"data" has {size:,} bytes of at most {DATA_BYTES:,}: give less'
    return Output(
        context=_words(context, CONTEXT_TOKENS * CHARACTERS_PER_TOKEN),
        data=_clean(data),
        thoughts=tuple(
            {name: _words(thought[name], most) for name, most in THOUGHT.items() if thought.get(name)}
            for thought in thoughts[:THOUGHTS]
        ),
        log=_words(log, LOG_CHARACTERS),
    )


def _is_thought(found: object) -> bool:
    return (
        isinstance(found, dict) and bool(found.get("summary")) and all(isinstance(one, str) for one in found.values())
    )


def _words(text: str, most: int) -> str:
    """Clean and shorten a text for storage, display and prompts."""
    whole = visible(text.encode("utf-8", "replace").decode("utf-8")).strip()
    return whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"


def _clean(data: Any) -> Any:
    if isinstance(data, str):
        return _words(data, DATA_BYTES)
    if isinstance(data, list):
        return list(map(_clean, data))
    if isinstance(data, dict):
        return {_words(name, DATA_BYTES): _clean(one) for name, one in data.items()}
    return data


def _depth(found: object) -> int:
    """Return the nesting depth, examined only up to the limit."""
    depth, level = 0, [found]
    while level and depth <= DEEPEST:
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below += value.values()
            elif isinstance(value, list):
                below += value
        level = below
        depth += 1
    return depth


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _number(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError("a number is too large")
    return found
