"""The settings of plugins: lines PLUGIN_<PLUGIN>_<NAME> of `.env`, of which each plugin is given its own."""

from pathlib import Path

from furoshiki.core import env_file
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import PLUGIN_PREFIX, of_others
from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.values import Manifest

PASSWORD = "PASSWORD"
MAIL_SERVERS = ("IMAP", "SMTP")
"""The settings of a plugin that has to do with mail, besides ADDRESS and USER."""


def values(data: Path, manifest: Manifest) -> dict[str, str]:
    """What a plugin is given of its settings, by their names in the manifest. Raises BadSetting."""
    held = of_others(data, PLUGIN_PREFIX)
    found = {one.name: held.get(names.env_name(manifest.name, one.name)) or one.default for one in manifest.settings}
    return {name: value for name, value in found.items() if value}


def told_values(data: Path, manifest: Manifest) -> dict[str, str]:
    """Return the settings a run may see, without a mailbox's password. Raises BadSetting."""
    mail = manifest.permissions.read_mail or manifest.permissions.send_mail
    return {name: value for name, value in values(data, manifest).items() if not (mail and name == PASSWORD)}


def set_values(data: Path, manifest: Manifest) -> dict[str, str]:
    """What is set of them in `.env`, defaults left out, by their names in the manifest. Raises BadSetting."""
    held = of_others(data, PLUGIN_PREFIX)
    found = {one.name: held.get(names.env_name(manifest.name, one.name), "") for one in manifest.settings}
    return {name: value for name, value in found.items() if value}


def secrets_travel(data: Path, manifest: Manifest, name: str) -> bool:
    """Whether a setting is an address, and other settings that are secret and set travel there. Raises BadSetting."""
    there = set_values(data, manifest)
    others = [one.name for one in manifest.settings if one.secret and one.name in there and one.name != name]
    may = manifest.permissions
    there_too = name in MAIL_SERVERS and (may.read_mail or may.send_mail)
    return (there_too or f"setting:{name}" in may.network) and bool(others)


def list_inherited(data: Path, manifest: Manifest, before: Manifest | None) -> list[str]:
    """The lines of `.env` that a plugin would find set already, and that are not those of the version `before`."""
    own = {names.env_name(before.name, one.name) for one in before.settings} if before is not None else set()
    asked = {names.env_name(manifest.name, one.name) for one in manifest.settings}
    return sorted((asked - own) & {name for name, value in of_others(data, PLUGIN_PREFIX).items() if value})


def describe_missing(data: Path, manifest: Manifest) -> list[str]:
    """What to do about settings it cannot do without, in words."""
    there = values(data, manifest)
    return [
        f"it needs {one.name} ({one.about}): `furoshiki plugins set {manifest.name} {one.name} VALUE`"
        for one in manifest.settings
        if one.required and one.name not in there
    ]


def put(data: Path, manifest: Manifest, name: str, value: str | None) -> str:
    """Set one (None: take it out again); its name in `.env`. Raises BadSetting for one it does not have."""
    known = {one.name.upper(): one for one in manifest.settings}
    if name.upper() not in known:
        there = f"there are {', '.join(known)}" if known else "it has none"
        raise BadSetting(f"{manifest.name} has no setting {name!r}; {there}")
    called = names.env_name(manifest.name, known[name.upper()].name)
    env_file.save(data, {called: value})
    return called
