"""What is asked to be done, in the words people use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.reflex.reminders import reminding, requests
from furoshiki.reflex.reminders.values import CancelReminder, ChangeList, Remind, ShowList, ShowReminders
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
    "set an alarm for 10pm": ("time to wake up", "Tue 03 Mar 22:00", None),
}


@pytest.mark.parametrize("text", REMINDERS)
def test_reminders(text: str) -> None:
    found = requests.request(text, MORNING)
    assert isinstance(found, Remind)
    assert found.when is not None
    assert (found.what, found.when.at.strftime("%a %d %b %H:%M"), found.when.rule) == REMINDERS[text]


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
    "put oranges on the list": ChangeList("add", ("oranges",), None),
    "put Dune on my books to read list": ChangeList("add", ("Dune",), "books to read"),
    "add to my shopping list: cheese, wine": ChangeList("add", ("cheese", "wine"), "shopping"),
    "make a packing list with socks and shirts": ChangeList("add", ("socks", "shirts"), "packing"),
    "remove milk from the shopping list": ChangeList("remove", ("milk",), "shopping"),
    "take eggs off the list": ChangeList("remove", ("eggs",), None),
    "cross off milk": ChangeList("check", ("milk",), None),
    "check off milk on the shopping list": ChangeList("check", ("milk",), "shopping"),
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
        "I got a new job",
        "my name is on the list",
        "I made a list of things",
        "that reminds me of summer",
        "add 5 and 6",
        "make a list",
        "I need to buy milk",
        "I got it",
        "",
    ],
)
def test_what_asks_for_nothing(text: str) -> None:
    assert requests.request(text, MORNING) is None


@given(st.text(max_size=150))
def test_any_text_can_be_read(text: str) -> None:
    requests.request(text, MORNING)
