"""Output of commands: JSON for programs, plain lines and tables for people."""

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any, TextIO

from furoshiki.core.framing import visible
from furoshiki.core.terminal import style
from furoshiki.core.timestamps import stamp

_LEAST_LAST = 20  # columns that the last cell of a row needs to be readable


def as_json(value: object) -> None:
    """Print one JSON value on its own line and flush it: a program may wait for it in a pipe.

    Datetimes become stamps, dataclasses their fields.
    """
    print(json.dumps(value, ensure_ascii=False, default=_plain), flush=True)


def answer(for_program: bool, value: object, words: str) -> int:
    """Print a command's answer: the value for a program, else the words. Returns exit code 0."""
    if for_program:
        as_json(value)
    else:
        print(words)
    return 0


def show_list(
    for_program: bool,
    value: object,
    headers: Sequence[str],
    rows: Iterable[Sequence[Any]],
    nothing: str,
    right: Sequence[int] = (),
) -> int:
    """Print a command's list: the value for a program, else a table, or `nothing` without a row.
    Returns exit code 0."""
    lines = list(rows)
    if for_program:
        as_json(value)
    elif lines:
        table(headers, lines, right)
    else:
        print(nothing)
    return 0


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return stamp(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> None:
    """Print a table; drawn in a terminal, tab-separated in a pipe. `right` lists right-aligned
    columns.

    In a narrow terminal a row takes two lines: the last cell is below the others.
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
    """Print Markdown, rendered in a terminal, unchanged in a pipe."""
    if not sys.stdout.isatty():
        print(text)
        return
    from furoshiki.faces.terminal.markdown import paint

    print(paint(text), file=style(sys.stdout))


def note(line: str) -> None:
    """Print a line for the person to stderr, so that a pipe does not read it."""
    print(line, file=sys.stderr, flush=True)


def quietly(line: str, stream: TextIO | None = None) -> None:
    """Print a less important line to stdout or `stream`, greyed where colours are used."""
    from furoshiki.faces.terminal.markdown import columns, dim

    to = stream or sys.stdout
    if to.isatty():
        line = "\n".join(textwrap.fill(part, columns(), break_on_hyphens=False) for part in line.split("\n"))
    print(dim(line), file=style(to), flush=True)


def progress(stream: TextIO) -> Callable[[str], None]:
    """Return a function that shows a changing line in a terminal and nothing in a pipe."""
    seen = stream.isatty()

    def show(line: str) -> None:
        if seen:
            print(f"\r\x1b[K{visible(line)} ", end="", file=style(stream), flush=True)

    return show


def make_countdown(what: str) -> Callable[[int], None]:
    """Return a function that shows on stderr how many of something are left."""
    show = progress(sys.stderr)
    return lambda count: show(f"{count:,} {what}")


def end_progress(stream: TextIO) -> None:
    """Clear the changing line."""
    if stream.isatty():
        print("\r\x1b[K", end="", file=style(stream), flush=True)
