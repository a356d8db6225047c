"""In other languages a name between "my daughter" and the verb is one also in small letters; an adverb or an adjective
there is none."""

from __future__ import annotations

import pytest

from furoshiki.core.catalogue import speaking
from furoshiki.language.facts import abroad, names
from furoshiki.language.testimony import as_told
from furoshiki.recall.retrieval.other_languages import load_languages

NAMED = """
de meine tochter lena wird am 3. mai 7|de unser sohn max studiert in wien|de meine Frau Sabine arbeitet im Krankenhaus
es mi hijo leo cumple 6 el 14 de diciembre|es mi perro toby fue al veterinario|fr ma fille léa a 6 ans
fr mon chien rex va chez le véto|it mio figlio leo compie 6 anni|it il mio cane fido ha mangiato troppo
pt minha filha ana faz 6 anos|pt meu cachorro rex tá doente|ru моя дочь лена пошла в школу
ru моя сестра аня живёт в казани
"""
NAMELESS = """
de meine mutter ist krank|de meine schwester heute hat frei|de mein chef schon wieder ist sauer
de mein freund der ist lieb|es mi hijo ya tiene novia|es mi madre siempre está cansada|es mi hermana mayor es médica
es mi padre casi se cae
fr mon frère aussi a froid|fr mon mari toujours est en retard|fr ma soeur hier a pleuré|it mia figlia non è stanca
it mio fratello maggiore ha 40 anni|it mia sorella oggi va al mare|pt meu filho já tem 6 anos
pt minha irmã mais velha é médica|ru мой сын вчера приехал|ru мой муж часто работает ночью
"""
LANGUAGES = {language.code: language for language in load_languages().each}


def rows(table: str) -> list[tuple[str, str]]:
    return [(row[:2], row[3:]) for row in table.strip().replace("\n", "|").split("|")]


@pytest.mark.parametrize(("code", "text"), rows(NAMED))
def test_a_name_before_the_verb_is_kept(code: str, text: str) -> None:
    [fact, *_] = abroad.facts_in(as_told(text), LANGUAGES[code])
    assert fact.object.casefold() in text.casefold().split()
    assert fact.object[0].isupper()


@pytest.mark.parametrize(("code", "text"), rows(NAMELESS))
def test_another_word_there_is_no_name(code: str, text: str) -> None:
    assert abroad.facts_in(as_told(text), LANGUAGES[code]) == ()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "wogegen ist lena allergisch"),
        ("de", "mit wem war ich im kino"),
        ("es", "a que es alergico leo"),
        ("es", "como se llama mi hijo"),
        ("fr", "c est quand mon rdv"),
        ("fr", "a qui j'ai prete le livre"),
        ("it", "di che colore e la macchina"),
        ("it", "quanti anni ha leo"),
        ("pt", "por que eu fui embora"),
        ("pt", "quantos anos tem a ana"),
        ("ru", "на сколько у меня запись"),
        ("tr", "nasil gitmistim oraya"),
        ("fr", "c qui rex"),
        ("tr", "nerde oturuyorum ben"),
        ("tr", "doktora ne zaman gidiyorum"),
        ("tr", "pamuk kac yasinda"),
        ("es", "que dije de mi hermana"),
        ("es", "que talla usa mi hijo"),
        ("es", "te acuerdas de mi tia"),
        ("it", "ti ricordi chi viene da bari"),
        ("fr", "il s'appelle comment mon chat"),
        ("fr", "j'ai mis ou les cles"),
        ("fr", "mon frere il habite ou"),
        ("pt", "lembra do que falei da bia"),
        ("ru", "помнишь кто приедет"),
        ("zh", "我妈什么时候过生日"),
        ("zh", "我在哪上班"),
        ("zh", "她叫什么来着"),
        ("fr", "elle a quel age"),
        ("fr", "y a quoi sur la liste"),
    ],
)
def test_a_question_needs_no_mark_and_no_accent(code: str, text: str) -> None:
    assert LANGUAGES[code].is_asked(text)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "wochenende war schön"),
        ("de", "worte helfen da nicht"),
        ("es", "que bien huele"),
        ("es", "como pan cada mañana"),
        ("es", "comoda estoy en casa"),
        ("fr", "a quinze ans je fumais"),
        ("fr", "c est nul quoi"),
        ("it", "dovevo dirti una cosa"),
        ("pt", "que bom que veio"),
        ("ru", "на работе устал"),
        ("tr", "nasip olmadı"),
        ("tr", "ne guzel bir gun"),
        ("tr", "arkadaşımın nerede kaldığını merak ediyorum"),
        ("tr", "kac gundur yagmur var"),
        ("es", "que tengo sueno"),
        ("es", "que hambre tengo"),
        ("es", "que se vaya"),
        ("it", "come al solito tardi"),
        ("fr", "quelle journee"),
        ("fr", "il pleure quand je pars"),
        ("pt", "como sempre atrasado"),
        ("de", "was für ein tag"),
        ("ru", "что за день"),
        ("ru", "боюсь что он уйдет"),
        ("zh", "谁都不理我"),
        ("zh", "不知道什么时候能好"),
        ("zh", "没什么事"),
    ],
)
def test_what_only_begins_like_a_question_tells(code: str, text: str) -> None:
    assert not LANGUAGES[code].is_asked(text)


AT_HELLO = """
de hallo, hier ist die Steffi = Steffi | de moin hier ist der Kalle = Kalle | de Grüß Gott, hier ist die Oma Resi = Resi
de Guten Abend. Ich bin Dr. Weber = Dr. Weber
fr coucou c'est Mamie Odette = Odette | fr Bonsoir, ici Gérard = Gérard | es hola buenas, soy la abuela Carmen = Carmen
es Hola cariño, aquí la tía Pili = Pili
es wey soy el Beto de Guadalajara = Beto | it ciao caro, sono nonna Pina = Pina
it Pronto? Sono la signora Maria Teresa = Maria Teresa | pt oi meu filho, aqui é a vovó Zélia = Zélia
pt Boa tarde, aqui fala a Dona Fernanda, do Porto = Dona Fernanda | pt boas! sou o Rui, pai de três = Rui
ru привет, это бабушка Валя = Валя | tr selam, ben Murat = Murat | en Hello dear, this is Dorothy = Dorothy
"""
NOT_AT_HELLO = """
de hallo, hier ist meine Schwester Anna | de hallo, hier ist die Steffi, meine Freundin
de hallo, hier ist die Hölle los
fr salut, c'est ma sœur Léa | fr coucou, c'est Léa, ma sœur | es hola, aquí mi hermana Ana | it ciao, sono stanca
pt oi, aqui é a minha irmã Ana | ru привет, это моя сестра Аня | en hi, this is my sister Anna
tr selam, bu benim kız kardeşim
"""


@pytest.mark.parametrize("line", [one.strip() for line in AT_HELLO.strip().split("\n") for one in line.split(" | ")])
def test_who_is_there_is_said_behind_a_greeting(line: str) -> None:
    told, _, name = line[3:].partition(" = ")
    with speaking(line[:2]):
        given = names.find_name(as_told(told), meant={names.NAME: 0.6})
    assert given is not None and given.name == name


@pytest.mark.parametrize(
    "line", [one.strip() for line in NOT_AT_HELLO.strip().split("\n") for one in line.split(" | ")]
)
def test_somebody_else_who_is_introduced_is_not_who_is_there(line: str) -> None:
    with speaking(line[:2]):
        assert names.find_name(as_told(line[3:]), meant={names.NAME: 0.6}) is None


@pytest.mark.parametrize(("likely", "name"), [(0.32, None), (0.62, "Steffi")])
def test_a_german_noun_behind_a_greeting_is_a_name_by_its_meaning(likely: float, name: str | None) -> None:
    with speaking("de"):
        given = names.find_name(as_told("hallo, hier ist die Steffi"), meant={names.NAME: likely})
    assert (given and given.name) == name
