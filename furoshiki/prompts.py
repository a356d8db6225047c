"""Renders the templates in prompts/. An unknown variable is an error; nothing is escaped, for a mind reads it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Prompts:
    """The templates below one folder, named `<use_case>/<name>`."""

    folder: Path

    def render(self, name: str, /, **values: Any) -> str:
        """The text of `<folder>/<name>.md.j2`. Raises jinja2.UndefinedError for a variable that was not given."""
        return self._environment.get_template(f"{name}.md.j2").render(**values).strip()

    @cached_property
    def _environment(self) -> Environment:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        return Environment(
            loader=FileSystemLoader(self.folder),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
        )
