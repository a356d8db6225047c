"""`furoshiki cost`: what the models have cost, by day, purpose or model."""

from __future__ import annotations

import argparse
from datetime import timedelta

from furoshiki.cli import context
from furoshiki.cli.terminal.printing import as_json, table
from furoshiki.conversation.commands.cost import dollars, guesses
from furoshiki.conversation.commands.status import day_start
from furoshiki.llm.store import costs


def run(args: argparse.Namespace) -> int:
    """Print the ledger, grouped."""
    world = context.world()
    now = world.now
    with world.database.read() as db:
        today = costs.spent_since(db, day_start(now))
        since = day_start(now) - timedelta(days=args.days - 1)
        rows, guessed = costs.breakdown(db, since, args.by), costs.guessed_since(db, since)
    if args.by == "day":
        rows.sort(key=lambda row: str(row["day"]))
    total = sum(row["usd"] for row in rows)
    if args.json:
        sums = {"today_usd": round(today, 6), "days": args.days, "total_usd": round(total, 6)}
        as_json({**sums, "price_guessed": guessed, "rows": rows})
        return 0
    if not rows:
        print("No model has been asked yet.")
        return 0
    lines = [
        [row[args.by], row["calls"], row["failed"] or "", f"{row['tokens_in']:,}", f"{row['cached_share']:.0%}",
         f"{row['tokens_out']:,}", dollars(row["usd"])]
        for row in rows
    ]  # fmt: skip
    table([args.by, "calls", "failed", "tokens in", "cached", "tokens out", "cost"], lines, right=range(1, 7))
    print(f"today {dollars(today)}, {args.days} days {dollars(total)}")
    if guessed:
        print(guesses(guessed))
    return 0
