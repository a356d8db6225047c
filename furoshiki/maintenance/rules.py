"""Retention of backups: the newest of each of the last days, weeks and months."""

from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime, timedelta

DAILY = 7
WEEKLY = 4
MONTHLY = 6

# days for keeping replaced and removed plugins' data: as long as the oldest backup
PLUGIN_DATA_DAYS = 31 * (MONTHLY + 1)


def to_keep(made: Iterable[datetime]) -> set[datetime]:
    """Choose the backups to keep by creation time.
    Only days, weeks and months with backups count, so that a machine that was off for a month keeps
    its old ones."""
    newest_first = sorted(made, reverse=True)
    kept: set[datetime] = set()
    rules: tuple[tuple[int, Callable[[datetime], Hashable]], ...] = (
        (DAILY, lambda moment: moment.date()),
        (WEEKLY, lambda moment: moment.isocalendar()[:2]),
        (MONTHLY, lambda moment: (moment.year, moment.month)),
    )
    for most, period in rules:
        seen: set[Hashable] = set()
        for moment in newest_first:
            name = period(moment.astimezone(UTC))
            if name not in seen and len(seen) < most:
                seen.add(name)
                kept.add(moment)
    return kept


LONGEST_DAYS = 800  # days after which no rule keeps a backup


def compute_expiry(made: Iterable[datetime], now: datetime) -> datetime:
    """Return when the last of these backups is deleted, given one new backup a day."""
    old = set(made)
    kept = to_keep(old)
    for days in range(1, LONGEST_DAYS):
        today = now + timedelta(days=days)
        kept = to_keep({*kept, today})
        if not kept & old:
            return today
    return now + timedelta(days=LONGEST_DAYS)
