"""`furoshiki cost`: what the models have cost, by day, purpose or model, and what the month may come to."""

from __future__ import annotations

import argparse

from furoshiki.cli import context
from furoshiki.conversation.commands.cost import dollars, forecast_in_words, gather, guesses, limits
from furoshiki.terminal.printing import as_json, table


def run(args: argparse.Namespace) -> int:
    """Print the ledger, grouped."""
    found = gather(context.world(), args.by, args.days)
    if args.json:
        as_json(found)
        return 0
    if not found["rows"]:
        print("No model has been asked yet.")
        return 0
    lines = [
        [row[args.by], row["calls"], row["failed"] or "", f"{row['tokens_in']:,}", f"{row['cached_share']:.0%}",
         f"{row['tokens_out']:,}", dollars(row["usd"])]
        for row in found["rows"]
    ]  # fmt: skip
    table([args.by, "calls", "failed", "tokens in", "cached", "tokens out", "cost"], lines, right=range(1, 7))
    print(f"today {dollars(found['today_usd'])} of {limits(found['limits'])}")
    print(f"this conversation {dollars(found['session_usd'])}, {args.days} days {dollars(found['total_usd'])}")
    print(forecast_in_words(found["month"]))
    if found["price_guessed"]:
        print(guesses(found["price_guessed"]))
    return 0
