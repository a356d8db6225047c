"""Do the words that say that another subject begins count?"""

from __future__ import annotations

import pytest

from furoshiki.owner.routing.rules.topics import turns_away


@pytest.mark.parametrize(
    "text",
    [
        "By the way, did you see the match?",
        "ok so anyway, the tiles came",
        "Different topic: the tax return",
        "my sister is pregnant btw",
        "I planted the beans, incidentally.",
        "Übrigens kommt Anna am Sonntag",
        "Por cierto, mañana no trabajo",
        "Bu arada yarın geliyorum",
        "Кстати, завтра я дома",
        "back to the kitchen",
        "对了，我妈周日来",
        "换个话题，你听说过那部电影吗",
    ],
)
def test_words_that_say_so_begin_another_subject(text: str) -> None:
    assert turns_away(text)


@pytest.mark.parametrize(
    "text",
    [
        "I did it anyway",
        "anyway",
        "by the way",
        "we went back to the shop",
        "I like the way by the river",
        "",
        "…",
        "对了",
        "你说对了",
    ],
)
def test_words_that_only_look_like_it_do_not(text: str) -> None:
    assert not turns_away(text)
