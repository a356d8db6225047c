"""The milestones, their descriptions before they are reached, and the counting of hours."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from furoshiki.core.catalogue import later, say
from furoshiki.mind.readiness.values import Manifest, Milestone
from furoshiki.owner.agenda.rules.mind_queue import Thought

MEMORY, RETRIEVAL, CONSOLIDATION = "memory", "retrieval", "consolidation"
GOAL_WEIGHT, SELF_PROMPT, IDENTITY_WEIGHT = "goal_weight", "self_prompt", "identity_weight"
CONFLICT, ASSOCIATION, GOAL, DECISION = "conflict", "association", "goal", "decision"

MILESTONES = later(
    (
        Milestone(MEMORY, "First memory", "something said passed the gate and became a memory linked to its message"),
        Milestone(RETRIEVAL, "First useful memory", "something I remembered came to mind, and my answer used it"),
        Milestone(CONSOLIDATION, "First consolidation", "memories were merged, an insight drawn and a narrative told"),
        Milestone(GOAL_WEIGHT, "First strengthened goal", "a memory of a goal was promoted, and it was not taken back"),
        Milestone(
            SELF_PROMPT, "First time I acted on my own prompt", "a question to myself was answered or brought up"
        ),
        Milestone(IDENTITY_WEIGHT, "First strengthened trait", "a memory of who I am was promoted, and stayed so"),
        Milestone(CONFLICT, "First conflict resolved", "a tension was closed, or an insight gave way to new evidence"),
        Milestone(
            ASSOCIATION,
            "First creative association",
            "something that came to mind purely by association was used in an answer",
        ),
        Milestone(
            GOAL, "First goal reached and reflected on", "a promise to myself was kept until it became part of me"
        ),
        Milestone(DECISION, "First decision true to my values", "I wrote first, and thereby kept a promise to myself"),
    )
)

NEWS: Mapping[str, str] = {
    MEMORY: "something they told me has become a memory of mine",
    RETRIEVAL: "something I remembered has helped me to answer them",
    CONSOLIDATION: "out of many single memories I have drawn a whole",
    GOAL_WEIGHT: "a goal has proved itself, and I hold it more firmly in mind",
    SELF_PROMPT: "I asked myself something, and did not leave it at asking",
    IDENTITY_WEIGHT: "something of who I am has proved itself, and I hold it more firmly",
    CONFLICT: "two things that did not agree have come together in me",
    ASSOCIATION: "something came to my mind by itself, and it fitted",
    DECISION: "I wrote to them because I had promised it to myself",
}
"""What the owner is told about a milestone; a goal is told as a trait instead (`growth`)."""


def thought(name: str) -> Thought | None:
    """Return the thought about a reached milestone; None if it is told otherwise."""
    words = NEWS.get(name)
    return None if words is None else Thought("growth", f"A first for me: {words}", f"milestone:{name}", "")


LONGEST_COUNTED = timedelta(hours=3)
"""Hours are counted hourly: a longer gap means that the machine slept or the clock jumped."""


def so_far(name: str, counts: Mapping[str, int]) -> str:
    """Describe the progress to a milestone by its counts of rows."""
    if name == CONSOLIDATION:
        if not any(counts.values()):
            return say("nothing was merged or concluded yet")
        so_far = later("merged: {merges}, insights: {insights}, narratives: {narratives}; it takes one of each")
        return say(so_far, **counts)
    none, some = _WORDS[name]
    count = counts["leading"]
    return say(none) if count == 0 else say(some, count=count)


_WORDS = later(
    {
        MEMORY: ("nothing said has been judged yet", "judged so far: {count}, none became a memory"),
        RETRIEVAL: (
            "nothing has come to mind yet",
            "came to mind so far: {count}, none visibly used in an answer",
        ),
        GOAL_WEIGHT: (
            "no memories of goals yet",
            "memories of goals: {count}, none needed often enough over two weeks",
        ),
        SELF_PROMPT: (
            "no question to myself yet",
            "questions to myself: {count}, none answered or brought up",
        ),
        IDENTITY_WEIGHT: (
            "no memories of who I am yet",
            "memories of who I am: {count}, none needed often enough over two weeks",
        ),
        CONFLICT: ("no conflict was noticed yet", "conflicts noticed: {count}, none resolved"),
        ASSOCIATION: ("nothing has come by association yet", "came by association: {count}, none was used"),
        GOAL: (
            "no promises yet (only a model can notice what I keep doing)",
            "promises to myself: {count}, none has become part of me",
        ),
        DECISION: (
            "I have not written first yet",
            "wrote first: {count} times, never to keep a promise",
        ),
    }
)
"""Descriptions of a milestone without and with such rows."""


def start(before: Manifest, now: datetime) -> Manifest:
    """Count the start of a chat process."""
    return replace(before, starts=before.starts + 1, counted_to=now)


def count_hours(before: Manifest, now: datetime) -> Manifest:
    """Add the hours since the last count: 0 if the clock went back, 3 at most."""
    since = before.counted_to or now
    elapsed = min(max(now - since, timedelta(0)), LONGEST_COUNTED)
    return replace(before, hours_up=before.hours_up + elapsed / timedelta(hours=1), counted_to=now)
