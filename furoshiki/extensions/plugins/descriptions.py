"""The companion's description of its plugins: purpose, permissions, and why one does not run."""

from furoshiki.core.catalogue import later, say
from furoshiki.extensions.plugins import installed, offers
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.values import Installed
from furoshiki.world import World


def lines(world: World) -> list[str]:
    """Return a line for each installed plugin that is not bundled."""
    return [_line(plugin) for plugin in installed.list_all(world) if plugin.origin != "shipped"]


def _line(plugin: Installed) -> str:
    if plugin.manifest is None:
        return f"{plugin.name}: {_fault(plugin)}"
    about = plugin.manifest
    may = "; ".join(permissions.in_words(about.permissions)) or say(permissions.NOTHING)
    state = _fault(plugin) if plugin.problems else say(offers.STATES[plugin.state])
    says = about.description.replace("“", "").replace("”", "")  # the author's words, shown in quotation marks
    words = later("{name} ({state}): “{says}”. It runs: {when}. It may: {may}.")
    return say(words, name=plugin.name, state=state, says=says, when=", ".join(permissions.hooks(about)), may=may)


def _fault(plugin: Installed) -> str:
    return say("does not run: {problem}", problem=plugin.problems[0])
