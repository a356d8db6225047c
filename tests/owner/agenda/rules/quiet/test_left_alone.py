"""Who wants to be left alone in Chinese gets quiet until the next morning; who wants no messages, an open one."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from furoshiki.language.dates.habits import Habits
from furoshiki.owner.agenda.rules.quiet.reading import read_quiet

NOW = datetime(2026, 11, 26, 21, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("别理我", 1),
        ("别理我了", 1),
        ("别烦我", 1),
        ("别吵我", 1),
        ("别给我发消息", 7),
        ("别联系我", 7),
        ("他别理我就好", None),
        ("你怎么不理我", None),
        ("别理我妈", None),
    ],
)
def test_the_quiet_is_as_long_as_what_is_wanted(said: str, days: int | None) -> None:
    wish = read_quiet(said, NOW, Habits(("zh",)))
    assert (wish and wish.until and (wish.until.date() - NOW.date()).days) == days
