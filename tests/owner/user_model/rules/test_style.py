"""How somebody likes to be spoken to: what is measured, how it adds up, what the mind is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.app.wiring import lexicon
from furoshiki.language import signals
from furoshiki.owner.user_model.rules import style_choosing, style_measuring
from furoshiki.owner.user_model.rules.style_choosing import Recent, choose, cognitive_load, departure
from furoshiki.owner.user_model.rules.style_traits import (
    BESIDES,
    NAMES,
    TOLERANCE,
    Trait,
    grown,
    learn,
    observe,
    side,
)

LEXICON = lexicon()
NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


def measured(
    text: str, gap: float | None = None, parts: int = 1, strengths: Mapping[str, float] | None = None
) -> dict[str, float]:
    message = style_measuring.read(text, LEXICON)
    assert message is not None
    return style_measuring.measure(message, LEXICON, strengths or {}, gap, parts)


def known(**values: float) -> dict[str, Trait]:
    return {name: Trait(name, value, value, 20, NOW) for name, value in values.items()}


def after(values: list[float], every: timedelta = timedelta(minutes=1), trait: Trait | None = None) -> Trait:
    trait = trait or Trait("verbosity")
    now = trait.updated_at or NOW
    for value in values:
        now += every
        trait = observe(trait, value, now)
    return trait


# -- measuring --


@given(st.text(max_size=300), st.one_of(st.none(), st.floats(-1e9, 1e9)), st.integers(1, 9))
def test_whatever_is_said_lies_between_one_and_ten(text: str, gap: float | None, parts: int) -> None:
    message = style_measuring.read(text, LEXICON)
    if message is None:
        return
    strengths = signals.read(text, LEXICON).strengths
    found = style_measuring.measure(message, LEXICON, strengths, gap, parts)
    assert all(1.0 <= value <= 10.0 for value in found.values())
    assert found == style_measuring.measure(message, LEXICON, strengths, gap, parts)


@pytest.mark.parametrize(("words", "value"), [(1, 1), (3, 1), (4, 2), (10, 3), (25, 5), (26, 6), (140, 9), (141, 10)])
def test_length_makes_verbosity(words: int, value: float) -> None:
    assert measured(" ".join(["word"] * words))["verbosity"] == value


@pytest.mark.parametrize(
    ("straight", "round_about"),
    [
        ("Show me the query.", "Could you maybe show me the query, if you don't mind?"),
        ("Default value?", "I was wondering, is there perhaps a default value?"),
        ("Compare the two.", "please compare the two"),
        ("the red one", "I think maybe the red one, sorry"),
    ],
)
def test_hedges_and_apologies_are_less_direct_than_orders(straight: str, round_about: str) -> None:
    assert measured(straight)["directness"] > measured(round_about)["directness"]


@pytest.mark.parametrize(
    ("formal", "loose"),
    [
        ("Good evening. Would you kindly send me the list?", "hey, can you send me the list"),
        ("It is not what I expected of them.", "it's not what i expected lol"),
        ("I will be there at nine o'clock tomorrow.", "gonna be there at nine 😄"),
    ],
)
def test_contractions_emoji_and_slang_are_less_formal(formal: str, loose: str) -> None:
    assert measured(formal)["formality"] >= 6.5
    assert measured(loose)["formality"] <= 4.0


def test_gladness_and_trouble_make_valence_and_most_talk_is_even() -> None:
    def valence(text: str, **strengths: float) -> float:
        return measured(text, strengths=strengths)["emotional_valence"]

    assert valence("the train leaves at nine") == 5.5
    assert valence("so happy today", excitement=0.6) == pytest.approx(8.2)
    assert valence("so happy today!! 😄", excitement=0.6) == pytest.approx(9.2)
    assert valence("hahaha, that train") == 6.5
    assert valence("worried and sad", worry=0.6, sadness=0.8) == pytest.approx(1.9)
    assert valence("worried!! 😄", worry=0.6) == pytest.approx(2.8)
    assert valence("whatever", disengagement=0.6) == pytest.approx(4.15)
    assert valence("glad that fear is over", relief=0.6, worry=0.6) == 5.5


def test_pacing_is_the_time_between_messages_and_their_length() -> None:
    paces = [measured("and then we went to the sea together", gap)["pacing"] for gap in (5, 20, 45, 90, 200, 400, 900)]
    assert paces == sorted(paces, reverse=True) == [9.0, 8.0, 7.0, 6.0, 4.5, 3.0, 2.0]
    assert measured("to the sea", 20)["pacing"] == 8.5
    assert measured("and then we went to the sea together", 20, parts=3)["pacing"] == 8.5
    assert measured("and then we went to the sea " * 8, 20)["pacing"] == 7.0
    assert "pacing" not in measured("hello again", 1200) and "pacing" not in measured("hello")


def test_what_is_not_theirs_is_not_measured() -> None:
    assert style_measuring.read("```\nsorry sorry sorry maybe\n```", LEXICON) is None
    assert style_measuring.read("https://example.org/maybe", LEXICON) is None
    assert measured("fix this\n```\n" + "x = 1\n" * 200 + "```")["verbosity"] == 1
    assert measured("> maybe, sorry, i think\nFix it.") == measured("Fix it.")


# -- adding up --


def test_half_of_each_of_the_first_five_then_three_tenths() -> None:
    assert [after([10.0] * n).value for n in range(1, 4)] == [7.75, 8.875, 9.4375]
    five = after([10.0] * 5)
    assert five.value == pytest.approx(10 - 4.5 * 0.5**5)
    assert observe(five, 1.0, NOW).value == pytest.approx(five.value + 0.3 * (1.0 - five.value))
    assert observe(after([10.0] * 4), 1.0, NOW).value == pytest.approx((10 - 4.5 * 0.5**4 + 1.0) / 2)


@given(st.lists(st.floats(-1e6, 1e6), max_size=60))
def test_values_stay_between_one_and_ten_and_repeat_themselves(seen: list[float]) -> None:
    trait = after(seen)
    assert 1.0 <= trait.value <= 10.0 and 1.0 <= trait.baseline <= 10.0
    assert trait == after(seen)


def test_nothing_is_said_after_one_observation_or_in_the_middle() -> None:
    assert side(None) is None and side(after([1.0])) is None
    assert side(after([1.0, 1.0])) == "low" and side(after([10.0, 10.0])) == "high"
    assert side(after([5.0, 6.0])) == "middle"
    assert [side(Trait("verbosity", value, value, 2)) for value in (4.0, 4.01, 6.99, 7.0)] == [
        "low",
        "middle",
        "middle",
        "high",
    ]


def test_one_loud_day_is_no_shift_and_a_week_of_it_is() -> None:
    usual = after([3.0] * 40, timedelta(hours=3))
    once = after([10.0], timedelta(hours=1), usual)
    assert once.updated_at and grown([once], once.updated_at + timedelta(hours=5)) is None
    short = after([8.0] * 6, timedelta(minutes=10), usual)
    assert short.updated_at and grown([short], short.updated_at) is None
    lasting = after([8.0] * 10, timedelta(minutes=20), usual)
    assert lasting.updated_at is not None
    assert grown([lasting], lasting.updated_at) == (lasting, "up")


def test_a_shift_is_told_once_and_nothing_else_for_a_day() -> None:
    usual = after([8.0] * 40, timedelta(hours=3))
    lasting = after([2.0] * 10, timedelta(minutes=20), usual)
    now = lasting.updated_at
    assert now is not None and grown([lasting], now) == (lasting, "down")
    told = replace(lasting, told_at=now)
    assert grown([told], now + timedelta(hours=30)) is None
    other = replace(lasting, name="pacing")
    assert grown([told, other], now + timedelta(hours=23)) is None
    assert grown([told, other], now + timedelta(hours=25)) == (other, "down")


def test_a_shift_back_to_where_they_were_is_forgotten() -> None:
    usual = after([3.0] * 40, timedelta(hours=3))
    back = after([8.0] * 4 + [3.0] * 6, timedelta(minutes=20), usual)
    assert back.shifted_since is None and back.shifted_cycles == 0


# -- choosing --


@pytest.mark.parametrize(
    ("turns", "concise", "load"),
    [
        ([(30, 0), (20, 0), (12, 0)], False, None),  # shrinking: 2
        ([(30, 0), (9, 0), (5, 0)], True, "high"),  # shrinking 2, concise 1, two short 1
        ([(30, 0), (9, 2), (5, 1)], False, "high"),  # shrinking 2, questions 2, two short 1
        ([(30, 0), (9, 2), (5, 1)], True, "overload"),
        ([(4, 1), (12, 0), (5, 1)], True, "high"),  # questions 2, concise 1, two short 1
        ([(20, 1), (20, 1), (20, 1)], True, None),  # one question for 20 words is not more than one
        ([(4, 1), (3, 1)], True, None),  # too early to tell
    ],
)
def test_how_full_their_head_is(turns: list[tuple[int, int]], concise: bool, load: str | None) -> None:
    assert cognitive_load([Recent(*turn) for turn in turns], concise) == load


def test_at_most_four_things_are_told_the_load_first() -> None:
    traits = known(
        pacing=9, challenge_appetite=9, verbosity=2, directness=8, formality=1, emotional_valence=9, abstraction_level=9
    )
    told = choose(traits, (), NOW, load="high", energy="up").slots
    assert told == ("load-high", "pacing-high", "challenge-high", "formality-low")
    told = choose({**traits, "pacing": Trait("pacing")}, (), NOW).slots
    assert told == ("challenge-high", "formality-low", "verbosity-low", "emotional-high")
    assert choose(known(verbosity=5), (), NOW, energy="down").slots == ("energy-down",)


def test_who_asks_is_believed_before_who_is_measured() -> None:
    traits = known(verbosity=9, directness=2)
    block = choose(traits, ("brief", "no_emoji", "german"), NOW)
    assert block.slots == ("directness-low",)
    assert block.wishes == ("brief", "no_emoji")
    assert choose(traits, ("blunt",), NOW).slots == ("verbosity-high",)


@given(
    st.dictionaries(st.sampled_from([*NAMES, *BESIDES]), st.tuples(st.floats(1, 10), st.integers(0, 40)), max_size=11),
    st.sampled_from([None, "high", "overload"]),
    st.sampled_from([None, "up", "down", "heated"]),
)
def test_the_block_is_small_whatever_is_known(
    seen: Mapping[str, tuple[float, int]], load: style_choosing.Load | None, energy: style_choosing.Energy | None
) -> None:
    traits = {name: Trait(name, value, value, count, NOW) for name, (value, count) in seen.items()}
    block = choose(traits, ("brief", "emoji", "german"), NOW, load=load, energy=energy)
    assert len(block.slots) <= 4 and len(block.wishes) <= 2
    assert len({name.rpartition("-")[0] for name in block.slots}) == len(block.slots)
    if load:
        assert block.slots[0] == f"load-{load}" and block.fork is None


def test_a_fork_comes_every_fifth_exchange_and_goes_round() -> None:
    traits = known(directness=5.6, formality=5.2, abstraction_level=9)
    traits["verbosity"] = Trait("verbosity", 2.0, 2.0, 20, NOW)
    assert choose(traits, (), NOW).fork == "directness"
    traits["directness"] = Trait("directness", 5.6, 5.6, 20, NOW, forked_at=20)
    assert choose(traits, (), NOW).fork is None
    traits["verbosity"] = Trait("verbosity", 2.0, 2.0, 24, NOW)
    assert choose(traits, (), NOW).fork is None
    traits["verbosity"] = Trait("verbosity", 2.0, 2.0, 25, NOW)
    assert choose(traits, (), NOW).fork == "formality"
    assert choose(traits, ("casual",), NOW).fork == "directness"


def test_energy_is_mirrored_only_where_it_departs_from_their_own() -> None:
    usual = Trait("energy", 5.0, 5.0, 20, NOW)
    assert departure(usual, 8.0, 9.0) == "up"
    assert departure(usual, 8.0, 2.0) == "heated"
    assert departure(usual, 2.5, 4.0) == "down"
    assert departure(usual, 6.0, 9.0) is None
    assert departure(Trait("energy", 5.0, 5.0, 3, NOW), 9.0, 9.0) is None and departure(None, 9.0, 9.0) is None


# -- challenge --


def test_appetite_is_the_ceiling_of_what_is_tolerated() -> None:
    assert style_choosing.tier({}) is None
    assert style_choosing.tier(known(challenge_appetite=9)) == "high"
    assert style_choosing.tier(known(challenge_appetite=9, tolerance=2)) == "low"
    assert style_choosing.tier(known(challenge_appetite=3, tolerance=9)) == "low"
    assert style_choosing.tier(known(challenge_appetite=9, tolerance=5)) == "middle"
    assert style_choosing.tier(known(tolerance=9)) == "middle"


@pytest.mark.parametrize(
    ("answer", "strengths", "well"),
    [
        ("fair point, I hadn't thought of that", {}, True),
        ("haha you got me", {}, True),
        ("and why would that be", {"curiosity": 0.6}, True),
        ("that's not what I asked", {}, False),
        ("do not tell me what to do", {"anger": 0.6}, False),
        ("fair point, but leave it", {"sadness": 0.6}, False),
        ("we leave at nine", {}, None),
    ],
)
def test_tolerance_moves_with_how_pushback_is_taken(
    answer: str, strengths: dict[str, float], well: bool | None
) -> None:
    assert style_choosing.has_pushback("I see it differently: the small one is enough.", LEXICON)
    assert not style_choosing.has_pushback("The small one is enough.", LEXICON)
    taken = style_choosing.judge_reaction(answer, strengths, LEXICON)
    if taken is None:
        assert well is None
        return
    before = Trait(TOLERANCE)
    moved = learn({TOLERANCE: before}, {TOLERANCE: taken}, NOW)[TOLERANCE]
    assert (moved.value > before.value) is well
