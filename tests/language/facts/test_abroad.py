"""Facts that people state of those around them in other languages than English, and questions for a fact."""

from __future__ import annotations

import pytest

from furoshiki.language.facts import abroad, conflicts
from furoshiki.language.testimony import as_told
from furoshiki.recall.retrieval.other_languages import load_languages

LANGUAGES = {one.code: one for one in load_languages().each}
STATED = (
    ("de", "meine Schwester wohnt in Bonn", "sister", "lives_in", "Bonn"),
    ("de", "Mein Bruder ist 12 Jahre alt", "brother", "age", "12"),
    ("de", "mein Vater hat am 3. März Geburtstag", "father", "birthday", "3. März"),
    ("es", "mi hermana vive en Bilbao", "sister", "lives_in", "Bilbao"),
    ("es", "Mi hermano tiene 12 años", "brother", "age", "12"),
    ("es", "el cumpleaños de mi madre es el 3 de mayo", "mother", "birthday", "3 de mayo"),
    ("fr", "ma soeur habite à Lille", "sister", "lives_in", "Lille"),
    ("fr", "mon frère a 12 ans", "brother", "age", "12"),
    ("fr", "l'anniversaire de ma mère est le 3 mai", "mother", "birthday", "3 mai"),
    ("it", "mia sorella abita a Torino", "sister", "lives_in", "Torino"),
    ("it", "mio fratello ha 12 anni", "brother", "age", "12"),
    ("it", "il compleanno di mia madre è il 3 maggio", "mother", "birthday", "3 maggio"),
    ("pt", "a minha irmã mora em Braga", "sister", "lives_in", "Braga"),
    ("pt", "o meu irmão tem 12 anos", "brother", "age", "12"),
    ("pt", "o aniversário da minha mãe é no dia 3 de maio", "mother", "birthday", "3 de maio"),
    ("pt", "minha vó mora em Ouro Preto", "grandmother", "lives_in", "Ouro Preto"),
    ("pt", "meu moleque fez 7 anos ontem", "son", "age", "7"),
    ("pt", "meu filho Caio tem 7 anos", "Caio", "age", "7"),
    ("de", "meine tochter Lotte ist 4", "Lotte", "age", "4"),
    ("fr", "ma meilleure amie c'est inès", "user", "friend", "Inès"),
    ("es", "mi mejor amiga es Lucía", "user", "friend", "Lucía"),
    ("pt", "minha mina é a Bia", "user", "girlfriend", "Bia"),
    ("it", "la mia tipa è Giulia", "user", "girlfriend", "Giulia"),
    ("de", "meine Schwester Lena wohnt in Köln", "Lena", "lives_in", "Köln"),
    ("de", "ich bin zweiundachtzig Jahre alt", "user", "age", "82"),
    ("es", "tengo ochenta y dos años", "user", "age", "82"),
    ("fr", "j'ai quatre-vingt-deux ans", "user", "age", "82"),
    ("it", "mia figlia ha sette anni", "daughter", "age", "7"),
    ("pt", "minha filha tem sete anos", "daughter", "age", "7"),
    ("ru", "мне восемьдесят два года", "user", "age", "82"),
    ("tr", "seksen iki yaşındayım", "user", "age", "82"),
    ("tr", "kızım Elif 7 yaşında", "Elif", "age", "7"),
    ("tr", "kızım Elif Ankara'da yaşıyor", "Elif", "lives_in", "Ankara"),
    ("zh", "我今年八十二岁", "user", "age", "82"),
    ("zh", "我女儿小雨七岁了", "小雨", "age", "7"),
    ("de", "meine Schwiegermutter heißt Gerda", "user", "mother-in-law", "Gerda"),
    ("es", "mi suegra se llama Carmen", "user", "mother-in-law", "Carmen"),
    ("fr", "ma belle-mère s'appelle Odile", "user", "mother-in-law", "Odile"),
    ("it", "mia suocera si chiama Rosa", "user", "mother-in-law", "Rosa"),
    ("pt", "minha sogra se chama Lúcia", "user", "mother-in-law", "Lúcia"),
    ("ru", "мою свекровь зовут Галина", "user", "mother-in-law", "Галина"),
    ("tr", "kayınvalidemin adı Fatma", "user", "mother-in-law", "Fatma"),
    ("zh", "我岳母叫王芳", "user", "mother-in-law", "王芳"),
    ("pt", "tenho uma cachorra chamada Mel", "user", "dog", "Mel"),
    ("pt", "a gente tem um gato, o Bingo", "user", "cat", "Bingo"),
    ("pt", "meu namorado chama Igor", "user", "boyfriend", "Igor"),
    ("pt", "trabalho de enfermeira", "user", "works_as", "enfermeira"),
    ("pt", "meu aniversário é 12 de março", "user", "birthday", "12 de março"),
    ("pt", "amo pão de queijo", "user", "likes", "pão de queijo"),
    ("ru", "моя сестра живёт в Москве", "sister", "lives_in", "Москве"),
    ("ru", "моему брату 12 лет", "brother", "age", "12"),
    ("ru", "у моей мамы день рождения 3 мая", "mother", "birthday", "3 мая"),
    ("tr", "ablam Ankara'da yaşıyor", "sister", "lives_in", "Ankara"),
    ("tr", "oğlum 12 yaşında", "son", "age", "12"),
    ("tr", "annemin doğum günü 3 Mayıs", "mother", "birthday", "3 Mayıs"),
    ("zh", "我姐姐住在北京", "sister", "lives_in", "北京"),
    ("zh", "我弟弟今年12岁", "brother", "age", "12"),
    ("zh", "我妈妈的生日是5月3日", "mother", "birthday", "5月3日"),
    ("de", "meine Schwester heißt Ute", "user", "sister", "Ute"),
    ("de", "hab nen hund, heißt milo", "user", "dog", "Milo"),
    ("de", "mein geburtstag is am 12. märz", "user", "birthday", "12. märz"),
    ("es", "tenemos un gato, se llama Fideo", "user", "cat", "Fideo"),
    ("es", "laburo de electricista", "user", "works_as", "electricista"),
    ("ru", "кот у нас, кличка Барсик", "user", "cat", "Барсик"),
    ("ru", "у меня др 8 ноября", "user", "birthday", "8 ноября"),
    ("es", "no soporto la cebolla cruda", "user", "dislikes", "cebolla cruda"),
    ("it", "nn sopporto il freddo", "user", "dislikes", "freddo"),
    ("ru", "терпеть не могу оливки", "user", "dislikes", "оливки"),
    ("zh", "我讨厌香菜", "user", "dislikes", "香菜"),
    ("fr", "j'adore la mer", "user", "likes", "mer"),
    ("ru", "мою сестру зовут Аня", "user", "sister", "Аня"),
    ("de", "jetzt arbeite ich als Fahrerin", "user", "works_as", "Fahrerin"),
    ("de", "jetzt wohne ich in Graz", "user", "lives_in", "Graz"),
    ("es", "ahora trabajo de conductora", "user", "works_as", "conductora"),
    ("fr", "maintenant j'habite à Lyon", "user", "lives_in", "Lyon"),
    ("it", "ora lavoro come autista", "user", "works_as", "autista"),
    ("pt", "agora moro em Recife", "user", "lives_in", "Recife"),
    ("ru", "теперь я работаю водителем", "user", "works_as", "водителем"),
    ("tr", "artık şoför olarak çalışıyorum", "user", "works_as", "şoför"),
    ("zh", "我现在当司机", "user", "works_as", "司机"),
    ("de", "ich bin 52", "user", "age", "52"),
    ("es", "tengo ya 17 años", "user", "age", "17"),
    ("fr", "j'ai 28 ans", "user", "age", "28"),
    ("it", "ho 17 anni", "user", "age", "17"),
    ("pt", "tenho 71 anos", "user", "age", "71"),
    ("ru", "мне 40", "user", "age", "40"),
    ("tr", "34 yaşındayım", "user", "age", "34"),
    ("zh", "我今年30岁", "user", "age", "30"),
    ("de", "meine Schwester Anna arbeitet als Krankenschwester", "Anna", "works_as", "Krankenschwester"),
    ("es", "mi hermana Ana trabaja como enfermera", "Ana", "works_as", "enfermera"),
    ("fr", "ma sœur Anna travaille comme infirmière", "Anna", "works_as", "infirmière"),
    ("it", "mia sorella Anna lavora come infermiera", "Anna", "works_as", "infermiera"),
    ("pt", "minha irmã Ana trabalha como enfermeira", "Ana", "works_as", "enfermeira"),
    ("ru", "моя сестра Аня работает медсестрой", "Аня", "works_as", "медсестрой"),
    ("tr", "ablam hemşire olarak çalışıyor", "sister", "works_as", "hemşire"),
    ("zh", "我姐姐是一名护士", "sister", "works_as", "护士"),
)


@pytest.mark.parametrize(("code", "said", "subject", "predicate", "thing"), STATED)
def test_a_fact_of_somebody_is_read(code: str, said: str, subject: str, predicate: str, thing: str) -> None:
    [*_, fact] = abroad.facts_in(as_told(said), LANGUAGES[code])  # a name may stand before it
    assert (fact.subject, fact.predicate, fact.object, fact.words) == (subject, predicate, thing, said)


def test_a_blank_between_chinese_signs_is_a_pause() -> None:
    [fact] = abroad.facts_in(as_told("我住在东莞 做模具的"), LANGUAGES["zh"])
    assert (fact.predicate, fact.object) == ("lives_in", "东莞")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "meine Schwester wohnt in einem kleinen Haus"),
        ("de", "mein Chef ist 12 Kilometer gelaufen"),
        ("fr", "mon frère a 12 ans de retard"),
        ("fr", "ma mère habite ici"),
        ("es", "¿mi hermana vive en Bilbao?"),
        ("es", "odio mi vida"),
        ("fr", "ma mère c'est compliqué"),
        ("fr", "mon frère c'est un idiot"),
        ("es", "mi madre es Española"),
        ("it", "mia madre è Italiana"),
        ("es", "tengo muchos años"),
        ("de", "ich bin zwei tage krank"),
        ("de", "ich hasse dich"),
        ("de", "ich hasse menschen"),
        ("it", "ti odio"),
        ("ru", "ненавижу себя"),
        ("zh", "我讨厌自己"),
        ("it", "mio fratello lavora come un matto"),
        ("es", "mi hermana trabaja como una loca"),
        ("fr", "ma sœur travaille comme une folle"),
        ("pt", "minha irmã trabalha como uma louca"),
        ("ru", "моя сестра работает дома"),
        ("ru", "мой брат работает много"),
        ("zh", "我姐姐是个好人"),
    ],
)
def test_what_only_looks_like_one_is_not(code: str, said: str) -> None:
    assert abroad.facts_in(as_told(said), LANGUAGES[code]) == ()


@pytest.mark.parametrize(
    ("code", "said", "asked"),
    [
        ("de", "Als was habe ich gearbeitet?", ("user", "works_as")),
        ("es", "¿En qué trabajaba yo?", ("user", "works_as")),
        ("fr", "Je travaillais dans quoi ?", ("user", "works_as")),
        ("it", "che lavoro facevo?", ("user", "works_as")),
        ("pt", "Em que é que eu trabalhava?", ("user", "works_as")),
        ("ru", "кем я работал?", ("user", "works_as")),
        ("tr", "ne iş yapıyordum?", ("user", "works_as")),
        ("zh", "我做什么工作？", ("user", "works_as")),
        ("de", "wo wohnt meine Schwester?", ("sister", "lives_in")),
        ("fr", "quel âge a mon frère ?", ("brother", "age")),
        ("ru", "сколько лет моему брату?", ("brother", "age")),
        ("zh", "我姐姐住在哪里？", ("sister", "lives_in")),
        ("de", "was soll ich kochen?", None),
        ("de", "wie heißt mein Mann?", ("user", "husband")),
        ("es", "¿cómo se llama mi hija?", ("user", "daughter")),
        ("fr", "comment s'appelle mon copain ?", ("user", "boyfriend")),
        ("it", "come si chiama mia figlia?", ("user", "daughter")),
        ("pt", "qual é o nome da minha filha?", ("user", "daughter")),
        ("ru", "как зовут моего мужа?", ("user", "husband")),
        ("tr", "kocamın adı ne?", ("user", "husband")),
        ("zh", "我女儿叫什么名字？", ("user", "daughter")),
        ("de", "wie heißt deine Frau?", None),
        ("de", "wie heißt die Hauptstadt von Frankreich?", None),
        ("tr", "karısının adı ne?", None),
    ],
)
def test_it_is_known_which_fact_is_asked_for(code: str, said: str, asked: tuple[str, str] | None) -> None:
    assert abroad.find_asked(said, LANGUAGES[code]) == asked


@pytest.mark.parametrize(
    ("code", "said", "relation"),
    [
        ("de", "meine Tochter heißt Mia", "daughter"),
        ("de", "mein Bruder heißt Uwe", "brother"),
        ("de", "meine Töchter sind groß", "daughter"),
        ("de", "meine Kinder sind groß", "child"),
    ],
)
def test_a_plural_without_its_marks_does_not_hide_the_singular(code: str, said: str, relation: str) -> None:
    assert list(LANGUAGES[code].related(said)) == [relation]


@pytest.mark.parametrize(
    ("code", "said", "asked"),
    [
        ("it", "al funerale non viene. capito? e sua sorella", False),
        ("ru", "он не придёт, представляешь?", False),
        ("es", "no viene, sabés?", False),
        ("pt", "foi ele q ensinou a mamãe a costurar, acredita? hj ela não lembra", False),
        ("fr", "il a vendu la maison, tu te rends compte ? sans rien dire", False),
        ("fr", "tu crois pas ?", True),
        ("pt", "ela tinha alguma doença, né? qual era msm", True),
        ("de", "weißt du?", True),
        ("it", "vieni domani?", True),
    ],
)
def test_what_only_looks_for_a_nod_asks_nothing(code: str, said: str, asked: bool) -> None:
    assert LANGUAGES[code].is_asked(said) is asked


@pytest.mark.parametrize("code", sorted(code for code, language in LANGUAGES.items() if "once" in language.told))
def test_a_word_of_what_was_or_would_be_states_nothing(code: str) -> None:
    """“antes” alone ended the turn in an error."""
    for said in (
        "antes",
        "avant",
        "früher",
        "önce",
        "prima",
        "раньше",
        "以前",
        "wäre",
        "бы",
        "本来",
        "seria",
        "olurdu",
    ):
        assert abroad.facts_in(as_told(said), LANGUAGES[code]) == ()


@pytest.mark.parametrize(
    ("code", "said", "name"),
    [
        ("de", "mein hausarzt heißt jetzt Silva", "Silva"),
        ("es", "Mi médico se llama ahora Silva, antes era el doctor Ruiz.", "Silva"),
        ("fr", "Mon médecin s'appelle maintenant Silva.", "Silva"),
        ("it", "Il mio medico adesso si chiama Silva, prima era il dottor Rossi.", "Silva"),
        ("pt", "O meu médico agora chama-se Silva.", "Silva"),
        ("ru", "Моего врача теперь зовут Сильва.", "Сильва"),
        ("tr", "Doktorumun adı artık Silva.", "Silva"),
        ("zh", "我的医生现在姓林，以前是张医生。", "林"),
    ],
)
def test_now_is_no_part_of_a_name(code: str, said: str, name: str) -> None:
    """“Ahora Silva: recordaré el nombre.”; and the doctor before is none any more."""
    [fact] = abroad.facts_in(as_told(said), LANGUAGES[code])
    assert (fact.predicate, fact.object) == ("doctor", name)
    assert conflicts.ends("doctor", "Kern", name)


@pytest.mark.parametrize(
    ("said", "predicate", "thing"),
    [("我老公是司机", "works_as", "司机"), ("我妈妈是老师", "works_as", "老师"), ("我老公是王强", "husband", "王强")],
)
def test_a_trade_is_no_name(said: str, predicate: str, thing: str) -> None:
    [fact] = abroad.facts_in(as_told(said), LANGUAGES["zh"])
    assert (fact.predicate, fact.object) == (predicate, thing)
