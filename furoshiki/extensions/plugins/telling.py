"""What the companion says of its plugins: what each does and may, and why one does not run."""

from __future__ import annotations

from furoshiki.extensions.plugins import installed
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.values import Installed
from furoshiki.world import World

_OFF = {
    "disabled": "off",
    "failing": "off, for it failed three times in a row",
    "changed": "off, for its files changed",
}


def lines(world: World) -> list[str]:
    """A line for each plugin that is installed."""
    return [_line(one) for one in installed.everything(world)]


def _line(one: Installed) -> str:
    if one.manifest is None:
        return f"{one.name}: does not run: {one.problems[0]}"
    about = one.manifest
    may = "; ".join(permissions.in_words(about.permissions)) or f"do {permissions.NOTHING}"
    state = _OFF.get(one.state, "enabled") if not one.problems else f"does not run: {one.problems[0]}"
    says = about.description.replace("“", "").replace("”", "")  # its maker's words, and marked as such
    return f"{one.name} ({state}): “{says}”. It runs {', '.join(permissions.hooks(about))}; it may {may}."
