"""Rendering of the templates in prompts/. Unknown variables are errors, and values are escaped.

Every value passes through `framing.frame`, so that it cannot imitate the prompt's structure. A
template shows a value unescaped with a filter: `{{ soul | as_written }}`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from furoshiki.core.framing import frame

if TYPE_CHECKING:
    from jinja2 import Environment


class AsWritten(str):
    """A text that is inserted without escaping."""

    __slots__ = ()


@dataclass(frozen=True)
class Prompts:
    """The templates below one folder, named `<use_case>/<name>`."""

    folder: Path

    def render(self, name: str, /, **values: Any) -> str:
        """Render `<folder>/<name>.md.j2`. Raises jinja2.UndefinedError for a missing variable."""
        return read_templates(self.folder).get_template(f"{name}.md.j2").render(**values).strip()


@cache  # every home reads the same templates
def read_templates(folder: Path) -> Environment:
    """Return the templates below a folder, each compiled when it is first rendered."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
        finalize=_put_in,
    )
    made.filters["as_written"] = AsWritten
    return made


def _put_in(value: Any) -> Any:
    return frame(value) if isinstance(value, str) and not isinstance(value, AsWritten) else value
