"""Facts nobody touches leave the list of what is known; found again, they are back."""

from __future__ import annotations

from furoshiki.memory.store import accesses, memories
from furoshiki.mind.consolidation import decay
from tests.support.consolidating import Night, ids


def known(night: Night) -> list[int]:
    with night.world.database.read() as db:
        return ids(memories.read_known(db))


def test_an_untouched_fact_goes_cold_and_is_not_known_any_more(night: Night) -> None:
    old, hot = night.keep("They row.", days_ago=14), night.keep("They sing.", days_ago=40, hit_count=3)
    new = night.keep("They swim.", days_ago=13)
    moment = night.keep("We laughed.", "episodic", days_ago=40)
    fixed = night.keep("They are kind.", days_ago=40, immutable=True)
    assert decay.warm_and_cool(night.world, night.cycle) == {"cold": 1, "hot": 0, "plans_over": 0}
    assert night.get(old).cold_since == night.clock.at
    assert [night.get(one).cold_since for one in (hot, new, moment, fixed)] == [None] * 4
    assert known(night) == [hot, new, fixed]


def test_who_somebody_is_stays_known_however_long_nobody_spoke_of_it(night: Night) -> None:
    home = night.keep("They live in Paris.", days_ago=200, category="location")
    cooled = night.keep("They have a sister.", days_ago=200, category="family", cold_since=night.clock.at)
    assert decay.warm_and_cool(night.world, night.cycle)["cold"] == 0
    assert known(night) == [cooled, home]


def test_a_fact_that_is_found_again_is_hot_again(night: Night) -> None:
    row = night.keep("They row.", days_ago=30)
    decay.warm_and_cool(night.world, night.cycle)
    night.clock.pass_(days=1)
    with night.world.database.write() as db:
        accesses.record(db, [row], night.clock.at)
    assert decay.warm_and_cool(night.world, night.cycle) == {"cold": 0, "hot": 1, "plans_over": 0}
    assert known(night) == [row]
    with night.world.database.write() as db:
        assert memories.warm(db, [row]) == 0


def test_recall_can_warm_a_fact_at_once(night: Night) -> None:
    row = night.keep("They row.", days_ago=30)
    decay.warm_and_cool(night.world, night.cycle)
    with night.world.database.write() as db:
        assert memories.warm(db, [row, 99]) == 1
        assert memories.warm(db, []) == 0
    assert known(night) == [row]


def test_it_is_done_once_a_week(night: Night) -> None:
    decay.warm_and_cool(night.world, night.cycle)
    row = night.keep("They row.", days_ago=30)
    night.clock.pass_(days=6)
    assert decay.warm_and_cool(night.world, night.cycle)["cold"] == 0
    night.clock.pass_(days=1)
    assert decay.warm_and_cool(night.world, night.cycle)["cold"] == 1
    assert night.get(row).cold_since is not None
