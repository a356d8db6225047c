"""Who writes in another language is not answered in English, unless they asked for it; asked once, never twice."""

from __future__ import annotations

import pytest

from tests.support.world import Human, Script

ENGLISH = "I would check the legal cap before answering her, and answer in writing."

TALKS = [
    (
        "şu an 21 bin veriyoruz, bence bu yasal sınırı aşıyor",
        "Cevap vermeden önce yasal sınıra bak, cevabı da yazılı ver.",
    ),
    ("wir zahlen jetzt 900 und ich finde das zu viel", "Schau erst nach der Grenze, und antworte ihr schriftlich."),
    ("ahora pagamos 900 y me parece demasiado", "Mira primero el límite legal y contéstale por escrito."),
    ("on paie 900 et je trouve que c'est trop", "Regarde d'abord le plafond et réponds-lui par écrit."),
    ("adesso paghiamo 900 e mi sembra troppo", "Guarda prima il limite e rispondile per iscritto."),
    ("agora a gente paga 900 e eu acho demais", "Olha antes o limite legal e responde por escrito."),
    ("сейчас мы платим 900, и мне кажется, это много", "Сначала посмотри предел, а ответь ей письменно."),
    ("我们现在付九百，我觉得太多了", "先查一下法定上限，再书面回复她。"),
]


@pytest.mark.parametrize(("said", "right"), TALKS, ids=[said[:12] for said, _ in TALKS])
async def test_an_english_answer_is_asked_for_once_more_in_their_language(
    human: Human, model: Script, said: str, right: str
) -> None:
    model.lines = [ENGLISH, right]
    assert await human.says(said) == [right]
    turns = [one for one in model.questions if one.purpose == "turn"]
    assert len(turns) == 2 and "you answered in English" in turns[1].messages[-1].text


@pytest.mark.parametrize(("said", "right"), TALKS, ids=[said[:12] for said, _ in TALKS])
async def test_an_answer_in_their_language_is_asked_for_once(
    human: Human, model: Script, said: str, right: str
) -> None:
    model.lines = [right]
    assert await human.says(said) == [right]
    assert len([one for one in model.questions if one.purpose == "turn"]) == 1


async def test_half_of_it_is_enough_and_what_stays_english_is_sent(human: Human, model: Script) -> None:
    half = f"Bence de bakmaya değer. {ENGLISH}"
    model.lines = [half, half]
    assert await human.says(TALKS[0][0]) == [half], "they may have asked for English words: the mind decides"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("we pay 900 now and i think that's too much", ENGLISH),
        ("ok", ENGLISH),
        ("wir hören gerade Simon & Garfunkel, kennst du das Lied noch?", "Bridge over Troubled Water, natürlich."),
        ("bana bir film öner, yarın akşam izleyelim", "The Lives of Others. Yavaş başlar, sonra bırakmaz."),
    ],
)
async def test_english_talk_and_english_titles_are_left_alone(
    human: Human, model: Script, said: str, answer: str
) -> None:
    model.lines = [answer]
    assert await human.says(said) == [answer]
    assert len([one for one in model.questions if one.purpose == "turn"]) == 1
