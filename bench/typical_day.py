"""Measures what days of talk ask of the models, by tier: the figures behind the monthly cost that setup tells.

    python -m bench.typical_day            print them (two minutes)
    python -m bench.typical_day --write    and write config/typical_days.json

Two simulated lives with the scripted model: what it is asked is what any model is asked, so the tokens that go in are
the program's own. What comes out is short (prepared lines), so the answers to messages are counted at `REPLY_TOKENS`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.simulator import personas
from bench.simulator.personas import Persona
from bench.simulator.simulate import Wanted, simulate
from furoshiki.core.paths import ROOT
from furoshiki.models.llm.rules.budget import is_reply
from furoshiki.models.llm.values import TIERS

PAGE = ROOT / "config" / "typical_days.json"
PERSONA = "sociable"
DAYS, SEED = 14, 7
TALKATIVE = {"conversations_a_day": 4.0, "messages": (4, 10)}
"""The second life is of the same person, but more talkative."""

REPLY_TOKENS = 120
"""Tokens of a chat answer: about 90 words."""

_ASKED = (
    "SELECT tier, purpose, sum(calls) AS calls, sum(tokens_in) AS input, sum(tokens_cached) AS cached, "
    "sum(tokens_out) AS output FROM llm_calls GROUP BY tier, purpose"
)


def main() -> None:
    """Print the figures of a day of each persona, and write them if requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write config/typical_days.json")
    args = parser.parse_args()
    person = personas.read(PERSONA)
    found = [measured(person), measured(replace(person, name="talkative", writes=replace(person.writes, **TALKATIVE)))]
    text = json.dumps(found, indent=1) + "\n"
    print(text, end="")
    if args.write:
        PAGE.write_text(text, encoding="utf-8")


def measured(person: Persona) -> dict[str, Any]:
    """Return a persona's day: messages, and for each tier the calls and tokens."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        lived = simulate(Wanted(person, DAYS, SEED, data=data, keep_going=True))
        with contextlib.closing(sqlite3.connect(data / "memory" / "longmemory.sqlite")) as db:
            db.row_factory = sqlite3.Row
            rows = db.execute(_ASKED).fetchall()
    tiers = {tier: _a_day([row for row in rows if row["tier"] == tier]) for tier in TIERS}
    messages = sum(one.kind not in ("callback", "reaction") for one in lived.story.heard)
    return {"persona": person.name, "days": DAYS, "messages": round(messages / DAYS), "tiers": tiers}


def _a_day(rows: list[sqlite3.Row]) -> dict[str, float]:
    replies = sum(row["calls"] for row in rows if is_reply(row["purpose"])) * REPLY_TOKENS
    output = sum(row["output"] for row in rows if not is_reply(row["purpose"])) + replies
    totals = {name: sum(row[name] for row in rows) for name in ("calls", "input", "cached")} | {"output": output}
    return {
        name: round(value / DAYS, 1) if name == "calls" else math.ceil(value / DAYS) for name, value in totals.items()
    }


if __name__ == "__main__":
    main()
