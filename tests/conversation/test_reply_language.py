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


WANTED = [
    (
        ("how do you say 'non ce la faccio più' in English? ho un collega irlandese, Cian",),
        '"I can\'t take this any more." Più stanca che arresa: "I\'m running on empty these days, honestly."',
    ),
    (
        ("come si dice in inglese che sono stanca morta di questo lavoro?",),
        "I am dead tired of this job, and I mean it.",
    ),
    (("traducimi in inglese: domani non posso venire al lavoro",), "I cannot come to work tomorrow, I am sorry."),
    (
        ("scrivimi una mail in inglese per il mio capo, domani sono malata",),
        "Dear Mark, I am ill and will not come in tomorrow. I will be back on Thursday.",
    ),
    (
        ("wie sagt man das auf Englisch: ich bin völlig fertig mit den Nerven",),
        "I am at the end of my tether, as they say.",
    ),
    (("übersetz mir das bitte ins Englische: der Zug hat Verspätung",), "The train is late again this morning, sorry."),
    (("wie heißt der Satz auf Englisch?",), 'It would be: "You have to look after yourself first, always."'),
    (("cómo se dice en inglés 'me tienes harta'?",), 'Se dice: "I am fed up with you, to be honest."'),
    (
        ("tradúceme al inglés: no puedo ir mañana a la reunión",),
        "I cannot come to the meeting tomorrow, sorry about that.",
    ),
    (("comment on dit en anglais 'je n'en peux plus' ?",), 'On dit : "I can\'t take this any longer, really."'),
    (
        ("écris-moi un message en anglais pour mon voisin, la musique est trop forte",),
        "Hi, could you please turn the music down a little at night?",
    ),
    (("como se diz em inglês 'estou de saco cheio'?",), "I am sick and tired of all this."),
    (("traduz para inglês: amanhã chego mais tarde",), "I will be a bit late tomorrow morning."),
    (("как сказать по-английски «я больше не могу»?",), "I can't do this any more, I really can't."),
    (("переведи на английский: завтра меня не будет",), "I will not be there tomorrow, I am afraid."),
    (("bunu İngilizceye çevir: yarın gelemiyorum",), "I will not be able to come tomorrow."),
    (("'bıktım artık' İngilizce nasıl denir?",), '"I am so fed up with all this." dersin.'),
    (("用英语怎么说“我受够了”？",), "I have had enough of all this, really."),
    (("帮我翻译成英文：明天我不能来",), "I am not able to come tomorrow, sorry."),
    (("come si dice in inglese 'sono stanca'?", "e quello più forte?"), "I am worn out and I cannot go on like this."),
    (("wie sagt man das auf Englisch?", "und etwas höflicher bitte"), "I would be grateful if you could call me back."),
    (
        ("scrivi in inglese da ora, devo esercitarmi", "ieri ho dormito male"),
        "That sounds rough. Did you get any rest in the end?",
    ),
    (
        ("cosa c'è scritto sul cartello? lo vedo sempre alla stazione di Londra",),
        'C\'è scritto "Please mind the gap between the train and the platform", cioè attenzione allo spazio.',
    ),
    (
        ("wie fängt das Lied von den Beatles nochmal an, das mit gestern?",),
        'So: "Yesterday, all my troubles seemed so far away". Schön, oder?',
    ),
    (
        ("quel est le slogan d'Apple déjà, celui des années 90 ?",),
        "C'était « Here's to the crazy ones, the misfits, the rebels ». Ça te revient ?",
    ),
]
"""What was said, and an answer with English words that were wanted."""


@pytest.mark.parametrize(("said", "answer"), WANTED, ids=[said[-1][:20] for said, _ in WANTED])
async def test_english_that_was_wanted_is_not_asked_for_once_more(
    human: Human, model: Script, said: tuple[str, ...], answer: str
) -> None:
    """23 of these 25 were, for one more call and the wait for it."""
    model.lines = ["Ok."] * (len(said) - 1) + [answer]
    for one in said[:-1]:
        await human.says(one)
    assert await human.says(said[-1]) == [answer]
    assert len([one for one in model.questions if one.purpose == "turn"]) == len(said)


async def test_who_spoke_of_english_a_while_ago_or_quotes_one_word_is_still_answered_in_their_language(
    human: Human, model: Script
) -> None:
    told = ["mia figlia studia inglese a Londra", "oggi ho litigato con mio marito", "non so se parlargli stasera"]
    wrong = '"Litigato" is a heavy word. You do not need to decide tonight, sleep first.'
    model.lines = ["Ok."] * len(told) + [wrong, "Non decidere stasera, dormi."]
    for one in told:
        await human.says(one)
    assert await human.says("mi sento uno straccio, davvero") == ["Non decidere stasera, dormi."]
