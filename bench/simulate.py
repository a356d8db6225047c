"""Weeks of life with a scripted person, in minutes, and whether every promise is kept.

    python -m bench.simulate --days 90 --persona busy --seed 7
    python -m bench.simulate --list

Exit status 1 when a promise was broken. docs/simulate.md says what a persona is and what is looked after.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.simulator import personas
from bench.simulator.simulate import BEGINS, Lived, Wanted, figures, simulate
from bench.simulator.story import Story
from furoshiki.core.errors import BadSetting, FuroshikiError
from furoshiki.core.settings import parse_assignments
from furoshiki.core.timestamps import parse
from furoshiki.mind.consolidation.deep import bar

BROKEN = 1
"""The exit status when a promise was broken."""


def main(words: Sequence[str] | None = None) -> int:
    """Simulate and print the result. Return 1 for a broken promise, 2 for an invalid argument."""
    args = _parser().parse_args(words)
    if args.list:
        for name in personas.shipped():
            print(f"{name}\t{personas.read(name).about}")
        return 0
    try:
        lived = _live(args)
    except FuroshikiError as problem:
        print(problem, file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(figures(lived), indent=2))
    else:
        _print(lived)
    return BROKEN if lived.story.violations else 0


def _live(args: argparse.Namespace) -> Lived:
    persona = personas.read(args.persona)
    begins = BEGINS if args.start is None else _moment(args.start)
    data = None if args.data is None else Path(args.data).expanduser().absolute()
    other = parse_assignments(args.set or (), "--set")
    wanted = Wanted(persona, args.days, args.seed, begins, args.model, data, args.keep_going, other)
    with _scripted_faults_untold(), bar(args.days) as shown:
        return simulate(wanted, lambda day, story: shown(_progress(day, story), day))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--persona", default="sociable", metavar="FILE", help="a shipped one by name, or a TOML file")
    add("--list", action="store_true", help="the personas that come along")
    add("--days", type=int, default=30, metavar="N", help="how many days (30)")
    add("--seed", type=int, default=7, metavar="S", help="the same seed lives the same life (7)")
    add("--start", metavar="ISO", help="the first moment (2026-02-01T00:00 UTC)")
    add(
        "--model",
        choices=("scripted", "none", "configured"),
        default="scripted",
        help="prepared lines, the built-in mind alone, or your own models (which costs what they cost)",
    )
    add("--set", action="append", metavar="NAME=VALUE", help="a setting other than it is; repeatable")
    add("--data", metavar="DIR", help="keep the data directory here (else it is temporary)")
    add("--keep-going", action="store_true", help="go on after a broken promise, and print all")
    add("--json", action="store_true", help="print figures as JSON")
    return parser


@contextmanager
def _scripted_faults_untold() -> Iterator[None]:
    """Silence the warnings of scripted faults, which are intended."""
    log = logging.getLogger("furoshiki")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def _progress(day: int, story: Story) -> str:
    return f"day {day}, {len(story.said)} said, {len(story.violations)} broken"


def _print(lived: Lived) -> None:
    story = lived.story
    said = {policy: sum(one.policy == policy for one in story.said) for policy in ("reply", "unprompted", "reminder")}
    calls, tokens, usd = (sum(row[name] for row in lived.calls) for name in ("calls", "tokens", "usd"))
    print(f"{story.persona}, seed {story.seed}: {lived.days} days from {story.begins:%-d %B %Y}")
    print(
        f"{len(story.heard)} things heard; {said['reply']} answers, {said['unprompted']} messages of its own accord, "
        f"{said['reminder']} reminders; {calls} calls of a model, {tokens:,} tokens, ${usd:.2f}"
    )
    for one in story.violations:
        print(one.as_text())
    if story.violations:
        print(f"{len(story.violations)} promises were broken", file=sys.stderr)
    else:
        print("Every promise was kept.")


def _moment(text: str) -> datetime:
    try:
        return parse(text).astimezone(UTC)
    except ValueError:
        raise BadSetting(f"--start {text}: this is no time; write it as 2026-02-01T00:00") from None


if __name__ == "__main__":
    sys.exit(main())
