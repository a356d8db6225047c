"""`furoshiki simulate`: weeks of life with a scripted person, in minutes, and whether every promise is kept."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.consolidation.progress_bar import bar
from furoshiki.core.errors import BadSetting
from furoshiki.core.timestamps import parse
from furoshiki.terminal.printing import as_json, table

if TYPE_CHECKING:
    from furoshiki.simulator.simulate import Lived
    from furoshiki.simulator.story import Story

BROKEN = 1
"""The exit status when a promise was broken."""


def run(args: argparse.Namespace) -> int:
    """Simulate, and say what came of it. Exit status 1 when a promise was broken."""
    from furoshiki.core.settings import assigned
    from furoshiki.simulator import personas
    from furoshiki.simulator.simulate import BEGINS, Wanted, figures, simulate

    if args.list:
        table(["persona", "about"], [[name, personas.read(name).about] for name in personas.shipped()])
        return 0
    persona = personas.read(args.persona)
    begins = BEGINS if args.start is None else _moment(args.start)
    data = None if args.data is None else Path(args.data).expanduser().absolute()
    other = assigned(args.set or (), "--set")
    wanted = Wanted(persona, args.days, args.seed, begins, args.model, data, args.keep_going, other)
    with _scripted_faults_untold(), bar(args.days) as shown:
        lived = simulate(wanted, lambda day, story: shown(_progress(day, story), day))
    if args.report:
        from furoshiki.simulator.report import page

        Path(args.report).expanduser().write_text(page(lived), encoding="utf-8")
    if args.json:
        as_json(figures(lived))
    else:
        _print(lived)
    return BROKEN if lived.story.violations else 0


@contextmanager
def _scripted_faults_untold() -> Iterator[None]:
    """What a scripted model does wrong, it does on purpose."""
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
