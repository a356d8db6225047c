"""The laws by which an idle mind wanders, with plain values."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.conversation.wandering.rules import actions, energy, seeds
from furoshiki.conversation.wandering.rules.actions import Situation
from furoshiki.memory.rules import spreading
from furoshiki.memory.rules.spreading import Link
from tests.support.laws import shipped

NOW = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)


def test_seeds_come_in_their_shares() -> None:
    shares, rng = shipped().seed_shares, random.Random(7)
    first = Counter(seeds.order(shares, rng)[0] for _ in range(10_000))
    far = sum(first[kind] for kind in seeds.FAR)
    got = {**{kind: first[kind] for kind in ("decaying", "recent", "salient", "insight", "random")}, "far": far}  # type: ignore[index]
    for kind, share in {"decaying": 30, "recent": 20, "salient": 20, "insight": 15, "far": 10, "random": 5}.items():
        assert got[kind] / 100 == pytest.approx(share, abs=1.5), got
    assert all(first[kind] > 150 for kind in seeds.FAR), first
    assert len(seeds.order(shares, rng)) == len(set(seeds.order(shares, rng))) == 9
    assert seeds.order({"recent": 1.0, "random": 0.0}, rng) == ["recent"]


STRONG, ONCE, FADED = 2.4, 1.0, 0.5
"""Weights of links: strength 0.8, 0.63, and under 0.5."""


def spread_over(graph: dict[int, dict[int, float]], roll: int = 1, without: tuple[int, ...] = ()) -> dict[int, float]:
    def links(one: int) -> list[Link]:
        return [Link(to, spreading.strength(weight)) for to, weight in graph.get(one, {}).items()]

    return {one: round(value, 2) for one, value in spreading.spread(1, links, random.Random(roll), without)}


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({}, {}),
        ({1: {2: ONCE}}, {2: 0.44}),
        ({1: {2: STRONG}, 2: {1: STRONG, 3: STRONG}}, {2: 0.56, 3: 0.31}),  # two hops, and not back to the seed
        ({1: {2: STRONG}, 2: {3: ONCE}}, {2: 0.56}),  # 0.245 is too little
        ({1: {2: STRONG}, 2: {3: 40.0}, 3: {4: 400.0}}, {2: 0.56, 3: 0.39}),  # never three
        ({1: {n: 2.0 + n for n in range(2, 10)}}, {9: 0.66, 8: 0.66, 7: 0.66, 6: 0.65, 5: 0.64}),  # five at most
    ],
)
def test_activation_spreads_and_loses_itself(graph: dict[int, dict[int, float]], found: dict[int, float]) -> None:
    assert spread_over(graph) == found


def test_a_weak_link_is_followed_one_time_in_seven() -> None:
    followed = sum(bool(spread_over({1: {2: FADED}}, roll)) for roll in range(2000))
    assert followed / 2000 == pytest.approx(spreading.WEAK_CHANCE, abs=0.02)


def test_nothing_spreads_over_what_is_blocked() -> None:
    assert spread_over({1: {2: 40.0, 5: 1.0}, 2: {3: 40.0}}, without=(2,)) == {5: 0.44}


def test_gaps_are_ten_minutes_give_or_take_and_at_times_twice_that() -> None:
    gaps = [energy.gap(NOW + timedelta(minutes=one)).total_seconds() for one in range(2000)]
    usual = [one for one in gaps if 420 <= one <= 780]
    longer = sum(one > 780 for one in gaps) / len(gaps)
    assert min(gaps) >= 420 and max(gaps) <= 780 * 2.5 and len(usual) > 1700
    assert longer == pytest.approx(0.1, abs=0.03)
    assert energy.gap(NOW) == energy.gap(NOW)


def test_a_mind_tires_and_recovers() -> None:
    spent = [(NOW - timedelta(minutes=gone), 1.3) for gone in (25, 10)]
    assert energy.is_tired(spent, NOW)
    assert not energy.is_tired(spent, NOW + timedelta(minutes=6))


@pytest.mark.parametrize(
    ("hours_ago", "blocked"),
    [
        ((1, 2, 3), True),
        ((1, 2), False),
        ((1, 2, 30), False),  # not within a day
        ((20, 25, 40), True),  # the third was twenty hours ago
        ((25, 30, 40), False),  # a day is over
        ((0, 1, 26, 27, 28), False),  # and starts over
    ],
)
def test_a_topic_that_keeps_coming_back_is_blocked_for_a_day(hours_ago: tuple[int, ...], blocked: bool) -> None:
    visits = [(7, NOW - timedelta(hours=gone)) for gone in hours_ago] + [(8, NOW)]
    assert (7 in seeds.find_blocked(visits, NOW)) is blocked
    assert 8 not in seeds.find_blocked(visits, NOW)


def now_is(kind: str = "reflection", **more: object) -> Situation:
    usual = {"about_them": True, "for_them": False, "need": 0.2, "days": 0.1, "waits": False, "open": 2, "known": 1}
    return Situation(**{"kind": kind, "pair": False, **usual, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("situation", "chosen"),
    [
        (now_is(), "REFLECT"),
        (now_is(for_them=True, need=0.6), "COMMUNICATE"),
        (now_is(for_them=True, need=0.6, waits=True), "REFLECT"),
        (now_is(for_them=True, need=0.6, silent=True), "REFLECT"),
        (now_is(for_them=True, need=0.6, about_them=False), "REFLECT"),
        (now_is("question"), "SEED_THREAD"),
        (now_is("question", known=6), "AMBIENT_TOOL"),
        (now_is("question", for_them=True, need=0.6), "COMMUNICATE"),
        (now_is("question", open=9, known=3), "AMBIENT_TOOL"),
        (now_is("hypothesis"), "SEED_THREAD"),
        (now_is("hypothesis", itself=True), "REFLECT"),
        (now_is("hypothesis", pair=True), "RECONCILE"),
        (now_is("reflection", goal=0.9, room=True), "PLAN"),
        (now_is("reflection", goal=0.9), "REFLECT"),
        (now_is("reflection", goal=0.9, room=True, silent=True), "REFLECT"),
    ],
)
def test_what_becomes_of_a_thought(situation: Situation, chosen: str) -> None:
    assert actions.rank(actions.scores(situation))[0] == chosen


def test_ties_go_by_priority_and_nothing_is_always_possible() -> None:
    level = dict.fromkeys(actions.PRIORITY, 0.5)
    assert actions.rank(level) == list(actions.PRIORITY)
    assert actions.rank({**level, "NOTHING": 0.7}) == ["NOTHING"]
