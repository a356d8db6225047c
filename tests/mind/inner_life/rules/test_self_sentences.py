"""Natural sentences about oneself, true and invented: kept by a reader's word, and never by wording alone."""

from __future__ import annotations

from bench import self_claims


def test_a_reader_lets_what_is_true_be_said_in_its_own_words() -> None:
    cases = self_claims.read(self_claims.OWN_SET)
    answers = self_claims.made_up(cases, 0.0)
    shares = self_claims.report(cases, {one.id: self_claims.objection(one, answers[one.id]) for one in cases})
    assert len(cases) >= 60
    assert all(one["true kept"] >= 85 and one["false kept"] <= 10 for one in shares.values())


def test_without_a_reader_nothing_invented_is_kept() -> None:
    cases = self_claims.read(self_claims.OWN_SET)
    shares = self_claims.report(cases, {one.id: self_claims.objection(one, None) for one in cases})
    assert shares["all"]["false kept"] == 0
