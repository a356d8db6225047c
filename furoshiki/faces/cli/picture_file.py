"""The picture file of `--plot FILE`: its formats, and how it is written."""

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
    """Return the path of `--plot`. Raises Misused unless it ends in .svg or .png."""
    path = Path(args.plot).expanduser()
    if path.suffix.lower() not in KINDS:
        raise context.Misused(f"{args.plot!r} is no picture I can draw: let its name end in .svg or .png")
    return path


def write(path: Path, chart: Chart, theme: Theme | None) -> None:
    """Draw the chart into the file (None: light PNG, SVG as its viewer). Raises FuroshikiError."""
    png = path.suffix.lower() == ".png"
    drawn = chart.png(theme or "light") if png else chart.svg(theme or "auto").encode()
    try:
        atomic_files.write_bytes(path, drawn)
    except OSError as error:
        raise FuroshikiError(f"{path} cannot be written ({error.strerror}): name a file in a folder of yours") from None
