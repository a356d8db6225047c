"""The companion's description of its plugins: purpose, permissions, and why one does not run."""

from furoshiki.core.catalogue import later, say
from furoshiki.extensions.plugins import installed
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.values import Installed
from furoshiki.world import World

_OFF = later(
    {
        "disabled": "off",
        "failing": "off, for it failed three times in a row",
        "changed": "off, for its files changed",
    }
)


def lines(world: World) -> list[str]:
    """Return a line for each installed plugin that is not bundled."""
    return [_line(one) for one in installed.list_all(world) if one.origin != "shipped"]


def _line(one: Installed) -> str:
    if one.manifest is None:
        return f"{one.name}: {_fault(one)}"
    about = one.manifest
    may = "; ".join(permissions.in_words(about.permissions)) or say(permissions.NOTHING)
    state = _fault(one) if one.problems else say(_OFF.get(one.state, later("enabled")))
    says = about.description.replace("“", "").replace("”", "")  # the author's words, shown in quotation marks
    words = later("{name} ({state}): “{says}”. It runs: {when}. It may: {may}.")
    return say(words, name=one.name, state=state, says=says, when=", ".join(permissions.hooks(about)), may=may)


def _fault(one: Installed) -> str:
    return say("does not run: {problem}", problem=one.problems[0])
