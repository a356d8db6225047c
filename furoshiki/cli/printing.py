"""How commands speak: JSON for machines, plain lines and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO


def as_json(value: object) -> None:
    """One JSON value on its own line."""
    print(json.dumps(value, ensure_ascii=False, default=str))


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> None:
    """Rows under headings; drawn when a person looks, tab-separated when piped. `right` lists right-aligned columns."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for line in cells:
            print("\t".join(line))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, header in enumerate(headers):
        drawn.add_column(header, justify="right" if number in right else "left", overflow="fold")
    for line in cells:
        drawn.add_row(*(Text(cell) for cell in line))
    Console().print(drawn)


def markdown(text: str) -> None:
    """Markdown, drawn when a person looks, as it is when piped."""
    if not sys.stdout.isatty():
        print(text)
        return
    from furoshiki.cli.paint import painted

    print(painted(text))


def note(line: str) -> None:
    """A line for the person at the terminal, out of the way of what a pipe reads."""
    print(line, file=sys.stderr, flush=True)


def progress(stream: TextIO) -> Callable[[str], None]:
    """Shows a line that changes to a person; says nothing to a pipe."""
    seen = stream.isatty()

    def show(line: str) -> None:
        if seen:
            print(f"\r\x1b[K{line} ", end="", file=stream, flush=True)

    return show


def waiting(what: str) -> Callable[[int], None]:
    """Shows a person on stderr how many of something are left."""
    show = progress(sys.stderr)
    return lambda count: show(f"{count:,} {what}")


def end_progress(stream: TextIO) -> None:
    """Take the changing line away."""
    if stream.isatty():
        print("\r\x1b[K", end="", file=stream, flush=True)
