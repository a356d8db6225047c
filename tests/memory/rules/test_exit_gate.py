"""The exit gate: the matrix of the design, a little chance in every cell, and bounds on both."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules.exit_gate import (
    FLOOR_OPEN,
    FLOOR_TIGHT,
    MATRIX,
    Evidence,
    Novelty,
    Relevance,
    compute_spreading,
    explain_emptiness,
    floor,
    is_redundant,
    judge,
    novelty,
    relevance,
)

MINUTES_AGO = (300.0,)


def evidence(**more: Any) -> Evidence:
    values: dict[str, Any] = {
        "spreading": 0.7,
        "nearest": 0.2,
        "opposed": False,
        "charge": 0.0,
        "ages_s": MINUTES_AGO,
    }
    return Evidence(**(values | more))


def usual(found: Evidence, maturity: float = 1.0) -> set[str]:
    """What happens without the noise floor having a say."""
    verdicts = (judge(found, maturity, random.Random(seed)) for seed in range(60))
    return {verdict.action for verdict in verdicts if verdict.reason == "the matrix"}


def test_the_matrix_is_total() -> None:
    assert set(MATRIX) == {(row, column) for row in get_args(Relevance) for column in get_args(Novelty)}


@pytest.mark.parametrize(
    ("spreading", "nearest", "opposed", "action"),
    [
        (0.7, 0.9, False, "reinforce"),
        (0.7, 0.2, False, "persist"),
        (0.7, None, False, "persist"),
        (0.7, 0.8, True, "persist"),
        (0.4, 0.9, False, "skip"),
        (0.4, 0.2, False, "wait"),
        (0.4, 0.9, True, "persist"),
        (0.1, 0.9, False, "drop"),
        (0.1, 0.2, False, "drop"),
        (0.1, 0.9, True, "drop"),
    ],
)
def test_each_cell_does_what_the_design_says(
    spreading: float, nearest: float | None, opposed: bool, action: str
) -> None:
    assert usual(evidence(spreading=spreading, nearest=nearest, opposed=opposed)) == {action}


def test_only_a_contradiction_of_the_core_is_flagged_and_weighs_most() -> None:
    found = judge(evidence(nearest=0.8, opposed=True), 1.0, random.Random(1))
    assert (found.flagged, found.importance) == (True, max(cell.importance for cell in MATRIX.values()))
    assert not judge(evidence(spreading=0.4, nearest=0.8, opposed=True), 1.0, random.Random(1)).flagged


@pytest.mark.parametrize(
    ("nearest", "opposed", "column"),
    [
        (0.86, False, "confirming"),
        (0.85, False, "novel"),
        (0.7, False, "novel"),
        (0.59, False, "novel"),
        (0.71, True, "contradicting"),
        (0.95, True, "contradicting"),
        (0.7, True, "novel"),
        (0.5, True, "novel"),
        (None, False, "novel"),
    ],
)
def test_the_gaps_between_the_columns_are_novel(nearest: float | None, opposed: bool, column: str) -> None:
    assert novelty(nearest, opposed) == column


@pytest.mark.parametrize(
    ("spreading", "row"), [(0.61, "core"), (0.6, "peripheral"), (0.3, "peripheral"), (0.29, "irrelevant")]
)
def test_the_rows(spreading: float, row: str) -> None:
    assert relevance(spreading) == row


def test_a_charged_moment_is_more_relevant() -> None:
    assert usual(evidence(spreading=0.5, charge=0.31)) == {"persist"}
    assert usual(evidence(spreading=0.5, charge=0.3)) == {"wait"}


def test_what_matters_is_core_whatever_the_talk_is_about_and_chatter_is_not_although_it_is() -> None:
    assert relevance(compute_spreading(0.2, 0.55, 0.3)) == "core"
    assert relevance(compute_spreading(0.65, 0.2, 0.1)) == "core", "the talk is about it"
    assert relevance(compute_spreading(0.65, 0.2, 0.85)) == "peripheral", "the talk is about the weather"
    assert relevance(compute_spreading(0.36, 0.45, 0.72)) == "irrelevant"


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1))
def test_what_is_nearer_lends_more_and_chatter_less(near: float, matters: float, everyday: float, more: float) -> None:
    found = compute_spreading(near, matters, everyday)
    assert -1 <= found <= 1
    assert compute_spreading(min(1.0, near + more), matters, everyday) >= found
    assert compute_spreading(near, min(1.0, matters + more), everyday) >= found
    assert compute_spreading(near, matters, min(1.0, everyday + more)) <= found


def test_what_is_irrelevant_does_not_pass_for_having_been_said_just_now() -> None:
    now = [judge(evidence(spreading=0.1, ages_s=(1.0,)), 1.0, random.Random(seed)) for seed in range(200)]
    assert {verdict.reason for verdict in now if verdict.action == "persist"} <= {"the noise floor"}
    again = [judge(evidence(spreading=0.1, ages_s=(1.0, 60.0)), 1.0, random.Random(seed)) for seed in range(200)]
    assert "it is active enough" in {verdict.reason for verdict in again}


@pytest.mark.parametrize("maturity", [0.0, 0.5, 1.0])
def test_a_little_passes_from_every_cell(maturity: float) -> None:
    rng = random.Random(5)
    for level in (0.1, 0.4):
        for nearest, passed in ((0.9, "reinforce"), (0.2, "persist")):
            found = [judge(evidence(spreading=level, nearest=nearest), maturity, rng) for _ in range(3000)]
            share = sum(verdict.action == passed for verdict in found) / len(found)
            assert share == pytest.approx(floor(maturity), abs=0.03)
            assert share > 0


def test_maturity_tightens_the_gate() -> None:
    assert floor(0.0) == FLOOR_OPEN > floor(0.5) > floor(1.0) == pytest.approx(FLOOR_TIGHT)


def test_what_waited_to_its_end_is_kept_while_the_gate_is_young() -> None:
    waited = evidence(spreading=0.4, last=True)
    young = [judge(waited, 0.0, random.Random(seed)).action for seed in range(200)]
    old = [judge(waited, 1.0, random.Random(seed)).action for seed in range(200)]
    assert set(young) == {"persist"}
    assert old.count("drop") > 180


def test_what_keeps_coming_up_passes_by_its_activation() -> None:
    often = evidence(spreading=0.4, ages_s=(1.0,) * 5)
    reasons = {judge(often, 1.0, random.Random(seed)).reason for seed in range(50)}
    assert "it is active enough" in reasons


@given(
    st.floats(-1, 1),
    st.none() | st.floats(-1, 1),
    st.booleans(),
    st.floats(0, 1),
    st.lists(st.floats(0, 1e6), min_size=1, max_size=5),
    st.booleans(),
    st.floats(0, 1),
    st.integers(0, 50),
)
def test_every_item_gets_one_verdict_and_the_same_with_the_same_dice(
    spreading: float,
    nearest: float | None,
    opposed: bool,
    charge: float,
    ages: list[float],
    last: bool,
    maturity: float,
    seed: int,
) -> None:
    found = evidence(spreading=spreading, nearest=nearest, opposed=opposed, charge=charge, ages_s=ages, last=last)
    verdict = judge(found, maturity, random.Random(seed))
    assert verdict == judge(found, maturity, random.Random(seed))
    assert 0.0 <= verdict.importance <= 1.0
    assert 0.0 <= floor(maturity) <= 1.0
    assert not (last and verdict.action == "wait")
    assert not (verdict.flagged and verdict.novelty != "contradicting")


@pytest.mark.parametrize(
    "text",
    ["ok", "hm", "yes you said so", "thanks", "yes, you told me that already", "haha true", "good morning!"],
)
def test_a_nod_is_never_a_memory(text: str) -> None:
    assert explain_emptiness(text, 1.0) is not None


def test_an_echo_of_the_companion_is_no_evidence() -> None:
    assert explain_emptiness("yes, I love old jazz", 0.0, "You love old jazz, I remember.") is not None
    assert explain_emptiness("yes, and I love old trams", 0.0, "You love old jazz, I remember.") is None


def test_questions_and_quotations_alone_are_no_memories() -> None:
    assert explain_emptiness("what is the weather like in Lisbon tomorrow?", 0.0) is not None
    assert explain_emptiness("Danke. Was habe ich Ihnen über Rügen gesagt?", 0.0) is not None
    assert explain_emptiness("祖母の手術いつだっけ？", 0.0) is not None
    assert explain_emptiness("你知道附近哪里有药店？", 0.0) is not None
    assert explain_emptiness("我妈妈叫淑芬，你知道吗？", 0.0) is None
    assert explain_emptiness("Dad rang. Why now?", 0.0) is None
    assert explain_emptiness("> I moved to Rome last year\n> and I hate it there", 0.9) is not None
    assert explain_emptiness("why does my sister hate me so much?", 0.8) is None
    assert explain_emptiness("my sister is visiting on Friday", 0.0) is None
    assert explain_emptiness("I'm pregnant", 0.0) is not None
    assert explain_emptiness("I'm pregnant", 0.0, matters=True) is None
    assert explain_emptiness("are you pregnant?", 0.0, matters=True) is not None


@pytest.mark.parametrize("text", ["ma coloc ma envoyé ca:", '""って言われた。', '友達の美咲が""って言うんだよね'])
def test_what_only_leads_in_the_words_of_others_is_no_memory(text: str) -> None:
    """Nothing is left of it once these are cut out."""
    assert explain_emptiness(text, 0.8) is not None


@pytest.mark.parametrize(
    "text",
    [
        'my boss said "" to me in front of everyone at work',
        "my sister is ill. she writes:",
        "two things: the boiler is broken and the landlord is away",
    ],
)
def test_what_says_something_of_its_own_beside_them_is_one(text: str) -> None:
    assert explain_emptiness(text, 0.8) is None


def test_what_is_denied_is_no_echo() -> None:
    assert explain_emptiness("no, I don't love old jazz at all", 0.0, "You love old jazz, I remember.") is None
    assert is_redundant("mhm, old jazz", "I love old jazz")
    assert not is_redundant("I never loved old jazz", "I love old jazz")
