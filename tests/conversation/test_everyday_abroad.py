"""What people write day by day in eight languages, without a model: a list is changed, a matter is waved off, the
language is switched back, children are asked for by name, and a dead person's birthday is met with care."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.catalogue import everywhere, say, speaking
from furoshiki.language.reflex.other_languages import IN_ENGLISH
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.requests.news import LINES
from furoshiki.owner.agenda.store import tasks
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20


@pytest.mark.parametrize(
    ("add", "drop", "show", "gone", "kept"),
    [
        ("setz Eier und Topfen auf die Einkaufsliste", "Die Eier habe ich noch, die kannst du streichen",
         "was steht auf der Einkaufsliste?", "Eier", "Topfen"),
        ("pon huevos y pan en la lista de la compra", "saca los huevos que ya compré", "qué hay en la lista?",
         "huevos", "pan"),
        ("mets des oeufs et du lait sur la liste de courses", "enlève les oeufs", "qu'est-ce qu'il y a sur ma liste?",
         "oeufs", "lait"),
        ("metti sulla lista della spesa uova e vino", "togli le uova che ce l'ho", "che c'è sulla lista?",
         "uova", "vino"),
        ("põe na lista de compras arroz e cafe", "tira o café", "o que tem na lista?", "cafe", "arroz"),
        ("запиши в список покупок молоко и яйца", "убери молоко", "что в списке?", "молоко", "яйца"),
        ("alışveriş listesine ekmek ve peynir ekle", "ekmeği çıkar", "listede ne var?", "ekmek", "peynir"),
        ("帮我在购物清单加上牛奶和鸡蛋", "把鸡蛋去掉", "清单上有什么", "鸡蛋", "牛奶"),
    ],
)  # fmt: skip
async def test_what_is_on_the_list_is_taken_off_without_naming_the_list(
    human: Human, add: str, drop: str, show: str, gone: str, kept: str
) -> None:
    await human.says(add)
    await human.says(drop)
    [shown] = await human.says(show)
    assert kept in shown and gone not in shown


@pytest.mark.parametrize(
    ("add", "got", "show", "gone", "kept"),
    [
        ("setz Milch und Eier auf die Einkaufsliste", "Milch geholt", "was steht auf der Liste?", "Milch", "Eier"),
        ("pon leche y huevos en la lista", "leche comprada", "qué hay en la lista?", "leche", "huevos"),
        ("mets du lait et du pain sur la liste", "lait pris", "qu'est-ce qu'il y a sur ma liste?", "lait", "pain"),
        ("metti sulla lista uova e latte", "latte preso", "che c'è sulla lista?", "latte", "uova"),
        ("põe na lista arroz e leite", "leite comprado", "o que tem na lista?", "leite", "arroz"),
        ("запиши в список молоко и яйца", "молоко купила", "что в списке?", "молоко", "яйца"),
        ("alışveriş listeme süt ve ekmek ekle", "sütü aldım", "alışveriş listemde ne var?", "süt\n", "ekmek"),
        ("帮我在购物清单加上牛奶和鸡蛋", "牛奶买了", "清单上有什么", "牛奶", "鸡蛋"),
    ],
)
async def test_what_was_bought_is_ticked_off(human: Human, add: str, got: str, show: str, gone: str, kept: str) -> None:
    await human.says(add)
    await human.says(got)
    [shown] = await human.says(show)
    assert kept in shown and gone not in shown


@pytest.mark.parametrize("text", ["levami un dubbio", "tira uma foto", "nimm dir Zeit", "убери со стола", "把门关掉"])
async def test_what_is_on_no_list_is_no_order_to_remove_it(human: Human, text: str) -> None:
    await human.says("metti sulla lista della spesa uova e vino")
    await human.says(text)
    [shown] = await human.says("che c'è sulla lista?")
    assert "uova" in shown and "vino" in shown


@pytest.mark.parametrize(
    ("ask", "cancel", "waiting"),
    [
        ("recuérdame el viernes a las 5 pagar el alquiler", "cancela el del alquiler", "qué recordatorios tengo"),
        ("rappelle-moi vendredi à 19h de sortir les poubelles", "annule les poubelles", "quels sont mes rappels"),
        ("me lembra sexta às 9 de pagar o cartão", "cancela o do cartao", "quais lembretes eu tenho"),
        ("напомни в пятницу в 19 заплатить за садик", "отмени садик", "какие у меня напоминания"),
    ],
)
async def test_a_reminder_is_cancelled_by_what_it_is_about(human: Human, ask: str, cancel: str, waiting: str) -> None:
    await human.says(ask)
    await human.says(cancel)
    [shown] = await human.says(waiting)
    assert not any(word in shown for word in ("alquiler", "poubelles", "cartão", "садик"))


async def test_a_reminder_is_moved_by_what_it_is_about_and_nothing_else_is(human: Human) -> None:
    await human.says("ricordami venerdì alle 15 di chiamare l'assicurazione")
    [moved] = await human.says("sposta l'assicurazione a lunedì mattina")
    assert "30 marzo" in moved and "09:00" in moved
    [other] = await human.says("sposta il divano al muro")
    assert "30 marzo" not in other and other not in everywhere("I couldn't find that reminder.")


WAVED = {
    "de": "Vergiss es, war nicht so wichtig",
    "es": "olvidalo, dejalo ahi",
    "fr": "oublie ça, c'est pas grave",
    "it": "lascia perdere, non fa niente",
    "pt": "esquece, deixa pra la",
    "ru": "забудь, неважно",
    "tr": "unut gitsin bosver",
    "zh": "算了,忘了吧",
}
BACK = {
    "de": "Jetzt aber wieder Deutsch bitte",
    "es": "bueno volvamos al español",
    "fr": "ok reviens au français",
    "it": "torniamo all'italiano",
    "pt": "volta pro portugues",
    "ru": "давай обратно на русский",
    "tr": "turkceye donelim",
    "zh": "说回中文吧",
}


@pytest.mark.parametrize("code", WAVED)
async def test_what_is_waved_off_is_left(human: Human, code: str) -> None:
    [answer] = await human.says(WAVED[code])
    with speaking(code):
        assert any(line in answer for line in (say("Never mind, then."), say("All right, we'll leave it at that.")))


SAD = {
    "de": "ich bin so traurig",
    "es": "hoy estoy re quemada",
    "fr": "j'ai pas le moral",
    "it": "sto a pezzi",
    "pt": "to meio triste",
    "ru": "грустно что то",
    "tr": "moralim bozuk",
    "zh": "有点难过",
}


@pytest.mark.parametrize("code", SAD)
async def test_who_says_to_be_sad_is_not_only_kept(human: Human, code: str) -> None:
    [answer] = await human.says(SAD[code])
    with speaking(code):
        kept = (say("I've kept that, word for word."), say("Saved, in your own words."))
        assert not any(line in answer for line in kept) and say("What should I call you?") in answer


@pytest.mark.parametrize("code", BACK)
async def test_who_wants_their_language_back_is_answered_in_it(human: Human, code: str) -> None:
    await human.says("how was your day so far, my friend?")
    [answer] = await human.says(BACK[code])
    with speaking(code):
        assert say(IN_ENGLISH) in answer


async def test_who_asks_for_another_language_hears_how_to_be_answered_in_it(human: Human) -> None:
    await human.says("hallo, ich bin die Anna")
    assert "Schreib mir auf Englisch" in (await human.says("kannst du das auf Englisch sagen?"))[0]
    assert (await human.says("can you say that in english?"))[0] == IN_ENGLISH


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Ich habe zwei Enkelkinder, die Valentina und den Moritz", "Wie heißen meine Enkel?"),
        ("tengo dos nenes, lautaro y emma", "como se llaman mis hijos?"),
        ("j'ai deux filles, Rosalie et Léa", "comment s'appellent mes enfants ?"),
        ("ho due bimbi, Lorenzo e Giulia", "i miei figli come si chiamano?"),
        ("tenho dois filhos, o Davi e a Alice", "como se chamam meus filhos?"),
        ("у меня двое детей ваня и соня", "как зовут моих детей?"),
        ("iki kardesim var, burak ve elif", "kardeslerimin adi ne?"),
        ("我有两个弟弟,叫家豪和家伟", "我弟弟叫什么名字?"),
        ("我养了一只猫叫麻糬", "我的猫叫什么"),
    ],
)
async def test_children_and_pets_are_told_by_name(human: Human, told: str, asked: str) -> None:
    await human.says(told)
    [answer] = await human.says(asked)
    assert told in answer


@pytest.mark.parametrize(
    ("code", "told", "birthday"),
    [
        ("es", "mi viejo murio hace dos años", "el cumple de mi viejo era el 2 de diciembre"),
        ("it", "mio nonno è morto l'anno scorso", "il suo compleanno era il 4 dicembre"),
        ("pt", "meu avô morreu em 2020", "o aniversário dele era 5 de dezembro"),
        ("zh", "外公去年过世了", "外公的生日是12月3号"),
    ],
)
async def test_the_birthday_of_somebody_who_died_is_met_with_care_once(
    world: World, human: Human, code: str, told: str, birthday: str
) -> None:
    near = next(care.said["stay_soft"][0] for care in world.care if care.language == code)
    await human.says(told)
    assert await human.says(birthday) == [near]
    assert near not in await human.says(birthday)


async def test_a_form_of_the_word_is_enough_to_forget(human: Human, clock: FrozenClock) -> None:
    for said, asks in (
        ("сегодня начальница опять орала на всех", "забудь про начальницу"),
        ("bugün müdürle kavga ettim işte", "müdür hakkında söylediklerimi unut"),
        ("今天老板又骂我了", "忘掉我说的关于老板的事"),
    ):
        await human.says(said)
        clock.pass_(minutes=3)
        [question] = await human.says(asks)
        assert question.startswith(tuple(everywhere("This would be gone for good:"))) and said in question


async def test_what_would_be_forgotten_is_shown_without_english_words(human: Human, clock: FrozenClock) -> None:
    for said in ("buenas, como andas", "cancela el del alquiler", "emma tiene 4 años", "perdon, emma tiene 5"):
        await human.says(said)
        clock.pass_(minutes=3)
    [question] = await human.says("borra todo")
    assert "recuerdo" in question and "You " not in question


@pytest.mark.parametrize(
    ("order", "later_order", "asked", "this", "other"),
    [
        ("erinnere mich am Freitag um 9 an den Tierarzt", "erinnere mich am 20. April um 9 an die Steuer",
         "was habe ich diese Woche?", "tierarzt", "steuer"),
        ("recuérdame el viernes a las 9 de la mañana la itv", "recuérdame el 20 de abril a las 9 de la mañana la renta",
         "qué tengo esta semana", "itv", "renta"),
        ("rappelle-moi vendredi à 9h le dentiste", "rappelle-moi le 20 avril à 9h les impôts",
         "qu'est-ce que j'ai cette semaine", "dentiste", "impôts"),
        ("ricordami venerdì alle 9 di mattina il dentista", "ricordami il 20 aprile alle 9 di mattina le tasse",
         "cosa ho questa settimana", "dentista", "tasse"),
        ("me lembra na sexta às 9h do dentista", "me lembra dia 20 de abril às 9h do imposto",
         "o que eu tenho essa semana", "dentista", "imposto"),
        ("напомни в пятницу в 9 утра про врача", "напомни 20 апреля в 9 утра про налоги",
         "что у меня на этой неделе", "врач", "налог"),
        ("cuma sabah 9'da dişçiyi hatırlat", "20 nisan sabah 9'da vergiyi hatırlat", "bu hafta neler var",
         "diş", "vergi"),
        ("周五早上9点提醒我看牙医", "4月20日早上9点提醒我报税", "这周有什么安排", "牙医", "报税"),
    ],
)  # fmt: skip
async def test_who_asks_for_the_week_hears_of_all_its_days(
    human: Human, order: str, later_order: str, asked: str, this: str, other: str
) -> None:
    """On a Tuesday: what was said of the week held for that day alone."""
    await human.says(order)
    await human.says(later_order)
    [shown] = await human.says(asked)
    assert this in shown.lower() and other not in shown.lower()


@pytest.mark.parametrize(
    ("first", "order", "again", "waiting"),
    [
        ("recuérdame el viernes a las 16h el veterinario", "recuérdame llamar a Marta mañana a las 6", "no, a las 7",
         ("2026-03-25T19:00", "2026-03-27T16:00")),
        ("recuérdame el viernes a las 16h el veterinario", "recuérdame todos los días a las 6 regar", "no, a las 7",
         ("2026-03-24T19:00", "2026-03-27T16:00")),
        ("ricordami venerdì alle 16 il veterinario", "ricordami di chiamare Marta domani alle 6", "no, alle 7",
         ("2026-03-25T19:00", "2026-03-27T16:00")),
        ("me lembra na sexta às 16h do veterinário", "me lembra de ligar pra Marta amanhã às 6", "não, às 7",
         ("2026-03-25T19:00", "2026-03-27T16:00")),
    ],
)  # fmt: skip
async def test_another_hour_answers_the_open_question_and_moves_nothing_else(
    world: World, human: Human, first: str, order: str, again: str, waiting: tuple[str, ...]
) -> None:
    """“no, a las 7” moved the vet's reminder of Friday, and Marta was forgotten."""
    await human.says(first)
    [asked] = await human.says(order)
    assert "18:00" in asked
    await human.says(again)
    with world.database.read() as db:
        due = sorted(str(task.due_at and task.due_at.isoformat())[:16] for task in tasks.in_list(db, tasks.REMINDERS))
    assert tuple(due) == waiting


@pytest.mark.parametrize(
    ("lives", "told", "asked"),
    [
        ("vivo en Gijón", "mi abuela se murió en mayo", "dónde vivo"),
        ("ich wohne in Kiel", "meine Oma ist im Mai gestorben", "wo wohne ich?"),
        ("vivo a Bari", "mia nonna è morta a maggio", "dove vivo"),
        ("eu moro em Recife", "minha avó morreu em maio", "onde eu moro"),
        ("j'habite à Lyon", "ma grand-mère est morte en mai", "où j'habite"),
    ],
)
async def test_who_mourns_is_answered_too(human: Human, lives: str, told: str, asked: str) -> None:
    """“dónde vivo” was answered with “estoy aquí, sin prisa”: all its words are small ones."""
    await human.says(lives)
    await human.says(told)
    [answer] = await human.says(asked)
    assert lives.split()[-1] in answer


@pytest.mark.parametrize(
    "said",
    [
        "Mio marito Sergio è morto il mese scorso.",
        "Mon mari Jean est mort en mars.",
        "Mi marido Antonio murió el mes pasado.",
        "Мой муж Виктор умер месяц назад.",
        "Babam Mehmet öldü.",
        "O meu marido António morreu há um mês.",
        "Meine Frau Ilse ist vor drei Wochen gestorben.",
    ],
)
async def test_a_death_told_with_a_name_is_met_with_sorrow(human: Human, said: str) -> None:
    """“Sergio: mi ricorderò il nome.” was all a widow read."""
    [answer] = await human.says(said)
    sorry = ("dispiace", "de tout cœur", "siento", "жаль", "üzgün", "Sinto", "leid")
    assert any(word in answer for word in sorry) and ":" not in answer


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "Heute wäre unser Hochzeitstag gewesen."),
        ("es", "Hoy sería nuestro aniversario."),
        ("fr", "Aujourd'hui, ce serait notre anniversaire de mariage."),
        ("it", "Oggi sarebbe il nostro anniversario."),
        ("pt", "Hoje seria o nosso aniversário de casamento."),
        ("ru", "Сегодня была бы наша годовщина."),
        ("tr", "Bugün evlilik yıldönümümüz olacaktı."),
        ("zh", "今天本来是我们的结婚纪念日。"),
    ],
)
def test_nobody_is_glad_of_what_would_have_been(code: str, said: str) -> None:
    """“Wie schön!” was said to a widower; what is so is still shared: “heute ist unser Hochzeitstag”."""
    spoken = next(one for one in load_languages().each if one.code == code)
    glad = Situation(said, START, language=spoken, meant={"joy": 0.95}, felt={"excitement": 0.9})
    with speaking(code):
        replies = {say(line, name="") for line in (*LINES["joy"], *LINES["ahead"])}
        assert respond(glad, random.Random(1)).text not in replies
        if code == "de":
            assert respond(replace(glad, text="heute ist unser Hochzeitstag"), random.Random(1)).text in replies


def test_what_is_only_like_grief_is_not_answered_beside_joy() -> None:
    """“ich freu mich” was answered “such hours are long”."""
    spoken = next(one for one in load_languages().each if one.code == "de")
    glad = Situation("ich freu mich", START, language=spoken, meant={"sad": 0.95}, felt={"excitement": 0.78})
    with speaking("de"):
        gloomy = {say(line, name="") for line in LINES["sad"]}
        assert respond(glad, random.Random(1)).text not in gloomy
        assert respond(replace(glad, felt={}), random.Random(1)).text in gloomy


@pytest.mark.parametrize(
    ("told", "known", "private"),
    [
        ("mein Hund heißt Balu", "Ich traue diesen Computern nicht. Was wissen Sie über mich?", "Wer liest das?"),
        ("mi perro se llama Coco", "No me fío mucho. ¿Qué sabes de mí?", "¿Quién lee lo que te escribo?"),
        ("mon chien s'appelle Rex", "Je me méfie un peu. Que sais-tu de moi ?", "Qui peut lire ce que je t'écris ?"),
        ("il mio cane si chiama Birba", "Non mi fido molto. Cosa sai di me?", "Chi legge quello che ti scrivo?"),
        ("meu cachorro se chama Thor", "Não confio muito. O que sabes sobre mim?", "Quem lê o que eu te escrevo?"),
        ("мою собаку зовут Рекс", "Не доверяю я машинам. Что ты обо мне знаешь?", "Кто читает то, что я пишу?"),
        ("köpeğimin adı Paşa", "Pek güvenmem. Benim hakkımda ne biliyosun?", "Yazdıklarımı kim okuyor?"),
        ("我的狗叫豆豆", "我不太相信机器。你知道我什么？", "谁能看到我写的东西？"),
    ],
)
async def test_who_mistrusts_it_is_told_what_it_knows_and_who_can_read_it(
    human: Human, told: str, known: str, private: str
) -> None:
    """Behind a sentence of mistrust the question was looked up among what was told, in vain."""
    await human.says(told)
    [answer] = await human.says(known)
    assert told in answer
    [answer] = await human.says(private)
    readers = everywhere(
        "It stays on the machine I run on, and I tell nobody. The person who runs it could read it, "
        "and so could the messenger we write through."
    )
    assert answer in readers


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("mach eine Liste mit Filmen: Alien, Heat, Brazil", "Alien, Heat und Brazil"),
        ("mach mir bitte eine neue Liste für Geschenke: Socken, Tee", "Socken und Tee"),
        ("haz una lista de películas: Alien, Heat, Brazil", "Alien, Heat y Brazil"),
        ("fais une liste de films : Alien, Heat, Brazil", "Alien, Heat et Brazil"),
        ("fai una lista di film: Alien, Heat, Brazil", "Alien, Heat e Brazil"),
        ("faz uma lista de filmes: Alien, Heat, Brazil", "Alien, Heat e Brazil"),
        ("сделай список фильмов: Чужой, Схватка", "Чужой и Схватка"),
        ("film listesi yap: Alien, Heat, Brazil", "Alien, Heat ve Brazil"),
        ("列一个电影清单：异形、盗火线", "异形和盗火线"),
        ("Filme die ich sehen will: Alien, Heat", "Alien und Heat"),
        ("libros para leer: Emma, Dune", "Emma y Dune"),
        ("livres que je veux lire : Emma, Dune", "Emma et Dune"),
        ("libri da leggere: Emma, Dune", "Emma e Dune"),
        ("filmes que quero ver: Emma, Dune", "Emma e Dune"),
        ("книги почитать: Эмма, Дюна", "Эмма и Дюна"),
        ("izlemek istediğim filmler: Alien, Heat", "Alien ve Heat"),
        ("想看的电影：异形、盗火线", "异形和盗火线"),
        ("weckst du mich morgen um 7?", "25. März, um 07:00"),
        ("me despiertas mañana a las 7?", "25 de marzo, a las 07:00"),
        ("tu me réveilles demain à 7h ?", "25 mars, à 07:00"),
        ("mi svegli domani alle 7?", "25 marzo, alle 07:00"),
        ("vc me acorda amanhã às 7?", "25 de março, às 07:00"),
        ("разбудишь меня завтра в 7?", "25 марта, в 07:00"),
        ("beni yarın 7'de uyandırır mısın?", "25 Mart Çarşamba, saat 07:00"),
        ("erinnere mich jeden Tag nach der Schule den Hund zu füttern", "Wann soll ich dich daran erinnern"),
        ("recuérdame cada día después del cole dar de comer al perro", "¿Cuándo te lo recuerdo"),
        ("ricordami ogni giorno dopo cena di prendere la pillola", "Quando te lo ricordo"),
        ("напоминай каждый день после школы покормить собаку", "Когда напомнить: покормить собаку"),
        ("her gün okuldan sonra köpeği beslemeyi hatırlat", "Ne zaman hatırlatayım"),
        ("每天放学后提醒我喂狗", "什么时候提醒你：喂狗"),
        ("später erinner mich an die Milch", "Wann soll ich dich daran erinnern: die Milch?"),
        ("luego recuérdame comprar leche", "¿Cuándo te lo recuerdo: comprar leche?"),
        ("plus tard rappelle-moi d'acheter du lait", "Quand dois-je te le rappeler : acheter du lait ?"),
        ("poi ricordami di comprare il latte", "Quando te lo ricordo: comprare il latte?"),
        ("depois me lembra de comprar leite", "Quando quer que eu te lembre: comprar leite?"),
        ("потом напомни купить молоко", "Когда напомнить: купить молоко?"),
        ("sonra süt almayı hatırlat", "Ne zaman hatırlatayım"),
        ("待会儿提醒我买牛奶", "什么时候提醒你：买牛奶？"),
    ],
)
async def test_a_list_with_its_items_and_a_reminder_for_later_are_heard(human: Human, said: str, answer: str) -> None:
    [shown, *_] = await human.says(said)
    assert answer in shown


@pytest.mark.parametrize(
    "said",
    [
        "die Liste mit Filmen hab ich verloren",
        "er hat eine Liste mit Filmen: endlos",
        "потом он напомнил мне",
        "mi svegli sempre con questo rumore",
        "me despiertas una sonrisa",
        "ich hab zu sagen: nichts, gar nichts",
        "хочу сказать: люблю, скучаю",
    ],
)
async def test_what_tells_of_lists_or_reminders_asks_for_none(human: Human, said: str) -> None:
    await human.says(said)
    with human.world.database.read() as db:
        assert db.execute("SELECT count(*) FROM tasks").fetchone()[0] == 0
