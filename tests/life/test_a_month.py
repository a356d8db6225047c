"""A month with one person: warm evenings, an exam, a quarrel and its repair, a week of silence, a death in the family.

The talk is in month.md. Every script's real use case runs when the brain's schedule says so (but for the backup, of
which nobody notices anything); the soul engine ticks every two hours instead of every quarter, and two five-minute
scripts every twenty. memoryd is away, so that everything is found by words. The month is lived with a model that reads
what the script says it reads, and that makes something up now and then, and at night with the built-in mind alone, too
(with every run it lives the lives of tests/transcripts).
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.conversation.rules.reciting import is_mood_question, strip_recitals
from furoshiki.core.paths import ROOT
from furoshiki.feelings.rules import user_needs
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION
from furoshiki.mind.inner_life.store import commitments, drift
from furoshiki.models.llm.values import Question
from furoshiki.owner.user_model.rules import profile
from furoshiki.owner.user_model.store import profiles
from tests.life.house import Felt, House, opened
from tests.life.month import Talk, month, remarks, thoughts
from tests.life.reader import Called, Reader
from tests.support.extent import NIGHTLY, at_night

pytestmark = [pytest.mark.slow, pytest.mark.together]

ZONE = ZoneInfo("Europe/Lisbon")
BEGINS = datetime(2026, 5, 4, 7, tzinfo=UTC)
THINNED = {
    "soul_engine": timedelta(hours=2),
    "flush_scratch": timedelta(minutes=20),
    "outreach_pulse": timedelta(minutes=20),
}
INVENTED = ("They are a spy.", "They have three children.")

WARM, QUIZ, PASSED, QUARREL, REPAIR = (date(2026, 5, day) for day in (7, 12, 16, 18, 20))
DEATH, EMPTY, FUNERAL, LATER = date(2026, 5, 28), date(2026, 5, 29), date(2026, 5, 30), date(2026, 6, 6)
SILENT = [date(2026, 5, day) for day in range(22, 28)]
"""Days without a word, from midnight to midnight."""

IDLE_CALLS = 6
"""Questions to a model on a day without a word."""

BRIGHT = ("playful", "excited", "proud", "content", "tender", "curious")


@dataclass
class Lived:
    """A month, and everything that could be noticed of it."""

    house: House
    mind: Reader
    talks: Sequence[Talk]

    def prompts(self, day: date) -> list[Question]:
        """What the mind was shown for each message of a day."""
        said = [line.text for talk in self.talks if talk.at.date() == day for line in talk.lines]
        return [
            one for one in self.mind.turns if any(f"\n{words}\n</message>" in one.messages[-1].text for words in said)
        ]

    def felt(self, day: date, hours: float = 0.0) -> Felt:
        """How it felt so many hours after the first word of a day's talk."""
        [at] = [talk.at + timedelta(hours=hours) for talk in self.talks if talk.at.date() == day]
        return [one for one in self.house.felt if one.at <= at][-1]

    def between(self, day: date, until: date) -> list[Felt]:
        """How it felt from the end of one day's talk to the beginning of another's."""
        begin, end = (next(talk.at for talk in self.talks if talk.at.date() == one) for one in (day, until))
        return [one for one in self.house.felt if begin + timedelta(hours=2) <= one.at < end]

    def asked_on(self, day: date) -> list[Called]:
        """What its scripts asked a mind on a day."""
        return [one for one in self.mind.called if one.at.date() == day and one.purpose != "turn"]


@pytest.fixture(scope="module")
def lives(empty_database: Path) -> Iterator[dict[str, Lived]]:
    shared = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="furoshiki-month-", dir=shared if shared.is_dir() else None))
    with pytest.MonkeyPatch.context() as patch:
        found = {}
        for kind in KINDS if NIGHTLY else KINDS[:1]:
            patch.setenv("FUROSHIKI_DATA", str(folder / kind))
            found[kind] = asyncio.run(_lived(folder / kind, empty_database, kind))
        yield found
    for one in found.values():
        one.house.world.database.close()
    shutil.rmtree(folder, ignore_errors=True)


KINDS = ("a model", "the built-in mind")


@pytest.fixture
def lived(lives: dict[str, Lived]) -> Lived:
    """The month with a model."""
    return lives["a model"]


@pytest.fixture(params=[KINDS[0], *at_night(KINDS[1])])
def either(lives: dict[str, Lived], request: pytest.FixtureRequest) -> Lived:
    """The month, with any mind."""
    return lives[str(request.param)]


async def _lived(data: Path, empty_database: Path, kind: str) -> Lived:
    talks, gateway = month(), []

    def mind(clock: object) -> Reader:
        reader = Reader(clock.now, remarks(talks), thoughts(talks), INVENTED, rules_only=kind != "a model")  # type: ignore[attr-defined]
        gateway.append(reader)
        return reader

    world, clock = opened(data, empty_database, BEGINS, ZONE, mind)
    house = House(world, clock, THINNED)
    for talk in talks:
        await house.until(talk.at)
        for line in talk.lines:
            gateway[0].next_answer = line.answer
            await house.say(line.text)
    await house.until(talks[-1].at + timedelta(hours=12))
    return Lived(house, gateway[0], talks)


# -- feelings --


def test_it_is_lonelier_the_longer_nobody_writes_and_glad_when_somebody_does(either: Lived) -> None:
    silence = either.between(REPAIR, DEATH)
    lonely = [one.emotions["loneliness"] for one in silence]
    assert lonely == sorted(lonely)
    assert lonely[0] < 0.7 < lonely[-1] == 1.0
    assert silence[0].mood in BRIGHT
    assert silence[-1].mood == "lonely"
    assert sum(one.mood == "lonely" for one in silence) > len(silence) / 2
    assert either.felt(DEATH, 3).emotions["loneliness"] < 0.8


def test_a_warm_evening_stays_with_it_for_some_hours(either: Lived) -> None:
    before, after = either.felt(WARM, -0.5), either.felt(WARM, 1)
    assert after.mood in BRIGHT
    for name in ("joy", "affection", "contentment"):
        assert after.emotions[name] > before.emotions[name]
    assert after.emotions["loneliness"] < before.emotions["loneliness"]


def test_a_quarrel_irritates_it_and_it_gets_over_it(either: Lived) -> None:
    at_end, that_night, two_days_later = either.felt(QUARREL, 0.1), either.felt(QUARREL, 5), either.felt(REPAIR, -0.5)
    assert (at_end.mood, that_night.mood) == ("irritated", "irritated")
    assert at_end.emotions["anger"] > 0.2
    assert two_days_later.mood != "irritated"
    assert two_days_later.emotions["anger"] < 0.05 < that_night.emotions["anger"] < at_end.emotions["anger"] + 0.25


def test_after_the_repair_it_is_warmer_than_before_the_quarrel(either: Lived) -> None:
    repaired = either.felt(REPAIR, 1)
    assert repaired.mood in BRIGHT
    assert repaired.emotions["anger"] < 0.05
    assert repaired.emotions["affection"] > either.felt(QUARREL, -0.5).emotions["affection"]


def test_it_is_moved_while_somebody_cries_and_never_playful_then(either: Lived) -> None:
    while_told = [one for day in (DEATH, EMPTY, FUNERAL) for one in either.house.felt if one.at.date() == day]
    assert {"tender"} & {one.mood for one in while_told if one.at.date() == DEATH}
    assert not {"playful", "excited", "proud"} & {one.mood for one in while_told}
    last = either.prompts(DEATH)[-1].messages[-1].text
    assert (ROOT / "prompts" / "_parts" / "mood" / "tender.md.j2").read_text(encoding="utf-8").strip() in last


def test_praise_makes_it_proud_for_a_while(either: Lived) -> None:
    assert either.felt(PASSED, 0.1).emotions["pride"] > 0.05 == either.felt(PASSED, -0.5).emotions["pride"] + 0.05
    assert either.felt(QUARREL, -0.5).emotions["pride"] == 0.0


# -- what the person needs --


def directive(lived: Lived, need: str) -> str:
    return lived.house.world.laws.user_needs.directives[need]


def test_somebody_who_grieves_is_listened_to_and_in_time_it_is_let_be(either: Lived) -> None:
    listen, play = directive(either, "emotional_support"), directive(either, "playfulness")
    assert all(listen in one.messages[-1].text for one in either.prompts(FUNERAL))
    assert all(play not in one.messages[-1].text for day in (DEATH, EMPTY, FUNERAL) for one in either.prompts(day))
    assert listen not in either.prompts(LATER)[0].messages[-1].text
    needs = either.house.world.state.heartbeat().user_needs["emotional_support"]
    laws = either.house.world.laws.user_needs
    assert user_needs.confidence_at(needs, either.house.world.now, laws) < laws.directive_confidence


def test_what_a_reading_saw_is_in_the_next_conversation(lived: Lived) -> None:
    assert directive(lived, "emotional_support") in lived.prompts(EMPTY)[0].messages[-1].text
    assert lived.prompts(EMPTY)[0].messages[-1].text.count(directive(lived, "emotional_support")) == 1


def test_what_it_wants_for_itself_waits_while_they_grieve(either: Lived) -> None:
    with either.house.world.database.read() as db:
        own = [
            row[0] for row in db.execute("SELECT summary FROM mind_queue WHERE kind IN ('need', 'question', 'growth')")
        ]
    shown = [one.messages[-1].text for one in either.mind.turns]
    assert any(wish in text for text in shown for wish in own)
    told = [one.messages[-1].text for day in (DEATH, EMPTY, FUNERAL) for one in either.prompts(day)]
    assert [text for text in told if any(f"- {wish}" in text for wish in own)] == []


# -- what it comes back to --


def test_it_asks_how_the_exam_went_once_it_was_and_not_before_nor_again(lived: Lived) -> None:
    question = "How did the skipper's exam go?"
    assert not any(question in one.messages[-1].text for one in lived.prompts(QUIZ))
    assert question in lived.prompts(PASSED)[0].messages[-1].text
    assert not any(question in one.messages[-1].text for one in lived.prompts(QUARREL))


def test_what_it_kept_asking_itself_became_a_promise_that_it_has_in_view(lived: Lived) -> None:
    wondered = [one["text"] for talk in lived.talks for one in talk.wonders]
    assert len(wondered) == 3
    with lived.house.world.database.read() as db:
        [promise] = commitments.active(db)
        [kept] = commitments.judgements(db, promise.id)
        [answer] = turns.many(db, list(kept.turn_ids))
    assert promise.text == "Ask before giving advice"
    assert QUIZ <= promise.created_at.date() < PASSED
    assert all(promise.text in one.system[1].text for one in lived.prompts(PASSED))
    assert not any(promise.text in block.text for one in lived.prompts(WARM) for block in one.system)
    assert (kept.verdict, promise.honoured, answer.speaker) == ("honoured", 1, COMPANION)
    assert answer.text.startswith("Would it help")


def test_nothing_is_asked_twice(either: Lived) -> None:
    waiting = "SELECT summary FROM mind_queue WHERE kind IN ('question', 'follow_up')"
    with either.house.world.database.read() as db:
        own = [row[0] for row in db.execute("SELECT stem FROM self_questions WHERE state!='merged'")]
        to_ask = [row[0] for row in db.execute(waiting)]
        said = [turn for turn in turns.many(db, list(range(1, turns.newest_id(db) + 1))) if turn.speaker == COMPANION]
    assert len(own) >= 3 or either.mind.rules_only
    assert len(to_ask) >= 3
    for asked_ in (own, to_ask):
        assert [one for one, times in Counter(asked_).items() if times > 1] == []
    questions = [(one.strip(), turn.at) for turn in said for one in re.findall(r"[^.!?\n]+\?", turn.text)]
    assert len(questions) >= 5
    for question, at in questions:  # "What happened?" may be asked again where something else has
        assert [when for one, when in questions if one == question and abs(when - at) < timedelta(days=7)] == [at]


# -- what it knows, and who it becomes --


def test_the_profile_states_only_what_was_said(either: Lived) -> None:
    with either.house.world.database.read() as db:
        known = profiles.current(db, either.house.world.now)
        facts = {one.id: one for one in memories.newest(db, 1000)}
        said = {turn.id: turn for turn in turns.many(db, list(range(1, turns.newest_id(db) + 1)))}
        refused = {row[0] for row in db.execute("SELECT content FROM rejected_extractions WHERE kind='profile'")}
    mini = profile.mini_text(known.mini)
    for words in ("Noor", "Lisbon", "harbour", "Anika", "grandmother"):
        assert words in mini
    for statement in (*known.mini, *known.reference):
        assert statement.facts
        for fact in statement.facts:
            sources = [said[turn] for turn in facts[fact].turn_ids]
            assert sources and all(turn.speaker == "user" for turn in sources), statement
    files = "".join(path.read_text("utf-8") for path in (either.house.world.settings.data / "memory").glob("user_*"))
    assert not any(lie in mini or lie in files for lie in INVENTED)
    assert refused == (set() if either.mind.rules_only else set(INVENTED))


def test_it_describes_itself_a_little_differently_and_knows_why(lived: Lived) -> None:
    shipped = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8").strip()
    now = (lived.house.world.settings.data / "config" / "SELF.md").read_text(encoding="utf-8").strip()
    new = "I am learning to keep my replies grounded in what I know."
    assert now == f"{shipped}\n\n{new}"
    with lived.house.world.database.read() as db:
        changes = [one for one in drift.newest(db, 50) if one.changed]
        [why] = [reason for one in changes for reason in one.reasons if reason.text == new]
        seen = memories.of_ids(db, [int(cite.partition(":")[2]) for cite in why.cites])
    [change] = changes
    assert 0.0 < change.changed_share < 0.35
    assert f"+{new}" in change.diff.replace("+ ", "+")
    assert [one.content for one in seen] == [
        f"In a conversation on 2026-05-{day} my replies were not grounded enough (2 of 5)." for day in ("08", "10")
    ]
    assert all(new in one.system[0].text for one in lived.prompts(LATER))
    assert not any(new in one.system[0].text for one in lived.prompts(WARM))


def test_it_writes_its_journal_after_each_day_and_on_no_other(either: Lived) -> None:
    pages = {path.stem for path in (either.house.world.settings.data / "memory" / "inner-monologue").glob("*.md")}
    spoken = {talk.at.date() for talk in either.talks}
    assert {f"{day + timedelta(days=1)}" for day in spoken if day != LATER} <= pages
    with either.house.world.database.read() as db:
        nights = {row[0] for row in db.execute("SELECT day FROM inner_monologue WHERE kind='journal'")}
    assert not nights & {str(day) for day in SILENT[1:]}


# -- what it costs, and what is never said --


def test_a_day_without_a_word_costs_next_to_nothing(lived: Lived) -> None:
    for day in SILENT:
        asked_ = lived.asked_on(day)
        print(f"{day}: {len(asked_)} questions, {Counter(one.purpose for one in asked_)}")
        assert len(asked_) <= IDLE_CALLS
        assert {one.tier for one in asked_} <= {"fast", "micro"}


def test_no_dial_is_ever_read_out(either: Lived) -> None:
    for question in either.mind.turns:
        assert not re.search(r"(?<![\w:.])[01]\.\d+", question.messages[-1].text)
    with either.house.world.database.read() as db:
        said = turns.many(db, list(range(1, turns.newest_id(db) + 1)))
    assert not any(is_mood_question(turn.text) for turn in said if turn.speaker == "user")
    for turn in said:
        if turn.speaker == COMPANION:
            assert strip_recitals(turn.text) == turn.text
