"""A picture that was asked for with `--plot FILE`: which kinds there are, and how it is written."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core import atomic_files
from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.cli import context

if TYPE_CHECKING:
    from furoshiki.core.pictures.charts import Chart
    from furoshiki.core.pictures.values import Theme

KINDS = (".svg", ".png")


def check_path(args: argparse.Namespace) -> Path:
    """The file of `--plot`. Raises Misused where its name says no kind that can be drawn."""
    path = Path(args.plot).expanduser()
    if path.suffix.lower() not in KINDS:
        raise context.Misused(f"{args.plot!r} is no picture I can draw: let its name end in .svg or .png")
    return path


def write(path: Path, chart: Chart, theme: Theme | None) -> None:
    """Draw it, on a light ground unless a theme says else; an SVG without a theme follows the program that shows it."""
    png = path.suffix.lower() == ".png"
    drawn = chart.png(theme or "light") if png else chart.svg(theme or "auto").encode()
    try:
        atomic_files.write_bytes(path, drawn)
    except OSError as error:
        raise FuroshikiError(f"{path} cannot be written ({error.strerror}): name a file in a folder of yours") from None
