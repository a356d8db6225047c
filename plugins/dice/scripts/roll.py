"""The companion's tool: rolls dice, flips coins, or draws one of several things."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import dice
from furoshiki_plugin import answer, given


def die(sides: int) -> int:
    """Roll a fair die with the operating system's random source."""
    return secrets.randbelow(sides) + 1


def main(args: Mapping[str, Any]) -> str:
    """Return the result, or what to ask for instead."""
    parts = []
    try:
        if args.get("dice"):
            parts.append(dice.thrown(str(args["dice"]), die, str(args.get("advantage") or "")))
        if args.get("coins"):
            parts.append(dice.flipped(int(args["coins"]), die))
        if args.get("choose"):
            parts.append(dice.drawn([str(one) for one in args["choose"]], die))
    except ValueError as error:
        return f"Nothing was rolled: {error}."
    return "\n".join(parts) or "Nothing was rolled: say which dice, how many coins, or what to choose from."


if __name__ == "__main__":
    said = main(given().args)
    answer(context=said, data={"result": said})
