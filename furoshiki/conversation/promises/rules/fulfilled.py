"""Find the ordered calls that were not made, allowing for other words and times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.reflex.values import SkillCall

LOOKS = frozenset({"list", "lists", "view", "history"})  # actions that change nothing


@dataclass(frozen=True)
class Done:
    """A call that succeeded or waits for consent; `outside` for a tool of a plugin or server."""

    name: str
    args: Mapping[str, Any]
    outside: bool = False


def find_missing(wanted: Sequence[SkillCall], also: frozenset[str], done: Sequence[Done]) -> tuple[SkillCall, ...]:
    """Return the wanted calls that nothing done fulfils; `also` are skills that count too. Outside
    tools have unknown effects and count as fulfilling. Equally many calls are a match; fewer stand
    for the most similar wanted ones."""
    if any(one.outside for one in done):
        return ()
    names = dict.fromkeys(call.name for call in wanted)
    return tuple(
        call
        for name in names
        for call in _find_missing([one for one in wanted if one.name == name], also | {name}, done)
    )


def _find_missing(wanted: Sequence[SkillCall], skills: frozenset[str], done: Sequence[Done]) -> tuple[SkillCall, ...]:
    made = [one for one in done if one.name in skills and one.args.get("action") not in LOOKS]
    if len(made) >= len(wanted):
        return tuple(_list_missing_items(wanted, made))
    missing = list(wanted)
    for one in made:
        alike = [call for call in missing if _alike(call, one)]
        if one.args.get("recurrence"):
            missing = [call for call in missing if call not in alike]
        elif alike:
            missing.remove(alike[0])
        elif missing:
            missing.pop(0)
    return tuple(missing)


def _list_missing_items(wanted: Sequence[SkillCall], made: Sequence[Done]) -> list[SkillCall]:
    """Return the list items that were ordered but not added."""
    named = [str(item) for call in wanted if _adds(call.args) for item in call.args["items"]]
    put = [str(item) for one in made if _adds(one.args) for item in one.args["items"]]
    if not put or len(put) >= len(named):
        return []
    left = []
    for call in wanted:
        if _adds(call.args):
            items = [one for one in call.args["items"] if not any(_has_overlap(str(one), other) for other in put)]
            if items:
                left.append(replace(call, args={**call.args, "items": items}))
    return left


def _adds(args: Mapping[str, Any]) -> bool:
    return args.get("action") == "add" and bool(args.get("items"))


def _alike(call: SkillCall, one: Done) -> bool:
    if call.name != one.name:
        return False
    if _moment(call.args.get("when")) is not None and _moment(call.args.get("when")) == _moment(one.args.get("when")):
        return True
    return _has_overlap(_matter(call.args), _matter(one.args))


def _matter(args: Mapping[str, Any]) -> str:
    return " ".join([str(args.get("what") or ""), *map(str, args.get("items") or ())])


def _has_overlap(first: str, second: str) -> bool:
    return bool(content_of(first) & stems_of(second))


def _moment(text: object) -> str | None:
    """Return a time as shown on a clock, whatever its zone's notation; None if invalid."""
    try:
        return datetime.fromisoformat(str(text)).strftime("%Y-%m-%dT%H:%M") if text else None
    except ValueError:
        return None
