"""The milestones, their descriptions before they are reached, and the counting of hours."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

from furoshiki.core.catalogue import later, say
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.mind.readiness.values import Manifest, Milestone
from furoshiki.owner.agenda.rules.mind_queue import Thought

MEMORY, RETRIEVAL, CONSOLIDATION = "memory", "retrieval", "consolidation"
GOAL_WEIGHT, SELF_PROMPT, IDENTITY_WEIGHT = "goal_weight", "self_prompt", "identity_weight"
CONFLICT, ASSOCIATION, GOAL, DECISION = "conflict", "association", "goal", "decision"

NAMES = (
    *(MEMORY, RETRIEVAL, CONSOLIDATION, GOAL_WEIGHT, SELF_PROMPT, IDENTITY_WEIGHT),
    *(CONFLICT, ASSOCIATION, GOAL, DECISION),
)


@cache
def milestones() -> Mapping[str, Milestone]:
    """Return the milestones by name, in order, with their words from `config/milestones.toml`."""
    rows = read_toml_file(ROOT / "config" / "milestones.toml")
    return {name: Milestone(name, **rows[name]) for name in NAMES}


def thought(name: str) -> Thought | None:
    """Return the thought about a reached milestone; None if it is told otherwise."""
    words = milestones()[name].news
    return None if not words else Thought("growth", f"A first for me: {words}", f"milestone:{name}", "")


# hours are counted hourly: a longer gap means that the machine slept or the clock jumped
LONGEST_COUNTED = timedelta(hours=3)


def so_far(name: str, counts: Mapping[str, int]) -> str:
    """Describe the progress to a milestone by its counts of rows."""
    if name == CONSOLIDATION:
        if not any(counts.values()):
            return say("nothing was merged or concluded yet")
        so_far = later("merged: {merges}, insights: {insights}, narratives: {narratives}; it takes one of each")
        return say(so_far, **counts)
    milestone, count = milestones()[name], counts["leading"]
    return say(milestone.none) if count == 0 else say(milestone.some, count=count)


def start(before: Manifest, now: datetime) -> Manifest:
    """Count the start of a chat process."""
    return replace(before, starts=before.starts + 1, counted_to=now)


def count_hours(before: Manifest, now: datetime) -> Manifest:
    """Add the hours since the last count: 0 if the clock went back, 3 at most."""
    since = before.counted_to or now
    elapsed = min(max(now - since, timedelta(0)), LONGEST_COUNTED)
    return replace(before, hours_up=before.hours_up + elapsed / timedelta(hours=1), counted_to=now)
