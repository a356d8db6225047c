"""How much of a conversation is shown: within the budget, from a start that stands still."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.domain import window
from furoshiki.domain.conversation import USER, Turn
from tests.domain.laws import NOON


def turn(id_: int, tokens: int = 10) -> Turn:
    return Turn(id_, "s", "telegram", "7", USER, "text", "x" * 4 * tokens, NOON, None, None, None)


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


def test_a_window_whose_turns_were_all_forgotten_begins_anew() -> None:
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
