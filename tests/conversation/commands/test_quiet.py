"""Quiet hours by command: understood, kept, ended, and over by themselves."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from furoshiki.agenda.store import quiet as quiet_store
from furoshiki.conversation.rules import quiet_words
from furoshiki.outreach import laws
from furoshiki.outreach.rules.laws import QuietHours
from tests.support.commands import Commander
from tests.support.world import START, FrozenClock, Human, Script


@pytest.mark.parametrize(
    ("text", "hours"),
    [("3", 3), ("3h", 3), ("for 2 hours", 2), ("90 min", 1.5), ("2 days", 48), ("1,5 h", 1.5), ("30 days", 720)],
)
def test_spans_are_understood(text: str, hours: float) -> None:
    assert quiet_words.hours_in(text) == pytest.approx(hours)


@pytest.mark.parametrize("text", ["", "soon", "0", "-3", "31 days", "3 years", "3 h later"])
def test_other_words_are_not(text: str) -> None:
    assert quiet_words.hours_in(text) is None


async def test_it_is_kept_until_its_end(command: Commander, clock: FrozenClock) -> None:
    words = await command("/quiet 3 hours")
    assert "today at 18:00" in words.text and "reminders still come" in words.text
    with command.world.database.read() as db:
        assert quiet_store.until(db, clock.now()) == START + timedelta(hours=3)
        clock.pass_(hours=3)
        assert quiet_store.until(db, clock.now()) is None


async def test_off_ends_it(command: Commander) -> None:
    await command("/quiet 3")
    assert "may write first again" in (await command("/quiet off")).text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None


async def test_status_only_looks(command: Commander) -> None:
    assert "No quiet" in (await command("/quiet status")).text
    await command("/quiet 3")
    assert "Quiet until today at 18:00" in (await command("/quiet status")).text


async def test_nonsense_asks_back_and_changes_nothing(command: Commander) -> None:
    assert "/quiet off" in (await command("/quiet whenever")).text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None


async def test_hours_of_every_day_are_set_named_and_ended(command: Commander) -> None:
    assert "between 23:00 and 08:00" in (await command("/quiet status")).text
    assert "between 22:00 and 07:30" in (await command("/quiet 22:00-07:30")).text
    assert laws.current(command.world).quiet == QuietHours(time(22), time(7, 30))
    for shown in ("/quiet status", "/quiet hours", "/settings"):
        assert "between 22:00 and 07:30 (/quiet hours off ends that)" in (await command(shown)).text
    assert "between 23:00 and 08:00" in (await command("/quiet hours off")).text
    assert laws.current(command.world).quiet == QuietHours(time(23), time(8))


async def test_one_end_of_the_hours_may_be_set_alone(command: Commander) -> None:
    await command("/quiet before 9")
    await command("/quiet after 10 pm")
    assert laws.current(command.world).quiet == QuietHours(time(22), time(9))
    assert "at any time" in (await command("/quiet 9-9")).text
    assert "no quiet hours" in (await command("/quiet hours")).text


async def test_quiet_until_a_day_ends_with_its_quiet_hours(command: Commander, clock: FrozenClock) -> None:
    await command("/quiet 22:00-07:30")
    for words, until in (
        ("tomorrow", "tomorrow at 07:30"),
        ("18:30", "today at 18:30"),
        ("9", "today at 21:00"),
        ("monday", "Monday, 30 March at 07:30"),
    ):
        assert f"until {until}." in (await command(f"/quiet until {words}")).text
    assert (
        "Quiet until Monday, 30 March at 07:30. I do not write first between" in (await command("/quiet status")).text
    )


@pytest.mark.parametrize("words", ["whenever", "yesterday", "in ten years", "every day at nine"])
async def test_an_end_that_is_not_clear_is_asked_for(command: Commander, words: str) -> None:
    assert "Until when?" in (await command(f"/quiet until {words}")).text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("don't write to me before 9", "between 23:00 and 09:00"),
        ("Please don’t text me after 10 pm.", "between 22:00 and 08:00"),
        ("leave me alone until tomorrow", "until tomorrow at 08:00"),
        ("you can write to me again", "I may write first"),
        ("Schreib mir bitte nicht vor 9 Uhr", "between 23:00 and 09:00"),
        ("Lass mich bis morgen in Ruhe!", "until tomorrow at 08:00"),
        ("Du kannst wieder schreiben", "I may write first"),
        ("no me escribas antes de las 9", "between 23:00 and 09:00"),
        ("déjame en paz hasta mañana", "until tomorrow at 08:00"),
        ("ya puedes escribirme otra vez", "I may write first"),
        ("9'dan önce bana yazma", "between 23:00 and 09:00"),
        ("yarına kadar beni rahat bırak", "until tomorrow at 08:00"),
        ("artık tekrar yazabilirsin", "I may write first"),
        ("не пиши мне до 9 утра", "between 23:00 and 09:00"),
        ("не пиши мне до завтра", "until tomorrow at 08:00"),
        ("можешь снова писать", "I may write first"),
    ],
)
async def test_plain_words_do_the_same(human: Human, model: Script, said: str, answer: str) -> None:
    [words] = await human.says(said)
    assert answer in words
    assert model.questions == []


@pytest.mark.parametrize(
    "said",
    [
        "don't write to Anika before 9",
        "leave me alone",
        "I could not write before 9",
        "Anika didn't write until tomorrow",
    ],
)
async def test_other_words_are_talk(human: Human, model: Script, said: str) -> None:
    assert await human.says(said) == ["Mhm."]
    assert len(model.questions) == 1
