"""What is put before the mind: half by rank, half by chance, all of it within the budget."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.memory import focus, relevance_learning
from furoshiki.memory.rules import injection
from furoshiki.memory.rules.injection import Candidate, Placed
from furoshiki.memory.rules.weights import Weight
from tests.support.laws import shipped

EVENLY = dict.fromkeys(relevance_learning.COMPONENTS, 0.2)
CANDIDATES = st.lists(
    st.tuples(
        st.floats(0, 1), st.floats(0, 1), st.integers(1, 60), st.integers(1, 400), st.booleans(), st.integers(1, 30)
    ),
    max_size=30,
).map(
    lambda rows: [
        Candidate(
            f"memory:{place}",
            None if associated else place,
            {"semantic": semantic, "co_access": co_access},
            Weight(alpha, 4.0),
            max(full, short),
            min(full, short),
        )
        for place, (semantic, co_access, short, full, associated, alpha) in enumerate(rows, 1)
    ]
)


def ranked(count: int, **more: object) -> list[Candidate]:
    return [Candidate(f"turn:{rank}", rank, full=50, short=20) for rank in range(1, count + 1)]


def ids(placed: Sequence[Placed]) -> list[str]:
    return [place.candidate.id for place in placed]


@given(CANDIDATES, st.integers(0, 2**32), st.integers(1, 14))
def test_the_first_half_is_the_ranking_whatever_chance_says(found: list[Candidate], seed: int, slots: int) -> None:
    placed = injection.choose(found, EVENLY, random.Random(seed), slots)
    by_rank = sorted((one for one in found if one.rank is not None), key=lambda one: one.rank or 0)
    sure = by_rank[: (slots + 1) // 2]
    assert [place.candidate for place in placed[: len(sure)]] == sure
    assert len(placed) == min(len(found), max(slots, 0)) or len(sure) + len(placed) < slots + len(sure)
    assert len(set(ids(placed))) == len(placed) <= max(slots, len(sure))
    scores = [place.score for place in placed[len(sure) :]]
    assert None not in scores and scores == sorted(scores, reverse=True, key=lambda score: score or 0)


@given(CANDIDATES)
def test_without_dice_the_same_is_chosen_in_whatever_order_it_comes(found: list[Candidate]) -> None:
    expected = injection.choose(found, EVENLY, None)
    shuffled = random.Random(1).sample(found, len(found))
    assert injection.choose(shuffled, EVENLY, None) == expected


@given(CANDIDATES, st.integers(0, 3000))
def test_what_is_shown_never_exceeds_the_budget_and_the_best_are_whole(found: list[Candidate], budget: int) -> None:
    placed = injection.fill(injection.choose(found, EVENLY, None), budget)
    spent = sum(place.candidate.full if place.in_full else place.candidate.short for place in placed)
    assert spent <= budget
    for better, worse in zip(placed, placed[1:], strict=False):
        if worse.in_full and worse.candidate.full - worse.candidate.short >= (
            better.candidate.full - better.candidate.short
        ):
            assert better.in_full, "the better one would have fitted"


def test_a_full_budget_shortens_the_last_ones_first() -> None:
    placed = injection.fill(injection.choose(ranked(4), EVENLY, None), 50 + 50 + 20 + 20)
    assert [place.in_full for place in placed] == [True, True, False, False]
    assert [place.in_full for place in injection.fill(injection.choose(ranked(4), EVENLY, None), 40)] == [False, False]


def test_a_heavy_memory_is_drawn_more_often_than_a_light_one() -> None:
    sure = ranked(1)
    heavy = Candidate("memory:1", 2, {"semantic": 0.5}, Weight(20, 4))
    light = Candidate("memory:2", 3, {"semantic": 0.5}, Weight(1, 4))
    rng = random.Random(3)
    drawn = [ids(injection.choose([*sure, light, heavy], EVENLY, rng, 2))[1] for _ in range(200)]
    assert drawn.count("memory:1") > 170


def test_scores_are_scaled_between_the_worst_and_the_best() -> None:
    assert injection.scale_scores([]) == []
    assert injection.scale_scores([0.03, 0.03]) == [1.0, 1.0]
    assert injection.scale_scores([1.5, 0.5, -0.5]) == [1.0, 0.5, 0.0]


def test_activation_spreads_one_hop_and_in_drift_two() -> None:
    friends: Mapping[int, list[tuple[int, float]]] = {1: [(2, 1.0), (3, 3.0), (4, 1.0), (5, 1.0)], 3: [(6, 1.0)]}

    def partners(memory: int) -> list[tuple[int, float]]:
        return friends.get(memory, [])

    near = injection.spread({1: 1.0}, partners)
    assert near == pytest.approx({2: 0.3 / 2, 3: 0.3 * 3 / 4, 4: 0.3 / 2}), "the top three partners, and no further"
    far = injection.spread({1: 1.0}, partners, hops=2)
    assert far == pytest.approx(near | {6: 0.1 * (3 / 4) / 2})


@given(
    st.dictionaries(st.integers(0, 9), st.floats(-1, 2), max_size=6),
    st.dictionaries(st.integers(0, 9), st.lists(st.tuples(st.integers(0, 9), st.floats(0, 50)), max_size=5)),
    st.integers(1, 2),
)
def test_spreading_never_makes_more_than_a_hop_lets_through(
    activation: dict[int, float], friends: dict[int, list[tuple[int, float]]], hops: int
) -> None:
    reached = injection.spread(activation, lambda memory: friends.get(memory, []), hops)
    assert all(0 <= level < 0.3 for level in reached.values())


def test_a_memory_that_feels_like_this_moment_is_congruent() -> None:
    sad = {"sadness": 0.8, "worry": 0.4}
    assert injection.congruence(sad, {"sadness": 0.4, "worry": 0.2}) == pytest.approx(1.0)
    assert injection.congruence(sad, {"excitement": 1.0}) == 0.0
    assert injection.congruence({}, sad) == injection.congruence(sad, {}) == 0.0


def test_the_moment_feels_like_the_words_and_half_like_the_companion() -> None:
    laws = shipped().emotions
    own = Emotions(**{**laws.natural, "worry": 0.4, "affection": 0.6, "pride": 1.0})
    felt = injection.present_feelings({"worry": 0.9}, own, laws)
    assert (felt["worry"], felt["warmth"]) == (0.9, 0.3)


def test_a_focus_leans_on_what_follows_until_the_subject_changes() -> None:
    assert (focus.compute_share(1.0), focus.compute_share(0.31), focus.compute_share(0.29)) == (0.3, 0.3, 0.05)
    assert focus.overlap({"ferry", "late"}, {"ferry"}) == 1.0
    assert focus.overlap(set(), {"ferry"}) == 0.0
    assert focus.move_focus([1.0, 0.0], [0.0, 1.0], 0.3) == pytest.approx([0.3939, 0.9191], abs=1e-4)
    assert focus.move_focus([1.0], [0.0, 1.0], 0.3) == [0.0, 1.0]
    assert focus.move_focus([-1.0, 0.0], [1.0, 0.0], 0.5) == [1.0, 0.0]
