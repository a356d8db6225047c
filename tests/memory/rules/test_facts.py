"""What becomes of a fact beside what is held: each row is a fact that is told, what is held, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import pytest

from furoshiki.language.dates.past.fact_times import Times
from furoshiki.memory.rules.facts import (
    Action,
    Add,
    Again,
    Cite,
    Close,
    Decision,
    Held,
    LetGo,
    Withdraw,
    decide,
    find_corrected,
    names,
    predicates,
)
from furoshiki.memory.rules.stated_facts import Told
from furoshiki.memory.values import Memory, Note

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)
BEFORE, LATER = NOW - timedelta(days=30), NOW + timedelta(days=30)


def told(subject: str, predicate: str, thing: str, **more: Any) -> Told:
    note = Note(f"{subject} {predicate} {thing}.", subject=subject, predicate=predicate, object=thing)
    return replace(Told(note, (9,), NOW, NOW), **more)


def kept(number: int, subject: str, predicate: str, thing: str, **more: Any) -> Memory:
    held = Memory(
        id=number,
        type="semantic",
        content=f"{subject} {predicate} {thing}.",
        subject=subject,
        predicate=predicate,
        object=thing,
        category=None,
        valid_from=BEFORE,
        valid_to=None,
        created_at=BEFORE,
        hit_count=0,
        source_tag="external_user",
        status="active",
        turn_ids=(number,),
    )
    return replace(held, **more)


@pytest.mark.parametrize(
    ("over", "ended"),
    [
        ("amlodipine", True), ("the amlodipine", True), ("stopped the amlodipine", True), ("losartan", False),
        ("25mg of losartan", False), ("any 5mg", False),
    ],
)  # fmt: skip
def test_a_remedy_that_is_over_is_ended_with_its_dose_or_without(over: str, ended: bool) -> None:
    """“They no longer take amlodipine” left “5mg of amlodipine” as what they take, the first of what is known."""
    held_one = kept(1, "user", "takes", "5mg of amlodipine", category="health")
    claim = told("user", "takes", over, past=True)
    claim = replace(claim, note=replace(claim.note, category="health"))
    closes = [one for one in decide(claim, held(held_one), NOW).actions if isinstance(one, Close)]
    assert [one.memory_id for one in closes] == ([1] if ended else [])


@pytest.mark.parametrize(
    ("doubt", "turns", "dropped"),
    [("10日になった", (9,), True), ("10日になった", (8,), False), ("入院", (9,), False)],
)
def test_a_doubt_is_dropped_that_the_same_message_settled_in_other_words(
    doubt: str, turns: tuple[int, ...], dropped: bool
) -> None:
    """“Is this right? Perhaps: on 10 December” was asked beside the fact that it is."""
    waits = kept(1, "千代", "plans", doubt, status="unconfirmed", unconfirmed="perhaps", turn_ids=turns)
    found = decide(told("千代", "plans", "9日じゃなくて10日になった"), held(waits), NOW)
    assert any(isinstance(one, LetGo) for one in found.actions) is dropped


def once(number: int, subject: str, predicate: str, thing: str, ended: datetime) -> Memory:
    return kept(number, subject, predicate, thing, status="superseded", valid_to=ended)


def never(number: int, subject: str, predicate: str, thing: str) -> Memory:
    return kept(number, subject, predicate, thing, status="archived", valid_to=BEFORE)


def held(*facts: Memory, others: Sequence[Memory] = (), **more: Any) -> Held:
    """What is on record: `facts` of the subject, and of `others` what is known now."""
    return Held(facts=_by("predicate", facts), of=_by("subject", others), **more)


def _by(name: str, memories: Sequence[Memory]) -> dict[str, list[Memory]]:
    ordered = sorted(memories, key=lambda one: (str(getattr(one, name)), one.id))
    return {str(key): list(group) for key, group in groupby(ordered, key=lambda one: getattr(one, name))}


def done(decision: Decision) -> list[object]:
    """The actions, an added memory by what it says."""
    return [_short(action) for action in decision.actions]


def _short(action: Action) -> object:
    if not isinstance(action, Add):
        return action
    return (action.memory.content, action.replaces, action.until, action.replaced_by)


LYON = told("user", "lives_in", "Lyon")
PARIS = kept(1, "user", "lives_in", "Paris")
MOMO = kept(1, "user", "cat", "Momo")
ANITA = kept(1, "user", "sister", "Anita")
ANIKA = told("user", "sister", "Anika")


def add(what: Told, replaces: tuple[int, ...] = (), until: datetime | None = None, by: int | None = None) -> object:
    return (what.note.text, replaces, until, by)


@pytest.mark.parametrize(
    ("what", "beside", "verdict", "actions"),
    [
        pytest.param(LYON, held(), "new", [add(LYON)], id="nothing is held"),
        pytest.param(LYON, held(forgotten=True), "forgotten", [], id="it was forgotten"),
        pytest.param(LYON, held(kept(1, "user", "lives_in", "lyon.")), "again", [Again(1)], id="it is held"),
        pytest.param(
            LYON,
            held(replace(PARIS, object="a town", content=LYON.note.text)),
            "again",
            [Again(1)],
            id="letter for letter",
        ),
        pytest.param(LYON, held(replace(PARIS, object="Lyon", turn_ids=(3, 9))), "again", [], id="the same words"),
        pytest.param(LYON, held(PARIS), "changed", [Close(1, NOW), add(LYON, (1,))], id="a move"),
        pytest.param(LYON, held(replace(PARIS, immutable=True)), "new", [add(LYON)], id="what is fixed stays"),
        pytest.param(
            LYON,
            held(replace(PARIS, valid_from=LATER)),
            "past",
            [add(LYON, until=LATER, by=1)],
            id="told before what is known now",
        ),
        pytest.param(LYON, held(once(1, "user", "lives_in", "Lyon", BEFORE)), "new", [add(LYON)], id="back again"),
        pytest.param(
            LYON, held(once(1, "user", "lives_in", "Lyon", LATER)), "again", [Cite(1, NOW)], id="words of its time"
        ),
        pytest.param(
            replace(LYON, turn_ids=(1,)),
            held(once(1, "user", "lives_in", "Lyon", BEFORE)),
            "again",
            [Cite(1, NOW)],
            id="the words it rested on",
        ),
        pytest.param(
            LYON,
            held(never(1, "user", "lives_in", "Lyon"), replaced_at={1: LATER}),
            "again",
            [],
            id="words that were put right since",
        ),
        pytest.param(
            LYON,
            held(never(1, "user", "lives_in", "Lyon"), replaced_at={1: BEFORE}),
            "new",
            [add(LYON)],
            id="said again after it was put right",
        ),
        pytest.param(
            replace(LYON, past=True, until=BEFORE),
            held(replace(PARIS, object="Lyon")),
            "changed",
            [Close(1, BEFORE), Cite(1, NOW)],
            id="what was held is over",
        ),
        pytest.param(replace(LYON, past=True), held(PARIS), "past", [add(LYON, until=NOW)], id="over, and never known"),
        pytest.param(
            replace(LYON, past=True),
            held(once(1, "user", "lives_in", "Lyon", BEFORE)),
            "again",
            [Cite(1, NOW)],
            id="over, as is known",
        ),
        pytest.param(
            told("user", "partner", "Eva", past=True),
            held(kept(1, "user", "girlfriend", "Eva"), kept(2, "user", "partner", "Eva")),
            "changed",
            [Close(1, NOW), Cite(1, NOW)],
            id="parted, whatever the two were called",
        ),
        pytest.param(
            told("user", "dislikes", "tea"),
            held(kept(1, "user", "likes", "tea"), kept(2, "user", "likes", "milk")),
            "changed",
            [Close(1, NOW), add(told("user", "dislikes", "tea"), (1,))],
            id="the opposite ends",
        ),
        pytest.param(
            told("user", "likes", "tea"),
            held(kept(1, "user", "likes", "milk")),
            "new",
            [add(told("user", "likes", "tea"))],
            id="two things are liked",
        ),
        pytest.param(
            told("user", "partner", "Eva"),
            held(kept(1, "user", "marital_status", "Single"), kept(2, "user", "wife", "Ada")),
            "changed",
            [add(told("user", "partner", "Eva")), Close(1, NOW)],
            id="who has a partner is not single",
        ),
        pytest.param(
            told("user", "marital_status", "divorced"),
            held(kept(1, "user", "wife", "Ada"), kept(2, "user", "marital_status", "married")),
            "changed",
            [Close(2, NOW), add(told("user", "marital_status", "divorced"), (2,)), Close(1, NOW)],
            id="who is divorced has no wife",
        ),
        pytest.param(
            told("Momo", "is", "died", times=Times(at=BEFORE)),
            held(people=[MOMO], others=[kept(2, "Momo", "likes", "milk"), kept(3, "Momo", "is", "fat")]),
            "changed",
            [add(told("Momo", "is", "died")), Close(2, BEFORE), Close(1, BEFORE)],
            id="a death ends everything that was so",
        ),
        pytest.param(
            told("cat", "is", "died"),
            held(people=[MOMO, kept(4, "user", "cat", "Mimi")]),
            "new",
            [add(told("cat", "is", "died"))],
            id="one of two cats",
        ),
        pytest.param(told("Einstein", "is", "died"), held(people=[MOMO]), "stranger", [], id="nobody they know"),
        pytest.param(ANIKA, held(ANITA), "new", [add(ANIKA)], id="another sister"),
        pytest.param(
            replace(ANIKA, corrects=True), held(ANITA), "corrected", [Withdraw(1), add(ANIKA, (1,))], id="misheard"
        ),
        pytest.param(
            replace(ANIKA, corrects=True),
            held(kept(1, "user", "sister", "Beatriz")),
            "new",
            [add(ANIKA)],
            id="too unlike to be misheard",
        ),
        pytest.param(
            replace(ANIKA, instead="beatriz"),
            held(ANITA, kept(2, "user", "sister", "Beatriz")),
            "corrected",
            [Withdraw(2), add(ANIKA, (2,))],
            id="the one that was denied",
        ),
        pytest.param(
            replace(ANIKA, corrects=True),
            held(ANITA, others=[kept(5, "Anita", "sings", "alto"), kept(6, "Anita", "is", "tall", immutable=True)]),
            "corrected",
            [Withdraw(1), add(ANIKA, (1,)), Withdraw(5), ("Anika sings alto.", (5,), None, None)],
            id="what was known under the wrong name",
        ),
    ],
)
def test_a_fact_comes_to_what_is_held_beside_it(
    what: Told, beside: Held, verdict: str, actions: Sequence[object]
) -> None:
    decision = decide(what, beside, NOW)
    assert (decision.verdict, done(decision)) == (verdict, actions)


def test_words_that_are_no_fact_are_kept_once() -> None:
    words = Told(Note("They sing."), (9,), NOW, NOW)
    sung = kept(3, "", "", "", content="They sing.")
    assert done(decide(words, Held(), NOW)) == [add(words)]
    assert decide(words, Held(worded=[sung]), NOW) == Decision("again", (Again(3),))


def test_what_is_new_is_kept_as_it_was_told() -> None:
    what = told("user", "lives_in", "Rome", past=True, confidence=0.4, source_tag="import", event_time=BEFORE)
    [action] = decide(what, Held(), NOW).actions
    assert isinstance(action, Add)
    new = action.memory
    assert (new.turn_ids, new.source_tag, new.confidence, new.event_time) == ((9,), "import", 0.4, BEFORE)
    assert (new.valid_from, new.metadata) == (None, {"until": "unknown"})


def test_what_is_renamed_rests_on_the_old_words_and_the_new() -> None:
    beside = held(ANITA, others=[kept(5, "Anita", "sings", "alto", confidence=0.6, importance=0.7)])
    *_, action = decide(replace(ANIKA, corrects=True), beside, NOW).actions
    assert isinstance(action, Add)
    new = action.memory
    assert (new.subject, new.turn_ids, new.valid_from) == ("Anika", (5, 9), BEFORE)
    assert (new.confidence, new.importance) == (0.6, 0.7)


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        (LYON, {"lives_in"}),
        (told("user", "likes", "tea"), {"likes", "dislikes"}),
        (told("Anna", "partner", "Ben"), {"partner"}),
        (told("user", "marital_status", "married"), {"marital_status"}),
    ],
)
def test_no_more_is_asked_for_than_may_matter(what: Told, asked: set[str]) -> None:
    assert predicates(what.note) == asked


def test_a_partner_and_a_parting_matter_to_each_other() -> None:
    for what in (told("user", "girlfriend", "Eva"), told("user", "marital_status", "single")):
        assert predicates(what.note) >= {"marital_status", "wife", "husband", "partner"}


@pytest.mark.parametrize(
    ("what", "beside", "asked"),
    [
        (LYON, held(PARIS), set()),
        (ANIKA, held(ANITA), set()),
        (replace(ANIKA, corrects=True), held(ANITA, once(2, "user", "sister", "Ada", NOW)), {"Anita"}),
        (told("cat", "is", "died"), held(people=[MOMO]), {"cat", "Momo"}),
        (told("Momo", "is", "died"), held(people=[MOMO, ANITA]), {"Momo"}),
    ],
)
def test_others_are_asked_for_who_died_or_were_misheard(what: Told, beside: Held, asked: set[str]) -> None:
    assert names(what, beside) == asked


def test_what_was_taken_back_is_what_says_the_same() -> None:
    beside = held(never(1, "user", "lives_in", "LYON"), never(2, "user", "lives_in", "Rome"), PARIS)
    assert find_corrected(LYON.note, beside) == [1]
