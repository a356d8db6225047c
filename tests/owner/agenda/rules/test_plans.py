"""A plan is refused in words, or it can be worked on to its end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.owner.agenda.rules import plans
from furoshiki.owner.agenda.rules.long_tasks import StepState
from furoshiki.owner.agenda.rules.plans import Plan, PlannedStep

WORDS = (
    "Collect six light tents with their prices",
    "Write down how heavy each one is",
    "Read what owners say about rain",
    "Put everything into one short table",
    "Name the best choice and say why",
    "Ask memory which trips are planned",
    "List shops near Lisbon that lend gear",
    "Work out what two nights would cost",
    "Note which campsite has open showers",
)


def plan(*after: tuple[int, ...], confidence: float = 0.8) -> Plan:
    return Plan(tuple(PlannedStep(text, needs) for text, needs in zip(WORDS, after, strict=False)), confidence)


GOOD = plan((), (1,), (1,), (2, 3))

REFUSED = (
    (plan(()), "It has 1 step; give between 2 and 8."),
    (plan(*[()] * 9), "It has 9 steps"),
    (Plan(tuple(PlannedStep(f"Do thing {n} of many") for n in range(50)), 0.9), "It has 50 steps"),
    (Plan((), 0.9), "It has 0 steps"),
    (plan((2,), (1,)), "rest on each other in a circle"),
    (plan((2,), (1,)), "No step can be begun with"),
    (plan((), (3,), (2,), (3,)), "Steps 2, 3, 4 can never be begun"),
    (plan((), (2,)), "Steps 2 can never be begun"),
    (plan((), (7,)), "Step 2 rests on step 7, which is not there."),
    (plan((), (1,), confidence=0.49), "only 49% sure"),
    (Plan((PlannedStep("Look"), PlannedStep(WORDS[0])), 0.9), "Step 1 has 1 word;"),
    (Plan((PlannedStep("very " * 31), PlannedStep(WORDS[0])), 0.9), "Step 1 has 31 words"),
    (Plan((PlannedStep(WORDS[0]), PlannedStep(WORDS[0] + " too")), 0.9), "Steps 1 and 2 say the same"),
)


def test_a_plan_that_can_be_worked_on_has_no_faults() -> None:
    assert plans.faults(GOOD) == [] == plans.faults(plan((), ())) == plans.faults(plan(*[()] * 8))


@pytest.mark.parametrize(("wrong", "why"), REFUSED)
def test_what_is_refused_says_why(wrong: Plan, why: str) -> None:
    assert any(why in one for one in plans.faults(wrong)), plans.faults(wrong)


@given(st.lists(st.frozensets(st.integers(1, 8), max_size=4), min_size=2, max_size=8), st.integers(1, 3))
def test_every_plan_without_faults_is_worked_through(after: list[frozenset[int]], at_once: int) -> None:
    made = plan(*[tuple(needs) for needs in after])
    graph = {number: step.after for number, step in enumerate(made.steps, 1)}
    if plans.faults(made):
        assert any(max(needs, default=1) > len(graph) for needs in graph.values()) or len(plans.order(graph)) < len(
            graph
        )
        return
    states: dict[int, StepState] = dict.fromkeys(graph, "waiting")
    for _ in graph:
        for number in plans.ready([(n, graph[n], states[n]) for n in graph])[:at_once]:
            assert all(states[need] == "done" for need in graph[number])
            states[number] = "done"
    assert plans.coverage(list(states.values())) == 1.0


def test_what_was_begun_goes_on_first() -> None:
    steps: list[tuple[int, tuple[int, ...], StepState]] = [(1, (), "waiting"), (2, (), "running"), (3, (1,), "waiting")]
    assert plans.ready(steps) == [2, 1]


ITSELF = (
    ("user", 1.0, 0.9, 0.05, True),
    ("user", 0.8, 1.0, 0.0, False),
    ("user", 1.0, 0.89, 0.0, False),
    ("user", 1.0, 1.0, 0.06, False),
    ("drift", 1.0, 1.0, 0.0, False),
)


@pytest.mark.parametrize(("source", "sure", "confidence", "cost", "itself"), ITSELF)
def test_only_what_they_asked_for_and_is_sure_and_cheap_needs_no_yes(
    source: str, sure: float, confidence: float, cost: float, itself: bool
) -> None:
    assert plans.accepts_itself(source, sure, confidence, cost) is itself
