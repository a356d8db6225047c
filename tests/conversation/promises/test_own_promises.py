"""What an answer promises is kept as the companion's own: shown back, and honoured by the gates of outreach."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.conversation.promises.own_promises import find_promises
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.world import World
from tests.support.commands import Commander
from tests.support.world import FrozenClock, Human, Script

TUESDAY = datetime(2026, 3, 24, 15, 0, tzinfo=ZoneInfo("Europe/Lisbon"))


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("Of course. I'll be quiet until Sunday.", "quiet Sun 08:00"),
        ("Understood, I won't message you until Sunday.", "quiet Sun 08:00"),
        ("I'll leave you alone until Monday morning, promise.", "quiet Mon 08:00"),
        ("You won't hear from me until Thursday.", "quiet Thu 08:00"),
        ("Ich lasse dich bis Montag in Ruhe.", "quiet Mon 08:00"),
        ("Me quedo callado hasta el domingo.", "quiet Sun 08:00"),
        ("Je te laisse tranquille jusqu'à dimanche.", "quiet Sun 08:00"),
        ("Ti lascio in pace fino a domenica.", "quiet Sun 08:00"),
        ("Deixo-te em paz até domingo.", "quiet Sun 08:00"),
        ("Good luck! I'll ask how Friday went.", "ask Fri 18:00"),
        ("I will check in with you tomorrow at 9.", "ask Wed 09:00"),
        ("Am Freitag frage ich dich, wie es gelaufen ist.", "ask Fri 18:00"),
        ("Te preguntaré mañana cómo te ha ido.", "ask Wed 18:00"),
        ("Je te demanderai vendredi comment ça s'est passé.", "ask Fri 18:00"),
        ("Venerdì ti chiedo com'è andata.", "ask Fri 18:00"),
        ("Na sexta pergunto-te como correu.", "ask Fri 18:00"),
        ("I'll be quiet.", ""),
        ("Should I be quiet until Sunday?", ""),
        ("If you like I'll be quiet until Sunday.", ""),
        ('He said "I\'ll be quiet until Sunday".', ""),
        ("I would ask him on Friday.", ""),
        ("You could ask how Friday went.", ""),
        ("I'll ask you one thing: how was Friday?", ""),
        ("I am here until Sunday.", ""),
    ],
)
def test_what_an_answer_promises(answer: str, kept: str) -> None:
    found = [f"{one.kind} {one.at:%a %H:%M}" for one in find_promises(answer, TUESDAY, time(8))]
    assert found == ([kept] if kept else [])


async def test_its_quiet_is_kept_shown_and_ends(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    model.lines = ["I hear you. I'll be quiet until Sunday."]
    assert await human.says("today was a lot, i need some rest") == ["I hear you. I'll be quiet until Sunday."]
    with world.database.read() as db:
        held = quiet.current(db, world.now)
    assert held is not None and held.own and f"{held.until:%a %H:%M}" == "Sun 07:00"  # summer time has begun
    assert "nothing unasked until" in (await Commander(world)("/promises")).text
    await human.says("thanks")
    assert "What you promised them" in model.turn_words and "I'll be quiet until Sunday" in model.turn_words
    clock.pass_(days=5)
    assert "nothing I have promised" in (await Commander(world)("/promises")).text


async def test_its_question_waits_for_its_time(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    model.lines = ["Good luck! I'll ask how Friday went."]
    await human.says("my interview is on friday")
    with world.database.read() as db:
        assert not [one for one in mind_queue.list_due(db, world.now) if one.key.startswith("promise:")]
    assert "I'll ask how Friday went" in (await Commander(world)("/promises")).text
    await human.says("see you")
    assert "I'll ask how Friday went" in model.turn_words.split("<message>")[0]
    clock.pass_(days=3, hours=4)
    with world.database.read() as db:
        [due] = [one for one in mind_queue.list_due(db, world.now) if one.key.startswith("promise:")]
    assert due.kind == "follow_up" and due.priority == 2 and due.source.startswith("turn:")


def test_the_command_is_offered() -> None:
    assert "promises" in {name for name, _ in registry.list_commands()}
