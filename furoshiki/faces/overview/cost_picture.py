"""A chart of each day's cost, with the daily hard limit if there is one."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from furoshiki.core.catalogue import say, say_number
from furoshiki.core.pictures.charts import Chart, line_chart
from furoshiki.core.pictures.values import Level, Series
from furoshiki.core.timestamps import day_start
from furoshiki.language.humanize import dollars


def of_days(found: Mapping[str, Any], now: datetime, *, width: float = 720.0) -> Chart:
    """Draw what `commands.cost.gather` returned by day; days are UTC days, as in the ledger."""
    today = day_start(now)
    spent = {row["day"]: row["usd"] for row in found["rows"]}
    days = [today - timedelta(days=back) for back in range(found["days"] - 1, -1, -1)]
    most, limit = max(spent.values(), default=0.0), found["limits"]["hard_usd"]
    return line_chart(
        [Series(say("spent"), [(day, spent.get(day.date().isoformat(), 0.0)) for day in days], drawn="bars")],
        start=days[0],
        end=today + timedelta(days=1),
        zone=UTC,
        title=say_number(
            "What the models cost: {dollars} in {number} day",
            "What the models cost: {dollars} in {number} days",
            found["days"],
            dollars=dollars(found["total_usd"]),
        ),
        low=0.0,
        form=dollars,
        levels=[Level(limit, say("limit of a day {dollars}", dollars=dollars(limit)), "rose")]
        if limit and limit <= 2 * most
        else [],
        width=width,
    )
