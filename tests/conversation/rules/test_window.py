"""How much of a conversation is shown: within the budget, from a start that stands still."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.conversation import window
from furoshiki.messages.values import Turn
from tests.support.laws import NOON
from tests.support.stored_turns import make_turn


def turn(id_: int, tokens: int = 10) -> Turn:
    return make_turn(id_, "x" * 4 * tokens, NOON)


def talk(*tokens: int) -> list[Turn]:
    return [turn(number, size) for number, size in enumerate(tokens, 1)]


def test_nothing_said_starts_nowhere() -> None:
    assert window.start([], 0, 100) == 0


def test_everything_is_shown_while_it_fits() -> None:
    assert window.start(talk(10, 10, 10), 0, 42) == 1


def test_the_start_stands_still_until_the_budget_is_full_then_jumps() -> None:
    starts, first = [], 0
    for said in range(1, 41):
        first = window.start(talk(*[10] * said), first, 140)
        starts.append(first)
    assert starts == [1] * 10 + [7] * 6 + [13] * 6 + [19] * 6 + [25] * 6 + [31] * 6


def test_the_newest_message_is_always_shown() -> None:
    assert window.start(talk(10, 10, 5000), 0, 100) == 3


def test_a_window_whose_turns_were_all_forgotten_starts_over() -> None:
    assert window.start(talk(10, 10, 10), 99, 30) == 3


def test_a_long_message_costs_no_more_than_what_is_shown_of_it() -> None:
    assert window.cost(turn(1, 9000)) == window.LONGEST_MESSAGE_TOKENS + window.PER_MESSAGE_TOKENS


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=60), st.integers(20, 2000))
def test_a_growing_conversation_never_exceeds_its_budget(sizes: list[int], budget: int) -> None:
    first = 0
    for said in range(1, len(sizes) + 1):
        turns = talk(*sizes[:said])
        before, first = first, window.start(turns, first, budget)
        shown = [one for one in turns if one.id >= first]
        assert sum(map(window.cost, shown)) <= budget or len(shown) == 1
        assert first == max(before, 1) or sum(map(window.cost, [t for t in turns if t.id >= before])) > budget


def test_plain_talk_has_the_usual_share_a_quiet_one_little_and_a_stirring_one_most() -> None:
    assert window.share(window.IntensityInputs().intensity) == 0.65
    assert window.share(window.IntensityInputs(gate=0.0).intensity) == 0.35
    assert window.share(window.IntensityInputs(gate=0.9, goals=0.6, emotion=0.5).intensity) == 0.65
    assert window.share(window.IntensityInputs(gate=0.9, goals=0.6, emotion=0.8).intensity) == 0.9
    assert [window.share(at) for at in (0.29, 0.3, 0.7, 0.71)] == [0.35, 0.65, 0.65, 0.9]


@given(st.tuples(*[st.floats(0, 1)] * 4))
def test_intensity_lies_between_nothing_and_everything(parts: tuple[float, float, float, float]) -> None:
    assert 0 <= window.IntensityInputs(*parts).intensity <= 1.0000001


def test_intensity_follows_what_is_said_without_jumping() -> None:
    assert window.compute_intensity(None, 0.8) == 0.8
    assert window.compute_intensity(0.2, 0.8) == pytest.approx(0.5)


def test_a_conversation_is_compacted_at_85_percent_of_its_budget() -> None:
    turns = talk(*[10] * 10)  # 14 tokens each
    assert window.choose_start(turns, 0, 165) == 1, "140 of 165 are 84.8 %"
    assert window.choose_start(turns, 0, 164) == 6
    assert window.choose_start([], 0, 100) == 0
    assert window.choose_start(turns, 9, 40) == 9
    assert window.choose_start(turns, 99, 165) == 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=60), st.integers(20, 2000))
def test_what_was_compacted_fits_and_stays_as_it_is(sizes: list[int], budget: int) -> None:
    turns = talk(*sizes)
    first = window.choose_start(turns, 0, budget)
    shown = [one for one in turns if one.id >= first]
    assert sum(map(window.cost, shown)) <= budget * window.COMPACTED_AT or len(shown) == 1
    assert window.choose_start(turns, first, budget) == first
