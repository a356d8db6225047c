"""Typed answers: request JSON for a pydantic model, repair and validate it, and retry once.

The result is a valid value or `AnswerUnusable`.
"""

import contextlib
import functools
import operator
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import AnswerUnusable
from furoshiki.models.llm.provider import Form
from furoshiki.models.llm.rules.json_repair import Unreadable, read_json
from furoshiki.models.llm.values import Answer, Message, Question

MOST_COMPLAINTS = 8
DECLINED = later("{model} declined to answer ({purpose})")
TWICE = later("{model} answered twice in the wrong format ({purpose}): {why}")
_LONGEST_REPEAT = 6000
_MOST_TOKENS = 8192

# how often an answer is validated: a list that was left out becomes null first, then empty
ROUNDS = 3

# schema keywords that no provider enforces: stated in words, and validated here
_HINTS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "minLength": "least length",
    "maxLength": "longest length",
    "minItems": "fewest items",
    "maxItems": "most items",
    "pattern": "pattern",
    "format": "format",
    "multipleOf": "multiple of",
}


class _Unfit(Exception):
    """The answer is invalid; the message is for the model."""


# forms by model class: pydantic takes a millisecond for each
_forms: WeakKeyDictionary[type[Any], Form] = WeakKeyDictionary()


def form_of(model: type[Any]) -> Form:
    """Return a pydantic model's JSON form, with closed objects and all fields required."""
    if model not in _forms:
        schema, strict = _narrow_schema(model.model_json_schema())
        _forms[model] = Form(model.__name__, schema, strict)
    return _forms[model]


async def ask_typed(question: Question, ask: Callable[[Question], Awaitable[Answer]]) -> Answer:
    """Return the answer of `ask` with `parsed` set, after at most one retry. An answer that already
    has a parsed value (the built-in mind's) stays as it is. Raises AnswerUnusable."""
    model = question.answer
    if model is None:
        return await ask(question)
    first = await ask(question)
    if first.parsed is not None:
        return first
    try:
        return replace(first, parsed=parse(model, first.text, cut=first.finish == "length"))
    except _Unfit as unfit:
        complaint = str(unfit)
    if first.finish == "refused":
        raise AnswerUnusable(Sentence(DECLINED, model=f"{first.provider}:{first.model}", purpose=question.purpose))
    second = await ask(_again(question, first, complaint))
    if second.parsed is not None:
        return second
    try:
        parsed = parse(model, second.text, cut=False)
    except _Unfit as unfit:
        asked = f"{second.provider}:{second.model}"
        raise AnswerUnusable(Sentence(TWICE, model=asked, purpose=question.purpose, why=str(unfit))) from None
    return replace(second, parsed=parsed)


def parse(model: type[Any], text: str, *, cut: bool = False) -> Any:
    """Validate `text` as a `model`; `cut`: refuse incomplete JSON. Raises _Unfit."""
    try:
        read = read_json(text)
    except Unreadable as error:
        raise _Unfit(str(error)) from None
    if cut and read.cut:
        raise _Unfit("the answer was cut off before its end; make it shorter")
    filled = _unwrap(model, read.value)
    try:
        return _validate(model, filled, whole=not read.cut)
    except (RecursionError, OverflowError):
        raise _Unfit("the answer holds a number or a nesting that is too large") from None


def _validate(model: type[Any], filled: Any, *, whole: bool) -> Any:
    """Validate an answer; what was left out becomes null, and null for a list of a `whole` answer
    becomes an empty one: of one that breaks off nobody knows what would have followed."""
    from pydantic import ValidationError

    from furoshiki.models.llm.fields import empty_null_lists

    found: ValidationError | None = None
    for _ in range(ROUNDS):
        try:
            return model.model_validate(filled)
        except ValidationError as error:
            found = found or error
            _add_nulls(filled, error)
            if whole:
                empty_null_lists(filled, error)
    raise _Unfit(_complaints(found)) from None


def _unwrap(model: type[Any], value: Any) -> Any:
    """Remove a needless outer object or a list of one, as models like to add."""
    fields = set(model.model_fields)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0]
    if isinstance(value, dict) and len(value) == 1:
        (key, inner), *_ = value.items()
        if key not in fields and isinstance(inner, dict) and fields & set(inner):
            return inner
    return value


def _add_nulls(filled: Any, error: Any) -> None:
    """Write null for every missing field, as models leave out what is null."""
    for misfit in error.errors(include_url=False, include_context=False, include_input=False):
        if misfit["type"] == "missing":
            *path, name = misfit["loc"]
            with contextlib.suppress(LookupError, TypeError):
                functools.reduce(operator.getitem, path, filled)[name] = None


def _complaints(error: Any) -> str:
    found = [
        f"{'.'.join(str(part) for part in one['loc']) or 'the answer'}: {one['msg']}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    more = [f"and {len(found) - MOST_COMPLAINTS} more"] if len(found) > MOST_COMPLAINTS else []
    return "; ".join([*found[:MOST_COMPLAINTS], *more])[:1200]


def _again(question: Question, first: Answer, complaint: str) -> Question:
    """Return the question with the invalid answer and its errors; more tokens if they ran out."""
    said = first.text.strip()[:_LONGEST_REPEAT] or "(nothing)"
    messages = (
        *question.messages,
        Message("assistant", said),
        Message("user", f"That does not fit: {complaint}. Answer again with the corrected JSON object only."),
    )
    tokens = question.max_tokens
    if first.finish == "length":
        tokens = max(tokens, min(tokens * 2, _MOST_TOKENS))
    return replace(question, messages=messages, max_tokens=tokens, batch_s=0.0)  # no second wait for a batch


def _narrow_schema(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Reduce a schema to what providers enforce; also return whether that was lossless."""
    strict = True
    closed: dict[str, Any] = {}
    hints: list[str] = []
    for key, value in schema.items():
        if key in ("title", "default", "examples", "discriminator"):
            continue
        if key in _HINTS:
            hints.append(f"{_HINTS[key]} {value}")
        elif key in ("properties", "$defs"):
            parts = {name: _narrow_schema(part) for name, part in value.items()}
            closed[key] = {name: part for name, (part, _) in parts.items()}
            strict = strict and all(fits for _, fits in parts.values())
        elif key in ("anyOf", "oneOf"):
            branches = [_narrow_schema(part) for part in value]
            closed["anyOf"] = [part for part, _ in branches]
            strict = strict and all(fits for _, fits in branches)
        elif key == "items":
            closed[key], fits = _narrow_schema(value)
            strict = strict and fits
        elif key in ("prefixItems", "patternProperties", "allOf", "not"):
            closed[key] = value
            strict = False
        elif key not in ("required", "additionalProperties"):
            closed[key] = value
    if "$ref" in closed:
        # a reference must be alone
        return {"$ref": closed["$ref"], **({"$defs": closed["$defs"]} if "$defs" in closed else {})}, strict
    if schema.get("type") == "object":
        if "properties" not in schema or schema.get("additionalProperties") not in (None, False):
            return {**closed, "additionalProperties": schema.get("additionalProperties", True)}, False
        closed["additionalProperties"] = False
        closed["required"] = list(schema["properties"])
    elif not closed:
        return closed, False
    if hints:
        closed["description"] = f"{closed.get('description', '')} ({', '.join(hints)})".strip()
    return closed, strict
