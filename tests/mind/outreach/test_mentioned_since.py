"""What the owner has told since need not be brought up; what only sounds like it must be."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.mind.outreach import pulse
from furoshiki.owner.agenda.rules.mind_queue import Waiting

TOLD = [
    ("follow_up", "Ask how the interview at the bank went", ["The interview at the bank went really well!"]),
    (
        "follow_up",
        "Ask how the interview at the bank went",
        ["They offered me the job, the bank interview was a breeze."],
    ),
    ("follow_up", "Ask how the visit to Anika in Lisbon was", ["Lisbon was lovely, Anika sends her regards."]),
    (
        "follow_up",
        "Ask whether the landlord fixed the heating",
        ["the heating works again, the landlord came by this morning"],
    ),
    ("follow_up", "Ask how the driving test went", ["I passed my driving test"]),
    ("follow_up", "Ask how the driving test went", ["failed the driving test, again"]),
    ("follow_up", "Ask about the results of the blood test", ["the blood results are back, all fine"]),
    ("thought", "Their grandmother has her hip operation on Thursday", ["Gran's hip operation went fine."]),
    ("thought", "They give a talk at the conference in Ghent", ["the conference in Ghent is over, it went ok"]),
    (
        "anticipation",
        "What they may need on Monday: a kind word before the new job starts",
        ["the new job started and I love it"],
    ),
    (
        "anticipation",
        "What they may need on Friday: encouragement for the marathon in Berlin",
        ["ran the Berlin marathon in 4:02"],
    ),
    (
        "anticipation",
        "What they may need on Sunday: help with packing for the flight to Oslo",
        ["all packed, the flight to Oslo was on time"],
    ),
    (
        "question",
        "I am not sure of this any more, and could ask: do they still work at the harbour office in Faro?",
        ["I left the harbour office in Faro last year"],
    ),
    ("curiosity", "What made them learn the cello?", ["I learned the cello because of my uncle"]),
    (
        "reminder",
        "Still to be done, on the work list since 3 March: finish the tax report",
        ["finished the tax report last night"],
    ),
    (
        "reminder",
        "Still to be done, on the home list since 3 March: call the plumber",
        ["I called the plumber, he comes on Tuesday"],
    ),
    (
        "need",
        "I would like to hear more about this: They are learning to sail on the lake",
        ["learning to sail on the lake is harder than I thought"],
    ),
    ("follow_up", "Ask how the exam in chemistry went", ["So, chemistry.", "The exam was a nightmare."]),
    ("follow_up", "Ask how the dentist was", ["The dentist pulled two teeth"]),
]

NOT_TOLD = [
    ("follow_up", "Ask how the interview at the bank went", ["I have to go to the bank tomorrow"]),
    ("follow_up", "Ask how the interview at the bank went", ["When is my interview at the bank?"]),
    ("follow_up", "Ask how the interview at the bank went", ["I watched an interview with a singer"]),
    ("follow_up", "Ask how the visit to Anika in Lisbon was", ["Anika called about the car"]),
    ("follow_up", "Ask how the driving test went", ["I will take the driving test again next week"]),
    ("follow_up", "Ask whether the landlord fixed the heating", ["the landlord raised the rent"]),
    (
        "anticipation",
        "What they may need on Monday: a kind word before the new job starts",
        ["On Monday it rained all day"],
    ),
    (
        "anticipation",
        "What they may need on Friday: encouragement for the marathon in Berlin",
        ["Berlin is so far away"],
    ),
    ("question", "Something I do not know of them yet: what is the name of their cat?", ["I saw a cat on the wall"]),
    ("curiosity", "What made them learn the cello?", ["the cello in that piece is beautiful"]),
    (
        "reminder",
        "Still to be done, on the work list since 3 March: finish the tax report",
        ["the weather report says rain"],
    ),
    ("reminder", "Still to be done, on the home list since 3 March: call the plumber", ["I should call the plumber"]),
    ("delegation", "Something I set myself keeps failing me: shall I let go of it, or go on trying?", ["let go of it"]),
    ("need", "I would like to hear how they are", ["I am fine"]),
    ("follow_up", "Ask how the exam in chemistry went", ["So, chemistry.", "What a day."]),
    # one word says too little to answer a question: that is known by its fact
    ("question", "Something I do not know of them yet: what is the name of their cat?", ["my cat's name is Miso"]),
]


def waits(kind: str, summary: str) -> Waiting:
    own = "needs:communication" if summary.startswith("I would like to hear how they are") else ""
    return Waiting(1, kind, 3, summary, own)


def told(thought: Waiting, heard: list[str]) -> bool:
    return pulse.was_mentioned(thought, [pulse.extract_stems(one) for one in heard])


@pytest.mark.parametrize(("kind", "summary", "heard"), TOLD)
def test_it_was_told(kind: str, summary: str, heard: list[str]) -> None:
    assert told(waits(kind, summary), ["Good morning!", *heard, "How are you?"])


@pytest.mark.parametrize(("kind", "summary", "heard"), NOT_TOLD)
def test_it_only_sounds_like_it(kind: str, summary: str, heard: list[str]) -> None:
    assert not told(waits(kind, summary), ["Good morning!", *heard, "How are you?"])


def test_nothing_said_tells_nothing() -> None:
    assert not told(waits("follow_up", TOLD[0][1]), [])
    assert not told(waits("follow_up", "Ask how it went"), ["it went well"])


def test_what_was_said_before_it_may_be_said_does_not_count() -> None:
    came, may = (datetime(2026, 3, day, tzinfo=UTC) for day in (24, 26))
    assert pulse.counted_since(Waiting(1, "follow_up", 3, "x", created_at=came, not_before=may)) == may
    assert pulse.counted_since(Waiting(1, "follow_up", 3, "x", created_at=came)) == came
