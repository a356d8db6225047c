"""`furoshiki cost`: the models' cost by day, purpose or model, and a forecast of the month."""

import argparse

from furoshiki.conversation.commands.cost import forecast_in_words, gather, guesses, limits
from furoshiki.faces.cli import context, picture_file
from furoshiki.faces.terminal.printing import answer, as_json, table
from furoshiki.language.humanize import dollars


def run(args: argparse.Namespace) -> int:
    """Print the grouped ledger, or draw it day by day."""
    if args.plot is not None:
        return _plot(args)
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


def _plot(args: argparse.Namespace) -> int:
    """Draw a bar for each day, and the daily hard limit if there is one."""
    from furoshiki.faces.overview import cost_picture

    path = picture_file.check_path(args)
    world = context.world()
    found = gather(world, "day", args.days)
    picture_file.write(path, cost_picture.of_days(found, world.now), None)
    return answer(
        args.json,
        {"file": str(path.absolute()), **found},
        f"{args.days} days {dollars(found['total_usd'])}. Drawn into {path}.",
    )
