"""`/cost`: model costs by day, purpose or model, with limits and a forecast for the month."""

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from statistics import fmean
from typing import Any, Literal, get_args

from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import later, say, say_number, words
from furoshiki.core.timestamps import day_start
from furoshiki.language.humanize import dollars
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.llm.store import costs
from furoshiki.world import World

By = Literal["day", "purpose", "model"]
GROUPS: tuple[By, ...] = get_args(By)

SPANS = {"today": 1, "week": 7, "month": 30}  # the number of days of each period, including today

RECENT_DAYS = 30
MOST_LINES = 10

HOW = later("Try it like this: /cost, /cost week, /cost purpose, /cost month day. Words: {words}.")


@Command("cost", "what my thinking has cost; /cost week, /cost purpose, /cost day", place=120, shows=True)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Show today's cost and limits, the forecast, and the requested period and grouping."""
    days, by = RECENT_DAYS, "model"
    for word in args.lower().split():
        if word in SPANS:
            days = SPANS[word]
        elif word in GROUPS:
            by = word
        else:
            return Words(say(HOW, words=", ".join((*SPANS, *GROUPS))))
    found = gather(world, {"purpose": "kind"}.get(by, by), days)
    if not found["rows"]:
        return Words(say("Nothing so far: no model has been asked yet."))
    rows = found["rows"][-MOST_LINES:] if by == "day" else found["rows"][:MOST_LINES]
    left = len(found["rows"]) - len(rows)
    lines = [
        say_number(
            "Today **{today}** of {limits}; this conversation {here}; 7 days {week}; {number} day {total}.",
            "Today **{today}** of {limits}; this conversation {here}; 7 days {week}; {number} days {total}.",
            days,
            today=dollars(found["today_usd"]),
            limits=limits(found["limits"]),
            here=dollars(found["session_usd"]),
            week=dollars(found["week_usd"]),
            total=dollars(found["total_usd"]),
        ),
        forecast_in_words(found["month"]),
        *(_line(row, found["by"]) for row in rows),
    ]
    if left:
        lines.append(
            say(
                "… and {left} more: {command}",
                left=left,
                command=f"`furoshiki cost --by {by or 'model'} --days {days}`",
            )
        )
    if found["price_guessed"]:
        lines.append(guesses(found["price_guessed"]))
    return Words("\n".join(lines))


def gather(world: World, by: str, days: int) -> dict[str, Any]:
    """Collect all cost data as JSON values: sums in US dollars, rows of the last `days` by `by`."""
    now = world.now
    settings = world.settings
    today = day_start(now)
    since = today - timedelta(days=days - 1)
    month = today.replace(day=1)
    with world.database.read() as db:
        rows, guessed = costs.breakdown(db, since, by), costs.list_unpriced(db, since)
        last = turns.last_session(db)
        found = {
            "today_usd": costs.spent_since(db, today),
            "session_usd": 0.0 if last is None else costs.spent_on_session(db, last[0]),
            "week_usd": costs.spent_since(db, now - timedelta(days=7)),
        }
        spent = costs.spent_since(db, month)
        by_day = costs.breakdown(db, today - timedelta(days=FORECAST_DAYS), "day")
    if by == "day":
        rows.sort(key=lambda row: str(row["day"]))
    of_days = {date.fromisoformat(row["day"]): float(row["usd"]) for row in by_day}
    left = calendar.monthrange(now.year, now.month)[1] - now.day
    comes_to = forecast_month(
        spent, found["today_usd"], of_days, today.date(), left, settings.furoshiki_hard_budget_usd
    )
    return {
        **{name: round(usd, 6) for name, usd in found.items()},
        "limits": {
            "soft_usd": settings.furoshiki_soft_budget_usd,
            "hard_usd": settings.furoshiki_hard_budget_usd,
        },
        "month": {
            "spent_usd": round(spent, 6),
            "forecast_usd": None if comes_to is None else round(comes_to, 6),
            "days_left": left,
        },
        "days": days,
        "total_usd": round(sum(row["usd"] for row in rows), 6),
        "price_guessed": guessed,
        "by": by,
        "rows": rows,
    }


def guesses(models: Sequence[str]) -> str:
    """Say that the price of these models ("provider:model") is unknown, and how to set it."""
    return say_number(
        "{names} is on no price list: counted at a cautious guess. Write the true price into "
        "config/models.toml, {where}, 0 if it is free.",
        "{names} are on no price list: counted at a cautious guess. Write the true price into "
        "config/models.toml, {where}, 0 if it is free.",
        len(models),
        names=", ".join(models),
        where=f'`[prices."{models[0]}"]`',
    )


def limits(found: dict[str, float]) -> str:
    """Describe the daily limits and their effects."""
    soft, hard = later("{limit} (then cheaper)"), later("{limit} (then only replies)")
    each = ((found["soft_usd"], soft), (found["hard_usd"], hard))
    return ", ".join(say(effect, limit=dollars(limit)) for limit, effect in each if limit) or say("no limit")


def forecast_in_words(month: dict[str, Any]) -> str:
    """Describe the month's cost so far and its forecast."""
    spent, comes_to = dollars(month["spent_usd"]), month["forecast_usd"]
    if comes_to is None:
        early = later("This month so far {spent}; I can estimate the total after the first full day.")
        return say(early, spent=spent)
    at_this_pace = later("This month so far {spent}; at the recent pace, it will come to about {forecast}.")
    return say(at_this_pace, spent=spent, forecast=dollars(comes_to))


def _line(row: dict[str, Any], by: str) -> str:
    parts = [dollars(row["usd"]), say_number("{number:,} call", "{number:,} calls", row["calls"])]
    if row["failed"]:
        parts.append(say("{number} failed", number=row["failed"]))
    if row["in_batches"]:
        parts.append(say("{number} in batches at half the price", number=row["in_batches"]))
    if row["cached_share"]:
        parts.append(say("{share:.0%} of the prompts cached", share=row["cached_share"]))
    name = row[by]
    if by == "kind":
        name = name_purpose(name)
    return f"- {name}: {', '.join(parts)}"


def name_purpose(kind: str) -> str:
    """Return in the current language what a kind of call was for ("inner_monologue")."""
    return say(words("purposes").get(kind, kind.replace("_", " ")))


FORECAST_DAYS = 7  # days that determine the daily cost: each weekday once


def forecast_month(
    spent: float, today: float, by_day: Mapping[date, float], day: date, days_left: int, hard: float
) -> float | None:
    """Return the month's cost in US dollars if each remaining day costs as much as the last days'
    mean. `spent` is this month's cost so far and `today` its part of today; `by_day` the cost of
    days before `day`, which is today (missing days after the first count as 0); `days_left` follow.
    A day costs at most `hard`, if above 0. None when there was no cost before today."""
    before = [one for one in by_day if day - timedelta(days=FORECAST_DAYS) <= one < day]
    if not before:
        return None
    whole = [by_day.get(day - timedelta(days=back), 0.0) for back in range(1, (day - min(before)).days + 1)]
    usual = fmean(whole)
    usual = min(usual, hard) if hard > 0 else usual
    return spent - today + max(today, usual) + usual * days_left
