"""A simulated month with and without each organ that can be switched off: messages, calls, tokens, cost, side by side.

    python -m bench.organs                       the sociable persona, 30 days, all switches (a quarter of an hour)
    python -m bench.organs --days 7 --persona busy

The model is scripted and answers the same whatever its prompt says, so the differences are what an organ costs and what
it puts before a mind or does by itself, not how good the answers are.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from bench.simulator import personas
from bench.simulator.simulate import Wanted, figures, simulate
from furoshiki.core.settings import parse_assignments

SWITCHES = (
    "FUROSHIKI_ROUTER_HINTS",
    "FUROSHIKI_BOUNDARIES",
    "FUROSHIKI_ATTENTION",
    "FUROSHIKI_SECOND_THOUGHTS",
    "FUROSHIKI_WANDERING",
)
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "all of them": tuple(f"{name}=on" for name in SWITCHES),
    **{
        f"without {name.removeprefix('FUROSHIKI_').replace('_', ' ').lower()}": tuple(
            f"{other}={'off' if other == name else 'on'}" for other in SWITCHES
        )
        for name in SWITCHES
    },
    "none of them": tuple(f"{name}=off" for name in SWITCHES),
    "the router's path": ("FUROSHIKI_USER_PATH=router",),
}
COUNTED: Mapping[str, str] = {
    "boundaries": "SELECT count(*) FROM turn_topics WHERE boundary=1",
    "topics": "SELECT count(*) FROM topics",
    "routed": "SELECT count(*) FROM routing_decisions",
    "acting rounds": "SELECT count(*) FROM act_iterations",
    "attended": "SELECT count(*) FROM attention_cycles",
    "thought again": "SELECT count(*) FROM second_thoughts",
    "wanderings": "SELECT count(*) FROM wanderings",
    "drift gists": "SELECT count(*) FROM gists WHERE source_tag='drift'",
    "of them shown": "SELECT count(*) FROM gists WHERE source_tag='drift' AND shown_at IS NOT NULL",
    "long tasks": "SELECT count(*) FROM persistent_tasks",
}


def main() -> None:
    """Print a column for each variant."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--persona", default="sociable")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    for name, pairs in VARIANTS.items():
        row = lived(args.persona, args.days, args.seed, pairs)
        print(f"{name:32}" + "  ".join(f"{what} {found:,.6g}" for what, found in row.items()), flush=True)


def lived(persona: str, days: int, seed: int, pairs: tuple[str, ...]) -> dict[str, float]:
    """Return the figures of one life."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        wanted = Wanted(
            personas.read(persona), days, seed, data=data, keep_going=True, settings=parse_assignments(pairs, "bench")
        )
        found = figures(simulate(wanted))
        with closing(sqlite3.connect(data / "memory" / "longmemory.sqlite")) as db:
            counted = {name: db.execute(sql).fetchone()[0] for name, sql in COUNTED.items()}
    said = found["said"]
    return {
        "heard": found["heard"],
        **{name: said[name] for name in ("reply", "unprompted", "reminder")},
        **{name: found[name] for name in ("calls", "tokens", "usd")},
        "broken promises": len(found["violations"]),
        **counted,
    }


if __name__ == "__main__":
    main()
