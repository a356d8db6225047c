"""Contextual late interaction: what else than meaning makes something the answer. The encoder knows words only."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.recall.retrieval import late_interaction
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.recall import Wanted, recall_exactly
from furoshiki.recall.retrieval.rules import likely_answers, nearness
from furoshiki.recall.retrieval.rules.likely_answers import TERMS, Terms
from furoshiki.recall.retrieval.store.candidates import CandidateTurn
from tests.support.recall import NOW, Memory


def found(memory: Memory, query: str, terms: Terms = TERMS, k: int = 20) -> list[str]:
    """Ids, best first."""
    memory.embed()
    return [one.id for one in recall_exactly(memory.database, memory.encoder, [Wanted(query, k, NOW)], terms=terms)[0]]


def gap(memory: Memory, better: int, worse: int, terms: Terms) -> float:
    """By how many standard deviations one turn stands before another for "zeppelin harbour"."""
    memory.embed()
    answers = recall_exactly(memory.database, memory.encoder, [Wanted("zeppelin harbour", 50, NOW)], terms=terms)[0]
    scores = {one.id: one.score for one in answers}
    return scores[f"turn:{better}"] - scores[f"turn:{worse}"]


def gap_for(memory: Memory, question: str, better: int, worse: int, mentioned: float) -> float:
    """By how many standard deviations one turn stands before another, with this weight of mentioned names."""
    memory.embed()
    wanted = [Wanted(question, 50, NOW)]
    terms = without(mentioned=mentioned)
    scores = {one.id: one.score for one in recall_exactly(memory.database, memory.encoder, wanted, terms=terms)[0]}
    return scores[f"turn:{better}"] - scores[f"turn:{worse}"]


def without(**off: object) -> Terms:
    return dataclasses.replace(TERMS, **off)  # type: ignore[arg-type]


def chatter(memory: Memory, count: int = 12) -> None:
    """Other talk, so that there is something to stand out from."""
    for i in range(count):
        memory.say(f"today the radiator number {i} was cold and grey", session=f"other {i}")


def test_an_answer_counts_the_question_before_it(memory: Memory) -> None:
    chatter(memory)
    memory.say("which harbour will the zeppelin leave from?", speaker="Mika", session="s")
    answer = memory.say("Bergen, most likely", speaker="Noor", session="s")
    elsewhere = memory.say("Bergen, most likely", speaker="Noor", session="t")
    alone = without(before=(), after=(), session=0.0, after_question=0.0)
    assert gap(memory, answer, elsewhere, alone) == pytest.approx(0.0)
    assert gap(memory, answer, elsewhere, TERMS) > 1.0


def test_an_answer_stands_before_the_question_it_answers(memory: Memory) -> None:
    chatter(memory)
    memory.say("So, when does the zeppelin leave the harbour?", speaker="Mika", session="s")
    answer = memory.say("The zeppelin leaves the harbour on Friday.", speaker="Noor", session="s")
    assert found(memory, "when does the zeppelin leave the harbour")[0] == f"turn:{answer}"


def test_what_was_asked_many_times_does_not_hide_what_was_said(memory: Memory) -> None:
    chatter(memory)
    told = memory.say("the zeppelin smells of oranges", session="s")
    for day in range(5):
        asked = ("What does the zeppelin smell of?", "The cook wants it. What does the zeppelin smell of?")[day % 2]
        memory.say(asked, session=f"day {day}")
        memory.say("The zeppelin smells of oranges, you told me.", speaker="companion", session=f"day {day}")
        memory.say("I cannot decide between two kinds of glue", session=f"day {day}")
    question = "What does the zeppelin smell of?"
    assert found(memory, question)[0] == f"turn:{told}"
    assert found(memory, question, without(asked_again=0.0))[0] != f"turn:{told}"


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("What am I allergic to?", True),
        ("what was I allergic to again?", True),
        ("what am i allergic to", True),
        ("I am allergic to it", False),
        ("Henrik cooks for us. What am I allergic to?", True),
        ("The doctor's form: what am I allergic to?", True),
        ("I am allergic to walnuts.", False),
        ("I'm allergic to walnuts, what are you allergic to?", False),
        ("I'm allergic to walnuts. What are you allergic to?", False),
        ("Is there a cake without nuts for somebody who is allergic?", False),
    ],
)
def test_a_question_asked_before_holds_no_answer(said: str, same: bool) -> None:
    wanted = nearness.extract_stems("What am I allergic to?")
    found = likely_answers.asks_again(said, wanted, nearness.extract_stems, nearness.begins_a_question)
    assert found is same


@pytest.mark.parametrize(
    ("question", "again", "answer"),
    [
        (
            "Wogegen bin ich allergisch?",
            "Wogegen bin ich nochmal allergisch?",
            "Ich bin gegen Nüsse allergisch, und du?",
        ),
        ("¿Dónde vive mi hermana?", "¿Y dónde vive mi hermana?", "Mi hermana vive en Toulouse, ¿y la tuya?"),
        ("Где живёт моя сестра?", "А где живёт моя сестра?", "Моя сестра живёт в Туле, а твоя?"),
        ("Kız kardeşim nerede yaşıyor?", "Kız kardeşim nerede yaşıyor?", "Kız kardeşim Bursa'da yaşıyor, seninki?"),
        ("我对什么过敏？", "我对什么过敏？", "我对核桃过敏，你呢？"),
    ],
)
def test_so_it_is_in_other_languages(question: str, again: str, answer: str) -> None:
    language = load_languages().of(question, None)
    assert language is not None
    wanted = language.content(question)
    assert likely_answers.asks_again(again, wanted, language.content, language.is_asked)
    assert not likely_answers.asks_again(answer, wanted, language.content, language.is_asked)


def test_when_wants_a_time(memory: Memory) -> None:
    chatter(memory)
    memory.say("the zeppelin was here indeed", session="a")
    timed = memory.say("the zeppelin was here yesterday", session="b")
    order = found(memory, "When was the zeppelin here?")
    assert order[0] == f"turn:{timed}"


def test_the_person_named_said_it(memory: Memory) -> None:
    chatter(memory)
    theirs = memory.say("my sister breeds horses", speaker="Mika", session="a")
    hers = memory.say("my sister breeds horses", speaker="Noor", session="b")
    assert found(memory, "What does Noor's sister breed?")[0] == f"turn:{hers}"
    assert found(memory, "What does Mika's sister breed?")[0] == f"turn:{theirs}"


def test_who_mentions_a_name_is_asked_about_them(memory: Memory) -> None:
    chatter(memory)
    other = memory.say("she bred horses, then it ended", session="a")
    told = memory.say("katerina and i broke up", session="b")
    assert gap_for(memory, "how did it end with Katerina", told, other, 1.5) > gap_for(
        memory, "how did it end with Katerina", told, other, 0.0
    )
    assert gap_for(memory, "how did it end", told, other, 1.5) == gap_for(memory, "how did it end", told, other, 0.0)


@pytest.mark.parametrize(
    ("text", "speaker", "asker", "share"),
    [
        ("on my bus", "user", "companion", 0.17),
        ("on my bus " * 12, "user", "companion", 0.085),
        ("on my bus", "companion", "user", 0.0),
        ("on my bus", "user", "user", 0.0),
    ],
)
def test_a_short_answer_is_near_what_its_question_is_near(text: str, speaker: str, asker: str, share: float) -> None:
    turns = {
        1: CandidateTurn(1, "s", asker, "how did you meet?", NOW.isoformat()),
        2: CandidateTurn(2, "s", speaker, text, NOW.isoformat()),
    }
    near = late_interaction._near_in_talk(2, {1: 0.9, 2: 0.3}, 0.5, turns, {2: ((1,), ())}, 0.17)
    assert near == pytest.approx(0.3 + share * 0.6)


def test_a_day_that_is_named_was_the_day(memory: Memory) -> None:
    chatter(memory)
    memory.say("we went to the harbour", days_ago=200, session="long ago")
    wanted = memory.say("we went to the harbour", days_ago=1, session="yesterday")
    memory.say("we went to the harbour", days_ago=20, session="lately")
    assert found(memory, "where did we go yesterday, the harbour?")[0] == f"turn:{wanted}"


def test_its_own_words_stand_back_unless_they_are_asked_for(memory: Memory) -> None:
    chatter(memory)
    own = memory.say("the harbour has lovely boats", speaker="companion", session="a")
    theirs = memory.say("the harbour has lovely boats", speaker="user", session="b")
    assert found(memory, "what about the boats in the harbour")[0] == f"turn:{theirs}"
    assert found(memory, "what did you tell me about the boats in the harbour")[0] == f"turn:{own}"


@pytest.mark.parametrize(
    "question",
    [
        "Can you list the boats in the harbour?",
        "Could you please give me a summary of the boats in the harbour?",
        "What boats in the harbour would you suggest?",
        "Can you tell me about the boats in the harbour that I mentioned?",
        "Which boats in the harbour has Mika recommended?",
    ],
)
def test_to_want_something_of_it_is_not_to_ask_what_it_said(memory: Memory, question: str) -> None:
    """ "Can you list …" wants a list now, of what the person said."""
    chatter(memory)
    memory.say("the harbour has lovely boats", speaker="companion", session="a")
    theirs = memory.say("the harbour has lovely boats", speaker="user", session="b")
    assert found(memory, question)[0] == f"turn:{theirs}"


@pytest.mark.parametrize(
    "question",
    [
        "Which boats in the harbour did you recommend?",
        "Can you remind me which boats in the harbour you mentioned?",
        "Could you say again which boats in the harbour you told me of?",
        "What was your advice on boats in the harbour?",
    ],
)
def test_to_want_it_said_again_is_to_ask_what_it_said(memory: Memory, question: str) -> None:
    chatter(memory)
    own = memory.say("the harbour has lovely boats", speaker="companion", session="a")
    memory.say("the harbour has lovely boats", speaker="user", session="b")
    assert found(memory, question)[0] == f"turn:{own}"


def test_asked_what_it_said_its_long_explanations_do_not_stand_back(memory: Memory) -> None:
    chatter(memory)
    page = "the harbour has lovely boats " + " ".join(f"and crate number {i} is grey" for i in range(120))
    long = memory.say(page, speaker="companion", session="a")
    short = memory.say("the harbour is not far", speaker="companion", session="b")
    memory.embed()

    def behind(question: str, terms: Terms) -> float:
        answers = recall_exactly(memory.database, memory.encoder, [Wanted(question, 50, NOW)], terms=terms)[0]
        scores = {one.id: one.score for one in answers}
        return scores[f"turn:{short}"] - scores[f"turn:{long}"]

    free = without(long_per_log=0.0)
    asked, unasked = "what did you tell me of boats in the harbour", "what of the boats in the harbour"
    assert behind(asked, TERMS) == pytest.approx(behind(asked, free), abs=0.01)
    assert behind(asked, TERMS) < 0
    assert behind(unasked, TERMS) > behind(unasked, free) + 0.1


def test_what_was_said_stands_before_the_fact_that_rests_on_it(memory: Memory) -> None:
    chatter(memory)
    said = memory.say("I moved to Lyon with my zeppelin")
    fact = memory.learn("They live in Lyon.", said, subject="user", predicate="lives_in", object="Lyon")
    order = found(memory, "Who moved to Lyon?")
    assert order.index(f"turn:{said}") < order.index(f"memory:{fact}")


def test_what_is_over_stands_behind_what_holds_unless_it_is_asked_for(memory: Memory) -> None:
    chatter(memory)
    then, now = memory.say("hello from the past"), memory.say("hello again")
    paris = memory.learn("They live in Paris.", then, subject="user", valid_from=NOW - timedelta(days=600))
    lyon = memory.learn("They live in Lyon.", now, subject="user", valid_from=NOW - timedelta(days=60))
    with memory.database.write() as db:
        memories.close(db, paris, NOW - timedelta(days=60))

    def before(question: str) -> bool:
        order = found(memory, question)
        return order.index(f"memory:{paris}") < order.index(f"memory:{lyon}")

    assert not before("which place do I live in, Paris or Lyon")
    assert before("where did I live a year ago, Paris or Lyon")
    over = recall_exactly(memory.database, memory.encoder, [Wanted("Paris", 5, NOW)])[0]
    assert [one.past for one in over if one.id == f"memory:{paris}"] == [True]


def test_a_dormant_memory_wakes_to_a_strong_cue_only(memory: Memory) -> None:
    chatter(memory)
    said = memory.say("hm")
    fact = memory.learn("silver zeppelin over Bergen harbour", said)
    with memory.database.write() as db:
        db.execute("UPDATE memories SET status='dormant' WHERE id=?", (fact,))
    assert f"memory:{fact}" not in found(memory, "zeppelin")
    assert f"memory:{fact}" in found(memory, "factual knowledge silver zeppelin over Bergen harbour")


def test_a_session_stands_behind_its_best_turn(memory: Memory) -> None:
    chatter(memory)
    said = memory.say("the zeppelin lands at noon", session="s1")
    with memory.database.write() as db:
        document = sessions.add(db, SessionDocument("s1", NOW, NOW, ("zeppelin",), "zeppelin zeppelin", None, None))
    order = found(memory, "zeppelin")
    assert order[0] == f"turn:{said}"
    assert f"session:{document}" in order[1:]


def test_interleaved_conversations_keep_their_own_neighbours(memory: Memory) -> None:
    chatter(memory)
    memory.say("which harbour will the zeppelin leave from", speaker="Mika", session="a")
    memory.say("what is for dinner", speaker="Leila", session="b")
    answer = memory.say("soup and bread", speaker="Noor", session="a")
    other = memory.say("soup and bread", speaker="Noor", session="b")
    assert gap(memory, answer, other, TERMS) > 0.5


@pytest.mark.parametrize("half", [0, 1])
def test_rows_without_tokens_are_found_all_the_same(memory: Memory, half: int) -> None:
    """As after an upgrade, while everything is embedded again."""
    ids = [memory.say(f"boat {i} carries coal number {i}", session=str(i)) for i in range(10)]
    memory.embed()
    with memory.database.write() as db:
        db.execute("DELETE FROM turn_tokens WHERE id % 2 = ?", (half,))
    order = [one.id for one in recall_exactly(memory.database, memory.encoder, [Wanted("coal", 20, NOW)])[0]]
    assert sorted(order) == sorted(f"turn:{number}" for number in ids)


def test_it_is_the_same_however_few_are_unpacked_together(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    chatter(memory)
    memory.say("the zeppelin leaves the harbour on Friday " * 20, session="s")
    memory.embed()
    asked = [Wanted("when does the zeppelin leave the harbour", 50, NOW)]

    def scores() -> dict[str, float]:
        return {one.id: one.score for one in recall_exactly(memory.database, memory.encoder, asked)[0]}

    together = scores()
    for size in (1, 3000):
        monkeypatch.setattr(late_interaction, "UNPACKED_AT_ONCE", size)
        assert scores() == pytest.approx(together, abs=1e-3)


def test_an_endless_question_is_a_question(memory: Memory) -> None:
    chatter(memory)
    there = memory.say("the zeppelin leaves the harbour on Friday", session="s")
    assert found(memory, "when does the zeppelin leave the harbour " * 300)[0] == f"turn:{there}"


def test_a_term_is_a_term_and_not_a_filter(memory: Memory) -> None:
    """Whatever is switched off, the same things are found, in another order at most."""
    chatter(memory)
    memory.say("When does the zeppelin leave?", speaker="Mika")
    memory.say("On Friday at noon", speaker="Noor")
    memory.say("the companion said so", speaker="companion")
    everything = sorted(found(memory, "When did Noor say the zeppelin leaves?"))
    for term in dataclasses.fields(Terms):
        value = getattr(TERMS, term.name)
        off: object = () if isinstance(value, tuple) else (False if isinstance(value, bool) else 0.0)
        assert (
            sorted(found(memory, "When did Noor say the zeppelin leaves?", without(**{term.name: off}))) == everything
        )


def test_what_was_said_of_another_time_stands_behind_what_is_so(memory: Memory) -> None:
    chatter(memory)
    then = memory.say("my zeppelin lies in the harbour of Bergen", days_ago=300, session="then")
    now = memory.say("my zeppelin lies in the harbour of Trieste", days_ago=10, session="now")
    before = gap(memory, now, then, TERMS)
    with memory.database.write() as db:
        old = memories.add(db, fact("Bergen", then), NOW - timedelta(days=300))
        memories.add(db, fact("Trieste", now), NOW - timedelta(days=10))
        memories.close(db, old, NOW - timedelta(days=10))
    assert gap(memory, now, then, TERMS) == pytest.approx(before + TERMS.past, abs=0.2)
    assert gap(memory, now, then, without(past=0.0)) == pytest.approx(before, abs=0.2)


def test_a_moment_that_holds_the_words_of_another_time_is_told_as_past(memory: Memory) -> None:
    then = memory.say("my zeppelin lies in the harbour of Bergen", days_ago=300, session="then")
    moment = NewMemory("episodic", "They said: “my zeppelin lies in the harbour of Bergen”", (then,))
    with memory.database.write() as db:
        old = memories.add(db, fact("Bergen", then), NOW - timedelta(days=300))
        kept = memories.add(db, moment, NOW - timedelta(days=300))
    asked = [Wanted("zeppelin harbour Bergen", 20, NOW)]
    memory.embed()

    def past() -> dict[str, bool]:
        return {one.id: one.past for one in recall_exactly(memory.database, memory.encoder, asked)[0]}

    assert past()[f"memory:{kept}"] is False
    with memory.database.write() as db:
        memories.close(db, old, NOW - timedelta(days=10))
    assert past()[f"memory:{kept}"] is True


def fact(where: str, turn: int) -> NewMemory:
    return NewMemory("semantic", f"zeppelin in {where}", (turn,), subject="user", predicate="lies_in", object=where)


def test_a_long_answer_does_not_hide_the_short_remark(memory: Memory) -> None:
    """Everything is in a long list somewhere; who asks where something was said means the remark."""
    chatter(memory)
    said = memory.say("the zeppelin lies in the harbour", speaker="Mika", session="s")
    long = "the zeppelin lies in the harbour " + " ".join(f"and crate number {i} is grey" for i in range(120))
    answer = memory.say(long, speaker="Noor", session="t")
    assert gap(memory, said, answer, TERMS) > gap(memory, said, answer, without(long_per_log=0.0))
    assert gap(memory, said, answer, TERMS) > 0


def test_nobody_answers_their_own_question(memory: Memory) -> None:
    """Three messages in a row are not a question and its answer."""
    chatter(memory)
    memory.say("which harbour will the zeppelin leave from?", speaker="Mika", session="s")
    answer = memory.say("Bergen, most likely", speaker="Noor", session="s")
    memory.say("which harbour will the zeppelin leave from?", speaker="Mika", session="t")
    went_on = memory.say("Bergen, most likely", speaker="Mika", session="t")
    assert gap(memory, answer, went_on, without(session=0.0)) > 0.1


def test_what_follows_a_long_explanation_does_not_answer_its_last_line(memory: Memory) -> None:
    """ "Shall I say more about the zeppelin?" at the end of a page is a courtesy."""
    chatter(memory)
    asked = "which harbour will the zeppelin leave from?"
    page = " ".join(f"crate number {i} is grey." for i in range(30))
    memory.say(asked, speaker="Mika", session="s")
    answer = memory.say("Bergen, most likely", speaker="Noor", session="s")
    memory.say(f"{page} {asked}", speaker="Mika", session="t")
    remark = memory.say("Bergen, most likely", speaker="Noor", session="t")
    assert gap(memory, answer, remark, without(session=0.0)) > 0.1


def test_a_person_greeted_by_a_name_is_meant_by_it(memory: Memory) -> None:
    """An export calls her em98; he calls her Kate, and so does the question."""
    chatter(memory)
    for day in range(3):
        memory.say("Hey Kate, good morning", speaker="Noor", session=f"morning {day}")
        memory.say("morning!", speaker="em98", session=f"morning {day}")
    memory.say("my sister breeds horses", speaker="Noor", session="a")
    hers = memory.say("my sister breeds horses", speaker="em98", session="b")
    assert found(memory, "What does Kate's sister breed?")[0] == f"turn:{hers}"


def test_a_name_in_a_draft_of_a_letter_is_nobodys(memory: Memory) -> None:
    chatter(memory)
    for day in range(4):
        memory.say("please draft a reply", speaker="user", session=f"letter {day}")
        memory.say("Hello Kate, thanks for the zeppelin", speaker="companion", session=f"letter {day}")
    user = memory.say("my sister breeds horses", speaker="user", session="a")
    other = memory.say("my sister breeds horses", speaker="em98", session="b")
    memory.embed()
    scores = {
        one.id: one.score
        for one in recall_exactly(memory.database, memory.encoder, [Wanted("What does Kate's sister breed?", 50, NOW)])[
            0
        ]
    }
    assert scores[f"turn:{user}"] == pytest.approx(scores[f"turn:{other}"], abs=0.1)


def test_a_person_asked_about_is_found_in_their_own_words(memory: Memory) -> None:
    chatter(memory)
    of_oneself = memory.say("I keep a zeppelin there", speaker="Mika", session="a")
    of_others = memory.say("they keep a zeppelin there", speaker="Mika", session="b")
    order = found(memory, "Where does Mika keep the zeppelin?")
    assert order.index(f"turn:{of_oneself}") < order.index(f"turn:{of_others}")


def test_an_answer_in_several_conversations_is_found_in_each(memory: Memory) -> None:
    chatter(memory)
    told = [
        memory.say(f"I planted a {what} in my garden", speaker="Mika", session=what) for what in ("fig", "plum", "rose")
    ]
    assert set(found(memory, "What did Mika plant in the garden?")[:3]) == {f"turn:{number}" for number in told}
