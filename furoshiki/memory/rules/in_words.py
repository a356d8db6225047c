"""Describe the data of `overview.whole` in words: origin, validity, decisions, weight changes."""

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from itertools import groupby
from typing import Any

from furoshiki.core.catalogue import say, words
from furoshiki.core.timestamps import name_day
from furoshiki.language.grounding.words import DENIED_NOW
from furoshiki.language.humanize import describe_told_day, figure
from furoshiki.memory.values import Memory

KINDS = words("memory_kinds")  # the types of memories in plain words


def describe_end(text: str, until: datetime | None, zone: tzinfo) -> str:
    """Say that a fact is over, so that it is never told as true. "They no longer eat fish" says so itself."""
    if until is None:
        return "replaced since"
    day = name_day(until, zone)
    if DENIED_NOW.search(text):
        return f"over by {day}"
    return f"until {day}, not now"


def describe_memory_day(memory: Memory, zone: tzinfo) -> str:
    """Return the day that a memory belongs to, in words."""
    return describe_told_day(find_day(memory), memory.content, zone)


def find_day(memory: Memory) -> datetime:
    """Return when a memory happened, else since when it holds, else when it was kept."""
    return memory.event_time or memory.valid_from or memory.created_at


# the origin of a memory as a word ("told", "read", "concluded", "corrected") and as a sentence
Came = tuple[str, str]


def came(source_tag: str, type_: str, sources: Sequence[str | None], from_documents: bool) -> Came:
    """Return the origin of a memory. `sources` is that of each cited turn (None: its writer)."""
    if source_tag == "owner":
        return "corrected", say("You put it right yourself.")
    if from_documents:
        return "concluded", say("Seen in the documents about how it works.")
    if source_tag.startswith("internal") or type_ in ("reflection", "narrative", "tension"):
        return "concluded", say("Concluded from what was said; nobody said it in these words.")
    if sources and all(sources):
        source_names = " and ".join(dict.fromkeys(source for source in sources if source))
        return "read", say("Read in words that are not your own, {sources}.", sources=source_names)
    return "told", say("Told in conversation.")


def state(memory: dict[str, Any]) -> str:
    """Return its status, with "pinned" if it is."""
    return f"{memory['status']}, pinned" if memory["pinned"] else str(memory["status"])


def validity(memory: dict[str, Any], day: Callable[[str], str] = lambda at: at[:10]) -> str:
    """Return the period for which it is true; `day` formats a timestamp."""
    start = day(memory["valid_from"] or memory["at"])
    if memory["valid_to"] is None:
        return say("since {day}", day=start)
    if memory["valid_to"] <= (memory["valid_from"] or memory["at"]):
        return say("withdrawn: never true")
    return say("from {start} to {end}", start=start, end=day(memory["valid_to"]))


def describe_decision(decision: dict[str, Any]) -> str:
    """Return a decision of the exit gate with its figures, as one line."""
    names = ("relevance", "novelty", "activation")
    figures = [f"{name} {decision[name]:.2f}" for name in names if decision[name] is not None]
    cell = [decision["cell"]] if decision["cell"] else []
    return f"{(decision['at'] or '')[:10]} {decision['became']}: {decision['because']} ({', '.join([*cell, *figures])})"


def describe_ceiling(event: dict[str, Any]) -> str:
    """Return an event of a safety ceiling: the change asked for and the change allowed."""
    what = "held back" if event["enforced"] else "would have held back"
    amounts = "" if event["asked"] is None else f": {event['asked']:.2f} asked, {event['allowed'] or 0.0:.2f} allowed"
    return f"{event['at'][:10]} {event['ceiling'].replace('_', ' ')} (stage {event['stage']}) {what}{amounts}"


def company(memory: dict[str, Any]) -> str:
    """Return a memory retrieved together with it, and how often."""
    often = figure(memory["count"])
    return f"{memory['id']} ({'once' if often == '1' else f'{often} times'})"


def describe_changes(history: Sequence[dict[str, Any]]) -> list[str]:
    """Return the changes of its weight, oldest first; equal consecutive ones share a line."""
    return [_changes(list(some)) for _, some in groupby(history, key=lambda one: one["operation"])]


def _changes(some: list[dict[str, Any]]) -> str:
    first, newest = some[0], some[-1]
    change = ""
    if first["before"] and newest["after"]:
        (a, b), (c, d) = first["before"], newest["after"]
        change = f": {a / (a + b):.2f} → {c / (c + d):.2f}"
    operation, again, _ = first["operation"].partition("_again")
    what = (KINDS.get(operation, operation) + again).replace("_", " ")
    start, end = (one["at"][:16].replace("T", " ") for one in (first, newest))
    if len(some) == 1:
        return f"{start} {what}{change}"
    when = f"at {start}" if start == end else f"between {start} and {end}"
    return f"{what} {len(some)} times {when}{change}"
