"""What a plugin's owner is shown before they agree, and the agreement to exactly that.

An offer holds the bytes to be installed. Agreeing returns its `mark`: if files, permissions or the
installed version changed meanwhile, nothing is done.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from furoshiki.core.catalogue import Sentence, words
from furoshiki.core.errors import FuroshikiError
from furoshiki.extensions.plugins import installed, installing, own_settings, package, switching
from furoshiki.extensions.plugins import manifest as manifests
from furoshiki.extensions.plugins.authoring import deciding
from furoshiki.extensions.plugins.authoring.deciding import Ready
from furoshiki.extensions.plugins.package import NotInstalled
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.plugins.store.plugins import Row
from furoshiki.extensions.plugins.values import Installed, Manifest, Origin
from furoshiki.world import World

# install new files; enable the approved version; restore an earlier version; apply a plugin written
# by the companion
Kind = Literal["install", "switch_on", "rollback", "proposal"]


STATES = words("plugins")  # states in words; "shipped": bundled and not installed


class ChangedMeanwhile(FuroshikiError):
    """What was agreed to is not what would be done now: look at it again. Nothing was changed."""


class NoPlugin(FuroshikiError):
    """There is no plugin of that name: `furoshiki plugins` lists them all."""


@dataclass(frozen=True)
class Offer:
    """A complete planned change: the new `files` by path, and the installed ones, `before`.

    `instead` is the installed version. `freely`: no new permissions, so that the owner need not be
    asked. `inherited` are settings in `.env` that it would find set.
    """

    kind: Kind
    manifest: Manifest
    origin: Origin
    files: Mapping[str, bytes]
    before: Mapping[str, bytes]
    instead: str | None
    inherited: tuple[str, ...]
    freely: bool
    mark: str
    row: Row | None = None
    ready: Ready | None = None

    @property
    def lines(self) -> list[str]:
        """The plan without the code, in words for the owner."""
        about = self.manifest
        instead = f" (in place of {self.instead})" if self.instead is not None else ""
        lines = [f"{about.name} {about.version}{instead}, by {about.author}", *permissions.describe_plugin(about)]
        if self.inherited:
            already = ", ".join(self.inherited)
            lines.append(f"It would be given what is already set in .env, perhaps for another plugin: {already}")
        return lines


def to_enable(world: World, name: str) -> Offer:
    """Return the offer of enabling a plugin. Raises NoPlugin, NotInstalled."""
    plugin = installed.one(world, name)
    if plugin is None or switching.comes_newer(plugin):
        folder = switching.locate_shipped(name)
        if name not in {each.name for each in switching.list_shipped()}:
            raise NoPlugin(Sentence("there is no plugin {name!r}: `furoshiki plugins` lists them all", name=name))
        return to_install(world, folder, "shipped")
    if plugin.manifest is None or not switching.is_as_allowed(world, plugin):
        return to_install(world, plugin.folder, plugin.origin)
    files = package.gather_files(plugin.folder)
    return _offer(world, "switch_on", plugin.manifest, plugin.origin, files, freely=plugin.state == "enabled")


def to_install(world: World, folder: Path, origin: Origin) -> Offer:
    """Return the offer of installing the plugin in a folder. Raises NotInstalled."""
    return _to_install(world, package.gather_files(folder), origin)


def of_proposal(world: World, file: str) -> Offer:
    """Return the offer of applying a plugin written by the companion. Raises NotApplied."""
    ready = deciding.ready(world, file)
    files = {path: text.encode("utf-8") for path, text in ready.files.items()}
    return _offer(world, "proposal", ready.manifest, "proposal", files, ready=ready)


def to_go_back(world: World, name: str) -> Offer:
    """Offer the previous version; `freely` if it adds no permissions. Raises NotInstalled."""
    there = installed.one(world, name)
    kept, row = installing.earlier(world, name)
    about, problems = manifests.read(kept)
    if about is None:
        raise NotInstalled("\n".join(problems))
    asks = row.state == "enabled" and (
        switching.has_fewer_rights(world, row) or there is None or there.state != "enabled"
    )
    return _offer(world, "rollback", about, row.origin, _readable(kept), freely=not asks, row=row)


def accept(world: World, offer: Offer) -> str:
    """Carry out an offer if it is still valid; returns a message.
    Raises ChangedMeanwhile, and the exceptions of making the offer."""
    now = _again(world, offer)
    name = now.manifest.name
    if now.mark != offer.mark:
        raise ChangedMeanwhile(Sentence("{name} changed while you were being asked: look at it again", name=name))
    match now.kind:
        case "switch_on":
            switching.switch_on(world, name)
        case "rollback":
            installing.rollback(world, name, now.row)
            switching.reload(world)
            return f"{name} is {now.manifest.version} again. Once more, and it is what it was before."
        case "install" | "proposal":
            switching.put_in_place(world, now.files, now.origin)
            if now.ready is not None:
                deciding.finish(world, now.ready)
    plugin = installed.one(world, name)
    problems = plugin.problems if plugin is not None else ()
    return "\n".join([f"{name} is enabled.", *(f"But {problem}" for problem in problems)])


def _again(world: World, offer: Offer) -> Offer:
    match offer.kind:
        case "rollback":
            return to_go_back(world, offer.manifest.name)
        case "proposal":
            assert offer.ready is not None
            return of_proposal(world, offer.ready.job.proposal or "")
        case "switch_on":
            return to_enable(world, offer.manifest.name)
        case "install":  # install the bytes that were shown, whatever their source
            return _to_install(world, offer.files, offer.origin)


def _to_install(world: World, files: Mapping[str, bytes], origin: Origin) -> Offer:
    return _offer(world, "install", package.judge_files(files), origin, files)


def _offer(
    world: World,
    kind: Kind,
    about: Manifest,
    origin: Origin,
    files: Mapping[str, bytes],
    *,
    freely: bool = False,
    row: Row | None = None,
    ready: Ready | None = None,
) -> Offer:
    there = installed.one(world, about.name)
    manifest = there.manifest if there is not None and switching.is_as_allowed(world, there) else None
    with world.database.read() as db:
        held = plugins.get(db, about.name)
    inherited = tuple(own_settings.list_inherited(world.home, about, manifest))
    stands = None if held is None else (held.version, held.state, sorted(held.pins.items()), asdict(held.permissions))
    shown = {
        "kind": kind,
        "files": sorted((path, hashlib.sha256(content).hexdigest()) for path, content in files.items()),
        "permissions": asdict(about.permissions),
        "inherited": inherited,
        "stands": stands,
    }
    return Offer(
        kind=kind,
        manifest=about,
        origin=origin,
        files=files,
        before={} if there is None else _readable(there.folder),
        instead=there.manifest.version if there is not None and there.manifest is not None else None,
        inherited=inherited,
        freely=freely,
        mark=hashlib.sha256(json.dumps(shown, default=str).encode()).hexdigest()[:32],
        row=row,
        ready=ready,
    )


def _readable(folder: Path) -> Mapping[str, bytes]:
    """Return a folder's files for comparison; empty if they are no valid plugin any more."""
    try:
        return package.gather_files(folder)
    except NotInstalled:
        return {}


def list_all(world: World, *, thoroughly: bool = False) -> list[tuple[Installed, bool]]:
    """Return all plugins; True for bundled ones that are not installed."""
    found = installed.list_all(world, thoroughly=thoroughly)
    there = {plugin.name for plugin in found}
    return [(plugin, False) for plugin in found] + [
        (plugin, True) for plugin in switching.list_shipped() if plugin.name not in there
    ]
