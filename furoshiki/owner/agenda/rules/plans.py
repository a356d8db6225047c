"""The plan of a long task: validation, and the next steps.

A plan is a graph of steps; each names the steps whose results it needs. Faults are sentences with
which the planner can correct it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.humanize import plural
from furoshiki.language.words import count_words
from furoshiki.owner.agenda.rules.long_tasks import StepState, jaccard

FEWEST_STEPS, MOST_STEPS = 2, 8
# the least and most words of a step: fewer are too vague, more are several steps
SHORTEST, LONGEST = 4, 30

ALIKE = 0.7  # the share of common words (Jaccard) above which two steps are the same
LEAST_CONFIDENCE = 0.5  # the least confidence for work to begin
SURE = 0.9  # from this confidence on, a cheap plan for a user's request needs no second yes …

# … and cheap is a total of at most so many US dollars, estimated from earlier steps
CHEAP_USD = 0.05


@dataclass(frozen=True)
class PlannedStep:
    """A step: its text, and the numbers (from 1) of the steps whose results it needs."""

    text: str
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plan:
    """Steps in order; `confidence` in [0, 1] is the planner's that they reach the goal."""

    steps: tuple[PlannedStep, ...]
    confidence: float


def faults(plan: Plan) -> list[str]:
    """Return a plan's faults, each a sentence for its planner; empty if it is valid."""
    count = len(plan.steps)
    if not FEWEST_STEPS <= count <= MOST_STEPS:
        return [f"It has {plural(count, 'step')}; give between {FEWEST_STEPS} and {MOST_STEPS}."]
    problems = []
    for number, step in enumerate(plan.steps, 1):
        words = count_words(step.text)
        if not SHORTEST <= words <= LONGEST:
            said = f"Step {number} has {plural(words, 'word')}"
            problems.append(f"{said}; say what is to be done in {SHORTEST} to {LONGEST}.")
        strange = sorted({one for one in step.after if not 1 <= one <= count})
        problems += [f"Step {number} rests on step {one}, which is not there." for one in strange]
    for first, second in _twins(plan):
        problems.append(f"Steps {first} and {second} say the same; make one of them.")
    if all(step.after for step in plan.steps):
        problems.append("No step can be begun with: at least one must rest on no other.")
    circle = sorted(set(range(1, count + 1)) - set(order({n: one.after for n, one in enumerate(plan.steps, 1)})))
    if circle:
        numbers = ", ".join(map(str, circle))
        problems.append(f"Steps {numbers} can never be begun: they rest on each other in a circle. Break it.")
    if plan.confidence < LEAST_CONFIDENCE:
        problems.append(
            f"It is only {plan.confidence:.0%} sure to lead to the goal; {LEAST_CONFIDENCE:.0%} is the least."
        )
    return problems


def order(after: Mapping[int, Collection[int]]) -> list[int]:
    """Return steps in topological order (Kahn's algorithm), without cycles and their dependants."""
    left = {number: set(needs) & after.keys() for number, needs in after.items()}
    numbers: list[int] = []
    while ready := sorted(number for number, needs in left.items() if not needs):
        numbers += ready
        left = {number: needs - set(ready) for number, needs in left.items() if number not in ready}
    return numbers


def ready(steps: Sequence[tuple[int, Collection[int], StepState]]) -> list[int]:
    """Return the steps (number, needed steps, state) to work on now: interrupted ones first."""
    done_numbers = {number for number, _, state in steps if state == "done"}
    begun = [number for number, _, state in steps if state == "running"]
    return begun + [number for number, after, state in steps if state == "waiting" and done_numbers.issuperset(after)]


def coverage(states: Collection[StepState]) -> float:
    """Return the share of steps that are done, in [0, 1]."""
    return sum(state == "done" for state in states) / len(states) if states else 0.0


def accepts_itself(source_tag: str, source_confidence: float, confidence: float, cost_usd: float) -> bool:
    """Whether work on a request starts without a second yes: it is in the user's own words, without
    other people's words in view (`source_confidence` is 1), the plan is sure, and cheap."""
    return source_tag == "user" and source_confidence >= 1.0 and confidence >= SURE and cost_usd <= CHEAP_USD


def _twins(plan: Plan) -> list[tuple[int, int]]:
    steps = list(enumerate(plan.steps, 1))
    return [
        (number, other)
        for place, (number, one) in enumerate(steps)
        for other, two in steps[place + 1 :]
        if jaccard(one.text, two.text) > ALIKE
    ]
