"""What somebody asks for in how they are spoken to: recognised by rule, and fading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.app.wiring import lexicon
from furoshiki.language.tables.wish_names import WISHES
from furoshiki.owner.user_model.rules import style_wishes

LEXICON = lexicon()
NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("use bullet points", ("bullets",)),
        ("Shorter please!", ("brief",)),
        ("no emojis", ("no_emoji",)),
        ("speak German", ("german",)),
        ("can you answer in german from now on?", ("german",)),
        ("auf Deutsch bitte", ("german",)),
        ("ok thanks, but could you keep it short and no emojis please", ("brief", "no_emoji")),
        ("the plan is fine. don't use bullet points, please", ("prose",)),
        ("I'd like shorter answers", ("brief",)),
        ("Kürzer bitte, und keine Smileys!", ("brief", "no_emoji")),
        ("por favor sin emojis", ("no_emoji",)),
        ("daha kısa lütfen", ("brief",)),
        ("Отвечай короче, пожалуйста", ("brief",)),
        ("please stop asking so many questions", ("no_questions",)),
        ("just the answer", ("blunt",)),
        ("eli5 please", ("plain_words",)),
        ("use bullet points on the slides for my boss", ()),
        ("my boss speaks German", ()),
        ("how do I say cheese in german", ()),
        ("i want to speak spanish one day", ()),
        ("should I be direct with her?", ()),
        ("the film was too long", ()),
        ("is that too long?", ()),
        ("don't keep it short", ()),
        ("in english, the word is cheese", ()),
        ("in simple terms, he lied", ()),
        ("in English, please", ("english",)),
        ("no emojis, they annoy me", ("no_emoji",)),
        ("", ()),
    ],
)
def test_a_wish_is_heard_where_nothing_else_is_said(said: str, meant: tuple[str, ...]) -> None:
    assert style_wishes.find_wishes(said, LEXICON) == meant


def test_every_wish_can_be_said_in_english() -> None:
    said = (
        *("be brief", "more detail please", "use lists", "no lists", "less emojis", "more emojis", "no questions"),
        *(
            "ask me questions",
            "no jargon",
            "be technical",
            "with examples please",
            "slow down",
            "no fluff",
            "be gentle",
        ),
        *(
            "be gentle",
            "be formal",
            "be casual",
            "no jokes",
            "more jokes",
            "speak english",
            "speak german",
            "speak spanish",
        ),
        *("speak turkish", "speak russian", "speak french", "speak italian", "speak portuguese"),
    )
    assert {name for text in said for name in style_wishes.find_wishes(text, LEXICON)} == set(WISHES)


def test_a_wish_at_the_end_of_a_long_message_is_heard() -> None:
    assert style_wishes.find_wishes("It was late. " * 500 + "Shorter please!", LEXICON) == ("brief",)


def test_what_is_said_last_holds() -> None:
    kept = style_wishes.add_wishes({}, ["brief", "german"], NOW, 1)
    kept = style_wishes.add_wishes(kept, ["long"], NOW + timedelta(days=1), 2)
    kept = style_wishes.add_wishes(kept, ["spanish"], NOW + timedelta(days=1), 3)
    assert set(kept) == {"long", "spanish"}


def test_a_wish_fades_by_the_day_and_is_not_kept_to_for_ever() -> None:
    kept = style_wishes.add_wishes({}, ["brief"], NOW)
    assert style_wishes.strength_at(kept["brief"], NOW + timedelta(days=10)) == pytest.approx(0.7 - 0.15)
    assert style_wishes.list_active(kept, NOW + timedelta(days=26)) == ("brief",)
    assert style_wishes.list_active(kept, NOW + timedelta(days=27)) == ()
    assert style_wishes.strength_at(kept["brief"], NOW + timedelta(days=100)) == 0.0
    assert style_wishes.strength_at(kept["brief"], NOW - timedelta(days=1)) == 0.7


def test_a_wish_said_again_is_stronger_and_comes_first() -> None:
    kept = style_wishes.add_wishes({}, ["no_emoji", "brief"], NOW)
    kept = style_wishes.add_wishes(kept, ["no_emoji"], NOW + timedelta(hours=1))
    assert kept["no_emoji"].strength == pytest.approx(0.85, abs=0.001)
    assert style_wishes.list_active(kept, NOW + timedelta(hours=2)) == ("no_emoji", "brief")
