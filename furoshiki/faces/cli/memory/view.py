"""`furoshiki memory view`: hot, contested, fading, new and unresolved memories at a glance."""

import sys
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.framing import visible
from furoshiki.core.terminal import style
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.markdown import colourful, columns
from furoshiki.language.humanize import ago, last
from furoshiki.memory.overview import Overview
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.values import Memory

_BAR = 8
"""Cells of the bar that shows a weight."""

_NARROW = 60
"""Columns below which the bars are left out."""

_SECTIONS = (
    ("hot", later("Hot: needed most"), "red"),
    ("contested", later("Contested: much for it, much against it"), "yellow"),
    ("fading", later("Fading: light, and not needed for a month"), "bright_black"),
    ("insights", later("Newest insights"), "cyan"),
    ("tensions", later("Tensions: said one way, done another"), "magenta"),
)


def print_overview(overview: Overview, now: datetime) -> None:
    """Print the overview: drawn in a terminal, plain lines in a pipe."""
    lines = [head(overview)]
    if not sys.stdout.isatty():
        lines += describe_moves(overview)
        for name, title, _colour in _SECTIONS:
            memories: list[Memory] = getattr(overview, name)
            if memories:
                lines += ["", say(title)]
                lines += [
                    f"  {_centre(one):.2f}  {context.phrase(one.content)} ({describe_use(one, now)})"
                    for one in memories
                ]
        print("\n".join(lines))
        return
    _paint(overview, now, lines[0])


def describe_moves(overview: Overview) -> list[str]:
    """Describe in a line each which themes are rising and which are fading."""
    themes = overview.themes
    ways = ((say("More on your mind lately"), themes.rising), (say("Less than before"), themes.fading))
    return [f"{title}: {', '.join(names)}." for title, names in ways if names]


def head(overview: Overview) -> str:
    """Return the counts in one line."""
    counts = overview.counts
    each = [(name, counts[name]) for name in later(("hot", "cold", "contested", "fading", "pinned"))]
    each.append(("dormant", counts["by_status"].get("dormant", 0)))
    parts = [f"{count:,} {say(name)}" for name, count in each if count]
    whole = say_number("{number:,} memory", "{number:,} memories", counts["memories"])
    return f"{whole}: {', '.join(parts)}." if parts else f"{whole}."


def describe_use(memory: Memory, now: datetime) -> str:
    """Return the memory's id, how often it was needed, and when last."""
    used = max(memory.hit_count, memory.access_count)
    at = memory.last_accessed_at or memory.created_at
    if used:
        times = say("how often needed: {number}, {last}", number=used, last=last(at, now))
    else:
        times = say("learned {when}, never needed since", when=ago(at, now))
    return ", ".join((refs.name("memory", memory.id), times, *([say("pinned")] if memory.immutable else [])))


def bar(weight: float) -> str:
    """Return a weight in [0, 1] as a bar."""
    full = round(weight * _BAR)
    return "█" * full + "░" * (_BAR - full)


def _paint(overview: Overview, now: datetime, first: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    wide = columns()
    console = Console(file=style(sys.stdout), width=wide, highlight=False, color_system="auto" if colourful() else None)
    console.print(Text(visible(first), style="bold"))
    for line in describe_moves(overview):
        console.print(Text(visible(line)))
    for name, title, colour in _SECTIONS:
        memories: list[Memory] = getattr(overview, name)
        if not memories:
            continue
        console.print()
        console.print(Text(say(title), style=f"bold {colour}"))
        rows = Table.grid(padding=(0, 2, 0, 0), expand=True)
        if wide >= _NARROW:
            rows.add_column(width=_BAR, no_wrap=True)
        rows.add_column(width=4, justify="right", no_wrap=True)
        rows.add_column(ratio=1, overflow="fold")
        for memory in memories:
            weight = _centre(memory)
            what = Text.assemble(visible(context.phrase(memory.content)), "\n", (describe_use(memory, now), "dim"))
            cells = [Text(bar(weight), style=colour)] if wide >= _NARROW else []
            rows.add_row(*cells, Text(f"{weight:.2f}"), what)
        console.print(rows)


def _centre(memory: Memory) -> float:
    return Weight(memory.alpha, memory.beta).centre
