"""Whose words a message holds, by style, person, layout and what is said around it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from bench import pasted as bench
from furoshiki.language import testimony
from furoshiki.memory.perception import authorship
from furoshiki.memory.perception.authorship import Around
from tests.evenings.evening import read

HEAD = authorship.head(bench.CONFIG)
STORIES = Path(__file__).parent / "stories_of_others.txt"
LETTERS = Path(__file__).parent / "letters_to_send.txt"
LED = Path(__file__).parent / "greeted_leads.txt"
"""What people tell of others, and letters they are about to send, in nine languages; none is fitted on."""
LETTER = (
    "Dear Ms Pryce,\n\nThank you for your letter. I live in Fowey and have kept a boat there since 1991. I would like "
    "to take the berth from March.\n\nYours sincerely,\nThomas Harding"
)
TOM = Around("Tom", "", ("The train was late.", "My knee is better.", "I walked to the harbour."))


def kinds(text: str, around: Around = TOM) -> set[str]:
    told = authorship.read(text, (), around, HEAD)
    assert told.text == text
    return {one.kind for one in testimony.outside(told.foreign)}


def test_most_of_what_others_wrote_is_noticed_and_hardly_anything_own_is_lost() -> None:
    """On the messages that are not fitted."""
    held = [sample for sample in bench.read() if sample.held_out]
    found = bench.table([(sample, bench.outcome(sample, HEAD)) for sample in held])
    _, composed, doubtful, _ = found["pasted"]
    assert found["pasted"][0] >= 100 and found["own"][0] >= 100
    assert composed >= 0.6 and composed + doubtful >= 0.9
    assert found["own"][1] <= 0.02 and found["own"][2] <= 0.13


def test_a_long_message_is_nobody_elses_for_its_length() -> None:
    found = bench.table([(one, bench.outcome(one, HEAD)) for one in bench.join_long(bench.read())])
    assert found["pasted"][1] >= 0.9
    assert found["own"][1] <= 0.15 and found["own"][1] + found["own"][2] <= 0.36
    told = "I went to the market today. My sister rang while I was there, and we talked about mum. I am so tired. "
    assert kinds((told * 60).strip()) == set()


def test_the_same_letter_is_ones_own_or_not_by_what_is_said_around_it() -> None:
    assert kinds(f"My friend Rob wrote this, is it any good?\n\n{LETTER.replace('Thomas', 'Rob')}") == {"composed"}
    assert kinds(f"I'm writing to the harbour. Would you check my letter before I send it?\n\n{LETTER}") == set()


CV_BEFORE = (
    "mate daves asked me to look over his cv, heres it:\n\nhes divorced an all. i drive a desk at the council myself. "
    "tell me one thing to fix"
)
USUAL = (
    "right so hi im graham ive got two kids poppy whos eight and alfie whos five going on forty and my mums ill",
    "can you look in my calendar, its one of those google ics links, i keep double booking myself",
    "make that ward thing 5 on friday. no hang on saturday morning, 10ish, friday im picking alfie up",
    CV_BEFORE,
)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (
            CV_BEFORE,
            'brilliant. boss just sent: "Graham, thrilled to announce you will be leading the bin contract review. I '
            'know how much you love bins." living the dream, me. also why do you keep saying my mums in sheffield, and '
            "its ward j21 not 12",
        ),
        (
            "朋友小戴让我看看他的简历。他还离婚了。说一个要改的地方",
            "真棒。老板刚发来：\u201c小李，很高兴宣布您将负责合同审查。我知道您非常喜欢这项"
            "工作。\u201d 生活真美好。还有你为什么说我妈妈在上海，她在21病房，不是12",
        ),
    ],
)
def test_what_is_quoted_says_nothing_of_who_wrote_the_rest(before: str, text: str) -> None:
    usual = USUAL if before == CV_BEFORE else (before,)
    assert kinds(text, Around("Graham", before, usual)) == set()


FIRST = (
    "Good evening. My granddaughter Ellie set this up for me. My name is Harold Pemberton, I am 71, and I was a bus "
    "driver in Leeds for 34 years. My wife Margaret died on the 3rd of August. I don't really know what one says here.",
    "Hello, my name is Joan, I am 64 and live in Bristol with my two cats. I used to teach piano and I retired last "
    "spring. My son says I should talk to somebody, so here I am.",
    "Guten Abend. Meine Enkelin Lena hat mir das eingerichtet. Mein Name ist Heinrich Brandt, ich bin 74 und war "
    "Busfahrer in Kassel. Meine Frau Marga ist am 3. August gestorben. Ich weiß nicht recht, was man da sagt.",
    "Bonsoir. C'est ma petite-fille Élodie qui m'a installé ça. Je m'appelle Henri Martin, j'ai 72 ans et j'étais "
    "chauffeur de bus à Nantes. Ma femme Marguerite est morte le 3 août. Je ne sais pas trop ce qu'on dit.",
    "Buenas noches. Mi nieta Elena me ha instalado esto. Me llamo Antonio Pérez, tengo 73 años y fui conductor de "
    "autobús en Sevilla. Mi mujer Carmen murió el 3 de agosto. No sé muy bien qué se dice.",
    "Buonasera. Mia nipote Elena mi ha installato questo. Mi chiamo Franco Rossi, ho 73 anni e facevo l'autista di "
    "autobus a Torino. Mia moglie Carla è morta il 3 agosto. Non so bene cosa si dica a una cosa come te.",
    "Boa noite. A minha neta Inês instalou-me isto. Chamo-me António Silva, tenho 73 anos e fui motorista no Porto. "
    "A minha mulher Rosa morreu no dia 3 de agosto. Não sei bem o que se diz a uma coisa destas.",
    "Добрый вечер. Это мне внучка Лена установила. Меня зовут Пётр Иванович, мне 72 года, я тридцать лет водил автобус "
    "в Туле. Жена моя Нина умерла третьего августа. Не знаю даже, что такому говорят.",
    "İyi akşamlar. Bunu bana torunum Elif kurdu. Adım Hasan Yılmaz, 72 yaşındayım, otuz dört yıl İzmir'de otobüs "
    "şoförlüğü yaptım. Eşim Nermin 3 Ağustos'ta vefat etti. Senin gibi bir şeye ne denir bilmiyorum.",
    "晚上好。这个是我孙女丽丽给我装的。我叫王建国，今年七十二岁，在沈阳开了三十四年公交车。我老伴淑芬八月三号走了。我也不知道该说什么。",
)


@pytest.mark.parametrize("text", FIRST)
def test_who_introduces_themselves_in_the_first_message_is_its_sender(text: str) -> None:
    """Nothing is known of them yet, so that their own name seemed another person's."""
    assert kinds(text, Around("Ellie")) == set()


def test_a_circular_in_the_first_message_is_not_its_senders() -> None:
    text = (
        "Dear tenants, the water will be shut off on Thursday between 9 and 12 because of works in the cellar. Please "
        "keep the taps closed. Kind regards, your property management."
    )
    assert kinds(text, Around()) == {"composed"}


def test_what_is_said_about_a_text_stays_ones_own() -> None:
    text = f"My niece sent me this letter, I am so worried about her.\n\n{LETTER}\n\nWhat should I answer?"
    told = authorship.read(text, (), TOM, HEAD)
    own = testimony.own(told.text, told.foreign)
    assert own.startswith("My niece sent me") and own.endswith("What should I answer?") and "Fowey" not in own


@pytest.mark.parametrize(
    ("said", "remark"),
    [
        (
            "my sister sent me this ad: Receptionist (m/f), dental clinic in Leeds. Hours 9 to 6, Monday to "
            "Friday. We offer 24,000 a year and free parking. Fluent English and a driving licence required. "
            "Send your CV by 9 November. ",
            "i think i'll try",
        ),
        (
            "schau mal was sie schickt: Rezeption (m/w/d) in einer Zahnarztpraxis in Altona. Arbeitszeit von 9 "
            "bis 18 Uhr, Montag bis Freitag. Wir bieten 2.400 Euro und ein Jobticket. Fließendes Englisch und "
            "Führerschein erforderlich. Bewerben Sie sich bis zum 9. November. ",
            "ich glaub ich versuchs",
        ),
        (
            "a keila me mandou essa vaga: Recepcionista (m/f) – Clínica Dentária, Alvalade. Horário das 9h às "
            "18h, de segunda a sexta. Oferecemos 1.150€ e subsídio de alimentação. Exige-se inglês fluente e "
            "carta de condução. Envie o seu CV até 9 de Novembro. ",
            "acho que vou tentar",
        ),
        (
            "вот что она прислала: Администратор в стоматологическую клинику, Казань. График с 9 до 18, с "
            "понедельника по пятницу. Предлагаем 60 000 рублей и обучение. Требуется свободный английский и "
            "права. Присылайте резюме до 9 ноября. ",
            "наверное попробую всё-таки",
        ),
    ],
)
def test_what_is_written_small_behind_a_pasted_text_is_ones_own(said: str, remark: str) -> None:
    """In one line, as on a phone; a text that is small throughout, or an ending of a word, stays whole."""
    around = Around("Tom", "", ())
    told = authorship.read(said + remark, (), around, HEAD)
    own = testimony.own(told.text, told.foreign)
    assert own.endswith(remark) and "9" not in own
    for whole in (said.lower() + remark, said + "danke."):
        told = authorship.read(whole, (), around, HEAD)
        assert not testimony.own(told.text, told.foreign).endswith((remark, "danke.")) or not told.foreign


@pytest.mark.parametrize("line", Path(__file__).with_name("mails_in_one_line.txt").read_text("utf-8").splitlines())
def test_a_letter_that_came_and_is_pasted_in_one_line_is_its_writers(line: str) -> None:
    """“got mail from the lawyer: Dear Ms Quinn, … I will be on leave”: it was the reader who went on leave."""
    whose, text = line.split("\t")
    told = authorship.read(text, (), Around("", "", ()), HEAD)
    own = testimony.own(told.text, told.foreign)
    assert (text[-20:] in own) is (whose == "own") and own.startswith(text[:12])


def test_a_text_in_doubt_is_no_moment_of_ones_own() -> None:
    """“They said: “… I live in Porto …”” stood among what was said, from a friend's CV."""
    text = "look at her cv that i should fix: Ana Reis, 34. I live in Porto. what is missing?"
    foreign = (testimony.Passage("doubtful", 34, 64),)
    assert "Porto" in testimony.own(text, foreign)
    kept = testimony.own(text, foreign, doubtful=False)
    assert "Porto" not in kept and kept.startswith("look at her cv") and kept.endswith("what is missing?")


def test_a_long_quotation_is_anothers_and_what_is_said_around_it_is_not() -> None:
    """The letter in an evening in Turkish."""
    letter = read("turkish").says[6][1]
    told = authorship.read(letter, (), Around("İlker", "eşim hamile"), HEAD)
    own = testimony.own(told.text, told.foreign)
    assert own.startswith("bugün bir de mektup geldi, bak:") and own.endswith("doğuma kadar vaktim az")
    assert "Yasemin" not in own


def test_what_is_short_or_in_a_language_that_is_not_known_is_left_to_its_form() -> None:
    greek = " ".join(["Μένω στην Πάτρα και δουλεύω ως γιατρός."] * 8)
    assert kinds("here is her letter:\nI live in Madrid") == {"pasted"}
    assert kinds(greek) == set()
    assert kinds(f"γράμμα της μαμάς\n> {greek}") == {"pasted"}


def test_what_is_in_doubt_counts_as_said_but_quotations_in_it_do_not() -> None:
    text = 'I live in Oslo. He said "I live in Madrid now" and left. I am a nurse.'
    told = testimony.attribute(testimony.build_typed(text), "doubtful", 0, len(text))
    assert testimony.own(told.text, told.foreign) == 'I live in Oslo. He said "" and left. I am a nurse.'
    assert testimony.others(told.text, told.foreign) == '"I live in Madrid now"'
    assert testimony.doubt([told.foreign]) and testimony.doubt([told.foreign, ()]) is None and not testimony.doubt([])
    assert "".join(words for words, _ in testimony.pieces(text, told.foreign)) == text
    assert testimony.read(testimony.dump_passages(told.foreign), text) == told.foreign


def test_what_somebody_else_wrote_covers_its_links() -> None:
    text = "hm\nI live in Madrid, see https://example.org/me and call"
    told = testimony.attribute(testimony.build_typed(text), "composed", 3, len(text))
    assert testimony.own(told.text, told.foreign) == "hm" and testimony.links(text, told.foreign) == ()


@pytest.mark.parametrize("language", ["ru", "tr", "zh"])
def test_what_others_wrote_is_noticed_in_russian_turkish_and_chinese(language: str) -> None:
    every = [sample for sample in bench.read() if sample.language == language]
    found = bench.table([(sample, bench.outcome(sample, HEAD)) for sample in every])
    assert found["pasted"][1] >= 0.85 and found["own"][1] == 0 and found["own"][2] <= 0.15


def test_what_was_sent_to_somebody_is_not_what_they_send() -> None:
    notice = "各位业主：因热水管道改造，12月3日至7日每天9时至17时本楼将暂停供水，请提前储水，并保持家中有人。"
    assert kinds(f"你看看别人发给我的这个\n\n{notice}", Around()) == {"composed"}
    advertisement = (
        "急寻三岁男宝育儿嫂一名，周一至周五早八点到晚六点，希望您有耐心、爱干净，工资面议，我和爱人都是医生。"
    )
    assert kinds(f"你看看别人发给我的这个\n\n{advertisement}", Around()) == {"composed"}


def test_what_somebody_writes_of_themselves_in_chinese_is_no_shorter_for_its_signs() -> None:
    lead = "亲戚转来一个护工的介绍。"
    advertisement = "您好，我叫刘桂芳，今年五十二岁，做护工十五年了，有健康证和护理证，可以住家，包吃，需要的请联系我。"
    told = "今天陪我先生去医院复查，大夫说他的肾功能差了一点，我心里难受，晚上炒了两个没放多少盐的菜，他吃得很慢。"
    assert kinds(lead + advertisement, Around()) == {"composed"} and kinds(told, Around()) == set()


def test_what_people_tell_of_others_and_of_their_days_is_their_own() -> None:
    """Without an "I", and beginning with "his", "my boss" or "the landlord", which announce no text."""
    judged = [kinds(told, Around()) for told in STORIES.read_text(encoding="utf-8").splitlines()]
    assert len(judged) == 104 and {"composed"} not in judged
    assert judged.count({"doubtful"}) <= 1


def test_a_line_break_after_the_first_sentence_makes_them_nobody_elses() -> None:
    told = [re.sub(r"(?<=[.!?。]) *", "\n", one, count=1) for one in STORIES.read_text(encoding="utf-8").splitlines()]
    judged = [kinds(one, Around("Ruth")) for one in told]
    assert {"composed"} not in judged and judged.count({"doubtful"}) <= 5


@pytest.mark.parametrize("said", LETTERS.read_text(encoding="utf-8").splitlines())
def test_a_letter_that_somebody_is_about_to_send_is_theirs(said: str) -> None:
    """Behind a lead in the same line, like one that came."""
    assert kinds(said, Around("Ruth")) == set()


def test_a_text_named_as_somebodys_is_still_theirs() -> None:
    advertisement = "Sunny room in a quiet house near the park, for a tidy person who likes cats. Bills are included."
    assert kinds(f"this is her ad. {advertisement} Available from May, deposit of one month.", Around()) != set()


@pytest.mark.slow
def test_a_message_is_judged_in_a_few_milliseconds() -> None:
    samples = bench.read()
    began = time.process_time()
    for sample in samples:
        authorship.read(sample.text, (), sample.around, HEAD)
    assert (time.process_time() - began) / len(samples) < 0.005


SMALL = ("przypomnij mi jutro o 8", "mama leży u nas w dużym pokoju", "i mów do mnie krócej", "no to jestem Dorota")
SAID_ELSEWHERE = [
    line.partition(" ")[::2]
    for line in (Path(__file__).parent / "pasted_elsewhere.txt").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("whose", "said"), SAID_ELSEWHERE)
def test_what_is_pasted_in_a_language_without_words_here_is_doubtful_by_its_form(whose: str, said: str) -> None:
    """Somebody who writes small pastes sentences with capitals behind a colon; their own remark stays theirs."""
    typed = authorship.read(said, (), Around("Dorota", "", SMALL, unread=True), HEAD)
    assert [one.kind for one in typed.foreign] == ["doubtful"] * (whose == "(pasted)")
    assert all(said[one.end :].islower() or one.end == len(said) for one in typed.foreign)
    tidy = Around("Dorota", "", [line.capitalize() for line in SMALL], unread=True)
    assert not authorship.read(said, (), tidy, HEAD).foreign, "who always writes so wrote it"


@pytest.mark.parametrize("line", LED.read_text(encoding="utf-8").splitlines())
def test_a_greeting_and_what_leads_to_a_text_are_the_senders_own(line: str) -> None:
    lead, body = line.replace("|", "\n").split("\t")
    for gap in ("\n", "\n\n"):
        told = authorship.read(f"{lead}{gap}{body}", (), Around(), HEAD)
        assert testimony.own(told.text, told.foreign).startswith(lead)


@pytest.mark.parametrize(
    ("salutation", "leads"),
    [
        ("Estimado señor García:", False),
        ("尊敬的先生：", False),
        ("Dear Anna, please find below:", False),
        ("hola, mira esto", False),
        ("hola, mira esto:", True),
        ("look at this:", True),
    ],
)
def test_a_letters_first_line_leads_to_nothing(salutation: str, leads: bool) -> None:
    every = HEAD.lexis.values()
    assert all(one.leads(salutation) for one in every) is leads
