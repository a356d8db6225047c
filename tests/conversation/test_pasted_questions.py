"""A question right after a pasted text, without a model: the line of it that fits is quoted and known of nobody."""

from __future__ import annotations

import pytest

from furoshiki.language.requests.pasted_lines import find_line
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


NOT_ASKED = [
    *((text, asked) for text in (BOOKED, APPLICANT) for asked in (
        "what is my name?", "when is my birthday?", "how are you?", "what can you do?", "what do you do?",
        "what do you do all day?", "what should I cook tonight?", "who are you?", "when does the pharmacy close?",
        "wie spät ist es?", "was machst du gerade?", "¿qué haces?", "tu fais quoi ?", "che fai?",
        "o que você está fazendo?", "что делаешь?", "ne yapıyorsun?", "你在做什么？", "我明天做什么？",
        "who do you think will win?",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("pasted", "asked"), NOT_ASKED)
async def test_another_question_is_not_answered_from_the_text(
    human: Human, model: Script, pasted: str, asked: str
) -> None:
    reflexive(model)
    await human.says(pasted)
    [answer] = await human.says(asked)
    line = [said for said in pasted.split("\n") if said.strip("> ") and said.strip("> ") in answer]
    assert not line, answer


def test_a_long_text_is_read_once() -> None:
    counted: list[str] = []

    def words(text: str) -> frozenset[str]:
        counted.append(text)
        return frozenset(text.split())

    lines = [f"line {number}" for number in range(300)]
    assert find_line("where is line 7", "\n".join(lines), words) == "line 7"
    assert len(counted) == len(lines) + 1
