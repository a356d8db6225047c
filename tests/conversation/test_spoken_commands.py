"""Whole messages that mean a command, in nine languages."""

from __future__ import annotations

import pytest

from furoshiki.conversation.interactions import Spoken, find_spoken

UNDO, WHY_NOT, WHY = Spoken("undo"), Spoken("why", "not"), Spoken("why")


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("Oops, please undo that!", UNDO),
        ("no wait, take that back", UNDO),
        ("can you put it back, please?", UNDO),
        ("undo the last change", UNDO),
        ("bitte mach das rückgängig", UNDO),
        ("nein, mach das rückgängig", UNDO),
        ("¡deshazlo!", UNDO),
        ("non, annule ça s’il te plaît", UNDO),
        ("annulla questo per favore", UNDO),
        ("não, desfaz isso", UNDO),
        ("ой, отмени это", UNDO),
        ("hayır, geri al lütfen", UNDO),
        ("撤销一下", UNDO),
        ("Why didn’t you write to me yesterday?", WHY_NOT),
        ("warum hast du mir gestern nicht geschrieben?", WHY_NOT),
        ("¿por qué no me escribiste hoy?", WHY_NOT),
        ("pourquoi tu ne m’as pas écrit ?", WHY_NOT),
        ("pourquoi ne m’as-tu rien écrit hier ?", WHY_NOT),
        ("perche non mi hai scritto oggi?", WHY_NOT),
        ("por que você não me escreveu?", WHY_NOT),
        ("почему ты мне вчера не написал?", WHY_NOT),
        ("neden bugün yazmadın?", WHY_NOT),
        ("你为什么没给我发消息？", WHY_NOT),
        ("so why did you text me that?", WHY),
        ("wieso hast du das geschrieben", WHY),
        ("por qué me has escrito eso", WHY),
        ("pourquoi tu m’as écrit ça ?", WHY),
        ("perché mi hai scritto questo?", WHY),
        ("por que você me escreveu isso?", WHY),
        ("почему ты это написала", WHY),
        ("niye bunu yazdın", WHY),
        ("你为什么给我发这个？", WHY),
        ("how far along are you by now?", Spoken("readiness")),
    ],
)
def test_a_whole_message_means_a_command(said: str, command: Spoken) -> None:
    assert find_spoken(said) == command


@pytest.mark.parametrize(
    "said",
    [
        "I can't undo what I said to her",
        "take that back to the shop",
        "why did you write a book?",
        "warum hast du ihr nicht geschrieben?",
        "no me escribiste",
        "annule mon rendez-vous de jeudi",
        "pourquoi elle ne m’a pas écrit ?",
        "annulla la cena di giovedì",
        "por que ela não me escreveu?",
        "отмени это напоминание завтра",
        "geri aldım",
        "他为什么没给我发消息？",
        "撤销订单怎么弄",
    ],
)
def test_other_messages_mean_none(said: str) -> None:
    assert find_spoken(said) is None
