"""The plan of a long task: whether it can be worked on as it stands, and what of it comes next.

A plan is a graph of steps; each names the steps whose results it needs. A refusal says what is wrong, so that
the planner can mend it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.humanize import plural
from furoshiki.language.words import count_words
from furoshiki.owner.agenda.rules.long_tasks import StepState, jaccard

FEWEST_STEPS, MOST_STEPS = 2, 8
SHORTEST, LONGEST = 4, 30
"""Words of a step: fewer say nothing that could be done, more are several steps."""

ALIKE = 0.7
"""Two steps that share more than this part of their words (Jaccard) are one."""

LEAST_CONFIDENCE = 0.5
"""Less sure than this nobody begins."""

SURE = 0.9
"""From here on a cheap plan for what somebody asked for needs no second yes …"""

CHEAP_USD = 0.05
"""… and cheap is what costs no more than that in all, by what steps have cost so far."""


@dataclass(frozen=True)
class PlannedStep:
    """One step: what is to be done, and the numbers (from 1) of the steps whose results it needs."""

    text: str
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plan:
    """Steps in their order; `confidence` in [0, 1] is how sure the planner is that they lead to the goal."""

    steps: tuple[PlannedStep, ...]
    confidence: float


def faults(plan: Plan) -> list[str]:
    """Why a plan cannot be worked on, each in a sentence for its planner; empty when it can."""
    count = len(plan.steps)
    if not FEWEST_STEPS <= count <= MOST_STEPS:
        return [f"It has {plural(count, 'step')}; give between {FEWEST_STEPS} and {MOST_STEPS}."]
    found = [
        f"Step {number} has {plural(words, 'word')}; say what is to be done in {SHORTEST} to {LONGEST}."
        for number, step in enumerate(plan.steps, 1)
        if not SHORTEST <= (words := count_words(step.text)) <= LONGEST
    ]
    for number, step in enumerate(plan.steps, 1):
        strange = sorted({one for one in step.after if not 1 <= one <= count})
        found += [f"Step {number} rests on step {one}, which is not there." for one in strange]
    for first, second in _twins(plan):
        found.append(f"Steps {first} and {second} say the same; make one of them.")
    if all(step.after for step in plan.steps):
        found.append("No step can be begun with: at least one must rest on no other.")
    circle = sorted(set(range(1, count + 1)) - set(order({n: one.after for n, one in enumerate(plan.steps, 1)})))
    if circle:
        named = ", ".join(map(str, circle))
        found.append(f"Steps {named} can never be begun: they rest on each other in a circle. Break it.")
    if plan.confidence < LEAST_CONFIDENCE:
        found.append(f"It is only {plan.confidence:.0%} sure to lead to the goal; {LEAST_CONFIDENCE:.0%} is the least.")
    return found


def order(after: Mapping[int, Collection[int]]) -> list[int]:
    """Steps by number, each behind all it rests on (Kahn); those in a circle, and what rests on them, are left out."""
    left = {number: set(needs) & after.keys() for number, needs in after.items()}
    found: list[int] = []
    while ready := sorted(number for number, needs in left.items() if not needs):
        found += ready
        left = {number: needs - set(ready) for number, needs in left.items() if number not in ready}
    return found


def ready(steps: Sequence[tuple[int, Collection[int], StepState]]) -> list[int]:
    """The steps (number, what each rests on, state) that can be worked on now: what was begun and not ended first."""
    done = {number for number, _, state in steps if state == "done"}
    begun = [number for number, _, state in steps if state == "running"]
    return begun + [number for number, after, state in steps if state == "waiting" and done.issuperset(after)]


def coverage(states: Collection[StepState]) -> float:
    """The share of steps that are done, in [0, 1]."""
    return sum(state == "done" for state in states) / len(states) if states else 0.0


def accepts_itself(source_tag: str, source_confidence: float, confidence: float, cost_usd: float) -> bool:
    """Whether what somebody asked for is begun without a second yes: they did so in their own words, with no words of
    others in view (`source_confidence` is 1), it will lead to the goal, and costs little."""
    return source_tag == "user" and source_confidence >= 1.0 and confidence >= SURE and cost_usd <= CHEAP_USD


def _twins(plan: Plan) -> list[tuple[int, int]]:
    steps = list(enumerate(plan.steps, 1))
    return [
        (number, other)
        for place, (number, one) in enumerate(steps)
        for other, two in steps[place + 1 :]
        if jaccard(one.text, two.text) > ALIKE
    ]
