"""What people said in their first hour without a model, and the answer that is right."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from tests.support.world import FrozenClock, Human, Script

RIGHT = [
    (["Ana lives in Porto", "where do I live?"], "", "Porto"),
    (
        ["I live in Whitby", "I have two daughters, Jean and Carol. Jean is in Canada", "Where does Jean live?"],
        "Jean is in Canada",
        "Whitby",
    ),
    (["kızım Jale Almanya'da", "İzmir'de yaşıyorum", "Jale nerede yaşıyor?"], "Almanya'da", "İzmir"),
    (
        ["I have two sons, Finn and Ruairi", "what are my sons called?"],
        "Your sons are called Finn and Ruairi.",
        "son is",
    ),
    (["I have two sons, Finn and Ruairi"], "our sons are called Finn and Ruairi", "their names"),
    (["our two dachshunds Biscuit and Gravy are asleep", "what are my dogs called?"], "Biscuit and Gravy", "haven't"),
    (
        ["we have two kids, Bram is 9 and Mia is 6", "what are my kids called?"],
        "Your children are called Bram and Mia.",
        "child is",
    ),
    (["I have a son, Leo"], "Leo", "you have a son"),
    (["got 3 kelpies Bluey Rex and Dot", "what are my dogs called"], "Bluey, Rex and Dot", "haven't"),
    (["my cat Mimi died yesterday", "What was her name?"], "Your cat was called Mimi", "haven't told"),
    (["im eighty two years of age", "how old am i"], "You are 82", "can't find"),
    (["my bday is 3rd sept", "when is my birthday"], "3rd sept", "can't find"),
    (
        ["hallo", "meine tochter Lotte ist 4", "mit lotte im zoo gewesen, so alt die elefanten", "wie alt ist Lotte"],
        "ist 4",
        "elefanten",
    ),
    (
        ["hallo", "meine tochter Lotte ist sieben", "meine tochter Mia ist vier", "wie alt ist Lotte"],
        "Lotte ist sieben",
        "Mia",
    ),
    (["你好", "我今年17岁", "我多大了？"], "17岁", "没找到"),
    (["你好", "我女儿小雨七岁了", "我女儿多大了？"], "七岁", "没找到"),
    (["hola", "tengo ochenta y dos años", "cuántos años tengo?"], "ochenta y dos", "No encuentro"),
    (["привет", "меня зовут Олег", "моего кота зовут Барсик", "как зовут моего кота?"], "Барсик", "Олег"),
    (["hallo", "mein Mann hieß Karl und ist vor zwei Jahren gestorben", "Wie hieß mein Mann?"], "Karl", "nichts"),
    (["oi", "minha sogra se chama Lúcia", "como se chama minha sogra?"], "Lúcia", "Não encontro"),
    (["hi", "can you stop asking me stuff"], "", "language model"),
    (["kids: Alfie 6, Poppy 4, and baby Noah 5 months", "how old is Poppy"], "Poppy is 4", "remind"),
    (["kids: Alfie 6, Poppy 4, and baby Noah 5 months"], "Alfie is 6", "18:00"),
    (["i need to call the gp about her cough tomorrow morning", "sorry for ranting"], "", "put it right"),
    (["hi", "husband is away til sunday", "where is my husband"], "away til sunday", "haven't told"),
    (["hi", "husband is away til sunday"], "", "remind you on that day"),
    (
        ["coucou", "mes enfants : Jules 8 ans, Zoé 5 ans", "Zoé est allergique aux œufs", "quel âge a Zoé"],
        "Zoé 5 ans",
        "œufs",
    ),
    (
        ["hallo", "wir haben zwei kinder, lena 9 und tom 6", "tom hat eine erdnussallergie", "wie alt ist tom"],
        "tom 6",
        "erdnuss",
    ),
    (["coucou", "ma meilleure amie c'est inès", "c'est qui ma meilleure amie"], "inès", "Je ne trouve rien"),
    (["q onda soy beto"], "Beto", "guardo"),
    (["bella sono giò 17"], "Giò", "Resta qui"),
    (["hallo", "kannst du aufhören mich sachen zu fragen"], "", "aufgehoben"),
    (["hola", "puedes dejar de preguntarme cosas"], "", "?"),
    (["salut", "tu peux arrêter de me poser des questions stp"], "", "?"),
    (["ciao", "smettila di farmi domande"], "", "?"),
    (["merhaba", "bana soru sorma artık"], "", "?"),
    (["put milk on the shopping list", "mark milk on the shopping list as done"], "milk", "could not find"),
    (["setz milch auf die einkaufsliste", "markier milch auf der einkaufsliste als erledigt"], "ilch", "nicht"),
    (["agrega leche a la lista", "marca la leche como comprada"], "leche", "No encuentro"),
    (["I want to be called Sammy", "what's my name?"], "Sammy", "haven't told"),
    (["I want to be called back tomorrow", "what's my name?"], "haven't told", "Back"),
    (
        ["привет", "у меня дочка Соня, ей 5 лет", "Соню записали на танцы", "что ты знаешь о Соне?"],
        "танцы",
        "не нахожу",
    ),
    (["привет", "мой муж Андрей работает врачом", "что ты знаешь об Андрее?"], "врачом", "не нахожу"),
    (["hola", "qué me recomendaste?"], "No encuentro nada", "consejos"),
    (["hallo", "was hast du mir empfohlen?"], "finde ich nichts", "raten"),
    (["bonjour", "tu m'as conseillé quoi ?"], "Je ne trouve rien", "conseil"),
    (["merhaba", "bana ne önermiştin?"], "bulamıyorum", "öneri"),
    (["hola", "qué sabes hacer?"], "llevar listas", "No encuentro"),
    (["你好", "我是小明，诺拉的老公", "我叫什么？"], "小明", "还没告诉"),
    (["你好", "我是老师，小明的妈妈", "我叫什么？"], "还没告诉", "老师"),
    (["hallo", "mon roman a été accepté !"], "", "Montag"),
    (["mon dentist 9am"], "Monday", "language model"),
    (["my mother is in the village, she is 78", "how old is my mother?"], "mother is 78", "haven't told"),
    (["I have four children: Chidi, Ada and little Grace", "what are my kids called?"], "Ada and Grace", "is 78"),
    (
        ["I lost my wife in March. Her name was Eileen.", "what was my wife's name?"],
        "Eileen.",
        "haven't told",
    ),
    (["I lost my sister's keys last week", "how is my sister?"], "", "died"),
    (["my daughter in law is Susan", "what's my daughter-in-law called?"], "Susan", "haven't told"),
    (["my girlfriend is Alex shes a tattoo artist", "what's my girlfriend called?"], "Alex", "haven't told"),
    (["my name is Margaret Oldfield if you please", "what's my name?"], "Margaret Oldfield", "haven't told"),
    (["um my names dan by the way", "what's my name?"], "Dan", "haven't told"),
    (["hiya its Chloe, mum of three", "what's my name?"], "Chloe", "haven't told"),
    (["hi its Friday, finally", "what's my name?"], "haven't told", "Friday"),
    (["bonjour", "jeudi en huit j'ai le notaire à 14h", "c'est quand le notaire ?"], "2 avril", "26 mars"),
    (["hallo", "Am Mittwoch in einer Woche hab ich Augenarzt", "wann ist der Augenarzt?"], "1. April", "25. März"),
    (["hola", "apúntame leche, tortillas y jitomate"], "leche, tortillas y jitomate", "palabra"),
    (["I start at 3am tomorrow wake me at 2", "what are my reminders?"], "02:00", "No reminder"),
    (["remind me bout my maths test fri"], "Friday, 27 March", "When should"),
    (["remind me to stretch at 10 tomorra"], "Wednesday, 25 March, at 10:00", "today"),
    (["I was a fisherman for forty years"], "a fisherman", "forty"),
    (["Carol is coming on Sunday for lunch"], "Carol is coming for lunch", "Carol is for"),
    (["my name is Mira and I am married to Tom", "who am I married to?"], "Tom.", "You're Mira"),
    (
        [
            "I start my new job on the 7th of April",
            "actually I start on the 8th not the 7th",
            "when do I start my new job?",
        ],
        "You start your new job on the 8th of April.",
        "on the 7th",
    ),
    (["hi", "hm", "what's my name?"], "haven't told", "Hm"),
    (
        ["Ich wohne in Köln", "Ana ist nach Mainz gezogen. Ich bin auch umgezogen, nach Ulm.", "wo wohne ich?"],
        "nach Ulm",
        "in Köln",
    ),
    (["vivo en Madrid", "yo también me he mudado, a Cádiz", "¿dónde vivo?"], "a Cádiz", "en Madrid"),
    (["j'habite à Lille", "moi aussi j'ai déménagé, à Lyon", "où est-ce que j'habite ?"], "à Lyon", "Lille"),
    (["abito a Roma", "anch'io mi sono trasferito, a Torino", "dove abito?"], "a Torino", "Roma"),
    (["moro em Braga", "eu também me mudei, para Faro", "onde é que eu moro?"], "para Faro", "Braga"),
    (["я живу в Москве", "я тоже переехал, в Казань", "где я живу?"], "в Казань", "Москве"),
    (["Ankara'da yaşıyorum", "ben de İzmir'e taşındım", "nerede yaşıyorum?"], "İzmir", "Ankara"),
    (["我住在北京", "我也搬到上海了", "我住在哪里？"], "上海", "北京"),
    (["hi", "I teach year 4 in Leeds", "what do i teach"], "year 4", "remind"),
    (["my dads 50 on friday", "how old is my dad?"], "50 on friday", "is 50."),
    (["my dads 50 on friday", "how old is my mum?"], "", "50"),
    (["hi", "night x"], "", "ept"),
    (["я Маша", "у меня дочка Соня 5 лет", "сколько соне"], "Соня 5 лет", "15:"),
    (["my sister Meera lives in Leicester", "Actually Meera moved to Derby", "where is Meera?"], "Derby", "Leicester"),
    (["mein schwager uwe ist maurer", "nee uwe ist dachdecker", "was ist uwe von beruf?"], "dachdecker", "maurer"),
    (["teo fa il cuoco a verona", "no teo fa il barista", "che lavoro fa teo"], "barista", "cuoco"),
    (["oğlum kerem izmirde çalışıyor", "yok kerem artık ankarada", "kerem nerede?"], "ankarada", "izmirde"),
    (["我儿子在广州当厨师", "我儿子做什么的"], "厨师", "原话"),
    (["hallo", "manchmal hasse ich mein Leben"], "", "aufgehoben"),
    (["hola", "a veces odio mi vida"], "", "guardado"),
    (["bonjour", "parfois je déteste ma vie"], "", "colère"),
    (["ciao", "a volte odio la mia vita"], "", "parola per parola"),
    (["olá", "às vezes odeio a minha vida"], "", "irrita"),
    (["привет", "иногда ненавижу свою жизнь"], "", "злит"),
    (["hola", "pues nada"], "", "enfad"),
    (["你好", "列一个电影清单：异形、沙丘", "我的电影清单上有什么？"], "异形", "没找到"),
    (["what model are you?"], "/mind", "API_KEY"),
    (["how do i know you're not selling my data?"], "read on this machine only", "invent"),
    (["do you phone home?"], "There is no telemetry", "make that up"),
    (["should I phone home?"], "", "telemetry"),
    (["hallo", "beweis mir, dass du nichts irgendwohin schickst"], "bleibt auf dem Rechner", "Das tut gut"),
    (["hola", "¿vendes mis datos?"], "Se queda en el ordenador", "No encuentro"),
    (["bonjour", "tu vends mes données ?"], "reste sur la machine", "trouve"),
    (["ciao", "vendi i miei dati?"], "Resta sul computer", "Non trovo"),
    (["olá", "vendes os meus dados?"], "Fica no computador", "Não encontro"),
    (["привет", "ты продаёшь мои данные?"], "остаётся на компьютере", "не нахожу"),
    (["merhaba", "verilerimi satıyor musun?"], "bilgisayarda kal", "bulamadım"),
    (["你好", "证明你没有把东西发到别处"], "留在我运行的那台电脑上", "原话"),
    (["the smell was awful"], "", "annoyed"),
    (["the weather is terrible"], "", "what did you mean"),
    (["my cake was horrible, the answer was wrong"], "", "Kept:"),
    (["I'm coeliac", "what do I eat?"], "coeliac", "Shall I call you"),
    (["buy milk, eggs and bread"], "Shall I put milk, eggs and bread on", "buy"),
    (["compra leche, huevos y pan"], "leche, huevos y pan en la lista", "compra leche"),
    (["Milch, Eier und Brot kaufen"], "Milch, Eier und Brot auf die", "Brot kaufen"),
    (["my friend is called Ana", "it's Anna with two n", "what's my friend's name?"], "called Anna.", "Ana."),
    (["my name is Rosalind but everyone says Roz", "what am I called?"], "You're Roz.", "You're Rosalind"),
    (["my name is Rosalind but everyone calls me Roz", "what am I called?"], "You're Roz.", "You're Rosalind"),
    (["we have two kids, Bram is 9 and Mia is 6", "how old is Mia?"], "Mia is 6.", "just that"),
    (["we have two kids, Bram is 9 and Mia is 6", "actually Bram is 10", "how old is Bram?"], "Bram is 10.", "is 9."),
    (["I moved to Ghent in February for a job", "where do I live?"], "You live in Ghent.", "Ghent in February."),
    (["can you remember that my wifi password is plum22"], "Ask me", "haven't told"),
    (["remember that my locker code is 4471", "what's my locker code?"], "4471", "haven't told"),
    (["my girlfriend sophie is a nurse", "what do you know about sophie?"], "nurse", "can't answer"),
    (["do you get lonely?"], "", "pick up, day or night"),
    (["I used to smoke but quit in 2020", "do i smoke?"], "You told me today", "haven't told"),
    (["whats the capital of france", "whats new"], "", "capital"),
    (["i've got a dog called Rex", "what's my dog's name?"], "Rex.", "haven't told"),
    (["hi", "whats up", "what's my name?"], "haven't told", "Whats Up"),
    (["every monday remind me to put the bins out", "what have i got on monday"], "every Monday", "You told me"),
    (["i need to buy a suit"], "shopping list?", "lasts you"),
    (["i feel like giving up on it all", "sorry just had a long day"], "", "put it right"),
    (["my son leo turns 6 on the 14th of december", "whens leos birthday"], "the 14th of december", "Kept"),
    (
        ["I bake on Fridays here", "whens the next bus", "what did we talk about today"],
        "I bake on Fridays here",
        "next bus",
    ),
    (["whats your name?"], "I am Furo", "don't know that about myself"),
    (["my son leo turns 6 on the 14th of december", "when is leos birthday"], "the 14th of december", "haven't told"),
    (["my son leo turns 6 on the 14th of december", "how old will leo be?"], "leo turns 6", "haven't told"),
    (
        ["my son leo turns 6 in may", "also he's allergic to peanuts", "whats leo allergic to?"],
        "peanuts",
        "can't answer",
    ),
    (["i work nights at a bakery", "where do i work"], "You work at a bakery.", "at nights"),
    (["anna is my neighbour btw", "whos anna?"], "Your neighbour is called Anna.", "haven't told"),
    (["add flour and eggs to my shopping list", "whats on it"], "flour", "language model"),
    (["whats on it"], "", "shopping list"),
    (
        ["I feel a bit lonely tonight", "my sister ina keeps bees in kent", "who keeps bees?"],
        "ina keeps bees",
        "no right",
    ),
    (["how do i say thank you in portuguese"], "", "about myself"),
    (["tell me something interesting"], "?", "I'm here."),
    (["my friend is called Ana", "it's Anna with two n", "what's my name?"], "haven't told me", "You're Anna"),
    (
        ["My sister is called Anita", "no, that's wrong, her name is Anika", "what's my sister called?"],
        "called Anika.",
        "Anita",
    ),
    (["my brother is called Joost", "it's Jost", "what's my brother's name?"], "called Jost.", "Joost."),
    (["I'm vegetarian", "I said pescatarian", "what do I eat?"], "You are pescatarian.", "You are vegetarian"),
    (["I'm vegetarian", "I said hello", "am I vegetarian?"], "You are vegetarian.", "hello."),
    (["remmeber that my bday is 14 of may", "when is my birthday?"], "14 of may", "can't find"),
    (["prove that you don't send anything anywhere"], "read on this machine only", "Good to know"),
    (
        ["Niamh is allergic to peanuts. Tadhg has swimming on Tuesdays at 4pm", "which of my kids has allergies?"],
        "Niamh is allergic to peanuts.",
        "haven't told me",
    ),
    (
        ["Niamh is allergic to peanuts. Tadhg has swimming on Tuesdays at 4pm", "when does Tadhg have swimming?"],
        "swimming on Tuesdays at 4pm",
        "Niamh is allergic to peanuts. You",
    ),
    (
        ["my dad is coming on the 31st of november", "no I mean 30 november", "when is my dad coming?"],
        "As you corrected it today: “my dad is coming on the 30 of november”. That is on Monday, 30 November.",
        "language model",
    ),
    (["my birthday is 3/7/1990"], "Is that 3 July 1990 or 7 March 1990?", "celebrate"),
    (["my birthday is 3/7/1990", "7 march", "when is my birthday?"], "Your birthday is 7 March 1990.", "3/7"),
    (["my birthday is 30/7/1990"], "celebrate", "Is that"),
    (["make a list of movies to watch: Alien, Heat", "what's on my movies list?"], "Alien", "empty"),
    (["im kai 15 they/them", "how old am I?"], "You are 15.", "haven't told me"),
    (["it's Noor", "what's my name?"], "Noor", "haven't told me"),
    (["my friend is called Ana", "how are you?", "sorry, it's Anna", "what's my name?"], "haven't told me", "Anna"),
    (["how was your day", "my birthday is 3/7/1990"], "Is that 3 July 1990 or 7 March 1990?", "celebrate"),
    (["make a list of movies to watch: Alien, Heat", "what's on my movie list?"], "Alien", "empty"),
    (
        ["make a list of movies to watch: Alien", "add Dune to my movie list", "what's on my list of movies?"],
        "Alien",
        "empty",
    ),
    (["what's up"], "", "No reminder"),
    (["what's 5+5 and remind me to stretch in 1 minute"], "10.", "language model"),
    (["im kai 15 they/them", "what are my pronouns?"], "Your pronouns are they/them.", "haven't told me"),
    (["I'm Sam, they/them", "what are my pronouns?"], "Your pronouns are they/them.", "haven't told me"),
    (["I'm Sam (she/her) and I live in Porto", "what are my pronouns?"], "Your pronouns are she/her.", "haven't told"),
    (["hi, I'm Sam, he/him", "what are my pronouns?"], "Your pronouns are he/him.", "haven't told me"),
    (["I'm Sam, they are late again", "what are my pronouns?"], "", "Your pronouns"),
    (["my husband Tom works at a bank", "who's my spouse?"], "Your husband is called Tom.", "haven't told me"),
    (["my girlfriend Eva works at a bank", "who's my husband?"], "", "Eva is"),
    (["my bday's 4/5/88"], "Is that 4 May 88 or 5 April 88?", "language model"),
    (["later remind me to buy milk"], "buy milk", "language model"),
    (["I'm Mira, married to Tom", "who am I married to?"], "Tom.", "haven't told me"),
    (["I'm Mira, 34, a nurse from Porto", "how old am I?"], "You are 34.", "haven't told me"),
    (["I'm Mira, 34, a nurse from Porto", "what do I do?"], "You are a nurse.", "haven't told me"),
    (
        ["my husband P\u00e1draig is away till Friday. he's in Oslo", "where is my husband?"],
        "P\u00e1draig is in Oslo.",
        "haven't told me",
    ),
    (["my wife is in New York till Sunday", "where's my wife?"], "is in New York.", "haven't told me"),
    (
        ["My sister Anika lives in Lisbon and works as a nurse.", "what does my sister do?"],
        "Anika is a nurse.",
        "haven't told me",
    ),
    (["my brother is 30 and lives in Rome", "where does my brother live?"], "lives in Rome.", "haven't told me"),
    (
        ["Ana lives in Porto", "Ana moved to Braga last week. I moved too, to Faro.", "where do I live?"],
        "You live in Faro.",
        "Braga.",
    ),
]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 30


@pytest.mark.parametrize(("said", "there", "absent"), RIGHT, ids=[said[-1] for said, _, _ in RIGHT])
async def test_it_is_answered_rightly(
    said: list[str], there: str, absent: str, human: Human, clock: FrozenClock
) -> None:
    for text in ("hello", *said):
        clock.pass_(minutes=1)
        answer = "\n".join(await human.says(text))
    assert there in answer
    assert absent not in answer


async def test_what_is_written_under_a_photo_is_kept(human: Human, clock: FrozenClock) -> None:
    """Nobody sees the photo; the words under it are the person's own."""
    await human.says("hello")
    said = await human.says("this is my cat Miso", "photo", attachment={"file_id": "f"})
    assert "couldn't put that into memory" not in "\n".join(said)
    clock.pass_(minutes=1)
    assert "Miso" in "\n".join(await human.says("what's my cat called?"))


@pytest.mark.parametrize(
    ("said", "ways"),
    [
        (["my dog died yesterday", "do you think she suffered?"], ("won't make something up", "no right answer")),
        (
            ["my dog died yesterday", "what should I do with her things?"],
            ("won't make something up", "no right answer"),
        ),
        (["my dog died yesterday", "she slept on my bed"], ("here", "listening", "hear you", "leave it here")),
        (["I think I'm having a panic attack"], ("Breathe out slowly",)),
        (["I think I'm having a panic attack", "it's over now"], ("good to hear", "glad", "gentle")),
    ],
)
async def test_what_is_asked_in_a_heavy_hour_is_not_answered_by_a_phrase(
    said: list[str], ways: tuple[str, ...], human: Human, clock: FrozenClock
) -> None:
    for text in ("hello", *said):
        clock.pass_(minutes=1)
        answer = "\n".join(await human.says(text))
    assert any(way in answer for way in ways), answer


@pytest.mark.parametrize(
    "question", ["what did Ben say about his flight?", "what did Ben write?", "when does Ben's flight land?"]
)
async def test_what_was_forwarded_is_quoted_as_its_senders(question: str, human: Human) -> None:
    await human.says("hello")
    await human.says("My flight lands at 21:40, terminal 2.", forwarded={"from": "Ben", "at": None})
    [answer] = await human.says(question)
    assert "Forwarded from Ben" in answer
    assert "21:40" in answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("im starving", "something good"),
        ("can't sleep again", "A night like that"),
        ("what should i cook", "using up"),
        ("no idea what to cook", "using up"),
    ],
)
async def test_a_little_thing_is_met_with_a_line(human: Human, model: Script, said: str, answer: str) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 2
    await human.says("hello")
    assert answer in " ".join(await human.says(said))


@pytest.mark.parametrize(
    ("told", "asked", "answered"),
    [
        (["my wife is called els", "els isnt well"], "how is els", "els isnt well"),
        (["my wife is called els", "els isnt well"], "how's my wife doing?", "els isnt well"),
        (["my mum is in hospital since monday"], "how is my mum?", "in hospital since monday"),
        (["my son is called Leo", "he is 7"], "how old is leo", "Leo is 7"),
        (["my wife is called els"], "how is els", "Your wife is called Els"),
    ],
)
async def test_how_somebody_is_is_answered_with_what_was_told_last(
    human: Human, told: list[str], asked: str, answered: str
) -> None:
    for text in told:
        await human.says(text)
    [answer] = await human.says(asked)
    assert answered in answer
    assert "That is on" not in answer
