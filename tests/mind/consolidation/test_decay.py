"""What is not used fades by what is due for the time, however often somebody looks; what is faint sleeps."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.store import accesses, weights
from furoshiki.mind.consolidation import decay
from furoshiki.mind.consolidation.rules import decay as decay_rules
from tests.support.consolidating import Night, days, iso
from tests.support.laws import NOON

MOMENTS = st.integers(0, 400 * 24).map(lambda hours: NOON + timedelta(hours=hours))


@given(MOMENTS, st.lists(MOMENTS, min_size=2, max_size=12))
def test_what_is_due_over_a_span_is_the_sum_over_its_parts(last_used: datetime, passes: list[datetime]) -> None:
    passes.sort()
    parts = [decay_rules.due(last_used, first, second) for first, second in zip(passes, passes[1:], strict=False)]
    assert sum(parts) == pytest.approx(decay_rules.due(last_used, passes[0], passes[-1]))
    assert all(part >= 0 for part in parts)


@given(MOMENTS, MOMENTS)
def test_the_first_pass_owes_the_days_since_the_last_use(last_used: datetime, until: datetime) -> None:
    whole = (until - last_used) / timedelta(days=1)
    found = decay_rules.due(last_used, None, until)
    assert max(whole - 1, 0) * decay_rules.A_DAY <= found + 1e-12
    assert found <= max(whole, 0) * decay_rules.A_DAY + 1e-12


@given(st.floats(0.1, 100), MOMENTS, st.lists(MOMENTS, min_size=2, max_size=8))
def test_drifting_apart_does_not_compound(count: float, met: datetime, passes: list[datetime]) -> None:
    passes.sort()
    left = count
    for first, second in zip(passes, passes[1:], strict=False):
        left = decay_rules.decay_count(left, met, first, second)
    assert left == pytest.approx(decay_rules.decay_count(count, met, passes[0], passes[-1]))
    assert 0 <= left <= count


def test_one_pass_over_ten_days_is_ten_passes_of_a_day(night: Night) -> None:
    old, new = night.keep("They row.", days_ago=30), night.keep("They sing.", days_ago=0.5)
    decay.fade(night.world, night.cycle)
    before = [night.weight(one).beta for one in (old, new)]
    for _ in range(10):
        night.clock.pass_(days=1)
        decay.fade(night.world, night.cycle)
    often = [night.weight(one).beta for one in (old, new)]

    night.do("UPDATE memories SET beta=? WHERE id=?", before[0], old)
    night.do("UPDATE memories SET beta=? WHERE id=?", before[1], new)
    night.do("UPDATE kv SET value=? WHERE key='decay.to'", f'"{iso(night.clock.at - days(10))}"')
    assert decay.fade(night.world, night.cycle) == {"faded": 2}
    assert [night.weight(one).beta for one in (old, new)] == pytest.approx(often)
    assert often[0] - before[0] == pytest.approx(0.1)


def test_twice_at_the_same_moment_changes_nothing_more(night: Night) -> None:
    for number in range(5):
        night.keep(f"They row {number}.", days_ago=3 * number)
    assert decay.fade(night.world, night.cycle)["faded"] == 4
    before = night.everything()
    assert decay.fade(night.world, night.cycle)["faded"] == 0
    assert night.everything() == before


def test_a_clock_that_went_back_takes_nothing_twice(night: Night) -> None:
    row = night.keep("They row.", days_ago=30)
    decay.fade(night.world, night.cycle)
    before = night.weight(row)
    night.clock.pass_(days=-5)
    decay.fade(night.world, night.cycle)
    night.clock.pass_(days=5)
    decay.fade(night.world, night.cycle)
    assert night.weight(row) == before


def test_what_was_used_fades_from_then_on_only(night: Night) -> None:
    used, unused = night.keep("They row.", days_ago=10), night.keep("They sing.", days_ago=10)
    with night.world.database.write() as db:
        accesses.record(db, [used], night.clock.at - days(0.1))
    decay.fade(night.world, night.cycle)
    assert night.weight(used).beta == 4
    assert night.weight(unused).beta > 4.08


def test_boundaries_and_what_is_over_do_not_fade(night: Night) -> None:
    fixed = night.keep("I never lie.", days_ago=50, immutable=True)
    over = night.keep("They live in Lisbon.", days_ago=50, status="superseded")
    decay.fade(night.world, night.cycle)
    assert (night.weight(fixed).alpha, night.weight(fixed).beta) == (50, 1)
    assert night.weight(over).beta == 4


def test_a_pass_is_made_in_parts_and_its_log_says_what_each_lost(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decay, "AT_ONCE", 2)
    rows = [night.keep(f"They row {number}.", days_ago=20) for number in range(5)]
    cycle = night.cycle
    assert decay.fade(night.world, cycle) == {"faded": 5}
    with night.world.database.read() as db:
        changes = [one for after in (0, 2, 4) for one in weights.of_cycle(db, f"{cycle.id}:{after}")]
    assert [len(list(one.ids())) for one in changes] == [2, 2, 1]
    assert all(4 + sum(one.moved(row)[1] for one in changes) == night.weight(row).beta for row in rows)


def test_each_season_without_use_counts_once_and_over_nights(night: Night) -> None:
    row = night.keep("They row.", days_ago=89)
    often = night.keep("They sing.", days_ago=200, access_count=3)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 0}
    night.clock.pass_(days=1)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 1}
    assert night.weight(row).centre == pytest.approx(0.18), "a tenth a night"
    night.clock.pass_(days=1)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 1}
    assert (night.weight(row).beta, night.weight(often).beta) == (pytest.approx(5), 4)
    night.clock.pass_(days=1)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 0}
    night.clock.pass_(days=180)  # nobody looked for two seasons: both are owed, and no more
    for _ in range(6):
        decay.forget(night.world, night.cycle)
        night.clock.pass_(days=1)
    assert night.weight(row).beta == pytest.approx(7)
    with night.world.database.write() as db:
        accesses.record(db, [row], night.clock.at)
    night.clock.pass_(days=89)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 0}
    night.clock.pass_(days=1)
    assert decay.forget(night.world, night.cycle) == {"forgotten": 1}


def test_what_is_faint_and_not_needed_sleeps_and_a_strong_cue_wakes_it(night: Night) -> None:
    faint = night.keep("We watched the boats.", "episodic", days_ago=100, beta=20.0)
    needed = night.keep("We watched the gulls.", "episodic", days_ago=100, beta=20.0)
    heavy = night.keep("We watched the rain.", "episodic", days_ago=100)
    fact = night.keep("They row.", days_ago=100, beta=20.0, subject="user", predicate="does", object="row")
    with night.world.database.write() as db:
        accesses.record(db, [needed], night.clock.at - days(5))
    assert decay.sleep(night.world, night.cycle) == {"dormant": 1, "awake": 0}
    assert [night.get(one).status for one in (faint, needed, heavy, fact)] == ["dormant", *["active"] * 3]
    assert decay.sleep(night.world, night.cycle) == {"dormant": 0, "awake": 0}
    night.clock.pass_(hours=1)
    with night.world.database.write() as db:
        accesses.record(db, [faint], night.clock.at)
    assert decay.sleep(night.world, night.cycle) == {"dormant": 0, "awake": 1}
    assert night.get(faint).status == "active"
