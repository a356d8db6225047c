"""What comes to mind, how pressing it is, and when it has been said."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import NeedTargets, Waiting
from furoshiki.owner.user_model.rules.profiling import ASKED_FOR, DOUBTED, Fact, gaps
from tests.support.laws import shipped

LAWS = shipped().queue

BANK = "Ask how the interview at the bank went"
HOME = "Something I do not know of them yet: where do they live?"
POTTERY = "I would like to hear more about this: They started a pottery class in May."


def waiting(
    summary: str, kind: str = "follow_up", source: str = "sessions:s1", priority: int = 3, id_: int = 1
) -> Waiting:
    return Waiting(id_, kind, priority, summary, source)


@pytest.mark.parametrize(
    ("strengths", "needs", "own"),
    [
        ({}, (), True),
        ({"sadness": 0.3, "excitement": 1.0}, ("playfulness", "companionship"), True),
        ({"sadness": 0.9}, (), False),
        ({"worry": 0.7}, (), False),
        ({"anger": 1.0}, (), False),
        ({}, ("emotional_support",), False),
        ({"excitement": 0.6}, ("space", "focus"), False),
    ],
)
def test_what_it_wants_for_itself_waits_beside_something_heavy(
    strengths: dict[str, float], needs: tuple[str, ...], own: bool
) -> None:
    noted = [waiting(BANK), waiting("That the bank and the tides are two matters", "thought")]
    ahead = [waiting("A word before the interview.", "anticipation")]
    its = [
        waiting(HOME, "question"),
        waiting(POTTERY, "need"),
        waiting("I have come to see myself differently", "growth"),
    ]
    left = mind_queue.in_place([*its, *noted, *ahead], strengths, needs)
    assert left == [*its * own, *noted * (not mind_queue.heavy(strengths)), *ahead]


@pytest.mark.parametrize(
    ("said", "heard", "thought", "raised"),
    [
        ("So, how did the interview at the bank go?", "hi", waiting(BANK), True),
        ("I'm glad the interview went so well.", "the interview at the bank was fine!", waiting(BANK), True),
        ("Mhm.", "the interview at the bank was fine!", waiting(BANK), False),
        ("You have an interview at the bank, and a cat.", "what do you know about me?", waiting(BANK), False),
        ("You have an interview at the bank. Nervous?", "what is on this week?", waiting(BANK), False),
        ("Nice. Did you sleep?", "I slept", waiting(BANK), False),
        ("So where do you live?", "hi", waiting(HOME, "question"), True),
        ("Did you sleep?", "hi", waiting(HOME, "question"), False),
        ("You live by the sea, I know.", "hi", waiting(HOME, "question"), False),
        ("Who lives there with you?", "hi", waiting(HOME, "question"), False),
        ("Tell me of the pottery class!", "hi", waiting(POTTERY, "need", "memories:3"), True),
        ("And how are you?", "hi", waiting("I would like to hear how they are", "need", "needs:communication"), True),
        ("I am well.", "hi", waiting("I would like to hear how they are", "need", "needs:communication"), False),
        ("How are you?", "hi", waiting("They sounded sad: ask how they are"), True),
        ("How are you?", "hi", waiting("Say it", "thought"), False),
        ("", "hi", waiting(BANK), False),
    ],
)
def test_a_thought_was_raised_when_its_own_words_were_said(
    said: str, heard: str, thought: Waiting, raised: bool
) -> None:
    assert mind_queue.was_raised(thought, said, heard) is raised


def test_a_long_thought_is_said_in_fewer_words() -> None:
    long = waiting(
        "Tell them of the lighthouse keeper at Nazaré who counted every wave for forty winters until the storm broke"
        " the lamp and the harbour went dark",
        "thought",
    )
    assert mind_queue.was_raised(long, "There was a lighthouse keeper who counted every wave of the storm.", "")


def test_of_a_kind_only_so_many_wait_and_the_least_pressing_goes() -> None:
    held = [waiting("a", priority=3, id_=1), waiting("b", priority=3, id_=2), waiting("c", priority=1, id_=3)]
    other = waiting("d", "growth", priority=5, id_=4)
    assert mind_queue.beyond([*held, other], {"follow_up": 2, "growth": 1}) == [1], "of equals the oldest"
    assert mind_queue.beyond([*held, other], {"follow_up": 3, "growth": 1}) == []
    assert mind_queue.beyond([other], {}) == []


def test_a_turn_is_shown_the_most_pressing_and_one_need_of_all() -> None:
    kinds = ("question", "need", "need", "growth", "thought")
    waiting_ = [waiting(f"{kind} {number}", kind, id_=number) for number, kind in enumerate(kinds)]
    assert [one.id for one in mind_queue.choose_shown(waiting_, 3)] == [0, 1, 3]
    assert [one.id for one in mind_queue.choose_shown(waiting_, 9)] == [0, 1, 3, 4]


def test_rose_presses_one_more_and_no_further_than_most() -> None:
    assert [mind_queue.compute_priority(4, mark) for mark in ("calm", "amber", "rose")] == [4, 4, 3]
    assert mind_queue.compute_priority(1, "rose") == 1


def test_every_need_but_self_knowledge_has_a_thought_with_nothing_to_turn_to_and_each_time_its_own() -> None:
    found = {need: mind_queue.of_need(need, "t1", NeedTargets()) for need in NEEDS}
    assert [need for need, one in found.items() if one is None] == ["self_knowledge"]
    keys = {one.key for one in found.values() if one} | {
        mind_queue.of_need(n, "t2", NeedTargets()).key for n in NEEDS[:4]
    }  # type: ignore[union-attr]
    assert len(keys) == 8


def test_a_need_turns_to_what_there_is() -> None:
    reach = NeedTargets(
        "the move", (2, "Call the landlord"), (3, "They will visit Anika."), (4, "They like rye bread.")
    )
    told = {need: mind_queue.of_need(need, "t1", reach) for need in NEEDS}
    assert told["communication"] and "the move" in told["communication"].summary
    assert told["curiosity_need"] and told["curiosity_need"].source == "memories:4"
    assert told["helpfulness"] and told["helpfulness"].source == "tasks:2"
    plan = mind_queue.of_need("helpfulness", "t1", NeedTargets(plan=(3, "They will visit Anika.")))
    assert plan and plan.source == "memories:3"


def test_every_gap_a_profile_can_have_is_worded_for_the_companion_itself() -> None:
    found = gaps([])
    assert {one.field for one in found} == set(ASKED_FOR) == set(mind_queue.OF_FIELDS)
    for gap in found:
        question, thought = mind_queue.of_gap(gap.field, gap.question, True)
        assert "you" not in question.casefold().split() and question.endswith("?") and thought != question
    [doubted] = [one for one in gaps([Fact(7, "They live in Porto", "location")], [7]) if one.facts]
    assert doubted.confidence == DOUBTED
    question, thought = mind_queue.of_gap(doubted.field, doubted.question, False)
    assert "They live in Porto" in question and thought.startswith("I am not sure")


def test_an_anticipation_names_its_day_and_stands_inside_its_sentence() -> None:
    thought = mind_queue.of_anticipation(3, "A kind word before the new job starts.", "Monday")
    assert thought.summary == "What they may need on Monday: a kind word before the new job starts."
    assert mind_queue.of_anticipation(3, "Noor may call.", "Monday").summary.endswith(": Noor may call.")


def test_the_shipped_numbers() -> None:
    assert LAWS.near == timedelta(hours=12)
    assert LAWS.gap_rests == timedelta(days=1)
    assert LAWS.priority["anticipation"] < LAWS.priority["question"] < LAWS.priority["need"] < LAWS.priority["growth"]
