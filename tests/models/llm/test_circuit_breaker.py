"""The circuit breaker: when a failing provider is left alone, and when it is tried again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from furoshiki.models.llm.attempt import (
    FIRST_REST_S,
    LONGEST_REST_S,
    OPENS_AFTER,
    Breaker,
    allows,
    begin_call,
    record_failure,
    record_success,
    release,
)


def broken(at: float = 0.0) -> Breaker:
    breaker = Breaker()
    for _ in range(OPENS_AFTER):
        breaker = record_failure(begin_call(breaker, at), at)
    return breaker


def test_it_opens_after_enough_failures_in_a_row() -> None:
    breaker = Breaker()
    for _ in range(OPENS_AFTER - 1):
        breaker = record_failure(breaker, 0.0)
    assert allows(breaker, 0.0)
    assert not allows(record_failure(breaker, 0.0), 0.0)
    assert record_success(breaker) == Breaker()


def test_after_a_rest_one_call_probes() -> None:
    breaker = broken()
    assert not allows(breaker, FIRST_REST_S - 0.1)
    assert begin_call(breaker, 1.0) == breaker
    assert allows(breaker, FIRST_REST_S)
    probing = begin_call(breaker, FIRST_REST_S)
    assert not allows(probing, FIRST_REST_S)
    assert allows(record_success(probing), FIRST_REST_S)


def test_a_failed_probe_doubles_the_rest_up_to_ten_minutes() -> None:
    breaker, at, rests = broken(), 0.0, []
    for _ in range(8):
        assert breaker.resting_until is not None
        at = breaker.resting_until
        breaker = record_failure(begin_call(breaker, at), at)
        assert breaker.resting_until is not None
        rests.append(breaker.resting_until - at)
    assert rests[:3] == [40.0, 80.0, 160.0]
    assert rests[-1] == LONGEST_REST_S


def test_a_provider_that_names_a_time_is_left_until_then() -> None:
    breaker = record_failure(Breaker(), 100.0, rest_s=30.0)
    assert not allows(breaker, 129.0)
    assert allows(breaker, 130.0)
    assert allows(record_failure(Breaker(), 0.0, rest_s=86_400.0), LONGEST_REST_S)


def test_a_cancelled_probe_lets_the_next_one_in() -> None:
    probing = begin_call(broken(), FIRST_REST_S)
    assert allows(release(probing), FIRST_REST_S)


@given(st.lists(st.tuples(st.sampled_from(["fail", "win", "wait", "cancel"]), st.floats(0, 100))))
def test_it_never_stays_shut_for_good(events: list[tuple[str, float]]) -> None:
    breaker, at = Breaker(), 0.0
    for event, gap in events:
        at += gap
        if event == "wait" or not allows(breaker, at):
            continue
        breaker = begin_call(breaker, at)
        outcome = {"fail": lambda b: record_failure(b, at), "win": record_success, "cancel": release}[event]  # noqa: B023
        breaker = outcome(breaker)
    assert allows(breaker, at + LONGEST_REST_S)
