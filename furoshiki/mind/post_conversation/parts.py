"""Merge the readings of a long session's overlapping parts into one.

Pure. Repeated claims are merged with all their messages; for conflicts, the latest about the user
and the worst about the companion counts.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

from furoshiki.mind.inner_life.self_model.commitment_form import ReadVerdict
from furoshiki.mind.post_conversation import reading_form
from furoshiki.owner.user_model.forms import ReadStyle

MOST_TOPICS = 8
MOST_SUMMARY = 1800  # maximum characters of the merged summary

T = TypeVar("T")


def merge(readings: Sequence[reading_form.SessionReading], sizes: Sequence[int]) -> reading_form.SessionReading:
    """Merge the readings of a session's parts, in order; `sizes` are their message counts."""
    if len(readings) == 1:
        return readings[0]

    def of_each(name: str) -> list[Any]:
        return [getattr(reading, name) for reading in readings]

    def given(name: str) -> list[Any]:
        return [value for value in of_each(name) if value is not None]

    def listed(name: str) -> list[Any]:
        return list(itertools.chain.from_iterable(of_each(name)))

    return readings[-1].model_copy(
        update={
            "connection_quality": _mean(of_each("connection_quality"), sizes),
            "warmth": _mean(of_each("warmth"), sizes),
            "feelings": _feelings(readings),
            "valence": _mean(of_each("valence"), sizes),
            "intensity": max(given("intensity"), default=None),
            "moved_by": _find_moved(readings),
            "topics": _once(_in_turn(of_each("topics")), str.casefold)[:MOST_TOPICS],
            "concepts": _once(_in_turn(of_each("concepts")), str.casefold)[:MOST_TOPICS],
            "links": _once(listed("links"), lambda link: (link.one, link.other)),
            "summary": _summary(of_each("summary")),
            "facts": once_each(listed("facts")),
            "follow_ups": _merge_same(listed("follow_ups"), lambda one: _plain(one.text)),
            "anticipations": _outcomes(listed("anticipations")),
            "settled": listed("settled"),
            "user_needs": _needs(listed("user_needs")),
            "style": _style(given("style")),
            "commitments": _verdicts(listed("commitments")),
            "contradictions": _once(listed("contradictions"), lambda one: (one.message, _plain(one.value))),
            "authentic": min(given("authentic"), default=None),
            "grounded": min(given("grounded"), default=None),
            "events": list(dict.fromkeys(listed("events"))),
        }
    )


def _mean(values: Sequence[float | None], sizes: Sequence[int]) -> float | None:
    held = [(value, size) for value, size in zip(values, sizes, strict=True) if value is not None]
    weight = sum(size for _, size in held)
    return sum(value * size for value, size in held) / weight if weight else None


def _feelings(readings: Sequence[reading_form.SessionReading]) -> list[reading_form.ReadFeeling]:
    strongest: dict[Any, reading_form.ReadFeeling] = {}
    for one in (feeling for reading in readings for feeling in reading.feelings):
        if one.feeling not in strongest or one.strength > strongest[one.feeling].strength:
            strongest[one.feeling] = one
    return sorted(strongest.values(), key=lambda one: -one.strength)


def _find_moved(readings: Sequence[reading_form.SessionReading]) -> reading_form.Moved | None:
    moved = [reading for reading in readings if reading.moved_by is not None]
    return max(moved, key=lambda one: one.intensity or 0.0).moved_by if moved else None


def _summary(texts: Sequence[str]) -> str:
    kept = _once((" ".join(text.split()) for text in texts if text.strip()), str.casefold)
    room = MOST_SUMMARY // max(1, len(kept))
    return " ".join(text if len(text) <= room else text[:room].rpartition(". ")[0] + "." for text in kept)


def once_each(facts: Sequence[reading_form.ReadFact]) -> list[reading_form.ReadFact]:
    """Return each fact once, with the messages of all repetitions."""
    return _merge_same(facts, lambda fact: (*map(_plain, (fact.subject, fact.predicate, fact.object, fact.text)),))


def _outcomes(outcomes: Sequence[reading_form.ReadOutcome]) -> list[reading_form.ReadOutcome]:
    """Return the last decisive outcome of each expectation; "open" only if no part decides."""
    by_id: dict[int, reading_form.ReadOutcome] = {}
    for outcome in outcomes:
        if outcome.id not in by_id or outcome.outcome != "open":
            by_id[outcome.id] = outcome
    return list(by_id.values())


def _needs(needs: Sequence[reading_form.ReadNeed]) -> list[reading_form.ReadNeed]:
    """Return the surest reading of each need, with all messages."""
    by_name: dict[str, reading_form.ReadNeed] = {}
    for need in needs:
        before = by_name.get(need.need)
        if before is None:
            by_name[need.need] = need
            continue
        surest = need if need.confidence >= before.confidence else before
        by_name[need.need] = surest.model_copy(update={"messages": _ids(before.messages, need.messages)})
    return list(by_name.values())


def _style(styles: Sequence[ReadStyle]) -> ReadStyle | None:
    if not styles:
        return None
    means: dict[str, Any] = {}
    for name in _TRAITS:
        values = [getattr(style, name) for style in styles if getattr(style, name) is not None]
        if values:
            means[name] = sum(values) / len(values)
    return ReadStyle(**means)


_TRAITS = tuple(ReadStyle.model_fields)
_WORST_FIRST = ("broken", "honoured", "none")


def _verdicts(verdicts: Sequence[ReadVerdict]) -> list[ReadVerdict]:
    """Merge verdicts: a commitment broken in any part is broken."""
    by_id: dict[int, list[ReadVerdict]] = {}
    for verdict in verdicts:
        by_id.setdefault(verdict.id, []).append(verdict)
    kept = []
    for same in by_id.values():
        worst = min((verdict.verdict for verdict in same), key=_WORST_FIRST.index)
        ids = _ids(*(verdict.messages for verdict in same if verdict.verdict == worst))
        kept.append(same[0].model_copy(update={"verdict": worst, "messages": ids}))
    return kept


def _merge_same(found: Sequence[T], key: Callable[[T], object]) -> list[T]:
    """Return each item once, with the messages of all repetitions."""
    first: dict[object, Any] = {}
    for one in found:
        name = key(one)
        before = first.get(name)
        messages = _ids(before.messages, one.messages) if before is not None else None  # type: ignore[attr-defined]  # what is joined cites
        first[name] = one if before is None else before.model_copy(update={"messages": messages})
    return list(first.values())


def _ids(*several: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(number for ids in several for number in ids))


def _once(found: Iterable[T], key: Callable[[T], object]) -> list[T]:
    first: dict[object, T] = {}
    for one in found:
        first.setdefault(key(one), one)
    return list(first.values())


def _in_turn(several: Sequence[Sequence[str]]) -> list[str]:
    """Interleave the lists, so that each part is represented."""
    return [one for same in zip_longest(*several) for one in same if one is not None]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
