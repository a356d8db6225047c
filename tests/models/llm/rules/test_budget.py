"""The day's budget: what may still be asked of whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.models.llm.rules.budget import APART, BudgetLimits, is_reply, judge, judge_spending

LIMITS = BudgetLimits(soft_usd=1.0, hard_usd=3.0)


@pytest.mark.parametrize(
    ("purpose", "spent", "where", "allowed"),
    [
        ("turn", 0.99, "free", "as_asked"),
        ("facts", 0.99, "free", "as_asked"),
        ("turn", 1.0, "soft", "as_asked"),
        ("facts", 1.0, "soft", "cheapest"),
        ("turn", 3.0, "hard", "as_asked"),
        ("turn.skills", 300.0, "hard", "as_asked"),
        ("facts", 3.0, "hard", "free_only"),
        ("turnaround", 3.0, "hard", "free_only"),
    ],
)
def test_replies_always_go_on(purpose: str, spent: float, where: str, allowed: str) -> None:
    verdict = judge(purpose, spent, LIMITS)
    assert (verdict.standing, verdict.allowance) == (where, allowed)
    assert bool(verdict.reason) == (where != "free")


@pytest.mark.parametrize("purpose", sorted(APART))
def test_what_has_a_budget_of_its_own_is_not_stopped_half_way(purpose: str) -> None:
    assert judge(purpose, 9.0, BudgetLimits(0.5, 1.0)).allowance == "as_asked"


def test_the_reason_names_limit_and_spending() -> None:
    assert "$3.00" in judge("facts", 3.25, LIMITS).reason
    assert "$3.25" in judge("facts", 3.25, LIMITS).reason


def test_a_limit_of_nothing_is_none() -> None:
    assert judge_spending(1000.0, BudgetLimits()) == "free"
    assert judge_spending(1000.0, BudgetLimits(soft_usd=1.0)) == "soft"


@pytest.mark.slow
@given(st.text(), st.floats(0, 10), st.floats(0, 10))
def test_more_spending_never_allows_more(purpose: str, spent: float, more: float) -> None:
    order = ["as_asked", "cheapest", "free_only"]
    before = order.index(judge(purpose, spent, LIMITS).allowance)
    after = order.index(judge(purpose, spent + more, LIMITS).allowance)
    assert after >= before
    assert not is_reply(purpose) or after == 0
