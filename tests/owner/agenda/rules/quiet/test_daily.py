"""Quiet hours said in words: a table over nine languages, with lines that only look like it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.language.dates.habits import Habits
from furoshiki.owner.agenda.rules.quiet.asked import Hours
from furoshiki.owner.agenda.rules.quiet.daily import read_daily
from furoshiki.owner.agenda.rules.quiet.reading import lacks_hours, read_quiet

TABLE = Path(__file__).with_name("daily.tsv")
LINES = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def written(hours: Hours) -> str:
    return "-".join(f"{one:%H:%M}" if one else "" for one in (hours.since, hours.until))


@pytest.mark.parametrize(("hours", "said"), LINES)
def test_hours_of_every_day_are_read_as_they_are_meant(hours: str, said: str) -> None:
    wish = read_daily(said, Habits())
    found = "-"
    if wish is not None:
        days = "".join(map(str, wish.days))
        found = ",".join(map(written, wish.ways)) + (f" {days}" if days else "")
    assert found == hours


NO_CLOCK_TELLS = """
dont message me when im driving | don't write to me at work | don't text me while i'm at school
when i'm in class don't text me | schreib mir nich wenn ich in der schule bin
bitte schreib mir nicht während ich arbeite | schreib mir nicht in der schule
cuando estoy en clase no me escribas | no me escribas cuando conduzco | ne m'écris pas quand je suis en cours
quando sono a scuola non scrivermi | non scrivermi mentre guido | não me escreve quando eu tô na aula
не пиши мне, когда я за рулём | araba kullanırken bana yazma | dersteyken bana yazma | bana ders sırasında yazma
iş yerinde mesaj atma lütfen | don't text me during my nap | 我开车的时候别给我发消息
上课时不要打扰我 | m'écris pas pendant les cours
"""
OTHER_CONDITIONS = """
don't text me when you're drunk | he said dont text me when im at work | why don't you write me when i'm sad
write me when i'm sad | leave me alone when i'm crying | don't write me unless i write first
schreib mir wenn ich frei hab | escríbeme cuando quieras | no me escribas | écris-moi quand tu veux
пиши мне когда захочешь | erken yazma bana | 你上课的时候我在睡觉
"""


def each(lines: str) -> list[str]:
    return [said.strip() for line in lines.strip().splitlines() for said in line.split(" | ")]


@pytest.mark.parametrize("said", each(NO_CLOCK_TELLS))
def test_quiet_at_a_time_that_no_clock_tells_is_heard_and_begins_nothing(said: str) -> None:
    assert lacks_hours(said)
    assert read_quiet(said, datetime(2026, 3, 24, 15, tzinfo=UTC), Habits()) is None


@pytest.mark.parametrize("said", each(OTHER_CONDITIONS))
def test_another_condition_is_no_such_wish(said: str) -> None:
    assert not lacks_hours(said)
