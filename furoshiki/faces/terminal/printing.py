"""How commands speak: JSON for machines, plain lines and tables for people."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any, TextIO

from furoshiki.core.terminal import style
from furoshiki.core.timestamps import stamp
from furoshiki.core.visible import visible

_LEAST_LAST = 20
"""Columns that the last cell of a row needs to be read with ease."""


def as_json(value: object) -> None:
    """One JSON value on its own line, at once: a program that reads it from a pipe may wait for it.

    Moments are written as stamps, and a dataclass as its fields.
    """
    print(json.dumps(value, ensure_ascii=False, default=_plain), flush=True)


def answer(for_program: bool, value: object, words: str) -> int:
    """A command's whole answer: the value for a program, else the words. Returns the exit code, which is 0."""
    if for_program:
        as_json(value)
    else:
        print(words)
    return 0


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return stamp(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> None:
    """Rows under headings; drawn when a person looks, tab-separated when piped. `right` lists right-aligned columns.

    Where the terminal is too narrow for columns, each row takes two lines: the last cell stands below the others.
    """
    cells = [["" if cell is None else visible(str(cell)) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for line in cells:
            print("\t".join(line))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from furoshiki.faces.terminal.markdown import colourful

    console = Console(file=style(sys.stdout), color_system="auto" if colourful() else None)
    before_last = zip(*(line[:-1] for line in [list(headers), *cells]), strict=True)
    if sum(max(map(len, column)) + 3 for column in before_last) + _LEAST_LAST > console.width:
        for line in cells:
            console.print(Text(" · ".join(cell for cell in line[:-1] if cell), style="dim"))
            if line[-1]:
                console.print(Text(line[-1]))
        return
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, header in enumerate(headers):
        drawn.add_column(header, justify="right" if number in right else "left", overflow="fold")
    for line in cells:
        drawn.add_row(*(Text(cell) for cell in line))
    console.print(drawn)


def markdown(text: str) -> None:
    """Markdown, drawn when a person looks, as it is when piped."""
    if not sys.stdout.isatty():
        print(text)
        return
    from furoshiki.faces.terminal.markdown import paint

    print(paint(text), file=style(sys.stdout))


def note(line: str) -> None:
    """A line for the person at the terminal, out of the way of what a pipe reads."""
    print(line, file=sys.stderr, flush=True)


def quietly(line: str, stream: TextIO | None = None) -> None:
    """A line that matters less, on stdout (or another stream); greyed where colours are welcome."""
    from furoshiki.faces.terminal.markdown import columns, dim

    to = stream or sys.stdout
    if to.isatty():
        line = "\n".join(textwrap.fill(part, columns(), break_on_hyphens=False) for part in line.split("\n"))
    print(dim(line), file=style(to), flush=True)


def progress(stream: TextIO) -> Callable[[str], None]:
    """Shows a line that changes to a person; says nothing to a pipe."""
    seen = stream.isatty()

    def show(line: str) -> None:
        if seen:
            print(f"\r\x1b[K{visible(line)} ", end="", file=style(stream), flush=True)

    return show


def make_countdown(what: str) -> Callable[[int], None]:
    """Shows a person on stderr how many of something are left."""
    show = progress(sys.stderr)
    return lambda count: show(f"{count:,} {what}")


def end_progress(stream: TextIO) -> None:
    """Take the changing line away."""
    if stream.isatty():
        print("\r\x1b[K", end="", file=style(stream), flush=True)
