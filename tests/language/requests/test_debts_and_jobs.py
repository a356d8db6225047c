"""Questions that are answered in other words: who owes what, and what was paid back."""

from datetime import timedelta

import pytest

from furoshiki.language.reflex.hearing import content
from furoshiki.language.requests import debts_and_jobs
from furoshiki.language.testimony import Utterance
from furoshiki.recall.retrieval.other_languages import load_languages
from tests.support.world import START

LANGUAGES = {one.code: one for one in load_languages().each}

MATTERS = [
    ("en", "who owes me money", "lent Ravi a tenner", "I owe Meera 40 quid"),
    ("en", "who do i owe", "Meera lent me 40 quid", "I owe it to myself"),
    ("de", "wer schuldet mir was", "ich hab jan 20 euro geliehen", "ich schulde lisa noch 30 euro"),
    ("de", "wem schulde ich was", "ich schulde lisa noch 30 euro", "ich hab jan 20 euro geliehen"),
    ("de", "wo hab ich früher gearbeitet", "hab bei rewe gekündigt und bei aldi angefangen", "mein bruder ist da"),
    ("es", "quien me debe dinero", "le presté 20 euros a marcos", "le debo 30 euros a la vecina"),
    ("es", "donde trabajaba antes", "deje de trabajar en zara y empece en mango", "mi hermano es alto"),
    ("fr", "qui me doit de l'argent", "jai preté 20 euros a paul", "je dois 30 euros à ma voisine"),
    ("fr", "je bossais ou avant", "jai quitté carrefour et jai commencé chez auchan", "je mange"),
    ("it", "chi mi deve dei soldi", "ho prestato 20 euro a luca", "devo 30 euro alla vicina"),
    ("it", "dove lavoravo prima", "ho lasciato il lavoro da conad e ho iniziato da coop", "devo uscire"),
    ("pt", "quem me deve dinheiro", "emprestei 20 reais pro joao", "devo 30 euros à vizinha"),
    ("pt", "onde eu trabalhava antes", "sai do mercado dia e comecei na padaria do zé", "choveu"),
    ("ru", "кто мне должен", "я занял пете 500 рублей", "я должна соседке 300 рублей"),
    ("ru", "где я раньше работал", "уволился из пятерочки и устроился в магнит", "идёт дождь"),
    ("tr", "kimin bana borcu var", "aliye 200 lira borç verdim", "komşuya 300 lira borcum var"),
    ("tr", "eskiden nerde calısıyodum", "migrosu bıraktım bimde basladım", "hava güzel"),
    ("zh", "谁欠我钱", "我借给小明50块", "我欠邻居300块钱"),
    ("zh", "我以前在哪儿上班", "我从肯德基辞职了，去麦当劳上班了", "今天下雨"),
]


def _told(asked: str, code: str, *said: str) -> list[str]:
    spoken = [Utterance("user", text, START + timedelta(minutes=at)) for at, text in enumerate(said)]
    words = content if code == "en" else LANGUAGES[code].content
    matter = debts_and_jobs.find_matter(asked, code)
    assert matter is not None
    return [one.text for one in debts_and_jobs.find_open(matter, asked, spoken, words)]


@pytest.mark.parametrize(("code", "asked", "answer", "other"), MATTERS)
def test_what_answers_in_other_words_is_known(code: str, asked: str, answer: str, other: str) -> None:
    """“wer schuldet mir was” found nothing beside “ich hab jan 20 euro geliehen”."""
    assert _told(asked, code, other, answer) == [answer]
    assert debts_and_jobs.find_matter(answer, code) is None


PAID = [
    ("en", "who do i owe", "I owe Meera 40 quid", "I owe Tom 20", "paid meera back"),
    ("en", "who owes me money", "I lent Ravi 20", "jonas owes me 15", "ravi paid me back"),
    (
        "de",
        "wem schulde ich geld",
        "ich schulde jan 40 euro",
        "ich schulde tom 20 euro",
        "hab jan das geld zurückgegeben",
    ),
    (
        "de",
        "wer schuldet mir was",
        "ich hab jan 20 euro geliehen",
        "tom schuldet mir 15",
        "jan hat mir alles zurückgezahlt",
    ),
    ("es", "a quien le debo dinero", "le debo 30 a marcos", "le debo 20 a tomas", "le devolví el dinero a marcos"),
    ("es", "quien me debe dinero", "le presté 20 euros a marcos", "tomas me debe 15", "marcos me devolvió todo"),
    ("fr", "à qui je dois de l'argent", "je dois 30 euros à marc", "je dois 20 euros à léa", "jai remboursé marc"),
    ("fr", "qui me doit de l'argent", "jai preté 20 euros a paul", "léa me doit 15", "paul m'a remboursé"),
    ("it", "a chi devo dei soldi", "devo 30 euro a luca", "devo 20 euro a gino", "ho restituito tutto a luca"),
    ("it", "chi mi deve dei soldi", "ho prestato 20 euro a luca", "gino mi deve 15", "luca mi ha restituito tutto"),
    ("pt", "a quem eu devo dinheiro", "devo 30 euros ao joao", "devo 20 euros à rita", "paguei ao joao"),
    ("pt", "quem me deve dinheiro", "emprestei 20 reais pro joao", "rita me deve 15", "joao me pagou"),
    ("ru", "кому я должен", "я должен пете 300 рублей", "я должен маше 200 рублей", "вернул пете деньги"),
    ("ru", "кто мне должен", "петя мне должен 300", "маша мне должна 200", "петя отдал мне долг"),
    ("tr", "kime borcum var", "ali'ye 200 lira borcum var", "can'a 300 lira borcum var", "ali'ye borcumu ödedim"),
    (
        "tr",
        "kimin bana borcu var",
        "aliye 200 lira borç verdim",
        "cana 100 lira borç verdim",
        "aliye verdiğim parayı bana geri verdi",
    ),
    ("zh", "我欠谁钱", "我欠小明50块", "我欠老王20块", "还了小明的钱"),
    ("zh", "谁欠我钱", "我借给小明50块", "我借给老王20块", "小明还我了"),
]


@pytest.mark.parametrize(("code", "asked", "first", "second", "over"), PAID)
def test_what_was_paid_back_is_owed_no_longer(code: str, asked: str, first: str, second: str, over: str) -> None:
    assert _told(asked, code, first, second) == [second, first]
    assert _told(asked, code, first, second, over) == [second]
    assert _told(asked, code, first, over) == [over]


@pytest.mark.parametrize(
    "said", ["paid the rent today", "paid for lunch", "gave tom a lift back", "paid meera 10 back", "paid attention"]
)
def test_what_was_paid_for_something_else_ends_no_debt(said: str) -> None:
    assert "I owe Meera 40 quid" in _told("who do i owe", "en", "I owe Meera 40 quid", said)


@pytest.mark.parametrize(
    "said", ["what do I owe you", "where do i work", "who paid for lunch", "wer ist jan", "what do i owe you for this"]
)
def test_no_debt_is_asked_for(said: str) -> None:
    assert debts_and_jobs.find_matter(said, "en") is None


def test_a_question_that_names_somebody_asks_for_that_debt() -> None:
    assert _told("how much do i owe tom", "en", "I owe Tom 20", "I owe Meera 40 quid") == ["I owe Tom 20"]
