"""Are changes of subject found in a conversation that nothing was fitted to, and do the words that say so count?"""

from __future__ import annotations

import pytest

from bench.boundaries import LEAST_F1, WITHIN, best, detected, f1, half, static, two_signals
from furoshiki.language.discourse import turns_away
from tests.support.labelled import labelled


def test_changes_of_subject_are_found_on_the_half_that_nothing_was_fitted_to() -> None:
    told = labelled()  # python -m bench.boundaries tries more of what the simpler ways are fitted by
    fit, test = half(told, 1), half(told, 0)
    assert len(told) >= 300 and sum(one.turns for one in told) >= 40
    reached = f1(test, detected, WITHIN)[0]
    by_threshold = f1(test, best(fit, static, [-0.1, 0.0, 0.02, 0.1]), WITHIN)[0]
    by_two = f1(test, best(fit, two_signals, [0.75, 1.0, 1.05]), WITHIN)[0]
    assert reached >= LEAST_F1
    assert reached > by_threshold and reached > by_two


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
    ],
)
def test_words_that_say_so_begin_another_subject(text: str) -> None:
    assert turns_away(text)


@pytest.mark.parametrize(
    "text",
    ["I did it anyway", "anyway", "by the way", "we went back to the shop", "I like the way by the river", "", "…"],
)
def test_words_that_only_look_like_it_do_not(text: str) -> None:
    assert not turns_away(text)
