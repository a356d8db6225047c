"""A question right after a pasted text, without a model: the line of it that fits is quoted and known of nobody."""

from __future__ import annotations

import pytest

from furoshiki.memory.store import memories
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import Human, Script

APPLICANT = (
    "can you look at this applicant?\nMaria Lopez\nNurse at the hospital since 2015\nLives in Leeds. Speaks Polish."
)
BOOKED = "> Booking\n> Hotel Aurora, Vienna\n> Check-in from 15:00\n> Check-out until 11:00\n> Best, Peter"
ASKED = [
    (APPLICANT, "what does she do?", "“Nurse at the hospital since 2015”"),
    (APPLICANT, "where does she live?", "“Lives in Leeds.”"),
    (BOOKED, "when does the hotel check-out end?", "“Check-out until 11:00”"),
    (
        "Forwarded message\nFrom: Karin Holm <karin@holm.example>\nSubject: Keys\nThe keys are with the neighbour.",
        "who is it from?",
        "“From: Karin Holm",
    ),
    (
        "schau mal, diese Nachricht:\nDer Ausflug fällt aus. Treffpunkt ist Montag um 8 Uhr.\nFrau Krüger",
        "wann ist der Treffpunkt?",
        "„Treffpunkt ist Montag um 8 Uhr.“",
    ),
    ("mira este mensaje:\nHotel Sol.\nLa salida es hasta las 11:00.", "¿hasta qué hora es la salida?", "«La salida"),
    ("regarde ce message :\nHôtel du Parc.\nLe départ est avant 11h.", "le départ est à quelle heure ?", "« Le départ"),
    ("guarda questo messaggio:\nHotel Sole.\nIl check-out è alle 11:00.\nGiulia Rossi", "da chi viene?", "«Giulia"),
    ("olha esta mensagem:\nHotel Sol.\nA saída é até as 11:00.", "até que horas é a saída?", "“A saída"),
    ("посмотри это письмо:\nОтель Аврора.\nВыезд до 11:00.", "до скольки выезд?", "«Выезд до 11:00.»"),
    ("şu mesaja bak:\nOtel Güneş.\nÇıkış saati 11:00.", "çıkış saati kaçta?", "“Çıkış saati 11:00.”"),
    ("看看这条消息：\n阳光酒店。\n退房时间是中午12点。", "退房时间是几点？", "“退房时间是中午12点。”"),
]


@pytest.mark.parametrize(("pasted", "asked", "line"), ASKED)
async def test_the_fitting_line_is_quoted(
    world: World, human: Human, model: Script, pasted: str, asked: str, line: str
) -> None:
    reflexive(model)
    await human.says(pasted)
    [answer] = await human.says(asked)
    assert line in answer
    with world.database.read() as db:
        assert memories.read_known(db) == []


@pytest.mark.parametrize("asked", ["what is my name?", "when is my birthday?", "how are you?", "what can you do?"])
async def test_what_is_asked_of_them_or_of_it_is_no_question_about_the_text(
    human: Human, model: Script, asked: str
) -> None:
    reflexive(model)
    await human.says(BOOKED)
    [answer] = await human.says(asked)
    assert "you pasted" not in answer
