"""Days and hours in short are spelled out for the parser, in every language with a table of them; other words stay."""

from __future__ import annotations

import pytest

from furoshiki.language.requests.changed_plans import find_asked, find_off
from furoshiki.language.requests.short_notes import is_jotted, spell_out

SPELLED = [
    ("en", "physics mock fri 9am", "physics mock friday 9am"),
    ("en", "mot 2pm wed", "mot 2pm wednesday"),
    ("en", "boiler man thurs 8-12", "boiler man thurs at 08:00"),
    ("en", "visiting sunday 2-4", "visiting sunday at 14:00"),
    ("en", "shift sat 6-2", "shift saturday at 06:00"),
    ("en", "choir weds 7pm-9pm", "choir weds 7pm-9pm"),
    ("en", "film club fri 6-8pm", "film club friday at 18:00"),
    ("en", "lates today, 1330 to 2130", "lates today at 13:30"),
    ("en", "lesson 9 may 10.15 at the hall", "lesson 9 may at 10:15 at the hall"),
    ("en", "table 7.30 sat", "table at 7:30 saturday"),
    ("en", "henderson mon-weds", "henderson monday"),
    ("en", "cottage 14-18 aug", "cottage 14 aug"),
    ("en", "rent due 1st", "rent due the 1st"),
    ("en", "dentist thursday 9", "dentist thursday at 9"),
    ("de", "zahnarzt do 9:30", "zahnarzt donnerstag um 9:30"),
    ("de", "handwerker freitag 8-12", "handwerker freitag um 08:00"),
    ("es", "dentista jue 10:30", "dentista jueves a las 10:30"),
    ("fr", "plombier ven 8-12", "plombier vendredi à 08:00"),
    ("it", "dentista gio 10:30", "dentista giovedì alle 10:30"),
    ("pt", "dentista qui 10:30", "dentista quinta às 10:30"),
    ("ru", "стоматолог чт 10:30", "стоматолог четверг в 10:30"),
    ("tr", "dişçi cum 10:30", "dişçi cuma saat 10:30"),
]
LEFT = [
    ("en", "the cat sat on the mat"),
    ("en", "we wed in june"),
    ("en", "in the sun all morning"),
    ("en", "size 10-12"),
    ("en", "bp 141/82"),
    ("en", "version 2.30 is out"),
    ("en", "came 1st"),
    ("de", "mi casa"),
    ("es", "el mar estaba frío"),
    ("fr", "la mer est belle"),
    ("pt", "vou ter que ir"),
    ("tr", "kar yağdı"),
    ("zh", "周四九点"),
]


@pytest.mark.parametrize(("code", "said", "spelled"), SPELLED)
def test_what_is_short_is_spelled_out(code: str, said: str, spelled: str) -> None:
    assert spell_out(said, code) == spelled


@pytest.mark.parametrize(("code", "said"), LEFT)
def test_other_words_stay(code: str, said: str) -> None:
    assert spell_out(said, code) == said


@pytest.mark.parametrize("said", ["flu jab, occy health", "booked table for 2", "wife's birthday", "boiler man"])
def test_a_name_is_jotted_down(said: str) -> None:
    assert is_jotted(said, "en", sure=False)


@pytest.mark.parametrize(
    "said",
    [
        "saw mum",
        "lovely walk with the dog",
        "the shop closes",
        "dreading",
        "missed the bus",
        "party was mad",
        "long day",
    ],
)
def test_what_states_something_is_not(said: str) -> None:
    assert not is_jotted(said, "en", sure=False)


ASKED = [
    ("en", "when is it?", ""),
    ("en", "when's he coming?", ""),
    ("en", "whens the boiler man coming", "boiler man"),
    ("en", "what time is my lesson", "lesson"),
    ("en", "when do i see dr patel?", "dr patel"),
    ("de", "wann ist das?", ""),
    ("de", "wann ist der Termin?", "termin"),
    ("es", "¿cuándo es la cita?", "cita"),
    ("fr", "c'est quand ?", ""),
    ("it", "quand'è la riunione?", "riunione"),
    ("pt", "quando é a consulta?", "consulta"),
    ("ru", "когда приём?", "приём"),
    ("tr", "toplantı ne zaman?", "toplantı"),
    ("zh", "牙医什么时候?", "牙医"),
]
OFF = [
    ("en", "dentist cancelled", "dentist"),
    ("de", "der Termin ist abgesagt", "termin"),
    ("es", "la cita está cancelada", "cita"),
    ("fr", "le rendez-vous est annulé", "rendez-vous"),
    ("it", "la riunione è stata annullata", "riunione"),
    ("pt", "a consulta foi cancelada", "consulta"),
    ("ru", "приём отменили", "приём"),
    ("tr", "toplantı iptal oldu", "toplantı"),
    ("zh", "会议取消了", "会议"),
    ("en", "the picnic fell through", "picnic"),
    ("en", "my lesson isn't happening after all", "lesson"),
    ("de", "das Konzert fällt ins Wasser", "konzert"),
    ("es", "la cena al final se suspendió", "cena"),
    ("fr", "le concert tombe à l'eau", "concert"),
    ("it", "il concerto di sabato è saltato", "concerto di sabato"),
    ("pt", "o churrasco não vai mais rolar", "churrasco"),
    ("ru", "концерт не состоится", "концерт"),
    ("tr", "konser yattı", "konser"),
    ("zh", "演唱会泡汤了", "演唱会"),
]


@pytest.mark.parametrize(("code", "said", "what"), ASKED)
def test_a_question_for_the_time_names_what(code: str, said: str, what: str) -> None:
    assert find_asked(said, code) == what


@pytest.mark.parametrize("said", ["when did it rain?", "when i was young", "how is it?", "what is the time?"])
def test_no_other_question_is_one(said: str) -> None:
    assert find_asked(said, "en") is None


@pytest.mark.parametrize(("code", "said", "what"), OFF)
def test_what_is_cancelled_is_named(code: str, said: str, what: str) -> None:
    assert find_off(said, code) == what


def test_what_is_asked_is_not_cancelled() -> None:
    assert find_off("dentist cancelled?", "en") is None
