"""What is asked to be done, in the words people use."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.reflex.reminders import reminding, requests
from furoshiki.language.requests.values import (
    CancelReminder,
    ChangeList,
    Remind,
    SeveralRequests,
    ShowList,
    ShowReminders,
)
from tests.support.friend import MORNING

REMINDERS = {
    "remind me to call mum on Sunday at six": ("call mum", "Sun 08 Mar 18:00", None),
    "Can you remind me in 20 minutes to take the bread out?": ("take the bread out", "Tue 03 Mar 09:50", None),
    "remind me tomorrow morning that I have to pay the rent": ("pay the rent", "Wed 04 Mar 09:00", None),
    "please remind me at 7pm about the meeting with Tom": ("the meeting with Tom", "Tue 03 Mar 19:00", None),
    "remind me on Sunday at six to call my mum about the party": (
        "call my mum about the party",
        "Sun 08 Mar 18:00",
        None,
    ),
    "remind me every Monday at 9 to water the plants": (
        "water the plants",
        "Mon 09 Mar 09:00",
        "FREQ=WEEKLY;BYDAY=MO",
    ),
    "don't let me forget to buy milk tomorrow": ("buy milk", "Wed 04 Mar 09:00", None),
    "set a timer for 10 minutes": ("your timer is up", "Tue 03 Mar 09:40", None),
    "wake me up at 7": ("time to wake up", "Wed 04 Mar 07:00", None),
    "set an alarm for 6:30 tomorrow": ("time to wake up", "Wed 04 Mar 06:30", None),
    "mi ricordi la pastiglia domani alle 8": ("la pastiglia", "Wed 04 Mar 08:00", None),
    "¿me recuerdas mañana a las 8 la pastilla?": ("la pastilla", "Wed 04 Mar 08:00", None),
    "tu me rappelles la pilule demain à 8h ?": ("la pilule", "Wed 04 Mar 08:00", None),
    "me lembras da pílula amanhã às 8": ("pílula", "Wed 04 Mar 08:00", None),
    "erinnerst du mich morgen um 8 an die Tablette?": ("die Tablette", "Wed 04 Mar 08:00", None),
    "set an alarm for 10pm": ("time to wake up", "Tue 03 Mar 22:00", None),
}


@pytest.mark.parametrize("text", REMINDERS)
def test_reminders(text: str) -> None:
    found = requests.request(text, MORNING)
    assert isinstance(found, Remind)
    assert found.when is not None
    assert (found.what, found.when.at.strftime("%a %d %b %H:%M"), found.when.rule) == REMINDERS[text]


def test_one_moment_on_two_clocks_is_read_by_each() -> None:
    there = MORNING.astimezone(ZoneInfo("Asia/Tokyo"))
    hours = [requests.request("remind me at 9pm to call Anna", now).when.at for now in (MORNING, there)]
    assert [(at.hour, at.tzinfo) for at in hours] == [(21, MORNING.tzinfo), (21, there.tzinfo)]
    assert hours[0] != hours[1]


def test_a_reminder_without_a_time_or_without_a_matter() -> None:
    assert requests.request("remind me to call Tom", MORNING) == Remind("call Tom", None)
    assert requests.request("remind me", MORNING) == Remind("", None)


def test_words_after_a_command_need_no_remind_me() -> None:
    found = reminding.reminder("call mum on Sunday at six", MORNING)
    assert found is not None
    assert found.what == "call mum"
    assert reminding.reminder("  ", MORNING) is None


ASKED = {
    "cancel the reminder to call mum": CancelReminder("call mum"),
    "delete the call mum reminder": CancelReminder("call mum"),
    "cancel my reminder": CancelReminder(""),
    "what are my reminders?": ShowReminders(),
    "show my reminders": ShowReminders(),
    "my reminders": ShowReminders(),
    "add milk and eggs to the shopping list": ChangeList("add", ("milk", "eggs"), "shopping"),
    "please put milk, eggs and some bread on my shopping list": ChangeList(
        "add", ("milk", "eggs", "bread"), "shopping"
    ),
    "lista: leche, huevos": ChangeList("add", ("leche", "huevos"), None, tongue="es"),
    "список: молоко, хлеб": ChangeList("add", ("молоко", "хлеб"), None, tongue="ru"),
    "买菜清单:鸡蛋,牛奶": ChangeList("add", ("鸡蛋", "牛奶"), "shopping", tongue="zh"),
    "清单：鸡蛋，牛奶": ChangeList("add", ("鸡蛋", "牛奶"), None, tongue="zh"),
    "put oranges on the list": ChangeList("add", ("oranges",), None),
    "put Dune on my books to read list": ChangeList("add", ("Dune",), "books to read"),
    "add to my shopping list: cheese, wine": ChangeList("add", ("cheese", "wine"), "shopping"),
    "make a packing list with socks and shirts": ChangeList("add", ("socks", "shirts"), "packing"),
    "remove milk from the shopping list": ChangeList("remove", ("milk",), "shopping"),
    "take eggs off the list": ChangeList("remove", ("eggs",), None),
    "cross off milk": ChangeList("check", ("milk",), None),
    "check off milk on the shopping list": ChangeList("check", ("milk",), "shopping"),
    "mark milk as done": ChangeList("check", ("milk",), None),
    "I'm done with the report": ChangeList("check", ("report",), None),
    "what's on my shopping list?": ShowList("shopping"),
    "what's on the list": ShowList(""),
    "what's left on my work list?": ShowList("work"),
    "show me the packing list please": ShowList("packing"),
    "shopping list": ShowList("shopping"),
    "show me my lists": ShowList(None),
    "what lists do I have?": ShowList(None),
}


@pytest.mark.parametrize("text", ASKED)
def test_lists_and_the_rest(text: str) -> None:
    assert requests.request(text, MORNING) == ASKED[text]


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "I bought a telescope",
        "Mark says hi! He is making dinner",
        "check my email",
        "I got a new job",
        "my name is on the list",
        "I made a list of things",
        "that reminds me of summer",
        "add 5 and 6",
        "make a list of what I hate",
        "I need to buy milk",
        "me recuerdas a mi hermana",
        "tu me rappelles ma mère",
        "lembras-me o meu pai",
        "I got it",
        "",
    ],
)
def test_what_asks_for_nothing(text: str) -> None:
    assert requests.request(text, MORNING) is None


@given(st.text(max_size=150))
def test_any_text_can_be_read(text: str) -> None:
    requests.request(text, MORNING)


ONE = {
    "remind me thu at 2, dentist is at 3. tooth at the back": (
        "dentist is at 3. tooth at the back",
        "Thu 05 Mar 14:00",
    ),
    "remind me thu at 2. the dentist is at 3": ("the dentist is at 3", "Thu 05 Mar 14:00"),
    "remind me thu at 2 for the dentist at 3": ("the dentist at 3", "Thu 05 Mar 14:00"),
    "remind me tomorrow at 9, my train leaves at 11:30": ("my train leaves at 11:30", "Wed 04 Mar 09:00"),
    "remind me on Friday at 10, the exam is on Saturday": ("the exam is on Saturday", "Fri 06 Mar 10:00"),
    "remind me at 5pm, i have the dentist at 6pm": ("i have the dentist at 6pm", "Tue 03 Mar 17:00"),
    "wake me at 6, flight goes at 9": ("flight goes at 9", "Wed 04 Mar 06:00"),
    "the dentist is tomorrow at 3, remind me at 2": ("the dentist is tomorrow at 3", "Wed 04 Mar 14:00"),
    "I have dentist tomorrow at 3. remind me at 2": ("dentist tomorrow at 3", "Wed 04 Mar 14:00"),
    "erinner mich am donnerstag um 14 uhr, zahnarzt ist um 15 uhr": ("zahnarzt ist um 15 uhr", "Thu 05 Mar 14:00"),
    "erinner mich morgen um 14 uhr, um 15 uhr hab ich zahnarzt": ("um 15 uhr hab ich zahnarzt", "Wed 04 Mar 14:00"),
    "recuérdame el jueves a las 14, el dentista es a las 15": ("el dentista es a las 15", "Thu 05 Mar 14:00"),
    "напомни в четверг в 14:00, стоматолог в 15:00": ("стоматолог в 15:00", "Thu 05 Mar 14:00"),
    "perşembe saat 14'te hatırlat, dişçi saat 15'te": ("dişçi saat 15'te", "Thu 05 Mar 14:00"),
}


@pytest.mark.parametrize("text", ONE)
def test_what_is_at_an_hour_of_its_own_is_one_reminder_before_it(text: str) -> None:
    found = requests.request(text, MORNING)
    assert isinstance(found, Remind)
    assert found.when is not None
    assert (found.what, found.when.at.strftime("%a %d %b %H:%M")) == ONE[text]


TWO = {
    "remind me at 2 to call mum and at 3 to take the pill": ["call mum 14:00", "take the pill 15:00"],
    "remind me at 2 to call mum, at 3 to take the pill": ["call mum 14:00", "take the pill 15:00"],
    "remind me at 2 for the pill and at 5 for the walk": ["the pill 14:00", "the walk 17:00"],
    "remind me at 10, at 5 i have to take the pills": ["take the pills 10:00", "take the pills 17:00"],
    "remind me at 2, the plumber comes at 3, and at 5 to pay him": ["the plumber comes at 3 14:00", "pay him 17:00"],
    "erinner mich um 14 uhr an mama und um 15 uhr an die tablette": ["mama 14:00", "die tablette 15:00"],
    "recuérdame a las 14 llamar a mamá y a las 15 tomar la pastilla": [
        "llamar a mamá 14:00",
        "tomar la pastilla 15:00",
    ],
    "напомни в 14:00 позвонить маме и в 15:00 выпить таблетку": ["позвонить маме 14:00", "выпить таблетку 15:00"],
}


@pytest.mark.parametrize("text", TWO)
def test_two_things_at_two_hours_are_two_reminders(text: str) -> None:
    found = requests.request(text, MORNING)
    assert isinstance(found, SeveralRequests)
    asked = [one for one in found.wanted if isinstance(one, Remind) and one.when is not None]
    assert [f"{one.what} {one.when.at:%H:%M}" for one in asked if one.when is not None] == TWO[text]


LISTED_AND_REMINDED = """
put milk on the shopping list and remind me tomorrow at 8 of the dentist
setz Milch auf die Einkaufsliste und erinner mich morgen um acht an den Zahnarzt
pon leche en la lista de la compra y recuérdame mañana a las ocho lo del dentista
mets du lait sur la liste de courses et rappelle-moi demain à huit heures le dentiste
metti il latte nella lista della spesa e ricordami domani alle otto il dentista
põe leite na lista de compras e me lembra amanhã às oito do dentista
добавь молоко в список покупок и напомни завтра в восемь про стоматолога
sütü alışveriş listesine ekle ve yarın sekizde dişçiyi hatırlat
把牛奶加到购物清单，明天早上八点提醒我看牙医
"""

ONE_REMINDER = """
erinner mich morgen um acht, dass Anna kommt und schreib ihr
recuérdame mañana a las ocho comprar pan y apunta que estoy cansada
me lembra amanhã às oito de comprar pão e põe a mesa
напомни завтра в восемь купить хлеб и запиши меня к врачу
"""


@pytest.mark.parametrize("text", LISTED_AND_REMINDED.strip().splitlines())
def test_a_thing_for_the_list_and_a_reminder_are_two_requests(text: str) -> None:
    """“põe … na lista e me lembra …” put the reminder's words on the list."""
    found = requests.request(text, MORNING)
    assert isinstance(found, SeveralRequests), found
    listed, reminded = found.wanted
    assert isinstance(listed, ChangeList) and listed.name == "shopping" and len(listed.items) == 1
    assert isinstance(reminded, Remind) and reminded.when is not None and f"{reminded.when.at:%d %H:%M}" == "04 08:00"


@pytest.mark.parametrize("text", ONE_REMINDER.strip().splitlines())
def test_what_is_no_request_of_its_own_belongs_to_the_reminder(text: str) -> None:
    assert isinstance(requests.request(text, MORNING), Remind)


LISTS_ABROAD = {
    "Eier auf die Liste": ChangeList("add", ("Eier",), None, tongue="de"),
    "Einkaufsliste: Brot, Butter": ChangeList("add", ("Brot", "Butter"), "shopping", tongue="de"),
    "hak das Brot ab": ChangeList("check", ("Brot",), None, surely=False, tongue="de"),
    "was steht noch auf der Einkaufsliste?": ShowList("shopping"),
    "zeig mir bitte die Liste": ShowList(""),
    "welche Listen hab ich?": ShowList(None),
    "lista de la compra: pan, leche": ChangeList("add", ("pan", "leche"), "shopping", tongue="es"),
    "¿qué hay en la lista de la compra?": ShowList("shopping"),
    "coche le pain": ChangeList("check", ("pain",), None, surely=False, tongue="fr"),
    "ma liste s'il te plaît": ShowList(""),
    "fammi vedere la lista della spesa": ShowList("shopping"),
    "ho comprato le uova": ChangeList("check", ("uova",), None, surely=False, tongue="it"),
    "lista de compras: arroz e feijão": ChangeList("add", ("arroz", "feijão"), "shopping", tongue="pt"),
    "mostra a minha lista": ShowList(""),
    "список покупок: хлеб, масло": ChangeList("add", ("хлеб", "масло"), "shopping", tongue="ru"),
    "покажи список": ShowList(""),
    "alışveriş listesi: ekmek": ChangeList("add", ("ekmek",), "shopping", tongue="tr"),
    "listemi göster": ShowList(""),
    "购物清单上有什么?": ShowList("shopping"),
    "购物清单:牛奶": ChangeList("add", ("牛奶",), "shopping", tongue="zh"),
    "milk eggs and bread on the shopping list please": ChangeList("add", ("milk", "eggs", "bread"), "shopping"),
    "tent, torch on my packing list": ChangeList("add", ("tent", "torch"), "packing"),
    "milch eier und brot auf die einkaufsliste bitte": ChangeList(
        "add", ("milch", "eier", "brot"), "shopping", tongue="de"
    ),
    "leche y pan en la lista de la compra por favor": ChangeList("add", ("leche", "pan"), "shopping", tongue="es"),
    "lait œufs et pain sur la liste de courses stp": ChangeList(
        "add", ("lait", "œufs", "pain"), "shopping", tongue="fr"
    ),
    "latte uova e pane sulla lista della spesa": ChangeList("add", ("latte", "uova", "pane"), "shopping", tongue="it"),
    "leite ovos e pão na lista de compras": ChangeList("add", ("leite", "ovos", "pão"), "shopping", tongue="pt"),
    "молоко и хлеб в список покупок": ChangeList("add", ("молоко", "хлеб"), "shopping", tongue="ru"),
    "süt yumurta ekmek alışveriş listesine lütfen": ChangeList(
        "add", ("süt", "yumurta", "ekmek"), "shopping", tongue="tr"
    ),
    "牛奶鸡蛋面包加购物清单": ChangeList("add", ("牛奶", "鸡蛋", "面包"), "shopping", tongue="zh"),
    "is sunscreen on the list?": ShowList("", surely=False),
    "ist noch Milch auf der Einkaufsliste?": ShowList("shopping", surely=False),
    "c'è il latte nella lista?": ShowList("", surely=False),
    "what remains on the list?": ShowList(""),
    "list?": ShowList(""),
    "to do: fix bike, call plumber, school photos": ChangeList(
        "add", ("fix bike", "call plumber", "school photos"), "todo"
    ),
    "to do: call Tom, the plumber": ChangeList("add", ("call Tom, the plumber",), "todo"),
}


@pytest.mark.parametrize("said", LISTS_ABROAD)
def test_a_list_is_kept_and_shown_in_other_languages(said: str) -> None:
    assert requests.perhaps(said, MORNING) == LISTS_ABROAD[said]


TOLD_OF_LISTS = """
Anna schaut auf die Liste; ich steh nicht auf der Liste; la lista era larga; milk is on the list
your name is on my list; Anna is first on the guest list; Rome next on my list; welcome to the list
Paris has always been on my bucket list
Geh doch mal auf die Liste; il est sur la liste d'attente; ya está en la lista; Maria è sulla lista
Maria está na lista; я посмотрела в список; может, добавим молоко в список?; 他在购物清单上
"""


@pytest.mark.parametrize(
    "said", [one.strip() for line in TOLD_OF_LISTS.strip().splitlines() for one in line.split(";")]
)
def test_speaking_of_a_list_asks_nothing_of_it(said: str) -> None:
    assert requests.perhaps(said, MORNING) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("yarin aksam 8de cop atmayi hatirlat", "cop atmayi"),
        ("yarin sabah dokuzda annemi aramayi hatirlatir misin", "annemi aramayi"),
        ("2 saat sonra ocağı kapat diye hatırlat", "ocağı kapat"),
        ("recuerdame manana llamar a Ana", "llamar a Ana"),
    ],
)
def test_a_reminder_is_heard_without_the_marks_of_its_letters(text: str, what: str) -> None:
    found = requests.request(text, MORNING)
    assert isinstance(found, Remind)
    assert found.what == what and found.when is not None
