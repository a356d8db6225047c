"""Quiet hours by command: understood, kept, ended, and over by themselves."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from furoshiki.mind.outreach import laws
from furoshiki.mind.outreach.rules.laws import QuietHours
from furoshiki.owner.agenda.rules.quiet import asked as asked_quiet
from furoshiki.owner.agenda.store import quiet as quiet_store
from tests.support.commands import Commander
from tests.support.world import START, FrozenClock, Human, Script


@pytest.mark.parametrize(
    ("text", "hours"),
    [("3", 3), ("3h", 3), ("for 2 hours", 2), ("90 min", 1.5), ("2 days", 48), ("1,5 h", 1.5), ("30 days", 720)],
)
def test_spans_are_understood(text: str, hours: float) -> None:
    assert asked_quiet.hours_in(text) == pytest.approx(hours)


@pytest.mark.parametrize("text", ["", "soon", "0", "-3", "31 days", "3 years", "3 h later"])
def test_other_words_are_not(text: str) -> None:
    assert asked_quiet.hours_in(text) is None


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
    for shown in ("/quiet", "/quiet status", "/quiet hours", "/settings"):
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
        ("Schreib mir bitte nicht vor 9 Uhr", "Zwischen 23:00 und 09:00 Uhr"),
        ("Lass mich bis morgen in Ruhe!", "morgen um 08:00 Uhr"),
        ("no me escribas antes de las 9", "Entre las 23:00 y las 09:00"),
        ("déjame en paz hasta mañana", "hasta mañana a las 08:00"),
        ("9'dan önce bana yazma", "23:00 ile 09:00 arasında"),
        ("yarına kadar beni rahat bırak", "Yarın saat 08:00"),
        ("не пиши мне до 9 утра", "С 23:00 до 09:00"),
        ("не пиши мне до завтра", "завтра в 08:00"),
    ],
)
async def test_plain_words_do_the_same(human: Human, model: Script, said: str, answer: str) -> None:
    [words] = await human.says(said)
    assert answer in words
    assert model.questions == []


ONLY_TONIGHT = (
    ("don't write to me after 10 pm", "only this evening"),
    ("not after ten please", "Just tonight!"),
    ("don't text me after 6", "Only tonight please."),  # which six was asked about
    ("/quiet 3 days", "only tonight"),
    ("leave me alone", "until tomorrow"),
    ("schreib mir nach 22 Uhr nicht mehr", "nur heute Abend"),
    ("no me escribas después de las 10", "solo esta noche"),
    ("no me escribas después de las 10", "Sólo por esta noche"),
    ("ne m'écris plus après 22h", "seulement ce soir"),
    ("não me escreva depois das 22h", "só esta noite"),
    ("non scrivermi dopo le 23", "solo stasera"),
    ("не пиши мне после 22", "Только сегодня вечером."),
    ("saat 22'den sonra yazma", "sadece bu akşam"),
    ("十点以后别给我发消息", "只是今晚"),
    ("十点以后别给我发消息", "就今晚"),
)


@pytest.mark.parametrize(("said", "only"), ONLY_TONIGHT)
async def test_another_end_named_right_after_it_holds(human: Human, model: Script, said: str, only: str) -> None:
    await human.says(said)
    await human.says(only)
    with human.world.database.read() as db:
        asked = quiet_store.current(db, human.world.now)
        assert quiet_store.hours(db) is None
    assert asked is not None and f"{asked.until:%d %H:%M}" in ("25 07:00", "25 08:00")
    assert model.questions == []


@pytest.mark.parametrize(
    "only", ["tonight", "only you", "nur heute Abend um acht", "only tonight?", "solo esta noche dormí"]
)
async def test_other_words_name_no_end(human: Human, model: Script, only: str) -> None:
    await human.says("don't write to me after 10 pm")
    await human.says(only)
    assert len(model.questions) == 1
    await human.says("only this evening")
    assert len(model.questions) == 2  # something else was said since


@pytest.mark.parametrize(
    "said",
    [
        "don't write to Anika before 9",
        "leave me alone with your jokes",
        "you can write to me again",  # there is no quiet to end
        "I could not write before 9",
        "Anika didn't write until tomorrow",
    ],
)
async def test_other_words_are_talk(human: Human, model: Script, said: str) -> None:
    assert await human.says(said) == ["Mhm."]
    assert len(model.questions) == 1


@pytest.mark.parametrize(
    "said",
    [
        "you can write to me again",
        "Du kannst wieder schreiben",
        "ya puedes escribirme otra vez",
        "artık tekrar yazabilirsin",
        "можешь снова писать",
    ],
)
async def test_plain_words_end_it(human: Human, model: Script, said: str) -> None:
    await human.says("/quiet 3 days")
    await human.says(said)
    with human.world.database.read() as db:
        assert quiet_store.until(db, human.world.now) is None
    assert model.questions == []


async def test_a_bare_command_asks_how_long_and_a_button_answers(command: Commander) -> None:
    asked = await command("/quiet")
    assert "For how long?" in asked.text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None
    [data] = [one["data"] for row in asked.extra["buttons"] for one in row if one["text"] == "A week"]
    pressed = await command.press(data)
    assert pressed is not None and "until Tuesday, 31 March at 08:00" in pressed.text
    assert "Quiet until Tuesday, 31 March at 08:00" in (await command("/quiet")).text
    assert await command.press("quiet.for:99999999999") is None


EVENING = "thanks. i need to be alone now. please don't message me until sunday, ok? no check-ins"


async def test_a_wish_inside_a_message_is_kept_whatever_the_model_says(human: Human, model: Script) -> None:
    [words] = await human.says(EVENING)
    assert words.startswith("Mhm.") and words.endswith("/quiet off ends it.")
    assert "I won't write first until Sunday, 29 March at 08:00" in words
    assert "until Sunday, 29 March at 08:00" in model.questions[-1].messages[-1].text
    await human.says("thank you, goodnight")
    with human.world.database.read() as db:
        asked = quiet_store.current(db, human.world.now)
    assert asked is not None and asked.why == EVENING  # a message within it ends nothing
    [shown] = await human.says("/why not")
    assert shown.startswith(f"You asked for silence until Sunday, 29 March at 08:00: “{EVENING}”.")
    assert EVENING in (await human.says("/quiet"))[0]


async def test_what_others_wrote_is_no_wish(human: Human) -> None:
    for said in (
        "she sent me this:\n> please don't message me until sunday\nwhat do you make of it?",
        "my ex wrote “don't message me until sunday”. ouch",
    ):
        await human.says(said)
    with human.world.database.read() as db:
        assert quiet_store.until(db, human.world.now) is None


async def test_a_shorter_wish_does_not_end_a_longer_quiet(human: Human) -> None:
    await human.says("please don't message me until sunday")
    [words] = await human.says("leave me alone tonight")
    assert "until Sunday, 29 March at 08:00" in words
    [words] = await human.says("/quiet 2 hours")  # a command is exact
    assert "today at 17:00" in words


async def test_its_words_go_when_they_are_forgotten_and_the_quiet_stays(human: Human) -> None:
    await human.says("Zorbalina left me today. please don't message me until sunday, i am worn out")
    await human.says("/forget Zorbalina")
    await human.says("yes")
    with human.world.database.read() as db:
        asked = quiet_store.current(db, human.world.now)
    assert asked is not None and asked.why == ""


@pytest.mark.parametrize(
    "text",
    [
        "not after ten please",
        "schreib mir nach 22 Uhr nicht mehr",
        "no me escribas después de las 10",
        "ne m'écris plus après 22h",
        "non scrivermi dopo le 22",
        "não me escreva depois das 22h",
        "не пиши мне после 22",
        "saat 22'den sonra yazma",
        "晚上十点以后别给我发消息",
    ],
)
async def test_quiet_hours_may_be_said_in_words(human: Human, text: str) -> None:
    [words] = await human.says(text)
    assert "22:00" in words
    assert "08:00" in words
    assert laws.current(human.world).quiet == QuietHours(time(22), time(8))


@pytest.mark.parametrize("text", ["I never write after ten, too tired", "mein Chef schreibt mir nach 22 Uhr"])
async def test_what_is_only_told_of_hours_sets_none(human: Human, text: str) -> None:
    await human.says(text)
    assert laws.current(human.world).quiet == QuietHours(time(23), time(8))


async def test_hours_that_may_be_two_are_asked_about(human: Human, command: Commander) -> None:
    await human.says("between 1 and 3 I sleep")
    assert laws.current(human.world).nap is None
    words = await command.press("quiet.hours:13:00-15:00")
    assert words is not None and "between 13:00 and 15:00" in words.text
    held = laws.current(human.world)
    assert (held.quiet, held.nap) == (QuietHours(time(23), time(8)), QuietHours(time(13), time(15)))
    assert "Never between 13:00 and 15:00" in (await command("/quiet status")).text


async def test_hours_that_were_said_end_in_words(human: Human) -> None:
    await human.says("schreib mir nach 21 Uhr nicht mehr")
    await human.says("du darfst wieder schreiben")
    assert laws.current(human.world).quiet == QuietHours(time(23), time(8))
