"""Field types of typed answers (shares, scores, ids), and a model that drops only invalid parts."""

import functools
import operator
import re
from contextlib import suppress
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)


def _number(value: Any) -> Any:
    """Accept an id as models cite it from a line's start: "[41]", "41 · 18:02", "memory:41"."""
    match = _CITED.match(value) if isinstance(value, str) else None
    return value if match is None else match.group(1)


_CITED = re.compile(r"\s*(?:\[\s*)?(?:(?:turn:|memory:|id\s)\s*)?(\d{1,18})\s*(?:\u00b7[^\]]*)?(?:\]\s*)?$")

Id = Annotated[int, BeforeValidator(_number)]
Share = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[int, Field(ge=1, le=5)]
Ten = Annotated[float, Field(ge=1, le=10)]

MOST_ROUNDS = 6  # rounds of dropping invalid parts: each may reveal further ones

MOST_TOLD = 8

Place = tuple[int | str, ...]


class Lenient(BaseModel):
    """An answer that drops only its invalid fields and list items.
    A list that is too long keeps its first items, a text its first sentences. An answer without any
    valid part is invalid."""

    model_config = {"defer_build": True}

    _unfit: tuple[str, ...] = PrivateAttr(())

    @property
    def unfit(self) -> tuple[str, ...]:
        """Why parts were dropped, one line each."""
        return self._unfit

    @model_validator(mode="wrap")
    @classmethod
    def _each_for_itself(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            return handler(data)
        kept = {name: list(value) if isinstance(value, list) else value for name, value in data.items()}
        told: dict[str, None] = {}
        for _ in range(MOST_ROUNDS):
            try:
                made = handler(kept)
            except ValidationError as error:
                if not (empty_null_lists(kept, error) or _take_out(kept, error, told)):
                    raise
                continue
            if told and not any(name in cls.model_fields and value not in ([], {}, "") for name, value in kept.items()):
                break
            made._unfit = tuple(told)[:MOST_TOLD]
            return made
        return handler(data)  # raises for the whole answer


def empty_null_lists(given: Any, error: ValidationError) -> bool:
    """Put an empty list wherever null was given for one, which loses nothing; True if it was."""
    wrong = error.errors(include_url=False, include_context=False)
    places = [each["loc"] for each in wrong if each["type"] in _OF_LISTS and each["input"] is None]
    for *path, name in places:
        with suppress(LookupError, TypeError):
            functools.reduce(operator.getitem, path, given)[name] = []
    return bool(places)


_OF_LISTS = frozenset({"list_type", "tuple_type"})


def _take_out(kept: dict[str, Any], error: ValidationError, told: dict[str, None]) -> bool:
    """Drop the invalid parts, last items first; True if any was dropped."""
    found = {one["loc"][:2]: one for one in error.errors(include_url=False, include_input=False)}
    changed = False
    for place in sorted(found, key=_item, reverse=True):
        one = found[place]
        if place and place[0] in kept:
            changed = True
            told[f"{'.'.join(map(str, one['loc']))}{_quote(kept, place)}: {one['msg']}"] = None
            if not _shorten(kept, place, one):
                _drop(kept, place)
    return changed


def _quote(kept: dict[str, Any], place: Place) -> str:
    """Return the words of a list item: who is to mend it does not see the list any more."""
    value, number = kept[str(place[0])], _item(place)
    item = value[number] if isinstance(value, list) and 0 <= number < len(value) else None
    return f" (“{item['text']}”)" if isinstance(item, dict) and "text" in item else ""


def _item(place: Place) -> int:
    return next((part for part in place[1:] if isinstance(part, int)), -1)


def _shorten(kept: dict[str, Any], place: Place, one: Any) -> bool:
    """Shorten a list or text that is only too long; True if it was."""
    name, most = str(place[0]), one.get("ctx", {}).get("max_length")
    if len(place) != 1 or most is None or one["type"] not in ("too_long", "string_too_long"):
        return False
    head = kept[name][:most]
    kept[name] = head.rpartition(". ")[0] + "." if isinstance(head, str) and ". " in head else head
    return True


def _drop(kept: dict[str, Any], place: Place) -> None:
    """Drop an item of a list, or else a field."""
    name, value = str(place[0]), kept[str(place[0])]
    number = place[1] if len(place) > 1 else None
    if isinstance(value, dict) and isinstance(number, int):  # an object was given where a list is expected
        key = list(value)[number]
        kept[name] = {one: held for one, held in value.items() if one != key}
    elif isinstance(value, list) and isinstance(number, int) and number < len(value):
        del value[number]
    else:
        del kept[name]
