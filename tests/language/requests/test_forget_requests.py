"""A request to forget is heard in plain words, with what it is about; what only sounds like one is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.language.requests.forget_asked import request_in
from furoshiki.language.requests.forget_requests import ForgetRequest, read
from furoshiki.language.testimony import as_told
from tests.support.said import rows_of

EVERYTHING = """
delete all my data|Delete everything.|forget everything|please forget everything about me
erase everything you know about me
wipe your memory|clear your memory please|Could you delete all my messages?|I want you to delete my data
forget all about me
delete everything I ever told you|remove all my personal data|erase my whole history|delete our conversations
delete my account
please delete all of my information from your database|forget everything I've said|purge all data about me
reset your memory
lösch alle meine Daten|Vergiss alles|vergiss bitte alles über mich|lösche alles, was du über mich weißt
alle meine Daten löschen
borra todos mis datos|olvida todo|efface tout|supprime toutes mes données|cancella tutti i miei dati
apaga todos os meus dados
verwijder al mijn gegevens|wis alles|tüm verilerimi sil|her şeyi unut|удали все мои данные|забудь всё
usuń wszystkie moje dane
her şeyi sil|benimle ilgili her şeyi sil|bildiğin her şeyi unut|tüm bilgilerimi sil|hakkımdaki her şeyi sil
bütün kayıtlarımı sil|her şeyi silebilir misin|hakkımda ne biliyorsan sil
verilerimin hepsini sil|butun bilgilerimi sil
把我的资料都删了|把所有关于我的都删掉|删掉我的数据|忘掉我的一切
把我说的都忘了吧|清空我的所有信息|删除我的全部聊天记录|把我的信息全部删除|忘掉关于我的一切
lösch alles|lösch alles was du über mich weißt|vergiss alles|lösche alle meine daten|alles löschen bitte
lösch alles über mich|vergiss alles was ich dir erzählt habe
kannst du alle meine daten löschen|loesch meine daten|lösch bitte alles von mir
borra todo|borra todos mis datos|olvida todo lo que sabes de mí|elimina toda mi información|bórralo todo
borra todo lo que te he contado|puedes borrar mis datos|elimina mis datos por favor
olvida todo sobre mí|borra todo lo que sepas de mi
efface tout|supprime toutes mes données|oublie tout ce que tu sais sur moi
efface toutes mes infos|supprime mes données
oublie tout|efface tout ce que je t'ai dit|tu peux effacer toutes mes données|oublie tout de moi|efface tout sur moi
cancella tutto|cancella tutti i miei dati|dimentica tutto quello che sai di me
elimina le mie informazioni|cancella i miei dati
dimentica tutto|cancella tutto quello che ti ho detto|puoi cancellare i miei dati
elimina tutto su di me|cancella tutto ciò che sai
apaga tudo|apaga todos os meus dados|esquece tudo o que sabes sobre mim
apague tudo que você sabe de mim|apaga os meus dados
esquece tudo|apaga tudo o que te contei|podes apagar os meus dados|apague minhas informações|apaga tudo sobre mim
удали всё|удали все мои данные|забудь всё что знаешь обо мне|сотри всё обо мне|удали всю информацию обо мне
забудь всё|удали мои данные|сотри мои данные пожалуйста|можешь удалить все мои данные|забудь всё, что я тебе говорила
"""
NOT_EVERYTHING = """
vergiss alles was er gesagt hat|lösch alle meine termine|ich vergesse alles|vergiss alles andere
ich hab alle meine daten gelöscht|borra todo lo de la lista|olvido todo|olvida todo eso|oublie tout ça|j'oublie tout
supprime toutes mes alarmes|elimina tutti i promemoria|dimentico tutto|cancella tutto il resto|apaga tudo da lista
esqueci tudo|perdi todos os meus dados|удали все из списка|я всё забыла|забудь всё плохое|listeden her şeyi sil
her şeyi unuttum|annem her şeyi unutur|tüm mesajlarımı sildim|bilgilerimi sildi|把清单都删了|把我的闹钟都删掉
忘掉我的前男友|我忘了我的所有密码|我把我的资料都删了|他把我的信息都删了
"""
BEFORE = """
please don't keep that|don't keep that|Don't remember that.
please don't save this|do not store that please|forget that
please forget that|forget that, please|forget what I just said|Please forget what I said|delete that
delete my last message
erase that from your memory|forget it please|please forget it|can you forget that?
could you please forget what I just told you?
I don't want you to keep that|I'd rather you didn't remember that|that shouldn't be saved|that was not meant for you
you don't have to remember that|off the record|that was off the record|don't write that down|don't hold on to that
forget that, i shouldnt have wrote it|forget that. I shouldn't have said it|please forget that, it slipped out
vergiss das, das hätte ich nicht schreiben sollen|vergiss das bitte. das ist mir rausgerutscht
olvida eso, no debí decirlo|oublie ça, j'aurais pas dû l'écrire|dimentica questo, non avrei dovuto dirlo
esquece isso, não devia ter dito|забудь это, зря я это написала|bunu unut, söylememeliydim|把这个忘掉吧，我不该告诉你
no, please don't keep that|Oh, sorry, please don't keep that.|Hey, forget that please|pretend I never said that
forget my last message|delete the last message|please don't record any of this|I don't want that stored
Furo, please forget that
vergiss das bitte|Vergiss das|bitte vergiss das|merk dir das bitte nicht|speicher das nicht|behalte das bitte nicht
das bitte nicht speichern|kannst du das vergessen?|vergiss, was ich gerade gesagt habe|das musst du dir nicht merken
olvida eso|no guardes eso por favor|oublie ça|ne garde pas ça|dimentica questo|non salvare questo|esquece isso
não guarde isso
vergeet dat alsjeblieft|onthoud dat niet|bunu unut|bunu kaydetme lütfen|забудь это|не запоминай это
zapomnij o tym|nie zapisuj tego
"""
ABOUT = {
    "forget my PIN": "my PIN",
    "Please forget my PIN.": "my PIN",
    "could you forget my old address?": "my old address",
    "forget that my brother is called Joost": "that my brother is called Joost",
    "forget about Anna": "Anna",
    "forget Anna": "Anna",
    "forget everything about my ex": "my ex",
    "forget what I told you about the surgery": "the surgery",
    "please forget everything I said about my boss": "my boss",
    "I want you to forget where I live": "where I live",
    "forget what I said yesterday": "yesterday",
    "delete everything I said today": "today",
    "delete yesterday's messages": "yesterday",
    "delete everything about Anna": "Anna",
    "delete what you know about my job": "my job",
    "remove my brother from your memory": "my brother",
    "erase the fact that I smoke": "I smoke",
    "delete my phone number": "my phone number",
    "don't remember my PIN": "my PIN",
    "please don't keep my address": "my address",
    "I don't want my address stored": "my address",
    "forget the thing with Quentin, please": "the thing with Quentin",
    "vergiss meine PIN": "meine PIN",
    "vergiss bitte, dass mein Bruder Joost heißt": "mein Bruder Joost heißt",
    "vergiss alles über Anna": "Anna",
    "olvida mi PIN": "mi PIN",
    "oublie mon adresse": "mon adresse",
    "dimentica il mio indirizzo": "il mio indirizzo",
    "vergeet mijn adres": "mijn adres",
    "забудь мой адрес": "мой адрес",
}
CONVERSATION = "forget this conversation|delete this chat|please erase our conversation|forget the whole conversation"
NONE = """
forget it|forget about it|Oh, forget it.|just forget it|vergiss es|don't forget my birthday
don't forget that I have to go
never forget this|I forgot my PIN|I always forget names|I can't forget him|help me forget her|forget him
forget you|forget me
don't let me forget to call mum|forget to laugh and you get old|how do I delete my data?
can I delete my account?|do you ever forget?
do you forget things?|can you forget things?|what do you forget?|how do you forget?|forget the reminder
delete the shopping list
delete my reminder|remove milk from the list|clear the shopping list|delete the alarm|cancel all reminders
I'd like to forget this day
remember that I like tea|please keep that|don't keep me waiting|don't remember exactly|she told me to forget him
Vergiss nicht, Milch zu kaufen
vergiss mich nicht|no olvides la leche|n'oublie pas le lait|non dimenticare il latte|vergeet de melk niet
vergeet niet te bellen|не забудь молоко
süt almayı unutma|my memory is bad|I saved that file|don't write it off yet|I don't want to be remembered
forgetting is human|forget the past
forget how it works|you never remember my birthday|did you forget my name?|have you forgotten my name?
I wish I could forget that
delete the file from my desktop and reboot|the forget-me-nots are blooming|to forgive is not to forget
can you remember my PIN?
"""
INSIDE = {
    "My PIN is 4321, please don't keep that": ForgetRequest("this", alone=False),
    "My sister is pregnant. Please don't keep that.": ForgetRequest("this", alone=False),
    "Please don't remember this: I cheated on the exam": ForgetRequest("this", alone=False),
    "I cheated on the exam but don't write that down": ForgetRequest("this", alone=False),
    "What a day. Please forget my PIN. Did it rain at yours?": ForgetRequest("about", "my PIN", alone=False),
    "That was my sister's secret. Please forget what I just said, thanks!": ForgetRequest("this", alone=False),
    "Forget that, what's for dinner?": None,
    "Forget that. What shall we cook?": None,
    "Forget it, I shouldn't have said anything": None,
    "I shouldn't have said that to her": None,
    "Forget that, we had such a day and I shouldn't have eaten so much": None,
    "vergiss das, was machen wir morgen?": None,
    "olvida eso, ¿qué hacemos mañana?": None,
    "oublie ça, on fait quoi demain ?": None,
    "забудь это, что делаем завтра?": None,
    "actually olvida lo de la lata. forget that, i shouldnt have wrote it": ForgetRequest("before", alone=False),
    "Thanks. Please don't keep that!": ForgetRequest("before"),
    "Oops, sorry! Please don't keep that.": ForgetRequest("before"),
}


def rows(table: str) -> list[str]:
    return [one for line in table.strip().splitlines() for one in line.split("|")]


@pytest.mark.parametrize("text", rows(EVERYTHING))
def test_everything_is_asked_for(text: str) -> None:
    assert read(as_told(text)) == ForgetRequest("everything")


@pytest.mark.parametrize("text", rows(NOT_EVERYTHING))
def test_less_or_nothing_is_asked_for(text: str) -> None:
    found = read(as_told(text))
    assert found is None or found.kind != "everything"


@pytest.mark.parametrize("text", rows(BEFORE))
def test_what_was_said_before_is_asked_for(text: str) -> None:
    assert read(as_told(text)) == ForgetRequest("before")


@pytest.mark.parametrize(("text", "words"), ABOUT.items())
def test_what_it_is_about_is_understood(text: str, words: str) -> None:
    found = read(as_told(text))
    assert found is not None
    assert (found.kind, found.words.removeprefix("that "), found.alone) == ("about", words.removeprefix("that "), True)


@pytest.mark.parametrize("text", rows(CONVERSATION))
def test_a_conversation_is_asked_for(text: str) -> None:
    assert read(as_told(text)) == ForgetRequest("conversation")


@pytest.mark.parametrize("text", rows(NONE))
def test_what_is_no_request_is_left_alone(text: str) -> None:
    assert read(as_told(text)) is None


@pytest.mark.parametrize(("text", "means"), INSIDE.items())
def test_a_request_beside_other_words(text: str, means: ForgetRequest | None) -> None:
    assert read(as_told(text)) == means


TABLES = ("said_forget.tsv", "said_forget_unseen.tsv")
HERE = Path(__file__).parent


@pytest.mark.parametrize("table", TABLES)
def test_only_an_order_is_one(table: str) -> None:
    """In doubt the mind answers: nothing that is only said is taken for an order to erase."""
    heard = [(row, request_in(as_told(row["said"]))) for row in rows_of(HERE / table)]
    false = [row["said"] for row, found in heard if row["asks"] == "-" and found is not None]
    orders = [(row, found) for row, found in heard if row["asks"] != "-"]
    missed = [row["said"] for row, found in orders if found is None or found.kind != row["asks"]]
    assert false == []
    assert len(missed) <= len(orders) * 0.1, missed


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("oublie ce que jai dit sur ma mère stp", "ma mère"),
        ("oublie ce que jtai dit sur ma mere", "ma mere"),
        ("oublie ce ke j'ai raconté sur karim pls", "karim"),
        ("olvida lo que dije de mi madre porfa", "mi madre"),
        ("olvida lo q te dije de mi madre", "mi madre"),
        ("dimentica quello ke ho detto di mia madre pls", "mia madre"),
        ("esquece o q eu disse sobre a minha mãe pfv", "minha mãe"),
        ("забудь, что я говорила про маму пж", "маму"),
        ("annem hakkinda soylediklerimi unut", "annem"),
        ("忘了我说的关于我妈的话吧", "我妈"),
    ],
)
def test_a_request_in_the_spelling_of_a_chat_is_about_the_same(said: str, words: str) -> None:
    """“porfa” was looked for as a word of it, and the French was only told of /forget."""
    assert read(as_told(said)) == ForgetRequest("about", words)


@pytest.mark.parametrize(
    "said",
    ["j'ai oublié ce que jai dit sur ma mère", "no olvides lo q te dije de mi madre", "我忘了我说的关于我妈的话"],
)
def test_what_somebody_forgot_in_that_spelling_is_no_request(said: str) -> None:
    assert read(as_told(said)) is None
